// SPDX-License-Identifier: Apache-2.0
//
// What configurations `fast` and `throughput` of `multicurve` have beside the datapath: the table
// of multiples, and the digit scan by windows and the comb that take from it
// (hw/multicurve/ucode/window.pmu, comb.pmu).
//
// Side units write and read the table place by place: entries, which are points, and ratios of
// their Z. A dispatch takes the entry of its digit. One half of the table has the multiples of the
// base point, which a job that loads a curve (loading_i) writes, and which are there from the unit
// keep_base on until forget_i; the other half has the entries of two points and the ratios of
// either, or the ratios of that job.
//
// In a machine with comb units the table has as many places again, for the entries of a fixed-base
// comb, which that job may go on to make and which are there from the unit keep_comb on. First
// places are the columns of the comb, and entries are its teeth doubled; then places are the
// entries in their order, and the half that is not the base point's has teeth and ratios. From the
// unit comb_scalar on places are columns, and what is taken is the entry of the scalar's digits in
// one.
// Timing:   what is taken is there three cycles after the word that takes it (pm_multicurve_table);
//           until then hold_o keeps back words that read it. The other outputs follow a step or
//           unit in the next cycle.
// Reset:    asynchronous, active low: nothing is under way, and no multiples are kept. load_i
//           begins with the scalars.
// Constant time: the digit scan NO, it is for public scalars only; the sequencer rejects a dispatch
//           on others. The comb YES: places and cycles do not depend on the scalar. The address in
//           the memory does.
module pm_multicurve_windows
  import pm_dual_ucode_pkg::*;
  import pm_multicurve_machine_pkg::*;
  import pm_multicurve_machines_pkg::*;
  import pm_scalar_pkg::*;
