// Generated from hw/edverify/core.yaml by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// Rule sets, reasons, operations and packets of the Ed25519 core.
package pm_edverify_pkg;

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
    ReasonAborted = 8'd8,
    ReasonMessageTooLong = 8'd9,
    ReasonSecretRefused = 8'd10,
    ReasonFaultDetected = 8'd11
  } reason_e;

  // Operations; every number not listed is illegal.
  typedef enum logic [7:0] {
    OpcodeVerify = 8'd1,
    OpcodeX25519 = 8'd2,
    OpcodeKeygen = 8'd3,
    OpcodeSign = 8'd4,
    OpcodeLoadKey = 8'd5,
    OpcodeVerifyCached = 8'd6,
    OpcodeVerifyBatch = 8'd7
  } opcode_e;

  // What a rule set asks for.
  typedef struct packed {
    logic strict_a;    // A must be canonical
    logic decode_r;    // R is decoded (otherwise its bytes are compared)
    logic strict_r;    // R must be canonical
    logic small_a;     // A of small order is rejected
    logic small_r;     // R of small order is rejected
    logic cofactored;  // [8][S]B = [8]R + [8][k]A
  } rule_flags_t;

  // 64-bit beats: header, an operand or word of the payload, a result without payload.
  localparam int unsigned HeaderBeats = 1;
  localparam int unsigned OperandBeats = 4;
  localparam int unsigned ResultBeats = 2;

  // Most operands and payload words that an operation has.
  localparam int unsigned MaxOperands = 3;
  localparam int unsigned MaxPayload = 3;

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

  // Whether an opcode is defined.
  function automatic logic opcode_legal(logic [7:0] opcode);
    unique case (opcode)
      OpcodeVerify: return 1'b1;
      OpcodeX25519: return 1'b1;
      OpcodeKeygen: return 1'b1;
      OpcodeSign: return 1'b1;
      OpcodeLoadKey: return 1'b1;
      OpcodeVerifyCached: return 1'b1;
      OpcodeVerifyBatch: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  // Whether the header names a rule set (otherwise that byte is 0); 0 for an undefined opcode.
  function automatic logic opcode_has_rule(logic [7:0] opcode);
    unique case (opcode)
      OpcodeVerify: return 1'b1;
      OpcodeVerifyCached: return 1'b1;
      OpcodeVerifyBatch: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  // Whether a message follows the operands; 0 for an undefined opcode.
  function automatic logic opcode_has_message(logic [7:0] opcode);
    unique case (opcode)
      OpcodeVerify: return 1'b1;
      OpcodeSign: return 1'b1;
      OpcodeVerifyCached: return 1'b1;
      OpcodeVerifyBatch: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  // Whether the first operand is secret; 0 for an undefined opcode.
  function automatic logic opcode_is_secret(logic [7:0] opcode);
    unique case (opcode)
      OpcodeX25519: return 1'b1;
      OpcodeKeygen: return 1'b1;
      OpcodeSign: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  // Whether the header names a key slot (otherwise those bits are 0); 0 for an undefined opcode.
  function automatic logic opcode_has_slot(logic [7:0] opcode);
    unique case (opcode)
      OpcodeLoadKey: return 1'b1;
      OpcodeVerifyCached: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  // Whether the job may be decided together with others; 0 for an undefined opcode.
  function automatic logic opcode_is_batch(logic [7:0] opcode);
    unique case (opcode)
      OpcodeVerifyBatch: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  // Operands of an opcode; 0 for an undefined one.
  function automatic logic [1:0] opcode_operands(logic [7:0] opcode);
    unique case (opcode)
      OpcodeVerify: return 2'd3;
      OpcodeX25519: return 2'd2;
      OpcodeKeygen: return 2'd1;
      OpcodeSign: return 2'd1;
      OpcodeLoadKey: return 2'd1;
      OpcodeVerifyCached: return 2'd3;
      OpcodeVerifyBatch: return 2'd3;
      default: return 2'd0;
    endcase
  endfunction

  // Words of payload in a result with reason ok; 0 for an undefined opcode.
  function automatic logic [1:0] opcode_payload(logic [7:0] opcode);
    unique case (opcode)
      OpcodeVerify: return 2'd0;
      OpcodeX25519: return 2'd1;
      OpcodeKeygen: return 2'd1;
      OpcodeSign: return 2'd3;
      OpcodeLoadKey: return 2'd0;
      OpcodeVerifyCached: return 2'd0;
      OpcodeVerifyBatch: return 2'd0;
      default: return 2'd0;
    endcase
  endfunction

endpackage
