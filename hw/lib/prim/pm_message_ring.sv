// SPDX-License-Identifier: Apache-2.0
//
// Memory for byte messages that are read twice: when they have come, and again when they are the
// oldest.
//
// Messages arrive one at a time. The newest is not kept until commit_i; drop_i forgets it, in
// whatever state. The next may begin after either. read_i streams a kept message out, from byte 0:
// the newest kept, or with oldest_i the oldest; free_i forgets the oldest, whose tag is shown. A
// message that does not fit for now waits (msg_ready_o is 0) until older ones are gone; one longer
// than the whole memory is swallowed, and too_long_o tells so until drop_i.
//
// Range:    messages of 0 to MessageBytes bytes; at most MaxMessages kept. A message takes whole
//           words of 8 bytes; a last beat without bytes takes none, but waits like others. keep is
//           contiguous from bit 0, and full except in a last beat.
// Timing:   one beat per cycle on both sides; the first beat is offered 3 cycles after read_i. An
//           empty message is one beat without bytes. msg_ready_o does not depend on inputs; room
//           that free_i or drop_i makes is seen in the second cycle after it.
// Handshake: valid/ready; out_* hold until taken. commit_i, after the last beat and not when
//           too_long_o; read_i, when the reading before it has ended (its last beat was taken) and,
//           for the newest, in the cycle after its commit_i at the earliest; free_i, not while the
//           oldest is read. drop_i without a newest message does nothing. clear_i forgets
//           everything at once.
// Reset:    asynchronous, active low: empty. The memory is not overwritten.
// Timing depends on the lengths of messages, never on their bytes.

