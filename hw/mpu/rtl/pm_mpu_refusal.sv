// SPDX-License-Identifier: Apache-2.0
//
// Whether an operation of `mpu` is rejected before it begins, and why.
//
// Computes: refusal_o: the reason, ReasonOk if the operation may begin. When several apply, the
//           first of: an unknown operation, a place that is no buffer where points are, or two
//           results in one place (illegal command); no modulus; no curve; a secret operation that
//           may not be one.
// Latency:  0 (combinational). Constant time: yes.
module pm_mpu_refusal
  import pm_mpu_pkg::*;
  import pm_mpu_types_pkg::*;
(
    input  command_t    command_i,  // command
    input  logic        modulus_i,  // a modulus is loaded
    input  logic        curve_i,    // a curve is loaded
    output mpu_reason_e refusal_o   // reason
);

  logic legal, points, second, both, no_buffer, same_place;

  assign legal = opcode_legal(command_i.op);
  assign points = opcode_points(command_i.op);
  assign second = opcode_second(command_i.op);
  assign both = opcode_both(command_i.op);
  assign no_buffer = points && (command_i.at.src1 >= 4'(Buffers) ||
      command_i.at.dst1 >= 4'(Buffers) || (second && command_i.at.src2 >= 4'(Buffers)) ||
      (both && command_i.at.dst2 >= 4'(Buffers)));
  assign same_place = both && command_i.at.dst1 == command_i.at.dst2;

  always_comb begin
    refusal_o = ReasonOk;
    if (!legal || no_buffer || same_place) refusal_o = ReasonIllegalCommand;
    else if (opcode_needs(command_i.op) != NeedsNothing && !modulus_i) refusal_o = ReasonNoModulus;
    else if (opcode_needs(command_i.op) == NeedsCurve && !curve_i) refusal_o = ReasonNoCurve;
    else if (command_i.secret && !opcode_secret(command_i.op)) refusal_o = ReasonSecretRefused;
  end

endmodule
