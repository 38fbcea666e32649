// SPDX-License-Identifier: Apache-2.0
//
// Collects the digits of the three products of pm_named_halves.
//
// Computes: the sum of each array, which loses its lowest digit in each cycle. The digits of the
//           first phase are added to those of V = L + H, and for 2^448 - 2^224 - 1 of U = V + L;
//           for 2^521 - 1 those of H stay as they are. Those of the second phase are digits of M.
// Latency:  products_o has the sums of this cycle, and all else as the cycle before left it.
// Reset:    none; wipe_i clears the registers, enable_i lets them move. Constant time: yes.
module pm_named_halves_products
  import pm_named_halves_pkg::*;
(
    input  logic                                clk_i,        // clock
    input  logic                                wipe_i,       // clear registers
    input  logic                                enable_i,     // a cycle of a product
    input  logic                                x448_i,       // 2^448 - 2^224 - 1, not 2^521 - 1
    input  phase_t                              phase_i,      // where the cycle lies
    input  logic      [Lanes-1:0][LaneBits-1:0] product_a_i,  // from the arrays, lane by lane
    input  logic      [Lanes-1:0][LaneBits-1:0] product_b_i,
    output products_t                           products_o    // what is known
);

  // Where the last digit of the first phase of X448 goes, which has fewer than P521.
  localparam int unsigned X448Last = (X448Digits - 1) * Digit;

  logic [Half-1:0] high_a_q, high_b_q;
  logic [LowBits-1:0] low_1_q, low_2_q, low_1_next, low_2_next;
  logic [RowBits-1:0] sum_a, sum_b;
  logic [Digit-1:0] v_digit, u_digit;
  logic begins, v_carry, u_carry, v_carry_q, u_carry_q;

  function automatic logic [RowBits-1:0] row(logic [Half-1:0] above,
                                             logic [Lanes-1:0][LaneBits-1:0] of);
    return RowBits'(above) + (RowBits'(of[2]) << (Half / 2) | RowBits'(of[0]))
        + (RowBits'(of[3]) << (3 * Half / 4) | RowBits'(of[1]) << (Half / 4));
  endfunction

  assign begins = phase_i.first || phase_i.begins_second;
  assign sum_a = row(begins ? '0 : high_a_q, product_a_i);
  assign sum_b = row(begins ? '0 : high_b_q, product_b_i);
  assign {v_carry, v_digit} = {1'b0, sum_a[Digit-1:0]} + {1'b0, sum_b[Digit-1:0]}
      + (Digit + 1)'(v_carry_q && !phase_i.first);
  assign {u_carry, u_digit} = {1'b0, sum_a[Digit-1:0]} + {1'b0, v_digit}
      + (Digit + 1)'(u_carry_q && !phase_i.first);

  // Digits come in on top.
  always_comb begin
    if (phase_i.second) begin
      low_1_next = {sum_a[Digit-1:0], low_1_q[LowBits-1:Digit]};
      low_2_next = {sum_b[Digit-1:0], low_2_q[LowBits-1:Digit]};
    end else if (x448_i) begin
      low_1_next = LowBits'({v_digit, low_1_q[X448Last+Digit-1:Digit]});
      low_2_next = LowBits'({u_digit, low_2_q[X448Last+Digit-1:Digit]});
    end else begin
      low_1_next = {v_digit, low_1_q[LowBits-1:Digit]};
      low_2_next = {sum_b[Digit-1:0], low_2_q[LowBits-1:Digit]};
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) begin
      {high_a_q, high_b_q, low_1_q, low_2_q, v_carry_q, u_carry_q} <= '0;
    end else if (enable_i) begin
      high_a_q  <= sum_a[RowBits-1:Digit];
      high_b_q  <= sum_b[RowBits-1:Digit];
      low_1_q   <= low_1_next;
      low_2_q   <= low_2_next;
      v_carry_q <= v_carry;
      u_carry_q <= u_carry;
    end
  end

  assign products_o = '{
          high_a: high_a_q,
          high_b: high_b_q,
          low_1: low_1_q,
          low_2: low_2_q,
          v_carry: v_carry_q,
          u_carry: u_carry_q,
          sum_a: sum_a,
          sum_b: sum_b
      };

  logic unused;
  assign unused = ^phase_i;

endmodule
