// SPDX-License-Identifier: Apache-2.0
//
// Latencies of the field units as functions of their parameters, and the range argument of the
// pseudo-Mersenne reduction as constant functions. Nothing here becomes hardware.
//
// Levels are counted from the leaves: bit 0 of a mask belongs to the innermost Karatsuba step.

package pm_field_pkg;

  // Wide enough for every intermediate of the range argument (moduli up to 1024 bits).
  typedef logic [3199:0] wide_t;

  // Number of ones among the low `bits` bits of `mask`.
  function automatic int unsigned ones(int unsigned mask, int unsigned bits);
    int unsigned n = 0;
    for (int unsigned i = 0; i < bits; i++) n += (mask >> i) & 1;
    return n;
  endfunction

  // Cycles from operands to product of pm_karatsuba.
  function automatic int unsigned karatsuba_latency(int unsigned levels, int unsigned pre_mask,
                                                    int unsigned in_reg, int unsigned mul_reg,
                                                    int unsigned rec_mask);
    return ones(pre_mask, levels) + in_reg + mul_reg + ones(rec_mask, levels);
  endfunction

  // Cycles from operands to the taps of pm_mulmod.
  function automatic int unsigned part_latency(int unsigned levels, int unsigned op_reg,
                                               int unsigned pre_mask, int unsigned in_reg,
                                               int unsigned mul_reg, int unsigned rec_mask);
    return op_reg + karatsuba_latency(levels, pre_mask, in_reg, mul_reg, rec_mask);
  endfunction

  // Cycles from operands to the result of pm_mulmod.
  function automatic int unsigned mulmod_latency(
      int unsigned levels, int unsigned op_reg, int unsigned pre_mask, int unsigned in_reg,
      int unsigned mul_reg, int unsigned rec_mask, int unsigned fold_stages);
    return part_latency(levels, op_reg, pre_mask, in_reg, mul_reg, rec_mask) + fold_stages;
  endfunction

  // Largest T after round 1 of the reduction, reached by two operands of w ones:
  // (2^m - 1)^2 (C 2^(w-n) + 2^(m+1) + 1), m = w/2.
  function automatic wide_t fold_t_max(int unsigned n, wide_t c, int unsigned w);
    wide_t half = (wide_t'(1) << (w / 2)) - 1;
    return half * half * ((c << (w - n)) + (wide_t'(1) << (w / 2 + 1)) + 1);
  endfunction

  // Largest value pm_fold can give (not necessarily reached): 2^n - 1 + C floor(T_max / 2^n).
  function automatic wide_t fold_r_max(int unsigned n, wide_t c, int unsigned w);
    return (wide_t'(1) << n) - 1 + c * (fold_t_max(n, c, w) >> n);
  endfunction

  // 1 if two rounds bring every 2w-bit product below 2p, p = 2^n - C, and T fits 3m + 2 bits.
  function automatic bit fold_legal(int unsigned n, wide_t c, int unsigned w);
    return (w % 2 == 0) && (w >= n) && (w <= 1024) && c[0] && (c < (wide_t'(1) << n)) &&
        ((c << (w - n)) < (wide_t'(1) << (w / 2))) &&
        (fold_r_max(n, c, w) < (wide_t'(2) << n) - 2 * c);
  endfunction

endpackage
