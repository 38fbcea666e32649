// SPDX-License-Identifier: Apache-2.0
//
// Health tests of a noise source: samples pass, until one of the two continuous tests fails.
//
// Repetition count: RepetitionCutoff equal samples behind each other fail. Adaptive proportion: of
// each window of Window samples, ProportionCutoff that are equal to its first one, with it, fail.
// The defaults are for samples of 8 bits that have
// 6 bits of entropy, each test failing for a sound source with a probability of 2^-40 at most: a
// repetition by sample, a proportion by window.
//
// The first Startup samples behind the reset are tested and dropped. alarm_o rises in the cycle
// after the sample that fails, which passes, and stays; nothing passes any more. So who collects
// samples must look at alarm_o a cycle after the last one.
// Latency:   none; a sample passes in the cycle in which it is offered.
// Handshake: valid and ready on both sides. ready_o does not wait for valid_i.
// Reset:     asynchronous, active low; it alone ends an alarm.
// Constant time: no samples are hidden: alarm_o depends on them.
// Source:    NIST SP 800-90B, 4.3 (start-up), 4.4.1, 4.4.2.

module pm_entropy_check #(
    parameter int unsigned SampleBits = 8,  // of a sample
    parameter int unsigned RepetitionCutoff = 8,  // at least 2
    parameter int unsigned Window = 512,  // samples of a proportion test
    parameter int unsigned ProportionCutoff = 35,  // 2 to Window
    parameter int unsigned Startup = 1024  // samples that are dropped, at least 1
) (
    input  logic                  clk_i,     // clock
    input  logic                  rst_ni,    // asynchronous reset, active low
    input  logic                  valid_i,   // the source offers a sample
    output logic                  ready_o,   // it is taken
    input  logic [SampleBits-1:0] sample_i,  // the sample
    output logic                  valid_o,   // a sample passes
    input  logic                  ready_i,   // it is taken
    output logic [SampleBits-1:0] sample_o,  // the sample
    output logic                  alarm_o    // level: a test has failed
);

  if (RepetitionCutoff < 2) begin : g_refuse_repetition
    $fatal(1, "pm_entropy_check: RepetitionCutoff must be at least 2");
  end
  if (ProportionCutoff < 2 || ProportionCutoff > Window) begin : g_refuse_proportion
    $fatal(1, "pm_entropy_check: ProportionCutoff must be 2 to Window");
  end
  if (Startup < 1) begin : g_refuse_startup
    $fatal(1, "pm_entropy_check: Startup must be at least 1");
  end

  localparam int unsigned RunBits = $clog2(RepetitionCutoff + 1);
  localparam int unsigned PlaceBits = $clog2(Window);
  localparam int unsigned CountBits = $clog2(ProportionCutoff + 1);
  localparam int unsigned StartBits = $clog2(Startup + 1);

  logic take, started;
  logic [SampleBits-1:0] last_q, first_q;  // the sample before, and that which began the window
  logic [RunBits-1:0] run_q, run_d;  // equal samples up to the last one
  logic [PlaceBits-1:0] place_q;  // of the next sample in its window
  logic [CountBits-1:0] count_q, count_d;  // samples of the window that are as the first one
  logic [StartBits-1:0] start_q;  // samples that are still dropped

  assign started = start_q == '0;
  assign ready_o = !alarm_o && (ready_i || !started);
  assign valid_o = !alarm_o && started && valid_i;
  assign sample_o = sample_i;
  assign take = valid_i && ready_o;

  // run_q is 0 before the first sample.
  assign run_d = run_q != '0 && sample_i == last_q ? run_q + RunBits'(1) : RunBits'(1);

  always_comb begin
    if (place_q == '0) count_d = CountBits'(1);
    else count_d = count_q + CountBits'(sample_i == first_q);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      alarm_o <= 1'b0;
      run_q   <= '0;
      place_q <= '0;
      count_q <= '0;
      start_q <= StartBits'(Startup);
    end else if (take) begin
      alarm_o <= 32'(run_d) == RepetitionCutoff || 32'(count_d) == ProportionCutoff;
      run_q   <= run_d;
      place_q <= 32'(place_q) == Window - 1 ? '0 : place_q + PlaceBits'(1);
      count_q <= count_d;
      if (!started) start_q <= start_q - StartBits'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) last_q <= sample_i;
    if (take && place_q == '0) first_q <= sample_i;
  end

endmodule
