#include "@name@.h"

#include <stdlib.h>
#include <string.h>

/* As svdpi.h has them: a packed vector of bits is an array of `uint32_t`, one bit an `unsigned char`. */
enum {
    INPUT_LIMBS = sizeof(@name@_inputs) / sizeof(uint64_t),
    OUTPUT_LIMBS = sizeof(@name@_outputs) / sizeof(uint64_t)
};

#ifdef __cplusplus
extern "C" {
#endif

void *@name@_dpi_new(void) {
    @name@ *self = (@name@ *)malloc(sizeof *self);
    if (!self) abort();
    @name@_init(self);
    return self;
}

void @name@_dpi_delete(void *self) {
    free(self);
}

void @name@_dpi_read(void *self, uint32_t *out) {
    @name@_outputs ports;
    uint64_t limbs[OUTPUT_LIMBS];
    @name@_read((const @name@ *)self, &ports);
    memcpy(limbs, &ports, sizeof limbs);
    for (int i = 0; i < OUTPUT_LIMBS; i++) {
        out[2 * i] = (uint32_t)limbs[i];
        out[2 * i + 1] = (uint32_t)(limbs[i] >> 32);
    }
}

void @name@_dpi_clock(void *self, unsigned char reset, const uint32_t *in) {
    @name@_inputs ports;
    uint64_t limbs[INPUT_LIMBS];
    for (int i = 0; i < INPUT_LIMBS; i++) limbs[i] = in[2 * i] | (uint64_t)in[2 * i + 1] << 32;
    memcpy(&ports, limbs, sizeof ports);
    @name@_clock((@name@ *)self, reset, &ports);
}

#ifdef __cplusplus
}
#endif
