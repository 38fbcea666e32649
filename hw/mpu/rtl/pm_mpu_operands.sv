// SPDX-License-Identifier: Apache-2.0
//
// Operands and results of `mpu` in the operand memory: which entry a word reads or writes, what it
// has to be below, and which buffers hold the point at infinity.
//
// Computes: mem_raddr_o, the entry of the external value of a word: an entry, a coordinate of a
//           buffer's point, a parameter that is loaded, or the scalar. check_o: it is a number of
//           the field, which has to be below p. over_o: since start_i a word was issued that read a
//           number to be reduced that is not below R. mem_we_o, mem_waddr_o: the entry of the
//           result of a unit; infinity_we_o, infinity_o: flags that a unit sets.
// Timing:   entries, flags to be set and check_o follow their word or unit in the same cycle;
//           over_o is there five cycles after the word was issued.
// Reset:    none; start_i (an operation begins) clears over_o.
// Constant time: yes; addresses depend on the command, and in the Joye ladder on its scalar.
module pm_mpu_operands
  import pm_dual_ucode_pkg::*;
  import pm_mpu_full_ucode_pkg::*;
  import pm_mpu_pkg::*;
  import pm_mpu_types_pkg::*;
#(
    localparam int unsigned Width = NumberBits,
    localparam int unsigned EntryBits = $clog2(Entries),
    localparam int unsigned DigitBits = $clog2(Width / 32 + 1)
) (
    input logic clk_i,  // clock
    input logic start_i,  // pulse: an operation begins
    input logic [7:0] op_i,  // it
    input places_t at_i,  // places of its operands and results
    input logic [3:0] ahead_src1_i,  // those of its operands in the next cycle
    input logic [3:0] ahead_src2_i,
    input logic issue_i,  // a word is issued
    input logic [3:0] ext_i,  // its external value
    input logic unit_start_i,  // pulse: start the unit that is named
    input named_t unit_i,  // side unit
    input logic zero_i,  // the latest zero flag
    input logic scalar_zero_i,  // the scalar is 0
    input logic [DigitBits-1:0] digits_i,  // digits of the modulus
    input logic [Width-1:0] value_i,  // the external value, three cycles later than ext_i's
    output logic check_o,  // it has to be below p
    output logic over_o,  // a number to be reduced was not below R
    // operand memory
    output logic [EntryBits-1:0] mem_raddr_o,
    output logic mem_we_o,
    output logic [EntryBits-1:0] mem_waddr_o,
    // points at infinity
    input logic [Buffers-1:0] infinity_i,  // buffers that hold it
    output logic infinite1_o,  // the first operand does
    output logic infinite2_o,  // the second operand does
    output logic [Buffers-1:0] infinity_we_o,  // buffers whose flag is set to infinity_o
    output logic infinity_o
);

  // The operation is there before its first word.
  logic points, loading, points_q;

  assign points  = opcode_points(op_i);
  assign loading = op_i == OpcodeLoadModulus || op_i == OpcodeLoadCurve;

  always_ff @(posedge clk_i) points_q <= points;

  // ---- addresses --------------------------------------------------------------------------------

  typedef enum logic {
    CoordinateX,
    CoordinateY
  } coordinate_e;

  // A number is an entry, a point of a buffer has two.
  function automatic logic [EntryBits-1:0] entry_of(logic point, logic [3:0] place);
    return point ? {place[2:0], CoordinateX} : place;
  endfunction

  function automatic logic [EntryBits-1:0] y_of(logic [2:0] point);
    return {point, CoordinateY};
  endfunction

  // What a word may read is known before it.
  logic [EntryBits-1:0] x1_q, y1_q, x2_q, y2_q, n1_q, n2_q;

  always_ff @(posedge clk_i) begin
    x1_q <= loading ? EntryBits'(EntryA) : entry_of(points, ahead_src1_i);
    y1_q <= y_of(ahead_src1_i[2:0]);
    x2_q <= loading ? EntryBits'(EntryB) : entry_of(points, ahead_src2_i);
    y2_q <= y_of(ahead_src2_i[2:0]);
    n1_q <= loading ? EntryBits'(EntryP) : ahead_src1_i;
    n2_q <= points ? EntryBits'(EntryK) : ahead_src2_i;
  end

  always_comb begin
    unique case (ext_e'(ext_i))
      ExtX1:   mem_raddr_o = x1_q;
      ExtY1:   mem_raddr_o = y1_q;
      ExtX2:   mem_raddr_o = x2_q;
      ExtY2:   mem_raddr_o = y2_q;
      ExtN2:   mem_raddr_o = n2_q;
      default: mem_raddr_o = n1_q;
    endcase
  end

  localparam named_t Puts = named(
      UnitPutX1
  ) | named(
      UnitPutY1
  ) | named(
      UnitPutX2
  ) | named(
      UnitPutY2
  ) | named(
      UnitPutOne
  ) | named(
      UnitPutR2
  ) | named(
      UnitPutUnit
  );
  logic [EntryBits-1:0] waddr;

  always_comb begin
    waddr = '0;
    if (names(unit_i, named(UnitPutX1))) waddr |= entry_of(points_q, at_i.dst1);
    if (names(unit_i, named(UnitPutY1))) waddr |= y_of(at_i.dst1[2:0]);
    if (names(unit_i, named(UnitPutX2))) waddr |= entry_of(points_q, at_i.dst2);
    if (names(unit_i, named(UnitPutY2))) waddr |= y_of(at_i.dst2[2:0]);
    if (names(unit_i, named(UnitPutOne))) waddr |= EntryBits'(EntryOne);
    if (names(unit_i, named(UnitPutR2))) waddr |= EntryBits'(EntryR2);
    if (names(unit_i, named(UnitPutUnit))) waddr |= EntryBits'(EntryUnit);
  end

  assign mem_we_o = unit_start_i && names(unit_i, Puts);
  assign mem_waddr_o = waddr;

  // ---- ranges -----------------------------------------------------------------------------------

  localparam int unsigned Digits = Width / 32;

  assign check_o = ext_e'(ext_i) inside {ExtX1, ExtY1, ExtX2, ExtY2};

  // The value is there two cycles after its word was issued, or before, and stays for two.
  logic [Digits-1:0] some_q;  // digits that are not 0
  logic [3:0] reduced_q;  // a number to be reduced was read
  logic over_q;

  always_ff @(posedge clk_i) begin
    over_q <= 1'b0;
    for (int unsigned i = 0; i < Digits; i++) begin
      some_q[i] <= value_i[32*i+:32] != '0;
      if (some_q[i] && DigitBits'(i) >= digits_i) over_q <= 1'b1;
    end
    reduced_q <= {reduced_q[2:0], issue_i && ext_e'(ext_i) == ExtN1 && op_i == OpcodeReduction};
    if (start_i) over_o <= 1'b0;
    else if (reduced_q[3] && over_q) over_o <= 1'b1;
  end

  // ---- points at infinity -----------------------------------------------------------------------

  logic first_flag, second_flag;

  localparam named_t First = named(UnitFinite1) | named(UnitInfinite1) | named(UnitNoteInfinity);
  localparam named_t Second = named(UnitFinite2) | named(UnitInfinite2);
  localparam named_t Infinite = named(UnitInfinite1) | named(UnitInfinite2);

  assign first_flag  = unit_start_i && names(unit_i, First);
  assign second_flag = unit_start_i && names(unit_i, Second);

  always_comb begin
    infinity_o = names(unit_i, Infinite);
    if (names(unit_i, named(UnitNoteInfinity))) infinity_o = zero_i || scalar_zero_i;
  end

  always_comb begin
    infinite1_o   = 1'b0;
    infinite2_o   = 1'b0;
    infinity_we_o = '0;
    for (int unsigned i = 0; i < Buffers; i++) begin
      if (at_i.src1 == 4'(i)) infinite1_o = infinity_i[i];
      if (at_i.src2 == 4'(i)) infinite2_o = infinity_i[i];
      if (first_flag && at_i.dst1 == 4'(i)) infinity_we_o[i] = 1'b1;
      if (second_flag && at_i.dst2 == 4'(i)) infinity_we_o[i] = 1'b1;
    end
  end

endmodule
