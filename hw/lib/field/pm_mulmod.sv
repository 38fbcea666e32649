// SPDX-License-Identifier: Apache-2.0
//
// Modular multiplier: r = a b mod p up to one p, p = 2^N - C. Three pm_karatsuba of W/2 + 1 bits
// (high halves, low halves, sums of halves), then pm_fold. With Interval 3 the three pass through
// one pm_karatsuba in turn (pm_karatsuba_turns), with Interval 9 so do the three of its own
// outermost step: 3^(Levels+1) / Interval leaves.
//
// Ranges:    any a, b below 2^W, so that sums and differences of results enter unreduced.
//            r < 2p; exactly r <= pm_field_pkg::fold_r_max(N, C, W), which for the default is
//            below 2^255 + 2^138. pm_canon gives the representative in [0, p).
// Latency:   part_latency() cycles to the taps, mulmod_latency() to r (pm_field_pkg); default 4
//            and 6. One product per Interval cycles; Interval - 1 cycles more to taps and r. The
//            operands reach the first register through the pre-additions, so an adder before the
//            unit shares the first cycle.
// Handshake: valid/ready on both sides. The whole pipeline stands still while valid_o = 1 and
//            ready_i = 0; ready_o = !valid_o || ready_i is combinational. With Interval > 1 ready_o
//            is 0, too, in the Interval - 1 cycles in which the pipeline moves after operands were
//            taken. A result holds until taken.
// Taps:      H = a1 b1 and L = a0 b0 of the same operands, for units that share the multiplier
//            (with a = {t, t}: H = t b1, L = t b0). part_valid_o, part_h_o and part_l_o move only
//            in cycles with ready_o = 1; take them in such a cycle. The product still runs through
//            the reduction and must be taken there as well.
// Reset:     clears the valid bits only. Constant time.
// Source:    Xue et al. 2022, J. Commun. 43(3), section 3.2, fig. 3, alg. 7.

