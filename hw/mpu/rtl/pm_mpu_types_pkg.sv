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

  // The side unit that a word names, a bit for each.
  localparam int unsigned Units = 32;
  typedef logic [Units-1:0] named_t;

  function automatic named_t named(logic [9:0] unit);
    return named_t'(1) << unit;
  endfunction

  // Whether it is one of some.
  function automatic logic names(named_t found, named_t some);
    return (found & some) != '0;
  endfunction

endpackage
