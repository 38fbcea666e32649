// SPDX-License-Identifier: Apache-2.0
//
// Takes up to Contexts jobs, and answers each Latency cycles after it was taken, in their order.
module pm_x25519_standin
  import pm_x25519_pkg::*;
#(
    parameter int unsigned Contexts = 1,
    parameter int unsigned Latency  = 300
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         clear_i,
    input  logic         job_valid_i,
    output logic         job_ready_o,
    input  logic [255:0] job_k_i,
    input  logic [255:0] job_u_i,
    output logic         result_valid_o,
    input  logic         result_ready_i,
    output logic [255:0] result_o,
    output logic         result_zero_o,
    output logic         busy_o
);

  localparam logic [511:0] P = (512'd1 << 255) - 512'd19;

  function automatic logic [511:0] mul(input logic [511:0] a, input logic [511:0] b);
    return (a * b) % P;
  endfunction

  // RFC 7748, section 5, step by step.
  function automatic logic [255:0] x25519(input logic [255:0] k, input logic [255:0] u);
    logic [255:0] scalar;
    logic [511:0] x1, x2, z2, x3, z3, a, aa, b, bb, e, da, cb, power;
    logic swap, bit_k;
    scalar = pm_x25519_clamp(k);
    x1 = 512'(u & {1'b0, {255{1'b1}}}) % P;
    x2 = 512'd1;
    z2 = '0;
    x3 = x1;
    z3 = 512'd1;
    swap = 1'b0;
    for (int i = 254; i >= 0; i--) begin
      bit_k = scalar[i];
      if (swap != bit_k) begin
        {x2, x3} = {x3, x2};
        {z2, z3} = {z3, z2};
      end
      swap = bit_k;
      a = (x2 + z2) % P;
      b = (x2 + P - z2) % P;
      aa = mul(a, a);
      bb = mul(b, b);
      e = (aa + P - bb) % P;
      da = mul((x3 + P - z3) % P, a);
      cb = mul((x3 + z3) % P, b);
      x3 = mul((da + cb) % P, (da + cb) % P);
      z3 = mul(x1, mul((da + P - cb) % P, (da + P - cb) % P));
      x2 = mul(aa, bb);
      z2 = mul(e, (aa + mul(512'd121665, e)) % P);
    end
    if (swap) begin
      x2 = x3;
      z2 = z3;
    end
    power = 512'd1;
    for (int i = 254; i >= 0; i--) begin
      power = mul(power, power);
      if (i >= 5 || i == 3 || i == 1 || i == 0) power = mul(power, z2);
    end
    x2 = mul(x2, power);
    return x2[255:0];
  endfunction

  logic [Contexts-1:0][255:0] results_q;
  logic [Contexts-1:0][31:0] left_q;
  logic [31:0] count_q;
  logic take, give;

  assign job_ready_o = count_q < Contexts;
  assign result_valid_o = count_q != 0 && left_q[0] == 0;
  assign result_o = results_q[0];
  assign result_zero_o = results_q[0] == 0;
  assign busy_o = count_q != 0;
  assign take = job_valid_i && job_ready_o;
  assign give = result_valid_o && result_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q   <= '0;
      results_q <= '0;
      left_q    <= '0;
    end else begin
      for (int i = 0; i < Contexts; i++) begin
        if (left_q[i] != 0) left_q[i] <= left_q[i] - 1;
      end
      if (give) begin
        results_q <= results_q >> 256;
        for (int i = 1; i < Contexts; i++) begin
          left_q[i-1] <= left_q[i] == 0 ? 0 : left_q[i] - 1;
        end
      end
      count_q <= count_q + 32'(take) - 32'(give);
      if (take) begin
        results_q[count_q-32'(give)] <= x25519(job_k_i, job_u_i);
        left_q[count_q-32'(give)] <= Latency;
      end
      if (clear_i) begin
        count_q   <= '0;
        results_q <= '0;
      end
    end
  end

endmodule
