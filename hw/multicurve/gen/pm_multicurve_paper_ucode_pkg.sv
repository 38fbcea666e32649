// Generated from hw/multicurve/ucode by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// Configuration `paper` of `multicurve`, as its programs know it.
package pm_multicurve_paper_ucode_pkg;

  import pm_multicurve_machine_pkg::*;

  localparam int unsigned PaperRomAddrBits = 10;

  localparam machine_t PaperMachine = '{
      name: MachinePaper,
      multipliers: 2,
      table_units: 1'b0,
      comb_units: 1'b0,
      public_conditions: 32'h3f7f7f9,
      entry: '{
          load_curve: 10'd0,
          ecmul: 10'd56,
          ecmul2: 10'd417,
          verify: 10'd416,
          sign: 10'd498,
          ladder: 10'd311,
          xdh: 10'd512,
          check: 10'd539,
          modarith: 10'd550,
          kept: 10'd0,
          comb: 10'd0
      },
      at: '{
          walk_next: '{minus3: 10'd70, zero: 10'd70, other: 10'd70},
          walk_set: '{minus3: 10'd75, zero: 10'd75, other: 10'd75},
          walk_set_minus: '{minus3: 10'd77, zero: 10'd77, other: 10'd77},
          walk_double: '{minus3: 10'd79, zero: 10'd149, other: 10'd216},
          walk_add: '{minus3: 10'd90, zero: 10'd159, other: 10'd227},
          walk_sub: '{minus3: 10'd121, zero: 10'd187, other: 10'd255},
          walk_last: '{minus3: 10'd281, zero: 10'd281, other: 10'd281},
          walk_end: '{minus3: 10'd297, zero: 10'd297, other: 10'd297},
          walk_nothing: '{minus3: 10'd307, zero: 10'd307, other: 10'd307},
          walk_set_base: '{minus3: 10'd0, zero: 10'd0, other: 10'd0},
          walk_pair: '{minus3: 10'd0, zero: 10'd0, other: 10'd0},
          walk_add_base: '{minus3: 10'd0, zero: 10'd0, other: 10'd0},
          walk_also: '{minus3: 10'd0, zero: 10'd0, other: 10'd0}
      }
  };

endpackage
