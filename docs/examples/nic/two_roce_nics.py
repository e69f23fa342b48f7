# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two NICs of multipath RoCEv2 on one cable. A QP with four sub-paths is opened at both ends, each end writes to the memory of the
other, and it is closed again."""
from host import Host
from rocev2 import WRITE, close_qp, open_qp, packed, payload, sub_path
from wire import Cable, Wire

sub_paths = set()


def seen(frame):
    """The bytes of a packet; its sub-path is noted."""
    sub_paths.add(sub_path(frame))
    return payload(frame)


a = Host("a", 0x02_00_00_00_00_0A, 0x0A000001, packed, seen)
b = Host("b", 0x02_00_00_00_00_0B, 0x0A000002, packed, seen)
cable = Cable((a, b), [[Wire(delay=100, rate=6.25)], [Wire(delay=100, rate=6.25)]])
open_qp(cable, a, b, qp=2)
for here, there, length in (a, b, 5000), (b, a, 3000):
    data = bytes((length + i) % 251 for i in range(length))
    here.request(2, data, handle=length, **WRITE)
    cable.run(lambda: here.completed)
    # An ACK may overtake its frame on the way to the host.
    cable.run(lambda: len(there.received[2]) >= length)
    print(f"{there.name}: {length} bytes, as they were sent: {there.received[2] == data}; message {here.completed[0]} is complete")
print("over sub-paths", *sorted(sub_paths))
close_qp(cable, a, b, qp=2)
