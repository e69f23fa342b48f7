# SPDX-License-Identifier: MIT OR Apache-2.0
"""Captures whose answers are of many kinds, and how often each kind is to come.

RoCEv2: marks, probes, and packets for which there is no room. UET: trimmed packets, PSNs behind the window, contexts that
nobody has, probes and marks, also over IPv6 and without UDP.
"""

import struct

from scapy.contrib.roce import BTH
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Raw

from .crc import with_crc
from .layers import MULTIPATH, UET_PORT, UET_PROTOCOL

SEND_ONLY, PROBE_FLAG, CE, ECT = 0x04, 4, 3, 2
WINDOW = 256
# QPs: one with multipath, and those whose packets all wait at once, half of them with multipath.
SPREAD, FULL = 0x31, range(0x40, 0x50)
# Packets of these paths are marked, and probes go over these.
MARKED, PROBED = range(64, 128), range(128, 256)
# Bits of ECN are below the DSCP.
TRIMMED, TRIMMED_LAST_HOP = 16 << 2, 18 << 2
RUD, ROD, CONTROL, PROBE = 2, 3, 11, 6
CONTEXTS, UNKNOWN, FIRST = (0x51, 0x52), 0x99, 1000
# Codes of NACKs (uet.md 1.9).
NACKS = {"trimmed": 0x01, "trimmed at the last hop": 0x02, "no context": 0x04, "behind the window": 0x0B, "unknown": 0x0E}


def link(tagged):
    """The Ethernet header."""
    frame = Ether(dst="02:00:00:00:00:02", src="02:00:00:00:00:01")
    return frame / Dot1Q(vlan=7, prio=3) if tagged else frame


def network(ipv6, traffic_class, protocol=17):
    """The IP header."""
    if ipv6:
        return IPv6(src="fd00::1", dst="fd00::2", tc=traffic_class, nh=protocol)
    return IP(src="10.0.0.1", dst="10.0.0.2", tos=traffic_class, proto=protocol)


def rocev2_packet(qp, psn, path=None, flags=0, ecn=ECT, payload=b""):
    """A packet that asks for an ACK; with a path there is an MPEH."""
    bth = BTH(opcode=SEND_ONLY, dqpn=qp, psn=psn % 2**24, pkey=0xFFFF, ackreq=1)
    bth.resv7 = 0 if path is None else MULTIPATH
    mpeh = b"" if path is None else struct.pack(">BBHHH", path, flags, psn % 2**16, 0, 0)
    return link(qp % 4 == 3) / network(qp % 2, ecn) / UDP(sport=49152 + qp, dport=4791, chksum=0) / bth / Raw(mpeh + payload)


def rocev2(draw):
    """Packets, and how many answers there are to be: of marked packets, of probes, and of packets without room at least."""
    packets, marks, probes = [], 0, list(PROBED)
    draw.shuffle(probes)
    for psn in range(400):
        marked = draw.random() < 0.3
        marks += marked
        path = draw.choice(MARKED) if marked else draw.randrange(64)
        packets.append(rocev2_packet(SPREAD, psn, path, ecn=CE if marked else ECT, payload=draw.randbytes(64)))
        if psn % 4 == 0:
            packets.append(rocev2_packet(SPREAD, psn, probes.pop(), PROBE_FLAG, ecn=draw.choice([CE, ECT])))
    count = len(PROBED) - len(probes)
    # The first packet of each is late, so that then all packets are to be delivered at once, and more follow.
    path = lambda qp: qp % 64 if qp % 2 else None
    packets += [rocev2_packet(qp, psn, path(qp)) for qp in FULL for psn in range(1, WINDOW)]
    packets += [rocev2_packet(qp, 0, path(qp)) for qp in FULL]
    packets += [rocev2_packet(qp, WINDOW + more, path(qp)) for more in range(200) for qp in FULL[:2]]
    return packets, {"marks": marks, "probes": count}


def uet_packet(context, psn, draw, kind=RUD, next_hdr=0, flags=1 << 19, low=0, traffic_class=ECT, way=0, length=64):
    """A packet over IPv4 or, with a tag, IPv6; with UDP or without."""
    words = struct.pack(">IIHH", kind << 27 | next_hdr << 23 | flags | low, psn % 2**32, context + 0x100, context)
    payload = Raw(words + draw.randbytes(length))
    ev = 49152 + draw.randrange(64)
    ipv6 = way % 2 == 1
    if way > 1:
        return with_crc(link(ipv6) / network(ipv6, traffic_class, UET_PROTOCOL) / Raw(struct.pack(">HH", ev, 0)) / payload)
    return with_crc(link(ipv6) / network(ipv6, traffic_class) / UDP(sport=ev, dport=UET_PORT, chksum=0) / payload)


