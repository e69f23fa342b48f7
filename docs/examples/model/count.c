// SPDX-License-Identifier: MIT OR Apache-2.0
// Three events on one row of a table of counters.
#include "mpnic_tally.h"
#include <stdio.h>

int main(void) {
    static mpnic_tally tally;
    mpnic_tally_inputs in = {0};
    mpnic_tally_outputs out;
    mpnic_tally_init(&tally);
    for (int cycle = 0; cycle < 1050; cycle++) {
        mpnic_tally_read(&tally, &out);
        if (out.done_valid) printf("cycle %d: row %d has %d\n", cycle, (int)out.done_row, (int)out.done_value);
        in = (mpnic_tally_inputs){.event_valid = cycle > 1029 && cycle < 1033, .event_row = 7, .event_amount = 100};
        mpnic_tally_clock(&tally, cycle == 0, &in);
    }
}
