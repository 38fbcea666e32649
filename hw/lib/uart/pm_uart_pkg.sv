// SPDX-License-Identifier: Apache-2.0
//
// Frames of the serial link between the driver and a core (docs/uart.md). The numbers are those of
// sw/backends/uart/frames.h; a test compares both.
package pm_uart_pkg;

  localparam logic [7:0] ProtocolVersion = 8'd1;
  localparam int unsigned WindowFrames = 8;  // frames under way in each direction, a power of two
  localparam int unsigned FrameBeats = 31;  // 64-bit beats of a frame, at most
  localparam int unsigned SlotBeats = 32;  // of memory for each

  // what a frame is
  localparam logic [7:0] KindSync = 8'h01;  // from the driver: reset, a new session
  localparam logic [7:0] KindData = 8'h02;  // bytes of a job packet, whole beats
  localparam logic [7:0] KindDataLast = 8'h03;  // the same, to its end
  localparam logic [7:0] KindRead = 8'h04;  // register
  localparam logic [7:0] KindWrite = 8'h05;  // register
  localparam logic [7:0] KindPoll = 8'h06;  // asks for a status
  localparam logic [7:0] KindRewind = 8'h07;  // ... and for the results not acknowledged
  localparam logic [7:0] KindSynced = 8'h81;  // from the board: the session is there
  localparam logic [7:0] KindResult = 8'h82;  // a result packet
  localparam logic [7:0] KindAccess = 8'h84;  // how a register access ended
  localparam logic [7:0] KindStatus = 8'h86;  // acknowledgement, clock
  localparam logic [7:0] KindGap = 8'h87;  // the same, and a frame was lost or damaged

  // SLIP, RFC 1055
  localparam logic [7:0] SlipEnd = 8'hc0;
  localparam logic [7:0] SlipEscape = 8'hdb;
  localparam logic [7:0] SlipEscapedEnd = 8'hdc;
  localparam logic [7:0] SlipEscapedEscape = 8'hdd;

  // CRC-32 of IEEE 802.3, bits reflected: register before, and what it holds when a frame with its
  // CRC has passed.
  localparam logic [31:0] CrcInit = 32'hffff_ffff;
  localparam logic [31:0] CrcResidue = 32'hdebb_20e3;

  // The register after one more byte.
  function automatic logic [31:0] crc_byte(input logic [31:0] crc, input logic [7:0] data);
    logic [31:0] next;
    next = crc ^ {24'd0, data};
    for (int unsigned i = 0; i < 8; i++) begin
      next = (next >> 1) ^ (next[0] ? 32'hedb8_8320 : 32'd0);
    end
    return next;
  endfunction

endpackage