#(
    parameter machine_t Machine = machine_of(MachineFast),  // a machine with a table
    localparam int unsigned Width = 544
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic start_i,  // pulse: a job begins
    input logic load_i,  // pulse: begin with the scalars
    input logic clear_i,  // forget the scalars, and what was taken
    input logic unit_start_i,  // pulse: start unit unit_i
    input logic [ArgBits-1:0] unit_i,  // side unit
    input logic [Width-1:0] operand_i,  // its operand
    input logic dispatch_i,  // pulse: a dispatch is carried out
    input logic [3:0] ext_i,  // external value of the word that wants to be issued
    input logic [Width-1:0] scalar0_i,  // scalars
    input logic [Width-1:0] scalar1_i,
    input logic second_i,  // the second point is selected
    input logic base_i,  // the first point is the base point
    input logic secret_i,  // the scalar is secret
    input logic loading_i,  // the job loads a curve
    input logic forget_i,  // pulse: the multiples of the base point are not right any more
    input logic [Width-1:0] p_i,  // modulus
    input logic wide_i,  // it has more than 272 bits
    input logic order_known_i,  // there is an order of the base point
    input logic [9:0] order_bits_i,  // bits of it
    input logic a_zero_i,  // coefficient a is 0
    input logic a_minus3_i,  // it is -3
    output logic [ArgBits-1:0] address_o,  // where a dispatch goes
    output logic ready_o,  // it may
    output logic done_o,  // the walk has ended
    output logic hold_o,  // the word has to wait
    output logic table_last_o,  // the table's place is the last one; a column: the last but one
    // it is before the first one; the last tooth; ratios have no more place
    output logic table_done_o,
    // the first point is the base point, and what its product takes is kept
    output logic base_kept_o,
    output logic comb_fits_o,  // the order is long enough for a comb
    output logic [Width-1:0] x_o,  // what was taken last
    output logic [Width-1:0] y_o
);

  localparam int unsigned PartBits = 4;  // of the index of a point's entry
  localparam int unsigned IndexBits = 6;  // the same of the base point
  localparam int unsigned LastBase = (1 << IndexBits) - 1;

  window_op_e op;
  logic begun_q;  // there was a digit
  logic kept_q;  // multiples of the base point are kept
  logic source, negative, of_base, takes_digit, take_ratio, ready;
  logic [3:0] window;
  logic [IndexBits-1:0] index;
  logic [IndexBits:0] place_q, place_d, last;  // all ones: before the first

  // ---- comb -------------------------------------------------------------------------------------

  localparam bit HasComb = Machine.comb_units;
  localparam int unsigned Teeth = 8;
  localparam int unsigned ToothBits = 3;
  localparam int unsigned ChunkBits = 5;  // of the number of a ratio, and of a doubled tooth
  localparam int unsigned PairBits = 6;

  logic comb_kept_q;  // the entries of a comb are kept
  // What is made of a comb.
  typedef enum logic [1:0] {
    MakeNothing,
    MakeTeeth,    // its teeth, doubled
    MakeEntries   // its entries, in the order of a Gray code
  } make_e;

  make_e make_q;
  logic  walk_q;  // one is walked
  logic  columns;  // places are columns
  logic take_below, take_step, step_negative, comb_negative;
  logic [ToothBits-1:0] tooth_q, step_tooth;
  logic [PairBits-1:0] pairs;  // half the columns
  logic [Teeth-2:0] comb_index, chain_index;
  logic put_chain;  // entries are those of the comb

  function automatic logic is_unit(unit_e unit, logic start, logic [ArgBits-1:0] number);
    return start && number == ArgBits'(unit);
  endfunction

  // As many digits as the order has bits, or a few more. Additions are exceptional in the last
  // column alone where three entries are less than half the order.
  assign pairs = PairBits'((order_bits_i + 10'd15) >> 4);
  assign comb_fits_o = HasComb && order_known_i && pairs >= PairBits'(2) &&
      order_bits_i >= 10'(pairs) * 10'(2 * (Teeth - 1)) + 10'd4;
  assign columns = HasComb && (walk_q || make_q == MakeTeeth);
  assign put_chain = HasComb && make_q == MakeEntries;
  assign take_below = is_unit(UnitTakeBelow, unit_start_i, unit_i);

  if (HasComb) begin : g_comb
    assign take_step = is_unit(UnitTakeStep, unit_start_i, unit_i);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        comb_kept_q <= 1'b0;
        walk_q <= 1'b0;
        make_q <= MakeNothing;
      end else begin
        if (forget_i) comb_kept_q <= 1'b0;
        else if (is_unit(UnitKeepComb, unit_start_i, unit_i)) comb_kept_q <= 1'b1;
        if (start_i) make_q <= MakeNothing;
        else if (is_unit(UnitCombBegin, unit_start_i, unit_i)) make_q <= MakeTeeth;
        else if (is_unit(UnitCombChain, unit_start_i, unit_i)) make_q <= MakeEntries;
        if (start_i) walk_q <= 1'b0;
        else if (is_unit(UnitCombScalar, unit_start_i, unit_i)) walk_q <= 1'b1;
      end
    end

    always_ff @(posedge clk_i) begin
      if (is_unit(UnitCombBegin, unit_start_i, unit_i)) tooth_q <= '0;
      else if (is_unit(UnitNextTooth, unit_start_i, unit_i)) tooth_q <= tooth_q + 1'b1;
    end

    // The entry of a place has one tooth with another sign than that of the place before, of the
    // lowest 1 of the place.
    assign chain_index = ~(place_d ^ place_d >> 1);

    always_comb begin
      step_tooth = '0;
      for (int j = Teeth - 2; j >= 0; j--) if (place_q[j]) step_tooth = ToothBits'(j);
    end

    assign step_negative = place_q[step_tooth] ^ (step_tooth != ToothBits'(Teeth - 2) &&
        place_q[step_tooth+1'b1]);

    pm_comb_digits #(
        .Width(Width),
        .Teeth(Teeth)
    ) u_digits (
        .clk_i,
        .clear_i,
        .load_i    (is_unit(UnitCombScalar, unit_start_i, unit_i)),
        .opposite_i(is_unit(UnitCombOpposite, unit_start_i, unit_i)),
        .scalar_i  (operand_i),
        .pairs_i   (pairs),
        .next_i    (walk_q && take_below),
        .index_o   (comb_index),
        .negative_o(comb_negative)
    );
  end else begin : g_no_comb
    logic unused_comb;
    assign make_q = MakeNothing;
    assign {comb_kept_q, walk_q, take_step, step_negative, comb_negative} = '0;
    assign {tooth_q, step_tooth, comb_index, chain_index} = '0;
    assign unused_comb = ^{start_i, put_chain, step_tooth, chain_index};
  end

  // ---- walk -------------------------------------------------------------------------------------

  // Entries of a width-w window are the odd multiples below 2^(w - 1).
  assign window = wide_i ? 4'd6 : 4'd5;
  assign last = (IndexBits + 1)'(loading_i ? LastBase : wide_i ? 15 : 7);
  assign table_last_o = columns ? place_q == (IndexBits + 1)'(1) : put_chain ?
      place_q == '1 : place_q == last;
  assign table_done_o = columns ? tooth_q == ToothBits'(Teeth - 1) : put_chain ?
      place_q[ChunkBits-1:0] == '1 : place_q == '1;
  assign done_o = op == WindowDone;
  assign base_kept_o = base_i && (secret_i ? comb_kept_q : kept_q);
  assign of_base = base_kept_o && !source;

  pm_window_walk #(
      .Width    (Width),
      .MaxWindow(IndexBits + 2)
  ) u_walk (
      .clk_i,
      .clear_i,
      .load_i,
      .scalars_i ({scalar1_i, scalar0_i}),
      .windows_i ({window, base_kept_o ? 4'(IndexBits + 2) : window}),
      .ready_o,
      .op_o      (op),
      .source_o  (source),
      .negative_o(negative),
      .index_o   (index),
      .step_i    (dispatch_i)
  );

  localparam walk_t At = Machine.at;
  kinds_t at;

  always_comb begin
    unique case (op)
      WindowSet: at = of_base ? At.walk_set_base : At.walk_set;
      WindowDouble: at = At.walk_double;
      WindowPair: at = At.walk_pair;
      WindowAdd: at = of_base ? At.walk_add_base : At.walk_add;
      WindowAlso: at = At.walk_also;
      default: at = begun_q ? At.walk_end : At.walk_nothing;
    endcase
  end

  assign address_o = of_kind(at, a_minus3_i, a_zero_i);

  always_ff @(posedge clk_i) begin
    if (load_i) begun_q <= 1'b0;
    else if (dispatch_i) begun_q <= 1'b1;
  end

  // ---- table ------------------------------------------------------------------------------------

  assign takes_digit = dispatch_i && op inside {WindowSet, WindowAdd, WindowAlso};
  assign take_ratio  = is_unit(UnitTakeRatio, unit_start_i, unit_i);

  always_comb begin
    place_d = place_q;
    if (is_unit(UnitTableFirst, unit_start_i, unit_i)) place_d = '0;
    else if (is_unit(UnitCombChain, unit_start_i, unit_i)) place_d = '0;
    else if (is_unit(UnitTableTop, unit_start_i, unit_i)) begin
      if (columns) place_d = (IndexBits + 1)'(pairs) << 1;
      else if (put_chain) place_d = (place_q | (IndexBits + 1)'((1 << ChunkBits) - 1)) + 1'b1;
      else place_d = last + 1'b1;
    end else if (is_unit(UnitTableUp, unit_start_i, unit_i)) place_d = place_q + 1'b1;
    else if (take_below) place_d = place_q - 1'b1;
  end

  always_ff @(posedge clk_i) place_q <= place_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) kept_q <= 1'b0;
    else if (forget_i) kept_q <= 1'b0;
    else if (is_unit(UnitKeepBase, unit_start_i, unit_i)) kept_q <= 1'b1;
  end

  // Ratios, or entries of the first or the second point, or the base point's from HalfBase on.
  typedef enum logic [1:0] {
    PartFirst,
    PartSecond,
    PartRatios
  } part_e;

  localparam logic HalfBase = 1'b1;

  logic put_ratio;

  assign put_ratio = unit_i inside {ArgBits'(UnitRatioX), ArgBits'(UnitRatioY)};

  function automatic logic [IndexBits:0] place_at(logic loading, logic ratio, logic at_second,
                                                  logic [IndexBits-1:0] place);
    if (loading) return {ratio ? !HalfBase : HalfBase, place};
    return {
      !HalfBase, ratio ? PartRatios : at_second ? PartSecond : PartFirst, place[PartBits-1:0]
    };
  endfunction

  // Addresses: the comb's entries lie above all others.
  localparam int unsigned AddrBits = IndexBits + (HasComb ? 2 : 1);

  function automatic logic [IndexBits+1:0] tooth_at(logic [ToothBits-1:0] tooth);
    return {2'b00, 1'b1, ChunkBits'(tooth)};
  endfunction

  function automatic logic [IndexBits+1:0] ratio_at(logic [ChunkBits-1:0] number);
    return {2'b00, 1'b0, number};
  endfunction

  logic [IndexBits+1:0] to, from;
  logic negated;

  always_comb begin
    if (put_chain) to = put_ratio ? ratio_at(place_q[ChunkBits-1:0]) : {1'b1, chain_index};
    else if (columns) to = tooth_at(tooth_q);
    else to = {1'b0, place_at(loading_i, put_ratio, second_i, place_q[IndexBits-1:0])};
  end

  always_comb begin
    negated = 1'b0;
    if (takes_digit) begin
      from = {1'b0, place_at(of_base, 1'b0, source, index)};
      negated = negative;
    end else if (take_step) begin
      from = tooth_at(step_tooth);
      negated = step_negative;
    end else if (put_chain) begin
      from = take_ratio ? ratio_at(place_q[ChunkBits-1:0]) : {1'b1, chain_index};
    end else if (columns) begin
      from = {1'b1, comb_index};
      negated = comb_negative;
    end else begin
      from = {1'b0, place_at(loading_i, take_ratio, second_i, place_d[IndexBits-1:0])};
    end
  end

  pm_multicurve_table #(
      .Width   (Width),
      .AddrBits(AddrBits)
  ) u_table (
      .clk_i,
      .rst_ni,
      .wipe_i(clear_i),
      .p_i,
      .write_x_i(unit_start_i && unit_i inside {ArgBits'(UnitEntryX), ArgBits'(UnitRatioX)}),
      .write_y_i(unit_start_i && unit_i inside {ArgBits'(UnitEntryY), ArgBits'(UnitRatioY)}),
      .at_i(AddrBits'(to)),
      .data_i(operand_i),
      .take_i(takes_digit || take_below || take_ratio || take_step),
      .from_i(AddrBits'(from)),
      .negative_i(negated),
      .ready_o(ready),
      .x_o,
      .y_o
  );

  if (!HasComb) begin : g_low_half
    logic unused_half;
    assign unused_half = to[IndexBits+1] ^ from[IndexBits+1];
  end

  assign hold_o = !ready && ext_i inside {ExtTx, ExtTy};

endmodule
