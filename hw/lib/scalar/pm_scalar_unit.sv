// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic modulo the group order L, on the free cycles of a shared multiplier. Jobs:
//
// ScalarHalve  scalars of one Ed25519 verification with half-size scalars: from S and the digest of
//              R || A || M to the recoded digit sequence of the four-scalar product
//                  (d S mod L)*G - c*A - d*R,   k = digest mod L,   c = d k (mod 8L),   d odd,
//              positive, which is zero exactly when S*G - k*A = R, for all points A and R of the
//              curve.
// ScalarReduce digest mod L.
// ScalarMulAdd (r + k*a) mod L, k = digest mod L: the last step of signing.
// ScalarSpread  recoded digit sequence of S*G - k*A, k = digest mod L, with the tables of
//              pm_split_list. Only with the parameter Spread.
//
// ScalarWeigh  digits of a signature of a batch: z k mod L for A and z for R, both to be
//              subtracted, z = a.
// ScalarGather total + z S, for the multiple of G of the batch: digest + a r, not reduced.
// ScalarSplit  digits of that multiple: digest mod L = s0 + 2^127 s1.
//
// Operands: any digest. ScalarHalve: S below 2^253 (a larger one never gets so far: the program
//           rejects S >= L first, and its list is then not used). ScalarMulAdd: a and r below
//           2^254. ScalarWeigh, ScalarGather: a below 2^128, r below 2^254, digest + a r below
//           2^512.
// Latency:  from the cycle of acceptance to done_o or result_valid_o, on a multiplier that accepts
//           at once and responds 4 cycles later: ScalarReduce 39; ScalarMulAdd 95; ScalarHalve data
//           dependent, 811 on average, ScalarSpread 220, ScalarWeigh 208, ScalarSplit 93 on
//           average, ScalarGather 11, if every entry is taken at once, and the waiting for the
//           multiplier. One job at a time; after ScalarReduce and ScalarMulAdd the next one is
//           taken when a product more is done.
// Handshake: valid_i/ready_o for the job; entries by push_valid_o/push_ready_i; done_o pulses after
//           the last entry. result_valid_o pulses with a result, which is there in that cycle
//           alone. mul_*: shared multiplier, as pm_modl wants it. clear_i abandons the job.
// Reset:    asynchronous, active low: idle.
// Constant time: ScalarReduce and ScalarMulAdd YES: the sequence of states, and of requests to the
//           multiplier, is always the same; a request waits until the multiplier is free, which
//           does not depend on operands here. a and r are cleared with the result and by clear_i,
//           and all that was made of them in the cycles after it, with the result in the multiplier
//           too, by a product of zeros. The others NO: for public data only.

module pm_scalar_unit
  import pm_scalar_pkg::*;
