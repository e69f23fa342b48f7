// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row V20: nothing is written to the settings, so those after reset are in force. Others stand on the ports.

use crate::collect::aim;
use crate::elab::scheduler::oracle::{Settings, Shape};
use crate::elab::scheduler::script::Script;
use crate::elab::scheduler::suite::Suite;

/// The longest wait of a case in cycles; a longer one is left out.
const LONGEST: u64 = 300_000;

pub fn add(suite: &mut Suite, shape: Shape) {
    let Settings { alpha, window, explore, burst, silence, .. } = shape.settings;
    let others = Settings {
        valid: false,
        alpha: !alpha & 0xFF,
        window: window ^ 0x1F,
        explore: explore ^ 0x1F,
        burst: burst ^ 0x1F,
        silence: silence ^ 0x1F,
    };
    let least = window.max(2);
    let (ends, explores) = (least * shape.unit <= LONGEST, (least + explore) * shape.unit <= LONGEST && burst <= 1000);
    if !ends && !explores {
        return;
    }
    suite.group("reset", "settings as after reset, and others on the ports that are not valid", shape, others);
    let rows = aim(&["Settings", "Boundary"], &["V10", "V11", "V13", "V20", "E12", "E16"]);
    if ends {
        for (name, early) in [("before", 1), ("at", 0)] {
            let (mut script, at) = Script::running(shape, &[0x40_0000]);
            let add = at - 3 * shape.unit - shape.visibility_delay();
            let end = script.ahead(add, shape.window()) + least * shape.unit - early;
            script.count(end, 0, 0, 3000);
            script.reads(end, 0, [0]);
            let comment = "a report beside the end of the window, with packets that tell alpha";
            suite.add(format!("E12-{name}-the-window"), comment, rows, script);
        }
    }
    if explores {
        let (mut script, at) = Script::running(shape, &[0x40_0000, 0x40_0000]);
        let mark = script.ahead(at, shape.window()) + least * shape.unit;
        script.ecn(mark, 0, 1, 30);
        let call = mark + least.max(explore) * shape.unit + shape.unit;
        script.count(call, 0, 1, 30);
        script.stream(call + shape.visibility_delay() - 1, 0, burst + 3);
        suite.add("E16-burst", "a burst behind a mark and T_explore", rows, script);
    }
}
