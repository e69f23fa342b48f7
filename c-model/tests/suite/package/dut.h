/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the printer makes of the circuit of these tests, but for what is kept. */
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t s_axis_tdata[2];
    uint64_t s_axis_tlast;
    uint64_t s_axis_tvalid;
    uint64_t m_axis_tready;
} dut_inputs;

typedef struct {
    uint64_t s_axis_tready;
    uint64_t m_axis_tvalid;
    uint64_t m_axis_tdata[2];
    uint64_t m_axis_tlast;
} dut_outputs;

typedef struct {
    uint64_t data[8][2];
    uint64_t last[8];
    unsigned first, count, sent, twice, valid;
} dut;

void dut_init(dut *self);
void dut_clock(dut *self, int reset, const dut_inputs *in);
void dut_read(const dut *self, dut_outputs *out);
