// SPDX-License-Identifier: Apache-2.0
//
// Sum of two or three skewed numbers, one carry chain of about Segment bits for each segment:
// segment i is added i cycles after segment 0, with the registered carry of segment i - 1. Three
// terms pass one row of carry-save adders before the chain.
//
//   s = +-t0 +- t1 (+- t2) modulo 2^W;  the bits below Low are those of t0.
//
// Ranges:    any terms; the terms with a bit in Negate are subtracted (never t0).
// Latency:   1 cycle with en_i = 1 from a segment of the terms to that segment of the sum; skewed
//            as in pm_field_pkg. One sum per cycle.
// Handshake: none; en_i = 0 freezes every register.
// Reset:     none (data only). Constant time.

module pm_segment_add #(
    parameter int unsigned W = 258,  // bits of terms and sum
    parameter int unsigned Segment = 64,  // bits of a carry chain
    parameter int unsigned Terms = 2,  // 2 or 3
    parameter logic [2:0] Negate = '0,  // bit i: term i is subtracted; bits 1 and 2
    parameter int unsigned Low = 0  // bits below come from term 0 alone; without Negate only
) (
    input  logic                    clk_i,
    input  logic                    en_i,     // clock enable of all registers
    input  logic [Terms-1:0][W-1:0] terms_i,  // skewed terms
    output logic [    W-1:0]        s_o       // skewed sum, a cycle later
);

  localparam int unsigned Segments = pm_field_pkg::segments(W, Segment);

  if (Terms != 2 && Terms != 3) begin : gen_bad_terms
    $fatal(1, "pm_segment_add: Terms must be 2 or 3");
  end
  if (Negate[0] || (Low != 0 && Negate != '0)) begin : gen_bad_negate
    $fatal(1, "pm_segment_add: term 0 is never subtracted, and with Low no term");
  end

  for (genvar i = 0; i < Segments; i++) begin : gen_segment
    localparam int unsigned From = i * Segment;
    localparam int unsigned To = i == Segments - 1 ? W : (i + 1) * Segment;
    localparam int unsigned Start = Low > To ? To : (Low > From ? Low : From);
    localparam int unsigned N = To - Start;

    // Carries into this segment, from the chain and from the carry-save row before it, and out of
    // it. A negative term is its complement and one more.
    logic carry_in, row_in, carry_out, row_out;
    if (i == 0) begin : gen_first
      assign {row_in, carry_in} = Negate[2:1];
    end else begin : gen_next
      assign {carry_in, row_in} = {gen_segment[i-1].carry_out, gen_segment[i-1].row_out};
    end

    if (Start > From) begin : gen_low
      logic [Start-From-1:0] s_q;
      always_ff @(posedge clk_i) if (en_i) s_q <= terms_i[0][Start-1:From];
      assign s_o[Start-1:From] = s_q;
    end

    if (N == 0) begin : gen_no_sum
      logic unused;
      assign {carry_out, row_out} = '0;
      assign unused = carry_in || row_in;
    end else begin : gen_sum
      logic [N-1:0] a, b;
      logic [N:0] s_q;
      logic unused, row_q;

      if (Terms == 3) begin : gen_row
        logic [N-1:0] t1, t2;
        logic [N:0] k;
        assign t1 = terms_i[1][Start+:N] ^ {N{Negate[1]}};
        assign t2 = terms_i[2][Start+:N] ^ {N{Negate[2]}};
        assign a  = terms_i[0][Start+:N] ^ t1 ^ t2;
        assign k  = {(terms_i[0][Start+:N] & (t1 | t2)) | (t1 & t2), row_in};
        assign b  = k[N-1:0];
        always_ff @(posedge clk_i) if (en_i) row_q <= k[N];
      end else begin : gen_no_row
        assign a = terms_i[0][Start+:N];
        assign b = terms_i[1][Start+:N] ^ {N{Negate[1]}};
        assign row_q = row_in;  // 0
      end
      assign row_out = row_q;

      // The carry enters as bit 0 of the operands: one chain in every technology.
      logic [N+1:0] sum;
      assign sum = {1'b0, a, 1'b1} + {1'b0, b, carry_in};
      assign unused = sum[0];
      always_ff @(posedge clk_i) if (en_i) s_q <= sum[N+1:1];
      assign s_o[Start+:N] = s_q[N-1:0];
      assign carry_out = s_q[N];
    end
  end

  // The carries of the top segment leave the modulus.
  logic unused;
  assign unused = gen_segment[Segments-1].carry_out || gen_segment[Segments-1].row_out;

endmodule
