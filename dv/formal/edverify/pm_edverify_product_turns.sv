// SPDX-License-Identifier: Apache-2.0
//
// Claim: pm_edverify_product_turns starves neither side. A product of the side unit is started at
//        most (P + 1) Interval - 1 + ProductLatency cycles after its request, P being Patience or,
//        for a batch, LongPatience. A word may be picked in one cycle of Interval, but for at most
//        one of Patience + 1 such turns, and only for a request that waits.
//
// A turn that is left without a word has no product of one ProductLatency cycles later; the
// multiplier then takes the side unit's (a_taken).

module pm_edverify_product_turns_formal #(
    parameter int unsigned Interval = 3,
    parameter int unsigned Patience = 3,
    parameter int unsigned LongPatience = 7
) (
    input logic clk_i,
    input logic rst_ni,
    input logic valid_i,
    input logic patient_i,
    input logic taken_i
);

  localparam int unsigned WordLatency = 4;
  localparam int unsigned ProductLatency = 6;
  localparam int unsigned Longest = (LongPatience + 1) * Interval - 1 + ProductLatency;
  localparam int unsigned Bits = $clog2(Longest + 2);
  localparam int unsigned PhaseBits = Interval > 1 ? $clog2(Interval) : 1;

  logic hold, word, turn;

  pm_edverify_product_turns #(
      .Interval(Interval),
      .WordLatency(WordLatency),
      .ProductLatency(ProductLatency),
      .Patience(Patience),
      .LongPatience(LongPatience)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .valid_i,
      .patient_i,
      .taken_i,
      .hold_o(hold),
      .word_o(word),
      .turn_o(turn)
  );

  logic [PhaseBits-1:0] phase_q;  // 0: a turn
  logic asks_q, patient_q;  // a request waits since the last cycle; the same for a batch
  logic [Bits-1:0] wait_q;  // cycles that it waits
  logic [Bits-1:0] turns_q;  // turns among them
  logic [2:0] due_q;  // cycles since a turn without a word, 0: none
  logic [Bits-1:0] words_q;  // turns since then, up to Patience
  logic held, waits;
  logic [Bits-1:0] limit;

  assign held  = phase_q == '0 && hold;
  assign waits = valid_i && !taken_i;
  assign limit = Bits'(patient_q ? LongPatience : Patience);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {phase_q, asks_q, wait_q, turns_q, due_q} <= '0;
      words_q <= Bits'(Patience);
    end else begin
      phase_q <= 32'(phase_q) == Interval - 1 ? '0 : phase_q + PhaseBits'(1);
      asks_q  <= waits;
      wait_q  <= waits ? wait_q + Bits'(1) : '0;
      turns_q <= waits ? turns_q + Bits'(phase_q == '0) : '0;
      if (!waits) due_q <= '0;
      else if (due_q != '0 || held) due_q <= due_q + 3'd1;
      if (held) words_q <= '0;
      else if (phase_q == '0 && words_q != Bits'(Patience)) words_q <= words_q + Bits'(1);
    end
  end

  always_ff @(posedge clk_i) patient_q <= patient_i;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    if (asks_q) begin
      a_holds : assume (valid_i && patient_i == patient_q);
    end
    if (due_q == 3'(ProductLatency)) begin
      a_taken : assume (taken_i);
    end
    if (taken_i) begin
      a_asked : assume (valid_i);
    end

    if (rst_ni) begin
      p_hold : assert (phase_q == '0 || hold);
      p_word : assert (word == (phase_q == PhaseBits'(WordLatency % Interval)));
      p_turn : assert (turn == (phase_q == PhaseBits'(ProductLatency % Interval)));
      if (asks_q) begin
        p_served : assert (32'(wait_q) <= (32'(limit) + 1) * Interval - 1 + ProductLatency);
      end
      if (held) begin
        p_words : assert (words_q == Bits'(Patience));
        p_asked : assert (asks_q && turns_q >= Bits'(Patience));
      end

      // For the induction step.
      i_phase : assert (u_dut.turn_q == phase_q && 32'(phase_q) < Interval);
      i_asks : assert (asks_q == (wait_q != '0) && (asks_q || (turns_q == '0 && due_q == '0)));
      i_waited : assert (Bits'(u_dut.waited_q) == (turns_q & Bits'(LongPatience)));
      i_hold : assert (hold == (phase_q != '0 || (asks_q && (turns_q & limit) == limit)));
      i_due : assert (due_q <= 3'(ProductLatency) && (due_q != '0) == (turns_q > limit));
      i_turns : assert (turns_q <= limit + Bits'(due_q));
      i_words :
      assert (words_q <= Bits'(Patience) && (!asks_q || words_q >= (turns_q & Bits'(Patience))));
      if (asks_q && due_q == '0) begin
        i_wait :
        assert (32'(wait_q) < 32'(turns_q) * Interval + (phase_q == '0 ? Interval : 32'(phase_q)));
      end
      if (due_q != '0) begin
        i_late : assert (32'(wait_q) <= (32'(limit) + 1) * Interval - 1 + 32'(due_q));
      end
    end
  end

endmodule
