// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row S2 with almost all EVs marked: the search for the next free EV is as long as it can be.

use super::shapes::SHAPES;
use crate::collect::aim;
use crate::transmit::entropy_selector::oracle::Shape;
use crate::transmit::entropy_selector::script::Script;
use crate::transmit::entropy_selector::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in SHAPES {
        let evs = shape.evs;
        suite.group("sparse", "nearly all EVs are marked", shape, (8 * evs + 400, 256));
        let positions: Vec<u64> = match evs {
            16 if shape.cccs > 1 => vec![0, 7, 15],
            16 | 32 => (0..evs).collect(),
            64 => [0, 1, 7, 8, 15, 16, 31, 32, 47, 48, 62, 63].into(),
            128 => [0, 31, 32, 63, 64, 127].into(),
            256 => [0, 63, 64, 255].into(),
            _ => [0, evs - 1].into(),
        };
        for &free in &positions {
            free_ones(suite, shape, &[free]);
        }
        if evs <= 256 {
            free_ones(suite, shape, &[0, evs - 1]);
            free_ones(suite, shape, &[evs / 2 - 1, evs / 2]);
        }
    }
}

fn free_ones(suite: &mut Suite, shape: Shape, free: &[u64]) {
    let (mut script, at) = Script::opened(shape, free[0]);
    let at = script.marks(at, 0, (0..shape.evs).filter(|ev| !free.contains(ev)));
    script.requests(at + 7, 0, 3);
    script.request(at + 30, 0);
    let names: Vec<_> = free.iter().map(u64::to_string).collect();
    let rows = aim(&["Sparse"], &["S2", "S7", "U13"]);
    suite.add(format!("free-{}", names.join("-")), "the free EV again and again, from itself on", rows, script);
}
