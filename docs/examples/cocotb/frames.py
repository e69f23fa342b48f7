# SPDX-License-Identifier: MIT OR Apache-2.0
"""Frames, and what `header_parser` must say of them: docs/stages/header_parser.md has the rules."""

import dataclasses
import struct

from scapy.contrib.roce import BTH
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.packet import Raw

OTHER, IPV4, IPV6 = range(3)
NONE, PLAIN_UDP, ROCEV2 = range(3)
ROCEV2_PORT = 4791
REASONS = [
    "none", "bad_frame", "cut_short", "ip_version", "ihl", "ip_checksum", "ip_length", "udp_length", "header_cut", "", "reserved",
    "too_long",
]  # fmt: skip
SEND_ONLY = 0x04


@dataclasses.dataclass
class Case:
    """A frame and what is expected of it."""

    data: bytes
    reason: str = "none"
    # Fields of the record, by the names of ports; none of a frame that is dropped.
    record: dict = dataclasses.field(default_factory=dict)
    # The MAC says that the frame is bad.
    marked: int = 0


def words(name, data):
    """Ports NAME_0, NAME_1, .. with the 32-bit words of a header; the first byte of the wire is in bits 31:24."""
    return {f"{name}_{i}": word for i, (word,) in enumerate(struct.iter_unpack(">I", data))}


def network(draw):
    """Ethernet, up to two tags, and IPv4 or IPv6, with what the record says of them."""
    packet, tags = Ether(dst="02:00:00:00:00:01", src="02:00:00:00:00:02"), draw.randrange(3)
    for _ in range(tags):
        packet /= Dot1Q(vlan=draw.getrandbits(12))
    if draw.getrandbits(1):
        packet /= IP(src="10.0.0.1", dst=f"10.1.2.{draw.getrandbits(8)}", id=draw.getrandbits(16), ttl=draw.getrandbits(8))
        return packet, {"vlan_count": tags, "l3": IPV4}
    packet /= IPv6(src="fd00::1", dst=f"fd00::{draw.getrandbits(16):x}", fl=draw.getrandbits(20))
    return packet, {"vlan_count": tags, "l3": IPV6}


def rocev2(draw):
    """An RC SEND, half of them with a multipath extension header behind the BTH."""
    packet, record = network(draw)
    below, multipath = len(packet), draw.getrandbits(1)
    payload = draw.randbytes(4 * draw.randrange(80))
    # The bit that announces an MPEH is 0x40 of byte 8 of the BTH.
    bth = BTH(opcode=SEND_ONLY, dqpn=draw.getrandbits(24), psn=draw.getrandbits(24), resv7=0x40 * multipath)
    # Path, flags (bit 1: another sub-path), flowlet, tag, reserved.
    mpeh = struct.pack(">BBHHH", draw.getrandbits(8), 2, draw.getrandbits(16), 0, 0) if multipath else b""
    packet /= UDP(sport=draw.getrandbits(16), dport=ROCEV2_PORT, chksum=0) / bth / Raw(mpeh + payload)
    data = bytes(packet)
    headers = below + 8 + 12
    record |= {"transport": ROCEV2, "has_mpeh": multipath, "transport_words": 3, "payload_length": len(payload)}
    record |= {"payload_offset": headers + len(mpeh), "udp_0": packet[UDP].sport << 16 | ROCEV2_PORT}
    return Case(data, record=record | words("header", data[headers - 12 : headers]) | words("mpeh", mpeh))


def stranger(draw):
    """A frame of another protocol."""
    if draw.getrandbits(1):
        return Case(bytes(Ether() / ARP(pdst="10.0.0.9")), record={"l3": OTHER, "transport": NONE})
    packet, record = network(draw)
    data = bytes(packet / UDP(sport=9, dport=53) / Raw(draw.randbytes(draw.randrange(60))))
    return Case(data, record=record | {"transport": PLAIN_UDP})


def unknown(draw):
    """A frame of RoCEv2 for a parser without RoCEv2, to which it is plain UDP."""
    case = rocev2(draw)
    record = {name: case.record[name] for name in ("l3", "vlan_count", "udp_0")}
    return Case(case.data, record=record | {"transport": PLAIN_UDP})


def damaged(draw):
    """A frame of RoCEv2 that must be dropped."""
    good = rocev2(draw)
    data, ip = bytearray(good.data), 14 + 4 * good.record["vlan_count"]
    how = draw.choice(["bad_frame", "cut_short", "ip_version", "ip_checksum", "udp_length"])
    if how == "bad_frame":
        return Case(bytes(data), how, marked=1)
    if how == "cut_short":
        return Case(bytes(data[: draw.randrange(1, ip + 20)]), how)
    if how == "udp_length":
        udp = ip + (20 if good.record["l3"] == IPV4 else 40)
        data[udp + 4 : udp + 6] = len(data).to_bytes(2, "big")
    elif how == "ip_version" or good.record["l3"] == IPV6:
        how = "ip_version"
        data[ip] ^= 0x10
    else:
        data[ip + 10] ^= 1 << draw.randrange(8)
    return Case(bytes(data), how)


def cases(draw, count, has_rocev2):
    """That many frames of all kinds."""
    ours = rocev2 if has_rocev2 else unknown
    return [draw.choice([ours, ours, stranger, damaged])(draw) for _ in range(count)]
