// SPDX-License-Identifier: Apache-2.0
//
// Receives job packets of the multi-curve core (AXI4-Stream, 64-bit beats, first byte of a beat in
// bits 7:0) and presents one job at a time.
//
// Packet:   beat 0 header {tag [63:32], flags [31:16], opcode [15:8], option [7:0]}, then the
//           operands of the operation (hw/multicurve/core.yaml), nine beats each, lowest first, the
//           upper half of the ninth zero; TLAST on the last beat. TKEEP must be all ones.
// Malformed: illegal opcode, option or flags, another number of beats, an operand of more than 544
//           bits, bad TKEEP. Such a packet is consumed to its TLAST and still is a job that wants a
//           result.
// Timing:   one beat per cycle. s_axis_tready does not depend on s_axis_tvalid. job_end_o rises in
//           the cycle after TLAST.
// Handshake: job_* are levels, stable from job_end_o until job_done_i. job_done_i while job_open_o
//           ends the job at any time; what is left of its packet is then consumed unseen. The next
//           header is accepted in the cycle after job_done_i at the earliest.
// Secrets:  the operands of every job are wiped by job_done_i: some are secret without a flag.
// Reset:    asynchronous, active low: waits for a header.
// Timing depends on the packet's length and header, never on the values of operands.
module pm_multicurve_rx
  import pm_multicurve_pkg::*;
#(
    parameter bit Kept = 1'b1  // operands are kept; else who reads this takes them from the stream
) (
    input logic clk_i,  // clock
    input logic rst_ni, // asynchronous reset, active low

    // job packets
    input  logic        s_axis_tvalid,  // a beat is offered
    output logic        s_axis_tready,  // it is taken
    input  logic [63:0] s_axis_tdata,   // bytes
    input  logic [ 7:0] s_axis_tkeep,   // bytes that count
    input  logic        s_axis_tlast,   // last beat of the packet

    // the job
    output logic job_start_o,  // pulse: a header beat is accepted in this cycle
    output logic job_open_o,  // a header was accepted and its job is not answered yet
    output logic job_end_o,  // the packet has ended
    output logic job_malformed_o,  // the packet breaks the format; final with job_end_o
    // opcode of the header; valid from job_open_o on, as the next three
    output logic [7:0] job_op_o,
    output logic [7:0] job_option_o,  // option
    output mc_flags_t job_flags_o,  // flags
    output logic [31:0] job_tag_o,  // tag
    // operands, the first at index 0
    output logic [MaxOperands-1:0][NumberBits-1:0] job_operands_o,
    input logic job_done_i,  // pulse: the job is answered
    output logic busy_o  // a packet or a job is under way
);

  localparam int unsigned MaxBeats = OperandBeats * MaxOperands;
  localparam int unsigned FlagBits = $bits(mc_flags_t);

  typedef enum logic [1:0] {
    StHeader,    // no job
    StOperands,  // operands, or the rest of a malformed packet
    StWait,      // packet complete, job not answered
    StDrop       // job answered before its packet ended
  } state_e;

  state_e state_d, state_q;
  logic [3:0] beat_q;  // beat awaited, of the operand
  logic [2:0] operand_q;  // operand awaited
  logic malformed_q;  // but for the fields of the header
  logic flags_rest_q;  // a flag that there is not

  logic accept, header_legal, bad_beat, last_beat, top_beat;
  logic [7:0] head_op, head_option;
  logic [15:0] head_flags;

  assign {head_flags, head_op, head_option} = s_axis_tdata[31:0];
  assign header_legal = opcode_legal(
      job_op_o
  ) && job_option_o < 8'(opcode_options(
      job_op_o
  )) && !flags_rest_q && (job_flags_o & ~opcode_flags(
      job_op_o
  )) == '0;
  assign top_beat = beat_q == 4'(OperandBeats - 1);
  assign last_beat = top_beat && operand_q == opcode_operands(job_op_o) - 3'd1;

  always_comb begin
    unique case (state_q)
      StHeader: bad_beat = s_axis_tlast;
      StOperands: bad_beat = s_axis_tlast != last_beat || (top_beat && s_axis_tdata[63:32] != '0);
      default: bad_beat = 1'b0;
    endcase
    if (s_axis_tkeep != '1) bad_beat = 1'b1;
  end

  assign s_axis_tready = state_q != StWait;
  assign accept = s_axis_tvalid && s_axis_tready;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StHeader, StOperands: begin
        if (accept) begin
          if (s_axis_tlast) state_d = StWait;
          else state_d = StOperands;
        end
      end
      StWait:  ;
      StDrop:  if (accept && s_axis_tlast) state_d = StHeader;
      default: ;
    endcase
    // An answer ends the job, whatever the packet has come to.
    if (job_done_i && job_open_o) begin
      state_d = (state_q == StWait || (accept && s_axis_tlast)) ? StHeader : StDrop;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StHeader;
      beat_q <= '0;
      operand_q <= '0;
      malformed_q <= 1'b0;
    end else begin
      state_q <= state_d;
      if (job_start_o) begin
        beat_q <= '0;
        operand_q <= '0;
        malformed_q <= bad_beat;
      end else if (accept) begin
        malformed_q <= malformed_q || bad_beat;
        beat_q <= top_beat ? '0 : beat_q + 4'd1;
        if (top_beat) operand_q <= operand_q + 3'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (job_start_o) begin
      job_op_o <= head_op;
      job_option_o <= head_option;
      job_flags_o <= mc_flags_t'(head_flags[FlagBits-1:0]);
      flags_rest_q <= head_flags[15:FlagBits] != '0;
      job_tag_o <= s_axis_tdata[63:32];
    end
  end

  if (Kept) begin : gen_kept
    logic [MaxOperands-1:0][NumberBits-1:0] operands_q;

    always_ff @(posedge clk_i) begin
      if (job_done_i && job_open_o) operands_q <= '0;
      else if (accept && state_q == StOperands) begin
        for (int unsigned i = 0; i < MaxBeats; i++) begin
          if (operand_q == 3'(i / OperandBeats) && beat_q == 4'(i % OperandBeats)) begin
            if (i % OperandBeats == OperandBeats - 1) begin
              operands_q[i/OperandBeats][NumberBits-1-:32] <= s_axis_tdata[31:0];
            end else begin
              operands_q[i/OperandBeats][64*(i%OperandBeats)+:64] <= s_axis_tdata;
            end
          end
        end
      end
    end

    assign job_operands_o = operands_q;
  end else begin : gen_not_kept
    assign job_operands_o = '0;
  end

  assign job_start_o = accept && (state_q == StHeader);
  assign job_open_o = (state_q != StHeader) && (state_q != StDrop);
  assign job_end_o = (state_q == StWait);
  assign job_malformed_o = malformed_q || !header_legal;
  assign busy_o = (state_q != StHeader);

endmodule
