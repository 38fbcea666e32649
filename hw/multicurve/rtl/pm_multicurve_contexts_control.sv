// SPDX-License-Identifier: Apache-2.0
//
// Sequencer of pm_multicurve_contexts: each slot belongs to a context in turn, and has its next
// microinstruction, if it is due.
//
// Slot:      Columns cycles, with long_i or named_i those of the form of Columns, by
//            phase_o from 0 on. Its context's conditions and dispatch address are looked at in
//            phase 0, the next address is known in phase 3.
// Handshake: start_i[c] (pulse, when idle_o[c]) begins a job in context c, which gets its first
//            microinstruction in its next slot but one; finish_o (pulse) with finish_ctx_o and
//            reason_o ends it. ready_i, zero_i, exact_i and loading_i are conditions by context;
//            op_i is what its digit scan asks for, step_o (pulse) says that it was begun, with the
//            index index_i; again_o (pulse) that the scan is to begin again.
// Results:   a slot of an idle context with read_i gives a coordinate of its result to the units.
// Reset:     idle. Constant time: NO, the program branches on scalars.

module pm_multicurve_contexts_control
  import pm_multicurve_contexts_isa_pkg::*;
  import pm_multicurve_contexts_ucode_pkg::*;
  import pm_multicurve_contexts_pkg::*;
