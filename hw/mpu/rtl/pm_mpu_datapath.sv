// SPDX-License-Identifier: Apache-2.0
//
// Datapath of `mpu` at a short cycle: 16 registers in a memory of two read ports, one modular adder
// of three cycles, one Montgomery multiplier that begins a product before the one before it is
// there: so it is both multipliers of a word. It carries out the words of pm_dual_datapath that
// start one product at most, in several cycles each.
//
// Operations: those of a word go one behind the other (pm_mpu_operations), a cycle apart, through
//           the same two operand registers. Every port reads a register, its number XOR-ed with
//           index_i if `indexed`, or the external value of the word, or 0. A product passes the
//           adder at its end, in a cycle in which no sum does, and reduces it there.
// Ranges:   registers hold numbers in [0, p); second factors and operands of sums have to be such,
//           the first factor of a product any number below R. After plain_i products are plain, and
//           one waits for the other.
// Timing:   of a word: pm_mpu_operations. A product of n digits of 16 bits, operation k of a word
//           that is carried out from cycle t on, can be read by words, and the next one of its
//           multiplier started, from cycle t + e + k + n + 15 on, later by the cycles in which sums
//           have the adder. A word that starts one of the other multiplier is carried out from
//           cycle t + e + k + n + 1, or 8, on.
// Handshake: valid_i with a word; it is issued in the cycle in which hold_o is 0, and it must not
//           change until then. ext_o is the external value that is wanted; ext_i follows it in the
//           next cycle.
// Flags:    zero_o says whether the latest sum with a flag was zero, the second one of a word if
//           both have one; met_o whether any was; reached_o whether any value that was checked was
//           p or more. The next word can ask for them.
// Reset:    asynchronous, active low: nothing is under way. Registers are not reset. wipe_i sets
//           all to 0, those of the multiplier too, in 17 cycles; words wait for that.
// Constant time: yes, the cycles of a product depend on the modulus alone.

module pm_mpu_datapath
  import pm_dual_ucode_pkg::*;
  import pm_mpu_datapath_pkg::*;
