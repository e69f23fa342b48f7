# SPDX-License-Identifier: MIT OR Apache-2.0
"""What stands at an end of a wire: the model of a NIC or of an ELAB host, its addresses, and the answers to commands."""


class Station:
    """`model` is the Python module that `mpnic model` wrote. Frames from the wire come on the stream `incoming`, those to it leave on
    `outgoing`; commands are answered on each interface of `answers` that the model has."""

    def __init__(self, model, name, mac, ip, incoming, outgoing, answers):
        self.name, self.mac, self.ip, self.bench, self.responses = name, mac, ip, model.Bench(), []
        self._incoming, self._outgoing = incoming, outgoing
        self._answers = [answer for answer in answers if answer in model.INTERFACES]
        # Tables are swept after reset.
        while self.bench.read().busy:
            self.bench.run(64)

    def arrive(self, at, frame):
        """A frame that comes from the wire at this clock."""
        self.bench.put_frame(self._incoming, frame, at=at)

    def left(self):
        """The frames that have left, each with the clock of its last beat. The answers to commands are taken, too."""
        for answer in self._answers:
            self.responses.extend(self.bench.take_all(answer))
        return [(beat.at, frame) for frame, beat in self.bench.take_frames(self._outgoing)]
