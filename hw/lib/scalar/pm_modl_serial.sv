// SPDX-License-Identifier: Apache-2.0
//
// Modulo the group order L, by 16-bit words and one 18-bit multiplier: k = digest mod L of a job,
// and, once the half-size scalar d of that job is known, s = d S mod L.
//
// Reduction (L = 2^252 + LLow): Horner's rule over the words, from the top. With the value x of the
// words read so far, q = floor(x / 2^252), x becomes (x mod 2^252) - q * LLow, which is x - q L.
// From below 2^256, as the first 16 words are, x comes to (-2^130, 2^252). Let -2^142 < x < L + 1;
// with the next word x' = 2^16 x + w lies in (-2^158, 2^269), so that -1 <= q < 2^17 and the new x
// is above -2^17 * 2^124.4 > -2^142, and below 2^252 + LLow = L. At the end a negative x gets L
// more, by the same step: its q is -1. So the result is in [0, L).
//
// Product: d S word by word into the memory of the reduction; every pass adds one word of d.
//
// Operands: any digest and S; any d below 2^256.
// Latency:  valid_i to ready_o 33 cycles; a reduction 17 or 18 passes of 22 cycles; 17 cycles from
//           k_take_i to the last k_valid_o; d S 272 cycles before its reduction.
// Handshake: valid_i, with digest_i and s_i, stays until ready_o (pulse): they are read meanwhile.
//           k_ready_o: k is there; k_take_i (pulse) has its words sent, lowest first, with
//           k_valid_o. d_valid_i: d of the oldest job that has no s yet can be read: d_word_i is
//           its word d_addr_o, in the same cycle; d_valid_i stays until s_done_o (pulse), by which
//           all words of s were written (s_we_o, in no useful order: the latest write of each
//           counts). d has precedence over new jobs, and at most two jobs may be without s.
//           clear_i abandons everything.
// Reset:    asynchronous, active low: idle.
// Constant time: NO. For public data only.
// Source: original.

module pm_modl_serial
  import pm_scalar_pkg::*;
