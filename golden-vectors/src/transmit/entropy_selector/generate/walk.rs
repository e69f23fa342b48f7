// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows S1 and S2: the order of the EVs when none is marked.

use super::shapes::SHAPES;
use crate::collect::aim;
use crate::transmit::entropy_selector::script::Script;
use crate::transmit::entropy_selector::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in SHAPES {
        let evs = shape.evs;
        suite.group("walk", "no marks: one EV behind the other", shape, (1000, 128));
        let wrap = aim(&["Boundary"], &["S1", "S2", "U08", "U13"]);
        for start in [0, 1, evs / 2 - 1, evs / 2, evs - 2, evs - 1] {
            let (mut script, at) = Script::opened(shape, start);
            script.requests(at, 0, 4);
            suite.add(format!("start-{start}"), "first grants of a CCC", wrap, script);
        }
        let (mut script, at) = Script::opened(shape, evs - 3);
        let rounds = if evs <= 64 { 2 } else { 1 };
        script.requests(at, 0, rounds * evs + 5);
        suite.add("rounds", "back to back until it comes round", aim(&["BackToBack"], &["S2", "U08", "U13"]), script);
        let (mut script, at) = Script::opened(shape, evs - 6);
        (0..12).for_each(|n| script.request(at + n * 9, 0));
        suite.add("slow", "every grant is out before the next request", wrap, script);
    }
}
