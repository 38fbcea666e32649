// SPDX-License-Identifier: Apache-2.0
//
// Frames of the driver: header, payload in beats of 8 bytes, length and CRC. What a frame wants may
//           be
// done after good_o alone; beats that came before are to be forgotten otherwise.
//
// Format:   kind, seq, acknowledged, length; payload of so many bytes; CRC-32 of all these bytes,
//           lowest byte first.
// Latency:  begin_o two cycles after the fourth byte, beat_o after the last byte of a beat; good_o
//           or bad_o two cycles after the end. A frame without any byte is none.
// Reset:    asynchronous, active low: between two frames.
module pm_link_rx
  import pm_uart_pkg::*;
(
    input  logic        clk_i,           // clock
    input  logic        rst_ni,          // asynchronous reset, active low
    // from pm_slip_rx
    input  logic        valid_i,
    input  logic [ 7:0] data_i,
    input  logic        end_i,
    input  logic        bad_i,
    // the frame
    output logic        begin_o,         // pulse: kind, seq, acknowledged and length are there
    output logic [ 7:0] kind_o,
    output logic [ 7:0] seq_o,
    output logic [ 7:0] acknowledged_o,
    output logic [ 7:0] length_o,
    output logic        beat_o,          // pulse: a beat of the payload
    output logic [63:0] beat_data_o,     // it holds until the next one: all of a short payload
    output logic [ 3:0] beat_bytes_o,    // its bytes, 1 to 8, from bit 0 on; zero above them
    output logic        beat_end_o,      // it is the last one
    output logic        good_o,          // pulse: the frame ended well
    output logic        bad_o            // pulse: it did not
);

  localparam int unsigned HeaderBytes = 4;
  localparam int unsigned CrcBytes = 4;

  logic [8:0] count_q, payload_at;  // bytes of the frame; those before this one in the payload
  logic [31:0] crc_q;
  logic whole, in_payload, payload_ends, long_q;

  assign payload_at = count_q - 9'(HeaderBytes);
  assign in_payload = count_q >= 9'(HeaderBytes) && payload_at < {1'b0, length_o};
  assign payload_ends = payload_at[7:0] + 8'd1 == length_o;
  assign whole = crc_q == CrcResidue && !long_q && count_q == {1'b0, length_o} + 9'(HeaderBytes +
                                                                                   CrcBytes);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {begin_o, beat_o, good_o, bad_o} <= '0;
      count_q <= '0;
      long_q <= 1'b0;
      crc_q <= CrcInit;
    end else begin
      begin_o <= valid_i && count_q == 9'(HeaderBytes - 1);
      beat_o  <= valid_i && in_payload && (payload_at[2:0] == 3'd7 || payload_ends);
      good_o  <= end_i && !bad_i && whole;
      bad_o   <= end_i && (bad_i || (count_q != '0 && !whole));
      if (valid_i) begin
        count_q <= count_q + 9'd1;
        if (&count_q) long_q <= 1'b1;
        crc_q <= crc_byte(crc_q, data_i);
      end else if (end_i) begin
        count_q <= '0;
        long_q  <= 1'b0;
        crc_q   <= CrcInit;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      unique case (count_q)
        9'd0: kind_o <= data_i;
        9'd1: seq_o <= data_i;
        9'd2: acknowledged_o <= data_i;
        9'd3: length_o <= data_i;
        default: begin
          if (in_payload) begin
            if (payload_at[2:0] == '0) beat_data_o <= {56'd0, data_i};
            else beat_data_o[8*payload_at[2:0]+:8] <= data_i;
            beat_bytes_o <= {1'b0, payload_at[2:0]} + 4'd1;
            beat_end_o   <= payload_ends;
          end
        end
      endcase
    end
  end

endmodule