(
    input  logic         clk_i,      // clock
    input  logic         rst_ni,     // asynchronous reset, active low
    input  logic         clear_i,    // abandon everything
    input  logic         valid_i,    // a job is offered
    output logic         ready_o,    // pulse: it was read
    input  logic [511:0] digest_i,   // digest, little-endian
    input  logic [252:0] s_i,        // S
    input  logic         zero_i,     // level: both are taken for 0
    output logic         k_ready_o,  // k = digest mod L is complete
    input  logic         k_take_i,   // pulse: send it
    output logic         k_valid_o,  // a word of it
    output logic [ 15:0] k_word_o,
    input  logic         d_valid_i,  // d is complete
    output logic [  3:0] d_addr_o,   // this word of it
    input  logic [ 15:0] d_word_i,   // in the same cycle
    output logic         s_we_o,     // write a word of s
    output logic [  3:0] s_addr_o,
    output logic [ 15:0] s_word_o,
    output logic         s_done_o    // pulse: s is complete
);

  localparam int unsigned Words = 16;
  localparam int unsigned SumBits = 35;  // of a word with its product and carry, signed

  typedef enum logic [2:0] {
    StIdle,
    StLoad,      // read digest and S
    StMultiply,  // passes of the product
    StSettle,    // wait for the end of a pass
    StReduce,    // a pass of the reduction
    StHold,      // k waits
    StSend       // words of k
  } state_e;

  // What goes down the pipeline with a word.
  typedef struct packed {
    logic       valid;
    logic [4:0] addr;   // where its result goes
    logic       first;  // no carry comes in
    logic       blank;  // nothing is read
    logic       mask;   // without the bits from 2^252 on
    logic       last;   // of a pass of the reduction, or of the value to be reduced
    logic       whole;  // of that value
  } tag_t;

  state_e state_q, state_d;
  logic product_q;  // the reduction is that of d S
  logic [4:0] word_q, word_d;  // word of a pass
  logic [4:0] base_q, base_d;  // lowest word of a pass
  logic settled;  // the latest result is the last one of a pass

  // Each stage looks at some of it.
  /* verilator lint_off UNUSEDSIGNAL */
  tag_t tag, read_q, in_q, mid_q, out_q, sum_q, result_q;
  /* verilator lint_on UNUSEDSIGNAL */

  // ---- reading the operands --------------------------------------------------------------------
  // In two steps: eight words each, then one of their choices.

  logic [3:0][15:0] digest_part_q;
  logic [1:0][15:0] s_part_q;
  logic [255:0] s;
  logic load1_q, load2_q;
  logic [4:0] load1_word_q, load2_word_q;
  logic [15:0] load_q, s_word_q;

  assign s = 256'(s_i);

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 4; i++) begin
      digest_part_q[i] <= digest_i[128*i+16*32'(word_q[2:0])+:16];
    end
    for (int unsigned i = 0; i < 2; i++) begin
      s_part_q[i] <= s[128*i+16*32'(word_q[2:0])+:16];
    end
    load1_word_q <= word_q;
    load2_word_q <= load1_word_q;
    load_q <= zero_i ? '0 : digest_part_q[load1_word_q[4:3]];
    s_word_q <= zero_i ? '0 : s_part_q[load1_word_q[3]];
  end

  // ---- memories --------------------------------------------------------------------------------

  (* ram_style = "distributed" *) logic [15:0] value_q[2*Words];  // x, d S
  (* ram_style = "distributed" *) logic [15:0] s_q[2*Words];  // S of two jobs
  logic in_slot_q, out_slot_q;  // of the next job, of the next product
  logic [15:0] value_word, factor_word, result_word_q;
  logic [4:0] value_addr;

  assign value_addr  = word_q + base_q;
  assign value_word  = value_q[value_addr];
  assign factor_word = s_q[{out_slot_q, word_q[3:0]}];

  always_ff @(posedge clk_i) begin
    if (result_q.valid) value_q[result_q.addr] <= result_word_q;
    if (load2_q && !load2_word_q[4]) s_q[{in_slot_q, load2_word_q[3:0]}] <= s_word_q;
  end

  // ---- multiplier and sums ---------------------------------------------------------------------

  // Words of -LLow.
  function automatic logic [17:0] order_word(logic [3:0] index);
    logic [16*Words-1:0] all;
    all = (16 * Words)'(LLow);
    return -18'(all[16*32'(index)+:16]);
  endfunction

  logic [17:0] a_q, b_q;
  logic [35:0] p;
  logic unused;
  logic [3:0][15:0] x_q;  // the word that the product is added to
  logic signed [SumBits-1:0] partial_q, total;
  logic signed [SumBits-17:0] carry_q;
  logic [3:0] top_q;  // upper bits of the result before

  pm_mul_leaf #(
      .Width (18),
      .Signed(1),
      .OutReg(2)
  ) u_multiplier (
      .clk_i,
      .en_i(1'b1),
      .a_i (a_q),
      .b_i (b_q),
      .p_o (p)
  );

  assign unused = p[SumBits];  // the sign once more
  assign total  = partial_q + (sum_q.first ? '0 : SumBits'(carry_q));

  always_ff @(posedge clk_i) begin
    b_q <= state_q == StMultiply ? (word_q[4] ? '0 : 18'(factor_word)) : order_word(word_q[3:0]);
    x_q <= {x_q[2:0], value_word & {{4{!tag.mask}}, 12'hfff} & {16{!tag.blank}}};
    partial_q <= signed'(p[SumBits-1:0]) + signed'(SumBits'(x_q[3]));
    carry_q <= total[SumBits-1:16];
    result_word_q <= load2_q ? load_q : total[15:0];
    top_q <= result_word_q[15:12];
    if (state_q == StMultiply) a_q <= 18'(d_word_i);
    else if (result_q.last) begin
      a_q <= result_q.whole ? 18'(result_word_q[15:12]) : {result_word_q[13:0], top_q};
    end
  end

  // ---- sequence --------------------------------------------------------------------------------

  always_comb begin
    tag = '0;
    tag.addr = value_addr;
    tag.first = word_q == '0;
    if (state_q == StMultiply) begin
      tag.valid = 1'b1;
      tag.blank = base_q == '0 || word_q[4];
      tag.last  = word_q[4] && base_q[3:0] == '1;
      tag.whole = 1'b1;
    end else if (state_q == StReduce) begin
      tag.valid = 1'b1;
      tag.mask  = word_q[3:0] == '1;
      tag.last  = word_q[3:0] == '1;
    end
  end

  assign settled  = result_q.valid && result_q.last;
  assign d_addr_o = base_q[3:0];

  always_comb begin
    state_d = state_q;
    word_d  = word_q + 5'd1;
    base_d  = base_q;
    unique case (state_q)
      StIdle: begin
        word_d = '0;
        base_d = '0;
        if (d_valid_i) state_d = s_done_o ? StIdle : StMultiply;
        else if (valid_i) state_d = StLoad;
      end
      StLoad:   if (word_q == '1) state_d = StSettle;
      StMultiply: begin
        if (word_q[4]) begin
          word_d = '0;
          base_d = base_q + 5'd1;
          if (base_q[3:0] == '1) state_d = StSettle;
        end
      end
      StReduce: if (word_q[3:0] == '1) state_d = StSettle;
      StSettle: begin
        word_d = '0;
        if (settled) begin
          state_d = StReduce;
          if (result_q.whole) base_d = 5'(Words);
          else if (base_q != '0) base_d = base_q - 5'd1;
          // The latest word is the top one of x.
          else if (!result_word_q[15]) state_d = product_q ? StIdle : StHold;
        end
      end
      StHold: begin
        word_d = '0;
        if (k_take_i) state_d = StSend;
      end
      StSend:   if (word_q[3:0] == '1) state_d = StIdle;
      default:  state_d = StIdle;
    endcase
    if (clear_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      {load1_q, load2_q, k_valid_o, s_done_o, in_slot_q, out_slot_q} <= '0;
      {read_q, in_q, mid_q, out_q, sum_q, result_q} <= '0;
    end else if (clear_i) begin
      state_q <= StIdle;
      {load1_q, load2_q, k_valid_o, s_done_o, in_slot_q, out_slot_q} <= '0;
      {read_q, in_q, mid_q, out_q, sum_q, result_q} <= '0;
    end else begin
      state_q <= state_d;
      load1_q <= state_q == StLoad;
      load2_q <= load1_q;
      {read_q, in_q, mid_q, out_q, sum_q} <= {tag, read_q, in_q, mid_q, out_q};
      result_q <= sum_q;
      if (load2_q) begin
        result_q <= '{
            valid: 1'b1,
            addr: load2_word_q,
            last: load2_word_q == '1,
            whole: 1'b1,
            default: '0
        };
      end
      k_valid_o <= state_q == StSend;
      s_done_o  <= state_q == StSettle && product_q && state_d == StIdle;
      if (ready_o) in_slot_q <= !in_slot_q;
      if (s_done_o) out_slot_q <= !out_slot_q;
    end
  end

  always_ff @(posedge clk_i) begin
    word_q <= word_d;
    base_q <= base_d;
    if (state_q == StIdle) product_q <= d_valid_i;
    k_word_o <= value_word;
  end

  assign ready_o   = state_q == StLoad && word_q == '1;
  assign k_ready_o = state_q == StHold;
  assign s_we_o    = result_q.valid && product_q && !result_q.addr[4];
  assign s_addr_o  = result_q.addr[3:0];
  assign s_word_o  = result_word_q;

endmodule
