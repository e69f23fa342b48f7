// SPDX-License-Identifier: MIT OR Apache-2.0
//! What must hold of every run of the frame gate, told from the outside, and the committed vectors.

use golden_vectors::frame::frame_gate;
use golden_vectors::frame::frame_gate::oracle::{Beat, Counts, Gate, Inputs, Shape};
use golden_vectors::{Outcome, TimedFile};
use proptest::collection::vec;
use proptest::prelude::*;

/// A frame: its beats, its verdict, cycles ahead of each beat.
#[derive(Clone, Debug)]
struct Frame {
    beats: usize,
    drop: bool,
    pause: usize,
    /// Cycles from the record to the last beat, which it never is behind.
    lead: u64,
}

#[derive(Clone, Debug)]
struct Run {
    shape: Shape,
    frames: Vec<Frame>,
    /// Whether each consumer is ready, over and over.
    ready: Vec<(bool, bool)>,
}

/// What came out of a run: (cycle, number of the frame, number of the beat), and (cycle, number of the frame).
#[derive(Debug, Default)]
struct Out {
    beats: Vec<(u64, usize, usize)>,
    records: Vec<(u64, usize)>,
    counts: Counts,
    /// The cycle of the last beat of each frame.
    ends: Vec<u64>,
}

impl Run {
    fn out(&self) -> Out {
        let mut out = Out::default();
        let mut beats = Vec::new();
        let mut cycle = 0;
        for (number, frame) in self.frames.iter().enumerate() {
            for beat in 0..frame.beats {
                cycle += frame.pause as u64;
                beats.push((cycle, number, beat));
                cycle += 1;
            }
            out.ends.push(cycle - 1);
        }
        // Records in the order of their frames, one in a cycle, none behind its frame's end.
        let mut records: Vec<u64> = Vec::new();
        let mut free = u64::MAX;
        for (number, frame) in self.frames.iter().enumerate().rev() {
            let at = out.ends[number].saturating_sub(frame.lead).min(free.saturating_sub(1));
            records.push(at);
            free = at.max(1);
        }
        records.reverse();
        let mut gate = Gate::new(self.shape);
        let (mut next, mut record) = (0, 0);
        for now in 0..cycle + 3000 {
            let seen = gate.outputs();
            let (frame_taken, record_taken) = match now > cycle {
                true => (true, true),
                false => self.ready[now as usize % self.ready.len()],
            };
            if frame_taken && let Some((number, beat)) = seen.beat {
                out.beats.push((now, number, beat));
            }
            if record_taken && let Some(number) = seen.record {
                out.records.push((now, number));
            }
            let beat = beats.get(next).filter(|(at, _, _)| *at == now).map(|&(_, number, beat)| {
                let frame = &self.frames[number];
                Beat { payload: (number, beat), last: beat + 1 == frame.beats, drop: frame.drop }
            });
            next += usize::from(beat.is_some());
            // A late record is one that was not taken in its cycle.
            let offered = records.get(record).filter(|at| **at <= now).map(|_| record);
            record += usize::from(offered.is_some() && seen.record_ready);
            gate.clock(Inputs { beat, record: offered, frame_taken, record_taken });
        }
        out.counts = gate.outputs().counts;
        out
    }

    /// The frames that came out, by their beats.
    fn passed(out: &Out) -> Vec<usize> {
        out.beats.iter().filter(|(_, _, beat)| *beat == 0).map(|&(_, number, _)| number).collect()
    }
}

