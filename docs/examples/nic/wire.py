# SPDX-License-Identifier: MIT OR Apache-2.0
"""Wires between hosts, with queues that grow, mark and drop; and the clock of all."""
import heapq
import random


class Wire:
    """Frames leave its queue one after the other at `rate` bytes per clock, and arrive `delay` clocks later. The queue has room
    for so many bytes; a frame that finds more than `marks` bytes in it is marked. So many of all frames are lost."""

    def __init__(self, delay, rate, room=150_000, marks=None, loss=0.0, seed=1):
        if delay < 1 or int(delay) != delay:
            raise ValueError(f"the delay of a wire is a whole number of clocks, 1 or more, and not {delay}")
        self.delay, self.rate, self.room, self.marks, self.loss = delay, rate, room, marks, loss
        self.dead, self.free, self.bytes, self.lost, self.random = False, 0, 0, 0, random.Random(seed)

    def send(self, at, frame):
        """A frame that leaves a host at this clock: when it arrives, and what; `None` if it does not."""
        length = max(len(frame), 60) + 24  # padding, FCS, preamble and the gap between frames
        queued = max(self.free - at, 0) * self.rate
        if self.dead or queued + length > self.room or self.random.random() < self.loss:
            self.lost += 1
            return None
        if self.marks is not None and queued > self.marks:
            frame = marked(frame)
        self.free = max(self.free, at) + length / self.rate
        self.bytes += length
        return int(self.free) + self.delay, frame


def marked(frame):
    """The frame with ECN 3, congestion experienced, if its sender understands that."""
    frame, is_ipv6 = bytearray(frame), frame[12:14] == b"\x86\xdd"
    ecn = frame[15] >> 4 * is_ipv6 & 3
    if ecn in (1, 2):
        frame[15] |= 3 << 4 * is_ipv6
        if not is_ipv6:
            # The checksum of IPv4 is a sum of ones' complement.
            total = int.from_bytes(frame[24:26], "big") - (3 - ecn)
            frame[24:26] = (total if total >= 0 else total + 0xFFFF).to_bytes(2, "big")
    return bytes(frame)


class Cable:
    """Two hosts, and the wires from each to the other. A frame takes one of them by its UDP source port, which is its entropy."""

    def __init__(self, hosts, wires):
        self.hosts, self.wires, self.sent = hosts, wires, 0
        self.arrivals = [], []
        # What leaves in a step arrives in a later one. So short wires are slow to simulate.
        self.step = min(wire.delay for way in wires for wire in way)

    def run(self, until, limit=2_000_000):
        """Runs until `until()`; the number of clocks."""
        begin = self.now
        while not until():
            if self.now - begin > limit:
                raise TimeoutError(f"nothing came of it in {limit} clocks")
            for i, host in enumerate(self.hosts):
                arrivals, there = self.arrivals[i], self.arrivals[1 - i]
                while arrivals and arrivals[0][0] < host.bench.now + self.step:
                    at, _, frame = heapq.heappop(arrivals)
                    host.arrive(at, frame)
                for at, frame in host.run(self.step):
                    wire = self.wires[i][int.from_bytes(frame[34:36], "big") % len(self.wires[i])]
                    if arrived := wire.send(at, frame):
                        self.sent += 1
                        heapq.heappush(there, (arrived[0], self.sent, arrived[1]))
        return self.now - begin

    @property
    def now(self):
        """The number of clocks since the reset of the hosts."""
        return self.hosts[0].bench.now

    def command(self, host, interface="command", **fields):
        """Gives a command; the response."""
        host.responses.clear()
        host.bench.put(interface, **fields)
        self.run(lambda: host.responses)
        return host.responses.pop()
