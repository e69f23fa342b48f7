# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two NICs of multipath RoCEv2 on one cable. A QP with four sub-paths is opened at both ends, each end writes to the memory of the
other, and it is closed again."""
from host import Host
from wire import Cable, Wire

OPEN, CLOSE = 1, 2
# Of `path_scheduler`.
ADD, START, DRAIN, REMOVE, BY_PACKET = 4, 5, 7, 9, 2
PATHS = "path_scheduler_command"


def packed(data):
    """The bytes, a pad to whole words, and the place of the ICRC."""
    return data + bytes(-len(data) % 4 + 4)


def payload(frame):
    """Headers of Ethernet, IPv4, UDP, BTH, MPEH and for the first packet of a WRITE RETH go before the bytes, pad and ICRC
    behind them. BTH has the OpCode in its first byte, the length of the pad in its second one."""
    bth = frame[42:]
    sub_paths.add(bth[12])
    return bth[36 if bth[0] in (0x06, 0x0A) else 20 : len(bth) - 4 - (bth[1] >> 4 & 3)]


sub_paths = set()
a = Host("a", 0x02_00_00_00_00_0A, 0x0A000001, packed, payload)
b = Host("b", 0x02_00_00_00_00_0B, 0x0A000002, packed, payload)
cable = Cable((a, b), [[Wire(delay=100, rate=6.25)], [Wire(delay=100, rate=6.25)]])
for here, there, qps, psns in (b, a, (0xB2, 0xA2), (900, 100)), (a, b, (0xA2, 0xB2), (100, 900)):
    cable.command(here, PATHS, op=OPEN, qp=2, granularity=BY_PACKET)
    for path in range(4):
        # Each sub-path has an entropy of its own, which is the UDP source port of its packets.
        cable.command(here, PATHS, op=ADD, qp=2, path=path, entropy=0xC000 + path, weight=10)
        cable.command(here, PATHS, op=START, qp=2, path=path, weight=10, force=1)
    response = cable.command(
        here, op=OPEN, pdc=2, psn=psns[0], expected=psns[1], local_qp=qps[0], remote_qp=qps[1], pkey=0xFFFF,
        source_mac=here.mac, destination_mac=there.mac, source_ip_0=here.ip, destination_ip_0=there.ip, weight=4,
    )
    print(f"{here.name}: QP 2 is open: {response.open}")
for here, there, length in (a, b, 5000), (b, a, 3000):
    data = bytes((length + i) % 251 for i in range(length))
    here.request(2, data, handle=length, write=1, remote_address=0x10000, rkey=7)
    cable.run(lambda: here.completed)
    print(f"{there.name}: {length} bytes, as they were sent: {there.received[2] == data}; message {here.completed[0]} is complete")
print("over sub-paths", *sorted(sub_paths))
for here in a, b:
    response = cable.command(here, op=CLOSE, pdc=2)
    for path in range(4):
        # No packet of them is in flight any more.
        cable.command(here, PATHS, op=DRAIN, qp=2, path=path)
        assert cable.command(here, PATHS, op=REMOVE, qp=2, path=path).done
    paths = cable.command(here, PATHS, op=CLOSE, qp=2)
    print(f"{here.name}: closed: {response.done}, sub-paths removed: {paths.done}")
