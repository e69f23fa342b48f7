# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two NICs of UET on one cable. A PDC is opened at both ends, each end sends a message to the other, and it is closed again."""
from host import Host
from uet import close, open_pdc, packed, payload
from wire import Cable, Wire

a = Host("a", 0x02_00_00_00_00_0A, 0x0A000001, packed, payload)
b = Host("b", 0x02_00_00_00_00_0B, 0x0A000002, packed, payload)
cable = Cable((a, b), [[Wire(delay=100, rate=6.25)], [Wire(delay=100, rate=6.25)]])
open_pdc(cable, a, b, pdc=2)
for here, there, length in (a, b, 5000), (b, a, 3000):
    data = bytes((length + i) % 251 for i in range(length))
    here.request(2, data, handle=length)
    cable.run(lambda: here.completed)
    # An ACK may overtake its frame on the way to the host.
    cable.run(lambda: len(there.received[2]) >= length)
    print(f"{there.name}: {length} bytes, as they were sent: {there.received[2] == data}; message {here.completed[0]} is complete")
close(cable, a, b, pdc=2)
