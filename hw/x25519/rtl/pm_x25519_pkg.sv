// SPDX-License-Identifier: Apache-2.0
//
// Forms of the X25519 core, and the clamping of its scalars.
package pm_x25519_pkg;

  // Forms, as parameter `Form` of pm_x25519 and CONFIG.form have them.
  localparam int unsigned FormPaper = 0;  // redundant limbs on four units
  localparam int unsigned FormTile = 1;  // half-width datapath, several ladders

  // RFC 7748, section 5, decodeScalar25519: of k, read from its bytes as a little-endian number.
  function automatic logic [255:0] pm_x25519_clamp(input logic [255:0] k);
    return (k & {2'b00, {251{1'b1}}, 3'b000}) | (256'd1 << 254);
  endfunction

endpackage
