// SPDX-License-Identifier: Apache-2.0
//
// Claim: pm_fifo is a queue. Its outputs are those of a shift-register queue for every sequence of
// inputs and resets; so nothing is lost, doubled or reordered, and usage_o counts what is inside.

module pm_fifo_formal #(
    parameter int unsigned Width = 8,
    parameter int unsigned Depth = 4,
    parameter bit Wipe = 1'b0,
    localparam int unsigned AddrWidth = $clog2(Depth)
) (
    input logic             clk_i,
    input logic             rst_ni,
    input logic             valid_i,
    input logic [Width-1:0] data_i,
    input logic             ready_i
);

  logic ready, valid;
  logic [  Width-1:0] data;
  logic [AddrWidth:0] usage;

  pm_fifo #(
      .Width(Width),
      .Depth(Depth),
      .Wipe (Wipe)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .valid_i,
      .ready_o(ready),
      .data_i,
      .valid_o(valid),
      .ready_i,
      .data_o (data),
      .usage_o(usage)
  );

  // The queue: entry 0 is the oldest, count_q entries count.
  logic [Depth-1:0][Width-1:0] queue_q, queue_d;
  logic [AddrWidth:0] count_q, count_d;

  always_comb begin
    queue_d = queue_q;
    count_d = count_q;
    if (valid && ready_i) begin
      queue_d = queue_d >> Width;
      count_d = count_d - 1'b1;
    end
    if (valid_i && ready) begin
      queue_d[count_d[AddrWidth-1:0]] = data_i;
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

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    i_count : assert (count_q <= (AddrWidth + 1)'(Depth));
    p_usage : assert (usage == count_q);
    p_valid : assert (valid == (count_q != '0));
    p_ready : assert (ready == (count_q != (AddrWidth + 1)'(Depth)));
    if (valid) begin
      p_order : assert (data == queue_q[0]);
    end
  end

  // What was read and not wiped yet lies between the oldest entry and the newest, for the step too.
  if (Wipe) begin : gen_wipe
    logic [AddrWidth:0] old;
    assign old = u_dut.read_q - u_dut.gen_wipe.wiped_q;
    always_comb begin
      i_wiped : assert (32'(old) + 32'(count_q) <= Depth);
      i_wipe : assert (!u_dut.wipe || old != '0);
    end
  end

  // What the memory holds, for the induction step.
  for (genvar i = 0; i < Depth; i++) begin : gen_entry
    always_comb begin
      if (i < 32'(count_q)) begin
        i_memory : assert (u_dut.mem_q[AddrWidth'(u_dut.read_q+i)] == queue_q[i]);
      end
    end
  end

endmodule
