// SPDX-License-Identifier: Apache-2.0
//
// Commands of `mpu`, as registers and engine have them.
package pm_mpu_types_pkg;

  // Operands and results: entries of the operand memory, or buffers of points.
  typedef struct packed {
    logic [3:0] src1;
    logic [3:0] src2;
    logic [3:0] dst1;
    logic [3:0] dst2;
  } places_t;

  typedef struct packed {
    logic [7:0] op;      // operation
    places_t    at;      // its operands and results
    logic       secret;  // operands are secret
  } command_t;

endpackage
