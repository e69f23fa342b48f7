# SPDX-License-Identifier: MIT OR Apache-2.0
"""The ELAB layer of a host: it sends packets over the virtual paths (VPs) of a pair of hosts, and takes out those that arrive."""
from collections import deque, namedtuple

import mpnic_elab_host
from station import Station

# Of `command`, and of `elab_scheduler_command`.
OPEN, CLOSE = 1, 2
READ, ADD, REMOVE = 0, 1, 2
PATHS = "elab_scheduler_command"
# Ethernet, IPv4, UDP and ELAB; and FCS, preamble and the gap between frames.
OVERHEAD = 14 + 20 + 8 + 8 + 24

Packet = namedtuple("Packet", "pair port data")


class ElabHost(Station):
    """`received` has the packets that came, each with its pair and with the UDP source port of its VP."""

    def __init__(self, name, mac, ip):
        answers = "response", "elab_scheduler_response"
        super().__init__(mpnic_elab_host, name, mac, ip, "s_axis", "m_axis_packet", answers)
        self.received, self._records, self._frames = [], deque(), deque()

    def send(self, pair, data, at=0, dscp=0):
        """Hands over a packet at this clock: the header of its transport, and its data."""
        self.bench.put("packet", at=at, pair=pair, dscp=dscp, length=len(data))
        if data:
            self.bench.put_frame("s_axis_packet", data, at=at)

    def run(self, clocks):
        """So many clocks; the frames that have left, each with the clock of its last beat."""
        self.bench.run(clocks)
        self._records.extend(self.bench.take_all("m_record"))
        self._frames.extend(frame for frame, _ in self.bench.take_frames("m_axis"))
        # A record may leave before the last beat of its frame, or behind it.
        while self._records and self._frames:
            record, frame = self._records.popleft(), self._frames.popleft()
            begin, length = record.payload_offset, record.payload_length
            # A frame without bytes carries a report alone.
            if record.found and length:
                self.received.append(Packet(record.pair, record.udp_0 >> 16, frame[begin : begin + length]))
        return self.left()


def open_pair(cable, a, b, pair, ports, bandwidth):
    """Opens a pair at both ends, with a VP for each UDP source port. `bandwidth` is that of the link, in packets per unit of time."""
    for here, there in (b, a), (a, b):
        response = cable.command(
            here, op=OPEN, pair=pair, source_mac=here.mac, destination_mac=there.mac,
            source_ip_0=here.ip, destination_ip_0=there.ip,
        )
        for port in ports:
            add_path(cable, here, pair, port, bandwidth)
        print(f"{here.name}: pair {pair} is open: {response.open}, with {len(ports)} VPs")


def close_pair(cable, a, b, pair, ports):
    """Closes it at both ends, and removes its VPs."""
    for here in a, b:
        response = cable.command(here, op=CLOSE, pair=pair)
        removed = sum(remove_path(cable, here, pair, port) for port in ports)
        print(f"{here.name}: closed: {response.done}, VPs removed: {removed}")


def set_network(host, rtt, packets, unit):
    """The settings for an RTT in units of time, with so many packets of the link in it; a unit has so many clocks."""
    burst = max(packets // 2, 10)
    # A rate is the average of the last ones, of which the new one has a weight of 0.3.
    settings = {"alpha": 77, "window": max(rtt // 8, 2), "explore": 200 * rtt, "burst": burst, "silence": 3 * rtt // 2}
    host.bench.put("elab_scheduler_settings", **settings)
    host.bench.put("elab_feedback_settings", burst=burst, report_time=rtt * unit)


def add_path(cable, host, pair, port, bandwidth):
    """Adds a VP."""
    # 16 fraction bits.
    response = cable.command(host, PATHS, op=ADD, pair=pair, sport=port, bandwidth=int(bandwidth * 65536))
    if not response.done:
        raise RuntimeError(f"{host.name}: VP {port:#x} of pair {pair} is not added: there is one of its number")


def read_path(cable, host, pair, port):
    """The bandwidth and the rate of a VP, in packets per unit of time, and whether it is dead; `None` if it is not there."""
    response = cable.command(host, PATHS, op=READ, pair=pair, sport=port)
    return (response.bandwidth / 65536, response.rate / 65536, response.dead) if response.present else None


def remove_path(cable, host, pair, port):
    """Removes a VP; whether it was there."""
    return bool(cable.command(host, PATHS, op=REMOVE, pair=pair, sport=port).done)
