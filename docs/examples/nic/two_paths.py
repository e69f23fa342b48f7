# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two NICs of UET over two paths of unequal rate, of which one dies: how fast messages are, and which path carries how much."""
from host import Host
from uet import open_pdc, packed, payload
from wire import Cable, Wire

SIZE = 300_000


def paths():
    """4 and 2 bytes per clock, marked above 8 packets in the queue."""
    return [Wire(delay=500, rate=rate, room=64_000, marks=8_000) for rate in (4.0, 2.0)]


a = Host("a", 0x02_00_00_00_00_0A, 0x0A000001, packed, payload)
b = Host("b", 0x02_00_00_00_00_0B, 0x0A000002, packed, payload)
there, back = paths(), paths()
cable = Cable((a, b), (there, back))
open_pdc(cable, a, b, pdc=2)
sent = bytearray()
for what, dead in ("both paths", ()), ("the second one is dead", (1,)), ("both again", ()):
    for i, wire in enumerate(there):
        wire.dead, wire.bytes, wire.lost = i in dead, 0, 0
    data = bytes(len(sent) // SIZE + i % 251 for i in range(SIZE))
    sent += data
    a.completed.clear()
    a.request(2, data)
    clocks = cable.run(lambda: a.completed)
    # An ACK may overtake its frame on the way to the host.
    cable.run(lambda: len(b.received[2]) >= len(sent))
    shares = ", ".join(f"{wire.bytes / 1000:.0f} KB and {wire.lost} lost" for wire in there)
    print(f"{what}: {SIZE / clocks:.2f} bytes per clock; {shares}; all is there: {b.received[2] == sent}")
