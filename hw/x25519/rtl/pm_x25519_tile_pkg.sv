// SPDX-License-Identifier: Apache-2.0
//
// Where the registers of pm_x25519_tile are.

package pm_x25519_tile_pkg;

  // Registers of a context: 8 of bank sum, 8 of diff, 16 of mul, u and the inverse.
  localparam int unsigned Stride = 40;  // 8 n, from one context to the next
  localparam int unsigned Used = 34;
  localparam int unsigned DiffBase = 8;
  localparam int unsigned MulBase = 16;
  localparam int unsigned ExtBase = 32;
  localparam int unsigned InverseBase = 33;
  localparam int unsigned ConstantExts = 3;  // external values that are the same for all contexts
  localparam int unsigned AddrBits = 9;  // 2^AddrBits registers

endpackage
