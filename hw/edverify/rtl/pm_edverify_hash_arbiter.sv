// SPDX-License-Identifier: Apache-2.0
//
// Shares one pm_sha512 between two clients. A client that offers a beat and may begin gets the
// hash, and has it until its digest is taken, or until it clears. If both may begin, the one begins
// that did not have the hash last.
//
// Latency:  a cycle before the first beat of a message; then beats and digests pass through
//           combinationally. ready_o of a client depends on hash_ready_i alone.
// Handshake: as pm_sha512 on all sides. A clear of a client that does not have the hash does
//           nothing; a beat in its cycle does not count. A digest is offered to its owner alone.
// Reset:    asynchronous, active low: nobody has the hash.
// Constant time: yes, apart from the waiting for the other client.

module pm_edverify_hash_arbiter
  import pm_edverify_core_pkg::*;
(
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    // clients
    input logic [1:0] allow_i,  // level: may begin a message
    input to_hash_t [1:0] client_i,  // what each has for the hash
    output logic [1:0] ready_o,  // its beat is taken
    output logic [1:0] digest_valid_o,  // its digest is there (on the output of the hash)
    // hash
    output to_hash_t hash_o,
    input logic hash_ready_i,  // the beat is taken
    input logic hash_digest_valid_i  // the digest is complete
);

  logic busy_q, owner_q;  // a client has the hash; which one has, or had it last
  logic [1:0] want, owns;

  always_comb begin
    for (int i = 0; i < 2; i++) begin
      want[i] = client_i[i].beat.valid && allow_i[i] && !client_i[i].clear;
    end
  end

  assign owns = {owner_q, !owner_q} & {2{busy_q}};
  assign ready_o = owns & {2{hash_ready_i}};
  assign digest_valid_o = owns & {2{hash_digest_valid_i}};

  always_comb begin
    hash_o = client_i[owner_q];
    if (!busy_q) {hash_o.clear, hash_o.beat.valid, hash_o.digest_ready} = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      owner_q <= 1'b1;
    end else if (!busy_q) begin
      busy_q <= want != '0;
      if (want[!owner_q]) owner_q <= !owner_q;
    end else if (hash_o.clear || (hash_digest_valid_i && hash_o.digest_ready)) begin
      busy_q <= 1'b0;
    end
  end

endmodule
