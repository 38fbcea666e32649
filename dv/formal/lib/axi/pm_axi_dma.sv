// SPDX-License-Identifier: Apache-2.0
//
// Claims: pm_axi_dma moves exactly the numbers that it was asked for, each lane once and in
//         order, asks for no address outside of them, writes no byte that is not of a number,
//         keeps to the rules of AXI4, and ends each transfer once: with all of it moved, or with
//         an error that the memory returned, or without finish_o after abort_i.

module pm_axi_dma_formal #(
    parameter int unsigned AddrBits = 14,
    parameter int unsigned NumberBytes = 40,
    parameter int unsigned Stride = 64,
    parameter int unsigned Entries = 4,
    localparam int unsigned Lanes = (NumberBytes + 15) / 16,
    localparam int unsigned LaneBits = $clog2(Lanes),
    localparam int unsigned EntryBits = $clog2(Entries)
) (
    input logic                 clk_i,
    input logic                 rst_ni,
    input logic                 start_i,
    input logic                 store_i,
    input logic [         63:0] addr_i,
    input logic [EntryBits-1:0] entry_i,
    input logic [  EntryBits:0] count_i,
    input logic                 abort_i,
    input logic [        127:0] req_rdata_i,
    input logic                 awready_i,
    input logic                 wready_i,
    input logic                 bid_i,
    input logic [          1:0] bresp_i,
    input logic                 bvalid_i,
    input logic                 arready_i,
    input logic                 rid_i,
    input logic [        127:0] rdata_i,
    input logic [          1:0] rresp_i,
    input logic                 rlast_i,
    input logic                 rvalid_i
);

  logic busy, finish, illegal, error;
  logic req, req_write;
  logic [EntryBits-1:0] req_entry, ahead_entry;
  logic [LaneBits-1:0] req_lane, ahead_lane;
  logic [127:0] req_wdata, wdata;
  logic [15:0] req_wstrb, wstrb;
  logic awid, awvalid, wlast, wvalid, bready, arid, arvalid, rready;
  logic [AddrBits-1:0] awaddr, araddr;
  logic [7:0] awlen, arlen;
  logic [2:0] awsize, arsize;
  logic [1:0] awburst, arburst;

  pm_axi_dma #(
      .AddrBits(AddrBits),
      .IdWidth(1),
      .NumberBytes(NumberBytes),
      .Stride(Stride),
      .Entries(Entries)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .start_i,
      .store_i,
      .addr_i,
      .entry_i,
      .count_i,
      .abort_i,
      .busy_o(busy),
      .finish_o(finish),
      .illegal_o(illegal),
      .error_o(error),
      .req_o(req),
      .req_write_o(req_write),
      .req_entry_o(req_entry),
      .req_lane_o(req_lane),
      .req_wdata_o(req_wdata),
      .req_wstrb_o(req_wstrb),
      .req_rdata_i,
      .ahead_entry_o(ahead_entry),
      .ahead_lane_o(ahead_lane),
      .m_axi_awid(awid),
      .m_axi_awaddr(awaddr),
      .m_axi_awlen(awlen),
      .m_axi_awsize(awsize),
      .m_axi_awburst(awburst),
      .m_axi_awvalid(awvalid),
      .m_axi_awready(awready_i),
      .m_axi_wdata(wdata),
      .m_axi_wstrb(wstrb),
      .m_axi_wlast(wlast),
      .m_axi_wvalid(wvalid),
      .m_axi_wready(wready_i),
      .m_axi_bid(bid_i),
      .m_axi_bresp(bresp_i),
      .m_axi_bvalid(bvalid_i),
      .m_axi_bready(bready),
      .m_axi_arid(arid),
      .m_axi_araddr(araddr),
      .m_axi_arlen(arlen),
      .m_axi_arsize(arsize),
      .m_axi_arburst(arburst),
      .m_axi_arvalid(arvalid),
      .m_axi_arready(arready_i),
      .m_axi_rid(rid_i),
      .m_axi_rdata(rdata_i),
      .m_axi_rresp(rresp_i),
      .m_axi_rlast(rlast_i),
      .m_axi_rvalid(rvalid_i),
      .m_axi_rready(rready)
  );

  // ---- the transfer
  logic active_q, store_q, stopped_q, aborted_q, wrong_q;
  logic [ AddrBits-1:0] addr_q;
  logic [EntryBits-1:0] entry_q;
  logic [  EntryBits:0] count_q;
  logic [  EntryBits:0] asked_q;  // addresses that were taken
  logic [  EntryBits:0] numbers_q;  // numbers whose beats were all taken on the bus
  logic [ LaneBits-1:0] lane_q;  // beats of the next one
  logic [  EntryBits:0] closed_q;  // responses to writes
  logic begins, takes, beat, response, failed, can;

  logic [95:0] last_end;  // behind the last number
  assign last_end = 96'(addr_i) + 96'(count_i) * 96'(Stride);
  assign can = count_i != '0 && 32'(entry_i) + 32'(count_i) <= Entries &&
      addr_i % 64'(Stride) == '0 && last_end <= 96'(1) << AddrBits;
  assign begins = start_i && can;

  assign takes = (awvalid && awready_i) || (arvalid && arready_i);
  assign beat = (wvalid && wready_i) || (rvalid_i && rready);
  assign response = bvalid_i && bready;
  assign failed = (response && bresp_i[1]) || (rvalid_i && rready && rresp_i[1]);

  // Nothing is open, and nothing is to come.
  logic over, all_moved;
  assign all_moved = asked_q == count_q && numbers_q == count_q &&
      (!store_q || closed_q == count_q);
  assign over = !awvalid && !arvalid && !wvalid && numbers_q == asked_q && lane_q == '0 &&
      (!store_q || closed_q == asked_q) && (asked_q == count_q || stopped_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
    end else if (begins) begin
      active_q <= 1'b1;
    end else if (over) begin
      active_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (begins) begin
      store_q <= store_i;
      addr_q <= addr_i[AddrBits-1:0];
      entry_q <= entry_i;
      count_q <= count_i;
      stopped_q <= abort_i;
      aborted_q <= abort_i;
      wrong_q <= 1'b0;
      {asked_q, numbers_q, lane_q, closed_q} <= '0;
    end else begin
      stopped_q <= stopped_q || abort_i || failed;
      aborted_q <= aborted_q || abort_i;
      wrong_q   <= wrong_q || failed;
      if (takes) asked_q <= asked_q + 1'b1;
      if (beat) lane_q <= lane_q == LaneBits'(Lanes - 1) ? '0 : lane_q + 1'b1;
      if (beat && lane_q == LaneBits'(Lanes - 1)) numbers_q <= numbers_q + 1'b1;
      if (response) closed_q <= closed_q + 1'b1;
    end
  end

  // The next beat that is read or written in the operand memory: behind those that wait.
  logic [1:0] waiting;
  logic [EntryBits:0] number;
  logic [LaneBits-1:0] lane;
  logic [31:0] ahead;
  assign waiting = 2'(u_dut.u_write.full_q[0]) + 2'(u_dut.u_write.full_q[1]);
  assign ahead   = 32'(lane_q) + 32'(waiting);
  always_comb begin
    number = numbers_q;
    lane   = LaneBits'(ahead);
    if (ahead >= Lanes) begin
      number = numbers_q + 1'b1;
      lane   = LaneBits'(ahead - Lanes);
    end
  end

  // What was read for them.
  logic read;
  logic [127:0] first_q, second_q;
  assign read = req && !req_write;
  always_ff @(posedge clk_i) begin
    if (wvalid && wready_i) first_q <= waiting == 2'd2 ? second_q : req_rdata_i;
    else if (!wvalid) first_q <= req_rdata_i;
    if (read && waiting == 2'd1) second_q <= req_rdata_i;
  end

  // Bytes of a number in a lane.
  function automatic logic [15:0] bytes_of(logic [LaneBits-1:0] at);
    for (int unsigned i = 0; i < 16; i++) bytes_of[i] = 16 * 32'(at) + i < NumberBytes;
  endfunction

  // ---- the cycle before
  logic live_q;  // no reset since
  logic aw_waits_q, ar_waits_q, w_waits_q, stop_before_q, read_q;
  logic [AddrBits-1:0] awaddr_q, araddr_q;
  logic [127:0] wdata_q;
  logic [15:0] wstrb_q;
  logic wlast_q;
  logic [EntryBits-1:0] ahead_entry_q;
  logic [LaneBits-1:0] ahead_lane_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {live_q, aw_waits_q, ar_waits_q, w_waits_q, stop_before_q, read_q} <= '0;
    else begin
      live_q <= 1'b1;
      aw_waits_q <= awvalid && !awready_i;
      ar_waits_q <= arvalid && !arready_i;
      w_waits_q <= wvalid && !wready_i;
      stop_before_q <= active_q && stopped_q;
      read_q <= read;
    end
  end

  always_ff @(posedge clk_i) begin
    {awaddr_q, araddr_q} <= {awaddr, araddr};
    {wdata_q, wstrb_q, wlast_q} <= {wdata, wstrb, wlast};
    ahead_entry_q <= ahead_entry;
    ahead_lane_q <= ahead_lane;
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic [EntryBits:0] offered;  // addresses that were on offer
  assign offered = asked_q + (EntryBits + 1)'(u_dut.address_q);
  logic [EntryBits:0] finished;  // bursts without anything open
  assign finished = store_q ? closed_q : numbers_q;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    a_start : assume (!start_i || !busy);
    // Data and responses come behind what asks for them.
    a_read : assume (!rvalid_i || (active_q && !store_q && numbers_q < asked_q));
    a_response :
    assume (!bvalid_i || (active_q && store_q && closed_q < asked_q && closed_q < numbers_q));

    if (rst_ni) begin
      p_illegal : assert (illegal == (start_i && !can));
      p_busy : assert (busy == active_q);
      p_finish : assert (finish == (illegal || (active_q && over && !aborted_q && !abort_i)));
      if (finish && !illegal) begin
        p_moved : assert (all_moved || wrong_q);
        p_error : assert (error == wrong_q);
      end
      p_channels : assert (!(awvalid || wvalid || bready) || (active_q && store_q));
      p_reads : assert (!(arvalid || rready) || (active_q && !store_q));
      if (awvalid || arvalid) begin
        p_address :
        assert (asked_q < count_q &&
                32'(awvalid ? awaddr : araddr) == 32'(addr_q) + Stride * 32'(asked_q));
        p_burst :
        assert (32'(awvalid ? awlen : arlen) + 1 == Lanes && (awvalid ? awsize : arsize) == 3'd4 &&
                (awvalid ? awburst : arburst) == 2'b01 && !(awvalid ? awid : arid) &&
                32'(awvalid ? awaddr : araddr) % 4096 + 16 * Lanes <= 4096);
      end
      if (aw_waits_q) begin
        p_aw_stable : assert (awvalid && awaddr == awaddr_q);
      end
      if (ar_waits_q) begin
        p_ar_stable : assert (arvalid && araddr == araddr_q);
      end
      if (w_waits_q) begin
        p_w_stable : assert (wvalid && {wdata, wstrb, wlast} == {wdata_q, wstrb_q, wlast_q});
      end
      if (stop_before_q) begin
        p_no_more : assert ((!awvalid || aw_waits_q) && (!arvalid || ar_waits_q));
      end
      if (wvalid) begin
        p_last : assert (wlast == (lane_q == LaneBits'(Lanes - 1)));
        p_data_asked : assert (numbers_q < offered);
        if (!w_waits_q) begin
          p_data :
          assert (stopped_q ? wdata == '0 && wstrb == '0 : wdata == first_q && wstrb == bytes_of(
              lane_q
          ));
        end
      end else begin
        p_nothing : assert (wdata == '0 && !read_q);
      end
      if (req) begin
        p_access :
        assert (active_q && !stopped_q && req_write == !store_q && number < count_q &&
                32'(req_entry) == 32'(entry_q) + 32'(number) && req_lane == lane);
        if (req_write) begin
          p_write :
          assert (rvalid_i && rready && !rresp_i[1] && req_wdata == rdata_i &&
                            req_wstrb == bytes_of(
              lane
          ));
        end
      end
      if (active_q && !store_q && !stopped_q && rvalid_i && rready && !rresp_i[1]) begin
        p_every : assert (req);
      end
      if (live_q && req) begin
        p_ahead : assert (req_entry == ahead_entry_q && req_lane == ahead_lane_q);
      end
      if (active_q) begin
        p_open : assert (offered <= finished + 2);
      end

      // For the induction step.
      i_active : assert (u_dut.active_q == active_q);
      i_waiting : assert (waiting <= 2'd2 && wvalid == (waiting != '0));
      i_turn : assert ((u_dut.u_write.write_q ^ u_dut.u_write.read_q) == waiting[0]);
      if (!active_q) begin
        i_idle : assert (!u_dut.address_q && !wvalid && u_dut.data_q == '0);
      end
      if (live_q && !start_i) begin
        i_ahead : assert (ahead_entry_q == u_dut.entry_q && ahead_lane_q == u_dut.lane_q);
      end
      if (active_q) begin
        i_copy :
        assert (u_dut.store_q == store_q && u_dut.stop_q == stopped_q &&
                u_dut.aborted_q == aborted_q && u_dut.error_q == wrong_q);
        i_stop : assert (stopped_q == (aborted_q || wrong_q));
        i_range :
        assert (count_q != '0 && 32'(entry_q) + 32'(count_q) <= Entries &&
                addr_q % AddrBits'(Stride) == '0 &&
                32'(addr_q) + 32'(count_q) * Stride <= 32'(1) << AddrBits);
        i_left : assert (32'(u_dut.left_q) + 32'(offered) == 32'(count_q));
        i_open : assert (32'(u_dut.open_q) + 32'(finished) == 32'(offered) && u_dut.open_q <= 2'd2);
        i_lane : assert (32'(lane_q) < Lanes && u_dut.lane_q == lane);
        i_entry : assert (u_dut.entry_q == EntryBits'((EntryBits + 1)'(entry_q) + number));
        if (u_dut.address_q) begin
          i_page : assert (32'(u_dut.page_q) * Stride == 32'(addr_q) + 32'(asked_q) * Stride);
        end else begin
          i_next :
          assert (32'(u_dut.page_q) * Stride + Stride == 32'(addr_q) + 32'(asked_q) * Stride);
        end
        if (store_q) begin
          i_data : assert (32'(u_dut.data_q) + 32'(number) == 32'(offered) && u_dut.data_q <= 2'd2);
          i_order : assert (closed_q <= numbers_q && closed_q <= asked_q);
          i_lanes : assert (number <= offered && (number != offered || lane == '0));
          i_void : assert (u_dut.void_q == stopped_q || (w_waits_q && stopped_q));
          if (waiting != '0) begin
            i_first :
            assert (u_dut.wlast == (32'(lane_q) == Lanes - 1) &&
                    (stopped_q || u_dut.wdata == first_q));
          end
          if (waiting == 2'd2) begin
            i_second :
            assert (u_dut.u_write.place_q[!u_dut.u_write.read_q] == {second_q, ahead == Lanes} ||
                    (stopped_q && u_dut.u_write.place_q[!u_dut.u_write.read_q][0] ==
                     (ahead == Lanes)));
          end
        end else begin
          i_none : assert (u_dut.data_q == '0 && !wvalid);
          i_asked : assert (numbers_q <= asked_q && (numbers_q != asked_q || lane_q == '0));
        end
      end
      if (aw_waits_q) begin
        i_aw : assert (active_q && store_q && u_dut.address_q);
      end
      if (ar_waits_q) begin
        i_ar : assert (active_q && !store_q && u_dut.address_q);
      end
      if (stop_before_q) begin
        i_before : assert (!active_q || stopped_q);
      end
    end
  end

endmodule
