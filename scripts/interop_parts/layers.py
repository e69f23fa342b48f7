# SPDX-License-Identifier: MIT OR Apache-2.0
"""Headers that scapy does not have: the MPEH, and what a receiver of UET answers. Their fields are those of docs/headers.md."""

from scapy.contrib.roce import AETH, BTH
from scapy.fields import BitField, ByteField, IntField, LEIntField, ShortField, SignedShortField, XLongField, XShortField
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.packet import Packet, Padding, bind_layers

# The bit of the BTH that announces an MPEH, among its seven reserved bits.
MULTIPATH = 0x40
ACK, ACK_CC, NACK = 7, 8, 10
UET_PORT, UET_PROTOCOL = 4793, 253


class MPEH(Packet):
    """The multipath extension header."""

    name = "MPEH"
    fields_desc = [
        ByteField("path_id", 0),
        ByteField("flags", 0),
        ShortField("flowlet_seq", 0),
        ShortField("sched_tag", 0),
        XShortField("reserved", 0),
    ]


def flags(*names):
    """The type, next_hdr, and 7 flags of which these are not reserved; the others have the names of their bits."""
    places = {"m": 1, "retx": 2, "p": 3, "nt": 3}
    at = {places[name]: name for name in names if name in places}
    fields = [BitField(at.get(i, f"reserved_flag_{i}"), 0, 1) for i in range(4)]
    fields += [BitField("req", 0, 2) if "req" in names else BitField("reserved_flags", 0, 2), BitField("reserved_0", 0, 1)]
    return [BitField("type", 0, 5), BitField("next_hdr", 0, 4), *fields]


class Uet(Packet):
    """A packet of UET. One that is no answer stays of this class, with its type."""

    name = "UET"
    fields_desc = [BitField("type", 0, 5), BitField("rest", 0, 11)]

    @classmethod
    def dispatch_hook(cls, _pkt=None, *_args, **_kargs):
        """The class by the type, which is in the first five bits."""
        return {ACK: UetAck, ACK_CC: UetAckCc, NACK: UetNack}.get(_pkt[0] >> 3, Uet) if _pkt else cls


class UetCrc(Packet):
    """The CRC at the end of a packet of UET."""

    name = "UET CRC"
    fields_desc = [LEIntField("crc", 0)]

    def guess_payload_class(self, payload):
        return Padding


class Whole(Packet):
    """A header of UET behind which there is nothing but its CRC."""

    def guess_payload_class(self, payload):
        return UetCrc if len(payload) >= 4 else self.default_payload_class(payload)


class UetAck(Whole):
    """UET ACK."""

    name = "UET ACK"
    fields_desc = [
        *flags("m", "retx", "p", "req"),
        SignedShortField("ack_psn_offset", 0),
        IntField("cack_psn", 0),
        ShortField("spdcid", 0),
        ShortField("dpdcid", 0),
    ]


class UetAckCc(Whole):
    """UET ACK_CC with the state of NSCC, which is what a receiver sends (cc_type 0)."""

    name = "UET ACK_CC"
    fields_desc = [
        *UetAck.fields_desc,
        BitField("cc_type", 0, 4),
        BitField("cc_flags", 0, 4),
        ByteField("mpr", 0),
        SignedShortField("sack_psn_offset", 0),
        XLongField("sack_bitmap", 0),
        ShortField("service_time", 0),
        BitField("rc", 0, 1),
        BitField("rcv_cwnd_pend", 0, 7),
        BitField("rcvd_bytes", 0, 24),
        ShortField("ooo_count", 0),
    ]


class UetNack(Whole):
    """UET NACK."""

    name = "UET NACK"
    fields_desc = [
        *flags("m", "retx", "nt"),
        ByteField("nack_code", 0),
        ByteField("vendor_code", 0),
        IntField("nack_psn", 0),
        ShortField("spdcid", 0),
        ShortField("dpdcid", 0),
        IntField("nack_payload", 0),
    ]


class UetEntropy(Packet):
    """What UET has in front without UDP."""

    name = "UET entropy"
    fields_desc = [ShortField("entropy", 0), XShortField("reserved_entropy", 0)]

    def guess_payload_class(self, payload):
        return Uet


def bind():
    """Makes scapy read these headers."""
    # Before the binding of the OpCode, as the MPEH stands in front of what the OpCode announces.
    BTH.payload_guess.insert(0, ({"resv7": MULTIPATH}, MPEH))
    bind_layers(MPEH, AETH)
    bind_layers(UDP, Uet, dport=UET_PORT)
    bind_layers(IP, UetEntropy, proto=UET_PROTOCOL)
    bind_layers(IPv6, UetEntropy, nh=UET_PROTOCOL)
