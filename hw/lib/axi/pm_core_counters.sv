// SPDX-License-Identifier: Apache-2.0
//
// Counters of a core: jobs, jobs with reason ok, errors (modulo 2^32 each); cycles, busy cycles,
// products (modulo 2^64 each), the latter as a register map of 32-bit words shows them.
//
// Timing:   an event in cycle c shows in its counter in cycle c + 1. An event in the cycle of
//           clear_i is the first of the new count; cycles counts every cycle.
// 64-bit counters: bits 31:0 are the count itself. A pulse that says that they are read in this
//           cycle latches the high half of the same instant, which bits 63:32 show from the next
//           cycle on until the next pulse.
// Reset:    asynchronous, active low: 0. clear_i leaves the latched halves alone.
module pm_core_counters (
    input  logic        clk_i,           // clock
    input  logic        rst_ni,          // asynchronous reset, active low
    input  logic        clear_i,         // pulse: count from 0
    // events
    input  logic        job_answered_i,  // pulse: a job was answered
    input  logic        job_valid_i,     // pulse: ... with reason ok
    input  logic        job_error_i,     // pulse: ... with an error of the job
    input  logic        busy_i,          // level: a job is under way
    input  logic [14:0] mul_issue_i,     // level: a multiplier starts a product, each counts
    // reads of bits 31:0
    input  logic        cycles_read_i,   // pulse: of cycles_o
    input  logic        busy_read_i,     // pulse: of busy_o
    input  logic        muls_read_i,     // pulse: of muls_o
    // counters
    output logic [31:0] jobs_o,          // jobs answered
    output logic [31:0] valid_o,         // jobs with reason ok
    output logic [31:0] errors_o,        // jobs in error
    output logic [63:0] cycles_o,        // cycles: latched high half, count
    output logic [63:0] busy_o,          // busy cycles: latched high half, count
    output logic [63:0] muls_o           // products: latched high half, count
);

  logic [63:0] cycles, busy, muls;
  logic [31:0] cycles_hi_q, busy_hi_q, muls_hi_q;

  pm_event_counter #(
      .Width(32)
  ) u_jobs (
      .clk_i,
      .rst_ni,
      .clear_i,
      .event_i(job_answered_i),
      .count_o(jobs_o)
  );

  pm_event_counter #(
      .Width(32)
  ) u_valid (
      .clk_i,
      .rst_ni,
      .clear_i,
      .event_i(job_valid_i),
      .count_o(valid_o)
  );

  pm_event_counter #(
      .Width(32)
  ) u_errors (
      .clk_i,
      .rst_ni,
      .clear_i,
      .event_i(job_error_i),
      .count_o(errors_o)
  );

  pm_event_counter #(
      .Width(64)
  ) u_cycles (
      .clk_i,
      .rst_ni,
      .clear_i,
      .event_i(1'b1),
      .count_o(cycles)
  );

  pm_event_counter #(
      .Width(64)
  ) u_busy (
      .clk_i,
      .rst_ni,
      .clear_i,
      .event_i(busy_i),
      .count_o(busy)
  );

  pm_event_counter #(
      .Width (64),
      .Events(15)
  ) u_muls (
      .clk_i,
      .rst_ni,
      .clear_i,
      .event_i(mul_issue_i),
      .count_o(muls)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycles_hi_q <= '0;
      busy_hi_q   <= '0;
      muls_hi_q   <= '0;
    end else begin
      if (cycles_read_i) cycles_hi_q <= cycles[63:32];
      if (busy_read_i) busy_hi_q <= busy[63:32];
      if (muls_read_i) muls_hi_q <= muls[63:32];
    end
  end

  assign cycles_o = {cycles_hi_q, cycles[31:0]};
  assign busy_o   = {busy_hi_q, busy[31:0]};
  assign muls_o   = {muls_hi_q, muls[31:0]};

endmodule
