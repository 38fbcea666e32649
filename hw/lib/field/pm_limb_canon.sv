// SPDX-License-Identifier: Apache-2.0
//
// From redundant limbs (pm_limb_pkg) to the canonical number: the full carry that pm_limb_unit
// never makes, and the reduction modulo p = 2^255 - 19 to [0, p).
//
// Ranges:    limbs of 16 bits whose value is below 2p, as those of a product are
//            (pointmill/model/limb.py); limbs of more than that give no defined result.
// Rounds:    of 17 cycles, a limb in each, from the lowest on. The first one carries: 255 bits and
//            bit 255 remain. The second adds 19 and keeps nothing but whether that reaches 2^255:
//            then, or with bit 255, the value is p or more. The third adds 19 in that case, which
//            takes p away, since bit 255 is dropped. pm_canon does the last two in one addition of
//            256 bits; its carry chain would set the clock of units whose adders have 26.
// Latency:   52 cycles from start_i to done_o; one number at a time.
// Handshake: start_i with limbs while idle; done_o pulses, and result and flag hold until the next
//            start_i or clear_i. clear_i ends what is under way and makes all data 0.
// Reset:     asynchronous, active low: idle, all data 0.
// Constant time: yes.
// Source:    Hu et al. 2024, J. Hefei Univ. Technol. 47(11), section 2.2 ("a full carry at the very
//            end") and algorithm 1.

module pm_limb_canon
  import pm_limb_pkg::*;
(
    input  logic                         clk_i,
    input  logic                         rst_ni,
    input  logic                         clear_i,  // stop, and make all data 0
    input  logic                         start_i,  // take limbs_i
    input  limbs_t                       limbs_i,  // value below 2p
    output logic                         done_o,   // pulse: r_o and zero_o are there
    output logic   [Limbs*DigitBits-1:0] r_o,      // value in [0, p)
    output logic                         zero_o    // it is 0
);

  typedef enum logic [1:0] {
    Idle,
    Carry,
    Compare,
    Reduce
  } round_e;

  round_e round_q;
  logic [4:0] left_q;  // limbs of the round behind the present one
  limbs_t limbs_q;
  logic [4:0] carry_q, carry;
  logic reaches_q, reaches, nonzero_q, done_q;
  logic [LimbBits:0] sum;

  assign sum = (LimbBits + 1)'(limbs_q[0]) + (LimbBits + 1)'(carry_q);
  assign carry = 5'(sum[LimbBits:DigitBits]);
  assign reaches = reaches_q || carry != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      round_q <= Idle;
      left_q <= '0;
      limbs_q <= '0;
      carry_q <= '0;
      reaches_q <= 1'b0;
      nonzero_q <= 1'b0;
      done_q <= 1'b0;
    end else begin
      done_q <= 1'b0;
      if (clear_i) begin
        round_q   <= Idle;
        limbs_q   <= '0;
        carry_q   <= '0;
        reaches_q <= 1'b0;
        nonzero_q <= 1'b0;
      end else if (start_i) begin
        round_q <= Carry;
        left_q <= 5'(Limbs - 1);
        limbs_q <= limbs_i;
        carry_q <= '0;
        reaches_q <= 1'b0;
        nonzero_q <= 1'b0;
      end else if (round_q != Idle) begin
        limbs_q <= {
          round_q == Compare ? limbs_q[0] : LimbBits'(sum[DigitBits-1:0]), limbs_q[Limbs-1:1]
        };
        carry_q <= carry;
        left_q <= left_q - 5'd1;
        if (round_q == Reduce) nonzero_q <= nonzero_q || sum[DigitBits-1:0] != '0;
        if (left_q == '0) begin
          left_q <= 5'(Limbs - 1);
          unique case (round_q)
            Carry: begin
              round_q   <= Compare;
              reaches_q <= reaches;
              carry_q   <= 5'(Wrap);
            end
            Compare: begin
              round_q   <= Reduce;
              reaches_q <= reaches;
              carry_q   <= reaches ? 5'(Wrap) : '0;
            end
            default: begin
              round_q <= Idle;
              carry_q <= '0;
              done_q  <= 1'b1;
            end
          endcase
        end
      end
    end
  end

  assign done_o = done_q;
  assign zero_o = !nonzero_q;

  for (genvar i = 0; i < Limbs; i++) begin : g_digit
    assign r_o[i*DigitBits+:DigitBits] = limbs_q[i][DigitBits-1:0];
  end

  always_ff @(posedge clk_i) begin
    assert (!start_i || round_q == Idle);
    // The value is below 2p: beyond 2^255 there is at most one bit.
    assert (round_q != Carry || left_q != '0 || carry <= 5'd1);
  end

endmodule
