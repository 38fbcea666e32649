// SPDX-License-Identifier: Apache-2.0
//
// What pm_x25519_tile writes into its registers and scalars: constants, the operands of a job, the
// inverse that it waits for, and zeros when it is done.
//
// After reset and clear_i all contexts are wiped and the constants are written. A job is taken when
// its operands are written, in the cycle after one in which turn_i is 1. Contexts are wiped Drain
// cycles after the last gone_i, when no word of them is under way any more.
//
// Handshake: job_valid_i with its operands holds until job_ready_o or clear_i. room_i: context
//           put_i is free. wipe_i asks for context clean_i until wiped_o pulses. inverse_valid_i
//           asks for the inverse of context inverse_ctx_i, until inverse_stored_o pulses; it may
//           fall before. load_* are those of pm_half_datapath, scalar_* those of
//           pm_x25519_tile_digits.
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
    input  logic                clk_i,             // clock
    input  logic                rst_ni,            // asynchronous reset, active low
    input  logic                clear_i,           // begin anew
    input  logic                turn_i,            // a job may be taken in the next cycle
    input  logic                job_valid_i,       // a job is offered
    output logic                job_ready_o,       // pulse: one is taken
    input  logic [       255:0] job_k_i,           // its scalar, as received
    input  logic [       254:0] job_u_i,           // its coordinate
    input  logic                room_i,            // there is a context for it
    input  logic [ CtxBits-1:0] put_i,             // this one
    input  logic                gone_i,            // pulse: a job is over
    input  logic                inverse_valid_i,   // an inverse is there
    input  logic [ CtxBits-1:0] inverse_ctx_i,     // of this context
    input  logic [       255:0] inverse_i,
    output logic                inverse_stored_o,  // pulse: it is in its register
    input  logic                wipe_i,            // a context is to be wiped
    input  logic [ CtxBits-1:0] clean_i,           // this one
    output logic                wiped_o,           // pulse: it is
    output logic [ CtxBits-1:0] ctx_o,             // context that is written
    output logic                scalar_we_o,       // write a part of its scalar
    output logic [         3:0] scalar_part_o,     // this one
    output logic [        15:0] scalar_data_o,
    output logic                forget_o,          // pulse: forget its digit
    output logic                load_valid_o,      // half of a register
    input  logic                load_ready_i,      // it is taken
    output logic [AddrBits-1:0] load_addr_o,
    output logic                load_upper_o,
    output logic [       128:0] load_data_o
);

  // Cycles after which everything that a context has begun is written: its last word may be issued
  // 2 cycles after clear_i, the upper half of a product is written 36 cycles after its word.
  localparam int unsigned Drain = 44;

  typedef enum logic [2:0] {
    Idle,
    Waits,      // for what is under way
    Wipe,
    Constants,
    Operands,   // scalar and coordinate
    Offered,    // the job can be taken
    Inverse
  } state_e;

  state_e state_q;
  logic all_q;  // all contexts are wiped, then the constants written
  logic [5:0] quiet_q;  // cycles since the last context was given up, at most Drain
  logic [5:0] count_q;  // of registers, parts
  logic [CtxBits-1:0] ctx_q;
  logic [AddrBits-1:0] addr_q;  // of the next half
  logic upper_q;  // it is the upper one
  logic final_q;  // it is the last one of its state
  logic ended_q;  // that was put
  logic offers_q;  // the job is taken in this cycle
  logic put, done, last_context;  // a half goes into the register of the port; all have left it
  logic [128:0] data;
  logic [  5:0] last_count;
  logic [255:0] k;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [254:0] constant;
  /* verilator lint_on UNUSEDSIGNAL */

  // The port is far away, in the middle of the datapath.
  assign put = state_q inside {Wipe, Constants, Operands, Inverse} && !ended_q && !load_valid_o;
  assign done = ended_q && !load_valid_o;
  assign last_context = 32'(ctx_q) == NumContexts - 1;
  assign last_count = 6'(state_q == Wipe ? Used - 1 : ConstantExts - 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Waits;
      all_q   <= 1'b1;
      count_q <= '0;
      ctx_q   <= '0;
    end else if (clear_i) begin
      state_q <= Waits;
      all_q   <= 1'b1;
      count_q <= '0;
      ctx_q   <= '0;
    end else begin
      unique case (state_q)
        Waits:   if (quiet_q == 6'(Drain)) state_q <= Wipe;
        Wipe: begin
          if (put && upper_q) count_q <= count_q + 6'd1;
          if (done) begin
            count_q <= '0;
            if (all_q && !last_context) ctx_q <= ctx_q + CtxBits'(1);
            else state_q <= all_q ? Constants : Idle;
          end
        end
        Constants: begin
          if (put && upper_q) count_q <= count_q + 6'd1;
          if (done) begin
            all_q   <= 1'b0;
            state_q <= Idle;
          end
        end
        Operands: begin
          if (count_q != 6'd15) count_q <= count_q + 6'd1;
          else if (done) state_q <= Offered;
        end
        Offered: if (job_valid_i && job_ready_o) state_q <= Idle;
        Inverse: if (done || !inverse_valid_i) state_q <= Idle;
        default: begin
          count_q <= '0;
          if (inverse_valid_i) begin
            state_q <= Inverse;
            ctx_q   <= inverse_ctx_i;
          end else if (wipe_i) begin
            state_q <= Waits;
            ctx_q   <= clean_i;
          end else if (job_valid_i && room_i) begin
            state_q <= Operands;
            ctx_q   <= put_i;
          end
        end
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) quiet_q <= '0;
    else if (clear_i || gone_i) quiet_q <= '0;
    else if (quiet_q != 6'(Drain)) quiet_q <= quiet_q + 6'd1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {upper_q, final_q, ended_q, load_valid_o} <= '0;
    else if (clear_i) {upper_q, final_q, ended_q, load_valid_o} <= '0;
    else begin
      load_valid_o <= put || (load_valid_o && !load_ready_i);
      if (put) begin
        upper_q <= !upper_q;
        final_q <= !upper_q && (state_q inside {Operands, Inverse} || count_q == last_count);
        ended_q <= final_q;
      end else if (state_q inside {Idle, Offered}) {upper_q, final_q, ended_q} <= '0;
      else if (state_q != Operands && done) ended_q <= 1'b0;
    end
  end

  // A turn is over when the next one comes.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) offers_q <= 1'b0;
    else offers_q <= state_q == Offered && turn_i && !(job_valid_i && job_ready_o) && !clear_i;
  end

  assign job_ready_o = offers_q && !clear_i;
  assign wiped_o = state_q == Wipe && done && !all_q;
  assign inverse_stored_o = state_q == Inverse && done && inverse_valid_i;
  assign ctx_o = ctx_q;

  // ---- scalars ----------------------------------------------------------------------------------

  assign k = pm_x25519_clamp(job_k_i);
  assign scalar_we_o = state_q == Operands || (state_q == Wipe && count_q < 6'd16);
  assign scalar_part_o = count_q[3:0];
  assign scalar_data_o = state_q == Operands ? k[16*count_q[3:0]+:16] : '0;
  assign forget_o = state_q == Wipe;

  // ---- registers --------------------------------------------------------------------------------

  assign constant = ext_constant(ext_e'(count_q[3:0]));

  // Registers of the contexts, then the constants, lie behind each other.
  always_ff @(posedge clk_i) begin
    if (put && upper_q) addr_q <= addr_q + AddrBits'(1);
    else if (state_q == Wipe && done) addr_q <= addr_q + AddrBits'(Stride - Used);
    else begin
      for (int unsigned c = 0; c < NumContexts; c++) begin
        if (state_q == Idle && !inverse_valid_i && put_i == CtxBits'(c))
          addr_q <= AddrBits'(Stride * c + ExtBase);
        if (state_q == Idle && inverse_valid_i && inverse_ctx_i == CtxBits'(c))
          addr_q <= AddrBits'(Stride * c + InverseBase);
        if (state_q == Waits && ctx_q == CtxBits'(c)) addr_q <= AddrBits'(Stride * c);
      end
    end
  end

  always_comb begin
    unique case (state_q)
      Constants: data = upper_q ? '0 : constant[128:0];
      Operands:  data = upper_q ? 129'(job_u_i[254:129]) : job_u_i[128:0];
      Inverse:   data = upper_q ? 129'(inverse_i[255:129]) : inverse_i[128:0];
      default:   data = '0;
    endcase
  end

  always_ff @(posedge clk_i)
    if (put)
      {load_addr_o, load_upper_o, load_data_o} <= {addr_q, upper_q, data};

endmodule
