// Generated from hw/mpu/core.yaml by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// Operations, reasons and operand memory of the multi-precision core.
package pm_mpu_pkg;

  // How an operation ended.
  typedef enum logic [7:0] {
    ReasonOk = 8'd0,
    ReasonIllegalCommand = 8'd1,
    ReasonNoModulus = 8'd17,
    ReasonNoCurve = 8'd2,
    ReasonSecretRefused = 8'd11,
    ReasonModulusNotOdd = 8'd3,
    ReasonParameterOutOfRange = 8'd4,
    ReasonSingularCurve = 8'd5,
    ReasonOperandOutOfRange = 8'd16,
    ReasonInvalidPoint = 8'd6,
    ReasonScalarOutOfRange = 8'd7,
    ReasonNotInvertible = 8'd8,
    ReasonResultOffCurve = 8'd15,
    ReasonBusError = 8'd18,
    ReasonAborted = 8'd10
  } mpu_reason_e;

  // Operations; every number not listed is illegal.
  typedef enum logic [7:0] {
    OpcodeLoadModulus = 8'd1,
    OpcodeLoadCurve = 8'd2,
    OpcodeAdd = 8'd3,
    OpcodeSub = 8'd4,
    OpcodeMul = 8'd5,
    OpcodeReduction = 8'd6,
    OpcodeMontMul = 8'd7,
    OpcodeInvert = 8'd8,
    OpcodeMontInvert = 8'd9,
    OpcodeAffineAdd = 8'd10,
    OpcodeAffineDq = 8'd11,
    OpcodeEcmul = 8'd12,
    OpcodeEcmulJoye = 8'd13
  } mpu_opcode_e;

  // What has to be loaded for an operation.
  typedef enum logic [1:0] {
    NeedsNothing = 2'd0,
    NeedsModulus = 2'd1,
    NeedsCurve = 2'd2
  } mpu_needs_e;

  // Operand memory: bits of an entry, lanes of 128 bits, bytes from one entry to the next, entries, buffers.
  localparam int unsigned NumberBits = 704;
  localparam int unsigned Lanes = 6;
  localparam int unsigned Stride = 128;
  localparam int unsigned Entries = 16;
  localparam int unsigned Buffers = 5;

  // Entries with a meaning: the scalar, parameters, what loading gives.
  localparam int unsigned EntryK = 8;
  localparam int unsigned EntryP = 10;
  localparam int unsigned EntryA = 11;
  localparam int unsigned EntryB = 12;
  localparam int unsigned EntryOne = 13;
  localparam int unsigned EntryR2 = 14;
  localparam int unsigned EntryUnit = 15;

  // Whether an opcode is defined.
  function automatic logic opcode_legal(logic [7:0] opcode);
    unique case (opcode)
      OpcodeLoadModulus: return 1'b1;
      OpcodeLoadCurve: return 1'b1;
      OpcodeAdd: return 1'b1;
      OpcodeSub: return 1'b1;
      OpcodeMul: return 1'b1;
      OpcodeReduction: return 1'b1;
      OpcodeMontMul: return 1'b1;
      OpcodeInvert: return 1'b1;
      OpcodeMontInvert: return 1'b1;
      OpcodeAffineAdd: return 1'b1;
      OpcodeAffineDq: return 1'b1;
      OpcodeEcmul: return 1'b1;
      OpcodeEcmulJoye: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  // Whether operands and results are points; 0 for an undefined opcode.
  function automatic logic opcode_points(logic [7:0] opcode);
    unique case (opcode)
      OpcodeAffineAdd: return 1'b1;
      OpcodeAffineDq: return 1'b1;
      OpcodeEcmul: return 1'b1;
      OpcodeEcmulJoye: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  // Whether there is a second operand; 0 for an undefined opcode.
  function automatic logic opcode_second(logic [7:0] opcode);
    unique case (opcode)
      OpcodeAdd: return 1'b1;
      OpcodeSub: return 1'b1;
      OpcodeMul: return 1'b1;
      OpcodeReduction: return 1'b1;
      OpcodeMontMul: return 1'b1;
      OpcodeAffineAdd: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  // Whether there are two results; 0 for an undefined opcode.
  function automatic logic opcode_both(logic [7:0] opcode);
    unique case (opcode)
      OpcodeMul: return 1'b1;
      OpcodeAffineDq: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  // Whether operands may be secret; 0 for an undefined opcode.
  function automatic logic opcode_secret(logic [7:0] opcode);
    unique case (opcode)
      OpcodeAdd: return 1'b1;
      OpcodeSub: return 1'b1;
      OpcodeMul: return 1'b1;
      OpcodeReduction: return 1'b1;
      OpcodeMontMul: return 1'b1;
      OpcodeInvert: return 1'b1;
      OpcodeMontInvert: return 1'b1;
      OpcodeEcmul: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  // What has to be loaded; nothing for an undefined opcode.
  function automatic mpu_needs_e opcode_needs(logic [7:0] opcode);
    unique case (opcode)
      OpcodeLoadModulus: return NeedsNothing;
      OpcodeLoadCurve: return NeedsNothing;
      OpcodeAdd: return NeedsModulus;
      OpcodeSub: return NeedsModulus;
      OpcodeMul: return NeedsNothing;
      OpcodeReduction: return NeedsModulus;
      OpcodeMontMul: return NeedsModulus;
      OpcodeInvert: return NeedsModulus;
      OpcodeMontInvert: return NeedsModulus;
      OpcodeAffineAdd: return NeedsCurve;
      OpcodeAffineDq: return NeedsCurve;
      OpcodeEcmul: return NeedsCurve;
      OpcodeEcmulJoye: return NeedsCurve;
      default: return NeedsNothing;
    endcase
  endfunction

endpackage
