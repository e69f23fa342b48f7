// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how beats, records and answers stand on them.

use super::script::{Event, Ready, Word};
use crate::collect::fields::{Fields, fields};
use crate::collect::ports::{Put, map_of, named};
use crate::collect::runs::{dense, levels, valid};
use crate::frame::frame_gate::oracle::{Beat, Counts, Gate, Inputs, Outputs, Shape};
use crate::schema::timed::{Streams, TimedExpect};
use std::collections::BTreeMap;

/// The beats of a stream. Only the lowest bits of a wider bus are columns.
fn beats(shape: Shape, stream: &'static str) -> Fields<Word> {
    let keep = u32::try_from(shape.data_width / 8).unwrap_or(64).min(64);
    fields!(stream: Word {
        tdata: 64 => |word| word.data,
        tkeep: keep => |word| word.keep,
        tlast: 1 => |word| word.last.into(),
        tuser: 5 => |word| word.user,
    })
}

/// The records of a stream, by their numbers: some fields, the first and the last among them. A record that is mixed up
/// or shifted is seen in them.
fn records(stream: &'static str) -> Fields<u64> {
    fields!(stream: u64 {
        ethernet_0: 32 => |number| number & 0xFFFF,
        header_10: 32 => |number| 0xFFFF_FFFF ^ number & 0xFFFF,
        has_cnp: 1 => |number| number & 1,
        ip_slack: 16 => |number| 0x5A5A ^ number & 0xFFFF,
    })
}

/// The ready ports of the consumers.
fn consumers(shape: Shape) -> Fields<Ready> {
    let frames = fields!(Ready { m_axis_tready: 1 => |ready| ready.frames.into() });
    let records = fields!(Ready { m_record_tready: 1 => |ready| ready.records.into() });
    if shape.records { frames.and(records) } else { frames }
}

fn shown(shape: Shape) -> Fields<Outputs<Word, u64>> {
    let always = fields!(Outputs<Word, u64> {
        s_axis_tready: 1 => |_| 1,
        high_water: shape.beats.trailing_zeros() + 1,
    });
    let records = fields!(Outputs<Word, u64> { s_record_tready: 1 => |out| out.record_ready.into() });
    if shape.records { always.and(records) } else { always }
}

fn counters() -> Fields<Counts> {
    fields!("count": Counts { passed: 32, dropped: 32, overflowed: 32 })
}

/// The input streams, the output streams, and the widths of all other ports.
pub fn ports(shape: Shape) -> (Streams, Streams, BTreeMap<String, u32>) {
    let both = |frames, with: &'static str| -> Streams {
        let records = shape.records.then(|| records(with).columns());
        map_of([beats(shape, frames).columns()].into_iter().chain(records))
    };
    let others = [consumers(shape).widths(), shown(shape).widths(), counters().widths()];
    (both("s_axis", "s_record"), both("m_axis", "m_record"), map_of(others.into_iter().flatten()))
}

/// The values of the ready ports of the consumers.
pub fn standing(shape: Shape, ready: Ready) -> BTreeMap<String, u64> {
    consumers(shape).values(&ready)
}

/// What the events put on the ports.
pub fn puts(shape: Shape, events: &[(u64, Event)]) -> Vec<(u64, Put)> {
    let (consumers, beats, records) = (consumers(shape), beats(shape, "s_axis"), records("s_record"));
    let put = |event| match event {
        Event::Ready(now) => Some(consumers.set(&now)),
        Event::Beat(word) => Some(beats.put(&word)),
        Event::Record(number) => shape.records.then(|| records.put(&number)),
    };
    events.iter().filter_map(|&(cycle, event)| Some((cycle, put(event)?))).collect()
}

/// Runs the oracle and returns its outputs of each cycle.
pub fn run(shape: Shape, first: Ready, events: &[(u64, Event)], cycles: u64) -> Vec<Outputs<Word, u64>> {
    let mut gate = Gate::new(shape);
    let mut now = first;
    let mut events = events.iter().peekable();
    let mut all = Vec::new();
    for cycle in 0..cycles {
        all.push(gate.outputs());
        let mut inputs = Inputs { beat: None, record: None, frame_taken: false, record_taken: false };
        while let Some((_, event)) = events.next_if(|(at, _)| *at <= cycle) {
            match *event {
                Event::Ready(ready) => now = ready,
                Event::Beat(word) => {
                    inputs.beat = Some(Beat { payload: word, last: word.last, drop: word.user & 1 == 1 });
                }
                Event::Record(number) => inputs.record = Some(number),
            }
        }
        gate.clock(Inputs { frame_taken: now.frames, record_taken: now.records, ..inputs });
    }
    all.push(gate.outputs());
    all
}

/// The expected outputs of these cycles.
pub fn expect(shape: Shape, outputs: &[Outputs<Word, u64>], cycles: u64) -> TimedExpect {
    let (all, end) = (dense(outputs), &outputs[cycles as usize]);
    let mut streams = named([beats(shape, "m_axis").rows(valid(&all, cycles, |out| out.beat))]);
    if shape.records {
        streams.extend(named([records("m_record").rows(valid(&all, cycles, |out| out.record))]));
    }
    TimedExpect {
        outputs: streams,
        levels: levels(&all, cycles, &shown(shape)),
        counters: counters().values(&end.counts),
    }
}
