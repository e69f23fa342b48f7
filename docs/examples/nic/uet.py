# SPDX-License-Identifier: MIT OR Apache-2.0
"""What is of UET: what stands around the bytes of a packet, and how a PDC is opened and closed."""

OPEN, CLOSE = 1, 2
# How entropy values are chosen: those whose packets came back without a mark are used again (REPS), so a dead path is left.
REPS = 4
# Ethernet, IPv4, UDP, PDS, SES and CRC; and FCS, preamble and the gap between frames.
OVERHEAD = 14 + 20 + 8 + 12 + 44 + 4 + 24


def packed(data):
    """The SES header, here 44 zeros, and then the bytes. The NIC puts the CRC behind them."""
    return bytes(44) + data


def payload(frame):
    """Headers of Ethernet, IPv4, UDP, PDS and SES go before the bytes, the CRC behind them."""
    return frame[14 + 20 + 8 + 12 + 44 : -4]


def open_pdc(cable, a, b, pdc, mode=REPS):
    """Opens a PDC of this number at both ends; the end that receives first goes first."""
    ends = (b, a, (0xB000 + pdc, 0xA000 + pdc), (900, 100)), (a, b, (0xA000 + pdc, 0xB000 + pdc), (100, 900))
    for here, there, pdcids, psns in ends:
        response = cable.command(
            here, op=OPEN, pdc=pdc, psn=psns[0], expected=psns[1], local_pdcid=pdcids[0], remote_pdcid=pdcids[1],
            source_mac=here.mac, destination_mac=there.mac, source_ip_0=here.ip, destination_ip_0=there.ip, weight=4, mode=mode,
        )
        print(f"{here.name}: PDC {pdc} is open: {response.open}")


def close(cable, a, b, pdc):
    """Closes it at both ends."""
    for here in a, b:
        response = cable.command(here, op=CLOSE, pdc=pdc)
        print(f"{here.name}: closed: {response.done}, PDC {pdc} is open: {response.open}")
