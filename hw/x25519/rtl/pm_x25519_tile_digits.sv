// SPDX-License-Identifier: Apache-2.0
//
// Scalars of the contexts of pm_x25519_tile, and of each the digit of its ladder step: whether the
// present bit differs from the one before, highest bit first, with a 0 before the first one.
//
// Scalars are written 16 bits at a time. begin_i (pulse) goes to the first digit of a context whose
// scalar is written, step_i to the next one; either is done 6 cycles later. index_o is the digit of
// the context that was named in the cycle before. wipe_i forgets the digit of a context; its scalar
// is to be overwritten.
//
// Ranges:   step_i pulses are at least 3 cycles apart, begin_i is not with wipe_i of its context.
// Reset:    asynchronous, active low: digits are 0; scalars keep what they were.
// Constant time: yes; a bit is chosen by its place alone.

module pm_x25519_tile_digits #(
    parameter  int unsigned NumContexts = 5,                   // contexts, at least 2
    localparam int unsigned CtxBits     = $clog2(NumContexts)
) (
    input  logic               clk_i,         // clock
    input  logic               rst_ni,        // asynchronous reset, active low
    input  logic               write_i,       // write a part of a scalar
    input  logic [CtxBits-1:0] write_ctx_i,   // of this context
    input  logic [        3:0] write_part_i,  // bits 16 i + 15 to 16 i
    input  logic [       15:0] write_data_i,
    input  logic               wipe_i,        // forget the digit
    input  logic               begin_i,       // go to the first digit
    input  logic [CtxBits-1:0] ctx_i,         // of wipe_i and begin_i
    input  logic               step_i,        // go to the next digit
    input  logic [CtxBits-1:0] step_ctx_i,    // of this context
    input  logic [CtxBits-1:0] next_ctx_i,    // context whose digit is wanted in the next cycle
    output logic               index_o        // its digit
);

  localparam logic [7:0] First = 8'd254;  // place of the first digit

  logic [15:0] mem_q[2**(CtxBits+4)];
  logic [NumContexts-1:0][7:0] place_q;  // of the next digit
  logic [NumContexts-1:0] bit_q, index_q;  // present bit, and digit

  logic waits_q, find_q, read_q, pick_q;  // a first digit is wanted; stages of a step
  logic [CtxBits-1:0] waits_ctx_q, find_ctx_q, read_ctx_q, pick_ctx_q;
  logic [7:0] place;
  logic [7:0] read_place_q;
  logic [3:0] pick_place_q;
  logic [15:0] read_part_q, part_q;
  logic next_bit;

  assign place = place_q[find_ctx_q];
  assign next_bit = part_q[pick_place_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {waits_q, find_q, read_q, pick_q} <= '0;
      {bit_q, index_q} <= '0;
    end else begin
      waits_q <= begin_i || (waits_q && step_i);
      find_q <= step_i || waits_q;
      {read_q, pick_q} <= {find_q, read_q};
      if (pick_q) begin
        bit_q[pick_ctx_q]   <= next_bit;
        index_q[pick_ctx_q] <= next_bit != bit_q[pick_ctx_q];
      end
      if (wipe_i) begin
        bit_q[ctx_i]   <= 1'b0;
        index_q[ctx_i] <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (write_i) mem_q[{write_ctx_i, write_part_i}] <= write_data_i;
    if (begin_i) begin
      waits_ctx_q <= ctx_i;
      place_q[ctx_i] <= First;
    end
    if (read_q) place_q[read_ctx_q] <= read_place_q - 8'd1;
    find_ctx_q <= step_i ? step_ctx_i : waits_ctx_q;
    read_part_q <= mem_q[{find_ctx_q, place[7:4]}];
    {read_place_q, read_ctx_q} <= {place, find_ctx_q};
    {part_q, pick_place_q, pick_ctx_q} <= {read_part_q, read_place_q[3:0], read_ctx_q};
    index_o <= index_q[next_ctx_i];
  end

endmodule
