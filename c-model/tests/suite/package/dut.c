/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A FIFO in place of a model. FAULT: 1 loses an item, 2 sends one twice, 3 changes what is not taken, 4 takes back `tvalid`,
   5 takes nothing, 6 inverts a bit, 7 knows no reset. */
#include "dut.h"

#include <string.h>

#define ITEM 17

void dut_init(dut *self) {
    memset(self, 0, sizeof *self);
}

void dut_read(const dut *self, dut_outputs *out) {
    memset(out, 0, sizeof *out);
    out->s_axis_tready = self->count < 8 && FAULT != 5;
    out->m_axis_tvalid = self->valid;
    if (!self->valid) return;
    memcpy(out->m_axis_tdata, self->data[self->first], sizeof out->m_axis_tdata);
    out->m_axis_tlast = self->last[self->first];
    if (FAULT == 6 && self->sent == ITEM) out->m_axis_tdata[1] ^= 0x40;
}

void dut_clock(dut *self, int reset, const dut_inputs *in) {
    dut_outputs now;
    dut_read(self, &now);
    if (reset && FAULT != 7) {
        dut_init(self);
        return;
    }
    if (now.m_axis_tvalid && in->m_axis_tready) {
        if (FAULT == 2 && self->sent == ITEM && !self->twice) {
            self->twice = 1;
        } else {
            self->first = (self->first + 1) % 8;
            self->count--;
            self->sent++;
        }
    } else if (now.m_axis_tvalid && FAULT == 3) {
        self->last[self->first] ^= 1;
    }
    if (now.s_axis_tready && in->s_axis_tvalid) {
        const unsigned at = (self->first + self->count) % 8;
        self->data[at][0] = in->s_axis_tdata[0];
        self->data[at][1] = in->s_axis_tdata[1] & 0xff;
        self->last[at] = in->s_axis_tlast & 1;
        self->count++;
    }
    if (FAULT == 1 && self->sent == ITEM && self->count && !self->twice) {
        self->twice = 1;
        self->first = (self->first + 1) % 8;
        self->count--;
    }
    self->valid = self->count > 0 && !(FAULT == 4 && now.m_axis_tvalid && !in->m_axis_tready);
}
