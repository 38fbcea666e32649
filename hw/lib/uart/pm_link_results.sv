// SPDX-License-Identifier: Apache-2.0
//
// Result packets until the driver acknowledges them. They go out in order, each as one frame;
// rewind_i has all of them sent again that are not acknowledged.
//
// Range:    a packet has at most FrameBeats beats; TKEEP of the last one is contiguous from bit 0.
// Timing:   the port stalls while WindowFrames packets are inside. Data of read_beat_i comes
//           two cycles later.
// Reset:    asynchronous, active low, or clear_i: empty, numbers 0.
module pm_link_results
  import pm_uart_pkg::*;
(
    input  logic        clk_i,           // clock
    input  logic        rst_ni,          // asynchronous reset, active low
    input  logic        clear_i,         // level: forget everything
    // result port of the core
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [63:0] s_axis_tdata,
    input  logic [ 7:0] s_axis_tkeep,
    input  logic        s_axis_tlast,
    // from the driver
    input  logic        update_i,        // pulse: a frame came
    input  logic [ 7:0] acknowledged_i,  // number of the result that it waits for
    input  logic        rewind_i,        // with update_i: send from there
    // to pm_link_tx
    output logic        due_o,           // level: a result is to be sent
    output logic [ 7:0] seq_o,           // its number
    output logic [ 7:0] length_o,        // its bytes
    input  logic        sent_i,          // pulse: number sent_seq_i was sent
    input  logic [ 7:0] sent_seq_i,
    input  logic [ 2:0] read_slot_i,     // of the number being sent
    input  logic [ 4:0] read_beat_i,
    output logic [63:0] read_data_o
);

  localparam int unsigned SlotBits = $clog2(WindowFrames);
  localparam int unsigned BeatBits = $clog2(SlotBeats);

  logic [63:0] mem_q[WindowFrames*SlotBeats];
  logic [63:0] word_q;
  logic [7:0] length_q[WindowFrames];
  logic [7:0] write_q, base_q, send_q;  // next to come, oldest, next to be sent
  logic [BeatBits-1:0] beat_q;
  logic [7:0] ahead, held, sent;
  logic [3:0] bytes;
  logic accept, known;

  assign held = write_q - base_q;
  assign sent = send_q - base_q;
  assign ahead = acknowledged_i - base_q;
  assign known = update_i && ahead <= held;
  assign s_axis_tready = held < 8'(WindowFrames);
  assign accept = s_axis_tvalid && s_axis_tready;
  assign due_o = send_q != write_q;
  assign seq_o = send_q;
  assign length_o = length_q[send_q[SlotBits-1:0]];

  always_comb begin
    bytes = '0;
    for (int unsigned i = 0; i < 8; i++) bytes += 4'(s_axis_tkeep[i]);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {write_q, base_q, send_q} <= '0;
      beat_q <= '0;
    end else if (clear_i) begin
      {write_q, base_q, send_q} <= '0;
      beat_q <= '0;
    end else begin
      if (accept) begin
        beat_q <= s_axis_tlast ? '0 : beat_q + BeatBits'(1);
        if (s_axis_tlast) write_q <= write_q + 8'd1;
      end
      // A frame that began before the session is none of its results.
      if (sent_i && due_o && sent_seq_i == send_q) send_q <= send_q + 8'd1;
      if (known) begin
        base_q <= acknowledged_i;
        if (rewind_i || sent < ahead) send_q <= acknowledged_i;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      mem_q[{write_q[SlotBits-1:0], beat_q}] <= s_axis_tdata;
      if (s_axis_tlast) length_q[write_q[SlotBits-1:0]] <= {beat_q, 3'd0} + 8'(bytes);
    end
    word_q <= mem_q[{read_slot_i, read_beat_i}];
    read_data_o <= word_q;
  end

endmodule
