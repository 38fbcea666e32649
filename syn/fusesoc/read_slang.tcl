# SPDX-License-Identifier: Apache-2.0
# Has Edalize's script of Yosys read all files at once by read_slang, which is built into Yosys or its plugin slang. It is
# sourced before the files are read.
if {[info commands read_slang] eq ""} {
  plugin -i slang
  yosys -import
}
set files {}
proc read_verilog {language file} { lappend ::files $file }
rename synth synthesise
proc synth top {
  read_slang --top $top {*}$::files
  chformal -remove
  synthesise $top
}
