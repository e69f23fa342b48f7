# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every answer as tshark and scapy read it: whole, lawful, and the same in both."""

from scapy.contrib.roce import AETH, BTH
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.utils import rdpcap

from . import crc
from .layers import MPEH, MULTIPATH, UetAck, UetAckCc, UetCrc, UetNack

# UDP over IPv6 has a checksum by RFC 2460; that of RoCEv2 and UET is 0 (RFC 6936).
EXPECTED = {"Illegal checksum value (0)"}
# The names in tshark of scapy's fields. Those of BTH and AETH are of Wireshark's own dissector, which sees no congestion bits.
BTH_NAMES = {
    "opcode": "infiniband.bth.opcode",
    "solicited": "infiniband.bth.se",
    "migreq": "infiniband.bth.m",
    "padcount": "infiniband.bth.padcnt",
    "version": "infiniband.bth.tver",
    "pkey": "infiniband.bth.p_key",
    "dqpn": "infiniband.bth.destqp",
    "ackreq": "infiniband.bth.a",
    "psn": "infiniband.bth.psn",
}
AETH_NAMES = {"syndrome": "infiniband.aeth.syndrome", "msn": "infiniband.aeth.msn"}
HEADERS = (BTH, MPEH, AETH, UetAck, UetAckCc, UetNack)


def own(header, prefix):
    """The fields of a header that have the same names in the dissector of this project; those that are reserved are 0."""
    names = [field.name for field in header.fields_desc if not field.name.startswith("reserved_")]
    # No field of scapy can be called payload.
    return {name: f"{prefix}.{'payload' if name == 'nack_payload' else name}" for name in names}


NAMES = {BTH: BTH_NAMES, AETH: AETH_NAMES, MPEH: own(MPEH, "mpnic.mpeh")}
NAMES |= {header: own(header, "mpnic.uet") for header in (UetAck, UetAckCc, UetNack)}


def fields():
    """All that tshark is asked for beside what it says is wrong."""
    return sorted({name for names in NAMES.values() for name in names.values()})


def lawful(frames):
    """What tshark says is wrong: headers that are malformed, and anything else that it did not expect."""
    for i, frame in enumerate(frames):
        said = [message for message in frame["_ws.expert.message"].split("|") if message and message not in EXPECTED]
        if frame["_ws.malformed"] or said:
            yield f"answer {i}: {frame['_ws.malformed']} {said}"
        if "mpnic_rocev2" not in frame["frame.protocols"] and "mpnic_uet" not in frame["frame.protocols"]:
            yield f"answer {i}: tshark sees {frame['frame.protocols']}"


def the_same(capture, frames):
    """What scapy does not read as it should be, or otherwise than tshark."""
    packets = rdpcap(str(capture))
    if len(packets) != len(frames):
        yield f"scapy reads {len(packets)} answers, tshark {len(frames)}"
    for i, (packet, frame) in enumerate(zip(packets, frames)):
        layers = packet.layers()
        if layers[-1] is UetCrc:
            layers.pop()
            if not crc.is_right(packet):
                yield f"answer {i}: crcmod has another CRC"
        elif any(layer in layers for layer in (UetAck, UetAckCc, UetNack)):
            yield f"answer {i}: there is no CRC"
        if layers[-1] not in (AETH, UetAck, UetAckCc, UetNack):
            yield f"answer {i}: scapy reads {[layer.__name__ for layer in layers]}"
            continue
        for header in (layer for layer in layers if layer in HEADERS):
            for name, shown in NAMES[header].items():
                scapy = packet[header].getfieldval(name)
                if frame[shown] == "" or int(frame[shown], 0) != scapy:
                    yield f"answer {i}: {shown} is {frame[shown]} in tshark, {scapy} in scapy"
            bits = packet[header].fields.items()
            reserved = [name for name, bit in bits if name.startswith(("reserved", "resv6")) and bit]
            if reserved or header is BTH and packet[BTH].resv7 != (MULTIPATH if MPEH in layers else 0):
                yield f"answer {i}: {reserved} are not 0"
        yield from rebuilt(i, packet)


def rebuilt(i, packet):
    """Lengths, the IPv4 checksum and the ICRC as scapy computes them are those that were there."""
    before = bytes(packet)
    for layer, names in {IP: ("len", "chksum"), IPv6: ("plen",), UDP: ("len",), BTH: ("icrc",)}.items():
        if layer in packet:
            for name in names:
                setattr(packet[layer], name, None)
    # The checksum of UDP stays 0, which says that there is none.
    if bytes(packet) != before:
        yield f"answer {i}: scapy makes other lengths, checksums or another ICRC"