module pm_message_ring #(
    parameter int unsigned MessageBytes = 16384,  // size, a power of two, 16 or more
    parameter int unsigned MaxMessages = 16,  // messages kept, a power of two, 2 or more
    parameter int unsigned TagBits = 4  // bits of a tag
) (
    input  logic               clk_i,           // clock
    input  logic               rst_ni,          // asynchronous reset, active low
    input  logic               clear_i,         // pulse: forget everything
    // the newest message, first byte of a beat in bits 7:0
    input  logic               msg_valid_i,     // a beat is offered
    output logic               msg_ready_o,     // it is taken
    input  logic [       63:0] msg_data_i,      // bytes
    input  logic [        7:0] msg_keep_i,      // bytes that count, in the last beat
    input  logic               msg_last_i,      // last beat
    input  logic               drop_i,          // pulse: forget it
    output logic               too_long_o,      // level: it does not fit
    input  logic               commit_i,        // pulse: keep it
    input  logic [TagBits-1:0] tag_i,           // with commit_i: the user's tag for it
    // kept messages
    output logic               oldest_valid_o,  // level: there is one
    output logic [TagBits-1:0] oldest_tag_o,    // tag of the oldest
    input  logic               free_i,          // pulse: forget the oldest
    input  logic               read_i,          // pulse: stream one out
    input  logic               oldest_i,        // with read_i: the oldest, otherwise the newest
    output logic               out_valid_o,     // a beat is offered
    input  logic               out_ready_i,     // it is taken
    output logic [       63:0] out_data_o,      // bytes
    output logic [        7:0] out_keep_o,      // bytes that count
    output logic               out_last_o       // last beat
);

  localparam int unsigned Depth = MessageBytes / 8;
  localparam int unsigned AddrBits = $clog2(Depth);
  localparam int unsigned IndexBits = $clog2(MaxMessages);

  if (MessageBytes < 16 || (MessageBytes & (MessageBytes - 1)) != 0) begin : gen_check_bytes
    $fatal(1, "pm_message_ring: MessageBytes must be a power of two and at least 16.");
  end
  if (MaxMessages < 2 || (MaxMessages & (MaxMessages - 1)) != 0) begin : gen_check_messages
    $fatal(1, "pm_message_ring: MaxMessages must be a power of two and at least 2.");
  end

  // One bit more than the address, so that full and empty differ.
  typedef logic [AddrBits:0] pointer_t;

  typedef struct packed {
    pointer_t   words;
    logic [2:0] tail;   // bytes in the last word, 0 for 8
  } length_t;

  typedef struct packed {
    logic [TagBits-1:0] tag;
    length_t            length;
  } record_t;

  // ---- arrival ----------------------------------------------------------------------------------

  logic [63:0] mem_q[Depth];
  pointer_t write_q, begin_q, head_q;  // next word; first of the newest; first of the oldest
  logic [2:0] tail_q;
  pointer_t held, newest_words;
  logic full_q, alone_q;  // no word is free; the newest has all
  logic accept, empty_beat, store;

  assign held = write_q - head_q;
  assign newest_words = write_q - begin_q;
  assign msg_ready_o = !full_q || alone_q || too_long_o;
  assign accept = msg_valid_i && msg_ready_o;
  assign empty_beat = msg_last_i && !msg_keep_i[0];
  assign store = accept && !empty_beat && !full_q && !too_long_o;

  // Exact while words come; that some have gone is seen a cycle later.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {full_q, alone_q} <= '0;
    else if (clear_i) {full_q, alone_q} <= '0;
    else begin
      full_q <= store ? held == pointer_t'(Depth - 1) : held == pointer_t'(Depth);
      alone_q <= !drop_i && !commit_i &&
          (store ? newest_words == pointer_t'(Depth - 1) : newest_words == pointer_t'(Depth));
    end
  end

  // ---- kept messages ----------------------------------------------------------------------------

  record_t record_mem_q[MaxMessages];
  record_t oldest;
  length_t newest, newest_q;
  pointer_t newest_begin_q;
  logic [IndexBits:0] push_q, pop_q;  // one bit more than the index

  assign newest = '{words: newest_words, tail: tail_q};
  assign oldest = record_mem_q[pop_q[IndexBits-1:0]];
  assign oldest_valid_o = push_q != pop_q;
  assign oldest_tag_o = oldest.tag;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {write_q, begin_q, head_q} <= '0;
      {push_q, pop_q} <= '0;
      too_long_o <= 1'b0;
    end else if (clear_i) begin
      {write_q, begin_q, head_q} <= '0;
      {push_q, pop_q} <= '0;
      too_long_o <= 1'b0;
    end else begin
      if (store) write_q <= write_q + pointer_t'(1);
      if (accept && alone_q && !empty_beat) begin
        write_q <= begin_q;
        too_long_o <= 1'b1;
      end
      if (drop_i) begin
        write_q <= begin_q;
        too_long_o <= 1'b0;
      end
      if (commit_i) begin
        begin_q <= write_q;
        push_q  <= push_q + (IndexBits + 1)'(1);
      end
      if (free_i) begin
        head_q <= head_q + oldest.length.words;
        pop_q  <= pop_q + (IndexBits + 1)'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (store) begin
      mem_q[write_q[AddrBits-1:0]] <= msg_data_i;
      tail_q <= '0;
      for (int unsigned i = 1; i < 8; i++) begin
        if (msg_last_i && msg_keep_i[i-1] && !msg_keep_i[i]) tail_q <= 3'(i);
      end
    end
    if (commit_i) begin
      record_mem_q[push_q[IndexBits-1:0]] <= '{tag: tag_i, length: newest};
      newest_q <= newest;
      newest_begin_q <= begin_q;
    end
  end

  // ---- reading ----------------------------------------------------------------------------------
  // Two stages: the register of the memory, and one behind it.

  typedef struct packed {
    logic       last;
    logic [7:0] keep;
  } beat_t;

  length_t chosen, left_q;
  pointer_t read_q;
  beat_t beat, fetched_beat_q, out_beat_q;
  logic [63:0] fetched_data_q;
  logic active_q, fetched_q, fetch, advance, last;

  assign chosen = oldest_i ? oldest.length : newest_q;
  assign advance = fetched_q && (!out_valid_o || out_ready_i);
  assign fetch = active_q && (!fetched_q || advance);
  assign last = left_q.words <= pointer_t'(1);

  always_comb begin
    beat = '{last: last, keep: 8'hff};
    if (left_q.words == '0) beat.keep = '0;
    else if (last && left_q.tail != '0) beat.keep = 8'((9'd1 << left_q.tail) - 9'd1);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {active_q, fetched_q, out_valid_o} <= '0;
    else if (clear_i) {active_q, fetched_q, out_valid_o} <= '0;
    else begin
      active_q <= read_i || (active_q && !(fetch && last));
      fetched_q <= fetch || (fetched_q && !advance);
      out_valid_o <= advance || (out_valid_o && !out_ready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (read_i) begin
      read_q <= oldest_i ? head_q : newest_begin_q;
      left_q <= chosen;
    end else if (fetch) begin
      read_q <= read_q + pointer_t'(1);
      left_q.words <= left_q.words - pointer_t'(1);
    end
    if (fetch) begin
      fetched_data_q <= mem_q[read_q[AddrBits-1:0]];
      fetched_beat_q <= beat;
    end
    if (advance) begin
      out_data_o <= fetched_data_q;
      out_beat_q <= fetched_beat_q;
    end
  end

  assign out_keep_o = out_beat_q.keep;
  assign out_last_o = out_beat_q.last;

endmodule
