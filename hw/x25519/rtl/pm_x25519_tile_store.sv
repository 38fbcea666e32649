// SPDX-License-Identifier: Apache-2.0
//
// What pm_x25519_tile writes into its registers and scalars: constants, the operands of a job, and
// zeros when it is done.
//
// After reset and clear_i all contexts are wiped and the constants are written. A job is taken when
// its operands are written, in a cycle in which turn_i is 1. A context is wiped Drain cycles after
// wipe_i was raised for it, when no word of it is under way any more.
//
// Handshake: job_valid_i with its operands holds until job_ready_o or clear_i. room_i: context
//           put_i is free. wipe_i asks for context clean_i until wiped_o pulses. load_* are those
//           of pm_half_datapath, scalar_* those of pm_x25519_tile_digits.
// Secrets:  nothing of a job is kept here. Constant time.
// Reset:    asynchronous, active low.

module pm_x25519_tile_store
  import pm_x25519_pkg::*;
  import pm_x25519_tile_pkg::*;
  import pm_x25519_tile_ucode_pkg::*;
#(
    parameter  int unsigned NumContexts = 5,                   // contexts, at least 2
    localparam int unsigned CtxBits     = $clog2(NumContexts)
) (
    input  logic                clk_i,          // clock
    input  logic                rst_ni,         // asynchronous reset, active low
    input  logic                clear_i,        // begin anew
    input  logic                turn_i,         // a job may be taken in this cycle
    input  logic                job_valid_i,    // a job is offered
    output logic                job_ready_o,    // pulse: it is taken
    input  logic [       255:0] job_k_i,        // its scalar, as received
    input  logic [       254:0] job_u_i,        // its coordinate
    input  logic                room_i,         // there is a context for it
    input  logic [ CtxBits-1:0] put_i,          // this one
    input  logic                wipe_i,         // a context is to be wiped
    input  logic [ CtxBits-1:0] clean_i,        // this one
    output logic                wiped_o,        // pulse: it is
    output logic [ CtxBits-1:0] ctx_o,          // context that is written
    output logic                scalar_we_o,    // write a part of its scalar
    output logic [         3:0] scalar_part_o,  // this one
    output logic [        15:0] scalar_data_o,
    output logic                forget_o,       // pulse: forget its digit
    output logic                load_valid_o,   // half of a register
    input  logic                load_ready_i,   // it is taken
    output logic [AddrBits-1:0] load_addr_o,
    output logic                load_upper_o,
    output logic [       128:0] load_data_o
);

  // Cycles after which everything that a context has begun is written: a product and what comes
  // before and behind it.
  localparam int unsigned Drain = 63;

  typedef enum logic [2:0] {
    Idle,
    Waits,      // for what is under way
    Wipe,
    Constants,
    Scalar,
    Operand,
    Offered     // the job can be taken
  } state_e;

  state_e state_q;
  logic all_q;  // all contexts are wiped, then the constants written
  logic upper_q;
  logic [5:0] count_q;  // of cycles, registers, parts
  logic [CtxBits-1:0] ctx_q;
  logic taken, last_context;
  logic [255:0] k;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [254:0] constant;
  /* verilator lint_on UNUSEDSIGNAL */

  assign taken = load_valid_o && load_ready_i;
  assign last_context = 32'(ctx_q) == NumContexts - 1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Waits;
      all_q   <= 1'b1;
      upper_q <= 1'b0;
      count_q <= '0;
      ctx_q   <= '0;
    end else if (clear_i) begin
      state_q <= Waits;
      all_q   <= 1'b1;
      upper_q <= 1'b0;
      count_q <= '0;
      ctx_q   <= '0;
    end else begin
      unique case (state_q)
        Waits: begin
          count_q <= count_q + 6'd1;
          if (count_q == 6'(Drain)) begin
            state_q <= Wipe;
            count_q <= '0;
          end
        end
        Wipe:
        if (taken) begin
          upper_q <= !upper_q;
          if (upper_q) count_q <= count_q + 6'd1;
          if (upper_q && count_q == 6'(Stride - 1)) begin
            count_q <= '0;
            if (all_q && !last_context) ctx_q <= ctx_q + CtxBits'(1);
            else state_q <= all_q ? Constants : Idle;
          end
        end
        Constants:
        if (taken) begin
          upper_q <= !upper_q;
          if (upper_q) count_q <= count_q + 6'd1;
          if (upper_q && count_q == 6'(ConstantExts - 1)) begin
            all_q   <= 1'b0;
            state_q <= Idle;
          end
        end
        Scalar: begin
          count_q <= count_q + 6'd1;
          if (count_q == 6'd15) state_q <= Operand;
        end
        Operand:
        if (taken) begin
          upper_q <= !upper_q;
          if (upper_q) state_q <= Offered;
        end
        Offered: if (job_ready_o) state_q <= Idle;
        default: begin
          count_q <= '0;
          if (wipe_i) begin
            state_q <= Waits;
            ctx_q   <= clean_i;
          end else if (job_valid_i && room_i) begin
            state_q <= Scalar;
            ctx_q   <= put_i;
          end
        end
      endcase
    end
  end

  assign job_ready_o = state_q == Offered && turn_i && job_valid_i && !clear_i;
  assign wiped_o = state_q == Wipe && taken && upper_q && count_q == 6'(Stride - 1) && !all_q;
  assign ctx_o = ctx_q;

  // ---- scalars ----------------------------------------------------------------------------------

  assign k = pm_x25519_clamp(job_k_i);
  assign scalar_we_o = state_q == Scalar || (state_q == Wipe && count_q < 6'd16);
  assign scalar_part_o = count_q[3:0];
  assign scalar_data_o = state_q == Scalar ? k[16*count_q[3:0]+:16] : '0;
  assign forget_o = state_q == Wipe;

  // ---- registers --------------------------------------------------------------------------------

  assign constant = ext_constant(ext_e'(count_q[3:0]));
  assign load_valid_o = state_q inside {Wipe, Constants, Operand};
  assign load_upper_o = upper_q;

  always_comb begin
    load_addr_o = AddrBits'(NumContexts * Stride) + AddrBits'(count_q);
    if (state_q != Constants) begin
      for (int unsigned c = 0; c < NumContexts; c++) begin
        if (ctx_q == CtxBits'(c)) begin
          load_addr_o = AddrBits'(Stride * c) + AddrBits'(state_q == Wipe ? count_q : 6'(ExtBase));
        end
      end
    end
    unique case (state_q)
      Constants: load_data_o = upper_q ? '0 : constant[128:0];
      Operand:   load_data_o = upper_q ? 129'(job_u_i[254:129]) : job_u_i[128:0];
      default:   load_data_o = '0;
    endcase
  end

endmodule
