// SPDX-License-Identifier: Apache-2.0
//
// Counters of a core in standard cells: what pm_core_counters is for an FPGA, whose carries are
// quick and whose clear is part of a register. Ports and behaviour are the same.
//
// Timing:   as pm_core_counters.
// Form:     what the low half of a wide counter carries goes into its high half a cycle later, and
//           a read counts it. Carries pass nibbles, not bits. clear_i, which many bits wait for,
//           chooses behind the sums.
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

  // A half and a few events: 33 bits. Nibbles above the lowest one get a carry if all between do.
  function automatic logic [32:0] counted(logic [31:0] half, logic [3:0] more);
    logic [7:1] full;
    logic carry;
    {carry, counted[3:0]} = 5'(half[3:0]) + 5'(more);
    for (int unsigned n = 1; n < 8; n++) full[n] = half[4*n+:4] == '1;
    for (int unsigned n = 1; n < 8; n++) begin
      for (int unsigned b = 0; b < 4; b++) begin
        counted[4*n+b] = half[4*n+b] ^ (carry && (full | ('1 << (n - 1))) == '1 &&
                                        (half[4*n+:4] | (4'hf << b)) == '1);
      end
    end
    counted[32] = carry && full == '1;
  endfunction

  logic [Counters-1:0][ 3:0] events;
  logic [Counters-1:0][31:0] low_q;
  logic [Counters-1:0][32:0] sum;
  logic [Wide-1:0][31:0] high_q, shown_q;
  logic [Wide-1:0][32:0] high;
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
    for (int unsigned i = 0; i < Counters; i++) sum[i] = counted(low_q[i], events[i]);
    for (int unsigned i = 0; i < Wide; i++) high[i] = counted(high_q[i], 4'(carry_q[i]));
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      low_q   <= '0;
      high_q  <= '0;
      carry_q <= '0;
      shown_q <= '0;
    end else begin
      for (int unsigned i = 0; i < Counters; i++) begin
        low_q[i] <= clear_i ? 32'(events[i]) : sum[i][31:0];
      end
      for (int unsigned i = 0; i < Wide; i++) begin
        carry_q[i] <= sum[Counters-Wide+i][32] && !clear_i;
        high_q[i]  <= clear_i ? '0 : high[i][31:0];
        if (read[i]) shown_q[i] <= high[i][31:0];
      end
    end
  end

  assign {errors_o, valid_o, jobs_o} = low_q[Counters-Wide-1:0];
  assign cycles_o = {shown_q[0], low_q[3]};
  assign busy_o = {shown_q[1], low_q[4]};
  assign muls_o = {shown_q[2], low_q[5]};

  // Narrow counters are modulo 2^32, wide ones modulo 2^64.
  logic unused;
  assign unused = ^{sum[2][32], sum[1][32], sum[0][32], high[2][32], high[1][32], high[0][32]};

endmodule
