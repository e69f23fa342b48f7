# SPDX-License-Identifier: MIT OR Apache-2.0
"""How fast one NIC sends to another over one link, in percent of what the headers leave of it."""
import argparse
from functools import partial

from host import LATENCY, Host
from wire import Cable, Wire

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("protocol", choices=("uet", "rocev2"))
for name in ("clock_mhz", "link_gbps", "rtt_us", "segment"):
    parser.add_argument(name, type=float)
parser.add_argument("wires", type=int, nargs="?", default=1, help="the link is so many paths, each with a part of its rate")
asked = parser.parse_args()
clock_mhz, gbps, rtt_us, segment, wires = asked.clock_mhz, asked.link_gbps, asked.rtt_us, asked.segment, asked.wires
if min(clock_mhz, gbps, rtt_us, segment, wires) <= 0:
    parser.error("all numbers are above 0")

if asked.protocol == "uet":
    from uet import OVERHEAD, open_pdc as connect, packed, payload

    fields = {}
else:
    from rocev2 import OVERHEAD, WRITE as fields, open_qp, packed, payload

    connect = partial(open_qp, mtu=int(segment))

rate = gbps * 1000 / 8 / clock_mhz


def way():
    """A wire for each path, with a queue that drops nothing. The time for the bytes of a packet is part of the RTT."""
    return [Wire(delay=int((rtt_us * clock_mhz - LATENCY) / 2), rate=rate / wires, room=1e9) for _ in range(wires)]


a = Host("a", 0x02_00_00_00_00_0A, 0x0A000001, packed, payload)
b = Host("b", 0x02_00_00_00_00_0B, 0x0A000002, packed, payload)
cable = Cable((a, b), [way(), way()])
connect(cable, a, b, 2)
# Messages of six BDPs each. The first one is left out: the window has its first size, and grows.
for handle in range(8):
    a.request(2, bytes(int(6 * rtt_us * gbps * 125)), handle=handle, **fields)
cable.run(lambda: a.completed)
begin, before = cable.now, len(b.received[2])
cable.run(lambda: len(a.completed) == 8)
goodput = (len(b.received[2]) - before) / (cable.now - begin) * clock_mhz * 8 / 1000
limit = gbps * segment / (segment + OVERHEAD)
print(f"{goodput:.2f} Gb/s, {100 * goodput / limit:.1f} % of {limit:.2f}")
