# SPDX-License-Identifier: MIT OR Apache-2.0
"""Frames through `header_parser`: verdicts, records and counters against what went in."""

import os
import random
from collections import Counter

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource
from cocotbext.axi.stream import define_stream
from frames import REASONS, cases

# The record is a stream without tdata: these are the fields that are looked at.
FIELDS = ["l3", "vlan_count", "transport", "has_mpeh", "transport_words", "payload_offset", "payload_length", "udp_0"]
FIELDS += [f"header_{i}" for i in range(3)] + [f"mpeh_{i}" for i in range(2)]


def pauses(draw, share):
    """1 where a stream is held, in so many of the cycles."""
    while True:
        yield draw.random() < share


class Bench:
    """The stage with a source and two sinks."""

    def __init__(self, dut):
        cocotb.start_soon(Clock(dut.clk, 4, "ns").start())
        self.dut = dut
        self.source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.clk, dut.rst)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk, dut.rst)
        record_bus, _, _, record_sink, _ = define_stream("Record", signals=["tvalid", "tready", *FIELDS])
        self.records = record_sink(record_bus.from_prefix(dut, "m_record"), dut.clk, dut.rst)
        # Without it its frames are plain UDP.
        self.has_rocev2 = os.environ.get("ROCEV2", "1") == "1"

    async def reset(self):
        """One cycle is enough; `rst` is synchronous and active high."""
        self.dut.rst.value = 1
        await ClockCycles(self.dut.clk, 2)
        self.dut.rst.value = 0
        await ClockCycles(self.dut.clk, 1)


async def check(dut, seed, count, share):
    """Sends frames, with all three streams held in a share of the cycles."""
    draw, bench = random.Random(seed), Bench(dut)
    for stream in (bench.source, bench.sink, bench.records):
        stream.set_pause_generator(pauses(draw, share))
    await bench.reset()
    sent = cases(draw, count, bench.has_rocev2)
    for case in sent:
        # The mark of the MAC counts on the last beat.
        await bench.source.send(AxiStreamFrame(case.data, tuser=[0] * (len(case.data) - 1) + [case.marked]))
    for index, case in enumerate(sent):
        frame, record = await bench.sink.recv(compact=False), await bench.records.recv()
        # Bytes that count: those of the last beat that are not kept do not.
        kept = [at for at, keep in enumerate(frame.tkeep) if keep]
        assert bytes(frame.tdata[at] for at in kept) == case.data, f"frame {index} has changed"
        verdict = int(frame.tuser[kept[-1]])
        drop, reason = verdict & 1, REASONS[verdict >> 1 & 0xF]
        assert (drop, reason) == (case.reason != "none", case.reason), f"frame {index}"
        got = {name: int(getattr(record, name)) for name in case.record}
        assert got == case.record, f"frame {index}"
    await ClockCycles(dut.clk, 20)
    assert bench.sink.empty() and bench.records.empty(), "more came out than went in"
    expected = Counter(case.reason for case in sent)
    counters = {name: int(getattr(dut, f"count_{name}").value) for name in REASONS if name}
    assert counters == {name: expected[name] for name in counters}
    assert len(expected) >= 6, f"kinds of frames: {expected}"
    dut._log.info("%d frames, %d of them dropped", count, count - expected["none"])


@cocotb.test()
async def with_pauses(dut):
    """All streams held in three of ten cycles."""
    await check(dut, seed=1, count=300, share=0.3)


@cocotb.test()
async def at_full_rate(dut):
    """No stream is ever held."""
    await check(dut, seed=2, count=300, share=0)
