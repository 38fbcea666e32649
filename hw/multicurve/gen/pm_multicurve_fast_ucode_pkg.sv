// Generated from hw/multicurve/ucode by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// Configuration `fast` of `multicurve`, as its programs know it.
package pm_multicurve_fast_ucode_pkg;

  import pm_multicurve_machine_pkg::*;

  localparam int unsigned FastRomAddrBits = 10;

  // Conditions of this machine alone
  typedef enum logic [4:0] {
    FastCondAMinus3  = 5'd26,  // a of the loaded curve is -3
    FastCondCombFits = 5'd30   // the order of the base point is known, and long enough for a comb
  } fast_cond_e;

  localparam machine_t FastMachine = '{
      name: MachineFast,
      multipliers: 2,
      shared_ports: 1'b0,
      table_units: 1'b1,
      comb_units: 1'b1,
      public_conditions: 32'hdff7f7f9,
      entry: '{
          load_curve: 10'd882,
          ecmul: 10'd1,
          ecmul2: 10'd549,
          verify: 10'd548,
          sign: 10'd630,
          ladder: 10'd443,
          xdh: 10'd936,
          check: 10'd963,
          modarith: 10'd974,
          kept: 10'd66,
          comb: 10'd647
      },
      at: '{
          walk_next: '{minus3: 10'd0, zero: 10'd0, other: 10'd0},
          walk_set: '{minus3: 10'd125, zero: 10'd128, other: 10'd131},
          walk_set_minus: '{minus3: 10'd0, zero: 10'd0, other: 10'd0},
          walk_double: '{minus3: 10'd146, zero: 10'd241, other: 10'd330},
          walk_add: '{minus3: 10'd180, zero: 10'd273, other: 10'd360},
          walk_sub: '{minus3: 10'd0, zero: 10'd0, other: 10'd0},
          walk_last: '{minus3: 10'd0, zero: 10'd0, other: 10'd0},
          walk_end: '{minus3: 10'd426, zero: 10'd426, other: 10'd426},
          walk_nothing: '{minus3: 10'd439, zero: 10'd439, other: 10'd439},
          walk_set_base: '{minus3: 10'd136, zero: 10'd139, other: 10'd142},
          walk_pair: '{minus3: 10'd157, zero: 10'd252, other: 10'd341},
          walk_add_base: '{minus3: 10'd203, zero: 10'd296, other: 10'd386},
          walk_also: '{minus3: 10'd226, zero: 10'd319, other: 10'd412}
      }
  };

endpackage
