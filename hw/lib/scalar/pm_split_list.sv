// SPDX-License-Identifier: Apache-2.0
//
// Recoded digit sequence of s G - k A with tables of 2^(32 i) G and 2^(32 i) A, i from 0 to 7: the
// width-w NAFs of s (w = 8) and k (w = 5), whose digits at positions 32 i + j come together at
// position j of the list, from table i. So a digit scan of the list has at most 31 doublings.
//
// Both scalars are recoded once. Digits are put in front of the chain of their position, one a
// cycle, and then read chain by chain: pm_digit_chains.
//
// Entries:  pos is j. For G, kind and idx are the address {i, (|d| - 1) / 2} of a table of 512
//           points, the highest bit of which tells ListG0 from ListG1; for A, kind is ListA and idx
//           {i, (|d| - 1) / 2}, of 6 bits. neg is the sign with which the multiple is added: for A
//           that of -d.
// Operands: s_i, k_i any. At most 32 + 51 entries; s_i = k_i = 0 makes an empty list.
// Latency:  with push_ready_i always 1, accept to done_o takes 182 cycles on average for scalars
//           below L, 215 at most over pairs of edge scalars. Interval: latency.
// Handshake: valid_i/ready_o for the scalars, push_valid_o/push_ready_i for each entry, lowest
//           position first. done_o is a level: 1 from the end of the list until the next scalars
//           are accepted, clear_i or reset. clear_i abandons the list. Reset: asynchronous, active
//           low: idle, done_o = 0.
// Constant time: NO. For public scalars only.

module pm_split_list
  import pm_scalar_pkg::*;
(
    input  logic                clk_i,         // clock
    input  logic                rst_ni,        // asynchronous reset, active low
    input  logic                clear_i,       // abandon the list
    input  logic                valid_i,       // the scalars are valid
    output logic                ready_o,       // idle
    input  logic        [252:0] s_i,           // multiple of G
    input  logic        [252:0] k_i,           // -k is the multiple of A
    output logic                push_valid_o,  // an entry is offered
    input  logic                push_ready_i,  // the entry is taken
    output list_entry_t         push_entry_o,  // the entry
    output logic                done_o         // all entries of the last list were taken
);

  localparam int unsigned WindowG = 8;
  localparam int unsigned WindowA = 5;
  // 2^PosBits positions between the points of neighbouring tables
  localparam int unsigned PosBits = 5;

  typedef enum logic [1:0] {
    StIdle,
    StRecode,
    StRead,
    StEnd
  } state_e;

  state_e state_q, state_d;
  logic load;

  assign load = valid_i && ready_o;

  // ---- digits -----------------------------------------------------------------------------------

  logic g_ready, g_valid, g_neg, g_done, a_ready, a_valid, a_neg, a_done;
  logic [7:0] g_pos, a_pos;
  logic [WindowG-3:0] g_idx;
  logic [WindowA-3:0] a_idx;

  pm_naf_recoder #(
      .Bits  (253),
      .Window(WindowG)
  ) u_recode_g (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i(load),
      .ready_o(g_ready),
      .scalar_i(s_i),
      .digit_valid_o(g_valid),
      .digit_ready_i(!a_valid),
      .digit_pos_o(g_pos),
      .digit_neg_o(g_neg),
      .digit_idx_o(g_idx),
      .done_o(g_done)
  );

  pm_naf_recoder #(
      .Bits  (253),
      .Window(WindowA)
  ) u_recode_a (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i(load),
      .ready_o(a_ready),
      .scalar_i(k_i),
      .digit_valid_o(a_valid),
      .digit_ready_i(1'b1),
      .digit_pos_o(a_pos),
      .digit_neg_o(a_neg),
      .digit_idx_o(a_idx),
      .done_o(a_done)
  );

  assign ready_o = state_q == StIdle && g_ready && a_ready;

  // ---- chains -----------------------------------------------------------------------------------

  logic [PosBits-1:0] put_pos;
  list_point_t put_point;
  logic chains_last;

  assign put_pos = a_valid ? a_pos[PosBits-1:0] : g_pos[PosBits-1:0];
  assign put_point = '{
          kind: a_valid ? ListA : g_pos[7] ? ListG1 : ListG0,
          neg: a_valid ? !a_neg : g_neg,
          idx: a_valid ? {2'b00, a_pos[7:PosBits], a_idx} : {g_pos[6:PosBits], g_idx}
      };

  pm_digit_chains u_chains (
      .clk_i,
      .rst_ni,
      .clear_i,
      .start_i(load),
      .put_valid_i(a_valid || g_valid),
      .put_pos_i(put_pos),
      .put_point_i(put_point),
      .read_i(state_q == StRead),
      .push_valid_o,
      .push_ready_i,
      .push_entry_o,
      .last_o(chains_last)
  );

  // ---- sequence ---------------------------------------------------------------------------------

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle: if (load) state_d = StRecode;
      StRecode:
      if (g_done && a_done) state_d = StRead;  // two cycles after the last digit, or later
      StRead: if (chains_last) state_d = StEnd;
      default: state_d = StIdle;
    endcase
    if (clear_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      done_o  <= 1'b0;
    end else begin
      state_q <= state_d;
      done_o  <= (done_o || state_q == StEnd) && !load && !clear_i;
    end
  end

endmodule
