// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row S19: the egress port of each EV.

use super::shapes::shape;
use super::{free_ports, load, modes};
use crate::collect::aim;
use crate::rng::SplitMix64;
use crate::transmit::entropy_selector::oracle::{Kind, Mode, Settings, Shape};
use crate::transmit::entropy_selector::script::{Script, built};
use crate::transmit::entropy_selector::suite::Suite;

/// Adds the groups `egress`, and random events, for two, four and eight ports.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for shape in [shape(1, 16).ports(8), shape(2, 64).ports(2), shape(3, 16).modes(Mode::MASK).ports(4)] {
        ports(suite, shape);
        free_ports::add(suite, shape, rng);
        match shape.modes {
            1 => load::of_shape(suite, shape, rng),
            _ => modes::random(suite, shape, rng),
        }
    }
}

/// A CCC of each mode, also with fewer EVs than ports, and requests that are refused.
fn ports(suite: &mut Suite, shape: Shape) {
    let settings = Settings::new(100, 128).seed(0x369C_5A11).path(1, 1);
    suite.group("egress", "egress ports", shape, settings);
    let rows = aim(&["Egress", "Mode"], &["S3", "S17", "S19"]);
    for n in 0..u64::from(shape.modes.count_ones()) {
        let mode = built(shape, n);
        for space in [0, 1, 3] {
            let mut script = Script::new(shape);
            let at = script.open_sized(0, 3, mode, space);
            script.good(at, 0, [1, 7, 6]);
            script.mark(at + 3, 0, 2);
            script.requests(at - 2, 0, 2 + shape.evs.min(24));
            script.feedback(at + 4, 0, 5, Kind::Nack);
            let id = format!("{mode:?}-{space}").to_lowercase();
            suite.add(id, format!("each EV has its port, in space {space}"), rows, script);
        }
    }
}
