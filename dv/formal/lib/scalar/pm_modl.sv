// SPDX-License-Identifier: Apache-2.0
//
// Claim: pm_modl asks the multiplier for t xh of each of its three folds, and each leaves xl -
//        t xh + m L as a whole number, without overflow, in the range of the table; so the number
//        stays the same modulo L. The result is below L, comes when the folds are done and holds.
//        No request is made while the response to an abandoned one may come.
//
// The products are free, but for facts of t xh: its bounds, and that it is t xh where
// xh has 6 bits. In segments pm_segadd is what it is proved to be.

module pm_modl_formal
  import pm_scalar_pkg::*;
#(
    parameter bit ResponseReg = 1'b1,
    parameter int unsigned SegmentBits = 0
) (
    input logic         clk_i,
    input logic         rst_ni,
    input logic         clear_i,
    input logic         valid_i,
    input logic [511:0] x_i,
    input logic         ready_i,
    input logic         mul_ready_i,
    input logic         mul_part_valid_i,
    input logic [257:0] mul_h_i,
    input logic [257:0] mul_l_i
);

  localparam int unsigned DrainCycles = 8;
  // Cycles from acceptance to the result but those in which the multiplier is waited for.
  localparam int unsigned Own = 3 * (SegmentBits != 0 ? 9 : ResponseReg ? 3 : 2) + 1;

  logic ready, valid, mul_valid;
  logic [252:0] r;
  logic [257:0] mul_a, mul_b;

  pm_modl #(
      .ResponseReg(ResponseReg),
      .SegmentBits(SegmentBits),
      .DrainCycles(DrainCycles)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i,
      .ready_o(ready),
      .x_i,
      .valid_o(valid),
      .ready_i,
      .r_o(r),
      .mul_valid_o(mul_valid),
      .mul_ready_i,
      .mul_a_o(mul_a),
      .mul_b_o(mul_b),
      .mul_part_valid_i,
      .mul_h_i,
      .mul_l_i
  );

  // Ranges of the number behind the first and the second fold.
  localparam logic [385:0] Least1 = 386'd1 << 383;
  localparam logic [385:0] Most1 = (386'd1 << 385) + (386'd1 << 258);
  localparam logic [385:0] Most2 = 386'd1 << 258;

  logic job_q, asked_q, folded_q, held_q, told_q;
  logic [1:0] fold_q;  // folds that are done
  logic [511:0] value_q, value;  // before this fold
  logic [386:0] product, product_q;
  logic [  3:0] late_q;  // cycles in which the response to an abandoned request may come
  logic [  5:0] own_q;
  logic [252:0] result_q;

  // The half products.
  logic [257:0] product_h, product_l;

  logic [257:0] high;
  logic [253:0] low;
  logic [128:0] factor;
  logic fold_ends, answer, waits;  // waits: for the multiplier
  logic [2:0] step;  // of the sums in segments

  assign product = 387'({mul_h_i, 129'd0}) + 387'(mul_l_i);
  assign waits = (mul_valid && !mul_ready_i) || (asked_q && !told_q && !mul_part_valid_i);
  assign answer = job_q && asked_q && !told_q && mul_part_valid_i;
  assign fold_ends = u_dut.fold_done && !clear_i;
  assign value = folded_q ? u_dut.x_q : value_q;

  function automatic logic [257:0] high_of(logic [511:0] x, logic [1:0] fold);
    return fold == 2'd0 ? x[511:254] : fold == 2'd1 ? 258'(x[385:252]) : 258'(x[257:252]);
  endfunction
  function automatic logic [253:0] low_of(logic [511:0] x, logic [1:0] fold);
    return fold == 2'd0 ? x[253:0] : 254'(x[251:0]);
  endfunction

  // Of the fold under way; in the cycle behind its end, with the number before it.
  logic [1:0] fold;
  assign fold = folded_q ? fold_q - 2'd1 : fold_q;
  assign high = high_of(value, fold_q);
  assign low = low_of(value_q, fold);
  assign factor = fold_q == 2'd0 ? 129'(LLow) << 2 : 129'(LLow);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {job_q, asked_q, told_q, folded_q, held_q} <= '0;
      fold_q <= '0;
      late_q <= '0;
    end else begin
      job_q <= !clear_i && (job_q ? !(valid && ready_i) : ready && valid_i);
      if (clear_i || !job_q || fold_ends) {asked_q, told_q} <= '0;
      else begin
        if (mul_valid && mul_ready_i) asked_q <= 1'b1;
        if (answer) told_q <= 1'b1;
      end
      if (!job_q) fold_q <= '0;
      else if (fold_ends) fold_q <= fold_q + 2'd1;
      folded_q <= fold_ends;
      held_q   <= valid && !ready_i && !clear_i;
      if (clear_i && job_q && ((mul_valid && mul_ready_i) || (asked_q && !told_q))) begin
        late_q <= 4'(DrainCycles);
      end else if (late_q != '0) late_q <= late_q - 4'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    result_q <= r;
    if (!job_q) begin
      value_q <= x_i;
      own_q   <= 6'd1;
    end else begin
      value_q <= value;
      if (!valid && !waits) begin
        own_q <= own_q + 6'd1;
      end
    end
    if (answer) begin
      product_q <= product;
      {product_h, product_l} <= {mul_h_i, mul_l_i};
    end
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    // h 2^129 + l = t xh
    if (answer) begin
      a_parts : assume (high >= 258'd1 << 129 || mul_h_i == '0);
      if (fold_q == 2'd0) begin
        a_first : assume (product <= 387'(factor) * 387'({258{1'b1}}));
      end else if (fold_q == 2'd1) begin
        a_most :
        assume (high > (258'd1 << 133) + 258'd64 ||
                product <= 387'(LLow) * ((387'd1 << 133) + 387'd64));
        a_least : assume (high < 258'd1 << 131 || product >= 387'(LLow) << 131);
      end else begin
        a_last : assume (product == 387'(131'(LLow) * 131'(high[5:0])));
      end
    end

    if (rst_ni) begin
      if (mul_valid) begin
        p_request : assert (job_q && !asked_q && mul_a == {2{factor}} && mul_b == high);
        p_alone : assert (late_q == '0);
      end
      if (folded_q) begin
        p_fold :
        assert (388'(u_dut.x_q) + 388'(product_q) ==
                388'(low) + (fold == 2'd0 ? 388'(L) << 133 : fold == 2'd1 ? 388'(L) << 6 : '0) ||
                (fold == 2'd2 && 388'(u_dut.x_q) + 388'(product_q) == 388'(low) + 388'(L)));
        p_range :
        assert (fold == 2'd0 ? u_dut.x_q > 512'(Least1) && u_dut.x_q < 512'(Most1) :
                fold == 2'd1 ? u_dut.x_q < 512'(Most2) : u_dut.x_q < 512'(L));
      end
      p_valid : assert (valid == (job_q && fold_q == 2'd3));
      if (valid) begin
        p_result : assert (r < L && 512'(r) == value);
        p_latency : assert (own_q == 6'(Own));
      end
      p_ready : assert (ready == (!job_q && late_q == '0));
      if (held_q) begin
        p_hold : assert (valid && r == result_q);
      end

      // For the induction step.
      i_state :
      assert (32'(u_dut.state_q) == (!job_q ? (late_q == '0 ? 0 : 5) : fold_q == 2'd3 ? 4 :
                                     !asked_q ? 1 : !told_q ? 2 : 3));
      i_idle : assert (job_q || !(asked_q || told_q || folded_q));
      i_order : assert ((asked_q || !told_q) && !(fold_q == 2'd3 && asked_q));
      i_told : assert (ResponseReg || !told_q);
      i_folded : assert (!folded_q || (fold_q != '0 && !asked_q));
      i_drain : assert (late_q == '0 || (u_dut.drain_q == late_q && !job_q));
      if (job_q) begin
        i_round : assert (u_dut.round_q == fold_q);
        i_number :
        assert (fold_q == 2'd0 || (fold_q == 2'd1 ? value > 512'(Least1) && value < 512'(Most1) :
                fold_q == 2'd2 ? value < 512'(Most2) : value < 512'(L)));
        if (fold_q != 2'd3) begin
          i_own :
          assert (own_q == 6'(fold_q) * 6'((Own - 1) / 3) + (!asked_q ? 6'd1 : !told_q ? 6'd2 :
                  6'd3 + 6'(step)));
        end else begin
          i_own_done : assert (own_q == 6'(Own));
        end
        if (!asked_q) begin
          i_before : assert (u_dut.x_q == value);
        end else if (!told_q || step < 3'd2) begin
          i_kept : assert (u_dut.x_q == (SegmentBits == 0 ? value_q : 512'(low)));
        end
        if (told_q) begin
          i_parts : assert (high >= 258'd1 << 129 || product_h == '0);
          i_product : assert (product_q == 387'({product_h, 129'd0}) + 387'(product_l));
          i_bounds :
          assert (fold_q == 2'd0 ? product_q <= 387'(factor) * 387'({258{1'b1}}) :
                  fold_q == 2'd1 ? product_q <= 387'(LLow) * ((387'd1 << 133) + 387'd64) &&
                                   product_q >= 387'(LLow) << 131 :
                                   product_q < 387'(LLow) << 6);
        end
      end
    end
  end

  if (SegmentBits != 0) begin : gen_segments
    // low - l, the same - h 2^129, and with m L.
    logic [385:0] without_l, without_h, term, more;
    assign without_l = 386'(low) - 386'(product_l);
    assign without_h = without_l - 386'({product_h, 129'd0});
    assign more = fold_q == 2'd0 ? 386'(L) << 133 : fold_q == 2'd1 ? 386'(L) << 6 :
        without_h[385] ? 386'(L) : '0;
    assign term = u_dut.gen_segments.term_q;
    assign step = u_dut.gen_segments.step_q;

    always_comb begin
      if (rst_ni) begin
        i_step : assert (told_q ? step <= 3'd6 : !asked_q || step == '0);
        if (told_q && step == 3'd0) begin
          i_set_l : assert (term == ~386'(product_l) && u_dut.gen_segments.carry_q);
          i_h : assert (u_dut.gen_segments.h_q == product_h);
        end
        if (told_q && step >= 3'd1 && step < 3'd5) begin
          i_set_h : assert (term == ~386'({product_h, 129'd0}) && u_dut.gen_segments.carry_q);
        end
        if (told_q && step == 3'd1) begin
          i_sum_l : assert (u_dut.x_sum == without_l);
        end
        if (told_q && (step == 3'd2 || step == 3'd3)) begin
          i_x_l : assert (u_dut.x_q == 512'(without_l));
        end
        if (told_q && step == 3'd3) begin
          i_sum_h : assert (u_dut.x_sum == without_h);
        end
        if (told_q && step >= 3'd4) begin
          i_x_h : assert (u_dut.x_q == 512'(without_h));
        end
        if (told_q && step >= 3'd5) begin
          i_set_more : assert (term == more && !u_dut.gen_segments.carry_q);
        end
        if (told_q && step == 3'd6) begin
          i_sum : assert (u_dut.x_sum == without_h + more);
        end
      end
    end
  end else begin : gen_one_cycle
    assign step = '0;
  end

  if (ResponseReg && SegmentBits == 0) begin : gen_reg
    always_comb begin
      if (rst_ni && job_q && told_q) begin
        i_halves :
        assert (u_dut.gen_one_cycle.gen_response_reg.h_q == product_h &&
                u_dut.gen_one_cycle.gen_response_reg.l_q == product_l);
      end
    end
  end

endmodule
