// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic modulo the group order L for secrets, in little logic at a high clock:
//
// ScalarReduce digest mod L.
// ScalarMulAdd (r + k a) mod L, k = digest mod L: the last step of signing.
//
// pm_modl_serial makes k and k a mod L; each is looked at only when it is due, after as many cycles
// as the longest reduction takes. r is added, and L subtracted, a word at a time.
//
// Operands: any digest; a and r below L. No other operation may be asked for.
// Latency:  from the first cycle of an offer to result_valid_o 486 cycles (ScalarReduce), 1,163
//           (ScalarMulAdd), 81 of wiping before the next offer is looked at.
// Handshake: valid_i and the operands stay until ready_o (pulse): they are read meanwhile, which
//           takes 34 cycles. result_o is there with result_valid_o (pulse) alone. clear_i abandons
//           the job; it must not come with an offer that stays.
// Secrets:  after a result and after clear_i everything that operands went to is overwritten.
// Reset:    asynchronous, active low: idle. Nothing is overwritten.
// Constant time: YES, for what can be seen from outside: pm_modl_serial is not, but what it has is
//           waited for.
// Source:   original.

module pm_scalar_secret
  import pm_scalar_pkg::*;
(
    input  logic               clk_i,           // clock
    input  logic               rst_ni,          // asynchronous reset, active low
    input  logic               clear_i,         // pulse: abandon the job
    input  logic               valid_i,         // a job is offered
    output logic               ready_o,         // pulse: it was read
    input  scalar_op_e         op_i,            // ScalarReduce or ScalarMulAdd
    input  logic       [511:0] digest_i,        // SHA-512 digest, little-endian
    input  logic       [252:0] a_i,             // a
    input  logic       [252:0] r_i,             // r
    output logic               result_valid_o,  // pulse: the result
    output logic       [252:0] result_o         // below L
);

  // Cycles of the states; those of waiting cover the longest reduction.
  localparam int unsigned ReduceCycles = 399;
  localparam int unsigned MultiplyCycles = 677;
  localparam int unsigned SendCycles = 18;
  localparam int unsigned AddCycles = 18;
  localparam int unsigned SelectCycles = 17;
  localparam int unsigned WipeCycles = 80;

  typedef enum logic [3:0] {
    StIdle,
    StRead,      // operands are read
    StReduce,    // k is waited for
    StSend,      // words of k
    StMultiply,  // k a mod L is waited for
    StAdd,       // r and, beside it, -L
    StSelect,    // the sum, or that less L
    StDone,      // the result is there
    StWipe
  } state_e;

  state_e state_q, state_d;
  logic [9:0] count_q;  // cycles in this state
  logic product_q;  // ScalarMulAdd
  logic last;  // cycle of this state
  logic done_q;  // k a mod L is there

  function automatic logic [15:0] order_word(logic [3:0] index);
    logic [255:0] all;
    all = 256'(L);
    return all[16*32'(index)+:16];
  endfunction

  // ---- modulo L ---------------------------------------------------------------------------------

  logic modl_clear, modl_ready, k_ready, k_valid, s_we, s_done;
  logic [15:0] k_word, s_word, d_word;
  logic [3:0] d_addr, s_addr;
  logic reads;

  assign reads = state_q == StRead;
  assign modl_clear = state_q == StIdle || (state_q == StWipe && (count_q == '0 || last));

  pm_modl_serial u_modl (
      .clk_i,
      .rst_ni,
      .clear_i  (modl_clear),
      .valid_i  (reads || state_q == StWipe),
      .ready_o  (modl_ready),
      .digest_i,
      .s_i(a_i),
      .zero_i(state_q inside {StIdle, StWipe}),
      .k_ready_o(k_ready),
      .k_take_i (state_q == StSend && count_q == '0),
      .k_valid_o(k_valid),
      .k_word_o (k_word),
      .d_valid_i(state_q == StMultiply && !done_q),
      .d_addr_o (d_addr),
      .d_word_i (d_word),
      .s_we_o   (s_we),
      .s_addr_o (s_addr),
      .s_word_o (s_word),
      .s_done_o (s_done)
  );

  // ---- words ------------------------------------------------------------------------------------
  // k, later the sum less L; k a mod L.

  (* ram_style = "distributed" *)logic [15:0] k_mem[16];
  (* ram_style = "distributed" *)logic [15:0] s_mem[16];
  logic [3:0] index, put_q, put2_q, k_at;
  logic k_we, adds_q, adds2_q, selects_q;
  logic [15:0] word_q, sum, sum_q, difference, k_data;
  logic carry_q, carry, borrow_q, borrow;
  logic [255:0] r_q;

  assign index  = count_q[3:0];
  assign d_word = k_mem[d_addr];

  always_comb begin
    k_we   = adds2_q;
    k_at   = put2_q;
    k_data = difference;
    if (k_valid) {k_we, k_at, k_data} = {1'b1, index - 4'd2, k_word};
    if (state_q == StWipe) {k_we, k_at, k_data} = {1'b1, index, 16'd0};
  end

  always_ff @(posedge clk_i) begin
    if (k_we) k_mem[k_at] <= k_data;
    if (state_q == StWipe) s_mem[index] <= '0;
    else if (s_we) s_mem[s_addr] <= s_word;
  end

  // A word is read, r is added, L is subtracted, each in a cycle; behind the last word the borrow
  // says whether the sum is below L.
  assign {carry, sum} = 17'(word_q) + 17'(r_q[15:0]) + 17'(carry_q);
  assign {borrow, difference} = 17'(sum_q) - 17'(order_word(put2_q)) - 17'(borrow_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {ready_o, adds_q, adds2_q, selects_q, done_q} <= '0;
    else begin
      ready_o <= reads && modl_ready;
      adds_q <= state_q == StAdd && count_q < 10'd16;
      adds2_q <= adds_q;
      selects_q <= state_q == StSelect && count_q < 10'd16;
      done_q <= state_q == StMultiply && (done_q || s_done);
    end
  end

  always_ff @(posedge clk_i) begin
    put_q  <= index;
    put2_q <= put_q;
    word_q <= product_q && state_q == StAdd ? s_mem[index] : k_mem[index];
    sum_q  <= sum;
    if (state_q != StAdd) carry_q <= 1'b0;
    else if (adds_q) carry_q <= carry;
    if (!(state_q inside {StAdd, StSelect})) borrow_q <= 1'b0;
    else if (adds2_q) borrow_q <= borrow;
    if (ready_o) r_q <= op_i == ScalarMulAdd ? 256'(r_i) : '0;
    else if (adds_q) r_q <= {sum, r_q[255:16]};
    else if (selects_q) r_q <= {borrow_q ? r_q[15:0] : word_q, r_q[255:16]};
    else if (state_q == StWipe) r_q <= '0;
  end

  // ---- sequence ---------------------------------------------------------------------------------

  always_comb begin
    unique case (state_q)
      StReduce: last = count_q == 10'(ReduceCycles - 1);
      StSend: last = count_q == 10'(SendCycles - 1);
      StMultiply: last = count_q == 10'(MultiplyCycles - 1);
      StAdd: last = count_q == 10'(AddCycles - 1);
      StSelect: last = count_q == 10'(SelectCycles - 1);
      StWipe: last = count_q == 10'(WipeCycles - 1);
      default: last = 1'b0;
    endcase
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle: if (valid_i) state_d = StRead;
      StRead: if (modl_ready) state_d = StReduce;
      StReduce: if (last) state_d = StSend;
      StSend: if (last) state_d = product_q ? StMultiply : StAdd;
      StMultiply: if (last) state_d = StAdd;
      StAdd: if (last) state_d = StSelect;
      StSelect: if (last) state_d = StDone;
      StDone: state_d = StWipe;
      default: if (last) state_d = StIdle;
    endcase
    if (clear_i) state_d = StWipe;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      count_q <= '0;
    end else begin
      state_q <= state_d;
      count_q <= clear_i || last || state_q inside {StIdle, StRead, StDone} ? '0 : count_q + 10'd1;
    end
  end

  always_ff @(posedge clk_i) if (reads) product_q <= op_i == ScalarMulAdd;

  assign result_valid_o = state_q == StDone;
  assign result_o = r_q[252:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      assert (state_q != StSend || count_q != '0 || k_ready);
      assert (state_q != StMultiply || !last || done_q);
    end
  end

endmodule
