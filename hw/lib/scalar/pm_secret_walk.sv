// SPDX-License-Identifier: Apache-2.0
//
// Secret scalars of several contexts, two for each, and the digit scans along their regular digits:
// the same number of digits, of the same kinds in the same order, whatever the scalar is.
//
// Ladder (of Montgomery, for X25519): digit t = 254, 253, .. 0 of the scalar k, clamped already, is
//     swap = k_t xor k_(t+1), k_255 = 0.
// Comb (of fixed bases, for signing): a scalar s below the group order L is made odd, s or s + L,
// and written with the digits +1 and -1,
//     s = sum_{i<254} (2 b_i - 1) 2^i  with  sum b_i 2^i = (s >> 1) + 2^253,
// whose lower 127 positions count for G and whose upper 127 for 2^127 G. Windows of W = WG - 1
// positions, the lowest at position 0 of its half, the highest one shorter, stand for odd multiples
// +-(2 idx + 1) of their base. Order: highest window of G, highest window of 2^127 G, next window
// of G, and so on; then, with two_i, the same of the second scalar. WG = 10: 15 windows, 30 digits.
//
// init_i[c] (pulse) begins a digit scan in slot 0 of context c with ladder_i and two_i; step_i
// begins the next digit of ctx_i. current_o[c] is the present digit of context c: valid from 6
// cycles after step_i on; after init_i likewise, but a cycle later for each step_i of another
// context and each init_i of a lower one that comes in between. It holds until 5 cycles after the
// next step_i. Steps of different contexts may come in every cycle, those of one context at least 6
// cycles apart. A step_i after the last digit changes nothing. more_o[c]: the present digit belongs
// to the first of two scalars; registered, so it follows the step in the next cycle.
//
// Slots are written by we_i and read by rctx_i, rslot_i: rdata_o is there in the next cycle.
// zero_i[c] ends the digit scan of context c, clears its digit and writes zeros over both slots in
// the next 2^(CtxBits + 1) cycles without we_i; a write of a slot comes after all zeroing of it
// that was asked for before. Reset asks for zeros everywhere. A digit scan must not begin before
// its slots are written.
//
// Storage: two RAMs of 2 NumContexts words of 256 bits, one for each read port.
// Reset:    asynchronous, active low: no digit scan; digits are zero.
// Constant time: YES. Cycles, and the positions looked at, depend on init_i, ladder_i, two_i and
//           step_i alone; s or s + L is chosen by a mask. idx and swap are secret: a user that
//           addresses a table or a register with them does so in a secret place, which a memory
//           without cache responds in constant time, though not with constant power.
// Source:   Xue et al. 2022, J. Commun. 43(3) has no secrets; Montgomery 1987 (ladder); signed
//           all-bit-set comb: Hedabou, Pinel, Beneteau 2005; Hamburg 2012.

