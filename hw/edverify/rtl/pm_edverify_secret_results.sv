// SPDX-License-Identifier: Apache-2.0
//
// Results of pm_edverify_secret_tile: takes products from the datapath part by part, reduces them
// to [0, p), p = 2^255 - 19, one at a time, and sets bit 255.
//
// First v + 19 is formed of a product v: it reaches 2^255 where v is not below p. Then 19 is added
// in that case, 0 otherwise, and bits from 255 on are left off.
//
// Ranges:   v < 2^256 - 19.
// Latency:  parts of v (bits 64:0, 128:65, 193:129, 255:194) are in operand_i 6 to 9 cycles after
//           start_i: bits 64:0 hold the first and the third, bits 128:65 the others. valid_o 19
//           cycles after start_i if nothing is before it.
// Handshake: start_i (pulse), at least 3 cycles apart, while fewer than Depth products wait;
//           valid_o and what it stands for hold until ready_i. clear_i (pulse) drops all of them;
//           in the 40 cycles after it there must be no start_i.
// Secrets:  what was taken or dropped is overwritten.
// Reset:    asynchronous, active low. Constant time.

module pm_edverify_secret_results #(
    parameter int unsigned Depth   = 16,  // results that wait, a power of two
    parameter int unsigned CtxBits = 3
) (
    input  logic               clk_i,      // clock
    input  logic               rst_ni,     // asynchronous reset, active low
    input  logic               clear_i,    // pulse: drop all
    input  logic               start_i,    // a product comes
    input  logic [CtxBits-1:0] ctx_i,      // with start_i: of this context
    input  logic               slot_i,     // which of its results it is
    input  logic               odd_i,      // bit 255 of the result
    input  logic [      128:0] operand_i,  // see above
    output logic               valid_o,    // a result is there
    input  logic               ready_i,    // it is taken
    output logic [CtxBits-1:0] ctx_o,      // of this context
    output logic               slot_o,     // this one
    output logic [      255:0] data_o      // v mod p, and bit 255
);

  localparam int unsigned Arrival = 9;  // cycles from start_i to the last part
  localparam int unsigned Drain = 40;  // cycles in which what was dropped goes through the FIFO

  typedef struct packed {
    logic [CtxBits-1:0] ctx;
    logic               slot;
    logic               odd;
  } owner_t;

  typedef struct packed {
    owner_t       owner;
    logic [255:0] v;
  } item_t;

  // ---- arrival ----------------------------------------------------------------------------------

  logic [Arrival:1] start_q;
  owner_t [Arrival:1] owner_q;
  logic [2:0][64:0] low_q;  // bits 64:0, 1 to 3 cycles ago
  logic [1:0][63:0] high_q;  // bits 128:65, 1 and 2 cycles ago
  logic item_valid, item_ready;
  item_t item, head;
  /* verilator lint_off UNUSEDSIGNAL */
  logic room;
  logic [$clog2(Depth):0] usage;
  /* verilator lint_on UNUSEDSIGNAL */

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) start_q <= '0;
    else start_q <= clear_i ? '0 : {start_q[Arrival-1:1], start_i};
  end

  always_ff @(posedge clk_i) begin
    owner_q <= {owner_q[Arrival-1:1], owner_t'{ctx: ctx_i, slot: slot_i, odd: odd_i}};
    low_q   <= {low_q[1:0], operand_i[64:0]};
    high_q  <= {high_q[0], operand_i[128:65]};
  end

  assign item = '{owner: owner_q[Arrival], v: {operand_i[126:65], low_q[0], high_q[1], low_q[2]}};

  pm_fifo #(
      .Width($bits(item_t)),
      .Depth(Depth),
      .Wipe (1'b1)
  ) u_fifo (
      .clk_i,
      .rst_ni,
      .valid_i(start_q[Arrival]),
      .ready_o(room),
      .data_i (item),
      .valid_o(item_valid),
      .ready_i(item_ready),
      .data_o (head),
      .usage_o(usage)
  );

  // ---- reduction --------------------------------------------------------------------------------
  // Two rounds of four parts, of 65, 64, 65 and 62 bits; the second one leaves off bit 255.

  logic [5:0] drain_q;  // cycles of dropping
  logic load, busy_q;
  logic gone_q;  // what is here was taken or dropped
  logic [2:0] step_q;  // round and part
  logic [3:0][64:0] part_q;
  logic carry_q;
  logic [65:0] sum;
  logic [4:0] added;
  logic first, carry;
  logic [64:0] kept;

  assign load = drain_q == '0 && !busy_q && !valid_o && item_valid;
  assign item_ready = drain_q != '0 || (!busy_q && !valid_o);
  assign first = step_q[1:0] == 2'd0;
  assign added = first ? (!step_q[2] || carry_q ? 5'd19 : '0) : {4'd0, carry_q};
  assign sum = 66'(part_q[0]) + 66'(added);

  always_comb begin
    unique case (step_q[1:0])
      2'd0, 2'd2: {carry, kept} = sum;
      2'd1: {carry, kept} = {sum[64], 1'b0, sum[63:0]};
      default: {carry, kept} = {sum[61], 4'd0, sum[60:0]};
    endcase
    if (!step_q[2]) kept = part_q[0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {drain_q, busy_q, step_q, valid_o} <= '0;
    else if (clear_i) begin
      drain_q <= 6'(Drain);
      {busy_q, step_q, valid_o} <= '0;
    end else begin
      if (drain_q != '0) drain_q <= drain_q - 6'd1;
      if (busy_q) step_q <= step_q + 3'd1;
      if (load) busy_q <= 1'b1;
      else if (step_q == '1) busy_q <= 1'b0;
      if (step_q == '1) valid_o <= 1'b1;
      else if (ready_i) valid_o <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    gone_q <= drain_q != '0 || (valid_o && ready_i);
    if (load) begin
      part_q <= {65'(head.v[255:194]), head.v[193:129], 65'(head.v[128:65]), head.v[64:0]};
      carry_q <= 1'b0;
      {ctx_o, slot_o, data_o[255]} <= head.owner;
    end else if (busy_q) begin
      part_q  <= {kept, part_q[3:1]};
      carry_q <= carry;
    end else if (gone_q) {part_q, carry_q, ctx_o, slot_o, data_o[255]} <= '0;
  end

  assign data_o[254:0] = {part_q[3][60:0], part_q[2], part_q[1][63:0], part_q[0]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      assert (!start_q[Arrival] || room);
    end
  end

endmodule
