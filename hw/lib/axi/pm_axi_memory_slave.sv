// SPDX-License-Identifier: Apache-2.0
//
// AXI4 subordinate in front of a memory that is read and written in the cycle of the access: bursts
// become accesses of one beat each.
//
// Bursts:   INCR and FIXED of any length and size; beats narrower than the bus use its lanes by
//           address and WSTRB. WRAP gets the response SLVERR, every beat of it, and no access.
//           Locks, caches, protection and QoS have no ports.
// Access:   req_o is high in the cycle of an access; req_rdata_i and req_err_i respond in the same
//           cycle. A beat whose access is rejected reads as 0 and SLVERR; a write of which any beat
//           was rejected returns SLVERR, its other beats are carried out.
// Order:    one burst at a time; when a write and a read wait, the kind that was not last goes
//           first.
// Timing:   the first beat of a read is there two cycles after its address, the others one a cycle;
//           a write takes a beat a cycle from the cycle after its address on. Every output is a
//           register or depends on registers alone, but the access of a write, which follows the
//           bus in the cycle. Two beats of a read wait for the bus at most, so rready reaches no
//           access.
// Reset:    asynchronous, active low: open bursts are forgotten.
module pm_axi_memory_slave #(
    parameter int unsigned AddrWidth = 11,  // bits of a byte address, at least 5
    parameter int unsigned IdWidth = 4,  // bits of an ID, at least 1
    localparam int unsigned Bytes = 16  // of a beat
) (
    input  logic                 clk_i,          // clock
    input  logic                 rst_ni,         // asynchronous reset, active low
    // AXI4
    input  logic [  IdWidth-1:0] s_axi_awid,     // write address
    input  logic [AddrWidth-1:0] s_axi_awaddr,
    input  logic [          7:0] s_axi_awlen,
    input  logic [          2:0] s_axi_awsize,
    input  logic [          1:0] s_axi_awburst,
    input  logic                 s_axi_awvalid,
    output logic                 s_axi_awready,
    input  logic [  8*Bytes-1:0] s_axi_wdata,    // write data
    input  logic [    Bytes-1:0] s_axi_wstrb,
    input  logic                 s_axi_wlast,
    input  logic                 s_axi_wvalid,
    output logic                 s_axi_wready,
    output logic [  IdWidth-1:0] s_axi_bid,      // write response
    output logic [          1:0] s_axi_bresp,
    output logic                 s_axi_bvalid,
    input  logic                 s_axi_bready,
    input  logic [  IdWidth-1:0] s_axi_arid,     // read address
    input  logic [AddrWidth-1:0] s_axi_araddr,
    input  logic [          7:0] s_axi_arlen,
    input  logic [          2:0] s_axi_arsize,
    input  logic [          1:0] s_axi_arburst,
    input  logic                 s_axi_arvalid,
    output logic                 s_axi_arready,
    output logic [  IdWidth-1:0] s_axi_rid,      // read data
    output logic [  8*Bytes-1:0] s_axi_rdata,
    output logic [          1:0] s_axi_rresp,
    output logic                 s_axi_rlast,
    output logic                 s_axi_rvalid,
    input  logic                 s_axi_rready,
    // memory
    output logic                 req_o,          // an access happens in this cycle
    output logic                 req_write_o,    // it is a write
    output logic [AddrWidth-1:0] req_addr_o,     // address of the beat's lowest byte on the bus
    output logic [AddrWidth-1:0] ahead_addr_o,   // req_addr_o of the next cycle
    output logic [  8*Bytes-1:0] req_wdata_o,    // data to write
    output logic [    Bytes-1:0] req_wstrb_o,    // bytes to write
    input  logic [  8*Bytes-1:0] req_rdata_i,    // data read, in the same cycle
    input  logic                 req_err_i       // the access is refused, in the same cycle
);

  localparam logic [1:0] RespOkay = 2'b00;
  localparam logic [1:0] RespSlverr = 2'b10;
  localparam logic [1:0] BurstFixed = 2'b00;
  localparam logic [1:0] BurstIncr = 2'b01;

  typedef enum logic [1:0] {
    StIdle,
    StRead,
    StWrite,
    StResponse
  } state_e;

  state_e state_q;
  logic wrote_q;  // the last burst was a write
  logic [IdWidth-1:0] id_q;
  logic [AddrWidth-1:0] addr_q, addr_d, next_addr;
  logic [7:0] left_q;  // beats behind the present one
  logic [AddrWidth-1:0] step_q;  // bytes of a beat
  logic fixed_q, legal_q, error_q;
  logic take_write, take_read, room, beat, refused;

  assign take_write = state_q == StIdle && s_axi_awvalid && !(s_axi_arvalid && wrote_q);
  assign take_read = state_q == StIdle && s_axi_arvalid && !take_write;

  // Addresses are taken in the cycle in which a burst is chosen; ready depends on the other
  // channel's valid only where both are offered.
  assign s_axi_awready = state_q == StIdle && !(s_axi_arvalid && wrote_q);
  assign s_axi_arready = state_q == StIdle && !(s_axi_awvalid && !wrote_q);

  assign beat = (state_q == StRead && room) || (state_q == StWrite && s_axi_wvalid);
  assign refused = !legal_q || req_err_i;
  assign next_addr = (addr_q & ~(step_q - AddrWidth'(1))) + step_q;

  always_comb begin
    addr_d = addr_q;
    if (take_write) addr_d = s_axi_awaddr;
    else if (take_read) addr_d = s_axi_araddr;
    else if (beat && !fixed_q) addr_d = next_addr;
  end

  assign req_o = beat && legal_q;
  assign req_write_o = state_q == StWrite;
  assign req_addr_o = {addr_q[AddrWidth-1:4], 4'd0};
  assign ahead_addr_o = {addr_d[AddrWidth-1:4], 4'd0};
  assign req_wdata_o = s_axi_wdata;
  assign req_wstrb_o = s_axi_wstrb;

  assign s_axi_wready = state_q == StWrite;
  assign s_axi_bvalid = state_q == StResponse;
  assign s_axi_bid = id_q;
  assign s_axi_bresp = error_q ? RespSlverr : RespOkay;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      wrote_q <= 1'b0;
    end else begin
      unique case (state_q)
        StIdle:  if (take_write) state_q <= StWrite;
 else if (take_read) state_q <= StRead;
        StRead:  if (beat && left_q == '0) state_q <= StIdle;
        StWrite: if (beat && left_q == '0) state_q <= StResponse;
        default: if (s_axi_bready) state_q <= StIdle;
      endcase
      if (take_write || take_read) wrote_q <= take_write;
    end
  end

  always_ff @(posedge clk_i) begin
    addr_q <= addr_d;
    if (take_write || take_read) begin
      id_q <= take_write ? s_axi_awid : s_axi_arid;
      left_q <= take_write ? s_axi_awlen : s_axi_arlen;
      step_q <= AddrWidth'(1) << (take_write ? s_axi_awsize : s_axi_arsize);
      fixed_q <= (take_write ? s_axi_awburst : s_axi_arburst) == BurstFixed;
      legal_q <= (take_write ? s_axi_awburst : s_axi_arburst) inside {BurstFixed, BurstIncr} &&
          (take_write ? s_axi_awsize : s_axi_arsize) <= 3'd4;
      error_q <= 1'b0;
    end else if (beat) begin
      left_q  <= left_q - 8'd1;
      error_q <= error_q || refused;
    end
  end

  logic [8*Bytes-1:0] rdata;
  logic rejected;

  pm_ping_pong #(
      .Width(IdWidth + 8 * Bytes + 2)
  ) u_read (
      .clk_i,
      .rst_ni,
      .valid_i(state_q == StRead),
      .ready_o(room),
      .data_i ({id_q, req_rdata_i, refused, left_q == '0}),
      .valid_o(s_axi_rvalid),
      .ready_i(s_axi_rready),
      .data_o ({s_axi_rid, rdata, rejected, s_axi_rlast})
  );

  assign s_axi_rdata = rejected ? '0 : rdata;
  assign s_axi_rresp = rejected ? RespSlverr : RespOkay;

  // Beats are counted.
  logic unused_last;
  assign unused_last = s_axi_wlast;

endmodule
