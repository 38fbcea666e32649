// SPDX-License-Identifier: Apache-2.0
//
// RAM of the simulated system: one port, shared by the processor and an AXI4 manager of 128 bits.
//
// Access:   one a cycle, of a word by the processor or of four words, a beat, by the manager. The
//           processor goes first, and never waits: cpu_read_i or cpu_write_i in a cycle, the word
//           read in the next one. The manager gets the cycles between.
// Bursts:   INCR of whole beats, as pm_axi_dma makes them; others have no place here. A burst at a
//           time, of reads and writes that wait the kind that was not last. Beats beyond the RAM
//           get the response DECERR and keep nothing.
// Timing:   a beat a cycle while the processor asks for nothing, the first one two cycles behind
//           its address.
// Reset:    asynchronous, active low: bursts are forgotten; the RAM keeps its content, which begins
//           as the file of the plus argument +ram=.
module pm_soc_ram #(
    parameter int unsigned Bytes = 1 << 20,  // a power of two
    parameter int unsigned AddrBits = 32,  // of an address of the manager
    parameter int unsigned IdWidth = 4,
    localparam int unsigned IndexBits = $clog2(Bytes / 4)
) (
    input  logic                 clk_i,          // clock
    input  logic                 rst_ni,         // asynchronous reset, active low
    // processor
    input  logic                 cpu_read_i,     // read a word
    input  logic                 cpu_write_i,    // write bytes of one
    input  logic [IndexBits-1:0] cpu_index_i,    // this one
    input  logic [          3:0] cpu_wstrb_i,
    input  logic [         31:0] cpu_wdata_i,
    output logic [         31:0] cpu_rdata_o,    // in the next cycle
    // manager
    input  logic [  IdWidth-1:0] s_axi_awid,
    input  logic [ AddrBits-1:0] s_axi_awaddr,
    input  logic [          7:0] s_axi_awlen,
    input  logic                 s_axi_awvalid,
    output logic                 s_axi_awready,
    input  logic [        127:0] s_axi_wdata,
    input  logic [         15:0] s_axi_wstrb,
    input  logic                 s_axi_wvalid,
    output logic                 s_axi_wready,
    output logic [  IdWidth-1:0] s_axi_bid,
    output logic [          1:0] s_axi_bresp,
    output logic                 s_axi_bvalid,
    input  logic                 s_axi_bready,
    input  logic [  IdWidth-1:0] s_axi_arid,
    input  logic [ AddrBits-1:0] s_axi_araddr,
    input  logic [          7:0] s_axi_arlen,
    input  logic                 s_axi_arvalid,
    output logic                 s_axi_arready,
    output logic [  IdWidth-1:0] s_axi_rid,
    output logic [        127:0] s_axi_rdata,
    output logic [          1:0] s_axi_rresp,
    output logic                 s_axi_rlast,
    output logic                 s_axi_rvalid,
    input  logic                 s_axi_rready
);

  localparam logic [1:0] RespOkay = 2'b00;
  localparam logic [1:0] RespDecerr = 2'b11;
  localparam int unsigned RowBits = AddrBits - 4;

  typedef enum logic [1:0] {
    StIdle,
    StRead,
    StWrite,
    StResponse
  } state_e;

  logic [31:0] ram[Bytes / 4];

  state_e state_q;
  logic wrote_q;  // the last burst was a write
  logic [IdWidth-1:0] id_q;
  logic [RowBits-1:0] row_q;  // of the next beat
  logic [7:0] left_q;  // beats behind it
  logic error_q;  // a beat of the burst is beyond the RAM
  logic cpu, room, beat, beyond, take_write, take_read;
  logic [IndexBits-1:0] first;

  assign cpu = cpu_read_i || cpu_write_i;
  assign s_axi_awready = state_q == StIdle && !(s_axi_arvalid && wrote_q);
  assign s_axi_arready = state_q == StIdle && !(s_axi_awvalid && !wrote_q);
  assign take_write = s_axi_awvalid && s_axi_awready;
  assign take_read = s_axi_arvalid && s_axi_arready;

  assign room = !s_axi_rvalid || s_axi_rready;
  assign beat = !cpu && ((state_q == StRead && room) || (state_q == StWrite && s_axi_wvalid));
  assign beyond = row_q >= RowBits'(Bytes / 16);
  assign first = {row_q[IndexBits-3:0], 2'd0};
  assign s_axi_wready = state_q == StWrite && !cpu;
  assign s_axi_bvalid = state_q == StResponse;
  assign s_axi_bid = id_q;
  assign s_axi_bresp = error_q ? RespDecerr : RespOkay;

  initial begin : load_ram
    string file;
    if ($value$plusargs("ram=%s", file)) $readmemh(file, ram);
  end

  always_ff @(posedge clk_i) begin
    if (cpu_read_i) cpu_rdata_o <= ram[cpu_index_i];
    if (cpu_write_i) begin
      for (int unsigned i = 0; i < 4; i++) begin
        if (cpu_wstrb_i[i]) ram[cpu_index_i][8*i+:8] <= cpu_wdata_i[8*i+:8];
      end
    end else if (beat && state_q == StWrite && !beyond) begin
      for (int unsigned i = 0; i < 16; i++) begin
        if (s_axi_wstrb[i]) ram[first|IndexBits'(i/4)][8*(i%4)+:8] <= s_axi_wdata[8*i+:8];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      wrote_q <= 1'b0;
      s_axi_rvalid <= 1'b0;
    end else begin
      unique case (state_q)
        StIdle: begin
          if (take_write) state_q <= StWrite;
          else if (take_read) state_q <= StRead;
        end
        StRead:  if (beat && left_q == '0) state_q <= StIdle;
        StWrite: if (beat && left_q == '0) state_q <= StResponse;
        default: if (s_axi_bready) state_q <= StIdle;
      endcase
      if (take_write || take_read) wrote_q <= take_write;
      if (room) s_axi_rvalid <= beat && state_q == StRead;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take_write || take_read) begin
      id_q <= take_write ? s_axi_awid : s_axi_arid;
      row_q <= take_write ? s_axi_awaddr[AddrBits-1:4] : s_axi_araddr[AddrBits-1:4];
      left_q <= take_write ? s_axi_awlen : s_axi_arlen;
      error_q <= 1'b0;
    end else if (beat) begin
      row_q   <= row_q + RowBits'(1);
      left_q  <= left_q - 8'd1;
      error_q <= error_q || beyond;
    end
    if (beat && state_q == StRead) begin
      s_axi_rid <= id_q;
      for (int unsigned i = 0; i < 4; i++) begin
        s_axi_rdata[32*i+:32] <= beyond ? '0 : ram[first|IndexBits'(i)];
      end
      s_axi_rresp <= beyond ? RespDecerr : RespOkay;
      s_axi_rlast <= left_q == '0;
    end
  end

  // Beats are of the whole bus.
  logic unused;
  assign unused = ^{s_axi_awaddr[3:0], s_axi_araddr[3:0]};

endmodule
