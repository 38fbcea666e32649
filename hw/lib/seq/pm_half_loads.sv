// SPDX-License-Identifier: Apache-2.0
//
// Collects external values for the registers of pm_half_datapath, which come by thirds of halves of
// 129 bits, and writes each half when it is whole.
//
// Handshake: valid_i/ready_o for a third, those of a half in any order but that the last one comes
//           last; load_* as pm_half_datapath. A half is written some cycles after its last third,
//           while the next one comes. stored_o says that every whole half is written.
// Timing:   load_* are registers.
// Reset:    asynchronous, active low: nothing to be written. Constant time.

module pm_half_loads #(
    parameter int unsigned NumContexts = 7,  // contexts, at least 2
    parameter int unsigned AddrBits = 9,  // as of the datapath, as are those below
    parameter int unsigned Stride = 72,
    parameter int unsigned ExtBase = 66,
    parameter int unsigned ConstantExts = 7,
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input  logic                clk_i,         // clock
    input  logic                rst_ni,        // asynchronous reset, active low
    input  logic                valid_i,       // a third is offered
    output logic                ready_o,       // it is taken
    output logic                stored_o,      // nothing waits to be written
    input  logic [ CtxBits-1:0] ctx_i,         // of this context, or of all if it is a constant
    input  logic [         3:0] ext_i,         // external value
    input  logic                upper_i,       // its upper half
    input  logic [         1:0] third_i,       // 0 to 2
    input  logic [        42:0] data_i,
    output logic                load_valid_o,  // a half for a register
    input  logic                load_ready_i,
    output logic [AddrBits-1:0] load_addr_o,
    output logic                load_upper_o,
    output logic [       128:0] load_data_o
);

  logic whole_q;  // a half has come, and not gone on
  logic [AddrBits-1:0] base, addr_q;
  logic upper_q;
  logic [128:0] data_q;

  assign ready_o  = !whole_q || !load_valid_o;
  assign stored_o = !whole_q && !load_valid_o;

  always_comb begin
    base = AddrBits'(NumContexts * Stride);
    for (int unsigned c = 0; c < NumContexts; c++) begin
      if (32'(ext_i) >= ConstantExts && ctx_i == CtxBits'(c)) begin
        base = AddrBits'(Stride * c + ExtBase - ConstantExts);
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {whole_q, load_valid_o} <= '0;
    else begin
      if (ready_o) whole_q <= valid_i && third_i == 2'd2;
      load_valid_o <= load_valid_o ? !load_ready_i : whole_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) begin
      upper_q <= upper_i;
      addr_q  <= base + AddrBits'(ext_i);
      for (int unsigned i = 0; i < 3; i++) begin
        if (third_i == 2'(i)) data_q[43*i+:43] <= data_i;
      end
    end
    if (!load_valid_o) {load_upper_o, load_addr_o, load_data_o} <= {upper_q, addr_q, data_q};
  end

endmodule
