// SPDX-License-Identifier: Apache-2.0
//
// Claim: of every scalar in its range pm_naf_bits sends odd digits, at least Window positions
//        apart and below Bits, whose sum, each times its power of two, is the scalar; a digit
//        holds until it is taken; done_o comes Bits + 1 cycles after acceptance, not counting
//        those in which a digit waits.
//
// The bits of the scalar from the position on, and owed_q, are what the digits that were taken
// leave of it, in units of the position: each digit is taken off, each step divides by 2 and has
// to be exact, behind the last one it is 0. With Sum the digits are also added up, each shifted
// to its place, and compared with the scalar.

module pm_naf_bits_formal #(
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

  localparam int unsigned Low = Window + 2;  // bits of what is owed
  localparam int unsigned Wide = Bits + Window + 1;

  localparam logic [Bits-1:0] Most = Bits'(1) << (Bits - 1) | Bits'(1) << (Bits - 1 - Window);

  logic ready, digit_valid, digit_neg, done;
  logic [7:0] digit_pos;
  logic [Window-3:0] digit_idx;

  pm_naf_bits #(
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

  logic taken, works;
  logic signed [Window-1:0] digit;
  assign taken = digit_valid && digit_ready_i;
  assign digit = digit_neg ? -Window'({digit_idx, 1'b1}) : Window'({digit_idx, 1'b1});

  logic job_q;  // a scalar was accepted, and not abandoned
  logic [Bits-1:0] scalar_q;
  logic [Wide-1:0] here_q;  // the position, one bit of all
  logic [8:0] at_q;  // the same as a number
  logic [8:0] least_q;  // where the next digit may be
  logic signed [Low-1:0] owed_q, low;
  logic [Window:0] ahead;  // bits of the scalar from the position on
  logic refused_q;
  logic [Window+6:0] refused_digit_q;

  assign works = job_q && at_q != 9'(Bits);
  for (genvar j = 0; j <= int'(Window); j++) begin : gen_ahead
    assign ahead[j] = (Wide'(scalar_q) & here_q << j) != '0;
  end

  always_comb begin
    low = owed_q + Low'({1'b0, ahead[0]});
    if (taken) low = low - Low'(digit);
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
      scalar_q <= scalar_i;
      here_q <= Wide'(1);
      at_q <= '0;
      least_q <= '0;
      owed_q <= '0;
    end else begin
      if (works && (!digit_valid || digit_ready_i)) begin
        here_q <= here_q << 1;
        at_q   <= at_q + 9'd1;
        owed_q <= low >>> 1;
      end
      if (taken) least_q <= 9'(digit_pos) + 9'(Window);
    end
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    if (valid_i && ready) begin
      a_range : assume (scalar_i <= Most);
    end
    if (works) begin
      a_hold : assume (scalar_i == scalar_q);
    end

    if (rst_ni) begin
      p_ready : assert (ready == !works);
      p_done : assert (done == (job_q && !works));
      if (works && (!digit_valid || digit_ready_i)) begin
        p_exact : assert (!low[0]);
      end
      if (done) begin
        p_all : assert (owed_q == '0);
      end
      if (digit_valid) begin
        p_place : assert (works && 9'(digit_pos) == at_q);
        p_apart : assert (9'(digit_pos) >= least_q && digit_pos < 8'(Bits));
      end
      if (refused_q) begin
        p_hold : assert (digit_valid && refused_digit_q == {digit_pos, digit_neg, digit_idx});
      end

      // For the induction step.
      i_busy : assert (u_dut.busy_q == works);
      if (refused_q) begin
        i_refused : assert (works);
      end
      if (job_q) begin
        i_end : assert (at_q <= 9'(Bits));
      end
      if (works) begin
        i_at : assert (9'(u_dut.pos_q) == at_q && u_dut.next_q == 8'(at_q + 9'(Window)));
        i_owed :
        assert (owed_q == Low'({1'b0, u_dut.near_q}) + Low'({1'b0, u_dut.carry_q}) -
                Low'({1'b0, ahead[Window-1:0]}));
        i_scalar : assert (scalar_q <= Most);
        if (scalar_q[Bits-1] && (at_q > 9'(Bits - 1 - Window) || scalar_q[Bits-1-Window])) begin
          i_carry : assert (!u_dut.carry_q);
        end
        i_least : assert (least_q <= at_q + 9'(Window));
      end
    end
  end

  for (genvar i = 0; i < int'(Bits); i++) begin : gen_here
    always_comb begin
      if (rst_ni && works) i_here : assert (here_q[i] == (at_q == 9'(i)));
    end
  end

  // What the window has of the highest places: bits of the scalar, which no digit has changed.
  // Up to the next digit it has copies of the carry.
  for (genvar j = 0; j < int'(Window); j++) begin : gen_near
    logic [8:0] place;
    assign place = at_q + 9'(j);
    always_comb begin
      if (rst_ni && works) begin
        if (place >= 9'(Bits)) i_beyond : assert (!u_dut.near_q[j]);
        if (place == 9'(Bits - 1)) i_top : assert (u_dut.near_q[j] == scalar_q[Bits-1]);
        if (scalar_q[Bits-1]) begin
          if (place > 9'(Bits - 1 - Window) && place < 9'(Bits - 1)) begin
            i_zeros : assert (!u_dut.near_q[j]);
          end
          if (place == 9'(Bits - 1 - Window)) begin
            i_low : assert (u_dut.near_q[j] == scalar_q[Bits-1-Window]);
          end
          if (place < 9'(Bits - 1 - Window) && scalar_q[Bits-1-Window]) begin
            i_none : assert (!u_dut.near_q[j]);
          end
        end
        if (place < least_q) i_copy : assert (u_dut.near_q[j] == u_dut.carry_q);
      end
    end
  end

  if (Wide > Bits) begin : gen_high
    always_comb begin
      if (rst_ni && works) i_high : assert (here_q >> Bits == '0);
    end
  end

  if (Sum) begin : gen_sum
    logic signed [Wide-1:0] sum_q, left;

    assign left = (Wide'(scalar_q >> at_q) + Wide'(owed_q)) << at_q;

    always_ff @(posedge clk_i) begin
      if (valid_i && ready) sum_q <= '0;
      else if (taken) sum_q <= sum_q + (Wide'(digit) <<< digit_pos);
    end

    always_comb begin
      if (rst_ni && done) begin
        p_sum : assert (sum_q == Wide'({1'b0, scalar_q}));
      end
      if (rst_ni && job_q) begin
        i_sum : assert (sum_q + left == Wide'({1'b0, scalar_q}));
      end
    end
  end

endmodule
