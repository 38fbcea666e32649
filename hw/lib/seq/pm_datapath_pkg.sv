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

  // Cycles from a word to the outputs of the banks, and to its external value.
  function automatic int unsigned read_latency(int unsigned read_reg, int unsigned segment);
    return read_reg + (segment > 0 ? 1 : 0);
  endfunction

  // Cycles from the outputs of the banks to the operands of the butterfly.
  function automatic int unsigned operand_latency(int unsigned segment);
    return segment > 0 ? 1 : 0;
  endfunction

  // Bits of a carry chain of the butterfly: less than in the multiplier, because more lies before
  // it.
  function automatic int unsigned sum_segment(int unsigned segment);
    return 2 * segment / 3;
  endfunction

  // Cycles of the butterfly.
  function automatic int unsigned sum_latency(bit sum_reg, int unsigned segment);
    if (segment > 0) return pm_field_pkg::select_add_latency(258, sum_segment(segment));
    return sum_reg ? 1 : 0;
  endfunction

  // Cycles from the choice of factors to the multiplier.
  function automatic int unsigned issue_latency(int unsigned segment);
    return segment > 0 ? 1 : 0;
  endfunction

  // Cycles from a word to its factors: sums, differences, operand_o, and the write of sums.
  function automatic int unsigned factor_latency(int unsigned read_reg, bit sum_reg,
                                                 int unsigned segment);
    return read_latency(read_reg, segment) + operand_latency(segment) +
        sum_latency(sum_reg, segment);
  endfunction

  // Cycles by which sums are stored later, for the scaled ones.
  function automatic int unsigned scale_latency(int unsigned scale_stages, int unsigned segment);
    if (scale_stages == 0) return 0;
    return scale_stages + pm_field_pkg::select_add_latency(258, segment) - 1;
  endfunction

  // Cycles from factors to half products.
  function automatic int unsigned part_latency(int unsigned segment, int unsigned interval = 1);
    if (segment == 0) return pm_field_pkg::part_latency(3, 0, 0, 1, 1, 'b110, interval);
    return issue_latency(segment) + pm_field_pkg::mulmod_skew_part_latency(258, 3, segment);
  endfunction

  // Cycles from factors to the product.
  function automatic int unsigned product_latency(int unsigned segment, int unsigned interval = 1);
    if (segment == 0) return pm_field_pkg::mulmod_latency(3, 0, 0, 1, 1, 'b110, 2, interval);
    return issue_latency(segment) + pm_field_pkg::mulmod_skew_latency(255, 19, 258, 3, segment);
  endfunction

  // Cycles from a word to the first word that can read its product: the least MinSpacing of a
  // sequencer whose schedules count words.
  function automatic int unsigned spacing(int unsigned read_reg, bit sum_reg, int unsigned segment,
                                          int unsigned interval = 1);
    return factor_latency(read_reg, sum_reg, segment) + product_latency(segment, interval) + 1;
  endfunction

endpackage
