// SPDX-License-Identifier: Apache-2.0
//
// Shares one pm_sha512 between two clients. A client has the hash from its first beat until its
// digest is taken, or until it clears. If both may begin, the one begins that did not have the hash
// last.
//
// Latency:  none: beats and digests pass through combinationally. ready_o of a client depends on
//           valid_i and allow_i of the other one, never on its own valid_i.
// Handshake: as pm_sha512 on all sides. clear_i of a client that does not have the hash does
//           nothing; it is given in a cycle without a beat of this client. A digest is offered to
//           its owner alone.
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
  logic [1:0] want, owns;  // asks to begin; has the hash, or would get it in this cycle
  logic sel;

  assign want = valid_i & allow_i;

  always_comb begin
    if (busy_q) owns = {owner_q, !owner_q};
    // The other one stands back only for a client that asks and is next.
    else
      owns = allow_i & ~{want[0] && owner_q, want[1] && !owner_q};
  end

  assign sel = busy_q ? owner_q : owns[1] && valid_i[1];

  assign ready_o = owns & {2{hash_ready_i}};
  assign hash_valid_o = valid_i[sel] && owns[sel];
  assign hash_data_o = data_i[sel];
  assign hash_keep_o = keep_i[sel];
  assign hash_last_o = last_i[sel];

  assign digest_valid_o = owns & {2{busy_q && hash_digest_valid_i}};
  assign hash_digest_ready_o = busy_q && digest_ready_i[owner_q];
  assign hash_clear_o = busy_q && clear_i[owner_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      owner_q <= 1'b1;
    end else if (!busy_q) begin
      if (hash_valid_o && hash_ready_i) begin
        busy_q  <= 1'b1;
        owner_q <= sel;
      end
    end else if (hash_clear_o || (hash_digest_valid_i && hash_digest_ready_o)) begin
      busy_q <= 1'b0;
    end
  end

endmodule
