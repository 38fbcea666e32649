// Generated from hw/x25519/ucode by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// The datapath of `x25519`, configuration `randomised`, as its program knows it.
package pm_x25519_randomised_ucode_pkg;

  localparam int unsigned RomWords = 28;
  localparam int unsigned RomAddrBits = 5;

  // External values
  typedef enum logic [2:0] {
    ExtZero = 3'd0,  // constant
    ExtOne = 3'd1,  // constant
    ExtA24 = 3'd2,  // constant
    ExtU = 3'd3,  // the coordinate u of the job, below 2^255
    ExtR = 3'd4  // random, from 1 to 2^254 - 1
  } ext_e;

  // Conditions
  typedef enum logic [4:0] {
    CondAlways = 5'd0  // holds
  } cond_e;

  // What a program that works on secrets may ask for, by number
  localparam logic [31:0] PublicConditions = 32'h1;

  // Side units
  typedef enum logic [9:0] {
    UnitDigit = 10'd0,  // go to the next bit of the scalar: index is the bit XOR the bit before
    UnitResult = 10'd1  // the operand, which must be a product, is the result: carry it fully and reduce it
  } unit_e;

  // Where programs begin in the ROM
  localparam logic [RomAddrBits-1:0] EntryX25519 = 0;

  // Reasons with which a program ends
  typedef enum logic [0:0] {
    ReasonOk = 1'd0  // the result is under way
  } reason_e;

  // Registers that there are, by number
  localparam logic [7:0] Registers = 8'b01001111;

  // Registers that ports reach, by unit and port (0 x, 1 y)
  localparam logic [3:0][1:0][7:0] ReachRegisters = {
    {8'b01001100, 8'b00001011},
    {8'b01001101, 8'b01000111},
    {8'b01001110, 8'b00000011},
    {8'b01001100, 8'b01000111}
  };

  // External values that they reach
  localparam logic [3:0][1:0][7:0] ReachExternals = {
    {8'b00001001, 8'b00010010},
    {8'b00000101, 8'b00000001},
    {8'b00010001, 8'b00001000},
    {8'b00000001, 8'b00010000}
  };

  // Value of a constant; 0 for an input.
  function automatic logic [254:0] ext_constant(ext_e ext);
    unique case (ext)
      ExtZero: return 255'h0;
      ExtOne:  return 255'h1;
      ExtA24:  return 255'h1db42;
      default: return '0;
    endcase
  endfunction

endpackage
