// SPDX-License-Identifier: Apache-2.0
//
// The turns of a multiplier that starts a product every Interval cycles: in which cycles an engine
// picks a word, and in which a side unit may start a product of its own.
//
// A request of the side unit waits for a turn whose word has no product. If none has come for
// Patience turns it gets one without a word, which reaches the multiplier ProductLatency cycles
// later.
//
// Handshake: hold_o = 1: no word is picked in this cycle. word_o: one that was picked may leave the
//           sequencer. turn_o: a product may be started in this cycle, if the word that reaches the
//           multiplier has none. valid_i until taken_i: the side unit waits; patient_i: for a
//           batch.
// Reset:    asynchronous, active low: the first turn begins.
// Constant time: turns are every Interval cycles; which are left without a word depends on requests
//                alone.

module pm_edverify_product_turns #(
    parameter int unsigned Interval = 1,  // cycles from one product to the next, at least 1
    parameter int unsigned WordLatency = 4,  // cycles from the choice of a word to the word
    parameter int unsigned ProductLatency = 6,  // and to the start of its product
    parameter int unsigned Patience = 255,  // longest wait in turns, 2^n - 1
    // the same for a batch, 2^n - 1, at least Patience
    parameter int unsigned LongPatience = Patience
) (
    input  logic clk_i,      // clock
    input  logic rst_ni,     // asynchronous reset, active low
    input  logic valid_i,    // a product of the side unit waits
    input  logic patient_i,  // and can wait for LongPatience
    input  logic taken_i,    // it is started
    output logic hold_o,     // no word is picked
    output logic word_o,     // a word may come
    output logic turn_o      // a product may be started
);

  localparam int unsigned TurnBits = Interval > 1 ? $clog2(Interval) : 1;
  localparam int unsigned ShortBits = $clog2(Patience + 1);
  localparam int unsigned LongBits = $clog2(LongPatience + 1);

  logic [TurnBits-1:0] turn_d, turn_q;  // 0: a word may be picked
  logic [LongBits-1:0] waited_d, waited_q;  // turns

  assign turn_d   = turn_q == TurnBits'(Interval - 1) ? '0 : turn_q + 1'b1;
  assign word_o   = turn_q == TurnBits'(WordLatency % Interval);
  assign turn_o   = turn_q == TurnBits'(ProductLatency % Interval);
  assign waited_d = (!valid_i || taken_i) ? '0 : waited_q + LongBits'(turn_q == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {turn_q, waited_q, hold_o} <= '0;
    else begin
      turn_q   <= turn_d;
      waited_q <= waited_d;
      hold_o   <= turn_d != '0 || (patient_i ? &waited_d : &waited_d[ShortBits-1:0]);
    end
  end

endmodule
