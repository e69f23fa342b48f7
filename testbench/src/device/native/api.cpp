// SPDX-License-Identifier: MIT OR Apache-2.0
// The functions that a test bench calls, behind a shim in the same unit, which has the simulation as an `Instance`:
//   outputs(to), clock(reset, from), probe(to), missing; and OUTPUT_LIMBS, INPUT_LIMBS of `ports.h`.
#define API extern "C" __attribute__((visibility("default")))

namespace {

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
API void dut_probe(const void* self, uint64_t* to) { static_cast<const Instance*>(self)->probe(to); }

// The first register that was not found, or null.
API const char* dut_missing(const void* self) { return static_cast<const Instance*>(self)->missing; }
