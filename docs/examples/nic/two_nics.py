# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two NICs of UET on one cable. A PDC is opened at both ends, each end sends a message to the other, and it is closed again."""
from host import Nic, command, exchange

OPEN, CLOSE = 1, 2


def packed(data):
    """The SES header, here 44 zeros, and then the bytes."""
    return bytes(44) + data


def payload(frame):
    """Headers of Ethernet, IPv4, UDP, PDS and SES go before the bytes."""
    return frame[14 + 20 + 8 + 12 + 44 :]


def say(nic, response):
    print(f"{nic.name}: done {response['done']}, open {response['open']}")


a = Nic("a", 0x02_00_00_00_00_0A, 0x0A000001, packed, payload)
b = Nic("b", 0x02_00_00_00_00_0B, 0x0A000002, packed, payload)
nics = a, b
for here, there, pdcids, psns in (b, a, (0xB2, 0xA2), (900, 100)), (a, b, (0xA2, 0xB2), (100, 900)):
    say(here, command(
        nics, here, op=OPEN, pdc=2, psn=psns[0], expected=psns[1], local_pdcid=pdcids[0], remote_pdcid=pdcids[1],
        source_mac=here.mac, destination_mac=there.mac, source_ip_0=here.ip, destination_ip_0=there.ip, weight=4,
    ))
exchange(nics, (5000, 3000))
for nic in nics:
    say(nic, command(nics, nic, op=CLOSE, pdc=2))
