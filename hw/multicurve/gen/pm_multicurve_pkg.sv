// Generated from hw/multicurve/core.yaml by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// Operations, reasons and packets of the multi-curve core.
package pm_multicurve_pkg;

  // What a result says.
  typedef enum logic [7:0] {
    ReasonOk = 8'd0,
    ReasonMalformedJob = 8'd1,
    ReasonNoCurve = 8'd2,
    ReasonNoOrder = 8'd12,
    ReasonModulusNotOdd = 8'd3,
    ReasonParameterOutOfRange = 8'd4,
    ReasonSingularCurve = 8'd5,
    ReasonInvalidPoint = 8'd6,
    ReasonScalarOutOfRange = 8'd7,
    ReasonSignatureOutOfRange = 8'd13,
    ReasonResultOffCurve = 8'd15,
    ReasonBadSignature = 8'd9,
    ReasonUnusableNonce = 8'd14,
    ReasonNotInvertible = 8'd8,
    ReasonAborted = 8'd10,
    ReasonSecretRefused = 8'd11
  } mc_reason_e;

  // Operations; every number not listed is illegal.
  typedef enum logic [7:0] {
    OpcodeLoadCurve = 8'd1,
    OpcodeEcmul = 8'd2,
    OpcodeEcmulBase = 8'd3,
    OpcodeEcmul2 = 8'd4,
    OpcodeCheck = 8'd5,
    OpcodeLadder = 8'd6,
    OpcodeModarith = 8'd7,
    OpcodeEcdsaVerify = 8'd8,
    OpcodeEcdsaSign = 8'd9,
    OpcodeSm2Verify = 8'd10,
    OpcodeSm2Sign = 8'd11
  } mc_opcode_e;

  // Flags of a header.
  typedef struct packed {
    logic montgomery;  // the curve is y^2 = x^3 + A x^2 + x, for x-only ladders: a is (A + 2) / 4, the rest 0
    logic secret;  // the scalar, or the private key and the nonce, is secret
  } mc_flags_t;

  // Form of the curve that an operation works on.
  typedef enum logic [1:0] {
    CurveNone = 2'd0,
    CurveWeierstrass = 2'd1,
    CurveMontgomery = 2'd2
  } mc_form_e;

  // 64-bit beats: header, an operand or number of the payload, a result without payload.
  localparam int unsigned HeaderBeats = 1;
  localparam int unsigned OperandBeats = 9;
  localparam int unsigned ResultBeats = 2;

  // Bits of a number, most operands and numbers of payload of an operation.
  localparam int unsigned NumberBits = 544;
  localparam int unsigned MaxOperands = 6;
  localparam int unsigned MaxPayload = 2;

  // Whether an opcode is defined.
  function automatic logic opcode_legal(logic [7:0] opcode);
    unique case (opcode)
      OpcodeLoadCurve: return 1'b1;
      OpcodeEcmul: return 1'b1;
      OpcodeEcmulBase: return 1'b1;
      OpcodeEcmul2: return 1'b1;
      OpcodeCheck: return 1'b1;
      OpcodeLadder: return 1'b1;
      OpcodeModarith: return 1'b1;
      OpcodeEcdsaVerify: return 1'b1;
      OpcodeEcdsaSign: return 1'b1;
      OpcodeSm2Verify: return 1'b1;
      OpcodeSm2Sign: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  // Flags that an operation may have; none for an undefined opcode.
  function automatic mc_flags_t opcode_flags(logic [7:0] opcode);
    unique case (opcode)
      OpcodeLoadCurve: return 2'b10;
      OpcodeEcmul: return 2'b01;
      OpcodeEcmulBase: return 2'b01;
      OpcodeEcmul2: return 2'b00;
      OpcodeCheck: return 2'b00;
      OpcodeLadder: return 2'b01;
      OpcodeModarith: return 2'b00;
      OpcodeEcdsaVerify: return 2'b00;
      OpcodeEcdsaSign: return 2'b01;
      OpcodeSm2Verify: return 2'b00;
      OpcodeSm2Sign: return 2'b01;
      default: return '0;
    endcase
  endfunction

  // Options of an opcode: the option byte lies below; 0 for an undefined one.
  function automatic logic [2:0] opcode_options(logic [7:0] opcode);
    unique case (opcode)
      OpcodeLoadCurve: return 3'd3;
      OpcodeEcmul: return 3'd2;
      OpcodeEcmulBase: return 3'd2;
      OpcodeEcmul2: return 3'd1;
      OpcodeCheck: return 3'd1;
      OpcodeLadder: return 3'd3;
      OpcodeModarith: return 3'd5;
      OpcodeEcdsaVerify: return 3'd1;
      OpcodeEcdsaSign: return 3'd1;
      OpcodeSm2Verify: return 3'd1;
      OpcodeSm2Sign: return 3'd1;
      default: return 3'd0;
    endcase
  endfunction

  // Form of the curve that has to be loaded.
  function automatic mc_form_e opcode_form(logic [7:0] opcode);
    unique case (opcode)
      OpcodeLoadCurve: return CurveNone;
      OpcodeEcmul: return CurveWeierstrass;
      OpcodeEcmulBase: return CurveWeierstrass;
      OpcodeEcmul2: return CurveWeierstrass;
      OpcodeCheck: return CurveWeierstrass;
      OpcodeLadder: return CurveMontgomery;
      OpcodeModarith: return CurveNone;
      OpcodeEcdsaVerify: return CurveWeierstrass;
      OpcodeEcdsaSign: return CurveWeierstrass;
      OpcodeSm2Verify: return CurveWeierstrass;
      OpcodeSm2Sign: return CurveWeierstrass;
      default: return CurveNone;
    endcase
  endfunction

  // Operands of an opcode; 0 for an undefined one.
  function automatic logic [2:0] opcode_operands(logic [7:0] opcode);
    unique case (opcode)
      OpcodeLoadCurve: return 3'd6;
      OpcodeEcmul: return 3'd3;
      OpcodeEcmulBase: return 3'd1;
      OpcodeEcmul2: return 3'd6;
      OpcodeCheck: return 3'd2;
      OpcodeLadder: return 3'd2;
      OpcodeModarith: return 3'd3;
      OpcodeEcdsaVerify: return 3'd6;
      OpcodeEcdsaSign: return 3'd4;
      OpcodeSm2Verify: return 3'd5;
      OpcodeSm2Sign: return 3'd3;
      default: return 3'd0;
    endcase
  endfunction

  // Numbers of payload in a result with reason ok; 0 for an undefined opcode.
  function automatic logic [1:0] opcode_payload(logic [7:0] opcode);
    unique case (opcode)
      OpcodeLoadCurve: return 2'd0;
      OpcodeEcmul: return 2'd2;
      OpcodeEcmulBase: return 2'd2;
      OpcodeEcmul2: return 2'd2;
      OpcodeCheck: return 2'd0;
      OpcodeLadder: return 2'd1;
      OpcodeModarith: return 2'd1;
      OpcodeEcdsaVerify: return 2'd0;
      OpcodeEcdsaSign: return 2'd2;
      OpcodeSm2Verify: return 2'd0;
      OpcodeSm2Sign: return 2'd2;
      default: return 2'd0;
    endcase
  endfunction

endpackage
