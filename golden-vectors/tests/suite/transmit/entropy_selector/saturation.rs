// SPDX-License-Identifier: MIT OR Apache-2.0
//! U12: the fraction is of the CCC's own space.

use super::help::{feedback, request, run_on};
use golden_vectors::transmit::entropy_selector::oracle::{Command, Kind, Mode, Settings, Shape};

/// Of every space, with every number of marks: at half nothing is skipped any more, and no earlier.
#[test]
fn u12_half_of_each_space_stops_skipping() {
    for (evs, spaces) in [(16, 1..=4), (256, 5..=8), (1024, 10..=10)] {
        let shape = Shape::new(1, evs).modes(Mode::MASK);
        for code in spaces {
            let size: u64 = 1 << code;
            for mode in [Mode::Bitmap, Mode::Mixed, Mode::Penalty] {
                let step = if size > 64 { size / 16 - 1 } else { 1 };
                let counts = (0..=size).step_by(step as usize).chain([size / 2, size / 2 + 1, size - 1, size]);
                for count in counts {
                    let marks = (0..count).map(|ev| feedback(40 + ev, ev, Kind::Ecn));
                    let events: Vec<_> = marks.chain([request(60 + size)]).collect();
                    let open = Command::open(0, 0, mode).space(code);
                    let grant = run_on(shape, open, Settings { rtt: 5000, ..Settings::DEFAULT }, &events).grants[0];
                    assert_eq!(grant.saturated, count > size / 2, "{count} of {size}");
                    assert_eq!(grant.index, if count > size / 2 { 0 } else { count });
                }
            }
        }
    }
}

/// The case of the old limit: 60 of 64 EVs marked.
#[test]
fn u12_sixty_of_sixty_four() {
    let shape = Shape::new(1, 256);
    let marks = (0..60).map(|ev| feedback(40 + ev, ev, Kind::Nack));
    let events: Vec<_> = marks.chain((120..184).map(request)).collect();
    let grants = run_on(shape, Command::open(0, 0, Mode::Bitmap).space(6), Settings::DEFAULT, &events).grants;
    assert!(grants.iter().all(|grant| grant.saturated));
    assert!(grants.iter().zip(0..).all(|(grant, ev)| grant.index == ev));
}
