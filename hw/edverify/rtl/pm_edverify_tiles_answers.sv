// SPDX-License-Identifier: Apache-2.0
//
// Collects the ends of the jobs of all tiles, a tile at a time, and offers each with its header to
// the transmitter. Headers are kept here, in a memory.
//
// Handshake: header_we_i stores the header of place_i {tile, context}. end_* as
//           pm_edverify_tile_node. A result holds from result_valid_o until result_ready_i;
//           free_valid_o (pulse) then says that its context is free again.
// Timing:   an end is offered NumTiles + 4 cycles after it is there, if none is before it. cycles_o
//           counts from the cycle after the header beat (1) to the first cycle in which the result
//           is offered; time_i is the clock of header.since.
// Reset:    asynchronous, active low: nothing is offered.

module pm_edverify_tiles_answers
  import pm_edverify_pkg::*;
  import pm_edverify_batch_pkg::*;
  import pm_edverify_tile_pkg::*;
#(
    parameter int unsigned NumTiles = 3,  // at least 2
    localparam int unsigned TileBits = $clog2(NumTiles),
    localparam int unsigned PlaceBits = TileBits + 3
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic [31:0] time_i,  // cycles
    input logic header_we_i,  // a job begins
    input logic [PlaceBits-1:0] place_i,  // here
    input header_t header_i,  // with this header
    input logic [NumTiles-1:0] end_valid_i,  // a job has ended
    input tile_end_t [NumTiles-1:0] end_i,  // this one
    output logic [NumTiles-1:0] end_taken_o,  // pulse: it is taken
    output logic free_valid_o,  // pulse: a context is free again
    output logic [PlaceBits-1:0] free_o,  // this one, from its end until the next one
    output logic result_valid_o,  // a result is offered
    input logic result_ready_i,  // it is taken
    output logic [31:0] tag_o,  // its tag
    output logic [7:0] rule_o,  // its rule set
    output reason_e reason_o,  // its reason
    output logic [31:0] cycles_o  // cycles from header to result
);

  typedef enum logic [2:0] {
    StLook,   // at a tile a cycle
    StRead,   // the header is read
    StCount,  // cycles are counted
    StOffer,
    StRest    // end_valid_i is behind
  } state_e;

  state_e  state_q;
  header_t headers  [2**PlaceBits];
  header_t header_q;
  logic [TileBits-1:0] tile_q, looked_q;
  logic valid_q;
  tile_end_t end_q;

  always_ff @(posedge clk_i) if (header_we_i) headers[place_i] <= header_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StLook;
      {tile_q, looked_q, valid_q, end_taken_o, free_valid_o, result_valid_o} <= '0;
    end else begin
      end_taken_o  <= '0;
      free_valid_o <= 1'b0;
      unique case (state_q)
        StLook: begin
          tile_q   <= 32'(tile_q) == NumTiles - 1 ? '0 : tile_q + 1'b1;
          looked_q <= tile_q;
          valid_q  <= end_valid_i[tile_q];
          if (valid_q) begin
            state_q <= StRead;
            end_taken_o[looked_q] <= 1'b1;
          end
        end
        StRead: begin
          valid_q <= 1'b0;
          state_q <= StCount;
        end
        StCount: begin
          result_valid_o <= 1'b1;
          state_q <= StOffer;
        end
        StOffer: begin
          if (result_ready_i) begin
            result_valid_o <= 1'b0;
            free_valid_o <= 1'b1;
            state_q <= StRest;
          end
        end
        default: state_q <= StLook;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StLook) begin
      end_q <= end_i[tile_q];
      free_o <= {looked_q, end_q.ctx};
      reason_o <= end_q.reason;
    end
    header_q <= headers[free_o];
    if (state_q == StCount) cycles_o <= time_i - header_q.since + 32'd1;
  end

  assign tag_o  = header_q.tag;
  assign rule_o = header_q.rule;

endmodule
