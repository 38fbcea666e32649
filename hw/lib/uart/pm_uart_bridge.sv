// SPDX-License-Identifier: Apache-2.0
//
// A serial line to the ports of a core: job packets, result packets, registers (docs/uart.md).
//           Nothing
// of a damaged frame reaches the core, and nothing is done twice.
//
// Session:  before the first frame of kind sync nothing is taken. Each new nonce resets the core,
//           for ResetCycles cycles, and the link; the same nonce only has the response repeated.
// Clock:    one domain; rx_i is asynchronous and is synchronised in pm_uart_rx.
// Timing depends on lengths, never on bytes, apart from the escapes of SLIP on the line.
// Reset:    asynchronous, active low.
module pm_uart_bridge
  import pm_uart_pkg::*;
#(
    parameter int unsigned Divider = 20,  // clock cycles of a bit, at least 4
    parameter int unsigned IdentityWords = 32,  // a power of two, at most 64
    parameter logic [32*IdentityWords-1:0] Identity = '0,  // word 0 in bits 31:0
    parameter int unsigned ResetCycles = 32  // of the core, at least 4
) (
    input  logic        clk_i,           // clock
    input  logic        rst_ni,          // asynchronous reset, active low
    input  logic        rx_i,            // line from the driver, asynchronous
    output logic        tx_o,            // line to the driver
    output logic        core_rst_no,     // reset of the core, active low, from a register
    output logic        open_o,          // level: there is a session
    output logic        bad_o,           // pulse: a damaged frame
    // job port of the core
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic [63:0] m_axis_tdata,
    output logic [ 7:0] m_axis_tkeep,
    output logic        m_axis_tlast,
    // result port of the core
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [63:0] s_axis_tdata,
    input  logic [ 7:0] s_axis_tkeep,
    input  logic        s_axis_tlast,
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

  localparam int unsigned ResetBits = $clog2(ResetCycles + 1);

  // ---- line to frames ---------------------------------------------------------------------------

  logic byte_valid, byte_error, slip_valid, slip_end, slip_bad;
  logic [7:0] byte_data, slip_data;
  logic frame_begin, frame_good, frame_bad, beat, beat_end;
  logic [7:0] kind, seq, acknowledged, length;
  logic [63:0] beat_data;
  logic [ 3:0] beat_bytes;

  pm_uart_rx #(
      .Divider(Divider)
  ) u_uart_rx (
      .clk_i,
      .rst_ni,
      .rx_i,
      .valid_o(byte_valid),
      .data_o (byte_data),
      .error_o(byte_error)
  );

  pm_slip_rx u_slip_rx (
      .clk_i,
      .rst_ni,
      .valid_i(byte_valid),
      .data_i (byte_data),
      .error_i(byte_error),
      .valid_o(slip_valid),
      .data_o (slip_data),
      .end_o  (slip_end),
      .bad_o  (slip_bad)
  );

  pm_link_rx u_link_rx (
      .clk_i,
      .rst_ni,
      .valid_i(slip_valid),
      .data_i(slip_data),
      .end_i(slip_end),
      .bad_i(slip_bad),
      .begin_o(frame_begin),
      .kind_o(kind),
      .seq_o(seq),
      .acknowledged_o(acknowledged),
      .length_o(length),
      .beat_o(beat),
      .beat_data_o(beat_data),
      .beat_bytes_o(beat_bytes),
      .beat_end_o(beat_end),
      .good_o(frame_good),
      .bad_o(frame_bad)
  );

  // ---- session ----------------------------------------------------------------------------------

  logic [31:0] nonce_q;
  logic [ResetBits-1:0] reset_q;  // cycles of the reset that are left
  logic [63:0] cycles_q;
  logic clear, synced_due_q, synced_sent, sync, good, fresh, poll;

  assign clear = reset_q != '0;
  assign sync  = frame_good && kind == KindSync && length == 8'd4;
  assign fresh = sync && (!open_o || nonce_q != beat_data[31:0]);
  assign good  = frame_good && open_o && !clear;
  assign poll  = good && (kind == KindPoll || kind == KindRewind);
  assign bad_o = frame_bad;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_o <= 1'b0;
      synced_due_q <= 1'b0;
      core_rst_no <= 1'b0;
      reset_q <= ResetBits'(ResetCycles);
    end else begin
      if (clear) reset_q <= reset_q - ResetBits'(1);
      if (fresh) reset_q <= ResetBits'(ResetCycles);
      // The second half of the time the core is quiet, and out of reset.
      core_rst_no <= reset_q <= ResetBits'(ResetCycles / 2);
      if (synced_sent) synced_due_q <= 1'b0;
      if (sync) begin
        open_o <= 1'b1;
        synced_due_q <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (sync) nonce_q <= beat_data[31:0];
    cycles_q <= clear ? '0 : cycles_q + 64'd1;
  end

  // ---- streams and registers --------------------------------------------------------------------

  logic [7:0] ack, done, result_seq, result_length, result_sent_seq;
  logic [7:0] access_seq, access_response;
  logic [31:0] access_data;
  logic [63:0] result_data;
  logic [ 4:0] result_beat;
  logic taken, dropped, passed, result_due, result_sent, access_due, access_sent;

  pm_link_jobs u_jobs (
      .clk_i,
      .rst_ni,
      .clear_i(clear || fresh),
      .begin_i(frame_begin),
      .kind_i(kind),
      .seq_i(seq),
      .length_i(length),
      .beat_i(beat),
      .beat_data_i(beat_data),
      .beat_bytes_i(beat_bytes),
      .beat_end_i(beat_end),
      .good_i(good),
      .ack_o(ack),
      .done_o(done),
      .taken_o(taken),
      .dropped_o(dropped),
      .passed_o(passed),
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tlast
  );

  pm_link_results u_results (
      .clk_i,
      .rst_ni,
      .clear_i(clear || fresh),
      .s_axis_tvalid,
      .s_axis_tready,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tlast,
      .update_i(good && kind != KindSync),
      .acknowledged_i(acknowledged),
      .rewind_i(kind == KindRewind),
      .due_o(result_due),
      .seq_o(result_seq),
      .length_o(result_length),
      .sent_i(result_sent),
      .sent_seq_i(result_sent_seq),
      .read_slot_i(result_sent_seq[2:0]),
      .read_beat_i(result_beat),
      .read_data_o(result_data)
  );

  pm_link_registers #(
      .IdentityWords(IdentityWords),
      .Identity(Identity)
  ) u_registers (
      .clk_i,
      .rst_ni,
      .clear_i(clear || fresh),
      .good_i(good),
      .kind_i(kind),
      .seq_i(seq),
      .length_i(length),
      .payload_i(beat_data[47:0]),
      .due_o(access_due),
      .sent_i(access_sent),
      .seq_o(access_seq),
      .response_o(access_response),
      .data_o(access_data),
      .m_axil_awvalid,
      .m_axil_awready,
      .m_axil_awaddr,
      .m_axil_wvalid,
      .m_axil_wready,
      .m_axil_wdata,
      .m_axil_bvalid,
      .m_axil_bready,
      .m_axil_bresp,
      .m_axil_arvalid,
      .m_axil_arready,
      .m_axil_araddr,
      .m_axil_rvalid,
      .m_axil_rready,
      .m_axil_rdata,
      .m_axil_rresp
  );

  assign m_axil_wstrb = '1;

  // ---- frames to the line -----------------------------------------------------------------------

  // The next status tells of acknowledgements that no frame has told of, answers a poll, or says
  // that something was lost.
  logic news_q, polled_q, gap_q, status_sent, any_sent;
  logic frame_valid, frame_ready, frame_last, held_valid, held_ready, held_last;
  logic line_valid, line_ready;
  logic [7:0] frame_data, held_data, line_data;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {news_q, polled_q, gap_q} <= '0;
    else if (clear || fresh) {news_q, polled_q, gap_q} <= '0;
    else begin
      news_q   <= taken || passed || (news_q && !any_sent);
      polled_q <= poll || (polled_q && !status_sent);
      gap_q    <= dropped || (frame_bad && open_o) || (gap_q && !status_sent);
    end
  end

  pm_link_tx u_link_tx (
      .clk_i,
      .rst_ni,
      .ack_i(ack),
      .done_i(done),
      .synced_due_i(synced_due_q && !clear),
      .synced_sent_o(synced_sent),
      .nonce_i(nonce_q),
      .access_due_i(access_due && !clear),
      .access_sent_o(access_sent),
      .access_seq_i(access_seq),
      .access_response_i(access_response),
      .access_data_i(access_data),
      .result_due_i(result_due && !clear),
      .result_sent_o(result_sent),
      .result_seq_i(result_seq),
      .result_length_i(result_length),
      .result_sent_seq_o(result_sent_seq),
      .result_beat_o(result_beat),
      .result_data_i(result_data),
      .status_due_i((news_q || polled_q || gap_q) && !clear),
      .status_sent_o(status_sent),
      .status_gap_i(gap_q),
      .cycles_i(cycles_q),
      .any_sent_o(any_sent),
      .valid_o(frame_valid),
      .ready_i(frame_ready),
      .data_o(frame_data),
      .last_o(frame_last)
  );

  // Whether a byte is escaped decides when the next one is taken.
  pm_skid #(
      .Width(9)
  ) u_held (
      .clk_i,
      .rst_ni,
      .clear_i(1'b0),
      .valid_i(frame_valid),
      .ready_o(frame_ready),
      .data_i ({frame_last, frame_data}),
      .valid_o(held_valid),
      .ready_i(held_ready),
      .data_o ({held_last, held_data})
  );

  pm_slip_tx u_slip_tx (
      .clk_i,
      .rst_ni,
      .valid_i(held_valid),
      .ready_o(held_ready),
      .data_i (held_data),
      .last_i (held_last),
      .valid_o(line_valid),
      .ready_i(line_ready),
      .data_o (line_data)
  );

  pm_uart_tx #(
      .Divider(Divider)
  ) u_uart_tx (
      .clk_i,
      .rst_ni,
      .valid_i(line_valid),
      .ready_o(line_ready),
      .data_i (line_data),
      .tx_o
  );

endmodule
