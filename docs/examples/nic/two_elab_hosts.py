# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two ELAB hosts over paths of 60 and 15 Gb/s, of which one dies and returns: how much arrives, and by which path."""
import argparse
import random
import sys
from collections import Counter

from elab import OVERHEAD, ElabHost, close_pair, open_pair, read_path, set_network
from wire import Cable, Wire

CLOCK_MHZ, LINK, LOAD, UNIT, RTT = 322.265625, 100, 50, 322, 12  # MHz, Gb/s, Gb/s, clocks of 1 us, us
GBPS = 125 / CLOCK_MHZ  # bytes per clock
PAIR, PORTS, RATES, SIZE = 5, (0xC000, 0xC001), (60, 15), 1400
BANDWIDTH = LINK * 125 / (SIZE + OVERHEAD)  # packets per us
parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("dies", type=int, nargs="?", choices=(0, 1), default=1, help="the path that dies; 1 is the slow one")
dies = parser.parse_args().dies


def paths():
    """A wire for each VP: `Cable` takes one by the UDP source port of a frame."""
    return [Wire(delay=int(RTT * CLOCK_MHZ / 2), rate=rate * GBPS, room=300_000, marks=25_000) for rate in RATES]


def run(what, us):
    """Both hosts send LOAD for so long. What arrives is compared with what was sent; what is under way counts in the next run."""
    begin, gap = cable.now, (SIZE + OVERHEAD) / (LOAD * GBPS)
    for i in range(int(us * CLOCK_MHZ / gap)):
        for host in a, b:
            data = numbers.randbytes(SIZE)
            sent[host].add(data)
            host.send(PAIR, data, at=begin + int(i * gap))
    cable.run(lambda: cable.now - begin >= us * CLOCK_MHZ)
    for here, there in (b, a), (a, b):
        arrived = Counter()
        while here.received:
            pair, port, data = here.received.pop()
            if pair != PAIR or data not in sent[there]:
                sys.exit(f"{here.name}: a packet came changed, twice, or for another pair")
            sent[there].remove(data)
            arrived[port] += 1
        if not arrived:
            sys.exit(f"{here.name}: nothing came")
        goodput = sum(arrived.values()) * SIZE / (cable.now - begin) / GBPS
        shares = (f"{arrived[port]} and {wire.lost} lost" for port, wire in zip(PORTS, wires[there]))
        print(f"{what}, {there.name} to {here.name}: {goodput:.1f} Gb/s; packets by path:", ", ".join(shares))
        for wire in wires[there]:
            wire.lost = 0


a, b = ElabHost("a", 0x02_00_00_00_00_0A, 0x0A000001), ElabHost("b", 0x02_00_00_00_00_0B, 0x0A000002)
wires, sent, numbers = {a: paths(), b: paths()}, {a: set(), b: set()}, random.Random(1)
cable = Cable((a, b), (wires[a], wires[b]))
for host in a, b:
    set_network(host, RTT, int(RTT * BANDWIDTH), UNIT)
open_pair(cable, a, b, PAIR, PORTS, BANDWIDTH)
run("at first", 50)
run("both paths", 400)
wires[a][dies].dead = True
run("one dies", 3 * RTT)
run("one is dead", 400)
for port in PORTS:
    bandwidth, rate, dead = read_path(cable, a, PAIR, port)
    print(f"VP {port:#x}: bandwidth {bandwidth:.2f}, rate {rate:.2f} packets per us{', dead' if dead else ''}")
wires[a][dies].dead = False
run("it returns", 50 * RTT)
run("both again", 400)
close_pair(cable, a, b, PAIR, PORTS)
