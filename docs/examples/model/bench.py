# SPDX-License-Identifier: MIT OR Apache-2.0
"""Three events on one row, not before their clocks; the answers with theirs."""
from mpnic_tally import Bench

tally = Bench()
for at in 1030, 1031, 1032:
    tally.put("event", at=at, row=7, amount=100)
tally.run(1100)
for done in tally.take_all("done"):
    print(done.at, done)
