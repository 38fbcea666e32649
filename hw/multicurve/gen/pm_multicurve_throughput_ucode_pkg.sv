// Generated from hw/multicurve/ucode by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// Configuration `throughput` of `multicurve`, as its programs know it.
package pm_multicurve_throughput_ucode_pkg;

  import pm_multicurve_machine_pkg::*;

  localparam int unsigned ThroughputRomAddrBits = 10;

  // Conditions of this machine alone
  typedef enum logic [4:0] {
    ThroughputCondA121666 = 5'd26,  // a of the loaded Montgomery curve was received as 121666 (Curve25519)
    ThroughputCondA39082 = 5'd30  // it was received as 39082 (Curve448)
  } throughput_cond_e;

  localparam machine_t ThroughputMachine = '{
      name: MachineThroughput,
      multipliers: 1,
      shared_ports: 1'b0,
      table_units: 1'b1,
      comb_units: 1'b0,
      public_conditions: 32'hdff7f7f9,
      entry: '{
          load_curve: 10'd666,
          ecmul: 10'd1,
          ecmul2: 10'd572,
          verify: 10'd571,
          sign: 10'd652,
          ladder: 10'd455,
          xdh: 10'd717,
          check: 10'd876,
          modarith: 10'd887,
          kept: 10'd70,
          comb: 10'd0
      },
      at: '{
          walk_next: '{minus3: 10'd0, zero: 10'd0, other: 10'd0},
          walk_set: '{minus3: 10'd128, zero: 10'd131, other: 10'd134},
          walk_set_minus: '{minus3: 10'd0, zero: 10'd0, other: 10'd0},
          walk_double: '{minus3: 10'd149, zero: 10'd243, other: 10'd328},
          walk_add: '{minus3: 10'd183, zero: 10'd270, other: 10'd362},
          walk_sub: '{minus3: 10'd0, zero: 10'd0, other: 10'd0},
          walk_last: '{minus3: 10'd0, zero: 10'd0, other: 10'd0},
          walk_end: '{minus3: 10'd432, zero: 10'd432, other: 10'd432},
          walk_nothing: '{minus3: 10'd451, zero: 10'd451, other: 10'd451},
          walk_set_base: '{minus3: 10'd138, zero: 10'd141, other: 10'd144},
          walk_pair: '{minus3: 10'd158, zero: 10'd253, other: 10'd338},
          walk_add_base: '{minus3: 10'd205, zero: 10'd293, other: 10'd387},
          walk_also: '{minus3: 10'd229, zero: 10'd315, other: 10'd417}
      }
  };

endpackage
