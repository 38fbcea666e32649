// SPDX-License-Identifier: Apache-2.0
//
// Job packets out of frames, in order and each once.
//
// Of the frames with job bytes the next one in sequence is taken, if less than WindowFrames are
// inside (the driver sends no more); every other one is dropped. Beats are written as they come and
// kept when the frame ends well. ack_o is the next number in sequence, done_o that of the oldest
// frame of which the core has not taken all.
// Range:    a payload of 1 to 8 FrameBeats bytes, whole beats unless the packet ends with it.
// Timing:   a beat every three cycles at most.
// Reset:    asynchronous, active low, or clear_i: empty, both numbers 0.
module pm_link_jobs
  import pm_uart_pkg::*;
(
    input  logic        clk_i,          // clock
    input  logic        rst_ni,         // asynchronous reset, active low
    input  logic        clear_i,        // level: forget everything
    // from pm_link_rx
    input  logic        begin_i,
    input  logic [ 7:0] kind_i,
    input  logic [ 7:0] seq_i,
    input  logic [ 7:0] length_i,
    input  logic        beat_i,
    input  logic [63:0] beat_data_i,
    input  logic [ 3:0] beat_bytes_i,
    input  logic        beat_end_i,
    input  logic        good_i,
    output logic [ 7:0] ack_o,          // next number in sequence
    output logic [ 7:0] done_o,         // number of the oldest frame inside
    output logic        taken_o,        // pulse with good_i: the frame was taken
    output logic        dropped_o,      // pulse with good_i: it has job bytes, and was not
    output logic        passed_o,       // pulse: the core has taken all of a frame
    // job port of the core
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic [63:0] m_axis_tdata,
    output logic [ 7:0] m_axis_tkeep,
    output logic        m_axis_tlast
);

  localparam int unsigned Beats = WindowFrames * SlotBeats;
  localparam int unsigned AddrBits = $clog2(Beats);

  typedef struct packed {
    logic        frame_end;
    logic        last;
    logic [3:0]  bytes;
    logic [63:0] data;
  } beat_t;

  beat_t mem_q  [Beats];
  beat_t read_q;
  logic [AddrBits:0] write_q, kept_q, head_q;  // one bit more than the address
  logic take_q, is_data, is_last, fits, fetched_q, valid_q;

  assign is_data = kind_i == KindData || kind_i == KindDataLast;
  assign is_last = kind_i == KindDataLast;
  assign fits = length_i != '0 && length_i <= 8'(8 * FrameBeats) &&
      (is_last || length_i[2:0] == '0);
  assign taken_o = good_i && take_q;
  assign dropped_o = good_i && is_data && !take_q;
  assign passed_o = m_axis_tvalid && m_axis_tready && read_q.frame_end;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {write_q, kept_q, head_q} <= '0;
      {ack_o, done_o} <= '0;
      {take_q, fetched_q, valid_q} <= '0;
    end else if (clear_i) begin
      {write_q, kept_q, head_q} <= '0;
      {ack_o, done_o} <= '0;
      {take_q, fetched_q, valid_q} <= '0;
    end else begin
      if (begin_i) begin
        write_q <= kept_q;
        take_q  <= is_data && fits && seq_i == ack_o && ack_o - done_o < 8'(WindowFrames);
      end
      if (beat_i && take_q) write_q <= write_q + (AddrBits + 1)'(1);
      if (taken_o) begin
        kept_q <= write_q;
        ack_o  <= ack_o + 8'd1;
        take_q <= 1'b0;
      end
      // The beat at head_q is read, is there a cycle later, and is offered until it is taken.
      fetched_q <= !fetched_q && !valid_q && head_q != kept_q;
      if (fetched_q) begin
        valid_q <= 1'b1;
        head_q  <= head_q + (AddrBits + 1)'(1);
      end
      if (m_axis_tvalid && m_axis_tready) valid_q <= 1'b0;
      if (passed_o) done_o <= done_o + 8'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (beat_i && take_q) begin
      mem_q[write_q[AddrBits-1:0]] <= '{
          frame_end: beat_end_i,
          last: beat_end_i && is_last,
          bytes: beat_bytes_i,
          data: beat_data_i
      };
    end
    if (!fetched_q && !valid_q) read_q <= mem_q[head_q[AddrBits-1:0]];
  end

  assign m_axis_tvalid = valid_q;
  assign m_axis_tdata  = read_q.data;
  assign m_axis_tlast  = read_q.last;
  assign m_axis_tkeep  = 8'((9'd1 << read_q.bytes) - 9'd1);

endmodule
