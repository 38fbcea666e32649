// SPDX-License-Identifier: Apache-2.0
//
// Adder of two cycles for wide numbers (carry select): the first cycle adds each segment without
// and with a carry from below, the second one works out the carries and selects.
//
// Computes: sum_o = a_i + b_i + carry_i modulo 2^Width, of the operands of the cycle before. To
//           subtract, give the complement of b and a carry.
// Ranges:    any operands.
// Latency:   sum_o is combinational from registers; the user registers it, which makes two cycles
//            from operands to a registered sum. One sum per cycle.
// Handshake: none; en_i = 0 freezes the registers. Reset: none (data only). Constant time: yes.
//            Source: original.

module pm_segadd #(
    parameter int unsigned Width = 257,  // bits of operands and sum, at least 2
    parameter int unsigned SegmentBits = 65  // bits of a carry chain, 2 to Width
) (
    input  logic             clk_i,    // clock
    input  logic             en_i,     // clock enable
    input  logic [Width-1:0] a_i,      // operands
    input  logic [Width-1:0] b_i,
    input  logic             carry_i,  // carry into bit 0
    output logic [Width-1:0] sum_o     // their sum, a cycle later
);

  if (SegmentBits < 2 || SegmentBits > Width) begin : gen_check
    $fatal(1, "pm_segadd: SegmentBits must be 2 to Width");
  end

  localparam int unsigned Segments = (Width + SegmentBits - 1) / SegmentBits;

  // carry[i] goes into segment i; the carry into bit 0 was already added in the first cycle.
  /* verilator lint_off UNOPTFLAT */
  logic [Segments-1:0] carry;
  /* verilator lint_on UNOPTFLAT */

  assign carry[0] = 1'b0;

  for (genvar i = 0; i < int'(Segments); i++) begin : gen_segment
    localparam int unsigned From = i * SegmentBits;
    localparam int unsigned Bits = i + 1 == Segments ? Width - From : SegmentBits;

    // The carry enters as a bit below the operands: one chain in every technology.
    logic [Bits+1:0] without, with_carry;
    logic [Bits:0] without_q, with_q;
    logic unused;

    assign without = {1'b0, a_i[From+:Bits], 1'b1} + 
        {1'b0, b_i[From+:Bits], i == 0 ? carry_i : 1'b0};
    assign with_carry = {1'b0, a_i[From+:Bits], 1'b1} + {1'b0, b_i[From+:Bits], 1'b1};
    assign unused = ^{without[0], with_carry[0]};

    always_ff @(posedge clk_i) begin
      if (en_i) begin
        without_q <= without[Bits+1:1];
        with_q <= with_carry[Bits+1:1];
      end
    end

    assign sum_o[From+:Bits] = carry[i] ? with_q[Bits-1:0] : without_q[Bits-1:0];

    if (i + 1 < int'(Segments)) begin : gen_carry
      assign carry[i+1] = without_q[Bits] || (with_q[Bits] && carry[i]);
    end else begin : gen_top
      logic unused_carry;
      assign unused_carry = ^{without_q[Bits], with_q[Bits]};
    end
  end

endmodule
