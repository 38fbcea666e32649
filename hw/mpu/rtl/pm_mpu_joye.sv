// SPDX-License-Identifier: Apache-2.0
//
// Digit scan of the modified Joye ladder of two bits, from right to left: which operation on which
// of the four buffers A[0], A[1], R[0], R[1] comes next, as an address of its program.
//
// Computes: with n the least even number, at least 4, for which k is below 2^(n-1): A[0] = -P, A[1]
//           = P, (R[0], R[1]) = (2P, 4P); for the bits of k from k_1 on, two at a time, A[bit] +=
//           R[0], A[bit] += R[1], (R[0], R[1]) = (2 R[1], 4 R[1]); A[0] -= R[0], which is now
//           2^(n-1) P; A[0] += 2 A[1] + (k_0 + 1) P. That is [k]P.
// Handshake: start_i begins with a scalar, which has to hold. Of it pair_i are bits at_o - 1 and
//           at_o, more_i says whether one above them is 1, both four cycles behind at_o. address_o
//           is the next operation's, step_i begins it, four cycles behind the last one or more
//           where that is a doubling, else two: from the next cycle on src1_o to dst2_o are its
//           buffers.
// Reset:    not needed before start_i.
// Constant time: NO, the length and the bits of k show.
// Source:   Kido and Miyaji 2016, IEICE technical report 115(488), as printed by Tanaka 2020,
//           algorithm 1, whose result for a k below 2^(n-1) is (k + 2^(n-1)) P.
module pm_mpu_joye
  import pm_dual_ucode_pkg::*;
  import pm_mpu_full_ucode_pkg::*;
#(
    parameter int unsigned PlaceBits = 10  // bits of the number of a bit
) (
    input  logic                 clk_i,         // clock
    input  logic                 start_i,       // pulse: begin
    input  logic                 odd_i,         // lowest bit of the scalar
    output logic [PlaceBits-1:0] at_o,          // where the pair of bits of the step is
    input  logic [          1:0] pair_i,        // it
    input  logic                 more_i,        // one of the bits above it is 1
    input  logic [          3:0] dst_i,         // buffer of the result
    input  logic                 step_i,        // pulse: the next operation begins
    output logic [  ArgBits-1:0] address_o,     // its program
    output logic [          3:0] src1_o,        // buffers of the operation that was begun last
    output logic [          3:0] src2_o,
    output logic [          3:0] dst1_o,
    output logic [          3:0] dst2_o,
    output logic [          3:0] ahead_src1_o,  // src1_o and src2_o of the next cycle
    output logic [          3:0] ahead_src2_o
);

  localparam logic [3:0] A0 = 4'd0;
  localparam logic [3:0] A1 = 4'd1;
  localparam logic [3:0] R0 = 4'd2;
  localparam logic [3:0] R1 = 4'd3;

  typedef enum logic [3:0] {
    StSetMinus,
    StSet,
    StDouble,
    StLow,
    StHigh,
    StNext,
    StNegate,
    StSubtract,
    StOnce,
    StTwice,
    StSetAgain,
    StAdd,
    StAddOdd,
    StEnd
  } state_e;

  state_e state_q, state_d;
  logic [3:0] src1, src2, dst1;

  always_comb begin
    state_d = state_e'(state_q + 4'd1);
    unique case (state_q)
      StNext:  if (more_i) state_d = StLow;
      StAdd:   if (!odd_i) state_d = StEnd;
      StEnd:   state_d = StEnd;
      default: ;
    endcase
  end

  // What the operation reads and writes; of a doubling the second result is R[1].
  always_comb begin
    {src1, src2, dst1} = {A0, R0, A0};
    address_o = ArgBits'(AtWalkAdd);
    unique case (state_q)
      StSetMinus: address_o = ArgBits'(AtWalkSetMinus);
      StSet: {address_o, dst1} = {ArgBits'(AtWalkSet), A1};
      StDouble: {address_o, src1, dst1} = {ArgBits'(AtWalkDq), A1, R0};
      StLow: {src1, dst1} = {2{3'd0, pair_i[0]}};
      StHigh: {src1, src2, dst1} = {3'd0, pair_i[1], R1, 3'd0, pair_i[1]};
      StNext: {address_o, src1, dst1} = {ArgBits'(AtWalkDq), R1, R0};
      StNegate: {address_o, src1, dst1} = {ArgBits'(AtWalkNegate), R0, R0};
      StSubtract: ;
      StOnce, StTwice: src2 = A1;
      StSetAgain: {address_o, dst1} = {ArgBits'(AtWalkSet), R1};
      StAdd, StAddOdd: src2 = R1;
      default: {address_o, dst1} = {ArgBits'(AtWalkEnd), dst_i};
    endcase
  end

  assign {ahead_src1_o, ahead_src2_o} = step_i ? {src1, src2} : {src1_o, src2_o};

  always_ff @(posedge clk_i) begin
    if (start_i) state_q <= StSetMinus;
    else if (step_i) state_q <= state_d;
    if (start_i) at_o <= PlaceBits'(2);
    else if (step_i && state_q == StNext) at_o <= at_o + PlaceBits'(2);
    src1_o <= ahead_src1_o;
    src2_o <= ahead_src2_o;
    if (step_i) begin
      dst1_o <= dst1;
      dst2_o <= R1;
    end
  end

endmodule
