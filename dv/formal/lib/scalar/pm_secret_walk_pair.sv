// SPDX-License-Identifier: Apache-2.0
//
// Claim: what pm_secret_walk does, and when, does not depend on its scalars. Of two copies with the
// same inputs but for the scalars that are written, the digits of all contexts change in the same
// cycles and are of the same kinds, and the same slots are read and written: self-composition
// (Barthe, D'Argenio and Rezk 2004). In the cycle behind zero_i the digit is 0.

module pm_secret_walk_pair_formal
  import pm_scalar_pkg::*;
#(
    parameter int unsigned NumContexts = 2,
    parameter int unsigned WG = 10,
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input logic                          clk_i,
    input logic                          rst_ni,
    input logic                          we_i,
    input logic [    CtxBits-1:0]        wctx_i,
    input logic                          wslot_i,
    input logic [            1:0][255:0] wdata_i,   // of each copy
    input logic [    CtxBits-1:0]        rctx_i,
    input logic                          rslot_i,
    input logic [NumContexts-1:0]        zero_i,
    input logic [NumContexts-1:0]        init_i,
    input logic                          ladder_i,
    input logic                          two_i,
    input logic                          step_i,
    input logic [    CtxBits-1:0]        ctx_i
);

  secret_digit_t [1:0][NumContexts-1:0] current;
  logic [1:0][NumContexts-1:0] more;

  for (genvar i = 0; i < 2; i++) begin : gen_copy
    pm_secret_walk #(
        .NumContexts(NumContexts),
        .WG(WG)
    ) u_dut (
        .clk_i,
        .rst_ni,
        .we_i,
        .wctx_i,
        .wslot_i,
        .wdata_i(wdata_i[i]),
        .rctx_i,
        .rslot_i,
        .rdata_o(),
        .zero_i,
        .init_i,
        .ladder_i,
        .two_i,
        .step_i,
        .ctx_i,
        .current_o(current[i]),
        .more_o(more[i])
    );
  end

  logic started_q = 1'b0;
  logic [NumContexts-1:0] zeroed_q = '0;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    zeroed_q  <= zero_i;
  end

  logic [1:0][NumContexts-1:0] written;  // a digit is written
  logic [1:0][NumContexts-1:0] kind;  // of the present digit
  logic [1:0][NumContexts-1:0] there;  // the present digit is not 0
  for (genvar i = 0; i < 2; i++) begin : gen_written
    for (genvar c = 0; c < int'(NumContexts); c++) begin : gen_context
      assign written[i][c] = gen_copy[i].u_dut.window_q.valid &&
          gen_copy[i].u_dut.window_q.ctx == CtxBits'(c) && gen_copy[i].u_dut.active_q[c];
      assign kind[i][c] = current[i][c].kind;
      assign there[i][c] = current[i][c] != '0;
    end
  end

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    a_context : assume (32'(ctx_i) < NumContexts);
    if (!started_q) begin
      a_begin :
      assume (gen_copy[0].u_dut.fetch_ctx_q == gen_copy[1].u_dut.fetch_ctx_q &&
                        32'(gen_copy[0].u_dut.fetch_ctx_q) < NumContexts);
    end
    p_more : assert (more[0] == more[1]);
    p_written : assert (written[0] == written[1]);
    p_read : assert (gen_copy[0].u_dut.walk_addr == gen_copy[1].u_dut.walk_addr);
    p_cleared :
    assert (gen_copy[0].u_dut.we == gen_copy[1].u_dut.we &&
                        gen_copy[0].u_dut.waddr == gen_copy[1].u_dut.waddr);
    p_kind : assert (kind[0] == kind[1]);
    p_zero : assert (((there[0] | there[1]) & zeroed_q) == '0);
    i_state :
    assert (gen_copy[0].u_dut.walks_q == gen_copy[1].u_dut.walks_q &&
            gen_copy[0].u_dut.active_q == gen_copy[1].u_dut.active_q &&
            gen_copy[0].u_dut.waiting_q == gen_copy[1].u_dut.waiting_q &&
            gen_copy[0].u_dut.zero_q == gen_copy[1].u_dut.zero_q &&
            gen_copy[0].u_dut.zero_addr_q == gen_copy[1].u_dut.zero_addr_q);
    i_context : assert (32'(gen_copy[0].u_dut.fetch_ctx_q) < NumContexts);
    i_fetch :
    assert (gen_copy[0].u_dut.fetch_q == gen_copy[1].u_dut.fetch_q &&
            gen_copy[0].u_dut.fetch_ctx_q == gen_copy[1].u_dut.fetch_ctx_q &&
            gen_copy[0].u_dut.read_q == gen_copy[1].u_dut.read_q &&
            gen_copy[0].u_dut.low_q == gen_copy[1].u_dut.low_q &&
            gen_copy[0].u_dut.sum_q == gen_copy[1].u_dut.sum_q &&
            gen_copy[0].u_dut.window_q == gen_copy[1].u_dut.window_q);
  end

endmodule
