// SPDX-License-Identifier: Apache-2.0
//
// Result packets into buffers that LitePCIe's DMA writes to the host.
//
// A buffer begins with a result and is then sent to its end, so that no result waits for another
// one. It consists of pairs of words: a control word and a beat, or two zeros where there is none
// yet; a beat that comes while the buffer is sent is in its next pair. The last pair has magic
// number, count of beats, nonce, number in sequence, and the CRC over the pairs with beats and
// itself. A buffer is begun only if credit_i says that the driver has read those before.
// Range:    tkeep is contiguous from bit 0.
// Latency:  the first word of a buffer is offered two cycles after the beat that begins it, its
//           last one BufferWords - 1 later, if they are taken; the next buffer begins two cycles
//           after that. Within a buffer the port takes a beat every two cycles.
// Reset:    asynchronous, active low, or clear_i: none, numbers 0.
module pm_pcie_results
  import pm_pcie_pkg::*;
#(
    parameter int unsigned BufferWords = 1024  // 64-bit words of a buffer, 2^5 to 2^15
) (
    input  logic        clk_i,          // clock
    input  logic        rst_ni,         // asynchronous reset, active low
    input  logic        clear_i,        // level: forget everything
    input  logic [31:0] nonce_i,        // of the session
    input  logic [31:0] credit_i,       // buffers that may be sent
    output logic [31:0] sent_o,         // buffers sent
    // result port of the core
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [63:0] s_axis_tdata,
    input  logic [ 7:0] s_axis_tkeep,
    input  logic        s_axis_tlast,
    // stream of LitePCIe
    output logic        m_valid_o,
    input  logic        m_ready_i,
    output logic [63:0] m_data_o,
    output logic        m_last_o        // the buffer ends
);

  localparam int unsigned WordBits = $clog2(BufferWords);
  localparam logic [WordBits-1:0] Trailer = WordBits'(BufferWords - 2);
  localparam logic [63:0] ControlBeat = 64'd1 << 16;

  logic [WordBits-1:0] word_q;
  logic [31:0] crc_q, crc;
  logic [15:0] count_q;
  logic busy_q, beat_q, odd, first, trailer, beat, ready, put;
  logic [63:0] word;

  assign odd = word_q[0];
  assign first = word_q == '0;
  assign trailer = word_q >= Trailer;
  assign beat = !trailer && (odd ? beat_q : s_axis_tvalid);
  assign put = busy_q && ready;
  assign s_axis_tready = put && odd && beat;

  always_comb begin
    unique case ({
      trailer, odd
    })
      2'b00:   word = beat ? ControlBeat | {55'd0, s_axis_tlast, s_axis_tkeep} : '0;
      2'b01:   word = beat ? s_axis_tdata : '0;
      2'b10:   word = {MagicResults, count_q, nonce_i};
      default: word = {32'd0, sent_o};
    endcase
  end

  assign crc = crc_word(first ? CrcInit : crc_q, word);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      word_q <= '0;
      sent_o <= '0;
    end else if (clear_i) begin
      busy_q <= 1'b0;
      word_q <= '0;
      sent_o <= '0;
    end else begin
      if (!busy_q) busy_q <= s_axis_tvalid && sent_o != credit_i;
      if (put) word_q <= word_q + WordBits'(1);
      if (put && word_q == '1) begin
        busy_q <= 1'b0;
        sent_o <= sent_o + 32'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (put) begin
      beat_q  <= beat;
      count_q <= (first ? '0 : count_q) + 16'(beat && !odd);
      if (beat || trailer) crc_q <= crc;
    end
  end

  pm_skid #(
      .Width(65)
  ) u_skid (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i(busy_q),
      .ready_o(ready),
      .data_i ({trailer && odd, trailer && odd ? ~crc : word[63:32], word[31:0]}),
      .valid_o(m_valid_o),
      .ready_i(m_ready_i),
      .data_o ({m_last_o, m_data_o})
  );

  if (BufferWords < 32 || BufferWords > 32768 || 2 ** WordBits != BufferWords) begin : gen_bad
    $fatal(1, "pm_pcie_results: BufferWords must be a power of two from 32 to 32768");
  end

endmodule
