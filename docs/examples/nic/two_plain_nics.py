# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two NICs on one cable, with a QP of plain RoCEv2: no packet has an MPEH, and a peer that knows no multipath could be one of them."""
from host import Host
from rocev2 import WRITE, close_qp, has_mpeh, open_qp, packed, payload
from wire import Cable, Wire

frames = []


def seen(frame):
    """The bytes of a packet; the frame is noted."""
    frames.append(frame)
    return payload(frame)


a = Host("a", 0x02_00_00_00_00_0A, 0x0A000001, packed, seen)
b = Host("b", 0x02_00_00_00_00_0B, 0x0A000002, packed, seen)
cable = Cable((a, b), [[Wire(delay=100, rate=6.25)], [Wire(delay=100, rate=6.25)]])
open_qp(cable, a, b, qp=2, paths=1, multipath=0)
for here, there, length in (a, b, 5000), (b, a, 3000):
    data = bytes((length + i) % 251 for i in range(length))
    here.request(2, data, handle=length, **WRITE)
    cable.run(lambda: here.completed)
    # An ACK may overtake its frame on the way to the host.
    cable.run(lambda: len(there.received[2]) >= length)
    print(f"{there.name}: {length} bytes, as they were sent: {there.received[2] == data}; message {here.completed[0]} is complete")
print(len(frames), "packets, with an MPEH:", sum(map(has_mpeh, frames)))
bth = frames[0][42:]
print("BTH of the first one:", bth[:12].hex(" "), "and its RETH:", bth[12:28].hex(" "))
close_qp(cable, a, b, qp=2, paths=1)
