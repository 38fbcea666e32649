// SPDX-License-Identifier: Apache-2.0
//
// Register accesses of the driver, each executed once: a repeated request has the response of the
// first one.
//
// Request:  payload of address (2 bytes) and, of a write, data (4 bytes). Addresses below 0x100 are
//           the core's; from 0x100 on the words of the identity, read-only.
// Response: 0 and the data; 2 for SLVERR, a wrong address or payload; 3 if the core does not
//           respond in WaitCycles cycles, and for all accesses from then on until clear_i.
// Numbers:  a request is new if its number is one more than that of the last one, which is 0 at
//           first.
// Reset:    asynchronous, active low, or clear_i.
module pm_link_registers
  import pm_uart_pkg::*;
#(
    parameter int unsigned WaitCycles = 1000,  // at least 8
    parameter int unsigned IdentityWords = 32,  // a power of two, at most 64
    parameter logic [32*IdentityWords-1:0] Identity = '0  // word 0 in bits 31:0
) (
    input  logic        clk_i,           // clock
    input  logic        rst_ni,          // asynchronous reset, active low
    input  logic        clear_i,         // level: forget everything
    // from pm_link_rx
    input  logic        good_i,
    input  logic [ 7:0] kind_i,
    input  logic [ 7:0] seq_i,
    input  logic [ 7:0] length_i,
    input  logic [47:0] payload_i,
    // to pm_link_tx
    output logic        due_o,           // level: a response is to be sent
    input  logic        sent_i,          // pulse: its sending begins
    output logic [ 7:0] seq_o,
    output logic [ 7:0] response_o,
    output logic [31:0] data_o,
    // register port of the core
    output logic        m_axil_awvalid,
    input  logic        m_axil_awready,
    output logic [ 7:0] m_axil_awaddr,
    output logic        m_axil_wvalid,
    input  logic        m_axil_wready,
    output logic [31:0] m_axil_wdata,
    input  logic        m_axil_bvalid,
    output logic        m_axil_bready,
    input  logic [ 1:0] m_axil_bresp,
    output logic        m_axil_arvalid,
    input  logic        m_axil_arready,
    output logic [ 7:0] m_axil_araddr,
    input  logic        m_axil_rvalid,
    output logic        m_axil_rready,
    input  logic [31:0] m_axil_rdata,
    input  logic [ 1:0] m_axil_rresp
);

  localparam int unsigned CountBits = $clog2(WaitCycles + 1);
  localparam int unsigned IndexBits = $clog2(IdentityWords);
  localparam logic [7:0] RespOkay = 8'd0;
  localparam logic [7:0] RespError = 8'd2;
  localparam logic [7:0] RespNone = 8'd3;

  logic [CountBits-1:0] count_q;
  logic busy_q, dead_q, is_read, is_write, is_core, is_identity, new_request, over;
  logic [15:0] address;
  logic [31:0] identity_q, rdata_q;
  logic [1:0] ready_q;  // delay of responses that are not the core's
  logic local_q;  // the response is that of the identity
  logic awaited;  // the core's response is, or the time-out

  assign address = payload_i[15:0];
  assign is_read = kind_i == KindRead && length_i == 8'd2;
  assign is_write = kind_i == KindWrite && length_i == 8'd6;
  assign is_core = address[15:8] == 8'd0 && (is_read || is_write);
  assign is_identity = is_read && address[15:8] == 8'd1 && {1'b0, address[7:2]} < 7'(IdentityWords);
  assign new_request = good_i && (kind_i == KindRead || kind_i == KindWrite) && !busy_q &&
      seq_i == seq_o + 8'd1;
  assign over = count_q == CountBits'(WaitCycles);
  assign awaited = busy_q && !dead_q;
  assign m_axil_awaddr = m_axil_araddr;
  assign m_axil_bready = 1'b1;
  assign m_axil_rready = 1'b1;
  assign data_o = local_q ? identity_q : rdata_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {busy_q, dead_q, due_o} <= '0;
      ready_q <= '0;
      {m_axil_awvalid, m_axil_wvalid, m_axil_arvalid} <= '0;
      seq_o <= '0;
      count_q <= '0;
    end else if (clear_i) begin
      {busy_q, dead_q, due_o} <= '0;
      ready_q <= '0;
      {m_axil_awvalid, m_axil_wvalid, m_axil_arvalid} <= '0;
      seq_o <= '0;
      count_q <= '0;
    end else begin
      if (sent_i) due_o <= 1'b0;
      if (m_axil_awready) m_axil_awvalid <= 1'b0;
      if (m_axil_wready) m_axil_wvalid <= 1'b0;
      if (m_axil_arready) m_axil_arvalid <= 1'b0;
      count_q <= count_q + CountBits'(busy_q);
      ready_q <= {ready_q[0], 1'b0};
      if (ready_q[1]) begin
        busy_q <= 1'b0;
        due_o  <= 1'b1;
      end
      if (awaited && (m_axil_bvalid || m_axil_rvalid || over)) begin
        busy_q <= 1'b0;
        due_o  <= 1'b1;
        dead_q <= !(m_axil_bvalid || m_axil_rvalid);
      end
      if (new_request) begin
        seq_o   <= seq_i;
        count_q <= '0;
        if (is_core && !dead_q) begin
          busy_q <= 1'b1;
          m_axil_awvalid <= is_write;
          m_axil_wvalid <= is_write;
          m_axil_arvalid <= is_read;
        end else begin
          busy_q  <= 1'b1;  // until the word of the identity is there
          ready_q <= 2'b01;
        end
      end else if (good_i && (kind_i == KindRead || kind_i == KindWrite) && !busy_q &&
                   seq_i == seq_o) begin
        due_o <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    identity_q <= Identity[32*m_axil_araddr[2+:IndexBits]+:32];
    if (new_request) begin
      m_axil_araddr <= address[7:0];
      m_axil_wdata <= payload_i[47:16];
      local_q <= is_identity;
      rdata_q <= '0;
      response_o <= is_identity ? RespOkay : is_core ? RespNone : RespError;
    end else if (awaited && m_axil_bvalid) begin
      response_o <= {6'd0, m_axil_bresp};
    end else if (awaited && m_axil_rvalid) begin
      response_o <= {6'd0, m_axil_rresp};
      rdata_q <= m_axil_rdata;
    end
  end

endmodule
