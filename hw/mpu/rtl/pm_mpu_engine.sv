// SPDX-License-Identifier: Apache-2.0
//
// Engine of `mpu`: one operation at a time on a datapath of one Montgomery multiplier and one
// modular adder of 704 bits, with parameters, inverter, scans of the scalar and access to the
// operand memory beside it.
//
// Computes: one operation of hw/mpu/core.yaml (programs: hw/mpu/ucode) on numbers of the operand
//           memory. Modulus and curve stay from one operation to the next.
// Handshake: start_i (pulse, when idle_o) begins an operation; its inputs must hold from the cycle
//           before until finish_o, a pulse with the reason, which may come in the cycle of start_i.
//           clear_i abandons the operation and wipes registers and scalar, which an operation on
//           secrets does at its end, before finish_o.
// Memory:   what is read is there in the cycle after its address, what is written in the second
//           cycle after; its data follow the address in the next cycle.
// Reset:    asynchronous, active low: idle, no modulus, no curve. Data registers are wiped by
//           clear_i.
// Constant time: an operation marked secret YES, for a given modulus: the sequencer rejects
//           whatever depends on data. Of ecmul for all k below 2n - 2, n the order of the point
//           (docs/mpu.md). Operations without the mark, and those that may not have it, NO.
// Source:   Tanaka 2020, "Implementation of multi-precision arithmetic unit on FPGA SoC":
//           operations and buffers.
module pm_mpu_engine
  import pm_dual_ucode_pkg::*;
  import pm_mpu_full_ucode_pkg::*;
  import pm_mpu_pkg::*;
  import pm_mpu_types_pkg::*;
