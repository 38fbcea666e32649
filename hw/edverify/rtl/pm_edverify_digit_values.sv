// SPDX-License-Identifier: Apache-2.0
//
// The present digit of each context and what depends on it: index and sign for the datapath, and
// the external value that a word asks for: y of the key or of R, a coordinate of the digit's point
// from the tables of G and 2^127 G (whose y + x and y - x change places if the digit is negative),
// or a constant. With CachedKeys also a coordinate from the tables of 2^(32 i) G or of a cached
// key, and an inverse: both are looked up outside.
//
// The digit is that of a recoded digit sequence, or of a secret scalar. In `throughput` it is
// looked up with every word; in `latency` (Scheduled) operands are wanted in the cycle of the word,
// which may be the one after the step, so that digit and table entry are taken with the step and
// kept for their context.
//
// Latency:  index_o, neg_o: combinational from ctx_i. ext_o: a cycle after ctx_i and
//           select_i, if Scheduled in the same cycle.
// Reset:    none that matters: values are read only after they were written.
// Constant time: YES: memories have the same timing for every address.

module pm_edverify_digit_values
  import pm_edverify_throughput_ucode_pkg::*;
  import pm_scalar_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts, at least 2
    parameter bit Scheduled = 1'b0,  // digit and entry are taken with the step, for `latency`
    parameter bit CachedKeys = 1'b0,  // 1: with tables of cached keys; not if Scheduled
    parameter int unsigned SlotBits = 1,  // bits of the number of such a key
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input  logic                         clk_i,          // clock
    input  logic                         rst_ni,         // asynchronous reset, active low
    input  logic                         we_i,           // a job begins
    input  logic          [ CtxBits-1:0] wctx_i,         // in this context
    input  logic          [       254:0] ya_i,           // y of its key, u
    input  logic          [       254:0] yr_i,           // y of its R
    input  logic          [ CtxBits-1:0] ctx_i,          // context of the word
    input  ext_e                         select_i,       // external value that it asks for
    /* verilator lint_off UNUSEDSIGNAL */
    // `latency` looks at the first two of these, `throughput` at the others.
    input  logic                         step_i,         // it steps to point_i
    input  list_point_t                  point_i,        // next point of its list
    input  list_point_t                  current_i,      // present point of its list
    input  logic                         secret_i,       // it works on secret scalars
    input  secret_digit_t                digit_i,        // present digit of those
    input  logic                         cached_i,       // it uses a cached key
    input  logic          [SlotBits-1:0] slot_i,         // this one
    output logic          [SlotBits-1:0] key_slot_o,     // key to look up
    output logic          [         5:0] key_point_o,    // its point to look up
    input  logic          [       764:0] key_entry_i,    // {y + x, y - x, 2dxy}, one cycle later
    output logic          [ CtxBits-1:0] inverse_ctx_o,  // context whose inverse to look up
    input  logic          [       254:0] inverse_i,      // that inverse, one cycle later
    /* verilator lint_on UNUSEDSIGNAL */
    output logic          [         2:0] index_o,        // register of an indexed table
    output logic                         neg_o,          // the digit is negative
    output logic          [       254:0] ext_o           // external value
);

  localparam bit ReadReg = !Scheduled;

  // ---- digit ------------------------------------------------------------------------------------
  // Tables of A and R lie side by side: `index_o` has that bit above the two of the entry.

  logic second_base;
  logic [7:0] table_idx;
  logic [764:0] table_entry, g_entry;

  assign inverse_ctx_o = ctx_i;

  if (CachedKeys) begin : g_cached
    logic from_key_q;
    logic [764:0] rom_entry;

    assign key_slot_o  = slot_i;
    assign key_point_o = table_idx[5:0];

    pm_edverify_gtable #(
        .Points(1024)
    ) u_gtable (
        .clk_i,
        .addr_i({cached_i, second_base, table_idx}),
        .data_o(rom_entry)
    );

    always_ff @(posedge clk_i) from_key_q <= cached_i && current_i.kind == ListA;

    assign table_entry = from_key_q ? key_entry_i : rom_entry;
  end else begin : g_no_keys
    assign {key_slot_o, key_point_o} = '0;

    pm_edverify_gtable #(
        .Points(512)
    ) u_gtable (
        .clk_i,
        .addr_i({second_base, table_idx}),
        .data_o(table_entry)
    );
  end

  if (Scheduled) begin : g_digit_of_step
    // Operands are wanted in the cycle of the word, which may be the one after the step: digit and
    // entry are taken with the step, and kept for their context.
    logic stepped_q;
    logic [CtxBits-1:0] stepped_ctx_q;
    logic [0:0][764:0] entries;
    logic [NumContexts-1:0][3:0] digits_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) stepped_q <= 1'b0;
      else stepped_q <= step_i;
    end

    always_ff @(posedge clk_i) begin
      stepped_ctx_q <= ctx_i;
      if (step_i) digits_q[ctx_i] <= {point_i.neg, point_i.kind == ListR, point_i.idx[1:0]};
    end

    pm_regbank #(
        .Width(765),
        .AddrBits(CtxBits),
        .NumReads(1)
    ) u_entries (
        .clk_i,
        .we_i(stepped_q),
        .waddr_i(stepped_ctx_q),
        .wdata_i(table_entry),
        .raddr_i(ctx_i),
        .rdata_o(entries)
    );

    assign {second_base, table_idx} = {point_i.kind == ListG1, point_i.idx};
    assign g_entry = stepped_q && stepped_ctx_q == ctx_i ? table_entry : entries[0];
    assign {neg_o, index_o} = digits_q[ctx_i];
  end else begin : g_digit_of_word
    assign g_entry = table_entry;

    always_comb begin
      if (secret_i) begin
        index_o = {2'b00, digit_i.swap};
        {neg_o, second_base, table_idx} = {digit_i.neg, digit_i.kind, digit_i.idx};
      end else begin
        index_o = {current_i.kind == ListR, current_i.idx[1:0]};
        {neg_o, second_base, table_idx} = {current_i.neg, current_i.kind == ListG1, current_i.idx};
      end
    end
  end

  // ---- external value ---------------------------------------------------------------------------

  logic [$bits(ext_e)-1:0] ext_select;
  logic ext_negative;
  logic [0:0][509:0] y_fields;

  pm_regbank #(
      .Width(510),
      .AddrBits(CtxBits),
      .NumReads(1),
      .ReadReg(32'(ReadReg))
  ) u_y_fields (
      .clk_i,
      .we_i,
      .waddr_i(wctx_i),
      .wdata_i({ya_i, yr_i}),
      .raddr_i(ctx_i),
      .rdata_o(y_fields)
  );

  pm_delay #(
      .Width($bits(ext_e) + 1),
      .Depth(32'(ReadReg))
  ) u_ext_select (
      .clk_i,
      .rst_ni,
      .data_i({select_i, neg_o}),
      .data_o({ext_select, ext_negative})
  );

  always_comb begin
    unique case (ext_e'(ext_select))
      ExtYa, ExtU: ext_o = y_fields[0][509:255];
      ExtYr: ext_o = y_fields[0][254:0];
      ExtGYp: ext_o = ext_negative ? g_entry[509:255] : g_entry[764:510];
      ExtGYm: ext_o = ext_negative ? g_entry[764:510] : g_entry[509:255];
      ExtGT2d: ext_o = g_entry[254:0];
      default: ext_o = ext_constant(ext_e'(ext_select));
    endcase
    if (CachedKeys && ext_select == pm_edverify_bulk_ucode_pkg::ExtInverse) ext_o = inverse_i;
  end

endmodule
