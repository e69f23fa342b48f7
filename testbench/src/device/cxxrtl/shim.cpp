// SPDX-License-Identifier: MIT OR Apache-2.0
// A design of CXXRTL as an `Instance`, for the functions in native/api.cpp behind it. `ports.h`, written for each design:
//   TOP: the class of the top module. INPUTS(X), OUTPUTS(X): X(member, first limb, width); INPUT_LIMBS, OUTPUT_LIMBS.
#include "dut.cc"
#include "ports.h"
#include <cstddef>
#include <cstdint>

namespace {

// Values are 32-bit words, lowest first; the highest word may be half of a limb.
template <size_t Bits> inline void put(cxxrtl::value<Bits>& port, const uint64_t* from) {
    constexpr size_t words = (Bits + 31) / 32;
    for (size_t i = 0; i < words; ++i) port.data[i] = static_cast<uint32_t>(from[i / 2] >> (32 * (i % 2)));
    if (Bits % 32) port.data[words - 1] &= ~uint32_t{0} >> (32 - Bits % 32);
}

template <size_t Bits> inline void get(const cxxrtl::value<Bits>& port, uint64_t* to) {
    constexpr size_t words = (Bits + 31) / 32;
    for (size_t i = 0; i < words; i += 2) {
        const uint64_t high = i + 1 < words ? port.data[i + 1] : 0;
        to[i / 2] = port.data[i] | high << 32;
    }
}

template <size_t Bits> inline void get(const cxxrtl::wire<Bits>& port, uint64_t* to) { get(port.curr, to); }

struct Instance {
    TOP dut;
    const char* missing = nullptr;

    Instance() {
        dut.p_clk.set(false);
        dut.p_rst.set(false);
        dut.step();
    }

    void outputs(uint64_t* to) const {
#define X(name, limb, width) get(dut.name, to + limb);
        OUTPUTS(X)
#undef X
    }

    // Outputs settle while the clock is low. Inputs may change with the edge: registers take what is computed from them in the
    // same step.
    void clock(uint64_t reset, const uint64_t* from) {
        dut.p_rst.set(reset != 0);
#define X(name, limb, width) put(dut.name, from + limb);
        INPUTS(X)
#undef X
        dut.p_clk.set(true);
        dut.step();
        dut.p_clk.set(false);
        dut.step();
    }

    // It has no probes.
    void probe(uint64_t*) const {}
};

}  // namespace