module pm_secret_walk
  import pm_scalar_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts, 2 to 32
    parameter int unsigned WG = 10,  // window of the fixed bases as for non-adjacent forms, 3 to 10
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input  logic                            clk_i,      // clock
    input  logic                            rst_ni,     // asynchronous reset, active low
    // slots
    input  logic                            we_i,       // write a scalar
    input  logic          [    CtxBits-1:0] wctx_i,     // of this context
    input  logic                            wslot_i,    // into this slot
    input  logic          [          255:0] wdata_i,    // the scalar
    input  logic          [    CtxBits-1:0] rctx_i,     // slot to read
    input  logic                            rslot_i,
    output logic          [          255:0] rdata_o,    // its scalar, one cycle later
    input  logic          [NumContexts-1:0] zero_i,     // pulse: overwrite the slots, end the walk
    // walks
    input  logic          [NumContexts-1:0] init_i,     // pulse: first digit of slot 0
    input  logic                            ladder_i,   // with init_i: ladder, otherwise comb
    input  logic                            two_i,      // with init_i: slot 1 follows (comb only)
    input  logic                            step_i,     // next digit
    input  logic          [    CtxBits-1:0] ctx_i,      // of this context
    output secret_digit_t [NumContexts-1:0] current_o,  // present digit of each context: secret
    output logic          [NumContexts-1:0] more_o      // another scalar follows after this one
);

  if (NumContexts < 2 || NumContexts > 32) begin : gen_check_contexts
    $fatal(1, "pm_secret_walk: NumContexts must lie between 2 and 32.");
  end
  if (WG < 3 || WG > 10) begin : gen_check_window
    $fatal(1, "pm_secret_walk: WG must lie between 3 and 10.");
  end

  localparam int unsigned HalfBits = 127;
  localparam int unsigned W = WG - 1;
  localparam int unsigned NumWindows = (HalfBits + W - 1) / W;
  localparam int unsigned TopBits = HalfBits - (NumWindows - 1) * W;
  localparam logic [7:0] FirstLadder = 8'd254;
  localparam logic [7:0] FirstComb = 8'(2 * NumWindows - 1);

  // ---- slots ------------------------------------------------------------------------------------

  logic [255:0] walk_mem_q[2**(CtxBits+1)];
  logic [255:0] read_mem_q[2**(CtxBits+1)];
  logic [2**(CtxBits+1)-1:0] zero_d, zero_q;  // slots that wait for their zeros
  logic [CtxBits:0] waddr, zero_addr_q, walk_addr;
  logic [255:0] wdata, scalar_q;
  logic we;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) zero_addr_q <= '0;
    else if (!we_i) zero_addr_q <= zero_addr_q + 1'b1;
  end

  assign waddr = we_i ? {wctx_i, wslot_i} : zero_addr_q;
  assign wdata = we_i ? wdata_i : '0;
  assign we = we_i || zero_q[zero_addr_q];

  always_comb begin
    zero_d = zero_q;
    zero_d[waddr] = 1'b0;
    for (int unsigned c = 0; c < NumContexts; c++) if (zero_i[c]) zero_d[2*c+:2] = 2'b11;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) zero_q <= (2 ** (CtxBits + 1))'((65'd1 << (2 * NumContexts)) - 65'd1);
    else zero_q <= zero_d;
  end

  always_ff @(posedge clk_i) begin
    if (we) begin
      walk_mem_q[waddr] <= wdata;
      read_mem_q[waddr] <= wdata;
    end
    scalar_q <= walk_mem_q[walk_addr];
    rdata_o  <= read_mem_q[{rctx_i, rslot_i}];
  end

  // ---- positions --------------------------------------------------------------------------------
  // pos counts down to 0; in a comb it is 2 window + (1 for G, 0 for 2^127 G).

  typedef struct packed {
    logic       ladder;
    logic       two;
    logic       slot;
    logic [7:0] pos;
  } walk_t;

  walk_t [NumContexts-1:0] walks_q;
  logic  [NumContexts-1:0] active_q;  // has a walk
  logic [NumContexts-1:0] wanted, waiting_q;  // its first digit is to be fetched
  logic fetch_q;  // a digit is to be fetched
  logic [CtxBits-1:0] fetch_ctx_q, first_ctx;

  assign wanted = waiting_q | init_i;

  always_comb begin
    first_ctx = '0;
    for (int unsigned c = NumContexts; c > 0; c--) begin
      if (wanted[c-1]) first_ctx = CtxBits'(c - 1);
    end
  end

  for (genvar c = 0; c < int'(NumContexts); c++) begin : gen_walk
    logic stepped;

    assign stepped   = step_i && ctx_i == CtxBits'(c);
    assign more_o[c] = active_q[c] && walks_q[c].two && !walks_q[c].slot;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        active_q[c]  <= 1'b0;
        waiting_q[c] <= 1'b0;
        walks_q[c]   <= '0;
      end else begin
        active_q[c]  <= (active_q[c] || init_i[c]) && !zero_i[c];
        waiting_q[c] <= wanted[c] && !zero_i[c] && (step_i || first_ctx != CtxBits'(c));
        if (init_i[c]) begin
          walks_q[c] <= '{
              ladder: ladder_i,
              two: two_i && !ladder_i,
              slot: 1'b0,
              pos: ladder_i ? FirstLadder : FirstComb
          };
        end else if (stepped) begin
          if (walks_q[c].pos != '0) begin
            walks_q[c].pos <= walks_q[c].pos - 8'd1;
          end else if (more_o[c]) begin
            walks_q[c].pos  <= FirstComb;
            walks_q[c].slot <= 1'b1;
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fetch_q <= 1'b0;
    else fetch_q <= step_i || wanted != '0;
  end

  always_ff @(posedge clk_i) fetch_ctx_q <= step_i ? ctx_i : first_ctx;

  // ---- digits -----------------------------------------------------------------------------------
  // One digit a cycle. Public: the context, the kind of walk and the position; secret: the rest.

  typedef struct packed {
    logic               valid;
    logic [CtxBits-1:0] ctx;
    logic               ladder;
    logic [7:0]         pos;
  } fetch_t;

  fetch_t read_q, low_q, sum_q, window_q;

  assign walk_addr = {fetch_ctx_q, walks_q[fetch_ctx_q].slot};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {read_q, low_q, sum_q, window_q} <= '0;
    else begin
      read_q <= '{
          valid: fetch_q,
          ctx: fetch_ctx_q,
          ladder: walks_q[fetch_ctx_q].ladder,
          pos: walks_q[fetch_ctx_q].pos
      };
      low_q <= read_q;
      sum_q <= low_q;
      window_q <= sum_q;
    end
  end

  // s or s + L in two steps of half the length. Bit 255 of a scalar is never looked at.
  logic add, add_q, unused_top;
  logic [128:0] low_sum_q;  // with carry
  logic [126:0] high_q;
  logic [253:0] sum;
  logic [254:0] bits_q;  // b_i of a comb
  logic [16:0] group_q;  // of a ladder: 16 bits of the scalar, the digit's among them, and the next

  assign add = !read_q.ladder && !scalar_q[0];
  assign sum = {
    high_q[125:0] + ({126{add_q}} & 126'(L >> 128)) + 126'(low_sum_q[128]), low_sum_q[127:0]
  };
  assign unused_top = ^{scalar_q[255], sum[0]};

  always_ff @(posedge clk_i) begin
    low_sum_q <= {1'b0, scalar_q[127:0]} + ({129{add}} & 129'(L[127:0]));
    high_q <= scalar_q[254:128];
    add_q <= add;
    bits_q <= {1'b0, 1'b1, sum[253:1]};
    group_q <= 17'({high_q, low_sum_q[127:0]} >> {low_q.pos[7:4], 4'd0});
  end

  // The highest window is filled up below its top bit with the complement of that bit, which leaves
  // its value: 2^t + .. + 2^(W-1) are added to one 2^(W-1) or taken off the other.
  logic [2*NumWindows-1:0][W-1:0] windows;  // by position

  for (genvar w = 0; w < int'(NumWindows); w++) begin : gen_window
    for (genvar h = 0; h < 2; h++) begin : gen_half
      for (genvar i = 0; i < int'(W); i++) begin : gen_bit
        localparam int Low = h * HalfBits + w * W;
        if (w < int'(NumWindows) - 1 || i < int'(TopBits) - 1) begin : gen_plain
          assign windows[2*w+1-h][i] = bits_q[Low+i];
        end else begin : gen_top
          assign windows[2*w+1-h][i] = bits_q[Low+TopBits-1] ^ (i < int'(W) - 1);
        end
      end
    end
  end

  logic [W-1:0] digit_q;
  logic swap_q, neg;

  always_ff @(posedge clk_i) begin
    digit_q <= sum_q.ladder ? '0 : windows[sum_q.pos[$clog2(2*NumWindows)-1:0]];
    swap_q  <= sum_q.ladder && ^(2'(group_q >> sum_q.pos[3:0]));
  end

  assign neg = !digit_q[W-1] && !window_q.ladder;

  for (genvar c = 0; c < int'(NumContexts); c++) begin : gen_current
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) current_o[c] <= '0;
      else if (zero_i[c]) current_o[c] <= '0;
      else if (window_q.valid && window_q.ctx == CtxBits'(c) && active_q[c]) begin
        current_o[c] <= '{
            swap: swap_q,
            kind: !window_q.pos[0] && !window_q.ladder,
            neg: neg,
            idx: 8'(digit_q[W-2:0] ^ {(W - 1) {neg}})
        };
      end
    end
  end

endmodule
