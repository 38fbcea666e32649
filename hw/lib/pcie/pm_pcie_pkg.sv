// SPDX-License-Identifier: Apache-2.0
//
// Buffers and registers of the link between the driver and a core through LitePCIe
// (docs/pcie.md). The numbers are those of sw/backends/litepcie/buffers.h; a test compares both.
package pm_pcie_pkg;

  localparam logic [7:0] ProtocolVersion = 8'd1;
  localparam logic [31:0] MagicBridge = 32'h424c_4d50;  // "PMLB"
  localparam logic [31:0] MagicJobs = 32'h4a4c_4d50;  // "PMLJ"
  localparam logic [15:0] MagicResults = 16'h524c;  // "LR"
  localparam int unsigned JobWords = 3;  // of a buffer of jobs that are no payload

  // registers, behind those of the core and the identity
  localparam logic [11:0] RegMagic = 12'h200;
  localparam logic [11:0] RegFormat = 12'h204;
  localparam logic [11:0] RegSession = 12'h208;
  localparam logic [11:0] RegStatus = 12'h20c;
  localparam logic [11:0] RegDoorbell = 12'h210;
  localparam logic [11:0] RegTaken = 12'h214;
  localparam logic [11:0] RegAccepted = 12'h218;
  localparam logic [11:0] RegCredit = 12'h21c;
  localparam logic [11:0] RegSent = 12'h220;
  localparam logic [11:0] RegCycles = 12'h224;
  localparam logic [11:0] RegCyclesHigh = 12'h228;
  localparam logic [11:0] RegResponse = 12'h22c;

  // how an access to the core or the identity ended
  localparam logic [1:0] ResponseOkay = 2'd0;
  localparam logic [1:0] ResponseError = 2'd2;
  localparam logic [1:0] ResponseNone = 2'd3;

  localparam logic [31:0] CrcInit = 32'hffff_ffff;

  // CRC-32 of IEEE 802.3, bits reflected: the register after eight more bytes, the first one in the
  // lowest bits.
  function automatic logic [31:0] crc_word(input logic [31:0] crc, input logic [63:0] data);
    logic [31:0] next;
    next = crc;
    for (int unsigned i = 0; i < 64; i++) begin
      next = (next >> 1) ^ (next[0] ^ data[i] ? 32'hedb8_8320 : 32'd0);
    end
    return next;
  endfunction

endpackage
