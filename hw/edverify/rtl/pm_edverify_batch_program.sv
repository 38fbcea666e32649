// SPDX-License-Identifier: Apache-2.0
//
// Where the program of a batch sum's next operation is in the ROM: a doubling; the addition of a
// point with Z = 1 (of G, or the first of a table) or of another one, whose sign is the datapath's
// affair; with T if the operation after it wants it; the end; or, while the next operation is not
// known, the program that asks again later.
//
// Latency:  combinational. Reset: none. Constant time: NO, it steers the flow by public scalars.

module pm_edverify_batch_program
  import pm_edverify_bulk_ucode_pkg::*;
  import pm_scalar_pkg::*;
(
    input list_op_e op_i,  // next operation
    /* verilator lint_off UNUSEDSIGNAL */
    input list_point_t point_i,  // its point, if it is an addition
    /* verilator lint_on UNUSEDSIGNAL */
    input logic need_t_i,  // the one after it is an addition
    input logic started_i,  // the operation is known: none is the end
    output logic [RomAddrBits-1:0] addr_o  // address of the program
);

  logic affine;

  assign affine = point_i.kind == ListG0 || point_i.kind == ListG1 || point_i.idx == '0;

  always_comb begin
    unique case (op_i)
      ListDouble: addr_o = need_t_i ? AtSumDoubleT : AtSumDouble;
      ListAdd: begin
        if (affine) addr_o = need_t_i ? AtSumAddAffineT : AtSumAddAffine;
        else addr_o = need_t_i ? AtSumAddT : AtSumAdd;
      end
      default: addr_o = started_i ? AtSumDone : AtSumWait;
    endcase
  end

endmodule
