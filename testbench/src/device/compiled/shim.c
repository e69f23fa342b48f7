// SPDX-License-Identifier: MIT OR Apache-2.0
// Behind the source of a model, in the same unit: the functions that a test bench calls. Set by what stands ahead of it:
//   NAME: of the model. OUTPUT_LIMBS, INPUT_LIMBS: of a row.
// A row of inputs or outputs is laid out as the struct of the ports is.
#include <stdlib.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define CALL(what) JOIN(NAME, what)
#define API __attribute__((visibility("default")))

API void *dut_new(void) {
    NAME *self = aligned_alloc(64, (sizeof(NAME) + 63) / 64 * 64);
    if (self) CALL(_init)(self);
    return self;
}

API void dut_delete(void *self) { free(self); }
API void dut_outputs(const void *self, uint64_t *out) { CALL(_read)(self, (JOIN(NAME, _outputs) *)out); }
API void dut_clock(void *self, uint64_t reset, const uint64_t *in) {
    CALL(_clock)(self, reset != 0, (const JOIN(NAME, _inputs) *)in);
}

// The same as `stimulus::Digest`.
#define ODD 0x9e3779b97f4a7c15ull

static inline uint64_t digest(uint64_t state, const uint64_t *outputs) {
    uint64_t factor = ODD, sum = 0;
    for (int i = 0; i < OUTPUT_LIMBS; ++i) {
        sum += outputs[i] * factor;
        factor += 2 * (ODD >> 2);
    }
    const uint64_t mixed = (state ^ sum) * ODD;
    return mixed << 29 | mixed >> 35;
}

// The digest takes in every `every`th cycle.
API uint64_t dut_run(void *self, uint64_t cycles, uint64_t every, const uint64_t *rows) {
    uint64_t state = 0, out[OUTPUT_LIMBS + 1];
    for (uint64_t wait = 0; cycles > 0; --cycles, --wait, rows += INPUT_LIMBS + 1) {
        if (wait == 0) {
            dut_outputs(self, out);
            state = digest(state, out);
            wait = every;
        }
        dut_clock(self, rows[0], rows + 1);
    }
    return state;
}

// It has no probes.
API void dut_probe(const void *self, uint64_t *out) {
    (void)self;
    (void)out;
}
API const char *dut_missing(const void *self) {
    (void)self;
    return NULL;
}