prop_compose! {
    fn run()(
        latency in 1..4u64,
        beats in 1..6u32,
        frames in 1..4u32,
        mark in any::<bool>(),
        list in vec((1..9usize, any::<bool>(), 0..3usize, 0..12u64), 1..80),
        ready in vec((any::<bool>(), any::<bool>()), 1..12),
    ) -> Run {
        let frame = |(beats, drop, pause, lead)| Frame { beats, drop, pause, lead };
        let shape = Shape { mark, ..Shape::new(1 << beats, 1 << frames, latency) };
        Run { shape, frames: list.into_iter().map(frame).collect(), ready }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(128), ..ProptestConfig::default() })]

    /// F2 and F3: what comes out are whole frames, in order, each with its record; every frame is counted once.
    #[test]
    fn whole_frames_come_out_with_their_records(run in run()) {
        let out = run.out();
        let passed = Run::passed(&out);
        prop_assert!(passed.is_sorted_by(|a, b| a < b));
        let expected: Vec<_> =
            passed.iter().flat_map(|&number| (0..run.frames[number].beats).map(move |beat| (number, beat))).collect();
        prop_assert_eq!(out.beats.iter().map(|&(_, number, beat)| (number, beat)).collect::<Vec<_>>(), expected);
        prop_assert_eq!(out.records.iter().map(|&(_, number)| number).collect::<Vec<_>>(), passed.clone());
        let Counts { passed: good, dropped, overflowed } = out.counts;
        prop_assert_eq!(good + dropped + overflowed, run.frames.len() as u64);
        let bad = run.frames.iter().filter(|frame| frame.drop).count() as u64;
        match run.shape.mark {
            false => {
                prop_assert_eq!(dropped, bad);
                prop_assert!(passed.iter().all(|&number| !run.frames[number].drop));
                prop_assert_eq!(good, passed.len() as u64);
            }
            true => prop_assert_eq!(good + dropped, passed.len() as u64),
        }
    }

    /// F4: no frame begins sooner than its end allows, and none has a gap that its consumer did not make.
    #[test]
    fn a_frame_begins_when_it_is_there_and_has_no_gap(run in run()) {
        let out = Run { ready: vec![(true, true)], ..run.clone() }.out();
        for pair in out.beats.windows(2) {
            let [(at, number, _), (next, other, _)] = [pair[0], pair[1]];
            prop_assert!(number != other || next == at + 1);
        }
        for &(at, number, beat) in out.beats.iter().filter(|(_, _, beat)| *beat == 0) {
            prop_assert!(at >= out.ends[number] + run.shape.ram_latency + 4, "frame {}, beat {}", number, beat);
        }
    }

    /// A record that came by the end of its frame is there when the frame begins.
    #[test]
    fn a_record_is_there_when_its_frame_begins(run in run()) {
        let out = Run { ready: vec![(true, true)], ..run }.out();
        let begins = out.beats.iter().filter(|(_, _, beat)| *beat == 0);
        for (&(begin, number, _), &(record, of)) in begins.zip(&out.records) {
            prop_assert_eq!(number, of);
            prop_assert!(record <= begin, "frame {} begins in {}, its record comes in {}", number, begin, record);
        }
    }

    /// F2: with room for all nothing is lost.
    #[test]
    fn with_room_nothing_is_lost(run in run()) {
        let shape = Shape { beats: 1024, frames: 128, ..run.shape };
        prop_assert_eq!(Run { shape, ..run }.out().counts.overflowed, 0);
    }

    /// F2: a frame longer than the memory is lost alone.
    #[test]
    fn a_long_frame_is_lost_alone(latency in 1..4u64, long in 17..60usize, drop in any::<bool>()) {
        let frame = |beats, drop| Frame { beats, drop, pause: 0, lead: 0 };
        let frames = vec![frame(4, false), frame(long, drop), frame(4, false), frame(1, false)];
        let out = Run { shape: Shape::new(16, 4, latency), frames, ready: vec![(true, true)] }.out();
        prop_assert_eq!(Run::passed(&out), vec![0, 2, 3]);
    }
}

/// One frame of one beat in every cycle, in and out.
#[test]
fn one_frame_a_cycle() {
    for latency in 1..4 {
        let frames = vec![Frame { beats: 1, drop: false, pause: 0, lead: 3 }; 200];
        let out = Run { shape: Shape::new(16, 16, latency), frames, ready: vec![(true, true)] }.out();
        assert_eq!(out.counts, Counts { passed: 200, dropped: 0, overflowed: 0 });
        let first = latency + 4;
        assert!((first..).zip(&out.beats).all(|(cycle, (at, _, _))| cycle == *at), "latency {latency}");
        assert!((first..).zip(&out.records).all(|(cycle, (at, _))| cycle == *at), "latency {latency}");
    }
}

#[test]
fn the_committed_vectors_are_those_that_are_made() {
    let file = TimedFile::embedded_stage("frame_gate").unwrap().unwrap();
    assert_eq!(file, frame_gate::vectors());
    let counted = |name: &str| file.cases().filter(|case| case.expect.counters[name] > 0).count();
    let counts = ["count_passed", "count_dropped", "count_overflowed"].map(counted);
    assert!(counts.iter().all(|&cases| cases > 50), "{counts:?}");
    assert!(file.cases().filter(|case| case.result == Outcome::Valid).count() > 50);
    for row in 1..=7 {
        let row = format!("F{row}");
        assert!(file.cases().filter(|case| case.rows.contains(&row)).count() > 10, "{row}");
    }
}
