// SPDX-License-Identifier: Apache-2.0
//
// A small core in place of that of a board, for tests of the link: pm_board_system takes it as it
// takes another one. It takes the packets of edverify: a signature is valid exactly if its beats 0
// and 1 are the checksum and the number of the beats behind S, so that a packet in which anything
// was lost, doubled or altered has no valid result; keygen returns its operand, inverted. Registers
// are those of edverify.
module pm_board_core
  import pm_edverify_pkg::*;
(
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [63:0] s_axis_tdata,
    input  logic [ 7:0] s_axis_tkeep,
    input  logic        s_axis_tlast,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic [63:0] m_axis_tdata,
    output logic [ 7:0] m_axis_tkeep,
    output logic        m_axis_tlast,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [ 7:0] s_axil_awaddr,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    output logic [ 1:0] s_axil_bresp,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    input  logic [ 7:0] s_axil_araddr,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        irq_o
);

  localparam logic [7:0] OpVerify = 8'd1;
  localparam logic [7:0] OpKeygen = 8'd3;

  logic [63:0] sum_q, claim_q, count_claim_q, count_q, index_q, key_q[4];
  logic [7:0] rule_q, op_q;
  logic [31:0] tag_q;
  logic open_q, aborted_q, verdict_q, soft_reset, result_ready, good, taken;
  reason_e reason;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [1:0] payload_index;  // one word of payload
  logic [255:0] seed;
  logic seeded;
  /* verilator lint_on UNUSEDSIGNAL */

  assign s_axis_tready = !verdict_q;
  assign taken = s_axis_tvalid && s_axis_tready;
  assign good = sum_q == claim_q && count_q == count_claim_q;

  always_comb begin
    if (aborted_q) reason = ReasonAborted;
    else if (op_q == OpKeygen && index_q == 64'd5) reason = ReasonOk;
    else if (op_q != OpVerify || index_q < 64'd13) reason = ReasonMalformedJob;
    else reason = good ? ReasonOk : ReasonEquationFails;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {open_q, aborted_q, verdict_q} <= '0;
      index_q <= '0;
      sum_q <= '0;
      count_q <= '0;
    end else begin
      if (soft_reset && open_q) aborted_q <= 1'b1;
      if (taken) begin
        open_q  <= 1'b1;
        index_q <= index_q + 64'd1;
        if (index_q == '0)
          {tag_q, rule_q, op_q} <= {s_axis_tdata[63:32], s_axis_tdata[7:0], s_axis_tdata[15:8]};
        if (index_q == 64'd1) claim_q <= s_axis_tdata;
        if (index_q == 64'd2) count_claim_q <= s_axis_tdata;
        if (index_q >= 64'd1 && index_q <= 64'd4) key_q[index_q[1:0]-2'd1] <= ~s_axis_tdata;
        if (index_q >= 64'd5) begin
          sum_q   <= {sum_q[62:0], sum_q[63]} ^ s_axis_tdata ^ {56'd0, s_axis_tkeep};
          count_q <= count_q + 64'd1;
        end
        verdict_q <= s_axis_tlast;
      end
      if (verdict_q && result_ready) begin
        {open_q, aborted_q, verdict_q} <= '0;
        index_q <= '0;
        sum_q <= '0;
        count_q <= '0;
      end
    end
  end

  pm_edverify_tx u_tx (
      .clk_i,
      .rst_ni,
      .result_valid_i(verdict_q),
      .result_ready_o(result_ready),
      .tag_i(tag_q),
      .rule_i(rule_q),
      .reason_i(reason),
      .all_zero_i(1'b0),
      .cycles_i(index_q[31:0]),
      .payload_words_i(op_q == OpKeygen ? 2'd1 : 2'd0),
      .payload_index_o(payload_index),
      .payload_i({key_q[3], key_q[2], key_q[1], key_q[0]}),
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tlast
  );

  pm_edverify_csr #(
      .Contexts (4),
      .SecretOps(1)
  ) u_regs (
      .clk_i,
      .rst_ni,
      .s_axil_awvalid,
      .s_axil_awready,
      .s_axil_awaddr,
      .s_axil_wvalid,
      .s_axil_wready,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_bvalid,
      .s_axil_bready,
      .s_axil_bresp,
      .s_axil_arvalid,
      .s_axil_arready,
      .s_axil_araddr,
      .s_axil_rvalid,
      .s_axil_rready,
      .s_axil_rdata,
      .s_axil_rresp,
      .irq_o,
      .soft_reset_o(soft_reset),
      .seed_o(seed),
      .seeded_o(seeded),
      .busy_i(open_q),
      .queued_i('0),
      .job_answered_i(verdict_q && result_ready),
      .job_valid_i(verdict_q && result_ready && reason == ReasonOk),
      .job_error_i(verdict_q && result_ready &&
                   (reason == ReasonMalformedJob || reason == ReasonAborted)),
      .job_malformed_i(verdict_q && result_ready && reason == ReasonMalformedJob),
      .reset_done_i(soft_reset),
      .mul_issue_i(15'(taken))
  );

endmodule
