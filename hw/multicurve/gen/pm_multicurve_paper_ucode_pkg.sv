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
      shared_ports: 1'b1,
      table_units: 1'b0,
      comb_units: 1'b0,
      public_conditions: 32'h3f7f7f9,
      entry: '{
          load_curve: 10'd0,
          ecmul: 10'd56,
          ecmul2: 10'd424,
          verify: 10'd423,
          sign: 10'd505,
          ladder: 10'd310,
          xdh: 10'd519,
          check: 10'd549,
          modarith: 10'd560,
          kept: 10'd0,
          comb: 10'd0
      },
      at: '{
          walk_next: '{minus3: 10'd70, zero: 10'd70, other: 10'd70},
          walk_set: '{minus3: 10'd75, zero: 10'd75, other: 10'd75},
          walk_set_minus: '{minus3: 10'd77, zero: 10'd77, other: 10'd77},
          walk_double: '{minus3: 10'd79, zero: 10'd146, other: 10'd213},
          walk_add: '{minus3: 10'd90, zero: 10'd156, other: 10'd223},
          walk_sub: '{minus3: 10'd116, zero: 10'd182, other: 10'd251},
          walk_last: '{minus3: 10'd280, zero: 10'd280, other: 10'd280},
          walk_end: '{minus3: 10'd296, zero: 10'd296, other: 10'd296},
          walk_nothing: '{minus3: 10'd306, zero: 10'd306, other: 10'd306},
          walk_set_base: '{minus3: 10'd0, zero: 10'd0, other: 10'd0},
          walk_pair: '{minus3: 10'd0, zero: 10'd0, other: 10'd0},
          walk_add_base: '{minus3: 10'd0, zero: 10'd0, other: 10'd0},
          walk_also: '{minus3: 10'd0, zero: 10'd0, other: 10'd0}
      }
  };

endpackage