#(
    parameter int unsigned Width = 704,  // bits of a number
    parameter int unsigned Held = 0,  // registers, the first ones, that held_i holds
    localparam int unsigned Digit = 16,
    localparam int unsigned CountBits = $clog2(Width / Digit + 1),
    localparam int unsigned NumRegisters = 1 << RegisterBits
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic wipe_i,  // pulse: clear all registers, drop what is under way
    input logic [Width-1:0] p_i,  // modulus; stable while products are in flight
    input logic pinv_load_i,  // operand_o is -1/p mod R; no product is under way
    input logic [CountBits-1:0] digits_i,  // digits of a factor
    input logic plain_i,  // plain products, sums modulo 2^Width
    input word_t word_i,  // word; its control is the sequencer's
    input logic valid_i,  // it wants to be issued
    output logic hold_o,  // it is not issued yet
    output logic first_o,  // it is in its first cycle
    output logic wiping_o,  // registers are being cleared
    input logic index_i,  // exchange of indexed registers
    input logic held_i,  // what is written to the first Held registers is dropped
    output logic [3:0] ext_o,  // the external value that is read
    input logic [Width-1:0] ext_i,  // it
    input logic check_i,  // that of the word has to be below p
    output logic [Width-1:0] operand_o,  // first operand of the first sum: operand of a side unit
    output logic [Width-1:0] value_o,  // the external value that was read
    output logic [Width-1:0] low_o,  // lower half of the latest plain product
    input logic forget_i,  // pulse: forget the zeros met
    input logic forget_reached_i,  // pulse: forget the values that reached p
    output logic zero_o,  // the latest flag
    output logic met_o,  // a flag was set since they were forgotten
    output logic reached_o  // a checked value reached p since that was forgotten
);

  typedef struct packed {
    logic product;
    logic unit;
    logic check;
    logic write;
    logic flag;
    logic [RegisterBits-1:0] rd;
  } result_t;

  // ----------------------------------------------------------------------------- operations
  operation_t op;
  result_t [2:0] result_q;  // in the cycles of the adder; the last one with the sum
  logic [1:0] busy_q, ended;  // multipliers
  logic apart_q;  // a product can be started, as far as the one before it goes
  logic wiping_d, wiping, wiping_a, wiping_b, wiping_operands, wiping_sums, wiping_chain;

  assign ended = {
    result_q[1].product && result_q[1].unit, result_q[1].product && !result_q[1].unit
  };

  pm_mpu_operations #(
      .Held(Held)
  ) u_operations (
      .clk_i,
      .rst_ni,
      .wipe_i,
      .wiping_i(wiping_d),
      .plain_i,
      .word_i,
      .valid_i,
      .hold_o,
      .first_o,
      .index_i,
      .held_i,
      .check_i,
      .busy_i  (busy_q & ~ended),
      .apart_i (apart_q),
      .op_o    (op)
  );

  // ----------------------------------------------------------------------------- operands
  action_t read_q;  // what reads its operands
  /* verilator lint_off UNUSEDSIGNAL */
  action_t held_q;  // what has them
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Width-1:0] file_a, file_b, ext_q, a_q, b_q, operand_q, sum;

  // Places of the operands, for every part of the registers.
  localparam int unsigned Part = 64;
  localparam int unsigned Parts = (Width + Part - 1) / Part;
  place_t [Parts-1:0] x_place, y_place;

  pm_copies #(
      .Bits  ($bits(place_t)),
      .Copies(Parts)
  ) u_x_place (
      .clk_i,
      .d_i(op.x),
      .q_o(x_place)
  );

  pm_copies #(
      .Bits  ($bits(place_t)),
      .Copies(Parts)
  ) u_y_place (
      .clk_i,
      .d_i(op.y),
      .q_o(y_place)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q <= '0;
      held_q <= '0;
    end else if (wipe_i) begin
      read_q <= '0;
      held_q <= '0;
    end else begin
      read_q <= op.act;
      held_q <= read_q;
    end
  end

  function automatic logic value(bank_e bank, logic register, logic outer, logic chained);
    unique case (bank)
      BankExt:   return outer;
      BankChain: return chained;
      BankZero:  return 1'b0;
      default:   return register;
    endcase
  endfunction

  always_ff @(posedge clk_i) begin
    ext_o <= word_i.ext;
    for (int unsigned i = 0; i < Width; i++) begin
      a_q[i] <= wiping_a ? 1'b0 : value(x_place[i/Part].bank, file_a[i], ext_q[i], sum[i]);
      b_q[i] <= wiping_b ? 1'b0 : value(y_place[i/Part].bank, file_b[i], ext_q[i], sum[i]);
    end
    if (wiping_operands) begin
      ext_q <= '0;
      operand_q <= '0;
    end else begin
      ext_q <= ext_i;
      if (held_q.keep) operand_q <= a_q;
    end
  end

  assign value_o   = ext_q;
  assign operand_o = operand_q;

  // ------------------------------------------------------------------------------ products
  logic soon, product_valid, late_q, turn, turn_q, carry;
  logic [Width:0] even, odd;

  pm_mont_chain #(
      .Width(Width),
      .Digit(Digit)
  ) u_products (
      .clk_i,
      .rst_ni,
      .wipe_i (wiping_chain),
      .p_i,
      .pinv_load_i,
      .pinv_i (operand_q),
      .digits_i,
      .plain_i,
      .ahead_i(read_q.product),
      .x_i    (a_q),
      .y_i    (b_q),
      .soon_o (soon),
      .valid_o(product_valid),
      .even_o (even),
      .odd_o  (odd),
      .carry_o(carry),
      .low_o
  );

  // A product that is there waits for the adder.
  assign turn = (soon || late_q) && !read_q.sum && !wipe_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {late_q, turn_q} <= '0;
    else if (wipe_i) {late_q, turn_q} <= '0;
    else begin
      late_q <= (soon || late_q) && read_q.sum;
      turn_q <= turn;
    end
  end

  // Products under way, the first one first.
  typedef struct packed {
    logic unit;
    logic write;
    logic [RegisterBits-1:0] rd;
  } flight_t;

  flight_t [1:0] flight_q;
  flight_t flight;
  logic [1:0] flying_q, left;

  assign flight = '{unit: op.act.unit, write: op.act.write, rd: op.act.rd};
  assign left   = turn_q ? {1'b0, flying_q[1]} : flying_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) flying_q <= '0;
    else if (wipe_i) flying_q <= '0;
    else flying_q <= op.act.product ? {left[0], 1'b1} : left;
  end

  always_ff @(posedge clk_i) begin
    flight_q[1] <= op.act.product ? flight : flight_q[1];
    if (!left[0]) flight_q[0] <= flight;
    else if (turn_q) flight_q[0] <= flight_q[1];
  end

  // Cycles to the next one. The result of a short one waits for the adder, which may be taken.
  localparam int unsigned Least = 8;
  logic [CountBits-1:0] gap_q, gap_from_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      gap_q   <= '0;
      apart_q <= 1'b1;
    end else if (op.act.product) begin
      gap_q   <= gap_from_q;
      apart_q <= 1'b0;
    end else begin
      if (!apart_q) gap_q <= gap_q - CountBits'(1);
      apart_q <= apart_q || gap_q == CountBits'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    gap_from_q <= digits_i < CountBits'(Least - 1) ? CountBits'(Least - 2) :
        digits_i - CountBits'(1);
  end

  // ---------------------------------------------------------------------------------- sums
  result_t result_d;
  logic flagged_q, zero, zero_q, reached;

  assign result_d = turn_q ?
      '{
          product: 1'b1,
          unit: flight_q[0].unit,
          check: 1'b0,
          write: flight_q[0].write,
          flag: 1'b0,
          rd: flight_q[0].rd
      } :
      '{
          product: 1'b0,
          unit: 1'b0,
          check: held_q.check,
          write: held_q.write && held_q.sum,
          flag: held_q.flag,
          rd: held_q.rd
      };

  // Whose turn it is, and whether it is a difference, for every segment of the adder.
  localparam int unsigned Segments = (Width + 2 + Part - 1) / Part;
  logic [Segments-1:0][1:0] turns_subs;
  logic [Segments-1:0] turns, subs;
  logic [Width:0] x, y;

  pm_copies #(
      .Bits  (2),
      .Copies(Segments)
  ) u_turns (
      .clk_i,
      .d_i({turn, !turn && read_q.sub}),
      .q_o(turns_subs)
  );

  for (genvar s = 0; s < Segments; s++) begin : gen_turn
    assign {turns[s], subs[s]} = turns_subs[s];
  end
  for (genvar i = 0; i <= Width; i++) begin : gen_terms
    if (i < Width) begin : gen_inner
      assign x[i] = turns[i/Part] ? even[i] : a_q[i];
      assign y[i] = turns[i/Part] ? odd[i] : b_q[i];
    end else begin : gen_top
      assign x[i] = turns[i/Part] && even[i];
      assign y[i] = turns[i/Part] && odd[i];
    end
  end

  pm_mod_sum #(
      .Width  (Width),
      .Segment(Part)
  ) u_sums (
      .clk_i,
      .wipe_i   (wiping_sums),
      .p_i,
      .sub_i    (subs),
      .plain_i  (plain_i),
      .carry_i  (turn_q && carry),
      .x_i      (x),
      .y_i      (y),
      .r_o      (sum),
      .reached_o(reached),
      .zero_o   (zero)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      result_q  <= '0;
      flagged_q <= 1'b0;
      busy_q    <= '0;
    end else if (wipe_i) begin
      result_q  <= '0;
      flagged_q <= 1'b0;
      busy_q    <= '0;
    end else begin
      result_q <= {result_q[1:0], result_d};
      flagged_q <= result_q[2].flag;
      busy_q <= (busy_q & ~ended) | {op.act.product && op.act.unit, op.act.product && !op.act.unit};
    end
  end

  // The flag of a cycle before is in zero.
  assign zero_o = flagged_q ? zero : zero_q;
  always_ff @(posedge clk_i) begin
    zero_q <= zero_o;
    met_o <= (met_o && !forget_i) || (flagged_q && zero);
    reached_o <= (reached_o && !forget_reached_i) || (result_q[2].check && reached);
  end

  // ----------------------------------------------------------------------------- registers
  typedef struct packed {
    logic valid;
    logic [RegisterBits-1:0] at;
  } write_t;

  logic [RegisterBits:0] wipe_q, wipe_d;  // cycles that are left
  write_t write_d;
  write_t [Parts-1:0] write;  // of each part, all the same

  always_comb begin
    wipe_d = wipe_q;
    if (wipe_i) wipe_d = (RegisterBits + 1)'(NumRegisters);
    else if (wiping) wipe_d = wipe_q - (RegisterBits + 1)'(1);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wipe_q <= '0;
    else wipe_q <= wipe_d;
  end

  assign wiping_d = wipe_i || (wiping && wipe_q != '0);
  assign wiping_o = wiping;

  // One for control, the others for operands, adder and multiplier. Without a reset: they are 0
  // behind the first edge with wipe_q = 0.
  pm_copies #(
      .Bits  (1),
      .Copies(6)
  ) u_wiping (
      .clk_i,
      .d_i(wiping_d),
      .q_o({wiping_chain, wiping_sums, wiping_operands, wiping_b, wiping_a, wiping})
  );

  assign write_d = wiping_d ?
      '{valid: 1'b1, at: wipe_d[RegisterBits-1:0]}
      : '{valid: result_q[1].write, at: result_q[1].rd};

  pm_copies #(
      .Bits  ($bits(write_t)),
      .Copies(Parts)
  ) u_write (
      .clk_i,
      .d_i(write_d),
      .q_o(write)
  );

  for (genvar i = 0; i < Parts; i++) begin : gen_file
    localparam int unsigned N = i == Parts - 1 ? Width - i * Part : Part;
    logic [N-1:0] file_q[NumRegisters];

    always_ff @(posedge clk_i) begin
      if (write[i].valid) file_q[write[i].at] <= sum[i*Part+:N];
    end

    assign file_a[i*Part+:N] = file_q[x_place[i].number];
    assign file_b[i*Part+:N] = file_q[y_place[i].number];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      assert (!(valid_i && word_i.m0_en && word_i.m1_en));
      // The adder took the product before the next one comes.
      assert (!product_valid || turn_q || late_q || wiping);
      assert (!(late_q && soon));
      assert (!op.act.product || !flying_q[1] || turn_q);
    end
  end

endmodule
