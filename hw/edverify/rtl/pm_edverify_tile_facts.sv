// SPDX-License-Identifier: Apache-2.0
//
// Facts about the received bytes of a signature and its key that a tile is told (RFC 8032, section
// 5.1.7): whether S >= L, and whether y of A and of R are below p.
//
// Latency:  3 cycles, in which the inputs stay. Reset: none. Constant time.

module pm_edverify_tile_facts
  import pm_scalar_pkg::*;
  import pm_edverify_pkg::*;
  import pm_edverify_tile_pkg::*;
(
    input  logic                       clk_i,    // clock
    input  tile_op_e                   op_i,
    input  logic        [SlotBits-1:0] slot_i,   // of its key
    input  rule_flags_t                flags_i,  // of the rule set
    input  logic        [       255:0] s_i,
    input  logic        [       255:0] r_i,
    input  logic        [       255:0] a_i,
    output tile_job_t                  job_o     // 3 cycles later
);

  localparam int unsigned Words = 8;
  localparam logic [255:0] Order = 256'(L);

  // p = 2^255 - 19 ends with 13 under ones alone.
  logic [Words-1:0] greater_q, equal_q, a_ones_q, r_ones_q;
  logic a_low_q, r_low_q;
  logic [1:0] half_greater_q, half_equal_q;
  logic a_q, r_q;

  function automatic logic [1:0] compare(logic [3:0] greater, logic [3:0] equal);
    logic [1:0] found;
    found = 2'b01;  // {greater, equal}
    for (int unsigned i = 0; i < 4; i++) begin
      found = {greater[i] || (equal[i] && found[1]), equal[i] && found[0]};
    end
    return found;
  endfunction

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Words; i++) begin
      greater_q[i] <= s_i[32*i+:32] > Order[32*i+:32];
      equal_q[i]   <= s_i[32*i+:32] == Order[32*i+:32];
      a_ones_q[i]  <= &(a_i[32*i+:32] | (i == 0 ? 32'h1f : i == Words - 1 ? 32'h8000_0000 : '0));
      r_ones_q[i]  <= &(r_i[32*i+:32] | (i == 0 ? 32'h1f : i == Words - 1 ? 32'h8000_0000 : '0));
    end
    {a_low_q, r_low_q} <= {a_i[4:0] >= 5'd13, r_i[4:0] >= 5'd13};
    for (int unsigned i = 0; i < 2; i++) begin
      {half_greater_q[i], half_equal_q[i]} <= compare(greater_q[4*i+:4], equal_q[4*i+:4]);
    end
    {a_q, r_q} <= {a_low_q && &a_ones_q, r_low_q && &r_ones_q};
    job_o <= '{
        op: op_i,
        slot: slot_i,
        flags: flags_i,
        s_ge_l: half_greater_q[1] || (half_equal_q[1] && (half_greater_q[0] || half_equal_q[0])),
        a_ge_p: a_q,
        r_ge_p: op_i == TileLoad ? a_q : r_q,
        sign_a: a_i[255],
        sign_r: op_i == TileLoad ? a_i[255] : r_i[255]
    };
  end

endmodule
