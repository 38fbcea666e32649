// SPDX-License-Identifier: Apache-2.0
//
// The bridge with a small core behind it, for tests of the link. The core takes the packets of
// edverify: a signature is valid exactly if its beats 0 and 1 are the checksum and the number of
//           the
// beats behind S, so that a packet in which anything was lost, doubled or altered has no valid
// result; keygen returns its operand, inverted. Registers are those of edverify.
module pm_uart_link_tb
  import pm_edverify_pkg::*;
#(
    parameter int unsigned Divider = 4,  // clock cycles of a bit
    parameter logic [1023:0] Identity = '0
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic rx_i,
    output logic tx_o,
    output logic open_o
);

  localparam logic [7:0] OpVerify = 8'd1;
  localparam logic [7:0] OpKeygen = 8'd3;

  logic core_rst_n, bad, irq;
  logic in_valid, in_ready, in_last, out_valid, out_ready, out_last;
  logic [63:0] in_data, out_data;
  logic [7:0] in_keep, out_keep;
  logic awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [7:0] awaddr, araddr;
  logic [31:0] wdata, rdata;
  logic [3:0] wstrb;
  logic [1:0] bresp, rresp;

  pm_uart_bridge #(
      .Divider (Divider),
      .Identity(Identity)
  ) u_bridge (
      .clk_i,
      .rst_ni,
      .rx_i,
      .tx_o,
      .core_rst_no(core_rst_n),
      .open_o,
      .bad_o(bad),
      .m_axis_tvalid(in_valid),
      .m_axis_tready(in_ready),
      .m_axis_tdata(in_data),
      .m_axis_tkeep(in_keep),
      .m_axis_tlast(in_last),
      .s_axis_tvalid(out_valid),
      .s_axis_tready(out_ready),
      .s_axis_tdata(out_data),
      .s_axis_tkeep(out_keep),
      .s_axis_tlast(out_last),
      .m_axil_awvalid(awvalid),
      .m_axil_awready(awready),
      .m_axil_awaddr(awaddr),
      .m_axil_wvalid(wvalid),
      .m_axil_wready(wready),
      .m_axil_wdata(wdata),
      .m_axil_wstrb(wstrb),
      .m_axil_bvalid(bvalid),
      .m_axil_bready(bready),
      .m_axil_bresp(bresp),
      .m_axil_arvalid(arvalid),
      .m_axil_arready(arready),
      .m_axil_araddr(araddr),
      .m_axil_rvalid(rvalid),
      .m_axil_rready(rready),
      .m_axil_rdata(rdata),
      .m_axil_rresp(rresp)
  );

  // ---- core -------------------------------------------------------------------------------------

  logic [63:0] sum_q, claim_q, count_claim_q, count_q, index_q, key_q[4];
  logic [7:0] rule_q, op_q;
  logic [31:0] tag_q;
  logic open_q, aborted_q, verdict_q, soft_reset, result_ready, good, taken;
  logic [1:0] payload_index;
  reason_e reason;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [255:0] seed;
  logic seeded;
  /* verilator lint_on UNUSEDSIGNAL */

  assign in_ready = !verdict_q;
  assign taken = in_valid && in_ready;
  assign good = sum_q == claim_q && count_q == count_claim_q;

  always_comb begin
    if (aborted_q) reason = ReasonAborted;
    else if (op_q == OpKeygen && index_q == 64'd5) reason = ReasonOk;
    else if (op_q != OpVerify || index_q < 64'd13) reason = ReasonMalformedJob;
    else reason = good ? ReasonOk : ReasonEquationFails;
  end

  always_ff @(posedge clk_i or negedge core_rst_n) begin
    if (!core_rst_n) begin
      {open_q, aborted_q, verdict_q} <= '0;
      index_q <= '0;
      sum_q <= '0;
      count_q <= '0;
    end else begin
      if (soft_reset && open_q) aborted_q <= 1'b1;
      if (taken) begin
        open_q  <= 1'b1;
        index_q <= index_q + 64'd1;
        if (index_q == '0) {tag_q, rule_q, op_q} <= {in_data[63:32], in_data[7:0], in_data[15:8]};
        if (index_q == 64'd1) claim_q <= in_data;
        if (index_q == 64'd2) count_claim_q <= in_data;
        if (index_q >= 64'd1 && index_q <= 64'd4) key_q[index_q[1:0]-2'd1] <= ~in_data;
        if (index_q >= 64'd5) begin
          sum_q   <= {sum_q[62:0], sum_q[63]} ^ in_data ^ {56'd0, in_keep};
          count_q <= count_q + 64'd1;
        end
        verdict_q <= in_last;
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
      .rst_ni(core_rst_n),
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
      .m_axis_tvalid(out_valid),
      .m_axis_tready(out_ready),
      .m_axis_tdata(out_data),
      .m_axis_tkeep(out_keep),
      .m_axis_tlast(out_last)
  );

  pm_edverify_csr #(
      .Contexts (4),
      .SecretOps(1)
  ) u_regs (
      .clk_i,
      .rst_ni(core_rst_n),
      .s_axil_awvalid(awvalid),
      .s_axil_awready(awready),
      .s_axil_awaddr(awaddr),
      .s_axil_wvalid(wvalid),
      .s_axil_wready(wready),
      .s_axil_wdata(wdata),
      .s_axil_wstrb(wstrb),
      .s_axil_bvalid(bvalid),
      .s_axil_bready(bready),
      .s_axil_bresp(bresp),
      .s_axil_arvalid(arvalid),
      .s_axil_arready(arready),
      .s_axil_araddr(araddr),
      .s_axil_rvalid(rvalid),
      .s_axil_rready(rready),
      .s_axil_rdata(rdata),
      .s_axil_rresp(rresp),
      .irq_o(irq),
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

  logic unused;
  assign unused = &{bad, irq, payload_index};

endmodule
