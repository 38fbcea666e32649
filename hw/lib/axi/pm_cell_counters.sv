// SPDX-License-Identifier: Apache-2.0
//
// Counters of a core in standard cells: what pm_core_counters is for an FPGA, whose carries are
// quick and whose clear is part of a register. Ports and behaviour are the same.
//
// Timing:   as pm_core_counters.
// Form:      what the low half of a wide counter carries goes into its high half a cycle later, and
//           a read counts it. Which bytes have only ones is known a cycle before, so that carries
//           pass bytes, not bits. clear_i, which many bits wait for, chooses behind the sums.
// Reset:    asynchronous, active low: 0. clear_i leaves the latched halves alone.
module pm_cell_counters (
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

  localparam int unsigned Counters = 6;  // in the order of the outputs
  localparam int unsigned Wide = 3;  // the last ones

  // Half of a wide counter, or a narrow one, with what it carries, and the bytes above the lowest
  // one that have only ones.
  typedef struct packed {
    logic        carry;
    logic [31:0] bits;
    logic [3:1]  full;
  } half_t;

  // A half and a few events.
  function automatic half_t counted(logic [31:0] bits, logic [3:1] full, logic [3:0] more);
    logic carry, next;
    {carry, counted.bits[7:0]} = 9'(bits[7:0]) + 9'(more);
    for (int unsigned n = 1; n < 4; n++) begin
      next = carry && (full | (3'b111 << (n - 1))) == '1;
      counted.bits[8*n+:8] = bits[8*n+:8] + 8'(next);
      counted.full[n] = next ? bits[8*n+:8] == 8'hfe : bits[8*n+:8] == 8'hff;
    end
    counted.carry = carry && full == '1;
  endfunction

  logic [Counters-1:0][3:0] events;
  logic [Counters-1:0][31:0] low_q;
  logic [Counters-1:0][3:1] low_full_q;
  half_t [Counters-1:0] sum;
  logic [Wide-1:0][31:0] high_q, shown_q;
  logic [Wide-1:0][3:1] high_full_q;
  half_t [Wide-1:0] high;
  logic [Wide-1:0] carry_q, read;

  assign events = {
    4'($countones(mul_issue_i)),
    4'(busy_i),
    4'd1,
    4'(job_error_i),
    4'(job_valid_i),
    4'(job_answered_i)
  };
  assign read = {muls_read_i, busy_read_i, cycles_read_i};

  always_comb begin
    for (int unsigned i = 0; i < Counters; i++)
    sum[i] = counted(low_q[i], low_full_q[i], events[i]);
    for (int unsigned i = 0; i < Wide; i++) begin
      high[i] = counted(high_q[i], high_full_q[i], 4'(carry_q[i]));
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {low_q, low_full_q} <= '0;
      {high_q, high_full_q} <= '0;
      carry_q <= '0;
      shown_q <= '0;
    end else begin
      for (int unsigned i = 0; i < Counters; i++) begin
        low_q[i] <= clear_i ? 32'(events[i]) : sum[i].bits;
        low_full_q[i] <= clear_i ? '0 : sum[i].full;
      end
      for (int unsigned i = 0; i < Wide; i++) begin
        carry_q[i] <= sum[Counters-Wide+i].carry && !clear_i;
        high_q[i] <= clear_i ? '0 : high[i].bits;
        high_full_q[i] <= clear_i ? '0 : high[i].full;
        if (read[i]) shown_q[i] <= high[i].bits;
      end
    end
  end

  assign {errors_o, valid_o, jobs_o} = low_q[Counters-Wide-1:0];
  assign cycles_o = {shown_q[0], low_q[3]};
  assign busy_o = {shown_q[1], low_q[4]};
  assign muls_o = {shown_q[2], low_q[5]};

  // Narrow counters are modulo 2^32, wide ones modulo 2^64.
  logic unused;
  assign unused = ^{sum, high};

endmodule
