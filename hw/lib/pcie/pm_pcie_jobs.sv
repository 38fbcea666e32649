// SPDX-License-Identifier: Apache-2.0
//
// Job packets out of the buffers that LitePCIe's DMA reads from the host, in order and each once.
//
// LitePCIe reads its buffers round and round, whether the driver has written them or not. A buffer
// is taken when doorbell_i says that it was written, and then counted in taken_o. What is in it
// counts if it has the magic number, the nonce and the next number in sequence; a buffer of an
// earlier number is filling. Beats are written as they come and kept when the CRC is right.
// accepted_o is the next number in sequence. A number beyond it, a wrong CRC or a record that is
// none sets fault_o, and nothing is accepted any more.
// Range:    a payload of 2 to BufferWords - 3 words.
// Latency:  the first beat is offered two cycles after the word with the CRC, if nothing is before
//           it; then a beat in each cycle. A word of the buffer in each cycle, unless the memory
//           for BufferWords beats is full.
// Reset:    asynchronous, active low, or clear_i: empty, numbers 0; words that come are dropped.
// Data:     beats stay in the memory until others overwrite them.
module pm_pcie_jobs
  import pm_pcie_pkg::*;
#(
    parameter int unsigned BufferWords = 1024  // 64-bit words of a buffer, 2^5 to 2^15
) (
    input  logic        clk_i,          // clock
    input  logic        rst_ni,         // asynchronous reset, active low
    input  logic        clear_i,        // level: forget everything
    input  logic [31:0] nonce_i,        // of the session
    input  logic [31:0] doorbell_i,     // buffers that may be taken
    output logic [31:0] taken_o,        // buffers taken
    output logic [31:0] accepted_o,     // buffers with jobs accepted
    output logic        fault_o,        // level: one was lost or damaged
    // stream of LitePCIe
    input  logic        s_valid_i,
    output logic        s_ready_o,
    input  logic [63:0] s_data_i,
    // job port of the core
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic [63:0] m_axis_tdata,
    output logic [ 7:0] m_axis_tkeep,
    output logic        m_axis_tlast
);

  localparam int unsigned WordBits = $clog2(BufferWords);
  localparam logic [15:0] MaxPayload = 16'(BufferWords - JobWords);

  typedef enum logic [2:0] {
    StMagic,    // word 0: magic number, number in sequence
    StNonce,    // word 1: nonce, words of the payload
    StPayload,
    StCheck,    // CRC
    StFilling   // nothing more
  } state_e;

  typedef struct packed {
    logic        last;
    logic [3:0]  bytes;
    logic [63:0] data;
  } beat_t;

  state_e state_q;
  beat_t mem_q[BufferWords];
  beat_t read_q;
  logic [WordBits:0] write_q, kept_q, head_q;  // one bit more than the address
  logic [WordBits-1:0] word_q;
  logic [31:0] crc_q, seq_q, ahead;  // ahead of the number that is next, modulo 2^32
  logic [15:0] left_q;  // words of the payload
  logic [15:0] bytes_q;  // of the record
  logic last_q, bad_q, valid_q;
  logic take, full, header, header_bad, beat, step, fits, whole;

  assign full = write_q[WordBits] != head_q[WordBits] &&
      write_q[WordBits-1:0] == head_q[WordBits-1:0];
  assign s_ready_o = clear_i ||
      (word_q == '0 ? taken_o != doorbell_i : state_q != StPayload || !full);
  assign take = s_valid_i && s_ready_o && !clear_i;
  assign header = bytes_q == '0;
  assign header_bad = s_data_i[15:0] == '0 || (!s_data_i[16] && s_data_i[2:0] != '0);
  assign beat = take && state_q == StPayload && !header;
  assign ahead = seq_q - accepted_o;
  assign fits = s_data_i[47:32] >= 16'd2 && s_data_i[47:32] <= MaxPayload;
  assign whole = s_data_i[31:0] == ~crc_q && !bad_q && header;
  assign step = !valid_q || m_axis_tready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StMagic;
      {write_q, kept_q, head_q} <= '0;
      {word_q, taken_o, accepted_o} <= '0;
      {fault_o, valid_q} <= '0;
    end else if (clear_i) begin
      state_q <= StMagic;
      {write_q, kept_q, head_q} <= '0;
      {word_q, taken_o, accepted_o} <= '0;
      {fault_o, valid_q} <= '0;
    end else begin
      if (take) begin
        word_q <= word_q + WordBits'(1);
        unique case (state_q)
          StMagic:   state_q <= s_data_i[31:0] == MagicJobs && !fault_o ? StNonce : StFilling;
          StNonce: begin
            state_q <= StFilling;
            if (s_data_i[31:0] == nonce_i && !ahead[31]) begin
              if (ahead == '0 && fits) state_q <= StPayload;
              else fault_o <= 1'b1;
            end
          end
          StPayload: if (left_q == 16'd1) state_q <= StCheck;
          StCheck: begin
            state_q <= StFilling;
            if (whole) begin
              kept_q <= write_q;
              accepted_o <= accepted_o + 32'd1;
            end else fault_o <= 1'b1;
          end
          default:   ;
        endcase
        if (word_q == '1) begin
          state_q <= StMagic;
          taken_o <= taken_o + 32'd1;
        end
      end
      if (beat) write_q <= write_q + (WordBits + 1)'(1);
      // A beat is read as the one before it leaves.
      if (step) begin
        valid_q <= head_q != kept_q;
        if (head_q != kept_q) head_q <= head_q + (WordBits + 1)'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      crc_q <= crc_word(state_q == StMagic ? CrcInit : crc_q, s_data_i);
      unique case (state_q)
        StMagic: begin
          seq_q   <= s_data_i[63:32];
          bytes_q <= '0;
          bad_q   <= 1'b0;
        end
        StNonce: left_q <= s_data_i[47:32];
        StPayload: begin
          left_q <= left_q - 16'd1;
          if (header) begin
            bytes_q <= s_data_i[15:0];
            last_q  <= s_data_i[16];
            bad_q   <= bad_q || header_bad;
          end else begin
            bytes_q <= bytes_q <= 16'd8 ? '0 : bytes_q - 16'd8;
          end
        end
        default: ;
      endcase
    end
    if (beat) begin
      mem_q[write_q[WordBits-1:0]] <= '{
          last: last_q && bytes_q <= 16'd8,
          bytes: bytes_q < 16'd8 ? bytes_q[3:0] : 4'd8,
          data: s_data_i
      };
    end
    if (step) read_q <= mem_q[head_q[WordBits-1:0]];
  end

  assign m_axis_tvalid = valid_q;
  assign m_axis_tdata  = read_q.data;
  assign m_axis_tlast  = read_q.last;
  assign m_axis_tkeep  = 8'((9'd1 << read_q.bytes) - 9'd1);

  if (BufferWords < 32 || BufferWords > 32768 || 2 ** WordBits != BufferWords) begin : gen_bad
    $fatal(1, "pm_pcie_jobs: BufferWords must be a power of two from 32 to 32768");
  end

endmodule
