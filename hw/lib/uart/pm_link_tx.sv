// SPDX-License-Identifier: Apache-2.0
//
// Frames to the driver, one at a time: of what is due, the beginning of a session first, then the
// response of a register, a result, a status.
//
// Format:   kind, seq, ack, done, length; payload of so many bytes; CRC-32 of all these bytes,
//           lowest byte first. ack and done are those of pm_link_jobs when the frame begins.
// Timing:   a header has five bytes and a word eight, so that a word of a result is there when its
//           first byte is wanted.
// Reset:    asynchronous, active low. A frame under way ends as it would have, also over a new
//           session.
module pm_link_tx
  import pm_uart_pkg::*;
(
    input  logic        clk_i,              // clock
    input  logic        rst_ni,             // asynchronous reset, active low
    input  logic [ 7:0] ack_i,              // next number in sequence of job frames
    input  logic [ 7:0] done_i,             // oldest of which the core has not taken all
    // the four kinds: due, a pulse when the sending begins, content
    input  logic        synced_due_i,
    output logic        synced_sent_o,
    input  logic [31:0] nonce_i,
    input  logic        access_due_i,
    output logic        access_sent_o,
    input  logic [ 7:0] access_seq_i,
    input  logic [ 7:0] access_response_i,
    input  logic [31:0] access_data_i,
    input  logic        result_due_i,
    output logic        result_sent_o,      // pulse when the sending ends
    input  logic [ 7:0] result_seq_i,
    input  logic [ 7:0] result_length_i,
    output logic [ 7:0] result_sent_seq_o,
    output logic [ 4:0] result_beat_o,
    input  logic [63:0] result_data_i,      // two cycles after result_beat_o
    input  logic        status_due_i,
    output logic        status_sent_o,
    input  logic        status_gap_i,
    input  logic [63:0] cycles_i,           // clock
    output logic        any_sent_o,         // pulse: some frame begins
    // to pm_slip_tx
    output logic        valid_o,
    input  logic        ready_i,
    output logic [ 7:0] data_o,
    output logic        last_o
);

  typedef enum logic [1:0] {
    StIdle,
    StHeader,
    StPayload,
    StCrc
  } state_e;

  state_e state_q;
  logic [7:0] length_q, index_q, header_seq_q;
  logic [39:0] header_q;  // sent from bit 0 on, as the others
  logic [63:0] word_q;
  logic [31:0] crc_q;
  logic result_q, start, take, word_wanted;

  assign start = state_q == StIdle;
  assign synced_sent_o = start && synced_due_i;
  assign access_sent_o = start && !synced_due_i && access_due_i;
  assign status_sent_o = start && !synced_due_i && !access_due_i && !result_due_i && status_due_i;
  assign any_sent_o = start && (synced_due_i || access_due_i || result_due_i || status_due_i);
  assign take = valid_o && ready_i;
  assign valid_o = state_q != StIdle;
  assign last_o = state_q == StCrc && index_q == 8'd3;
  assign word_wanted = result_q && index_q[2:0] == '0;
  assign result_sent_o = take && last_o && result_q;
  assign result_sent_seq_o = header_seq_q;

  always_comb begin
    unique case (state_q)
      StHeader:  data_o = header_q[7:0];
      StPayload: data_o = word_wanted ? result_data_i[7:0] : word_q[7:0];
      default:   data_o = ~crc_q[7:0];
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      index_q <= '0;
    end else if (any_sent_o) begin
      state_q <= StHeader;
      index_q <= '0;
    end else if (take) begin
      index_q <= index_q + 8'd1;
      unique case (state_q)
        StHeader:
        if (index_q == 8'd4) begin
          state_q <= length_q == '0 ? StCrc : StPayload;
          index_q <= '0;
        end
        StPayload:
        if (index_q + 8'd1 == length_q) begin
          state_q <= StCrc;
          index_q <= '0;
        end
        default: if (last_o) state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      crc_q <= CrcInit;
      result_beat_o <= '0;
      result_q <= 1'b0;
      header_seq_q <= '0;
      length_q <= 8'd8;
      if (synced_due_i) begin
        header_q <= {8'd8, done_i, ack_i, 8'd0, KindSynced};
        word_q   <= {8'd0, 8'(8 * FrameBeats), 8'(WindowFrames), ProtocolVersion, nonce_i};
      end else if (access_due_i) begin
        header_q <= {8'd5, done_i, ack_i, access_seq_i, KindAccess};
        length_q <= 8'd5;
        word_q   <= {24'd0, access_data_i, access_response_i};
      end else if (result_due_i) begin
        header_q <= {result_length_i, done_i, ack_i, result_seq_i, KindResult};
        header_seq_q <= result_seq_i;
        length_q <= result_length_i;
        result_q <= 1'b1;
      end else begin
        header_q <= {8'd8, done_i, ack_i, 8'd0, status_gap_i ? KindGap : KindStatus};
        word_q   <= cycles_i;
      end
    end else if (take) begin
      if (state_q == StHeader) header_q <= header_q >> 8;
      if (state_q == StCrc) crc_q <= crc_q >> 8;
      else crc_q <= crc_byte(crc_q, data_o);
      if (state_q == StPayload) begin
        word_q <= (word_wanted ? result_data_i : word_q) >> 8;
        if (word_wanted) result_beat_o <= result_beat_o + 5'd1;
      end
    end
  end

endmodule
