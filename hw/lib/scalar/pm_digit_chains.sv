// SPDX-License-Identifier: Apache-2.0
//
// Chains of digits, one for each of 32 positions: a digit is put in front of the chain of its
// position; then the chains are read as entries of a list, position 0 first, so that at each
// position the latest digit comes first.
//
// Digits:   at most 128, one a cycle; put_valid_i only between start_i and read_i.
// Latency:  read_i may come two cycles after the last put_valid_i. Reading takes a cycle for each
//           position and one for each entry, more if entries wait.
// Handshake: start_i (pulse): all chains are empty. read_i (level) stays until last_o, which is 1
//           in the last cycle of reading, that in which the last entry is taken or later.
//           push_valid_o/push_ready_i for each entry. clear_i withdraws an entry; read_i must be 0
//           from the next cycle on, and start_i come before other digits.
// Reset:    asynchronous, active low: no entry is offered. start_i must come before digits.
// Constant time: NO. For public scalars only.
// Source:   original.

module pm_digit_chains
  import pm_scalar_pkg::*;
#(
    localparam int unsigned PosBits = 5
) (
    input  logic                      clk_i,         // clock
    input  logic                      rst_ni,        // asynchronous reset, active low
    input  logic                      clear_i,       // abandon the list
    input  logic                      start_i,       // pulse: empty all chains
    input  logic                      put_valid_i,   // a digit
    input  logic        [PosBits-1:0] put_pos_i,     // its position
    input  list_point_t               put_point_i,   // its table, sign and multiple
    input  logic                      read_i,        // level: entries are offered
    output logic                      push_valid_o,  // an entry is offered
    input  logic                      push_ready_i,  // the entry is taken
    output list_entry_t               push_entry_o,  // the entry
    output logic                      last_o         // nothing is left after this cycle
);

  localparam int unsigned NumPos = 1 << PosBits;
  localparam int unsigned LinkBits = 7;

  typedef logic [LinkBits-1:0] link_t;

  typedef struct packed {
    list_point_t point;
    logic        last;   // of its chain
    link_t       next;
  } digit_t;

  // ---- putting ----------------------------------------------------------------------------------

  logic put_q;
  logic [PosBits-1:0] pos_q;
  list_point_t point_q;
  // The position has a chain. While chains are read, that of the present position is the lowest.
  logic [NumPos-1:0] used_q;
  link_t first_q[NumPos];  // first digit of the chain
  digit_t digits_q[1<<LinkBits];
  link_t free_q;  // where the next digit goes
  logic leave;  // nothing (more) at the position that is read

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) put_q <= 1'b0;
    else put_q <= put_valid_i;
  end

  always_ff @(posedge clk_i) begin
    pos_q   <= put_pos_i;
    point_q <= put_point_i;
    if (put_q) begin
      digits_q[free_q] <= '{point: point_q, last: !used_q[pos_q], next: first_q[pos_q]};
      first_q[pos_q]   <= free_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      used_q <= '0;
      free_q <= '0;
    end else if (put_q) begin
      used_q[pos_q] <= 1'b1;
      free_q <= free_q + 1'b1;
    end else if (leave) begin
      used_q <= used_q >> 1;
    end
  end

  // ---- reading ----------------------------------------------------------------------------------

  digit_t top;
  link_t  at_q;  // digit that is offered
  logic offered_q, later_q;
  logic [PosBits-1:0] read_q;

  assign top = digits_q[at_q];
  assign push_valid_o = offered_q;
  assign push_entry_o = '{
          pos: 9'(read_q),
          kind: top.point.kind,
          neg: top.point.neg,
          more: later_q,
          idx: top.point.idx
      };
  assign leave = read_i && (offered_q ? push_ready_i && top.last : !used_q[0]);
  assign last_o = leave && read_q == '1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) offered_q <= 1'b0;
    else offered_q <= read_i && !leave && !clear_i;
  end

  always_ff @(posedge clk_i) begin
    if (!offered_q) at_q <= first_q[read_q];
    else if (push_ready_i) at_q <= top.next;
    later_q <= offered_q && (later_q || push_ready_i);
    if (!read_i) read_q <= '0;
    else if (leave) read_q <= read_q + 1'b1;
  end

endmodule
