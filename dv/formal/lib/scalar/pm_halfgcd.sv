// SPDX-License-Identifier: Apache-2.0
//
// Claim: pm_halfgcd begins with the pairs (r, t) = (k, 1) and (8L, 0). A step takes one of them and
//        makes (r -+ r1 2^s, t -+ t1 2^s) of it, r1 and t1 being the other one: with the same s and
//        sign in both columns, modulo 2^257; subtracted if r and r1 have the same sign. The other
//        pair stays. So r = t k modulo 8L is kept by every step that does not overflow. The result
//        is the magnitudes and signs of the pair made last, with odd d; it comes 7 steps + 9 cycles
//        after acceptance (modulo 2^11) and holds until taken.

module pm_halfgcd_formal
  import pm_scalar_pkg::*;
(
    input logic         clk_i,
    input logic         rst_ni,
    input logic         clear_i,
    input logic         valid_i,
    input logic [252:0] k_i,
    input logic         ready_i
);

  localparam logic [256:0] Modulus = {1'b0, L, 3'd0};

  logic ready, valid, c_neg, d_neg;
  logic [255:0] c, d;

  pm_halfgcd u_dut (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i,
      .ready_o(ready),
      .k_i,
      .valid_o(valid),
      .ready_i,
      .c_neg_o(c_neg),
      .c_o(c),
      .d_neg_o(d_neg),
      .d_o(d)
  );

  // Whether a is v 2^(unit n); constant shifts, which are easy for the solver.
  function automatic logic is_shift(logic [256:0] a, logic [256:0] v, logic [3:0] n,
                                    int unsigned unit);
    for (int unsigned i = 0; i < 16; i++) begin
      if (n == 4'(i) && a != v << (i * unit)) return 1'b0;
    end
    return 1'b1;
  endfunction

  // base + or - term
  function automatic logic [256:0] plus(logic [256:0] base, logic [256:0] term, logic minus);
    return base + (term ^ {257{minus}}) + 257'(minus);
  endfunction

  // ------------------------------------------------------------------------------------ the DUT
  logic [3:0] state;
  logic slot, last, first, sub;
  logic [256:0] r0, r1, t0, t1;  // of slot, of the other pair
  logic [7:0] shift;
  logic [1:0] mine;  // pair that is written
  logic deciding, stepping, looking;

  assign state = u_dut.state_q;
  assign slot = u_dut.slot_q;
  assign last = u_dut.last_q;
  assign first = u_dut.first_q;
  assign sub = u_dut.sub_q;
  assign shift = u_dut.shift_q;
  assign r0 = u_dut.r_q[slot];
  assign r1 = u_dut.r_q[!slot];
  assign t0 = u_dut.t_q[slot];
  assign t1 = u_dut.t_q[!slot];
  assign mine = slot && !last ? 2'b10 : 2'b01;
  assign deciding = state == 4'd3;
  assign looking = state >= 4'd1 && state <= 4'd3 && !last;  // at the pair made last
  assign stepping = state >= 4'd4 && state <= 4'd7;  // up to the new r

  // ---------------------------------------------------------------------------------- followers
  logic job_q;
  logic [10:0] time_q;  // cycles since acceptance, of a job without result
  logic [10:0] steps_q;  // begun
  logic stepped_q;  // one at least
  logic [252:0] k_q;
  logic [1:0][256:0] r_q, t_q;  // the pairs at the last decision
  logic same_q, held_q;
  logic [513:0] result_q;
  // In the cycle before: operands of the adder, its sum, the shifted number.
  logic [256:0] base_q, term_q, coarse_q, sum_q, sum_r_q;
  logic minus_q;
  logic [256:0] term, unshifted;  // without complement
  logic [256:0] from_r, from_t, other_r, other_t, found_r, found_t;

  assign from_r = r_q[slot];
  assign from_t = t_q[slot];
  assign other_r = r_q[!slot];
  assign other_t = t_q[!slot];
  assign term = u_dut.shifted ^ {257{u_dut.fill_q}};
  assign unshifted = u_dut.middle_q ^ {257{u_dut.fill_q}};
  assign found_r = r_q[!slot];
  assign found_t = t_q[!slot];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {job_q, same_q, held_q} <= '0;
    end else begin
      if (clear_i) job_q <= 1'b0;
      else job_q <= job_q ? !(valid && ready_i) : valid_i;
      same_q <= !clear_i && (deciding ? !u_dut.stop : same_q);
      held_q <= valid && !ready_i && !clear_i;
    end
  end

  always_ff @(posedge clk_i) begin
    result_q <= {c_neg, c, d_neg, d};
    if (!job_q) begin
      time_q <= 11'd1;
      steps_q <= '0;
      stepped_q <= 1'b0;
      k_q <= k_i;
    end else if (!valid) begin
      time_q <= time_q + 11'd1;
      if (deciding) begin
        if (!u_dut.stop) {steps_q, stepped_q} <= {steps_q + 11'd1, 1'b1};
        r_q <= u_dut.r_q;
        t_q <= u_dut.t_q;
      end
    end
    base_q <= u_dut.base;
    term_q <= term;
    minus_q <= u_dut.fill_q;
    coarse_q <= u_dut.coarse_q;
    sum_q <= u_dut.sum;
    if (state == 4'd7) sum_r_q <= u_dut.sum;
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);

    if (rst_ni) begin
      p_ready : assert (ready == !job_q);
      if (job_q && first && state == 4'd3) begin
        p_begin :
        assert (u_dut.r_q == {Modulus, 257'(k_q)} && u_dut.t_q == {257'd0, 257'd1} && !slot);
      end
      if (state == 4'd6 || state == 4'd7) begin
        p_base : assert (u_dut.base == (last ? '0 : state == 4'd6 ? from_r : from_t));
        p_sign :
        assert (u_dut.fill_q == (!last ? from_r[256] == other_r[256] :
                                 state == 4'd6 ? other_r[256] : other_t[256]));
      end
      if (same_q && state == 4'd2) begin
        p_taken : assert (r0 == sum_r_q && t0 == sum_q);
        p_kept : assert (r1 == other_r && t1 == other_t);
      end
      if (valid) begin
        p_latency : assert (time_q == 11'd7 * steps_q + 11'd9);
      end
      if (held_q) begin
        p_hold : assert (valid && result_q == {c_neg, c, d_neg, d});
      end

      // For the induction step.
      i_idle : assert (job_q || !same_q);
      i_state : assert (state <= 4'd8 && job_q == (state != 4'd0) && valid == (state == 4'd8));
      if (job_q && !valid) begin
        i_time :
        assert (time_q == 11'd7 * steps_q + (stepping && !last ? 11'(state) - 11'd7 :
                                                  state == 4'd1 && last ? 11'd8 : 11'(state)));
      end
      if (job_q) begin
        i_last : assert (!last || state == 4'd1 || state >= 4'd4);
        i_done : assert (state != 4'd8 || last);
        i_first : assert (first == (!last && looking && !stepped_q));
        i_same : assert (same_q == (!first && !last));
        i_steps : assert (stepped_q || steps_q == '0);
        if (stepping && !last) begin
          i_before : assert (stepped_q);
        end
      end
      i_writes :
      assert (state == 4'd0 || (u_dut.write_r_q == (state == 4'd7 ? mine : 2'b00) &&
              u_dut.write_t_q == (state == 4'd1 && !first ? mine : 2'b00) &&
              u_dut.wipe_q == (state == 4'd5 && last ? (slot ? 2'b10 : 2'b01) : 2'b00)));
      if (job_q && first) begin
        i_begin :
        assert (u_dut.r_q == {Modulus, 257'(k_q)} && u_dut.t_q == {257'd0, 257'd1} && !slot);
      end

      // The shifter and the adder.
      if (stepping && last) begin
        i_no_shift : assert (shift == '0);
      end
      if (job_q && last) begin
        i_odd : assert (found_t[0]);
      end
      if (job_q && last && state != 4'd4) begin
        i_signs : assert (c_neg == found_r[256] && (state == 4'd4 || d_neg == found_t[256]));
      end
      if (state == 4'd4) begin
        i_select4 : assert (u_dut.shift_sel_q == {1'b0, !slot});
      end
      if (state == 4'd5) begin
        i_select5 : assert (u_dut.shift_sel_q == {1'b1, !slot});
        i_sub5 : assert (sub == (last ? other_r[256] : from_r[256] == other_r[256]));
        i_parts5 :
        assert (u_dut.middle_shift_q == {3{shift[5:2]}} && u_dut.fine_shift_q[0] == shift[1:0] &&
                u_dut.base_pair_q[0] == slot && !u_dut.base_t_q[1]);
      end
      if (state == 4'd6 || state == 4'd7) begin
        i_parts6 :
        assert (u_dut.fine_shift_q == {3{shift[1:0]}} && u_dut.base_pair_q == {3{slot}} &&
                u_dut.base_t_q == {3{state == 4'd7}});
        i_sub6 : assert (sub == (last ? found_t[256] : from_r[256] == other_r[256]));
      end
      if (state == 4'd6) begin
        i_middle_shift6 : assert (u_dut.middle_shift_q == {3{shift[5:2]}});
      end
      if (!first && looking) begin
        i_r1 : assert (r0 == sum_r_q);
        i_t2 : assert (state != 4'd2 || t0 == sum_q);
      end
    end
  end

  // The pairs, as they were.
  for (genvar i = 0; i < 2; i++) begin : gen_pair
    logic stays;  // in this step
    assign stays = i[0] != slot;

    always_comb begin
      if (rst_ni && job_q && !first && !valid && !(last && state == 4'd1)) begin
        if (stays || (stepping && !last) || state == 4'd4 || state == 4'd5) begin
          i_pair_r : assert (u_dut.r_q[i] == r_q[i]);
        end
        if (stays || (stepping && !last) || state == 4'd4 || state == 4'd5 ||
            (state == 4'd1 && !last)) begin
          i_pair_t : assert (u_dut.t_q[i] == t_q[i]);
        end
        if (!stays && last && state >= 4'd6) begin
          i_wiped : assert (u_dut.r_q[i] == '0 && u_dut.t_q[i] == '0);
        end
      end
    end
  end

  if (1) begin : gen_parts
    always_comb begin
      if (rst_ni) begin
        // Both columns, r in states 5 to 7 and t a cycle later: the other number, shifted in three
        // parts, is added to the one that is replaced or taken from it; of the result, to 0.
        if (state == 4'd5 || state == 4'd6) begin
          p_coarse :
          assert (is_shift(u_dut.coarse_q, state == 4'd5 ? other_r : other_t, 4'(shift[7:6]), 64));
        end
        if (state == 4'd6 || state == 4'd7) begin
          p_middle : assert (is_shift(unshifted, coarse_q, shift[5:2], 4));
          p_fine : assert (is_shift(term, unshifted, 4'(shift[1:0]), 1));
        end
      end
    end
  end

  if (1) begin : gen_sum
    always_comb begin
      if (rst_ni) begin
        if (state == 4'd7 || (state == 4'd1 && !first)) begin
          p_sum : assert (u_dut.sum == plus(base_q, term_q, minus_q));
        end
        if (valid) begin
          p_odd : assert (d[0]);
          p_c : assert (c == 256'(plus('0, found_r, c_neg)) && c_neg == found_r[256]);
          p_d : assert (d == 256'(plus('0, found_t, d_neg)) && d_neg == found_t[256]);
        end
        if (last && (state == 4'd6 || state == 4'd7)) begin
          i_found : assert (coarse_q == (state == 4'd6 ? found_r : found_t));
        end
        if (last && state == 4'd7) begin
          i_c7 : assert (term_q == found_r && minus_q == found_r[256] && base_q == '0);
        end
        if (last && state == 4'd1) begin
          i_d1 : assert (term_q == found_t && minus_q == found_t[256] && base_q == '0);
        end
        if (last && (state == 4'd1 || state == 4'd8)) begin
          i_c : assert (u_dut.r_q[0] == plus('0, found_r, found_r[256]));
        end
        if (state == 4'd8) begin
          i_d : assert (u_dut.t_q[0] == plus('0, found_t, found_t[256]));
        end
      end
    end
  end

endmodule
