// SPDX-License-Identifier: Apache-2.0
//
// Claim: pm_ed_tx turns every result it takes into exactly two beats, in order and with the format of
// its header, and nothing else; a beat holds until it is taken; a result is refused only while
// another one has a beat to come.

module pm_ed_tx_formal
  import pm_ed_pkg::*;
(
    input logic        clk_i,
    input logic        rst_ni,
    input logic        result_valid_i,
    input logic [31:0] tag_i,
    input logic [ 7:0] rule_i,
    input logic [ 7:0] reason_i,
    input logic [31:0] cycles_i,
    input logic        tready_i
);

  logic result_ready, tvalid, tlast;
  logic [63:0] tdata;
  logic [ 7:0] tkeep;

  pm_ed_tx u_dut (
      .clk_i,
      .rst_ni,
      .result_valid_i,
      .result_ready_o(result_ready),
      .tag_i,
      .rule_i,
      .reason_i(reason_e'(reason_i)),
      .cycles_i,
      .m_axis_tvalid(tvalid),
      .m_axis_tready(tready_i),
      .m_axis_tdata(tdata),
      .m_axis_tkeep(tkeep),
      .m_axis_tlast(tlast)
  );

  // Beats that are owed, and the result that they belong to.
  logic [1:0] owed_q, owed_d;
  logic [31:0] tag_q, cycles_q;
  logic [7:0] rule_q, reason_q;

  always_comb begin
    owed_d = owed_q;
    if (tvalid && tready_i) owed_d = owed_d - 2'd1;
    if (result_valid_i && result_ready) owed_d = owed_d + 2'd2;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) owed_q <= '0;
    else owed_q <= owed_d;
  end

  always_ff @(posedge clk_i) begin
    if (result_valid_i && result_ready) begin
      {tag_q, rule_q, reason_q, cycles_q} <= {tag_i, rule_i, reason_i, cycles_i};
    end
  end

  // The beat that was refused in the cycle before.
  logic refused_q, last_q;
  logic [63:0] data_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) refused_q <= 1'b0;
    else refused_q <= tvalid && !tready_i;
  end
  always_ff @(posedge clk_i) {data_q, last_q} <= {tdata, tlast};

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    // For the induction step.
    i_owed : assert (owed_q <= 2'd2 && u_dut.second_q == (owed_q == 2'd1));
    if (owed_q != '0) begin
      i_held :
      assert ({u_dut.tag_q, u_dut.rule_q, u_dut.reason_q, u_dut.cycles_q} ==
                       {tag_q, rule_q, reason_q, cycles_q});
    end
    p_valid : assert (tvalid == (owed_q != '0));
    p_ready : assert (result_ready == (owed_q == '0 || (owed_q == 2'd1 && tready_i)));
    if (tvalid) begin
      p_last : assert (tlast == (owed_q == 2'd1));
      p_keep : assert (tkeep == 8'hff);
    end
    if (owed_q == 2'd2) begin
      p_first : assert (tdata[63:17] == {tag_q, 15'd0} && tdata[15:0] == {rule_q, reason_q});
      p_flag : assert (tdata[16] == (reason_q == 8'd0));
    end
    if (owed_q == 2'd1) begin
      p_second : assert (tdata == {32'd0, cycles_q});
    end
    if (refused_q) begin
      p_stable : assert (tvalid && tdata == data_q && tlast == last_q);
    end
  end

endmodule