#(
    parameter  int unsigned Columns  = 6,                // digits of a number, 6 or 13
    parameter  int unsigned Contexts = 3,
    localparam int unsigned CtxBits  = $clog2(Contexts)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic long_i,  // longer slots
    input logic named_i,  // shorter ones
    input logic [Contexts-1:0] start_i,
    input logic curve_i,  // with it: a curve is loaded
    output logic [Contexts-1:0] idle_o,
    output logic [RomAddrBits-1:0] rom_addr_o,
    input word_t rom_word_i,  // word of the address of the last cycle
    output logic [3:0] phase_o,  // of the slot
    output logic last_o,  // its last cycle
    output logic [CtxBits-1:0] ctx_o,  // its context
    output word_t word_o,  // its microinstruction; zeros if there is none
    output logic index_o,  // of its digit
    input logic [Contexts-1:0] ready_i,
    input logic [Contexts-1:0] zero_i,
    input logic [Contexts-1:0] exact_i,
    input logic [Contexts-1:0] loading_i,
    input scan_op_e [Contexts-1:0] op_i,
    input logic [Contexts-1:0] index_i,
    output logic [Contexts-1:0] step_o,
    output logic finish_o,
    output logic [CtxBits-1:0] finish_ctx_o,
    output reason_e reason_o,
    output logic [Contexts-1:0] again_o,
    input logic [Contexts-1:0] read_i,
    input logic read_y_i  // y, not x
);

  localparam form_t Form = form(Columns);

  logic [Contexts-1:0] active_q, started_q;
  logic [Contexts-1:0][RomAddrBits-1:0] pc_q;
  logic [Contexts-1:0][1:0] wait_q;  // turns
  logic [CtxBits-1:0] next_ctx;
  logic valid_q;  // there is a word
  logic a_minus3_q, a_zero_q;  // coefficient of the curve

  assign idle_o = ~active_q;

  // ---- slots ------------------------------------------------------------------------------------

  logic [3:0] slot_q;  // its cycles

  always_ff @(posedge clk_i) begin
    if (named_i) slot_q <= 4'(Form.named_slot);
    else slot_q <= 4'(long_i ? Form.long_slot : Columns);
  end

  assign next_ctx = ctx_o == CtxBits'(Contexts - 1) ? '0 : ctx_o + CtxBits'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_o <= '0;
      last_o  <= 1'b0;
      ctx_o   <= '0;
      valid_q <= 1'b0;
      word_o  <= '0;
    end else begin
      phase_o <= last_o ? '0 : phase_o + 4'd1;
      last_o  <= phase_o >= slot_q - 4'd2 && !last_o;
      if (last_o) begin
        ctx_o   <= next_ctx;
        valid_q <= active_q[next_ctx] && wait_q[next_ctx] == '0;
        word_o  <= '0;
        if (!active_q[next_ctx]) begin
          if (read_i[next_ctx]) begin
            word_o.ctl_op   <= CtlStart;
            word_o.ctl_arg  <= read_y_i ? UnitResultY : UnitResultX;
            word_o.u.number <= RegisterBits'(read_y_i ? ResultY : ResultX);
          end
        end else if (wait_q[next_ctx] == '0) word_o <= rom_word_i;
      end
    end
  end

  // It stands long before the slot begins.
  always_ff @(posedge clk_i) rom_addr_o <= pc_q[next_ctx];

  always_ff @(posedge clk_i) if (last_o) index_o <= index_i[next_ctx];

  // ---- next address -----------------------------------------------------------------------------

  logic holds, holds_q, finish;
  logic [RomAddrBits-1:0] dispatch_addr, dispatch_addr_q, following_q, next_pc_q;
  logic [1:0] delay_q;
  logic [2**$bits(word_o.ctl_cond)-1:0] conditions;

  always_comb begin
    conditions = '0;
    conditions[CondAlways] = 1'b1;
    conditions[CondZero] = zero_i[ctx_o];
    conditions[CondReady] = ready_i[ctx_o];
    conditions[CondExact] = exact_i[ctx_o];
    conditions[CondLoading] = loading_i[ctx_o];
    conditions[CondLong] = long_i || (named_i && Form.named_digits > Columns);
    conditions[CondWide] = Columns > 6;
  end

  always_comb begin
    unique case (op_i[ctx_o])
      ScanNothing: dispatch_addr = AtWalkNothing;
      ScanDouble: begin
        if (a_minus3_q) dispatch_addr = AtWalkDoubleM3;
        else dispatch_addr = a_zero_q ? AtWalkDouble0 : AtWalkDoubleAny;
      end
      ScanAdd: dispatch_addr = exact_i[ctx_o] ? AtWalkExactAdd : AtWalkAdd;
      ScanDoubleAdd: dispatch_addr = AtWalkDoubleAdd;
      ScanPowerOne: dispatch_addr = AtWalkPowerOne;
      ScanPowerZero: dispatch_addr = AtWalkPowerZero;
      ScanPowerEnd: dispatch_addr = AtWalkPowerEnd;
      default: dispatch_addr = AtWalkEnd;
    endcase
  end

  assign holds  = conditions[word_o.ctl_cond] != word_o.ctl_inv;
  assign finish = valid_q && phase_o == 4'd1 && word_o.ctl_op == CtlFinish && holds_q;

  // Conditions and addresses in the first phase, the next address in the second.
  always_ff @(posedge clk_i) begin
    holds_q <= holds;
    dispatch_addr_q <= dispatch_addr;
    delay_q <= word_o.delay;
    following_q <= pc_q[ctx_o] + RomAddrBits'(1);
    next_pc_q <= following_q;
    if (word_o.ctl_op == CtlDispatch) next_pc_q <= dispatch_addr_q;
    else if (word_o.ctl_op == CtlBranch && holds_q) next_pc_q <= RomAddrBits'(word_o.ctl_arg);
    else if (word_o.ctl_op == CtlWait && !holds_q) begin
      next_pc_q <= pc_q[ctx_o];
      delay_q   <= '0;
    end
    if (valid_q && phase_o == '0 && word_o.ctl_op == CtlStart) begin
      if (word_o.ctl_arg == UnitKindZero) a_zero_q <= zero_i[ctx_o];
      if (word_o.ctl_arg == UnitKindMinus3) a_minus3_q <= zero_i[ctx_o];
    end
    finish_ctx_o <= ctx_o;
    reason_o <= reason_e'(word_o.ctl_arg[$bits(reason_o)-1:0]);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      finish_o <= 1'b0;
      step_o   <= '0;
      again_o  <= '0;
    end else begin
      finish_o <= finish;
      for (int unsigned c = 0; c < Contexts; c++) begin
        step_o[c] <= valid_q && phase_o == '0 && ctx_o == CtxBits'(c) &&
            word_o.ctl_op == CtlDispatch;
        again_o[c] <= valid_q && phase_o == '0 && ctx_o == CtxBits'(c) &&
            word_o.ctl_op == CtlStart && word_o.ctl_arg == UnitAgain;
      end
    end
  end

  for (genvar c = 0; c < int'(Contexts); c++) begin : gen_context
    logic due;  // its address is the next one; a start in the phase before has said it
    assign due = ctx_o == CtxBits'(c) && phase_o == 4'd2 && !started_q[c];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) active_q[c] <= 1'b0;
      else if (start_i[c]) active_q[c] <= 1'b1;
      else if (finish && ctx_o == CtxBits'(c)) active_q[c] <= 1'b0;
    end

    always_ff @(posedge clk_i) begin
      started_q[c] <= start_i[c];
      if (start_i[c]) begin
        pc_q[c]   <= curve_i ? EntryLoadCurve : EntryEcmul;
        wait_q[c] <= 2'd1;
      end else if (valid_q && due) begin
        pc_q[c]   <= next_pc_q;
        wait_q[c] <= delay_q;
      end else if (!valid_q && due && wait_q[c] != '0) begin
        wait_q[c] <= wait_q[c] - 2'd1;
      end
    end
  end

endmodule
