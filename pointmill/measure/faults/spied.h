// SPDX-License-Identifier: Apache-2.0
//
// Tells which words of memories a verilated model touches, read or written. Every file of the model is compiled with
// this header before all others (-include): an unpacked array, Verilator's class VlUnpacked, is the one below. Its
// elements are reached by operator[] alone; a model that assigns, compares or points to a whole array does not compile.

#ifndef POINTMILL_MEASURE_FAULTS_SPIED_H
#define POINTMILL_MEASURE_FAULTS_SPIED_H

#define VlUnpacked VlUnpackedOfVerilator
#include "verilated.h"
#undef VlUnpacked

namespace pm_spied {

inline void (*touch)(const void* word) = nullptr;  // is told every word, where there is one

}  // namespace pm_spied

template <typename T_Value, std::size_t N_Depth>
struct VlUnpacked final {
  T_Value words[N_Depth];  // public and alone, for the initialisers of the model

  T_Value& operator[](std::size_t index) {
    if (pm_spied::touch) pm_spied::touch(&words[index]);
    return words[index];
  }
  const T_Value& operator[](std::size_t index) const {
    if (pm_spied::touch) pm_spied::touch(&words[index]);
    return words[index];
  }
  VlUnpacked& operator=(const VlUnpacked&) = delete;
};

#endif
