// SPDX-License-Identifier: Apache-2.0
//
// Shares one pm_sha512 between two clients. A client that offers a beat and may begin gets the
// hash, and has it until its digest is taken, or until it clears. If both may begin, the one begins
// that did not have the hash last.
//
// Latency:  a cycle before the first beat of a message; then beats and digests pass through
//           combinationally. ready_o of a client depends on hash_ready_i alone.
// Handshake: as pm_sha512 on all sides. clear_i of a client that does not have the hash does
//           nothing; a beat in its cycle does not count. A digest is offered to its owner alone.
// Reset:    asynchronous, active low: nobody has the hash.
// Constant time: yes, apart from the waiting for the other client.

module pm_edverify_hash_arbiter (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    // clients
    input logic [1:0] allow_i,  // level: may begin a message
    input logic [1:0] clear_i,  // pulse: forget its message or digest
    input logic [1:0] valid_i,  // a beat is offered
    output logic [1:0] ready_o,  // it is taken
    input logic [1:0][63:0] data_i,  // bytes
    input logic [1:0][7:0] keep_i,  // bytes that count, in the last beat
    input logic [1:0] last_i,  // last beat of the message
    output logic [1:0] digest_valid_o,  // its digest is there (on the output of the hash)
    input logic [1:0] digest_ready_i,  // it is taken
    // hash
    output logic hash_clear_o,  // forget message and digest
    output logic hash_valid_o,  // a beat is offered
    input logic hash_ready_i,  // it is taken
    output logic [63:0] hash_data_o,  // bytes
    output logic [7:0] hash_keep_o,  // bytes that count, in the last beat
    output logic hash_last_o,  // last beat of the message
    input logic hash_digest_valid_i,  // the digest is complete
    output logic hash_digest_ready_o  // it is taken
);

  logic busy_q, owner_q;  // a client has the hash; which one has, or had it last
  logic [1:0] want, owns;

  assign want = valid_i & allow_i & ~clear_i;
  assign owns = {owner_q, !owner_q} & {2{busy_q}};

  assign ready_o = owns & {2{hash_ready_i}};
  assign hash_valid_o = busy_q && valid_i[owner_q];
  assign hash_data_o = data_i[owner_q];
  assign hash_keep_o = keep_i[owner_q];
  assign hash_last_o = last_i[owner_q];

  assign digest_valid_o = owns & {2{hash_digest_valid_i}};
  assign hash_digest_ready_o = busy_q && digest_ready_i[owner_q];
  assign hash_clear_o = busy_q && clear_i[owner_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      owner_q <= 1'b1;
    end else if (!busy_q) begin
      busy_q <= want != '0;
      if (want[!owner_q]) owner_q <= !owner_q;
    end else if (hash_clear_o || (hash_digest_valid_i && hash_digest_ready_o)) begin
      busy_q <= 1'b0;
    end
  end

endmodule