module pm_mulmod #(
    parameter int unsigned N          = 255,    // bits of the modulus
    parameter int unsigned C          = 19,     // p = 2^N - C, odd
    parameter int unsigned W          = 258,    // bits of the operands, even, at least N
    parameter int unsigned Levels     = 3,      // Karatsuba steps below the outermost one
    parameter int unsigned OpReg      = 0,      // 1: register after the sums of halves
    parameter int unsigned PreMask    = 0,      // as in pm_karatsuba
    parameter int unsigned InReg      = 1,      // as in pm_karatsuba
    parameter int unsigned MulReg     = 1,      // as in pm_karatsuba
    parameter int unsigned RecMask    = 'b110,  // as in pm_karatsuba
    parameter int unsigned FoldStages = 2,      // as Stages of pm_fold
    parameter int unsigned Interval   = 1       // cycles from one product to the next: 1, 3 or 9
) (
    input  logic         clk_i,
    input  logic         rst_ni,        // asynchronous reset, active low
    input  logic         valid_i,       // operands are present
    output logic         ready_o,       // operands are taken in this cycle if valid_i
    input  logic [W-1:0] a_i,           // first factor
    input  logic [W-1:0] b_i,           // second factor
    output logic         valid_o,       // result is present
    input  logic         ready_i,       // result is taken in this cycle if valid_o
    output logic [  N:0] r_o,           // a b mod p, weakly reduced
    output logic         part_valid_o,  // taps belong to accepted operands
    output logic [W-1:0] part_h_o,      // product of the high halves
    output logic [W-1:0] part_l_o       // product of the low halves
);

  localparam int unsigned Half = W / 2;
  localparam int unsigned PartLatency = pm_field_pkg::part_latency(
      Levels, OpReg, PreMask, InReg, MulReg, RecMask, Interval
  );
  localparam int unsigned Latency = PartLatency + FoldStages;

  if (OpReg > 1) begin : gen_bad_op_reg
    $fatal(1, "pm_mulmod: OpReg must be 0 or 1");
  end
  if (PartLatency < 1) begin : gen_bad_latency
    $fatal(1, "pm_mulmod: the multiplier needs at least one register stage");
  end
  if (!(Interval == 1 || Interval == 3 || (Interval == 9 && Levels >= 2))) begin : gen_bad_interval
    $fatal(1, "pm_mulmod: Interval must be 1, 3 or 9 (two Levels or more)");
  end
  if (W % 2 != 0) begin : gen_bad_width
    $fatal(1, "pm_mulmod: W must be even");
  end

  logic en;
  assign en = !valid_o || ready_i;

  // Valid bits; bit i belongs to the registers of stage i + 1.
  logic [Latency-1:0] valid_q;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) valid_q <= '0;
    else if (en) valid_q <= {valid_q[Latency-2:0], valid_i && ready_o};
  assign valid_o = valid_q[Latency-1];
  assign part_valid_o = valid_q[PartLatency-1];

  if (Interval > 1) begin : gen_busy
    assign ready_o = en && valid_q[Interval-2:0] == '0;
  end else begin : gen_never_busy
    assign ready_o = en;
  end

  // Halves and their sums, each Half + 1 bits.
  logic [Half:0] a1_d, a0_d, as_d, b1_d, b0_d, bs_d;
  assign a1_d = {1'b0, a_i[W-1:Half]};
  assign a0_d = {1'b0, a_i[Half-1:0]};
  assign b1_d = {1'b0, b_i[W-1:Half]};
  assign b0_d = {1'b0, b_i[Half-1:0]};
  assign as_d = a1_d + a0_d;
  assign bs_d = b1_d + b0_d;

  logic [W+1:0] h, l, m;

  if (Interval > 1) begin : gen_turns
    localparam int unsigned Turn = Interval / 3;
    localparam int unsigned SubLatency = pm_field_pkg::karatsuba_latency(
        Levels, PreMask, InReg, MulReg, RecMask, Turn
    );
    localparam int unsigned SubCame = pm_field_pkg::came_bits(SubLatency, Turn);

    logic [SubCame-1:0] sub_came;
    logic [Half:0] a, b;

    pm_karatsuba_turns #(
        .W       (Half + 1),
        .Interval(Interval),
        .Hold    (OpReg),
        .Latency (SubLatency),
        .Came    (PartLatency + 1),
        .SubCame (SubCame)
    ) u_turns (
        .clk_i,
        .en_i  (en),
        .came_i({valid_q[PartLatency-1:0], valid_i && ready_o}),
        .a_i   ({as_d, a0_d, a1_d}),
        .b_i   ({bs_d, b0_d, b1_d}),
        .came_o(sub_came),
        .a_o   (a),
        .b_o   (b),
        .p_i   (m),
        .h_o   (h),
        .l_o   (l)
    );

    pm_karatsuba #(
        .W       (Half + 1),
        .Levels  (Levels),
        .PreMask (PreMask),
        .InReg   (InReg),
        .MulReg  (MulReg),
        .RecMask (RecMask),
        .Interval(Turn)
    ) u_mul (
        .clk_i,
        .en_i  (en),
        .came_i(sub_came),
        .a_i   (a),
        .b_i   (b),
        .p_o   (m)
    );
  end else begin : gen_parallel
    logic [Half:0] a1, a0, as, b1, b0, bs;

    if (OpReg != 0) begin : gen_op_reg
      always_ff @(posedge clk_i)
        if (en) begin
          {a1, a0, as} <= {a1_d, a0_d, as_d};
          {b1, b0, bs} <= {b1_d, b0_d, bs_d};
        end
    end else begin : gen_op_wire
      assign {a1, a0, as} = {a1_d, a0_d, as_d};
      assign {b1, b0, bs} = {b1_d, b0_d, bs_d};
    end

    pm_karatsuba #(
        .W      (Half + 1),
        .Levels (Levels),
        .PreMask(PreMask),
        .InReg  (InReg),
        .MulReg (MulReg),
        .RecMask(RecMask)
    ) u_mul_h (
        .clk_i,
        .en_i(en),
        .came_i(1'b0),
        .a_i(a1),
        .b_i(b1),
        .p_o(h)
    );

    pm_karatsuba #(
        .W      (Half + 1),
        .Levels (Levels),
        .PreMask(PreMask),
        .InReg  (InReg),
        .MulReg (MulReg),
        .RecMask(RecMask)
    ) u_mul_l (
        .clk_i,
        .en_i(en),
        .came_i(1'b0),
        .a_i(a0),
        .b_i(b0),
        .p_o(l)
    );

    pm_karatsuba #(
        .W      (Half + 1),
        .Levels (Levels),
        .PreMask(PreMask),
        .InReg  (InReg),
        .MulReg (MulReg),
        .RecMask(RecMask)
    ) u_mul_m (
        .clk_i,
        .en_i(en),
        .came_i(1'b0),
        .a_i(as),
        .b_i(bs),
        .p_o(m)
    );
  end

  assign part_h_o = h[W-1:0];
  assign part_l_o = l[W-1:0];

  // The halves have W/2 bits, so the two top bits of these products are 0.
  logic unused;
  assign unused = ^{h[W+1:W], l[W+1:W]};

  pm_fold #(
      .N     (N),
      .C     (C),
      .W     (W),
      .Stages(FoldStages)
  ) u_fold (
      .clk_i,
      .en_i(en),
      .h_i (part_h_o),
      .m_i (m),
      .l_i (part_l_o),
      .r_o (r_o)
  );

endmodule
