// SPDX-License-Identifier: Apache-2.0
//
// Records of the signatures of the batches under way: what a replay or a result wants of each, and
// whether the place is that of a member, a signature that has been prepared.
//
// Latency:  place_i to record_o and member_o: 1 cycle. At most one of clear_i and join_i in a
//           cycle.
// Reset:    none: a place is cleared when it is given away, and written before it is joined.
// Constant time: yes.

module pm_edverify_batch_records
  import pm_edverify_batch_pkg::*;
#(
    parameter int unsigned Places = 640,  // signatures, at least 2
    localparam int unsigned PlaceBits = $clog2(Places)
) (
    input  logic                    clk_i,          // clock
    input  logic                    clear_i,        // this place has no member
    input  logic    [PlaceBits-1:0] clear_place_i,
    input  logic                    join_i,         // this one has
    input  logic    [PlaceBits-1:0] join_place_i,
    input  logic                    we_i,           // write a record
    input  logic    [PlaceBits-1:0] wplace_i,       // at this place
    input  record_t                 wrecord_i,      // the record
    input  logic    [PlaceBits-1:0] place_i,        // place to read
    output record_t                 record_o,       // its record, one cycle later
    output logic                    member_o        // it has a member
);

  record_t records_q[Places];
  logic members_q[Places];

  always_ff @(posedge clk_i) begin
    if (we_i) records_q[wplace_i] <= wrecord_i;
    record_o <= records_q[place_i];
    if (clear_i || join_i) members_q[clear_i?clear_place_i : join_place_i] <= join_i;
    member_o <= members_q[place_i];
  end

endmodule
