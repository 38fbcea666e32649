// SPDX-License-Identifier: Apache-2.0
//
// Small pm_mulmod instances side by side, each followed by pm_canon, all fed with the same operand
// pair; slots that do not exist give 0. Parameters and latency of each slot are outputs, so that
// the bench needs no list of its own.

module pm_mulmod_toy_tb #(
    parameter int unsigned Width = 10  // 10: slots 0 to 6, 12: slots 7 and 8
) (
    input  logic                        clk_i,
    input  logic                        rst_ni,
    input  logic [Width-1:0]            a_i,
    input  logic [Width-1:0]            b_i,
    output logic [      8:0]            present_o,  // slot exists
    output logic [      8:0]            valid_o,
    output logic [      8:0]            zero_o,
    output logic [      8:0][15:0]      r_o,        // weakly reduced
    output logic [      8:0][15:0]      canon_o,    // in [0, p)
    output logic [      8:0][ 3:0][7:0] config_o,   // {latency, W, C, N}
    output logic [      8:0][15:0]      r_max_o     // bound that pm_field_pkg states
);

  // {N, C, W, Levels, Stages}; primes 127, 251, 1021, 509, 4093 and the composite 2045.
  localparam logic [8:0][4:0][7:0] Table = {
    {8'd12, 8'd3, 8'd12, 8'd2, 8'd2},
    {8'd11, 8'd3, 8'd12, 8'd1, 8'd2},
    {8'd9, 8'd3, 8'd10, 8'd1, 8'd2},
    {8'd10, 8'd3, 8'd10, 8'd0, 8'd4},
    {8'd10, 8'd3, 8'd10, 8'd1, 8'd3},
    {8'd10, 8'd3, 8'd10, 8'd2, 8'd2},
    {8'd8, 8'd5, 8'd8, 8'd1, 8'd3},
    {8'd7, 8'd1, 8'd8, 8'd2, 8'd4},
    {8'd7, 8'd1, 8'd8, 8'd1, 8'd2}
  };

  for (genvar s = 0; s < 9; s++) begin : gen_slot
    localparam int unsigned N = 32'(Table[s][4]);
    localparam int unsigned C = 32'(Table[s][3]);
    localparam int unsigned W = 32'(Table[s][2]);
    localparam int unsigned Levels = 32'(Table[s][1]);
    localparam int unsigned Stages = 32'(Table[s][0]);
    localparam int unsigned RecMask = 'b10;

    if ((s >= 7) == (Width == 12)) begin : gen_unit
      logic [  N:0] r;
      logic [N-1:0] canon;
      logic ready, part_valid;
      logic [W-1:0] part_h, part_l;

      pm_mulmod #(
          .N         (N),
          .C         (C),
          .W         (W),
          .Levels    (Levels),
          .RecMask   (RecMask),
          .FoldStages(Stages)
      ) u_mulmod (
          .clk_i,
          .rst_ni,
          .valid_i     (1'b1),
          .ready_o     (ready),
          .a_i         (a_i[W-1:0]),
          .b_i         (b_i[W-1:0]),
          .valid_o     (valid_o[s]),
          .ready_i     (1'b1),
          .r_o         (r),
          .part_valid_o(part_valid),
          .part_h_o    (part_h),
          .part_l_o    (part_l)
      );

      pm_canon #(
          .N(N),
          .C(C)
      ) u_canon (
          .r_i   (r),
          .r_o   (canon),
          .zero_o(zero_o[s])
      );

      logic unused;
      assign unused = ^{ready, part_valid, part_h, part_l};

      assign present_o[s] = 1'b1;
      assign r_o[s] = 16'(r);
      assign canon_o[s] = 16'(canon);
      assign r_max_o[s] = 16'(pm_field_pkg::fold_r_max(N, pm_field_pkg::wide_t'(C), W));
      localparam int unsigned Latency = pm_field_pkg::mulmod_latency(
          Levels, 0, 0, 1, 1, RecMask, Stages
      );
      assign config_o[s] = {8'(Latency), 8'(W), 8'(C), 8'(N)};
    end else begin : gen_none
      assign {present_o[s], valid_o[s], zero_o[s]} = '0;
      assign {r_o[s], canon_o[s], r_max_o[s], config_o[s]} = '0;
    end
  end

endmodule
