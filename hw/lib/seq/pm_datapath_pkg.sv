// SPDX-License-Identifier: Apache-2.0
//
// Factors of pm_butterfly_datapath, and its latencies as functions of its parameters, which become
// no hardware.

package pm_datapath_pkg;

  // Where a factor comes from: the fields mul_a, mul_b of a microinstruction.
  typedef enum logic [1:0] {
    FactorPort   = 2'd0,  // a read port
    FactorSum    = 2'd1,  // the butterfly's sum
    FactorDiff   = 2'd2,  // its difference
    FactorSigned = 2'd3   // mul_b alone: the difference if the digit is negative, else the sum
  } factor_e;

  // A product on its way into bank mul, for who wants to check the control of the datapath.
  typedef struct packed {
    logic write;  // there is one
    logic canon;  // it is canonical and gives flags
    logic [pm_ucode_pkg::RegisterBits-1:0] number;  // its register
    logic zero;  // its flags
    logic odd;
  } product_watch_t;

  // Cycles from a word to its factors: sums, differences, operand_o, and the write of sums.
  function automatic int unsigned factor_latency(int unsigned read_reg, bit sum_reg);
    return read_reg + 32'(sum_reg);
  endfunction

  // Cycles from factors to half products.
  function automatic int unsigned part_latency();
    return pm_field_pkg::part_latency(3, 0, 0, 1, 1, 'b110);
  endfunction

  // Cycles from factors to the product.
  function automatic int unsigned product_latency();
    return pm_field_pkg::mulmod_latency(3, 0, 0, 1, 1, 'b110, 2);
  endfunction

  // Cycles from a word to the first word that can read its product: the least MinSpacing of a
  // sequencer whose schedules count words.
  function automatic int unsigned spacing(int unsigned read_reg, bit sum_reg);
    return factor_latency(read_reg, sum_reg) + product_latency() + 1;
  endfunction

endpackage
