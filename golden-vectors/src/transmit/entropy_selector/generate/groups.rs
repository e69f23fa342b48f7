// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows S14, S18, S21 and N3: groups of single paths, whose EVs never meet.

use super::single_path::{RTT, SETTINGS};
use crate::collect::aim;
use crate::transmit::entropy_selector::oracle::{Command, Mode, Op, Shape};
use crate::transmit::entropy_selector::script::Script;
use crate::transmit::entropy_selector::suite::Suite;

/// Adds the group `group` of one size.
pub fn add(suite: &mut Suite, shape: Shape) {
    suite.group("group", "CCCs of one group never meet", shape, SETTINGS.path(0, 1));
    let bits = u64::from(shape.evs.ilog2());
    for stride in 0..=bits {
        let codes = [0, bits - 1, 2];
        for code in codes.into_iter().take(if shape.evs == 16 { 3 } else { 1 }) {
            for fixed in [false, true] {
                together(suite, shape, [stride, code], fixed);
            }
        }
    }
    refused(suite, shape);
}

/// CCCs with adjacent residues move and move.
fn together(suite: &mut Suite, shape: Shape, [stride, code]: [u64; 2], fixed: bool) {
    let rows = aim(&["Group"], &["S14", "S21", "N3", "U04", "U07"]);
    let mut script = Script::new(shape);
    let mut at = 0;
    for ccc in 0..shape.cccs.min(3) {
        let open = Command::open(ccc, shape.evs - 2 + ccc, Mode::SinglePath).stride(stride).space(code);
        let open = Command { start: open.start % shape.evs, fixed, ..open };
        at = script.operate(0, open) + shape.effect();
    }
    let at = at / RTT * RTT + RTT;
    for round in 0..5 {
        for ccc in 0..shape.cccs.min(3) {
            let asked = at + 2 * round * RTT + 2 * ccc;
            script.request(asked, ccc);
            script.reroute(asked + 20, ccc);
        }
    }
    script.resize(at + 6 * RTT, 0, [code, 3][stride as usize % 2]);
    let id = format!("stride-{stride}-{code}{}", if fixed { "-fixed" } else { "" });
    suite.add(id, format!("a stride of {}, each moves four times", 1 << stride), rows, script);
}

/// Strides that are larger than the space, at *open* and at *resize*, in every mode that is built.
fn refused(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Group", "Space", "Boundary"], &["S14", "S18", "S21", "U07"]);
    let bits = u64::from(shape.evs.ilog2());
    for stride in [0, 1, 2, 3, bits, bits + 1, 15] {
        for code in [0, 1, 2, 3] {
            let mut script = Script::new(shape);
            let open = Command::open(0, 6, if stride % 2 == 0 { Mode::SinglePath } else { Mode::Bitmap });
            let at = script.operate(0, open.stride(stride).space(code)) + shape.effect();
            script.requests(at, 0, 3);
            [0, 1, 2, 3].into_iter().for_each(|code| {
                script.resize(0, 0, code);
                script.command(0, Op::Read, 0, 0);
            });
            let at = script.command(0, Op::Read, 0, 0);
            script.requests(at, 0, 2);
            suite.add(format!("refused-{stride}-{code}"), format!("stride {stride} in space {code}"), rows, script);
        }
    }
}
