// SPDX-License-Identifier: MIT OR Apache-2.0
//! U07: the EVs of a group never meet.

use golden_vectors::transmit::entropy_selector::oracle::{
    ALL_FREE, Command, Ev, Event, Kind, Mode, Op, Settings, Shape, answer,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// Every stride and space of 16 EVs, with as many CCCs as the stride has residues, and each of them moves.
#[test]
fn u07_each_stride_in_each_space() {
    let shape = Shape::new(16, 16).modes(1 << 3);
    for code in 1..=4 {
        for stride in 0..=5 {
            for fixed in [false, true] {
                let open =
                    |ccc| Command { fixed, ..Command::open(ccc, ccc, Mode::SinglePath) }.stride(stride).space(code);
                let count = (1 << stride).min(16);
                let mut events: Vec<_> = (0..count).map(|ccc| (20 + 25 * ccc, Event::Command(open(ccc)))).collect();
                for round in 0..8 {
                    for ccc in 0..count {
                        let at = 512 + 192 * round + ccc;
                        events.push((at, Event::Request(ccc, ALL_FREE)));
                        events.push((at + 20, Event::Reroute(ccc)));
                    }
                }
                events.sort_by_key(|&(at, _)| at);
                let answer = answer(shape, Settings::new(64, 128), &events);
                assert!(answer.responses.iter().all(|response| response.done == (stride <= code)), "{stride} {code}");
                if stride > code {
                    continue;
                }
                let moves = stride < code;
                let mut now = vec![None; 16];
                for grant in &answer.grants {
                    assert_eq!(grant.index % (1 << stride), grant.ccc % (1 << stride));
                    let before = now[grant.ccc as usize].replace(grant.index);
                    assert!(before.is_none_or(|ev| (ev != grant.index) == moves), "each moves in each round");
                    let same = now.iter().filter(|&&ev| ev == Some(grant.index)).count();
                    assert_eq!(same, 1, "stride {stride}, space {code}: {now:?}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(96), ..ProptestConfig::default() })]

    /// Whatever moves them, and whatever becomes of their spaces.
    #[test]
    fn u07_ccc_of_a_group_never_meet(
        stride in 0..4u64,
        fixed in any::<bool>(),
        seed in any::<u32>(),
        codes in vec(0..5u64, 8),
        dice in vec((0..8u64, 0..8u64, 0..16u64, 0..8u64), 1200),
    ) {
        let shape = Shape::new(8, 16).modes(Mode::MASK);
        let count = 1 << stride;
        let open = |ccc: u64| Command { fixed, rod: ccc % 2 == 1, ..Command::open(ccc, 8 + ccc, Mode::SinglePath) };
        let open = |ccc| Event::Command(open(ccc).stride(stride).class(ccc % 2));
        let mut events: Vec<_> = (0..count).map(|ccc| (10 + 25 * ccc, open(ccc))).collect();
        for (n, code) in (0..).zip(codes) {
            events.push((260 + 100 * n, Event::Command(Command::new(Op::Resize, n % count, 0).space(code))));
        }
        for (at, (asked, told, ev, moved)) in (250..).zip(dice) {
            events.push((at, Event::Request(asked % count, ALL_FREE)));
            events.push((at, Event::Feedback(told % count, Ev::Own(ev), Kind::of(told % 5))));
            // Not in the cycles in which a command is in the way.
            if at % 100 != 78 {
                events.push((at, Event::Reroute(moved % count)));
            }
        }
        events.sort_by_key(|&(at, _)| at);
        let grants = answer(shape, Settings::new(64, 128).seed(seed.into()), &events).grants;
        let mut now = [None; 8];
        for grant in grants.iter().filter(|grant| grant.open) {
            prop_assert_eq!(grant.index % count, grant.ccc % count);
            now[grant.ccc as usize] = Some(grant.index);
            prop_assert_eq!(now.iter().filter(|&&ev| ev == Some(grant.index)).count(), 1, "{:?}", now);
        }
    }
}
