// SPDX-License-Identifier: Apache-2.0
//
// Claim: pm_modl_bits begins with r = 0 and takes all bits of x, each once and from the highest
//        one on; with each, r becomes 2 r + bit less or plus L, as whole numbers without
//        overflow, and behind the last one r or r + L: so it stays congruent to the bits that
//        were taken, modulo L. -L <= r < L always, 0 <= r < L of the result, which comes 514
//        cycles after acceptance and holds until it is taken. With Whole: the bits that were
//        taken are, as a number, r and a multiple of L, which is made here.

module pm_modl_bits_formal
  import pm_scalar_pkg::*;
#(
    parameter bit Whole = 1'b0
) (
    input logic         clk_i,
    input logic         rst_ni,
    input logic         clear_i,
    input logic         valid_i,
    input logic [511:0] x_i,
    input logic         ready_i
);

  logic ready, valid;
  logic [252:0] r;

  pm_modl_bits u_dut (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i,
      .ready_o(ready),
      .x_i,
      .valid_o(valid),
      .ready_i,
      .r_o(r)
  );

  localparam logic [9:0] Last = 10'd513;
  localparam logic [9:0] Done = 10'd514;
  localparam logic signed [256:0] Order = 257'(L);

  logic [  9:0] time_q;  // 0: idle; cycles since acceptance, Done at most
  logic [511:0] x_q;
  logic signed [256:0] now, before_q;  // r
  logic taken_q, last_q, held_q;  // in the cycle before: a bit was taken; L was added, if at all
  logic bit_q;
  logic [252:0] result_q;

  assign now = {{3{u_dut.r_q[253]}}, u_dut.r_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      time_q <= '0;
      {taken_q, last_q, held_q} <= '0;
    end else begin
      if (clear_i) time_q <= '0;
      else if (time_q == '0) time_q <= 10'(valid_i);
      else if (time_q != Done) time_q <= time_q + 10'd1;
      else if (ready_i) time_q <= '0;
      taken_q <= time_q != '0 && time_q < Last && !clear_i;
      last_q  <= time_q == Last && !clear_i;
      held_q  <= valid && !ready_i && !clear_i;
    end
  end

  always_ff @(posedge clk_i) begin
    x_q <= x_i;
    before_q <= now;
    bit_q <= x_i[9'(10'd512-time_q)];
    result_q <= r;
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic signed [256:0] doubled;
  assign doubled = (before_q <<< 1) + 257'(bit_q);

  always_comb begin
    a_reset : assume (started_q || !rst_ni);

    if (rst_ni) begin
      if (time_q != '0) begin
        a_hold : assume (x_i == x_q);
      end
      p_ready : assert (ready == (time_q == '0));
      p_valid : assert (valid == (time_q == Done));
      if (time_q == 10'd1) begin
        p_zero : assert (now == 0);
      end
      if (taken_q || last_q) begin
        p_step :
        assert (taken_q ? now == doubled - Order || now == doubled + Order :
                          now == before_q || now == before_q + Order);
      end
      if (time_q != '0) begin
        p_range : assert (now >= -Order && now < Order);
      end
      if (valid) begin
        p_reduced : assert (r < L && now == 257'(r));
      end
      if (held_q) begin
        p_hold : assert (valid && r == result_q);
      end

      // For the induction step.
      i_time : assert (time_q <= Done);
      i_state :
      assert (2'(u_dut.state_q) ==
              (time_q == '0 ? 2'd0 : time_q < Last ? 2'd1 : time_q == Last ? 2'd2 : 2'd3));
      if (time_q != '0 && time_q < Last) begin
        i_bit : assert (10'(u_dut.bit_q) == 10'd512 - time_q);
      end
    end
  end

  if (Whole) begin : gen_whole
    logic signed [513:0] top_q, multiple_q;  // the bits that were taken; the multiple of L

    always_ff @(posedge clk_i) begin
      if (time_q == '0) {top_q, multiple_q} <= '0;
      else if (time_q < Last) begin
        top_q <= (top_q <<< 1) + 514'(x_i[9'(10'd512-time_q)]);
        multiple_q <= (multiple_q <<< 1) + (now < 0 ? -514'(Order) : 514'(Order));
      end else if (time_q == Last && now < 0) begin
        multiple_q <= multiple_q - 514'(Order);
      end
    end

    always_comb begin
      if (rst_ni && time_q != '0) begin
        p_identity : assert (top_q == multiple_q + 514'(now));
      end
    end
  end

endmodule
