// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row S5: the first request that sees a feedback.

use super::shapes::{SHAPES, shape};
use crate::collect::aim;
use crate::transmit::entropy_selector::oracle::{Kind, Shape};
use crate::transmit::entropy_selector::script::Script;
use crate::transmit::entropy_selector::suite::Suite;

/// Adds the groups `seen` and `kind`.
pub fn add(suite: &mut Suite) {
    for shape in [shape(1, 16), shape(4, 32), shape(2, 1024)] {
        seen(suite, shape);
    }
    for shape in SHAPES {
        suite.group("kind", "each kind of feedback on the next EV", shape, (1000, 128));
        for (code, kind) in Kind::ALL.into_iter().enumerate() {
            let (mut script, at) = Script::opened(shape, shape.evs - 1);
            script.feedback(at, 0, shape.evs - 1, kind);
            script.feedback(at + 1, 0, 1, kind);
            script.requests(at + 9, 0, 3);
            suite.add(format!("{code}"), format!("{kind:?}"), aim(&["Kind"], &["S4", "U22", "U23", "U24"]), script);
        }
        for kind in [Kind::Ecn, Kind::Nack, Kind::Timeout] {
            let (mut script, at) = Script::opened(shape, 3);
            script.feedback(at, 0, 3, kind);
            script.feedback(at + 1, 0, 3, Kind::Good);
            script.requests(at + 9, 0, 2);
            let id = format!("good-behind-{}", format!("{kind:?}").to_lowercase());
            suite.add(id, "GOOD does not take a mark away", aim(&["Kind"], &["S4"]), script);
        }
    }
}

/// Adds the group `seen` of one size: feedback at every distance before a request.
pub fn seen(suite: &mut Suite, shape: Shape) {
    suite.group("seen", "a feedback, and a request soon behind it", shape, (1000, 128));
    let edge = aim(&["Boundary"], &["S5", "U10"]);
    for distance in 0..=12 {
        let (mut script, at) = Script::opened(shape, 7);
        script.mark(at + 5, 0, 7);
        script.request(at + 5 + distance, 0);
        suite.add(format!("first-{distance}"), "the first EV of the CCC is marked", edge, script);
    }
    let stream = aim(&["BackToBack", "Boundary"], &["S2", "S5", "U10"]);
    for ahead in 6..=14 {
        let (mut script, at) = Script::opened(shape, shape.evs - 4);
        let end = script.requests(at, 0, 24);
        script.mark(at + 4, 0, shape.evs - 4 + 4 + ahead);
        script.request(end, 0);
        suite.add(format!("ahead-{ahead}"), "the EV is about to be granted when it is marked", stream, script);
    }
}
