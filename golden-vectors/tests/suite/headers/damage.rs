// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames that are cut or damaged: no panic, one verdict, and what passes is still put together again.

use super::arbitrary::sample;
use super::captures::{all, examine};
use golden_vectors::Verdict;
use golden_vectors::headers::codec::{MpehIndicator, Options, Strictness, write};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::sync::LazyLock;

static FRAMES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(all);

/// Rows 2, 4, 7 and 9: a frame that passes is dropped if it ends before its IP packet does, and passes with any less
/// padding.
#[test]
fn every_frame_cut_at_every_byte() {
    let options = Options::default();
    let mut cuts = 0;
    for frame in FRAMES.iter() {
        let whole = examine(frame, &options);
        let end = match &whole.record.network {
            Some(_) => whole.trailer.start + usize::from(whole.record.slack),
            None => 14,
        };
        for length in 0..frame.len() {
            let cut = examine(&frame[..length], &options);
            cuts += 1;
            if whole.verdict == Verdict::Ok && whole.record.network.is_some() {
                let verdict = if length < end { Verdict::Drop } else { Verdict::Ok };
                assert_eq!(cut.verdict, verdict, "{length} of {} bytes, packet ends at {end}", frame.len());
            }
        }
    }
    assert!(cuts > 50_000, "{cuts}");
}

fn options() -> impl Strategy<Value = Options> {
    let marks = select(vec![MpehIndicator::Bit, MpehIndicator::OpCode]);
    let strictness = select(vec![Strictness::Ignore, Strictness::Count, Strictness::Refuse]);
    (any::<[bool; 3]>(), select(vec![253, 6, 17]), select(vec![6, 17, 99]), marks, strictness).prop_map(
        |([rocev2, uet, elab], uet_protocol, tunnelled, mpeh, reserved)| Options {
            rocev2,
            uet,
            elab,
            uet_protocol,
            tunnelled,
            mpeh,
            reserved,
            ..Options::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(8000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_captures(
        which: Index,
        damage in vec((any::<Index>(), any::<u8>()), 0..8),
        length: Index,
        cut: bool,
        options in options(),
    ) {
        let mut frame = which.get(&FRAMES).clone();
        for (at, value) in damage {
            let at = at.index(frame.len());
            frame[at] = value;
        }
        if cut {
            frame.truncate(length.index(frame.len() + 1));
        }
        examine(&frame, &options);
    }

    #[test]
    fn damaged_samples(sample in sample(), damage in vec((0..90usize, any::<u8>()), 0..4), options in options()) {
        let mut frame = write(&sample.record, &sample.payload, &sample.trailer);
        for (at, value) in damage {
            if let Some(byte) = frame.get_mut(at) {
                *byte = value;
            }
        }
        examine(&frame, &options);
    }

    #[test]
    fn noise(noise in vec(any::<u8>(), 0..200), options in options()) {
        examine(&noise, &options);
    }
}
