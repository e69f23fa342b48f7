// SPDX-License-Identifier: MIT OR Apache-2.0
// The C side of a Verilated design. `ports.h`, written for each design, lists its ports:
//   INPUTS(X), OUTPUTS(X): X(C++ name, first limb, width); INPUT_LIMBS, OUTPUT_LIMBS.
#include "Vdut.h"
#include "ports.h"
#include <cstdint>
#include <cstring>
#include <memory>
#if VM_TRACE
#include "verilated_vcd_c.h"
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

struct Instance {
    std::unique_ptr<VerilatedContext> context{new VerilatedContext};
    std::unique_ptr<Vdut> dut;
#if VM_TRACE
    std::unique_ptr<VerilatedVcdC> trace;
#endif

    Instance() {
#if VM_TRACE
        context->traceEverOn(true);
#endif
        dut.reset(new Vdut{context.get()});
        dut->clk = 0;
        dut->rst = 0;
        dut->eval();
    }

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
        dump();
        dut->clk = 1;
        dut->eval();
        dump();
    }

    void dump() {
#if VM_TRACE
        if (trace) trace->dump(context->time());
        context->timeInc(1);
#endif
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

// 1 if the design was built for tracing and the file is open.
API int dut_trace_open(void* self, const char* path) {
#if VM_TRACE
    Instance& instance = *static_cast<Instance*>(self);
    instance.trace.reset(new VerilatedVcdC);
    instance.dut->trace(instance.trace.get(), 99);
    instance.trace->open(path);
    return instance.trace->isOpen();
#else
    return 0;
#endif
}

API void dut_trace_close(void* self) {
#if VM_TRACE
    Instance& instance = *static_cast<Instance*>(self);
    if (instance.trace) instance.trace->close();
    instance.trace.reset();
#endif
}
