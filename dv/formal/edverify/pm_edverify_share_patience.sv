// SPDX-License-Identifier: Apache-2.0
//
// Claim: pm_edverify_share_patience starves neither side. A product of the side unit is started at
//        most P + ProductLatency cycles after its request, P being Patience or, for a batch,
//        LongPatience. At most one cycle of Patience + 1 is left without a word, and only for a
//        request that has waited for Patience cycles.
//
// A cycle that is left without a word has no product of one ProductLatency cycles later; the
// multiplier then takes the side unit's (a_taken).

module pm_edverify_share_patience_formal #(
    parameter int unsigned Patience = 3,
    parameter int unsigned LongPatience = 15
) (
    input logic clk_i,
    input logic rst_ni,
    input logic valid_i,
    input logic patient_i,
    input logic taken_i
);

  localparam int unsigned ProductLatency = 6;  // from the choice of a word to its product
  localparam int unsigned Bits = $clog2(LongPatience + ProductLatency + 2);

  logic hold;

  pm_edverify_share_patience #(
      .Patience(Patience),
      .LongPatience(LongPatience)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .valid_i,
      .patient_i,
      .taken_i,
      .hold_o(hold)
  );

  logic patient_q;  // the request of the last cycle is for a batch
  logic [Bits-1:0] wait_q;  // cycles that a request waits, 0: none does
  logic [2:0] due_q;  // cycles since one without a word, 0: none
  logic [Bits-1:0] words_q;  // cycles with a word since then, up to Patience
  logic waits;
  logic [Bits-1:0] limit;

  assign waits = valid_i && !taken_i;
  assign limit = Bits'(patient_q ? LongPatience : Patience);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {wait_q, due_q} <= '0;
      words_q <= Bits'(Patience);
    end else begin
      wait_q <= waits ? wait_q + Bits'(1) : '0;
      if (!waits) due_q <= '0;
      else if (due_q != '0 || hold) due_q <= due_q + 3'd1;
      if (hold) words_q <= '0;
      else if (words_q != Bits'(Patience)) words_q <= words_q + Bits'(1);
    end
  end

  always_ff @(posedge clk_i) patient_q <= patient_i;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    if (wait_q != '0) begin
      a_holds : assume (valid_i && patient_i == patient_q);
    end
    if (due_q == 3'(ProductLatency)) begin
      a_taken : assume (taken_i);
    end
    if (taken_i) begin
      a_asked : assume (valid_i);
    end

    if (rst_ni) begin
      if (wait_q != '0) begin
        p_served : assert (wait_q <= limit + Bits'(ProductLatency));
      end
      if (hold) begin
        p_words : assert (words_q == Bits'(Patience));
        p_asked : assert (wait_q >= Bits'(Patience));
      end

      // For the induction step.
      i_waited : assert (Bits'(u_dut.waited_q) == (wait_q & Bits'(LongPatience)));
      i_hold : assert (hold == (wait_q != '0 && (wait_q & limit) == limit));
      i_due : assert (due_q <= 3'(ProductLatency) && (due_q != '0) == (wait_q > limit));
      i_wait : assert (wait_q <= limit + Bits'(due_q));
      i_most : assert (words_q <= Bits'(Patience));
      if (wait_q != '0) begin
        i_words : assert (words_q >= (wait_q & Bits'(Patience)));
      end
    end
  end

endmodule
