# SPDX-License-Identifier: MIT OR Apache-2.0
"""The host of a NIC: it brings the bytes of packets from its memory, and puts those of delivered packets together."""
from collections import defaultdict, deque

import mpnic_nic
from station import Station

LATENCY = 200  # clocks from a fetch to its bytes: 1 us at 200 MHz


class Host(Station):
    """A NIC with its host. What a packet has before and behind its bytes depends on the transport: `packed` makes the bytes of a
    packet, `payload` finds them in a frame."""

    def __init__(self, name, mac, ip, packed, payload):
        super().__init__(mpnic_nic, name, mac, ip, "s_axis_rx", "m_axis_tx", ("response", "path_scheduler_response"))
        self.packed, self.payload, self.memory, self.received = packed, payload, b"", defaultdict(bytearray)
        self.completed, self.failed = [], []
        self._records, self._arrived, self._frames, self._order = deque(), deque(), {}, deque()
        self._unwanted = set()

    def request(self, pdc, data, handle=0, **fields):
        """Asks the NIC to send a message."""
        address, self.memory = len(self.memory), self.memory + data
        self.bench.put("request", pdc=pdc, handle=handle, address=address, length=len(data), **fields)

    def run(self, clocks):
        """So many clocks; the frames that have left, each with the clock of its last beat."""
        bench, end = self.bench, self.bench.now + clocks
        while bench.now < end:
            bench.run(min(LATENCY, end - bench.now))
            for fetch in bench.take_all("fetch"):
                data = self.memory[fetch.address : fetch.address + fetch.length]
                bench.put_frame("s_axis_tx", self.packed(data), at=fetch.at + LATENCY)
        for answer in bench.take_all("accepted"):
            if not answer.done:
                raise RuntimeError(f"{self.name}: message {answer.handle} of PDC {answer.pdc} is refused: closed, or too many wait")
        for record in bench.take_all("m_record"):
            self._records.append(record.handle if record.in_sequence else None)
            self._frames.pop(record.handle, None)
        self._arrived.extend(frame for frame, _ in bench.take_frames("m_axis_rx"))
        while self._records and self._arrived:
            self._frames[self._records.popleft()] = self._arrived.popleft()
        # Packets that came twice, or are refused: nothing of them is kept.
        self._unwanted.update(frame.handle for frame in bench.take_all("undelivered"))
        for handle in self._unwanted & self._frames.keys():
            self._unwanted.remove(handle)
            del self._frames[handle]
        self._order.extend((delivery.connection, delivery.handle) for delivery in bench.take_all("delivery"))
        # A packet may be named before its last beat is there.
        while self._order and self._order[0][1] in self._frames:
            connection, handle = self._order.popleft()
            self.received[connection] += self.payload(self._frames.pop(handle))
        self.completed.extend(completion.handle for completion in bench.take_all("completion"))
        self.failed.extend(failure.pdc for failure in bench.take_all("failure"))
        return self.left()
