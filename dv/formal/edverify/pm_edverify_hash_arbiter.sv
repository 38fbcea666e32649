// SPDX-License-Identifier: Apache-2.0
//
// Claim: pm_edverify_hash_arbiter gives the hash to one client from its first beat until its
//        digest is taken or it clears; meanwhile nothing of the other client passes, and between
//        messages nothing of a client that may not begin; a client that asks waits for one
//        message of the other at most, and for none if the hash is free and the other does not
//        ask.

module pm_edverify_hash_arbiter_formal (
    input logic             clk_i,
    input logic             rst_ni,
    input logic [1:0]       allow_i,
    input logic [1:0]       clear_i,
    input logic [1:0]       valid_i,
    input logic [1:0][63:0] data_i,
    input logic [1:0][ 7:0] keep_i,
    input logic [1:0]       last_i,
    input logic [1:0]       digest_ready_i,
    input logic             hash_ready_i,
    input logic             hash_digest_valid_i
);

  logic [1:0] ready, digest_valid;
  logic hash_clear, hash_valid, hash_last, hash_digest_ready;
  logic [63:0] hash_data;
  logic [ 7:0] hash_keep;

  pm_edverify_hash_arbiter u_dut (
      .clk_i,
      .rst_ni,
      .allow_i,
      .clear_i,
      .valid_i,
      .ready_o(ready),
      .data_i,
      .keep_i,
      .last_i,
      .digest_valid_o(digest_valid),
      .digest_ready_i,
      .hash_clear_o(hash_clear),
      .hash_valid_o(hash_valid),
      .hash_ready_i,
      .hash_data_o(hash_data),
      .hash_keep_o(hash_keep),
      .hash_last_o(hash_last),
      .hash_digest_valid_i,
      .hash_digest_ready_o(hash_digest_ready)
  );

  logic [1:0] asks, sends, has_q;  // may begin and wants to; a beat is taken; has the hash
  logic [1:0] begins;  // with this beat
  logic [1:0] passed_q;  // asks, and the other one began meanwhile

  assign asks   = valid_i & allow_i;
  assign sends  = valid_i & ready;
  assign begins = has_q == '0 ? sends : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {has_q, passed_q} <= '0;
    else begin
      for (int i = 0; i < 2; i++) begin
        if (begins[i]) has_q[i] <= 1'b1;
        else if (clear_i[i] || (digest_valid[i] && digest_ready_i[i])) has_q[i] <= 1'b0;
        passed_q[i] <= asks[i] && !begins[i] && (passed_q[i] || begins[1-i]);
      end
    end
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);

    if (rst_ni) begin
      p_one : assert (has_q != 2'b11 && sends != 2'b11);
      p_allowed : assert ((ready & ~(has_q == '0 ? allow_i : has_q)) == '0);
      p_beat : assert ((hash_valid && hash_ready_i) == (sends != '0));
      p_offer : assert (hash_valid == ((valid_i & (has_q == '0 ? allow_i : has_q)) != '0));
      if (sends != '0) begin
        p_data :
        assert ({hash_data, hash_keep, hash_last} ==
                {data_i[sends[1]], keep_i[sends[1]], last_i[sends[1]]});
      end
      p_digest : assert (digest_valid == (hash_digest_valid_i ? has_q : '0));
      p_taken : assert (hash_digest_ready == ((digest_ready_i & has_q) != '0));
      p_clear : assert (hash_clear == ((clear_i & has_q) != '0));
      p_turn :
      assert (!(begins[0] && asks[1] && passed_q[1]) && !(begins[1] && asks[0] && passed_q[0]));

      // For the induction step.
      i_has : assert (has_q == (u_dut.busy_q ? {u_dut.owner_q, !u_dut.owner_q} : 2'd0));
      i_passed : assert (!(passed_q[0] && !u_dut.owner_q) && !(passed_q[1] && u_dut.owner_q));
    end
  end

endmodule
