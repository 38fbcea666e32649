// SPDX-License-Identifier: Apache-2.0
//
// Selects the machine of a configuration of `multicurve`, and addresses by the coefficient a.
package pm_multicurve_machines_pkg;

  import pm_dual_ucode_pkg::*;
  import pm_multicurve_machine_pkg::*;

  // The machine of that name.
  function automatic machine_t machine_of(machine_e name);
    unique case (name)
      MachinePaper: return pm_multicurve_paper_ucode_pkg::PaperMachine;
      MachineFast: return pm_multicurve_fast_ucode_pkg::FastMachine;
      default: return pm_multicurve_throughput_ucode_pkg::ThroughputMachine;
    endcase
  endfunction

  // Address of an operation of the digit scan; minus3, zero: a is -3, a is 0.
  function automatic logic [ArgBits-1:0] of_kind(kinds_t at, logic minus3, logic zero);
    if (minus3) return at.minus3;
    return zero ? at.zero : at.other;
  endfunction

endpackage
