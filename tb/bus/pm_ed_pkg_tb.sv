// SPDX-License-Identifier: Apache-2.0
//
// Makes the functions of pm_ed_pkg visible to a bench. Combinational.
module pm_ed_pkg_tb
  import pm_ed_pkg::*;
(
    input  logic        [7:0] rule_i,   // rule number
    output logic              legal_o,  // rule_legal
    output rule_flags_t       flags_o   // rule_flags
);

  assign legal_o = rule_legal(rule_i);
  assign flags_o = rule_flags(rule_i);

endmodule
