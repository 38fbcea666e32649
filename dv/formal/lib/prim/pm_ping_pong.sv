// SPDX-License-Identifier: Apache-2.0
//
// Claim: pm_ping_pong is a queue of two items for every sequence of inputs and resets; nothing is
// lost, doubled or reordered, and of an item that was taken nothing is left two cycles later.

module pm_ping_pong_formal #(
    parameter int unsigned Width = 8
) (
    input logic             clk_i,
    input logic             rst_ni,
    input logic             valid_i,
    input logic [Width-1:0] data_i,
    input logic             ready_i
);

  logic ready, valid;
  logic [Width-1:0] data;

  pm_ping_pong #(
      .Width(Width)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .valid_i,
      .ready_o(ready),
      .data_i,
      .valid_o(valid),
      .ready_i,
      .data_o (data)
  );

  // The queue: entry 0 is the oldest, count_q entries count.
  logic [1:0][Width-1:0] queue_q, queue_d;
  logic [1:0] count_q, count_d;

  always_comb begin
    queue_d = queue_q;
    count_d = count_q;
    if (valid && ready_i) begin
      queue_d = queue_d >> Width;
      count_d = count_d - 1'b1;
    end
    if (valid_i && ready) begin
      queue_d[count_d[0]] = data_i;
      count_d = count_d + 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      queue_q <= '0;
      count_q <= '0;
    end else begin
      queue_q <= queue_d;
      count_q <= count_d;
    end
  end

  // The cycle before.
  logic live_q;
  logic [1:0] empty_q;  // places that were empty
  logic [Width-1:0] data_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) live_q <= 1'b0;
    else live_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    empty_q <= ~u_dut.full_q;
    data_q  <= data_i;
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    i_count : assert (count_q <= 2'd2);
    i_full : assert (32'(u_dut.full_q[0]) + 32'(u_dut.full_q[1]) == 32'(count_q));
    i_turn : assert ((u_dut.write_q ^ u_dut.read_q) == count_q[0]);
    p_valid : assert (valid == (count_q != '0));
    p_ready : assert (ready == (count_q != 2'd2));
    if (valid) begin
      p_order : assert (data == queue_q[0]);
    end
    if (count_q == 2'd2) begin
      i_second : assert (u_dut.place_q[!u_dut.read_q] == queue_q[1]);
    end
  end

  for (genvar i = 0; i < 2; i++) begin : gen_place
    always_comb begin
      if (live_q && empty_q[i]) begin
        p_left : assert (u_dut.place_q[i] == '0 || u_dut.place_q[i] == data_q);
      end
    end
  end

endmodule
