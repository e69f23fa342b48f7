# SPDX-License-Identifier: MIT OR Apache-2.0
"""Events into `tally`, a table of counters: a port with valid alone, that takes an event every clock."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge

EVENTS = 2000


@cocotb.test()
async def counts(dut):
    """Every event is answered by the new value of its row, in order."""
    draw = random.Random(1)
    cocotb.start_soon(Clock(dut.clk, 4, "ns").start())
    dut.event_valid.value = 0
    dut.rst.value = 1
    await RisingEdge(dut.clk)
    await RisingEdge(dut.clk)
    dut.rst.value = 0
    # After a reset the table is swept; until then nothing may be sent.
    await RisingEdge(dut.clk)
    while not dut.ready.value:
        await RisingEdge(dut.clk)
    width, rows, values, answers = len(dut.done_value), len(dut.event_row), {}, []
    sent = 0
    while sent < EVENTS or answers:
        await RisingEdge(dut.clk)
        dut.event_valid.value = valid = int(sent < EVENTS and draw.random() < 0.8)
        # Few rows, so that events meet in the pipeline.
        row, amount = draw.choice([0, 1, 2, 2**rows - 1]), draw.getrandbits(len(dut.event_amount))
        dut.event_row.value, dut.event_amount.value = row, amount
        if valid:
            values[row] = (values.get(row, 0) + amount) % 2**width
            answers.append((row, values[row]))
            sent += 1
        await ReadOnly()
        if dut.done_valid.value:
            assert (int(dut.done_row.value), int(dut.done_value.value)) == answers.pop(0)
    assert sent == EVENTS
    dut._log.info("%d events", sent)
