// SPDX-License-Identifier: Apache-2.0
//
// Claim: pm_entropy_check raises alarm_o in the cycle after a sample that is the
//        RepetitionCutoff-th equal one in a row, or the ProportionCutoff-th of its window that is
//        equal to the first one, and for no other sample; the alarm stays. Samples pass unchanged,
//        none of the first Startup ones, all of the others until the alarm.
//
// The last samples are kept here, each; of a window which ones are equal to its first.

module pm_entropy_check_formal #(
    parameter int unsigned SampleBits = 8,
    parameter int unsigned RepetitionCutoff = 8,
    parameter int unsigned Window = 512,
    parameter int unsigned ProportionCutoff = 35,
    parameter int unsigned Startup = 1024
) (
    input logic                  clk_i,
    input logic                  rst_ni,
    input logic                  valid_i,
    input logic [SampleBits-1:0] sample_i,
    input logic                  ready_i
);

  logic ready, valid, alarm;
  logic [SampleBits-1:0] sample;

  pm_entropy_check #(
      .SampleBits(SampleBits),
      .RepetitionCutoff(RepetitionCutoff),
      .Window(Window),
      .ProportionCutoff(ProportionCutoff),
      .Startup(Startup)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .valid_i,
      .ready_o (ready),
      .sample_i,
      .valid_o (valid),
      .ready_i,
      .sample_o(sample),
      .alarm_o (alarm)
  );

  localparam int unsigned Kept = RepetitionCutoff - 1;
  logic [Kept-1:0][SampleBits-1:0] samples_q;  // the last ones, the latest at 0
  logic [Kept-1:0] there_q;  // which there are
  logic [31:0] taken_q;  // samples so far, up to Startup
  logic [31:0] place_q;  // of the next sample in its window
  logic [31:0] same_q;  // of the window that are as its first one
  logic [SampleBits-1:0] first_q;
  logic take, repeats, often, failed_q;
  logic [31:0] same;

  assign take  = valid_i && ready;
  assign same  = place_q == 0 ? 32'd1 : same_q + 32'(sample_i == first_q);
  assign often = same >= ProportionCutoff && (place_q == 0 || sample_i == first_q);

  always_comb begin
    repeats = &there_q;
    for (int unsigned i = 0; i < Kept; i++) repeats &= samples_q[i] == sample_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {there_q, taken_q, place_q, failed_q} <= '0;
    else begin
      failed_q <= failed_q || (take && (repeats || often));
      if (take) begin
        there_q <= Kept'({there_q, 1'b1});
        if (taken_q != Startup) taken_q <= taken_q + 1;
        place_q <= place_q == Window - 1 ? 0 : place_q + 1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      samples_q <= (Kept * SampleBits)'({samples_q, sample_i});
      same_q <= same;
      if (place_q == 0) first_q <= sample_i;
    end
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  // Equal samples at the end of those so far.
  logic [31:0] run;
  logic running;

  always_comb begin
    run = '0;
    running = 1'b1;
    for (int unsigned i = 0; i < Kept; i++) begin
      running &= there_q[i] && samples_q[i] == samples_q[0];
      if (running) run = i + 1;
    end
  end

  always_comb begin
    a_reset : assume (started_q || !rst_ni);

    if (rst_ni) begin
      p_alarm : assert (alarm == failed_q);
      p_ready : assert (ready == (!alarm && (ready_i || taken_q != Startup)));
      p_valid : assert (valid == (!alarm && valid_i && taken_q == Startup));
      p_sample : assert (!valid || sample == sample_i);

      // For the induction step.
      i_start : assert (taken_q <= Startup && 32'(u_dut.start_q) == Startup - taken_q);
      i_place : assert (32'(u_dut.place_q) == place_q && place_q < Window);
      i_there : assert ((there_q & (there_q + Kept'(1))) == '0);
      if (!alarm) begin
        i_run : assert (32'(u_dut.run_q) == run);
        if (place_q != 0) begin
          i_count :
          assert (32'(u_dut.count_q) == same_q && same_q < ProportionCutoff && same_q != 0);
          i_first : assert (u_dut.first_q == first_q);
        end
        if (there_q[0]) begin
          i_last : assert (u_dut.last_q == samples_q[0]);
        end
      end
    end
  end

endmodule
