// SPDX-License-Identifier: Apache-2.0
//
// What `mpu` works on: one operation or one transfer from its start to its end, or the clearing of
// the operand memory behind a soft reset.
//
// Every start has one end: with the reason of the engine, with that of the transfer, or with
// aborted in the cycle of a soft reset. A soft reset clears an entry a cycle, and is over when all
// are zero and no burst is open.
//
// Handshake: a start comes only while nothing works, of an operation or of a transfer, and begins_i
//            is 1 in the two cycles before it. The engine finishes only an operation, from the
//            cycle of its start on; a transfer likewise.
// Timing:   cycles_o counts from the cycle of the start (1) to that of the end. done_o, reason_o
//           and cycles_o change in the cycle after an end. busy_o is 1 from the cycle after that in
//           which begins_i rises, or after a soft reset, to the one in which everything has ended.
// Reset:    asynchronous, active low.
module pm_mpu_control
  import pm_mpu_pkg::*;
#(
    localparam int unsigned EntryBits = $clog2(Entries)
) (
    input  logic                        clk_i,          // clock
    input  logic                        rst_ni,         // asynchronous reset, active low
    // registers
    input  logic                        start_i,        // pulse: an operation begins
    input  logic                        dma_start_i,    // pulse: a transfer begins
    input  logic                        begins_i,       // level: one of both is about to
    input  logic                        soft_reset_i,   // pulse: abandon everything
    output logic                        busy_o,         // level: something works, or is cleared
    output logic                        done_o,         // level: one has ended, none began since
    output mpu_reason_e                 reason_o,       // reason of the latest end
    output logic        [         31:0] cycles_o,       // cycles of what works or has ended
    output logic                        ended_o,        // pulse: an operation ends
    output logic                        dma_ended_o,    // pulse: a transfer ends
    output logic                        reset_done_o,   // pulse: a soft reset is over
    // engine
    output logic                        working_o,      // level: behind a start, not its end
    input  logic                        finish_i,       // pulse: the operation ends
    input  mpu_reason_e                 reason_i,       // its reason
    // transfers
    input  logic                        dma_busy_i,     // level: a burst may be open
    input  logic                        dma_finish_i,   // pulse: the transfer ends
    input  logic                        dma_illegal_i,  // it was illegal
    input  logic                        dma_error_i,    // the memory answered with an error
    // operand memory
    output logic                        clear_o,        // level: zero this entry
    output logic        [EntryBits-1:0] clear_entry_o
);

  logic busy_d, busy_q, running, running_q, clearing_d, clearing_q, done_q, dma_q;
  logic ended, transfer, cleared;
  logic [EntryBits-1:0] clear_entry_q;
  logic [31:0] cycles_q;
  mpu_reason_e reason_q;

  assign running = running_q || start_i || dma_start_i;
  assign ended = running && (finish_i || dma_finish_i || soft_reset_i);
  assign transfer = dma_start_i || (dma_q && !start_i);
  // The last entry is cleared until the bus is idle.
  assign cleared = clear_entry_q == '1 && !dma_busy_i;
  assign clearing_d = soft_reset_i || (clearing_q && !cleared);
  assign busy_d = begins_i || (running && !ended) || clearing_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q <= 1'b0;
      busy_q <= 1'b0;
      dma_q <= 1'b0;
      clearing_q <= 1'b0;
      done_q <= 1'b0;
      reason_q <= ReasonOk;
      cycles_q <= '0;
      clear_entry_q <= '0;
    end else begin
      running_q <= running && !ended;
      busy_q <= busy_d;
      dma_q <= transfer;
      done_q <= ended || (done_q && !begins_i);
      if (ended) begin
        reason_q <= soft_reset_i ? ReasonAborted : !dma_finish_i ? reason_i :
            dma_illegal_i ? ReasonIllegalCommand : dma_error_i ? ReasonBusError : ReasonOk;
      end
      if (start_i || dma_start_i) cycles_q <= 32'd1;
      else if (running_q) cycles_q <= cycles_q + 32'd1;
      clearing_q <= clearing_d;
      if (soft_reset_i) clear_entry_q <= '0;
      else if (clearing_q && clear_entry_q != '1) clear_entry_q <= clear_entry_q + EntryBits'(1);
    end
  end

  assign working_o = running_q;
  assign busy_o = busy_q;
  assign done_o = done_q;
  assign reason_o = reason_q;
  assign cycles_o = cycles_q;
  assign ended_o = ended && !transfer;
  assign dma_ended_o = ended && transfer;
  assign clear_o = clearing_q;
  assign clear_entry_o = clear_entry_q;
  assign reset_done_o = clearing_q && cleared;

endmodule
