// SPDX-License-Identifier: Apache-2.0
//
// Inverter of pm_x25519_tile, which its contexts have in turn: takes an operand from the datapath
// part by part and holds its inverse modulo p = 2^255 - 19 until that is in the register of the
// context; 0 if the operand is 0 modulo p.
//
// Operand:  v < 2^255 + 2^142, in operand_i as in pm_x25519_tile_result: bits 64:0, 128:65,
//           193:129, 257:194 are there 6 to 9 cycles after start_i. The inverse is below 2p.
// Latency:  1223 cycles from start_i to valid_o.
// Handshake: free_o: start_i (pulse) may come. valid_o and inverse_o hold until taken_i (pulse).
//           drop_i (pulse) abandons both; a start_i of that cycle is lost.
// Secrets:  registers hold no part of operand and inverse 3 cycles after taken_i, drop_i and reset.
// Reset:    asynchronous, active low. Constant time.

module pm_x25519_tile_inverse (
    input  logic         clk_i,      // clock
    input  logic         rst_ni,     // asynchronous reset, active low
    input  logic         start_i,    // the operand comes
    input  logic         drop_i,     // forget it
    input  logic [128:0] operand_i,  // see above
    output logic         free_o,     // no operand is inside
    output logic         valid_o,    // the inverse is there
    output logic [255:0] inverse_o,  // of the operand
    input  logic         taken_i     // forget it
);

  localparam int unsigned Digit = 34;
  localparam int unsigned Columns = 8;
  localparam int unsigned W = Digit * Columns;
  localparam logic [W-1:0] P = W'({1'b1, 255'd0}) - W'(19);

  logic [9:1] time_q;  // start_i so many cycles ago
  logic [64:0] low_q;
  logic [128:0] lower_q;
  /* verilator lint_off UNUSEDSIGNAL */
  logic ready;
  logic [W-1:0] inverse;
  /* verilator lint_on UNUSEDSIGNAL */

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      time_q <= '0;
      free_o <= 1'b1;
    end else if (drop_i) begin
      time_q <= '0;
      free_o <= 1'b1;
    end else begin
      time_q <= {time_q[8:1], start_i};
      free_o <= taken_i || (free_o && !start_i);
    end
  end

  // Parts 0 and 2 wait for the parts above them, the lower half for the upper one.
  always_ff @(posedge clk_i) begin
    low_q <= time_q[6] || time_q[8] ? operand_i[64:0] : '0;
    if (time_q[7]) lower_q <= {operand_i[128:65], low_q};
    else if (!time_q[8]) lower_q <= '0;
  end

  pm_skew_inverter #(
      .Digit  (Digit),
      .Columns(Columns),
      .Steps  (590)
  ) u_inverter (
      .clk_i,
      .rst_ni,
      .clear_i(drop_i),
      .p_i    (P),
      .valid_i(time_q[9]),
      .ready_o(ready),
      .a_i    ((W - 1)'({operand_i[128:65], low_q, lower_q})),
      .valid_o,
      .ready_i(taken_i),
      .inv_o  (inverse)
  );

  assign inverse_o = inverse[255:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      assert (!start_i || free_o || drop_i);
      assert (!time_q[9] || ready);
    end
  end

endmodule
