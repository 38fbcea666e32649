// SPDX-License-Identifier: Apache-2.0
//
// Registers that the host reaches through BAR0: those of the core, the identity, those of the link.
//
// Every access gets the response OKAY, since LitePCIe has no way to tell the host of an error, and
// RegResponse says how the last access to the core or the identity ended.
// Addresses: below 0x100 the core's; from 0x100 on the words of the identity, read-only; from 0x200
//            on the link's (docs/pcie.md). Elsewhere 0 is read and nothing is written.
// Range:     one access at a time; of a write to the link all four bytes count.
// Latency:   a request is taken in the cycle after it is offered, the response is offered in the
//            next one; of the core, one cycle after its response. Without one in WaitCycles cycles
//            the response is ResponseNone, and so for all accesses to the core until clear_i. While
//            that is 1 the core is not reached.
// Reset:     asynchronous, active low; clear_i but for the session and an access under way.
module pm_pcie_registers
  import pm_pcie_pkg::*;
#(
    parameter int unsigned BufferWords = 1024,  // of a buffer, told to the driver
    parameter int unsigned WaitCycles = 1000,  // at least 8
    parameter int unsigned IdentityWords = 32,  // a power of two, at most 64
    parameter logic [32*IdentityWords-1:0] Identity = '0  // word 0 in bits 31:0
) (
    input  logic        clk_i,           // clock
    input  logic        rst_ni,          // asynchronous reset, active low
    input  logic        clear_i,         // level: a session begins, or there is none
    // of the link
    output logic        session_o,       // pulse: the nonce was written
    output logic [31:0] nonce_o,         // of the session; 0: none
    output logic [31:0] doorbell_o,      // buffers of jobs that may be taken
    input  logic [31:0] taken_i,         // buffers of jobs taken
    input  logic [31:0] accepted_i,      // buffers of jobs accepted
    input  logic        fault_i,         // level: one was lost or damaged
    output logic [31:0] credit_o,        // buffers of results that may be sent
    input  logic [31:0] sent_i,          // buffers of results sent
    input  logic [63:0] cycles_i,        // since the session began
    // from the host
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [11:0] s_axil_awaddr,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    output logic [ 1:0] s_axil_bresp,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    input  logic [11:0] s_axil_araddr,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    // register port of the core
    output logic        m_axil_awvalid,
    input  logic        m_axil_awready,
    output logic [ 7:0] m_axil_awaddr,
    output logic        m_axil_wvalid,
    input  logic        m_axil_wready,
    output logic [31:0] m_axil_wdata,
    output logic [ 3:0] m_axil_wstrb,
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

  typedef enum logic [1:0] {
    StIdle,
    StLocal,   // identity and link
    StCore,    // the core's turn
    StRespond
  } state_e;

  state_e state_q;
  logic [CountBits-1:0] count_q;
  logic [11:0] address_q;
  logic [31:0] high_q, local_data;
  logic [1:0] response_q;
  logic take_q;  // the request is taken: it was there in the cycle before
  logic write_q, dead_q, read, write, over, is_core, is_identity, ended, put;

  assign write = s_axil_awvalid && s_axil_wvalid;
  assign read = s_axil_arvalid && !write;
  assign s_axil_awready = take_q && write_q;
  assign s_axil_wready = s_axil_awready;
  assign s_axil_arready = take_q && !write_q;
  assign s_axil_bvalid = state_q == StRespond && write_q;
  assign s_axil_rvalid = state_q == StRespond && !write_q;
  assign s_axil_bresp = ResponseOkay;
  assign s_axil_rresp = ResponseOkay;
  assign is_core = (write ? s_axil_awaddr[11:8] : s_axil_araddr[11:8]) == 4'd0;
  assign is_identity = address_q[11:8] == 4'd1 && {1'b0, address_q[7:2]} < 7'(IdentityWords);
  assign over = count_q == CountBits'(WaitCycles);
  assign ended = m_axil_bvalid || m_axil_rvalid;
  assign put = state_q == StLocal && write_q && m_axil_wstrb == '1;
  assign session_o = put && address_q == RegSession;
  assign m_axil_awaddr = address_q[7:0];
  assign m_axil_araddr = address_q[7:0];
  assign m_axil_bready = 1'b1;
  assign m_axil_rready = 1'b1;

  always_comb begin
    unique case (address_q)
      RegMagic: local_data = MagicBridge;
      RegFormat: local_data = {16'(BufferWords), 8'd0, ProtocolVersion};
      RegSession: local_data = nonce_o;
      RegStatus: local_data = {30'd0, fault_i, !clear_i};
      RegDoorbell: local_data = doorbell_o;
      RegTaken: local_data = taken_i;
      RegAccepted: local_data = accepted_i;
      RegCredit: local_data = credit_o;
      RegSent: local_data = sent_i;
      RegCycles: local_data = cycles_i[31:0];
      RegCyclesHigh: local_data = high_q;
      RegResponse: local_data = {30'd0, response_q};
      default: local_data = is_identity ? Identity[32*address_q[2+:IndexBits]+:32] : '0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      take_q <= 1'b0;
      {m_axil_awvalid, m_axil_wvalid, m_axil_arvalid} <= '0;
      {nonce_o, doorbell_o, credit_o} <= '0;
      dead_q <= 1'b0;
    end else begin
      take_q <= state_q == StIdle && (write || read);
      if (m_axil_awready) m_axil_awvalid <= 1'b0;
      if (m_axil_wready) m_axil_wvalid <= 1'b0;
      if (m_axil_arready) m_axil_arvalid <= 1'b0;
      unique case (state_q)
        StIdle: begin
          if (write || read) begin
            state_q <= is_core ? StCore : StLocal;
            m_axil_awvalid <= write && is_core && !dead_q;
            m_axil_wvalid <= write && is_core && !dead_q;
            m_axil_arvalid <= read && is_core && !dead_q;
          end
        end
        StLocal: state_q <= StRespond;
        StCore: begin
          if (ended || over || dead_q) state_q <= StRespond;
          if (over && !ended) dead_q <= 1'b1;
        end
        default: if (write_q ? s_axil_bready : s_axil_rready) state_q <= StIdle;
      endcase
      if (session_o) nonce_o <= m_axil_wdata;
      if (put && address_q == RegDoorbell) doorbell_o <= m_axil_wdata;
      if (put && address_q == RegCredit) credit_o <= m_axil_wdata;
      if (clear_i) begin
        {doorbell_o, credit_o} <= '0;
        {m_axil_awvalid, m_axil_wvalid, m_axil_arvalid} <= '0;
        dead_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      address_q <= write ? s_axil_awaddr : s_axil_araddr;
      write_q <= write;
      m_axil_wdata <= s_axil_wdata;
      m_axil_wstrb <= s_axil_wstrb;
      count_q <= '0;
    end
    if (state_q == StLocal) begin
      s_axil_rdata <= local_data;
      if (address_q == RegCycles) high_q <= cycles_i[63:32];
      if (address_q < RegMagic) begin
        response_q <= is_identity && !write_q ? ResponseOkay : ResponseError;
      end
    end
    if (state_q == StCore) begin
      count_q <= count_q + CountBits'(1);
      s_axil_rdata <= ended && !dead_q ? m_axil_rdata : '0;
      if (ended && !dead_q) response_q <= m_axil_bvalid ? m_axil_bresp : m_axil_rresp;
      else if (over || dead_q) response_q <= ResponseNone;
    end
  end

endmodule
