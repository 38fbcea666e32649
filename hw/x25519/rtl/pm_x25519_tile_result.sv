// SPDX-License-Identifier: Apache-2.0
//
// Result of pm_x25519_tile: takes a product from the datapath part by part and reduces it to
// [0, p), p = 2^255 - 19.
//
// First v + 19 is formed of a product v: it reaches 2^255 where v is not below p. Then 19 is added
// in that case, 0 otherwise, and bits from 255 on are left off.
//
// Ranges:   v < 2^256 - 19.
// Latency:  parts of v (bits 64:0, 128:65, 193:129, 254:194) are in operand_i 6 to 9 cycles after
//           start_i: bits 64:0 hold the first and the third, bits 128:65 the others. valid_o 15
//           cycles after start_i.
// Handshake: start_i (pulse) only when there is no result and none on the way; valid_o and what it
//           stands for hold until take_i (pulse), which also drops what is on the way and makes
//           every register 0, a cycle later than valid_o; so does reset.
// Reset:    asynchronous, active low. Constant time.

module pm_x25519_tile_result (
    input  logic         clk_i,      // clock
    input  logic         rst_ni,     // asynchronous reset, active low
    input  logic         start_i,    // the operand comes
    input  logic         take_i,     // forget it
    input  logic [128:0] operand_i,  // see above
    output logic         valid_o,    // the result is there
    output logic [254:0] result_o,   // v mod p
    output logic         zero_o      // it is 0
);

  logic [14:1] time_q;  // start_i so many cycles ago
  logic [3:0][64:0] part_q;
  logic [64:0] operand_q, x, kept;
  logic [65:0] sum;
  logic [ 4:0] added;
  logic carry_q, zeros_q, drop_q, first, short, last;
  logic reduces_q;  // all parts are there

  assign first = time_q[7] || time_q[11];  // part 0
  assign short = time_q[8] || time_q[12];  // part 1, of 64 bits
  assign last = time_q[10] || time_q[14];  // part 3, of 61
  assign x = reduces_q ? part_q[0] : operand_q;
  assign added = time_q[7] || (time_q[11] && carry_q) ? 5'd19 : {4'd0, !first && carry_q};
  assign sum = 66'(x) + 66'(added);

  always_comb begin
    kept = reduces_q ? sum[64:0] : x;
    if (short) kept[64] = 1'b0;
    if (time_q[14]) kept[64:61] = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      time_q <= '0;
      valid_o <= 1'b0;
      drop_q <= 1'b1;
      reduces_q <= 1'b0;
    end else if (take_i) begin
      time_q <= '0;
      valid_o <= 1'b0;
      drop_q <= 1'b1;
      reduces_q <= 1'b0;
    end else begin
      time_q <= {time_q[13:1], start_i};
      reduces_q <= |time_q[13:10];
      if (time_q[14]) valid_o <= 1'b1;
      drop_q <= 1'b0;
    end
  end

  // Whether a part is 0 is seen in the cycle after it was made.
  always_ff @(posedge clk_i) begin
    operand_q <= time_q[6] || time_q[8] ? operand_i[64:0] : 65'(operand_i[128:65]);
    if (drop_q) begin
      part_q  <= '0;
      carry_q <= 1'b0;
      zeros_q <= 1'b0;
    end else begin
      if (|time_q[14:7]) begin
        part_q  <= {kept, part_q[3:1]};
        carry_q <= last ? sum[61] : (short ? sum[64] : sum[65]);
      end
      if (|time_q[14:12]) zeros_q <= part_q[3] == '0 && (zeros_q || time_q[12]);
    end
  end

  assign zero_o   = valid_o && zeros_q && part_q[3] == '0;
  assign result_o = {part_q[3][60:0], part_q[2], part_q[1][63:0], part_q[0]};

endmodule
