// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row W11: nothing is written to the settings, so that those after reset are in force. Others stand on the ports.

use crate::collect::aim;
use crate::elab::feedback::oracle::{Settings, Shape};
use crate::elab::feedback::script::Script;
use crate::elab::feedback::suite::Suite;

/// The longest burst and the longest report time of a case; longer ones are left out.
const LONGEST: u64 = 5000;

pub fn add(suite: &mut Suite, shape: Shape) {
    let Settings { burst, report_time, .. } = shape.settings;
    let least = burst.max(2);
    let other = Settings { valid: false, burst: burst ^ 0x1F, report_time: report_time ^ 0x1F };
    if least.min(report_time) > LONGEST {
        return;
    }
    suite.group("reset", "the settings as after reset, and others on the ports that are not valid", shape, other);
    if least <= LONGEST {
        let rows = aim(&["Burst", "Settings", "Boundary"], &["W3", "W7", "W11", "E15", "E16"]);
        for (name, count) in [("complete", least), ("one-less", least - 1)] {
            let (mut script, at) = Script::known(shape, [1]);
            let behind = script.bursts(at, 1, 9, count, 1);
            script.queries(behind, 0, 2);
            suite.add(format!("E16-{name}"), format!("{count} packets of a burst of {burst}"), rows, script);
        }
    }
    if report_time <= LONGEST {
        let rows = aim(&["Due", "Settings", "Boundary"], &["W11", "W12", "W13", "W14", "E16"]);
        let (mut script, at) = Script::new(shape);
        let seen = script.sees_arrival(at, 0);
        script.arrive(seen - shape.arrival_to_visit(), 0, 1);
        // As long as it takes with the time on the port.
        script.wait(seen + report_time.max(other.report_time) + 2 * shape.pairs);
        suite.add("E16-due", format!("a report is due after {report_time} cycles, 0 for never"), rows, script);
    }
}
