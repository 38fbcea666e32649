// SPDX-License-Identifier: Apache-2.0
//
// Modular sum or difference of wide numbers in three cycles, no carry chain longer than a segment:
// r = x + y mod p or x - y mod p.
//
// Computes: side by side a = x +- y and b = a - p, or a + p of a difference. First cycle: the
//           segments of both without carries between them, and where they would hand a carry on;
//           second: the carries, from what each segment carries out and whether it hands one on,
//           and the signs; third: one of both, with its carries.
// Ranges:   x + y + carry_i below 2p, x and y at most Width + 1 bits; or x and y in [0, p), sub_i =
//           1 and carry_i = 0. The result is in [0, p). plain_i: x + y + carry_i modulo 2^Width.
// Latency:  3 cycles to r_o and reached_o, 4 to zero_o. One sum a cycle.
// Handshake: none. wipe_i clears all registers. p_i must not change for 3 cycles. Reset: none (data
//           only). Constant time.

module pm_mod_sum #(
    parameter int unsigned Width = 704,  // bits of p and r
    parameter int unsigned Segment = 64,  // bits of a carry chain, at least 3
    localparam int unsigned Segments = (Width + 2 + Segment - 1) / Segment
) (
    input  logic                clk_i,
    input  logic                wipe_i,     // clear all registers
    input  logic [   Width-1:0] p_i,        // modulus
    input  logic [Segments-1:0] sub_i,      // x - y: all ones, a bit for each segment
    input  logic                plain_i,    // not reduced; no difference
    input  logic                carry_i,    // one more
    input  logic [     Width:0] x_i,
    input  logic [     Width:0] y_i,
    output logic [   Width-1:0] r_o,        // sum
    output logic                reached_o,  // x + y + carry_i was p or more
    output logic                zero_o      // the sum of a cycle before was 0
);

  localparam int unsigned All = Width + 2;  // with a sign
  localparam int unsigned Top = All - (Segments - 1) * Segment;  // bits of the last one
  localparam int unsigned Group = 8;  // bits that are known together to hand a carry on
  localparam int unsigned Groups = (Segment + Group - 1) / Group;  // of a segment

  if (Segment < 3 || Segment >= Width) begin : gen_bad
    $fatal(1, "pm_mod_sum: Segment must be at least 3 and less than Width.");
  end

  // ----------------------------------------------------------------------------- first cycle
  logic [All-1:0] x, y, m, save, flip;
  logic [All-2:0] majority;

  assign x = All'(x_i);
  for (genvar i = 0; i < All; i++) begin : gen_flip
    assign flip[i] = sub_i[i/Segment];
  end
  assign y = All'(y_i) ^ flip;
  assign m = All'(p_i) ^ ~flip;
  assign save = x ^ y ^ m;
  assign majority = (All - 1)'((x & y) | (m & (x | y)));

  // Of both sums: 0 a, 1 b.
  logic [1:0][All-1:0] low, high, sum_q;  // what is added; segments
  logic [1:0] carry_in;
  logic [1:0][Segments-1:0] out_q;  // segments carry out
  logic [1:0][Segments-1:0][Groups-1:0] hands_q;  // groups of a segment hand a carry on
  logic sub_q, plain_q;

  assign low = {save, x};
  assign high = {{majority, carry_i}, y};
  // A complement wants a one: of y for a and b, or of p for b.
  assign carry_in = {1'b1, sub_i[0] || carry_i};

  for (genvar i = 0; i < 2; i++) begin : gen_sum
    for (genvar s = 0; s < Segments; s++) begin : gen_segment
      localparam int unsigned From = s * Segment;
      localparam int unsigned N = s == Segments - 1 ? Top : Segment;
      logic [N+1:0] sum;
      logic unused;
      // The carry enters as a bit below: one chain in every technology.
      assign sum = {1'b0, low[i][From+:N], 1'b1} + {1'b0, high[i][From+:N], s == 0 && carry_in[i]};
      assign unused = sum[0];
      always_ff @(posedge clk_i) begin
        if (wipe_i) {out_q[i][s], sum_q[i][From+:N]} <= '0;
        else {out_q[i][s], sum_q[i][From+:N]} <= sum[N+1:1];
      end
      // Nothing enters the first one, and nothing is above the last.
      if (s > 0 && s < Segments - 1) begin : gen_inner
        for (genvar g = 0; g < Groups; g++) begin : gen_group
          localparam int unsigned At = From + g * Group;
          localparam int unsigned Bits = g < Groups - 1 ? Group : Segment - g * Group;
          always_ff @(posedge clk_i) begin
            hands_q[i][s][g] <= !wipe_i && (&(low[i][At+:Bits] ^ high[i][At+:Bits]));
          end
        end
      end else begin : gen_outer
        assign hands_q[i][s] = '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    sub_q   <= sub_i[0];
    plain_q <= plain_i;
  end

  // ---------------------------------------------------------------------------- second cycle
  logic [1:0][All-1:0] late_q;
  logic [1:0][Segments-1:0] into, into_q;  // carries into segments
  logic [1:0] sign;
  logic pick;  // b
  logic [Segments-1:0] pick_q;  // the same, for every segment

  for (genvar i = 0; i < 2; i++) begin : gen_carry
    logic [Segments-1:0] either, total;
    for (genvar s = 0; s < Segments; s++) begin : gen_either
      assign either[s] = out_q[i][s] || (&hands_q[i][s]);
    end
    // One short chain of carries: a segment makes one, or hands one on.
    assign total   = either + out_q[i];
    assign into[i] = total ^ either ^ out_q[i];
    if (Top == 1) begin : gen_sign_alone
      assign sign[i] = sum_q[i][All-1] ^ into[i][Segments-1];
    end else begin : gen_sign
      assign sign[i] = sum_q[i][All-1] ^ (into[i][Segments-1] && (&sum_q[i][All-2-:Top-1]));
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) late_q <= '0;
    else late_q <= sum_q;
    into_q <= into;
  end

  assign pick = !plain_q && (sub_q ? sign[0] : !sign[1]);

  pm_copies #(
      .Bits  (1),
      .Copies(Segments)
  ) u_pick (
      .clk_i,
      .d_i(pick),
      .q_o(pick_q)
  );

  // ----------------------------------------------------------------------------- third cycle
  logic [All-1:0] r;
  for (genvar s = 0; s < Segments; s++) begin : gen_last
    localparam int unsigned From = s * Segment;
    localparam int unsigned N = s == Segments - 1 ? Top : Segment;
    logic [N-1:0] chosen;
    logic carried;
    assign chosen = pick_q[s] ? late_q[1][From+:N] : late_q[0][From+:N];
    assign carried = pick_q[s] ? into_q[1][s] : into_q[0][s];
    assign r[From+:N] = chosen + N'(carried);
  end

  logic unused;
  assign unused = ^r[All-1:Width];

  always_ff @(posedge clk_i) begin
    if (wipe_i) r_o <= '0;
    else r_o <= r[Width-1:0];
    reached_o <= pick_q[0];
    zero_o <= r_o == '0;
  end

endmodule
