// SPDX-License-Identifier: Apache-2.0
//
// The recoded digit sequence of a verification, made word by word in little logic at a high clock:
// entry for entry that of ScalarHalve of pm_scalar_unit, without the multiplier of an engine.
//
// Three units work on three jobs: pm_modl_serial (k = digest mod L, and s = d S mod L for the job
// whose d is known), pm_halfgcd_serial (c, d), pm_naf_serial (the list). Jobs stay in order.
//
// Operands: any digest, S below 2^253 (a larger one never gets so far: the program rejects S >= L,
//           and its list is then not used).
// Interval: that of the half-size scalars, data dependent: 1,440 cycles on average for uniform
//           digests. Latency: 2,943 cycles on average from the offer to done_o, if every entry is
//           taken at once.
// Handshake: valid_i, digest_i and s_i stay until ready_o (pulse): they are read meanwhile, which
//           takes 33 cycles. Entries by push_valid_o/push_ready_i; done_o pulses after the last
//           entry of a list. clear_i abandons all jobs.
// Reset:    asynchronous, active low: idle.
// Constant time: NO. For public data only.
// Source: original.

module pm_scalar_serial
  import pm_scalar_pkg::*;
(
    input  logic                clk_i,         // clock
    input  logic                rst_ni,        // asynchronous reset, active low
    input  logic                clear_i,       // abandon all jobs
    input  logic                valid_i,       // a job is offered
    output logic                ready_o,       // pulse: it was read
    input  logic        [511:0] digest_i,      // SHA-512 digest, little-endian
    input  logic        [252:0] s_i,           // S
    output logic                push_valid_o,  // an entry is offered
    input  logic                push_ready_i,  // it is taken
    output list_entry_t         push_entry_o,  // the entry, lowest position first
    output logic                done_o         // pulse: the list is complete
);

  logic k_ready, k_take, k_valid, half_idle, half_done, c_we, d_we, c_neg, s_we, s_done;
  logic [15:0] k_word, s_word, d_word;
  logic [3:0] s_addr, d_addr;
  logic [2:0] cd_addr;
  logic [31:0] cd_word;
  logic busy_q;  // c and d of a job are there, its list is not complete
  logic product_q;  // its s is not

  pm_modl_serial u_modl (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i,
      .ready_o,
      .digest_i,
      .s_i,
      .zero_i(1'b0),
      .k_ready_o(k_ready),
      .k_take_i (k_take),
      .k_valid_o(k_valid),
      .k_word_o (k_word),
      .d_valid_i(product_q),
      .d_addr_o (d_addr),
      .d_word_i (d_word),
      .s_we_o   (s_we),
      .s_addr_o (s_addr),
      .s_word_o (s_word),
      .s_done_o (s_done)
  );

  assign k_take = k_ready && half_idle;

  pm_halfgcd_serial u_halfgcd (
      .clk_i,
      .rst_ni,
      .clear_i,
      .take_o(half_idle),
      .k_valid_i(k_valid),
      .k_word_i(k_word),
      .out_ready_i(!busy_q),
      .c_we_o(c_we),
      .d_we_o(d_we),
      .out_addr_o(cd_addr),
      .out_word_o(cd_word),
      .c_neg_o(c_neg),
      .done_o(half_done)
  );

  pm_naf_serial u_naf (
      .clk_i,
      .rst_ni,
      .clear_i,
      .s_we_i(s_we),
      .s_addr_i(s_addr),
      .s_word_i(s_word),
      .c_we_i(c_we),
      .d_we_i(d_we),
      .cd_addr_i(cd_addr),
      .cd_word_i(cd_word),
      .d_addr_i(d_addr),
      .d_word_o(d_word),
      .start_i(s_done),
      .c_neg_i(c_neg),
      .push_valid_o,
      .push_ready_i,
      .push_entry_o,
      .done_o
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {busy_q, product_q} <= '0;
    end else begin
      busy_q <= (busy_q || half_done) && !done_o && !clear_i;
      product_q <= (product_q || half_done) && !s_done && !clear_i;
    end
  end

endmodule
