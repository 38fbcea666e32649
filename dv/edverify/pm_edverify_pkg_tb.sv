// SPDX-License-Identifier: Apache-2.0
//
// Makes the functions of pm_edverify_pkg visible to a bench. Combinational.
module pm_edverify_pkg_tb
  import pm_edverify_pkg::*;
(
    input  logic        [7:0] number_i,    // rule number or opcode
    output logic              legal_o,     // rule_legal
    output rule_flags_t       flags_o,     // rule_flags
    output logic              op_legal_o,  // opcode_legal
    // opcode_has_rule, _has_message, _is_secret, _has_slot, _is_batch
    output logic        [4:0] op_flags_o,
    output logic        [1:0] operands_o,  // opcode_operands
    output logic        [1:0] payload_o    // opcode_payload
);

  assign legal_o = rule_legal(number_i);
  assign flags_o = rule_flags(number_i);
  assign op_legal_o = opcode_legal(number_i);
  assign op_flags_o = {
    opcode_has_rule(number_i),
    opcode_has_message(number_i),
    opcode_is_secret(number_i),
    opcode_has_slot(number_i),
    opcode_is_batch(number_i)
  };
  assign operands_o = opcode_operands(number_i);
  assign payload_o = opcode_payload(number_i);

endmodule