#(
    parameter int unsigned WG = 10,  // window of the fixed bases
    parameter int unsigned WA = 4,  // window of A and R
    parameter bit Spread = 1'b0,  // 1: with ScalarSpread, which must not be asked for otherwise
    parameter int unsigned SegmentBits = 86,  // bits of a carry chain
    parameter int unsigned DrainCycles = 15  // at least the longest time to a late answer, 1 to 15
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic clear_i,  // abandon the job
    input logic valid_i,  // a job is offered
    output logic ready_o,  // it is taken
    input scalar_op_e op_i,  // what to do
    input logic [253:0] s_i,  // S (ScalarHalve, ScalarSpread), a (ScalarMulAdd)
    input logic [253:0] r_i,  // r (ScalarMulAdd)
    input logic [511:0] digest_i,  // SHA-512 digest, little-endian
    output logic result_valid_o,  // pulse: result (Reduce, MulAdd, Gather)
    output logic [252:0] result_o,  // below L; with result_valid_o
    output logic [511:0] total_o,  // result of ScalarGather, in its place
    output logic push_valid_o,  // an entry is offered
    input logic push_ready_i,  // it is taken
    output list_entry_t push_entry_o,  // the entry, lowest position first
    output logic done_o,  // pulse: the list is complete
    output logic mul_valid_o,  // request to the multiplier
    input logic mul_ready_i,  // it is accepted
    output logic [257:0] mul_a_o,  // factors
    output logic [257:0] mul_b_o,
    input logic mul_part_valid_i,  // half products of the request
    input logic [257:0] mul_h_i,
    input logic [257:0] mul_l_i
);

  typedef enum logic [2:0] {
    StIdle,
    StModK,   // k = digest mod L
    StHalf,   // c, d
    StMulLo,  // product of S with the low 129 bits of d, of a with those of k
    StMulHi,  // and with the rest
    StModS,   // d S mod L, (k a + r) mod L
    StMerge,  // operation list, of ScalarSpread too
    StWipe    // a product of zeros
  } state_e;

  state_e state_d, state_q;
  scalar_op_e op_q;
  logic accept, load_digest, sent_q, part_done, own_product, take_result;
  logic [3:0] drain_q;  // cycles in which an abandoned product may still be answered
  logic [253:0] s_q, r_q;
  logic [511:0] x, x_begin;  // what is to be reduced; at the end the result
  logic sum_busy;  // x is being summed up
  logic [255:0] d_q;  // d, or k

  logic modl_ready, modl_valid, modl_mul_valid, half_ready, half_valid, merge_ready, merge_done;
  logic modl_start, half_start, merge_start, spread_start, take_k, take_sum, c_neg, d_neg;
  logic merge_push, split_ready, split_push, split_done, list_done;
  list_entry_t merge_entry, split_entry;
  logic [257:0] modl_mul_a, modl_mul_b;
  logic [252:0] modl_result;
  logic [255:0] c, d;

  assign accept = valid_i && ready_o;
  assign ready_o = state_q == StIdle && drain_q == '0 && modl_ready && half_ready && merge_ready &&
      split_ready;

  // ---- units ----------------------------------------------------------------------------------

  // Wider numbers have longer chains, so that there are four of them.
  pm_modl #(
      .SegmentBits((9 * SegmentBits + 7) / 8),
      .DrainCycles(DrainCycles)
  ) u_modl (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i(modl_start),
      .ready_o(modl_ready),
      .x_i(x),
      .valid_o(modl_valid),
      .ready_i(half_start || merge_start || spread_start || take_k || take_result),
      .r_o(modl_result),
      .mul_valid_o(modl_mul_valid),
      .mul_ready_i,
      .mul_a_o(modl_mul_a),
      .mul_b_o(modl_mul_b),
      .mul_part_valid_i,
      .mul_h_i,
      .mul_l_i
  );

  pm_part_sum #(
      .SegmentBits(3 * SegmentBits / 2)
  ) u_sum (
      .clk_i,
      .rst_ni,
      .clear_i,
      .load_i(load_digest || take_k || (take_result && !take_sum) || state_q == StHalf),
      .value_i(x_begin),
      .part_valid_i(own_product && part_done && state_q != StWipe),
      .high_i(state_q == StMulHi),
      .h_i(mul_h_i),
      .l_i(mul_l_i),
      .busy_o(sum_busy),
      .x_o(x)
  );

  pm_halfgcd #(
      .SegmentBits(SegmentBits)
  ) u_halfgcd (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i(half_start),
      .ready_o(half_ready),
      .k_i(modl_result),
      .valid_o(half_valid),
      .ready_i(merge_start),
      .c_neg_o(c_neg),
      .c_o(c),
      .d_neg_o(d_neg),
      .d_o(d)
  );

  // With -d in place of d, c changes its sign too. In a batch z k mod L and z stand for c and d.
  logic weigh, split;

  assign weigh = op_q == ScalarWeigh;
  assign split = op_q == ScalarSplit;

  pm_naf_merge #(
      .WG(WG),
      .WA(WA)
  ) u_merge (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i(merge_start),
      .ready_o(merge_ready),
      .s0_i(weigh ? '0 : modl_result[126:0]),
      .s1_i(weigh ? '0 : {1'b0, modl_result[252:127]}),
      .c_neg_i(!weigh && (c_neg ^ d_neg)),
      .c_i(weigh ? 256'(modl_result) : split ? '0 : c),
      .d_neg_i(1'b0),
      .d_i(weigh ? d_q : split ? '0 : d),
      .push_valid_o(merge_push),
      .push_ready_i,
      .push_entry_o(merge_entry),
      .done_o(merge_done)
  );

  if (Spread) begin : g_spread
    pm_split_list u_split (
        .clk_i,
        .rst_ni,
        .clear_i,
        .valid_i(spread_start),
        .ready_o(split_ready),
        .s_i(s_q[252:0]),
        .k_i(modl_result),
        .push_valid_o(split_push),
        .push_ready_i,
        .push_entry_o(split_entry),
        .done_o(split_done)
    );
  end else begin : g_no_spread
    logic unused;
    assign unused = spread_start;
    assign split_ready = 1'b1;
    assign {split_push, split_done} = '0;
    assign split_entry = '0;
  end

  // One of them at work.
  assign push_valid_o = merge_push || split_push;
  assign push_entry_o = split_push ? split_entry : merge_entry;

  // ---- sequence -------------------------------------------------------------------------------

  assign modl_start = (state_q == StModK || state_q == StModS) && modl_ready && !sent_q &&
      !sum_busy;
  assign half_start = state_q == StModK && op_q == ScalarHalve && modl_valid && half_ready;
  assign spread_start = Spread && state_q == StModK && op_q == ScalarSpread && modl_valid &&
      split_ready;
  assign take_k = state_q == StModK && (op_q == ScalarMulAdd || weigh) && modl_valid;
  assign merge_start = modl_valid && merge_ready &&
      ((state_q == StModS && (op_q == ScalarHalve || weigh)) || (state_q == StModK && split));
  assign take_sum = state_q == StMulHi && op_q == ScalarGather && !sum_busy;
  assign take_result = take_sum ||
      (modl_valid && ((state_q == StModK && op_q == ScalarReduce) ||
                      (state_q == StModS && op_q == ScalarMulAdd)));
  assign result_o = x[252:0];
  assign total_o = x;
  assign list_done = Spread && op_q == ScalarSpread ? split_done : merge_done;
  assign done_o = state_q == StMerge && list_done;
  assign part_done = mul_part_valid_i && sent_q;

  // What products are added to: 0 or r. Before them the digest, as soon as it is offered, after
  // them the result; between jobs 0, which the units that follow x take over.
  assign load_digest = state_q == StIdle || state_q == StWipe;

  always_comb begin
    if (take_k) x_begin = weigh ? '0 : 512'(r_q);
    else if (take_result) x_begin = 512'(modl_result);
    else if (state_q == StHalf) x_begin = '0;
    else x_begin = valid_i ? digest_i : '0;
  end

  // d S in one or two products of 129 bits of d, by the half products of {t, t} and S; k a always
  // in two, so that its time says nothing.
  logic [128:0] t;

  // A register, since it chooses factors.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) own_product <= 1'b0;
    else begin
      own_product <= state_d == StMulLo || state_d == StWipe ||
          (state_d == StMulHi && op_q != ScalarGather);
    end
  end

  assign t = state_q == StMulLo ? d_q[128:0] : 129'(d_q[255:129]);
  assign mul_valid_o = own_product ? !sent_q && !sum_busy : modl_mul_valid;
  assign mul_a_o = own_product ? {t, t} : modl_mul_a;
  assign mul_b_o = own_product ? 258'(s_q) : modl_mul_b;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (accept) state_d = op_i == ScalarGather ? StMulLo : StModK;
      StModK: begin
        if (half_start) state_d = StHalf;
        if (spread_start) state_d = StMerge;
        if (take_k) state_d = StMulLo;
        if (take_result) state_d = StWipe;
        if (merge_start) state_d = StMerge;
      end
      StHalf:  if (half_valid) state_d = StMulLo;
      StMulLo: begin
        if (part_done) begin
          state_d = weigh || (op_q == ScalarHalve && d_q[255:129] == '0) ? StModS : StMulHi;
        end
      end
      StMulHi: begin
        if (part_done && own_product) state_d = StModS;
        if (take_sum) state_d = StIdle;
      end
      StModS: begin
        if (merge_start) state_d = StMerge;
        if (take_result) state_d = StWipe;
      end
      StMerge: if (list_done) state_d = StIdle;
      StWipe:  if (part_done) state_d = StIdle;
      default: state_d = StIdle;
    endcase
    if (clear_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      sent_q <= 1'b0;
      drain_q <= '0;
      result_valid_o <= 1'b0;
    end else begin
      state_q <= state_d;
      result_valid_o <= take_result && !clear_i;
      if (clear_i && own_product) drain_q <= 4'(DrainCycles);
      else if (drain_q != '0) drain_q <= drain_q - 4'd1;
      // One request, or one start of the reduction, in each state.
      if (state_d != state_q) sent_q <= 1'b0;
      else if (modl_start || (own_product && mul_valid_o && mul_ready_i)) sent_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      op_q <= op_i;
      s_q  <= s_i;
      r_q  <= r_i;
    end
    if (state_q == StHalf && half_valid) d_q <= d;
    if (take_k) d_q <= 256'(modl_result);
    // The short factor, of one product, is z; the other one k or S.
    if (take_k && weigh) {s_q, d_q} <= {254'(modl_result), 256'(s_q)};
    if (accept && op_i == ScalarGather) {s_q, d_q} <= {r_i, 256'(s_i)};
    if (take_result || clear_i) begin
      s_q <= '0;
      r_q <= '0;
      d_q <= '0;
    end
  end

endmodule
