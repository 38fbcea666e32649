// SPDX-License-Identifier: Apache-2.0
//
// Claims: pm_mont_inverter accepts an operand exactly when it is idle, and its result comes steps +
//         2
// cycles later, whatever operand and modulus are (both are free in every cycle); it holds until
// taken; clear_i leaves the unit idle. Width is small, since no claim looks at a value.

module pm_mont_inverter_formal #(
    parameter int unsigned Width = 6,
    localparam int unsigned CountBits = $clog2(2 * Width + 1)
) (
    input logic                 clk_i,
    input logic                 rst_ni,
    input logic                 clear_i,
    input logic [    Width-1:0] p_i,
    input logic [CountBits-1:0] steps_i,
    input logic                 valid_i,
    input logic [    Width-1:0] a_i,
    input logic                 ready_i
);

  logic ready, valid, error;
  logic [Width-1:0] inv;

  pm_mont_inverter #(
      .Width(Width)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .clear_i,
      .p_i,
      .steps_i,
      .valid_i,
      .ready_o(ready),
      .a_i,
      .valid_o(valid),
      .ready_i,
      .inv_o  (inv),
      .error_o(error)
  );

  // Cycles until the result, and whether there is one.
  logic [CountBits-1:0] steps_q;
  logic busy_q, done_q, held_q, error_q;
  logic [Width-1:0] inv_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      done_q <= 1'b0;
      held_q <= 1'b0;
    end else begin
      if (clear_i) begin
        busy_q <= 1'b0;
        done_q <= 1'b0;
      end else if (busy_q) begin
        busy_q <= steps_q != '0;
        done_q <= steps_q == '0;
      end else if (done_q) begin
        done_q <= !ready_i;
      end else begin
        busy_q <= valid_i;
      end
      held_q <= done_q && !ready_i && !clear_i;
    end
  end

  always_ff @(posedge clk_i) begin
    steps_q <= busy_q ? steps_q - CountBits'(1) : steps_i;
    inv_q   <= inv;
    error_q <= error;
  end

  logic first_q = 1'b1;
  always_ff @(posedge clk_i) first_q <= 1'b0;

  always_comb begin
    if (first_q) a_reset : assume (!rst_ni);
    if (rst_ni) begin
      p_ready : assert (ready == (!busy_q && !done_q));
      p_valid : assert (valid == done_q);
      if (held_q) p_hold : assert (valid && inv == inv_q && error == error_q);
      i_one : assert (!(busy_q && done_q));
      if (busy_q) i_left : assert (u_dut.left_q == steps_q);
      if (held_q) i_held : assert (done_q);
    end
  end

endmodule
