// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row W11: nothing is written to the setting, so that after reset is in force. Another one stands on the port.

use crate::collect::aim;
use crate::elab_feedback::oracle::{Settings, Shape};
use crate::elab_feedback::script::Script;
use crate::elab_feedback::suite::Suite;

/// The longest burst of a case; a longer one is left out.
const LONGEST: u64 = 5000;

pub fn add(suite: &mut Suite, shape: Shape) {
    let burst = shape.settings.burst;
    let other = Settings { valid: false, burst: burst ^ 0x1F };
    let least = burst.max(2);
    if least > LONGEST {
        return;
    }
    suite.group("reset", "the setting as after reset, and another one on the port that is not valid", shape, other);
    let rows = aim(&["Burst", "Settings", "Boundary"], &["W3", "W7", "W11", "E15", "E16"]);
    for (name, count) in [("complete", least), ("one-less", least - 1)] {
        let (mut script, at) = Script::known(shape, [1]);
        let behind = script.bursts(at, 1, 9, count, 1);
        script.queries(behind, 0, 2);
        suite.add(format!("E16-{name}"), format!("{count} packets of a burst of {burst}"), rows, script);
    }
}
