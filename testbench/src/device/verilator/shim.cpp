// SPDX-License-Identifier: MIT OR Apache-2.0
// A Verilated design as an `Instance`, for the functions in native/api.cpp behind it. `ports.h`, written for each design, lists its ports:
//   INPUTS(X), OUTPUTS(X): X(C++ name, first limb, width); INPUT_LIMBS, OUTPUT_LIMBS.
//   PROBES(X): X(scope, net, first limb, width), the registers inside; none if nobody watches. SCOPE: that of the top module.
#include "Vdut.h"
#include "ports.h"
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>
#if WATCHED
#include "verilated_syms.h"
#endif

namespace {

template <class Port> inline void put(Port& port, const uint64_t* from, unsigned width) {
    port = static_cast<Port>(from[0] & (~uint64_t{0} >> (64 - width)));
}

// Ports of more than 64 bits are 32-bit words, lowest first; the highest word may be half of a limb.
template <std::size_t Words> inline void put(VlWide<Words>& port, const uint64_t* from, unsigned width) {
    for (std::size_t i = 0; i < Words; ++i) port[i] = static_cast<EData>(from[i / 2] >> (32 * (i % 2)));
    if (width % 32) port[Words - 1] &= ~uint32_t{0} >> (32 - width % 32);
}

template <class Port> inline void get(const Port& port, uint64_t* to) { to[0] = port; }

template <std::size_t Words> inline void get(const VlWide<Words>& port, uint64_t* to) {
    for (std::size_t i = 0; i < Words; i += 2) {
        const uint64_t high = i + 1 < Words ? port[i + 1] : 0;
        to[i / 2] = port[i] | high << 32;
    }
}

// A register inside. Where it is, Verilator's own table of names knows.
struct Probe {
    const void* data;
    unsigned limb, width;

    void read(uint64_t* to) const {
        to += limb;
        if (width <= 8) *to = *static_cast<const CData*>(data);
        else if (width <= 16) *to = *static_cast<const SData*>(data);
        else if (width <= 32) *to = *static_cast<const IData*>(data);
        else if (width <= 64) *to = *static_cast<const QData*>(data);
        else {
            const EData* words = static_cast<const EData*>(data);
            const unsigned count = (width + 31) / 32;
            for (unsigned i = 0; i < count; i += 2) {
                const uint64_t high = i + 1 < count ? words[i + 1] : 0;
                to[i / 2] = words[i] | high << 32;
            }
        }
    }
};

struct Instance {
    std::unique_ptr<VerilatedContext> context{new VerilatedContext};
    std::unique_ptr<Vdut> dut;
    std::vector<Probe> probes;
    const char* missing = nullptr;

    Instance() {
        dut.reset(new Vdut{context.get()});
        dut->clk = 0;
        dut->rst = 0;
        dut->eval();
#if WATCHED
#define X(scope, net, limb, width) find(scope, net, limb, width);
        PROBES(X)
#undef X
#endif
    }

#if WATCHED
    void find(const char* name, const char* net, unsigned limb, unsigned width) {
        const VerilatedScope* scope = context->scopeFind(name);
        const VerilatedVar* var = scope ? scope->varFind(net) : nullptr;
        if (var) probes.push_back({var->datap(), limb, width});
        else if (!missing) missing = net;
    }
#endif

    // Flips a stored bit of a memory of the top module, if it is there and somebody watches. Rows are little endian.
    bool flip(const char* net, uint64_t row, uint64_t bit) {
#if WATCHED
        const VerilatedScope* scope = context->scopeFind(SCOPE);
        const VerilatedVar* var = scope ? scope->varFind(net) : nullptr;
        if (!var || (row + 1) * var->entSize() > var->totalSize() || bit >= 8 * var->entSize()) return false;
        static_cast<uint8_t*>(var->datap())[row * var->entSize() + bit / 8] ^= 1 << bit % 8;
        return true;
#else
        (void)net, (void)row, (void)bit;
        return false;
#endif
    }

    ~Instance() { dut->final(); }

    void probe(uint64_t* to) const {
        for (const Probe& probe : probes) probe.read(to);
    }

    void outputs(uint64_t* to) const {
#define X(name, limb, width) get(dut->name, to + limb);
        OUTPUTS(X)
#undef X
    }

    // Inputs change while the clock is low, so that what they drive has settled at the edge.
    void clock(uint64_t reset, const uint64_t* from) {
        dut->rst = reset != 0;
#define X(name, limb, width) put(dut->name, from + limb, width);
        INPUTS(X)
#undef X
        dut->clk = 0;
        dut->eval();
        dut->clk = 1;
        dut->eval();
    }
};

}  // namespace

// Tests flip stored bits.
extern "C" __attribute__((visibility("default"))) uint64_t dut_flip(void* self, const char* net, uint64_t row, uint64_t bit) {
    return static_cast<Instance*>(self)->flip(net, row, bit);
}

