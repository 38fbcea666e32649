// SPDX-License-Identifier: Apache-2.0
//
// The highest set bit of a word, and what belongs to it, by a binary tree: log2 of Leaves levels.
//
// Computes: any_o = word_i is not 0; index_o, data_o: place of its highest 1, and the data of that
//           place; 0 and the data of place 0 if there is none.
// Combinational. Constant time: yes. Source: original.

module pm_highest #(
    parameter int unsigned Leaves = 16,  // bits of the word, a power of two, at least 2
    parameter int unsigned DataBits = 1,  // bits that belong to a place
    localparam int unsigned Levels = $clog2(Leaves)
) (
    input  logic [  Leaves-1:0]               word_i,   // the word
    input  logic [  Leaves-1:0][DataBits-1:0] data_i,   // data of each place
    output logic                              any_o,    // a bit is set
    output logic [  Levels-1:0]               index_o,  // place of the highest
    output logic [DataBits-1:0]               data_o    // its data
);

  if (Leaves < 2 || 2 ** Levels != Leaves) begin : gen_check
    $fatal(1, "pm_highest: Leaves must be a power of two and at least 2.");
  end

  // Node j of level l stands for the places j * 2^l and up; its payload is {index, data}.
  for (genvar l = 0; l <= int'(Levels); l++) begin : gen_level
    logic [(Leaves >> l)-1:0] any;
    logic [(Leaves >> l)-1:0][l+DataBits-1:0] payload;

    if (l == 0) begin : gen_leaves
      assign any = word_i;
      assign payload = data_i;
    end else begin : gen_nodes
      for (genvar j = 0; j < int'(Leaves >> l); j++) begin : gen_node
        logic upper;
        assign upper = gen_level[l-1].any[2*j+1];
        assign any[j] = upper || gen_level[l-1].any[2*j];
        assign payload[j] = {
          upper, upper ? gen_level[l-1].payload[2*j+1] : gen_level[l-1].payload[2*j]
        };
      end
    end
  end

  assign any_o = gen_level[Levels].any[0];
  assign {index_o, data_o} = gen_level[Levels].payload[0];

endmodule
