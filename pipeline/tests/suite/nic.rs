// SPDX-License-Identifier: MIT OR Apache-2.0
//! What joins the two paths of a NIC: frames stay whole and in order whatever stalls, and each record is taken once by both.
#![allow(missing_docs)]

use pipeline::nic::frame_mux::{ANSWERS, FrameMux};
use pipeline::nic::records::RecordFork;
use proptest::prelude::*;
use rtl_model::model::Instance;
use rtl_model::stream::{Axis, Ready};
use rtl_model::{Bits, Model, Wide};

fn bit(value: bool) -> Bits<Model> {
    Bits::lit(1, value.into())
}

/// Frames of these lengths in beats, whose beats are numbered from `base` on.
struct Source {
    lengths: Vec<usize>,
    frame: usize,
    beat: usize,
    next: u64,
    /// The beat at the front has been offered.
    offered: bool,
}

impl Source {
    fn new(lengths: Vec<usize>, base: u64) -> Self {
        Source { lengths, frame: 0, beat: 0, next: base, offered: false }
    }

    /// The beat, if there is one in this clock cycle; it stays once it was offered.
    fn axis(&mut self, pauses: bool) -> Axis<Model> {
        let length = self.lengths.get(self.frame);
        self.offered = length.is_some() && (self.offered || !pauses);
        Axis {
            tvalid: bit(self.offered),
            tdata: Wide::lit(16, self.next),
            tkeep: Wide::lit(2, 3),
            tlast: bit(length.is_some_and(|length| self.beat + 1 == *length)),
            tid: None,
            tdest: None,
            tuser: Wide::lit(1, 0),
        }
    }

    fn taken(&mut self) {
        let last = self.beat + 1 == self.lengths[self.frame];
        (self.frame, self.beat) = if last { (self.frame + 1, 0) } else { (self.frame, self.beat + 1) };
        (self.next, self.offered) = (self.next + 1, false);
    }
}

/// The number of a beat.
fn number(beat: &Axis<Model>) -> u64 {
    beat.tdata.value().used()[0]
}

/// Beats of data are numbered from here.
const DATA: u64 = 0x8000;

proptest! {
    #[test]
    fn frames_stay_whole_and_in_order(
        answers in prop::collection::vec(1_usize..4, 0..40),
        data in prop::collection::vec(1_usize..6, 0..20),
        pattern in prop::collection::vec((any::<bool>(), any::<bool>(), prop::bool::weighted(0.8)), 1..300),
    ) {
        let mux = FrameMux::new();
        let mut sources = [Source::new(answers, 0), Source::new(data, DATA)];
        let (mut current, mut held, mut row) = (None, None, 0);
        for (answer_pauses, data_pauses, ready) in pattern {
            let offered = [sources[0].axis(answer_pauses), sources[1].axis(data_pauses)];
            let mac = Ready { tready: bit(ready) };
            let joined = mux.joined(offered[0], offered[1]);
            let readies = mux.ready(&offered[0], &offered[1], mac).map(|ready| ready.tready.value() == 1);
            let beat = (joined.tvalid.value() == 1).then(|| (number(&joined), joined.tlast.value()));
            if let Some(held) = held {
                prop_assert_eq!(beat, Some(held), "what is offered stays");
            }
            held = beat.filter(|_| !ready);
            let valid = [0, 1].map(|i| offered[i].tvalid.value() == 1);
            prop_assert!(beat.is_some() || current.is_some() || valid == [false; 2], "it waits for nothing");
            let mut moved = 0;
            for i in 0..2 {
                if readies[i] && valid[i] {
                    let expected = (sources[i].next, offered[i].tlast.value());
                    prop_assert_eq!(beat, Some(expected));
                    prop_assert!(current.is_none_or(|of| of == i), "a frame is whole");
                    let ends = offered[i].tlast.value() == 1;
                    current = (!ends).then_some(i);
                    if ends {
                        row = if i == 0 && valid[1] { row + 1 } else { 0 };
                        prop_assert!(row <= ANSWERS, "{row} answers before data");
                    }
                    sources[i].taken();
                    moved += 1;
                }
            }
            prop_assert_eq!(moved, u64::from(beat.is_some() && ready));
            mux.clock(offered[0], offered[1], mac);
        }
    }

    #[test]
    fn each_record_is_taken_once_by_both(pattern in prop::collection::vec((any::<bool>(), any::<bool>(), any::<bool>()), 1..300)) {
        let fork = RecordFork::new();
        let (mut record, mut offered, mut taken) = (0, false, [0, 0]);
        for (comes, host, transmit) in pattern {
            offered |= comes;
            let ready = [bit(host), bit(transmit)];
            let valid = fork.valid(bit(offered)).map(|valid| valid.value() == 1);
            for (i, ready) in [host, transmit].into_iter().enumerate() {
                prop_assert_eq!(valid[i], offered && taken[i] == record, "who has it is not offered it");
                taken[i] += u64::from(valid[i] && ready);
            }
            let leaves = offered && fork.ready(ready).value() == 1;
            prop_assert_eq!(leaves, offered && taken == [record + 1; 2]);
            fork.clock(bit(offered), ready);
            if leaves {
                (record, offered) = (record + 1, false);
            }
        }
    }
}

/// Answers of one beat without end, and a frame of data.
#[test]
fn data_waits_for_some_answers_only() {
    let mux = Instance::new(FrameMux::new);
    let mut sources = [Source::new(vec![1; 100], 0), Source::new(vec![3], DATA)];
    let mac = Ready { tready: bit(true) };
    let mut out = Vec::new();
    for _ in 0..60 {
        let offered = [sources[0].axis(false), sources[1].axis(false)];
        let joined = number(&mux.joined(offered[0], offered[1]));
        out.push(joined);
        sources[usize::from(joined >= DATA)].taken();
        mux.clock(offered[0], offered[1], mac);
    }
    let answers = ANSWERS as usize;
    assert!(out[..answers].iter().all(|beat| *beat < DATA), "{out:x?}");
    assert_eq!(out[answers..answers + 3], [DATA, DATA + 1, DATA + 2]);
    assert!(out[answers + 3..].iter().all(|beat| *beat < DATA), "{out:x?}");
}
