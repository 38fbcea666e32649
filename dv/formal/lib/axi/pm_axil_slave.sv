// SPDX-License-Identifier: Apache-2.0
//
// Claim: pm_axil_slave executes every accepted write (address and data) and every accepted read
// exactly once, in order, with what was accepted, and responds to each exactly once; an access
// happens only when the whole command is there; results hold until taken; nothing waits for ever as
// long as responses are taken.

module pm_axil_slave_formal #(
    parameter int unsigned AddrWidth = 8
) (
    input logic                 clk_i,
    input logic                 rst_ni,
    input logic                 awvalid_i,
    input logic [AddrWidth-1:0] awaddr_i,
    input logic                 wvalid_i,
    input logic [         31:0] wdata_i,
    input logic [          3:0] wstrb_i,
    input logic                 bready_i,
    input logic                 arvalid_i,
    input logic [AddrWidth-1:0] araddr_i,
    input logic                 rready_i,
    input logic [         31:0] req_rdata_i,
    input logic                 req_err_i
);

  logic awready, wready, bvalid, arready, rvalid, req, req_write;
  logic [1:0] bresp, rresp;
  logic [31:0] rdata, req_wdata;
  logic [3:0] req_wstrb;
  logic [AddrWidth-1:0] req_addr;

  pm_axil_slave #(
      .AddrWidth(AddrWidth)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .s_axil_awvalid(awvalid_i),
      .s_axil_awready(awready),
      .s_axil_awaddr(awaddr_i),
      .s_axil_wvalid(wvalid_i),
      .s_axil_wready(wready),
      .s_axil_wdata(wdata_i),
      .s_axil_wstrb(wstrb_i),
      .s_axil_bvalid(bvalid),
      .s_axil_bready(bready_i),
      .s_axil_bresp(bresp),
      .s_axil_arvalid(arvalid_i),
      .s_axil_arready(arready),
      .s_axil_araddr(araddr_i),
      .s_axil_rvalid(rvalid),
      .s_axil_rready(rready_i),
      .s_axil_rdata(rdata),
      .s_axil_rresp(rresp),
      .req_o(req),
      .req_write_o(req_write),
      .req_addr_o(req_addr),
      .req_wdata_o(req_wdata),
      .req_wstrb_o(req_wstrb),
      .req_rdata_i,
      .req_err_i
  );

  // Accepted and not executed; executed and not answered. Two bits each, so that a second one is
  // seen and not lost.
  logic [1:0] aw_q, w_q, ar_q, b_q, r_q;
  logic [AddrWidth-1:2] awaddr_q, araddr_q;
  logic [31:0] wdata_q, rdata_q;
  logic [3:0] wstrb_q;
  logic berr_q, rerr_q;
  logic write, read;
  assign write = req && req_write;
  assign read  = req && !req_write;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {aw_q, w_q, ar_q, b_q, r_q} <= '0;
    end else begin
      aw_q <= aw_q + 2'(awvalid_i && awready) - 2'(write);
      w_q  <= w_q + 2'(wvalid_i && wready) - 2'(write);
      ar_q <= ar_q + 2'(arvalid_i && arready) - 2'(read);
      b_q  <= b_q + 2'(write) - 2'(bvalid && bready_i);
      r_q  <= r_q + 2'(read) - 2'(rvalid && rready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (awvalid_i && awready) awaddr_q <= awaddr_i[AddrWidth-1:2];
    if (arvalid_i && arready) araddr_q <= araddr_i[AddrWidth-1:2];
    if (wvalid_i && wready) {wdata_q, wstrb_q} <= {wdata_i, wstrb_i};
    if (write) berr_q <= req_err_i;
    if (read) {rdata_q, rerr_q} <= {req_err_i ? 32'd0 : req_rdata_i, req_err_i};
  end

  // Cycles for which a whole command has waited although its response channel was free.
  logic [1:0] write_late_q, read_late_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) write_late_q <= '0;
    else if (aw_q != '0 && w_q != '0 && b_q == '0 && !write) write_late_q <= write_late_q + 2'd1;
    else write_late_q <= '0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_late_q <= '0;
    else if (ar_q != '0 && r_q == '0 && !read) read_late_q <= read_late_q + 2'd1;
    else read_late_q <= '0;
  end

  // A response that was refused in the cycle before.
  logic b_refused_q, r_refused_q;
  logic [1:0] bresp_q, rresp_q;
  logic [31:0] rdata_before_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {b_refused_q, r_refused_q} <= '0;
    else {b_refused_q, r_refused_q} <= {bvalid && !bready_i, rvalid && !rready_i};
  end
  always_ff @(posedge clk_i) {bresp_q, rresp_q, rdata_before_q} <= {bresp, rresp, rdata};

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);

    // For the induction step.
    i_state :
    assert (aw_q == 2'(u_dut.aw_full_q) && w_q == 2'(u_dut.w_full_q) &&
        ar_q == 2'(u_dut.ar_full_q));
    i_late :
    assert (read_late_q == '0 || (read_late_q == 2'd1 && req) || (read_late_q == 2'd2 && read));
    if (aw_q != '0) begin
      i_awaddr : assert (u_dut.awaddr_q == awaddr_q);
    end
    if (ar_q != '0) begin
      i_araddr : assert (u_dut.araddr_q == araddr_q);
    end
    if (w_q != '0) begin
      i_wdata : assert ({req_wdata, req_wstrb} == {wdata_q, wstrb_q});
    end

    // Whole commands only, with what was accepted; taking them away is what the counters do.
    if (write) begin
      p_write_whole : assert (aw_q == 2'd1 && w_q == 2'd1 && b_q == '0);
      p_write_is_the_accepted :
      assert (req_addr == {awaddr_q, 2'b00} && req_wdata == wdata_q && req_wstrb == wstrb_q);
    end
    if (read) begin
      p_read_whole : assert (ar_q == 2'd1 && r_q == '0);
      p_read_is_the_accepted : assert (req_addr == {araddr_q, 2'b00});
    end
    // An answer is there exactly as long as one is owed.
    p_write_answer : assert (b_q == 2'(bvalid));
    p_read_answer : assert (r_q == 2'(rvalid));
    if (bvalid) begin
      p_write_response : assert (bresp == {berr_q, 1'b0});
    end
    if (rvalid) begin
      p_read_response : assert (rresp == {rerr_q, 1'b0} && rdata == rdata_q);
    end
    if (b_refused_q) begin
      p_write_response_holds : assert (bvalid && bresp == bresp_q);
    end
    if (r_refused_q) begin
      p_read_response_holds : assert (rvalid && rresp == rresp_q && rdata == rdata_before_q);
    end
    // Progress.
    p_write_in_the_next_cycle : assert (write_late_q == '0 || (write_late_q == 2'd1 && write));
    p_read_after_one_write : assert (read_late_q <= 2'd2);
    p_ready : assert (awready == (aw_q == '0) && wready == (w_q == '0) && arready == (ar_q == '0));
  end

endmodule
