// SPDX-License-Identifier: Apache-2.0
//
// What pm_job_control relies on in the levels of a job: proved of pm_edverify_rx, whose malformed
// jobs are the rejected ones, assumed for pm_job_control.

module pm_job_contract (
    input logic clk_i,
    input logic rst_ni,
    input logic job_start_i,
    input logic job_open_i,
    input logic job_valid_i,
    input logic job_end_i,
    input logic job_refused_i,
    input logic job_done_i,
    output logic open_o,  // a job is open from the cycle after its start until it is answered
    output logic start_o,  // no job starts while one is open
    output logic order_o,  // end implies valid implies open
    output logic level_o  // valid, end and refused stay while the job is open; refused does not
                          // rise after the end
);

  logic open_q, held_q, valid_q, end_q, refused_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {open_q, held_q} <= '0;
    else begin
      open_q <= job_start_i || (open_q && !job_done_i);
      held_q <= job_open_i && !job_done_i;
    end
  end

  always_ff @(posedge clk_i) begin
    {valid_q, end_q, refused_q} <= {job_valid_i, job_end_i, job_refused_i};
  end

  assign open_o = job_open_i == open_q;
  assign start_o = !(job_start_i && job_open_i);
  assign order_o = (!job_end_i || job_valid_i) && (!job_valid_i || job_open_i);
  assign level_o = !held_q || (
      (!valid_q || job_valid_i) && (!end_q || job_end_i) && (!refused_q || job_refused_i) &&
      (!end_q || job_refused_i == refused_q));

endmodule
