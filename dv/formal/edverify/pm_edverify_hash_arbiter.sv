// SPDX-License-Identifier: Apache-2.0
//
// Claim: pm_edverify_hash_arbiter gives the hash to one client, from the cycle after it asks until
//        its digest is taken or it clears; meanwhile nothing of the other client passes, and
//        nothing of a client that did not ask or may not begin; a client that asks waits for one
//        message of the other at most, and for none if the hash is free and the other does not
//        ask.

module pm_edverify_hash_arbiter_formal
  import pm_edverify_core_pkg::*;
(
    input logic           clk_i,
    input logic           rst_ni,
    input logic     [1:0] allow_i,
    input to_hash_t [1:0] client_i,
    input logic           hash_ready_i,
    input logic           hash_digest_valid_i
);

  logic [1:0] ready, digest_valid, clear, valid, digest_ready;
  to_hash_t hash;

  for (genvar i = 0; i < 2; i++) begin : g_client
    assign clear[i] = client_i[i].clear;
    assign valid[i] = client_i[i].beat.valid;
    assign digest_ready[i] = client_i[i].digest_ready;
  end

  pm_edverify_hash_arbiter u_dut (
      .clk_i,
      .rst_ni,
      .allow_i,
      .client_i,
      .ready_o(ready),
      .digest_valid_o(digest_valid),
      .hash_o(hash),
      .hash_ready_i,
      .hash_digest_valid_i
  );

  logic [1:0] has, had_q, asked_q;  // has the hash; had it, asked for it a cycle ago
  logic [1:0] begins;  // has it from now on
  logic [1:0] passed_q;  // asks, and the other one began meanwhile
  logic left_q;  // a cycle ago it was given back

  assign has = u_dut.owns;
  assign begins = had_q == '0 ? has : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {had_q, asked_q, passed_q, left_q} <= '0;
    else begin
      had_q   <= has;
      asked_q <= valid & allow_i & ~clear;
      left_q  <= (has & (clear | (digest_valid & digest_ready))) != '0;
      for (int i = 0; i < 2; i++) begin
        passed_q[i] <= asked_q[i] && !begins[i] && (passed_q[i] || begins[1-i]);
      end
    end
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);

    if (rst_ni) begin
      p_one : assert (has != 2'b11);
      p_asked : assert ((begins & ~asked_q) == '0);
      p_prompt : assert (had_q != '0 || (has != '0) == (asked_q != '0));
      p_kept : assert (had_q == '0 || has == (left_q ? 2'd0 : had_q));
      p_ready : assert (ready == (hash_ready_i ? has : 2'd0));
      p_offer : assert (hash.beat.valid == ((valid & has) != '0));
      if (hash.beat.valid) begin
        p_data : assert (hash.beat == client_i[has[1]].beat);
      end
      p_digest : assert (digest_valid == (hash_digest_valid_i ? has : 2'd0));
      p_taken : assert (hash.digest_ready == ((digest_ready & has) != '0));
      p_clear : assert (hash.clear == ((clear & has) != '0));
      p_turn :
      assert (!(begins[0] && asked_q[1] && passed_q[1]) &&
              !(begins[1] && asked_q[0] && passed_q[0]));

      // For the induction step.
      i_passed :
      assert (!(passed_q[0] && !u_dut.owner_q && !begins[0]) &&
              !(passed_q[1] && u_dut.owner_q && !begins[1]));
    end
  end

endmodule