def uet(draw):
    """Packets, and the number of answers of each kind."""
    packets, wanted = [], dict.fromkeys([*NACKS, "marks", "probes"], 0)
    # Data is long, so that there is time for each answer, and none is dropped for want of room (G15).
    for number in range(240):
        context, way = CONTEXTS[number % 2], number // 2 % 4
        psn = FIRST + number // 2
        marked = draw.random() < 0.2
        wanted["marks"] += marked
        ecn = CE if marked else ECT
        packets.append(uet_packet(context, psn, draw, (RUD, ROD)[number % 2], traffic_class=ecn, way=way, length=1500))
        what = draw.choice([*NACKS, "probes"])
        wanted[what] += 1
        more = {
            "trimmed": lambda: uet_packet(context, psn + 1, draw, traffic_class=TRIMMED, way=way),
            "trimmed at the last hop": lambda: uet_packet(context, psn + 1, draw, traffic_class=TRIMMED_LAST_HOP, way=way),
            "no context": lambda: uet_packet(UNKNOWN, psn, draw, flags=1 << 18, way=way),
            "behind the window": lambda: uet_packet(context, psn + 1000 + draw.randrange(1000), draw, way=way),
            "unknown": lambda: uet_packet(UNKNOWN, psn, draw, way=way),
            "probes": lambda: uet_packet(context, 0, draw, CONTROL, PROBE, 0, low=number + 1, way=way),
        }
        packets.append(more[what]())
    return packets, wanted


def rocev2_problems(frames, wanted, summary):
    """What is wrong with the answers as tshark reads them: bits that do not belong to the path, and numbers of kinds."""
    seen = {"marks": 0, "probes": 0, "not ready": {True: 0, False: 0}}
    paths = []
    for i, frame in enumerate(frames):
        field = lambda name, frame=frame: int(frame[name] or "-1", 0)
        qp, becn, syndrome = field("infiniband.bth.destqp"), field("mpnic.bth.becn"), field("infiniband.aeth.syndrome")
        path, flags = field("mpnic.mpeh.path_id"), field("mpnic.mpeh.flags")
        if qp in FULL:
            seen["not ready"][path >= 0] += syndrome >> 5 == 1
            if syndrome >> 5 > 1 and qp % 2 or becn > 0:
                yield f"answer {i}: syndrome {syndrome:#x}, BECN {becn}"
            continue
        if qp != SPREAD or syndrome != 0x1F:
            yield f"answer {i}: {frame}"
        elif flags & PROBE_FLAG:
            seen["probes"] += 1
            paths.append(path)
            if path not in PROBED:
                yield f"answer {i}: no probe on path {path}"
        else:
            seen["marks"] += becn
            if becn != (path in MARKED) or path in PROBED:
                yield f"answer {i}: BECN {becn}, path {path}"
    if len(set(paths)) != wanted["probes"] or summary["probe_answers"] != seen["probes"]:
        yield f"{len(set(paths))} paths of {wanted['probes']} probes are answered"
    # An ACK may be of more than one packet; a mark is then not lost.
    if not 0 < seen["marks"] <= wanted["marks"]:
        yield f"{seen['marks']} answers to {wanted['marks']} marks"
    if 0 in seen["not ready"].values() or summary["no_buffer"] == 0:
        yield f"RNR NAKs with and without MPEH: {seen['not ready']}, {summary['no_buffer']} packets"


def uet_problems(frames, wanted, summary):
    """The same for UET: as many NACKs of each code as packets that cause it, and probes as they asked."""
    seen = dict.fromkeys(wanted, 0)
    kinds = {code: what for what, code in NACKS.items()}
    opaques = []
    for i, frame in enumerate(frames):
        field = lambda name, frame=frame: int(frame[f"mpnic.uet.{name}"] or "-1", 0)
        # Where there is no context, SPDCID is 0.
        context = field("spdcid")
        if field("dpdcid") != (context or UNKNOWN) + 0x100:
            yield f"answer {i} has other contexts: {frame}"
        if field("type") == 10:
            what = kinds.get(field("nack_code"), "other")
            seen[what] = seen.get(what, 0) + 1
            if (context == 0) != (what in ("no context", "unknown")):
                yield f"answer {i}: {what}, context {context:#x}"
        elif field("p") == 1:
            seen["probes"] += 1
            opaques.append(field("ack_psn_offset"))
        else:
            seen["marks"] += field("m")
    marks = seen.pop("marks")
    if not 0 < marks <= wanted["marks"]:
        yield f"{marks} answers to {wanted['marks']} marks"
    if seen != {what: count for what, count in wanted.items() if what != "marks"} or 0 in seen.values():
        yield f"answers {seen} to {wanted}"
    if len(set(opaques)) != wanted["probes"]:
        yield f"{len(set(opaques))} opaque numbers of {wanted['probes']} probes come back"
    counted = {name: summary[name] for name in ("naks", "probe_answers", "dropped_replies", "lost_answers")}
    if list(counted.values()) != [sum(seen.values()) - seen["probes"], seen["probes"], 0, 0]:
        yield f"the summary has {counted}"
