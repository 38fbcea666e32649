// SPDX-License-Identifier: Apache-2.0
//
// Claim: of every scalar pm_naf_recoder sends odd digits, at least Window positions apart and
//        none above Bits, whose sum, each times its power of two, is the scalar when done_o
//        rises; a digit holds until it is taken; accept to done_o takes at most Longest cycles,
//        not counting those in which a digit waits.
//
// left_q + owed_q is what the digits that were taken leave of the scalar, in units of the
// position, left_q being bits of the scalar. Each digit is taken off, each move divides by a
// power of two and has to be exact, at the end both are 0. With Sum the digits are also added
// up, each shifted to its place, and compared with the scalar.

module pm_naf_recoder_formal #(
    parameter int unsigned Bits   = 253,
    parameter int unsigned Window = 5,
    parameter bit          Sum    = 1'b0
) (
    input logic            clk_i,
    input logic            rst_ni,
    input logic            clear_i,
    input logic            valid_i,
    input logic [Bits-1:0] scalar_i,
    input logic            digit_ready_i
);

  localparam int unsigned Most = Window > 4 ? Window : 4;  // positions that a move makes
  localparam int unsigned Low = Most + 2;  // bits of the numbers that a move divides
  // Halves of a position that a cycle makes at least, in the long run.
  localparam int unsigned Pace = Window + 1 < 8 ? Window + 1 : 8;
  localparam int unsigned Longest = 2 * (Bits + Window) / Pace + 2;

  logic ready, digit_valid, digit_neg, done;
  logic [7:0] digit_pos;
  logic [Window-3:0] digit_idx;

  pm_naf_recoder #(
      .Bits  (Bits),
      .Window(Window)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i,
      .ready_o(ready),
      .scalar_i,
      .digit_valid_o(digit_valid),
      .digit_ready_i,
      .digit_pos_o(digit_pos),
      .digit_neg_o(digit_neg),
      .digit_idx_o(digit_idx),
      .done_o(done)
  );

  logic taken;
  logic signed [Window-1:0] digit;
  assign taken = digit_valid && digit_ready_i;
  assign digit = digit_neg ? -Window'({digit_idx, 1'b1}) : Window'({digit_idx, 1'b1});

  logic job_q;  // a scalar was accepted, and not abandoned
  logic [Bits-1:0] left_q, left_d;
  logic signed [Low-1:0] owed_q, owed_d, low;
  logic [8:0] at_q, move;  // the position; how far it moves
  logic [8:0] least_q;  // where the next digit may be
  logic [8:0] took_q;  // cycles
  logic refused_q;
  logic [Window+6:0] refused_digit_q;

  always_comb begin
    move = '0;
    if (taken) move = 9'(Window);
    else if (!digit_valid && !u_dut.at_end) move = 9'(u_dut.skip);
  end

  // By at most four, or by the window.
  logic exact;
  always_comb begin
    left_d = left_q;
    low = owed_q;
    if (taken) low = low - Low'(digit);
    owed_d = low;
    exact  = move == '0 && !taken;
    for (int unsigned i = 1; i <= Most; i++) begin
      if ((i <= 4 || i == Window) && move == 9'(i)) begin
        left_d = left_q >> i;
        low = low + Low'(left_q & Bits'((1 << i) - 1));
        owed_d = low >>> i;
        exact = (low & Low'((1 << i) - 1)) == '0;
      end
    end
  end

  pm_recoder_watch #(
      .Bits(Window + 7)
  ) u_watch (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i,
      .offered_i(digit_valid),
      .taken_i(digit_ready_i),
      .offer_i({digit_pos, digit_neg, digit_idx}),
      .job_o(job_q),
      .refused_o(refused_q),
      .refused_offer_o(refused_digit_q)
  );

  always_ff @(posedge clk_i) begin
    if (valid_i && ready) begin
      left_q <= scalar_i;
      owed_q <= '0;
      at_q <= '0;
      least_q <= '0;
      took_q <= 9'd1;
    end else begin
      if (job_q && !done) begin
        left_q <= left_d;
        owed_q <= owed_d;
        at_q   <= at_q + move;
      end
      if (taken) least_q <= 9'(digit_pos) + 9'(Window);
      if (job_q && !done && (!digit_valid || digit_ready_i)) took_q <= took_q + 9'd1;
    end
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);

    if (rst_ni) begin
      p_ready : assert (ready == (!job_q || done));
      p_job : assert (!done || job_q);
      if (job_q && !done) begin
        p_exact : assert (exact);
      end
      if (done) begin
        p_all : assert (left_q == '0 && owed_q == '0);
      end
      if (digit_valid) begin
        p_place : assert (job_q && !done && 9'(digit_pos) == at_q);
        p_apart : assert (9'(digit_pos) >= least_q && digit_pos <= 8'(Bits));
      end
      if (refused_q) begin
        p_hold : assert (digit_valid && refused_digit_q == {digit_pos, digit_neg, digit_idx});
      end
      if (job_q) begin
        p_time : assert (took_q <= 9'(Longest));
      end

      // For the induction step.
      i_busy : assert (u_dut.busy_q == (job_q && !done));
      if (refused_q) begin
        i_refused : assert (u_dut.busy_q);
      end
      if (u_dut.busy_q) begin
        i_left : assert (left_q == u_dut.rest_q && owed_q == Low'({1'b0, u_dut.carry_q}));
        i_at : assert (u_dut.pos_q == at_q);
        i_pos : assert (u_dut.pos_q <= 9'(u_dut.carry_q ? Bits : Bits + Window));
        i_least : assert (u_dut.pos_q >= least_q);
        i_pace :
        assert (32'(took_q) * Pace <= 2 * 32'(u_dut.pos_q) + Pace +
            (!u_dut.at_end && u_dut.is_digit ? Pace - 2 : 0));
      end
    end
  end

  // What lies above the scalar is 0, whatever the position is.
  for (genvar i = 0; i < int'(Bits); i++) begin : gen_above
    always_comb begin
      if (rst_ni && u_dut.busy_q && i + 32'(u_dut.pos_q) >= Bits) begin
        i_above : assert (!u_dut.rest_q[i]);
      end
    end
  end

  if (Sum) begin : gen_sum
    localparam int unsigned SumBits = Bits + Window + 1;
    logic [Bits-1:0] scalar_q;
    logic signed [SumBits-1:0] sum_q, left;

    assign left = (SumBits'({1'b0, left_q}) + SumBits'(owed_q)) << at_q;

    always_ff @(posedge clk_i) begin
      if (valid_i && ready) begin
        scalar_q <= scalar_i;
        sum_q <= '0;
      end else if (taken) begin
        sum_q <= sum_q + (SumBits'(digit) <<< digit_pos);
      end
    end

    always_comb begin
      if (rst_ni && done) begin
        p_sum : assert (sum_q == SumBits'({1'b0, scalar_q}));
      end
      if (rst_ni && job_q) begin
        i_sum : assert (sum_q + left == SumBits'({1'b0, scalar_q}));
      end
    end
  end

endmodule
