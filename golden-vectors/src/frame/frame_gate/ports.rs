// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of the stage, and how beats, records and answers are written as rows of their streams.

use super::script::{Event, Ready, Word};
use crate::collect::ports::{Put, named, streams};
use crate::frame::frame_gate::oracle::{Beat, Gate, Inputs, Outputs, Shape};
use crate::schema::timed::{Row, Span, Streams, TimedExpect};
use std::collections::BTreeMap;

/// The columns of a beat. Only the lowest bits of a wider bus are columns.
const BEAT: [(&str, u32); 4] = [("tdata", 64), ("tkeep", 8), ("tlast", 1), ("tuser", 5)];
/// Some fields of a record, the first and the last among them. A record that is mixed up or shifted is seen in them.
const RECORD: [(&str, u32); 4] = [("ethernet_0", 32), ("header_10", 32), ("has_cnp", 1), ("ip_slack", 16)];

/// The columns of a beat on a bus of this width.
fn beat_columns(shape: Shape) -> Vec<(&'static str, u32)> {
    let keep = u32::try_from(shape.data_width / 8).unwrap_or(64).min(64);
    BEAT.into_iter().map(|(name, width)| (name, if name == "tkeep" { keep } else { width })).collect()
}

fn both(shape: Shape, frames: &str, records: &str) -> Streams {
    let beat = beat_columns(shape);
    match shape.records {
        true => streams(&[(frames, &beat), (records, &RECORD)]),
        false => streams(&[(frames, &beat)]),
    }
}

/// The input streams, with their columns.
pub fn inputs(shape: Shape) -> Streams {
    both(shape, "s_axis", "s_record")
}

/// The output streams, with their columns.
pub fn outputs(shape: Shape) -> Streams {
    both(shape, "m_axis", "m_record")
}

/// The ports that belong to no stream, with their widths.
pub fn widths(shape: Shape) -> BTreeMap<String, u32> {
    let mut widths = named([
        ("s_axis_tready", 1),
        ("m_axis_tready", 1),
        ("count_passed", 32),
        ("count_dropped", 32),
        ("count_overflowed", 32),
        ("high_water", shape.beats.trailing_zeros() + 1),
    ]);
    if shape.records {
        widths.extend(named([("s_record_tready", 1), ("m_record_tready", 1)]));
    }
    widths
}

/// The values of the ready ports of the consumers.
pub fn ready(shape: Shape, Ready { frames, records }: Ready) -> BTreeMap<String, u64> {
    let mut ports = named([("m_axis_tready", u64::from(frames))]);
    if shape.records {
        ports.extend(named([("m_record_tready", records.into())]));
    }
    ports
}

fn beat(Word { data, keep, last, user }: Word) -> Row {
    vec![data, keep, last.into(), user]
}

fn record(number: u64) -> Row {
    let number = number & 0xFFFF;
    vec![number, 0xFFFF_FFFF ^ number, number & 1, 0x5A5A ^ number]
}

/// Converts an event to a row of an input stream, or to new values of the settings ports.
pub fn put(shape: Shape, event: Event) -> Option<Put> {
    match event {
        Event::Ready(now) => Some(Put::Settings(ready(shape, now))),
        Event::Beat(word) => Some(Put::Row("s_axis", beat(word))),
        Event::Record(number) => shape.records.then(|| Put::Row("s_record", record(number))),
    }
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

/// Converts the level of a port in each cycle to spans of equal level.
fn spans(levels: impl Iterator<Item = u64>) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (cycle, level) in (0..).zip(levels) {
        match spans.last_mut() {
            Some([_, last, value]) if *value == level => *last = cycle,
            _ => spans.push([cycle, cycle, level]),
        }
    }
    spans
}

/// The expected outputs of these cycles.
pub fn expect(shape: Shape, outputs: &[Outputs<Word, u64>]) -> TimedExpect {
    let Some((end, cycles)) = outputs.split_last() else { return TimedExpect::default() };
    let with_cycle = |cycle: u64, row: Row| [cycle].into_iter().chain(row).collect::<Row>();
    let beats = (0..).zip(cycles).filter_map(|(cycle, out)| Some(with_cycle(cycle, beat(out.beat?))));
    let records = (0..).zip(cycles).filter_map(|(cycle, out)| Some(with_cycle(cycle, record(out.record?))));
    let mut streams = named([("m_axis", beats.collect())]);
    let mut levels = named([
        ("s_axis_tready", spans(cycles.iter().map(|_| 1))),
        ("high_water", spans(cycles.iter().map(|out| out.high_water))),
    ]);
    if shape.records {
        streams.extend(named([("m_record", records.collect())]));
        levels.extend(named([("s_record_tready", spans(cycles.iter().map(|out| out.record_ready.into())))]));
    }
    let counters = named([
        ("count_passed", end.counts.passed),
        ("count_dropped", end.counts.dropped),
        ("count_overflowed", end.counts.overflowed),
    ]);
    TimedExpect { outputs: streams, levels, counters }
}