#(
    localparam int unsigned Width = NumberBits,
    localparam int unsigned EntryBits = $clog2(Entries),
    localparam int unsigned DigitBits = $clog2(Width / 32 + 1),
    localparam int unsigned CountBits = $clog2(Width / 16 + 1),
    localparam int unsigned BitsBits = $clog2(Width + 1)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic start_i,  // pulse: begin
    input logic clear_i,  // pulse: abandon, forget modulus and curve
    output logic idle_o,  // no operation
    input command_t command_i,  // it
    input logic [9:0] scalar_bits_i,  // bits of a scalar; 0: one more than p has
    input logic [Buffers-1:0] infinity_i,  // buffers that hold infinity
    output logic [Buffers-1:0] infinity_we_o,  // buffers whose flag is set to infinity_o
    output logic infinity_o,
    // operand memory
    output logic [EntryBits-1:0] mem_raddr_o,
    input logic [Width-1:0] mem_rdata_i,
    output logic mem_we_o,
    output logic [EntryBits-1:0] mem_waddr_o,
    output logic [Width-1:0] mem_wdata_o,
    // what comes of it
    output logic finish_o,  // pulse: the operation ends
    output mpu_reason_e reason_o,  // how
    output logic modulus_o,  // a modulus is loaded
    output logic curve_o,  // a curve is loaded
    output logic [BitsBits-1:0] bits_o,  // bits of p
    output logic [DigitBits-1:0] digits_o  // digits of p
);

  // ---- program ----------------------------------------------------------------------------------

  mpu_reason_e refusal, refusal_q;
  word_t rom_word;
  logic begin_program, issue, unit_start, dispatch, finish, violation, wipe, wipe_q;
  logic [ArgBits-1:0] rom_addr, dispatch_addr, entry, arg;
  logic [(1 << ConditionBits)-1:0] conditions;
  logic wants, hold, first;

  pm_mpu_refusal u_refusal (
      .command_i,
      .modulus_i(modulus_o),
      .curve_i  (curve_o),
      .refusal_o(refusal)
  );

  always_ff @(posedge clk_i) refusal_q <= refusal;

  assign begin_program = start_i && refusal_q == pm_mpu_pkg::ReasonOk;

  always_comb begin
    unique case (command_i.op)
      OpcodeAdd, OpcodeSub: entry = ArgBits'(EntryAdd);
      OpcodeMul: entry = ArgBits'(EntryMul);
      OpcodeReduction: entry = ArgBits'(EntryReduction);
      OpcodeMontMul: entry = ArgBits'(EntryMontMul);
      OpcodeInvert, OpcodeMontInvert: entry = ArgBits'(EntryInvert);
      OpcodeAffineAdd: entry = ArgBits'(EntryAffineAdd);
      OpcodeAffineDq: entry = ArgBits'(EntryAffineDq);
      OpcodeEcmul: entry = ArgBits'(EntryEcmul);
      OpcodeEcmulJoye: entry = ArgBits'(EntryEcmulJoye);
      default: entry = ArgBits'(EntryLoad);
    endcase
  end

  logic unused_addr;
  assign unused_addr = ^{rom_addr[ArgBits-1:RomAddrBits], arg[ArgBits-1:8]};

  pm_mpu_full_rom u_rom (
      .clk_i,
      .addr_i(rom_addr[RomAddrBits-1:0]),
      .data_o(rom_word)
  );

  named_t unit_q;

  always_ff @(posedge clk_i) unit_q <= named(rom_word.ctl_arg);

  pm_mpu_sequencer #(
      .Public(PublicConditions)
  ) u_sequencer (
      .clk_i,
      .rst_ni,
      .start_i(begin_program),
      .entry_i(entry),
      .clear_i,
      .secret_i(command_i.secret),
      .idle_o,
      .rom_addr_o(rom_addr),
      .rom_word_i(rom_word),
      .first_i(first),
      .wants_o(wants),
      .issue_o(issue),
      .hold_i(hold),
      .conditions_i(conditions),
      .dispatch_addr_i(dispatch_addr),
      .unit_start_o(unit_start),
      .dispatch_o(dispatch),
      .finish_o(finish),
      .violation_o(violation),
      .arg_o(arg)
  );

  // An operation on secrets ends when the registers are clear.
  logic ends, ending_q, wiping;
  mpu_reason_e reason, reason_q;

  assign ends   = finish || violation;
  assign reason = violation ? ReasonSecretRefused : mpu_reason_e'(arg[7:0]);
  assign wipe   = clear_i || wipe_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wipe_q   <= 1'b0;
      ending_q <= 1'b0;
    end else begin
      wipe_q   <= ends && command_i.secret;
      ending_q <= !clear_i && ((ends && command_i.secret) || (ending_q && !finish_o));
    end
  end

  always_ff @(posedge clk_i) if (ends) reason_q <= reason;

  always_comb begin
    if (start_i) finish_o = refusal_q != pm_mpu_pkg::ReasonOk;
    else if (ending_q) finish_o = !wipe_q && !wiping;
    else finish_o = ends && !command_i.secret;
  end

  assign reason_o = start_i ? refusal_q : ending_q ? reason_q : reason;

  // ---- datapath ---------------------------------------------------------------------------------

  logic [Width-1:0] ext, operand, value, p, param, low;
  logic [31:0] low_pinv;
  logic [CountBits-1:0] product_digits;
  logic [3:0] ext_at;
  logic plain, pinv_load, index, held, check, zero, zeros_met, reached;

  pm_mpu_datapath #(
      .Width(Width),
      .Held (pm_mpu_full_ucode_pkg::Held)
  ) u_datapath (
      .clk_i,
      .rst_ni,
      .wipe_i(wipe),
      .p_i(p),
      .pinv_load_i(pinv_load),
      .digits_i(product_digits),
      .plain_i(plain),
      .word_i(rom_word),
      .valid_i(wants),
      .hold_o(hold),
      .first_o(first),
      .wiping_o(wiping),
      .index_i(index),
      .held_i(held),
      .ext_o(ext_at),
      .ext_i(ext),
      .check_i(check),
      .operand_o(operand),
      .value_o(value),
      .low_o(low),
      .forget_i(start_i || (unit_start && names(unit_q, named(UnitClearZeros)))),
      .forget_reached_i(start_i),
      .zero_o(zero),
      .met_o(zeros_met),
      .reached_o(reached)
  );

  // ---- parameters -------------------------------------------------------------------------------

  logic setup_done, setup_error;

  pm_mpu_params u_params (
      .clk_i,
      .rst_ni,
      .forget_i(clear_i),
      .start_i,
      .unit_start_i(unit_start),
      .unit_i(unit_q),
      .operand_i(operand),
      .modulus_o(p),
      .low_pinv_o(low_pinv),
      .pinv_load_o(pinv_load),
      .plain_o(plain),
      .digits_o(product_digits),
      .field_digits_o(digits_o),
      .bits_o,
      .ext_i(ext_at[1:0]),
      .value_o(param),
      .setup_done_o(setup_done),
      .setup_error_o(setup_error),
      .modulus_ok_o(modulus_o),
      .curve_ok_o(curve_o)
  );

  // ---- inverter ---------------------------------------------------------------------------------

  logic inverted, inverter_error;
  logic [Width-1:0] inverse;

  pm_mpu_inverter #(
      .Width(Width)
  ) u_inverter (
      .clk_i,
      .rst_ni,
      .start_i,
      .wipe_i(wipe),
      .unit_start_i(unit_start),
      .unit_i(unit_q),
      .operand_i(operand),
      .p_i(p),
      .bits_i(bits_o),
      .done_o(inverted),
      .error_o(inverter_error),
      .value_o(inverse)
  );

  // ---- scans of the scalar ----------------------------------------------------------------------

  logic more_bits, too_long, scalar_zero, walking;
  places_t at;
  logic [3:0] ahead_src1, ahead_src2;

  pm_mpu_scan #(
      .Width(Width)
  ) u_scan (
      .clk_i,
      .start_i,
      .wipe_i(wipe),
      .unit_start_i(unit_start),
      .unit_i(unit_q),
      .operand_i(operand),
      .dispatch_i(dispatch),
      .zero_i(zero),
      .scalar_bits_i,
      .bits_i(bits_o),
      .at_i(command_i.at),
      .index_o(index),
      .held_o(held),
      .more_bits_o(more_bits),
      .too_long_o(too_long),
      .zero_o(scalar_zero),
      .walking_o(walking),
      .address_o(dispatch_addr),
      .at_o(at),
      .ahead_src1_o(ahead_src1),
      .ahead_src2_o(ahead_src2)
  );

  // ---- operands and results ---------------------------------------------------------------------

  logic over, infinite1, infinite2, infinity;
  logic [EntryBits-1:0] mem_raddr;
  logic [  Buffers-1:0] infinity_we;

  pm_mpu_operands u_operands (
      .clk_i,
      .start_i,
      .op_i(command_i.op),
      .at_i(at),
      .ahead_src1_i(ahead_src1),
      .ahead_src2_i(ahead_src2),
      .issue_i(issue),
      .ext_i(rom_word.ext),
      .unit_start_i(unit_start),
      .unit_i(unit_q),
      .zero_i(zero),
      .scalar_zero_i(scalar_zero),
      .digits_i(digits_o),
      .value_i(value),
      .check_o(check),
      .over_o(over),
      .mem_raddr_o(mem_raddr),
      .mem_we_o,
      .mem_waddr_o,
      .infinity_i,
      .infinite1_o(infinite1),
      .infinite2_o(infinite2),
      .infinity_we_o(infinity_we),
      .infinity_o(infinity)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) infinity_we_o <= '0;
    else infinity_we_o <= infinity_we;
  end

  always_ff @(posedge clk_i) infinity_o <= infinity;

  assign mem_wdata_o = operand;

  // ---- external values, conditions --------------------------------------------------------------

  // Where an external value comes from, for every part of it; a brief one has 32 bits.
  typedef enum logic [1:0] {
    FromMemory,
    FromParams,
    FromInverter,
    FromProduct
  } from_e;

  typedef struct packed {
    from_e from;
    logic brief;
  } source_t;

  localparam int unsigned Part = 64;
  localparam int unsigned Parts = (Width + Part - 1) / Part;

  logic on_curve_q, pinv_q;
  source_t source;
  source_t [Parts-1:0] source_q;

  always_comb begin
    source = '{from : FromMemory, brief: 1'b0};
    unique case (ext_e'(ext_at))
      ExtPlainOne, ExtPinv: source.brief = 1'b1;
      ExtOne, ExtR2, ExtA, ExtB: source.from = FromParams;
      ExtInv: source.from = FromInverter;
      ExtLow: source.from = FromProduct;
      default: ;
    endcase
  end

  pm_copies #(
      .Bits  ($bits(source_t)),
      .Copies(Parts)
  ) u_source (
      .clk_i,
      .d_i(source),
      .q_o(source_q)
  );

  always_ff @(posedge clk_i) begin
    mem_raddr_o <= mem_raddr;
    pinv_q <= ext_e'(ext_at) == ExtPinv;
  end

  for (genvar i = 0; i < Width; i++) begin : gen_ext
    logic chosen;
    always_comb begin
      unique case (source_q[i/Part].from)
        FromParams: chosen = param[i];
        FromInverter: chosen = inverse[i];
        FromProduct: chosen = low[i];
        default: chosen = mem_rdata_i[i];
      endcase
    end
    if (i < 32) begin : gen_brief
      assign ext[i] = source_q[0].brief ? (pinv_q ? low_pinv[i] : i == 0) : chosen;
    end else begin : gen_wide
      assign ext[i] = !source_q[i/Part].brief && chosen;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) on_curve_q <= 1'b0;
    else if (unit_start && names(unit_q, named(UnitNotePoint))) on_curve_q <= zero;
  end

  always_comb begin
    conditions = '0;
    conditions[CondAlways] = 1'b1;
    conditions[CondZero0] = zero;
    conditions[CondMoreBits] = more_bits;
    conditions[CondInverterDone] = inverted;
    conditions[CondInverterError] = inverter_error;
    conditions[CondSetupDone] = setup_done;
    conditions[CondSetupError] = setup_error;
    conditions[CondOutOfRange] = reached || over;
    conditions[CondWalkTooLong] = too_long;
    conditions[CondInfinity1] = infinite1;
    conditions[CondInfinity2] = infinite2;
    conditions[CondOnCurve] = on_curve_q;
    conditions[CondWalking] = walking;
    conditions[CondCurve] = command_i.op == OpcodeLoadCurve;
    conditions[CondDomain] = command_i.op == OpcodeMontInvert;
    conditions[CondDifference] = command_i.op == OpcodeSub;
    conditions[CondZerosMet] = zeros_met;
  end

endmodule
