# SPDX-License-Identifier: MIT OR Apache-2.0
"""A NIC on a cable with its host, which brings the bytes of packets and puts those that are delivered together."""
from mpnic_nic import INPUTS, Model

BEAT = INPUTS["s_axis_rx_tkeep"]  # bytes
LEAVES = "m_axis", "m_record", "delivery", "fetch", "completion", "failure", "path_scheduler_event"


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
    """A NIC with its host. The memory of the host is the bytes of the message that it sends. What a packet has before and behind
    its bytes depends on the transport: `packed` makes the bytes of a packet, `payload` finds them in a frame."""

    def __init__(self, name, mac, ip, packed, payload):
        self.name, self.mac, self.ip, self.model, self.cycle = name, mac, ip, Model(), 0
        self.packed, self.payload = packed, payload
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
        inputs.update((name, 1) for name in INPUTS if name.startswith(LEAVES) and name.endswith("ready"))
        for interface, fields in list(self.offers.items()):
            inputs.update(fields, **{f"{interface}_valid": 1})
            if getattr(out, f"{interface}_ready"):
                del self.offers[interface]
        self.from_wire.drive(out, inputs)
        self.from_memory.drive(out, inputs)
        if out.fetch_valid:
            self.from_memory.send(self.packed(self.memory[out.fetch_address :][: out.fetch_length]))
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
            # A packet may be named before its last beat is there.
            self.received += self.payload(self.arrived[self.order.pop(0)])
        for interface in "command", "path_scheduler_command":
            response = interface.replace("command", "response")
            if getattr(out, f"{response}_valid", 0):
                self.response = {field: getattr(out, f"{response}_{field}") for field in ("done", "open")}
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


def command(nics, nic, interface="command", **fields):
    """Gives a command; the response."""
    nic.response = None
    nic.offer(interface, **fields)
    while nic.response is None:
        step(nics)
    return nic.response


def exchange(nics, lengths, **fields):
    """Each sends a message of this length to the other one."""
    for nic, length in zip(nics, lengths):
        nic.memory = bytes((length + i) % 251 for i in range(length))
        nic.offer("request", pdc=2, handle=length, address=0, length=length, **fields)
    while not all(nic.completed for nic in nics):
        step(nics)
    for nic, peer in zip(nics, reversed(nics)):
        same = nic.received == peer.memory
        print(f"{nic.name}: {len(nic.received)} bytes, as they were sent: {same}; message {nic.completed[0]} is complete")
