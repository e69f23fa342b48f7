// SPDX-License-Identifier: MIT OR Apache-2.0
// The C side of a Verilated design. `ports.h`, written for each design, lists its ports:
//   INPUTS(X), OUTPUTS(X): X(C++ name, first limb, width); INPUT_LIMBS, OUTPUT_LIMBS.
//   PROBES(X): X(scope, net, first limb, width), the registers inside; none if nobody watches.
#include "Vdut.h"
#include "ports.h"
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>
#if WATCHED
#include "verilated_syms.h"
#endif

#define API extern "C" __attribute__((visibility("default")))

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

// The same as `stimulus::Digest`.
constexpr uint64_t ODD = 0x9e3779b97f4a7c15;

inline uint64_t digest(uint64_t state, const uint64_t* outputs) {
    uint64_t factor = ODD, sum = 0;
    for (std::size_t i = 0; i < OUTPUT_LIMBS; ++i) {
        sum += outputs[i] * factor;
        factor += 2 * (ODD >> 2);
    }
    const uint64_t mixed = (state ^ sum) * ODD;
    return mixed << 29 | mixed >> 35;
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

    ~Instance() { dut->final(); }

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

API void* dut_new() { return new Instance; }
API void dut_delete(void* self) { delete static_cast<Instance*>(self); }
API void dut_outputs(const void* self, uint64_t* to) { static_cast<const Instance*>(self)->outputs(to); }
API void dut_clock(void* self, uint64_t reset, const uint64_t* from) { static_cast<Instance*>(self)->clock(reset, from); }

// The digest takes in every `every`th cycle.
API uint64_t dut_run(void* self, uint64_t cycles, uint64_t every, const uint64_t* rows) {
    Instance& instance = *static_cast<Instance*>(self);
    uint64_t state = 0;
    uint64_t out[OUTPUT_LIMBS + 1];
    for (uint64_t wait = 0; cycles > 0; --cycles, --wait, rows += INPUT_LIMBS + 1) {
        if (wait == 0) {
            instance.outputs(out);
            state = digest(state, out);
            wait = every;
        }
        instance.clock(rows[0], rows + 1);
    }
    return state;
}

// The registers inside.
API void dut_probe(const void* self, uint64_t* to) {
    for (const Probe& probe : static_cast<const Instance*>(self)->probes) probe.read(to);
}

// The first register that was not found, or null.
API const char* dut_missing(const void* self) { return static_cast<const Instance*>(self)->missing; }
