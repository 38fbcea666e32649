// SPDX-License-Identifier: Apache-2.0
//
// Latencies of the field units as functions of their parameters, and the range argument of the
// pseudo-Mersenne reduction as constant functions. Nothing here becomes hardware.
//
// Levels are counted from the leaves: bit 0 of a mask belongs to the innermost Karatsuba step.
//
// pm_karatsuba_skew cuts every carry chain after about Segment bits. A number is *skewed* if its
// segment i, bits i Segment and up, comes i cycles after segment 0: then an addition takes one
// cycle, whatever its width, because the carry of a segment is ready when the next one comes. The
// latency of a skewed number is that of its segment 0.

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

  // ---- skewed numbers ---------------------------------------------------------------------------

  // Number of carry chains of an addition of `width` bits: the last one may be a sixth longer.
  function automatic int unsigned segments(int unsigned width, int unsigned segment);
    int unsigned slack = segment / 6;
    if (segment == 0 || width <= segment + slack) return 1;
    return (width - slack + segment - 1) / segment;
  endfunction

  // Segment that bit `index` of a number of `width` bits belongs to.
  function automatic int unsigned segment_of(int unsigned width, int unsigned segment,
                                             int unsigned index);
    int unsigned last = segments(width, segment) - 1;
    if (last == 0 || index / segment > last) return last;
    return index / segment;
  endfunction

  // Cycles of the skewed recombination of one Karatsuba step, for the slowest width from `low` to
  // `high`: the middle term, one cycle, must be there one cycle before the sum it enters.
  function automatic int unsigned recombine_latency(int unsigned low, int unsigned high,
                                                    int unsigned segment);
    int unsigned most = 1;
    for (int unsigned w = low; w <= high; w++) begin
      int unsigned k = (w + 1) / 2;
      for (int unsigned i = 0; i <= w; i++) begin
        int unsigned from = segment_of(2 * k + 2, segment, i) + 2;
        int unsigned to = segment_of(2 * w, segment, k + i);
        if (from > to + most) most = from - to;
      end
    end
    return most;
  endfunction

  // Cycles from operands to the skewed product of pm_karatsuba_skew for widths from `low` to
  // `high`.
  function automatic int unsigned karatsuba_skew_latency(int unsigned low, int unsigned high,
                                                         int unsigned levels, int unsigned segment);
    int unsigned n = 3;  // registers of the leaf
    int unsigned lo = low;
    int unsigned hi = high;
    for (int unsigned i = levels; i > 0; i--) begin
      if (i > 1) n++;  // sums of halves
      n += recombine_latency(lo, hi, segment);
      lo = lo / 2;
      hi = (hi + 1) / 2 + 1;
    end
    return n;
  endfunction

endpackage
