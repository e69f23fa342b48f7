// SPDX-License-Identifier: MIT OR Apache-2.0
//! U08: CCCs are independent, on all pipelines of a device; S21 to S23.

use golden_vectors::transmit::entropy_selector::oracle::{
    ALL_FREE, Answer, Command, Event, Mode, Op, Settings, SettingsPorts, Shape, answer, mix,
};
use std::collections::BTreeSet;

const SHAPE: Shape = Shape::new(4096, 256).modes(Mode::MASK);

/// All CCCs of a pipeline are opened in a mode, and each has 16 requests.
fn sixteen(mode: Mode, settings: SettingsPorts) -> Vec<Vec<u64>> {
    let opens = (0..4096).map(|ccc| (4200 + 22 * ccc, Event::Command(Command::open(ccc, 0, mode).random())));
    let asked = (0..16 * 4096).map(|n| (100_000 + n, Event::Request(n % 4096, ALL_FREE)));
    let grants = answer(SHAPE, settings, &opens.chain(asked).collect::<Vec<_>>()).grants;
    (0..4096).map(|ccc| grants.iter().skip(ccc).step_by(4096).map(|grant| grant.ev).collect()).collect()
}

/// No two of 16,384 CCCs share their first 16 grants, nor even their set, in any mode.
#[test]
fn u08_no_two_of_16384_ccc_share_their_first_16_grants() {
    for mode in Mode::ALL {
        let mut sets = BTreeSet::new();
        let mut firsts = BTreeSet::new();
        for pipeline in 0..4 {
            for grants in sixteen(mode, Settings { rtt: 1 << 20, ..Settings::DEFAULT }.pipeline(pipeline)) {
                assert_eq!(grants.len(), 16);
                firsts.insert(grants.clone());
                sets.insert(grants.into_iter().collect::<BTreeSet<_>>());
            }
        }
        assert_eq!(firsts.len(), 16384, "{mode:?}");
        if !matches!(mode, Mode::Oblivious | Mode::Reps) {
            assert_eq!(sets.len(), 16384, "{mode:?}");
        }
    }
}

/// S23: of every seed all pairs of upper bits and start differ; starts and upper bits are spread evenly.
#[test]
fn u08_s23_places_differ_for_every_seed() {
    for seed in [0, 1, 0x9E37_79B9, 0xFFFF_FFFF, 0x8000, 0x1_0000, 0xDEAD_BEEF] {
        let settings = Settings::DEFAULT.seed(seed);
        let all = |openings| {
            let of = move |number: u64| mix(SHAPE, settings, (number / 4096, number % 4096), openings);
            (0..16384u64).map(of).collect::<Vec<_>>()
        };
        for openings in [0, 1, 15] {
            let places: BTreeSet<_> = all(openings).iter().map(|mixed| (mixed.upper, mixed.start % 256)).collect();
            assert_eq!(places.len(), 16384, "{seed:#x}");
        }
        // Another opening of the same CCC has other upper bits than the one before.
        assert!(all(0).iter().zip(all(1)).all(|(one, other)| one.upper != other.upper));
        // CCCs with adjacent numbers do not begin beside each other.
        let near = all(0).windows(2).filter(|pair| (pair[0].start ^ pair[1].start) % 256 < 2).count();
        assert!(near < 16384 / 64, "{seed:#x}: {near}");
    }
}

/// Seeds of two devices: hardly a CCC has the same place in both.
#[test]
fn u08_devices_differ() {
    let place = |seed, ccc| {
        let mixed = mix(SHAPE, Settings::DEFAULT.seed(seed), (0, ccc), 0);
        (mixed.upper, mixed.start, mixed.word)
    };
    for (one, other) in [(0, 1), (1, 2), (0x9E37_79B9, 0x9E37_79BA), (7, 7 << 16)] {
        let same = (0..4096).filter(|&ccc| place(one, ccc) == place(other, ccc)).count();
        assert!(same < 4, "{one:#x} {other:#x}: {same}");
    }
}

/// The opening of a CCC in cycle 5000 or so, and its grants.
fn first(shape: Shape, open: Command, settings: Settings) -> Answer {
    answer(shape, settings, &[(4200, Event::Command(open)), (4300, Event::Request(open.ccc, ALL_FREE))])
}

#[test]
fn s21_u08_the_start_is_random_unless_it_is_fixed() {
    for mode in Mode::ALL {
        let starts = |open: fn(Command) -> Command| {
            let of = |ccc| first(SHAPE, open(Command::open(ccc, 77, mode)), Settings::DEFAULT).grants[0].index;
            (0..64).map(of).collect::<Vec<_>>()
        };
        assert_eq!(starts(|open| open), [77; 64], "{mode:?}");
        let random: BTreeSet<_> = starts(Command::random).into_iter().collect();
        assert!(random.len() > 40, "{mode:?}: {random:?}");
        // A group: the lowest bits are those of the command.
        assert!(starts(|open| open.random().stride(3)).iter().all(|ev| ev % 8 == 77 % 8));
        assert!(starts(|open| open.random().space(4)).iter().all(|&ev| ev < 16));
    }
}

#[test]
fn s22_the_wire_is_in_its_range_and_never_0() {
    for (base, range) in [(49152, 16384), (256, 256), (32768, 32768), (1024, 1024)] {
        let shape = SHAPE.wire(base, range);
        for seed in [0, 1, 0x1234_5678, 0xFFFF_FFFF] {
            for ccc in (0..4096).step_by(5) {
                for openings in [0, 7] {
                    let upper = mix(shape, Settings::DEFAULT.seed(seed), (3, ccc), openings).upper;
                    let numbers = base + upper * 256..=base + upper * 256 + 255;
                    assert!(*numbers.start() >= base && *numbers.end() < base + range && *numbers.start() != 0);
                }
            }
        }
    }
}

#[test]
fn s23_openings_are_counted_if_they_are_done() {
    let shape = Shape::new(2, 16).modes(Mode::MASK);
    let settings = Settings::new(1000, 128);
    let mut events = Vec::new();
    let mut at = 10;
    for _ in 0..20 {
        // The second is refused, as it is open, and the third, as there is no such mode.
        for command in [
            Command::open(0, 0, Mode::Bitmap).random(),
            Command::open(0, 0, Mode::Bitmap).random(),
            Command::new(Op::Open, 1, 0).mode(7),
            Command::new(Op::Close, 0, 0),
        ] {
            events.push((at, Event::Command(command)));
            at += 25;
        }
        events.push((at - 30, Event::Request(0, ALL_FREE)));
    }
    events.sort_by_key(|&(at, _)| at);
    let grants = answer(shape, settings, &events).grants;
    for (n, grant) in (0..).zip(&grants) {
        let mixed = mix(shape, settings, (0, 0), n);
        assert_eq!(grant.ev, shape.wire_base + mixed.upper * 16 + mixed.start % 16, "{n}");
    }
    // Modulo 16.
    assert_eq!(grants[0].ev, grants[16].ev);
    assert_eq!(grants[..16].iter().map(|grant| grant.ev).collect::<BTreeSet<_>>().len(), 16);
}
