// SPDX-License-Identifier: Apache-2.0
//
// pm_karatsuba of every width 1 to 9 with 0 to 3 levels side by side (25 of 36 slots exist), all
// fed with the low bits of the same operands. Slot 4 (W - 1) + Levels.

module pm_karatsuba_tb #(
    parameter int unsigned PreMask = 0,
    parameter int unsigned InReg   = 0,
    parameter int unsigned MulReg  = 0,
    parameter int unsigned RecMask = 0
) (
    input  logic              clk_i,
    input  logic              en_i,
    input  logic [ 8:0]       a_i,
    input  logic [ 8:0]       b_i,
    output logic [35:0]       present_o,  // slot exists
    output logic [35:0][31:0] state_o     // {latency that pm_field_pkg states, product}
);

  for (genvar s = 0; s < 36; s++) begin : gen_slot
    localparam int unsigned W = s / 4 + 1;
    localparam int unsigned Levels = s % 4;
    if ((W >> Levels) > 0) begin : gen_unit
      logic [2*W-1:0] p;
      pm_karatsuba #(
          .W      (W),
          .Levels (Levels),
          .PreMask(PreMask),
          .InReg  (InReg),
          .MulReg (MulReg),
          .RecMask(RecMask)
      ) u_mul (
          .clk_i,
          .en_i,
          .a_i(a_i[W-1:0]),
          .b_i(b_i[W-1:0]),
          .p_o(p)
      );
      assign present_o[s] = 1'b1;
      assign state_o[s] = {
        8'(pm_field_pkg::karatsuba_latency(Levels, PreMask, InReg, MulReg, RecMask)), 24'(p)
      };
    end else begin : gen_none
      assign present_o[s] = 1'b0;
      assign state_o[s]   = '0;
    end
  end

endmodule
