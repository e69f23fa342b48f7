# SPDX-License-Identifier: MIT OR Apache-2.0
"""What is of RoCEv2, multipath and plain: what stands around the bytes of a packet, and how a QP with its sub-paths is opened and closed."""

OPEN, CLOSE = 1, 2
# Of `path_scheduler`.
ADD, START, DRAIN, REMOVE, BY_PACKET, SINGLE = 4, 5, 7, 9, 2, 3
PATHS = "path_scheduler_command"
# Ethernet, IPv4, UDP, BTH, MPEH and ICRC; and FCS, preamble and the gap between frames.
OVERHEAD = 14 + 20 + 8 + 12 + 8 + 4 + 24
# OpCodes of packets with a RETH, and with immediate data (ImmDt) or a key to invalidate (IETH).
WITH_RETH = {0x06, 0x0A, 0x0B}
WITH_WORD = {0x03, 0x05, 0x09, 0x0B, 0x16, 0x17}
# A request is a WRITE.
WRITE = {"write": 1, "remote_address": 0x10000, "rkey": 7}


def packed(data):
    """The bytes, a pad to whole words, and the place of the ICRC."""
    return data + bytes(-len(data) % 4 + 4)


def payload(frame):
    """Headers of Ethernet, IPv4, UDP, BTH, MPEH, for the first packet of a WRITE RETH, and ImmDt or IETH go before the bytes, pad and
    ICRC behind them. BTH has the OpCode in its first byte, the length of the pad in its second one, and a bit for the MPEH."""
    bth = frame[42:]
    headers = 12 + 8 * has_mpeh(frame) + 16 * (bth[0] in WITH_RETH) + 4 * (bth[0] in WITH_WORD)
    return bth[headers : len(bth) - 4 - (bth[1] >> 4 & 3)]


def has_mpeh(frame):
    """Bit 6 of the byte of AckReq says so."""
    return frame[42 + 8] & 0x40 != 0


def sub_path(frame):
    """The number of its sub-path: MPEH is behind BTH."""
    return frame[42 + 12]


def open_qp(cable, a, b, qp, paths=4, multipath=1, mtu=1024):
    """Opens a QP with so many sub-paths at both ends; the end that receives first goes first. A plain one has one. `mtu` is `tx.segment`."""
    for here, there, qps, psns in (b, a, (0xB0 + qp, 0xA0 + qp), (900, 100)), (a, b, (0xA0 + qp, 0xB0 + qp), (100, 900)):
        cable.command(here, PATHS, op=OPEN, qp=qp, granularity=BY_PACKET if multipath else SINGLE)
        for path in range(paths):
            # Each sub-path has an entropy of its own, which is the UDP source port of its packets.
            cable.command(here, PATHS, op=ADD, qp=qp, path=path, entropy=0xC000 + path, weight=10)
            cable.command(here, PATHS, op=START, qp=qp, path=path, weight=10, force=1)
        response = cable.command(
            here, op=OPEN, pdc=qp, psn=psns[0], expected=psns[1], local_qp=qps[0], remote_qp=qps[1], pkey=0xFFFF,
            multipath=multipath, source_mac=here.mac, destination_mac=there.mac, source_ip_0=here.ip, destination_ip_0=there.ip,
            weight=4, mtu=mtu,
        )
        print(f"{here.name}: QP {qp} is open: {response.open}")


def close_qp(cable, a, b, qp, paths=4):
    """Closes it at both ends."""
    for here in a, b:
        response = cable.command(here, op=CLOSE, pdc=qp)
        for path in range(paths):
            # No packet of them is in flight any more.
            cable.command(here, PATHS, op=DRAIN, qp=qp, path=path)
            assert cable.command(here, PATHS, op=REMOVE, qp=qp, path=path).done
        removed = cable.command(here, PATHS, op=CLOSE, qp=qp)
        print(f"{here.name}: closed: {response.done}, sub-paths removed: {removed.done}")
