// Generated from data/edverify.yaml by `python -m pointmill.gen_rules`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// Rule sets, reasons and job format of Ed25519 verification.
package pm_ed_pkg;

  // Rule sets; 0 and every number not listed are illegal.
  typedef enum logic [7:0] {
    RuleRfc8032Cofactorless = 8'd1,
    RuleRfc8032Cofactored = 8'd2,
    RuleZip215 = 8'd3,
    RuleRef10Bytes = 8'd4,
    RuleDalekStrict = 8'd5,
    RuleLibsodium = 8'd6
  } rule_e;

  // Verdicts; when several apply the lowest number is reported.
  typedef enum logic [7:0] {
    ReasonOk = 8'd0,
    ReasonMalformedJob = 8'd1,
    ReasonSOutOfRange = 8'd2,
    ReasonANotDecodable = 8'd3,
    ReasonRNotDecodable = 8'd4,
    ReasonSmallOrderA = 8'd5,
    ReasonSmallOrderR = 8'd6,
    ReasonEquationFails = 8'd7,
    ReasonAborted = 8'd8
  } reason_e;

  // What a rule set asks for.
  typedef struct packed {
    logic strict_a;    // A must be canonical
    logic decode_r;    // R is decoded (otherwise its bytes are compared)
    logic strict_r;    // R must be canonical
    logic small_a;     // A of small order is refused
    logic small_r;     // R of small order is refused
    logic cofactored;  // [8][S]B = [8]R + [8][k]A
  } rule_flags_t;

  // Opcode of a verification job.
  localparam logic [7:0] OpcodeVerify = 8'd1;

  // 64-bit beats of the fixed part of a job packet.
  localparam int unsigned HeaderBeats = 1;
  localparam int unsigned SBeats = 4;
  localparam int unsigned RBeats = 4;
  localparam int unsigned ABeats = 4;

  // Whether a rule number is defined.
  function automatic logic rule_legal(logic [7:0] rule);
    unique case (rule)
      RuleRfc8032Cofactorless: return 1'b1;
      RuleRfc8032Cofactored: return 1'b1;
      RuleZip215: return 1'b1;
      RuleRef10Bytes: return 1'b1;
      RuleDalekStrict: return 1'b1;
      RuleLibsodium: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  // Flags of a rule number; all zero for an undefined one.
  function automatic rule_flags_t rule_flags(logic [7:0] rule);
    unique case (rule)
      RuleRfc8032Cofactorless: return 6'b111000;
      RuleRfc8032Cofactored: return 6'b111001;
      RuleZip215: return 6'b010001;
      RuleRef10Bytes: return 6'b000000;
      RuleDalekStrict: return 6'b010110;
      RuleLibsodium: return 6'b100110;
      default: return '0;
    endcase
  endfunction

endpackage
