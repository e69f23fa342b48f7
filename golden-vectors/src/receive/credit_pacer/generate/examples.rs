// SPDX-License-Identifier: MIT OR Apache-2.0
//! The example of the page.

use super::shapes;
use crate::collect::aim;
use crate::receive::credit_pacer::oracle::{Settings, Shape, op};
use crate::receive::credit_pacer::script::Script;
use crate::receive::credit_pacer::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CYCLES {
        suite.group("example", "the example of the page", shape, None);
        page(suite, shape);
    }
}

/// Both sources are opened long before, so *level* is at its burst.
fn page(suite: &mut Suite, shape: Shape) {
    let settings = Settings { rate: 1 << 14, quota: 64, burst: 1, advance: 0 };
    let mut script = Script::opened(shape, settings, &[3, 5], 0);
    script.idle(20);
    script.demand(3, 200);
    script.idle(39);
    script.demand(5, 100);
    script.served();
    script.settled();
    for source in [3, 5] {
        script.command(op::READ, source, 0);
    }
    let rows = aim(&["Example"], &["PC3", "PC5", "PC6", "PC7", "PC8"]);
    suite.add("page", "two sources with demand", rows, script);
}
