# SPDX-License-Identifier: MIT OR Apache-2.0
"""Events on a table of counters until there is an answer; then what else could have come."""
from mpnic_tally import Model

tally, cycles = Model(), 0
tally.clock(reset=True)
while not tally.read().ready:
    tally.clock()
    cycles += 1
print("ready after", cycles, "cycles")
tally.clock(event_valid=1, event_row=7, event_amount=100)
other = tally.copy()
for model, amount in (tally, 5), (other, 9):
    model.clock(event_valid=1, event_row=7, event_amount=amount)
    for _ in range(3):
        model.clock()
    print(model.read())
