# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two NICs on one cable. A PDC is opened at both ends, each end sends a message to the other, and it is closed again."""
from mpnic_nic import INPUTS, Model

OPEN, CLOSE = 1, 2
BEAT = INPUTS["s_axis_rx_tkeep"]  # bytes


class Axis:
    """Beats that wait for a stream into a NIC."""

    def __init__(self, name):
        self.name, self.beats = name, []

    def send(self, frame):
        for at in range(0, len(frame), BEAT):
            beat = frame[at : at + BEAT]
            self.beats.append((int.from_bytes(beat, "little"), (1 << len(beat)) - 1, at + BEAT >= len(frame)))

    def drive(self, out, inputs):
        if self.beats:
            data, keep, last = self.beats[0]
            for field, value in ("tvalid", 1), ("tdata", data), ("tkeep", keep), ("tlast", last):
                inputs[f"{self.name}_{field}"] = int(value)
            if getattr(out, f"{self.name}_tready"):
                self.beats.pop(0)


class Nic:
    """A NIC with its host. The memory of the host is the bytes of the message that it sends."""

    def __init__(self, name, mac, ip):
        self.name, self.mac, self.ip, self.model, self.cycle = name, mac, ip, Model(), 0
        self.from_wire, self.from_memory = Axis("s_axis_rx"), Axis("s_axis_tx")
        self.partial, self.received, self.offers, self.memory = b"", b"", {}, b""
        self.handles, self.order, self.arriving, self.arrived, self.response, self.completed = [], [], b"", [], None, []
        self.model.clock(reset=True)
        while self.model.read().busy:
            self.model.clock()

    def offer(self, interface, **fields):
        """What is to be transferred on an interface into the NIC."""
        self.offers[interface] = {f"{interface}_{name}": value for name, value in fields.items()}

    def clock(self):
        """One clock cycle; a frame that has left."""
        out, inputs, frame = self.model.read(), {}, None
        # All that leaves is taken at once.
        for ready in "m_axis_rx_tready", "m_axis_tx_tready", "m_record_tready", "delivery_ready", "fetch_ready", \
                "completion_ready", "failure_ready":
            inputs[ready] = 1
        for interface, fields in list(self.offers.items()):
            inputs.update(fields, **{f"{interface}_valid": 1})
            if getattr(out, f"{interface}_ready"):
                del self.offers[interface]
        self.from_wire.drive(out, inputs)
        self.from_memory.drive(out, inputs)
        if out.fetch_valid:
            # The SES header, here 44 zeros, and then the bytes.
            self.from_memory.send(bytes(44) + self.memory[out.fetch_address :][: out.fetch_length])
        if out.m_axis_tx_tvalid:
            self.partial += out.m_axis_tx_tdata.to_bytes(BEAT, "little")[: out.m_axis_tx_tkeep.bit_length()]
            if out.m_axis_tx_tlast:
                frame, self.partial = self.partial, b""
        if out.m_record_tvalid:
            self.handles.append(out.m_record_handle if out.m_record_in_sequence else None)
        if out.m_axis_rx_tvalid:
            self.arriving += out.m_axis_rx_tdata.to_bytes(BEAT, "little")[: out.m_axis_rx_tkeep.bit_length()]
            if out.m_axis_rx_tlast:
                self.arrived.append(self.arriving)
                self.arriving = b""
        if out.delivery_valid:
            self.order.append(self.handles.index(out.delivery_handle))
        while self.order and self.order[0] < len(self.arrived):
            # A packet may be named before its last beat is there. Headers of Ethernet, IPv4, UDP, PDS and SES go before the bytes.
            self.received += self.arrived[self.order.pop(0)][14 + 20 + 8 + 12 + 44 :]
        if out.response_valid:
            self.response = out
        if out.completion_valid:
            self.completed.append(out.completion_handle)
        self.model.clock(**inputs)
        self.cycle += 1
        return frame


def step(nics):
    """One clock cycle of both, and of the cable."""
    for nic, peer in zip(nics, reversed(nics)):
        if frame := nic.clock():
            peer.from_wire.send(frame)


def command(nics, nic, **fields):
    nic.response = None
    nic.offer("command", pdc=2, **fields)
    while nic.response is None:
        step(nics)
    print(f"{nic.name}: done {nic.response.response_done}, open {nic.response.response_open}")


a, b = nics = Nic("a", 0x02_00_00_00_00_0A, 0x0A000001), Nic("b", 0x02_00_00_00_00_0B, 0x0A000002)
for here, there, pdcids, psns in (b, a, (0xB2, 0xA2), (900, 100)), (a, b, (0xA2, 0xB2), (100, 900)):
    command(
        nics, here, op=OPEN, psn=psns[0], expected=psns[1], local_pdcid=pdcids[0], remote_pdcid=pdcids[1],
        source_mac=here.mac, destination_mac=there.mac, source_ip_0=here.ip, destination_ip_0=there.ip, weight=4,
    )
for nic, length, first in (a, 5000, 1), (b, 3000, 7):
    nic.memory = bytes((first + i) % 251 for i in range(length))
    nic.offer("request", pdc=2, handle=length, address=0, length=length)
while not (a.completed and b.completed):
    step(nics)
for nic, peer in (a, b), (b, a):
    same = nic.received == peer.memory
    print(f"{nic.name}: {len(nic.received)} bytes, as they were sent: {same}; message {nic.completed[0]} is complete")
for nic in nics:
    command(nics, nic, op=CLOSE)
