# SPDX-License-Identifier: MIT OR Apache-2.0
"""The CRC at the end of a packet of UET, as crcmod computes it: CRC-32C from the source address of IP on, its lowest byte first."""

import struct

import crcmod.predefined
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether

castagnoli = crcmod.predefined.mkCrcFun("crc-32c")
# Offsets of the source address.
SOURCES = {IP: 12, IPv6: 8}


def crc(packet):
    """The CRC that belongs behind the bytes of an IP packet, by its layer in scapy."""
    layer = IP if IP in packet else IPv6
    return struct.pack("<I", castagnoli(bytes(packet[layer])[SOURCES[layer]:]))


def with_crc(packet):
    """A frame with a CRC behind it; lengths and checksums count it."""
    # scapy computes what has no value yet.
    placed = packet / bytes(4)
    return Ether(bytes(placed)[:-4] + crc(Ether(bytes(placed)[:-4])))


def is_right(packet):
    """Whether a frame of UET without padding ends with the right CRC."""
    whole = bytes(packet)
    return crc(Ether(whole[:-4])) == whole[-4:]
