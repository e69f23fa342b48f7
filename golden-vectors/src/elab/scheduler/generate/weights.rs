// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows V4 to V6: weights from bandwidths and rates. A wrong weight is seen in the order in which VPs are selected.

use super::shapes::{EIGHT, FOUR, LONG, MANY, NEVER, SMALL};
use crate::collect::aim;
use crate::elab::scheduler::oracle::Shape;
use crate::elab::scheduler::script::{MOST, Script};
use crate::elab::scheduler::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in [EIGHT, SMALL, FOUR] {
        suite.group("weights", "draws in proportion to what is left of each bandwidth", shape, NEVER);
        lists(suite, shape);
        if shape != SMALL {
            exponents(suite, shape);
        }
        rates(suite, shape);
    }
    suite.group("wide", "VPs all over a great number of them", MANY, NEVER);
    wide(suite, MANY);
    suite.group("weights", "the same whatever a unit is", LONG, NEVER);
    lists(suite, LONG);
}

/// More than one round with constant weights. *R* is 0, so *A* is *B*.
fn lists(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Weight", "BackToBack"], &["V4", "V5", "V6", "E09", "E10"]);
    let lists: [(&str, &[u64]); 21] = [
        ("one", &[100]),
        ("second", &[0, 100]),
        ("tie", &[MOST, MOST]),
        ("least-tie", &[1, 1]),
        ("extremes", &[1, MOST]),
        ("extremes-turned", &[MOST, 1]),
        // Around the bandwidth from which on *e* is 1.
        ("510-511-512-513", &[510, 511, 512, 513]),
        ("511-511", &[511, 511]),
        ("512-511", &[512, 511]),
        // Below 256 *m* has no leading one, and below 32 it stays at 1.
        ("denormal", &[255, 128, 127, 64]),
        ("denormal-low", &[63, 32, 31, 1]),
        ("1-to-2", &[3000, 6000]),
        ("3-to-5", &[0x30_0000, 0x50_0000]),
        ("steps", &[0x80_0000, 0x90_0000, 0xA0_0000, 0xF0_0000]),
        ("below-steps", &[0x8F_FFFF, 0x9F_FFFF, 0xAF_FFFF, MOST]),
        // The largest has a weight of 8, and small bandwidths fall to a weight of 0.
        ("to-nothing", &[0x80_0000, 0x10_0000, 0xF_FFFF, 0x8_0000]),
        ("ramp", &[0x10_0000, 0x20_0000, 0x30_0000, 0x40_0000]),
        ("fall", &[0x40_0000, 0x30_0000, 0x20_0000, 0x10_0000]),
        ("holes", &[0, 700, 0, 900, 0, 500]),
        ("last", &[0, 0, 0, 0, 0, 0, 0, 77]),
        ("all", &[900, 800, 700, 600, 500, 400, 300, 200]),
    ];
    for (name, bandwidths) in lists.into_iter().filter(|(_, list)| list.len() as u64 <= shape.vps) {
        let (mut script, at) = Script::running(shape, bandwidths);
        script.stream(at, 0, 48);
        suite.add(name, format!("bandwidths {bandwidths:?}"), rows, script);
    }
}

/// Two VPs with different exponents *e*.
fn exponents(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Weight", "Boundary"], &["V5", "V6", "E10"]);
    for apart in 0..16 {
        for (name, great) in [("full", MOST), ("least", 0x80_0000)] {
            let small = great >> apart;
            let order = if apart % 2 == 0 { [small, great] } else { [great, small] };
            let (mut script, at) = Script::running(shape, &order);
            script.stream(at, 0, 26);
            suite.add(format!("{name}-apart-{apart}"), format!("bandwidths {order:?}"), rows, script);
        }
    }
}

/// The available bandwidth is *B* minus *R*. If no VP has any left, the bandwidth limits decide.
fn rates(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Weight", "Empty"], &["V5", "V6", "V11", "E09", "E17"]);
    let last = shape.vps - 1;
    // Packets on the first and the last VP in two units; the rates are about 32768 times as large.
    let counts = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 1), (8, 2), (1, 12), (0, 12), (12, 0), (12, 12), (400, 400)];
    for (first, second) in counts {
        let mut script = Script::new(shape);
        script.add(0, 0, 0x2_0000);
        let at = script.add(0, last, 0x5_0000) + 4 * shape.unit;
        let at = script.ahead(at, shape.window());
        for (vp, count) in [(0, first), (last, second)] {
            script.count(at + vp % 2, 0, vp, 0);
            script.count(at + 2 * shape.unit + vp % 2, 0, vp, count);
        }
        script.stream(at + 2 * shape.unit - 4, 0, 60);
        script.reads(at + 2 * shape.unit + 10, 0, [0, last]);
        suite.add(
            format!("rates-{first}-{second}"),
            format!("{first} and {second} packets in two units"),
            rows,
            script,
        );
    }
    if shape.vps > 2 {
        // One VP after the other has no available bandwidth, in the end none has.
        let (mut script, at) = Script::running(shape, &[0x1_0000, 0x2_0000, 0x3_0000, 0x4_0000]);
        for vp in 0..4 {
            script.count(at + 24 * vp, 0, vp, 40_000);
        }
        script.stream(at, 0, 140);
        script.reads(at + 20, 0, 0..4);
        suite.add("one-by-one", "one after the other has nothing left", rows, script);
    }
    let (mut script, at) = Script::running(shape, &[0x1_0000, 0x2_0000]);
    script.probed(at, 0, 0, 0);
    script.stream(at, 0, 30);
    script.probed(at + 30, 0, 1, 0);
    script.stream(at + 30, 0, 60);
    let rows = aim(&["Weight", "Empty", "Indication"], &["V5", "V6", "V12", "E14", "E17"]);
    suite.add("nothing", "bandwidths of 0: all weigh 1", rows, script);
}

/// All VPs of a large pair, and some of them at regular distances.
fn wide(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Weight"], &["V2", "V4", "V6", "E10"]);
    for (name, step, add) in [("all", 1, 0), ("odd", 2, 1), ("fifths", 5, 3), ("ninths", 9, 0), ("ends", 63, 0)] {
        let mut script = Script::new(shape);
        let mut at = 0;
        for vp in (add..shape.vps).step_by(step) {
            at = script.add(0, vp, 1000 + vp * 700 % 3000);
        }
        script.stream(at, 0, (20 * shape.vps / step as u64).clamp(40, 200));
        // The VP with the largest available bandwidth uses it up, so the weights of the others rise.
        script.count(at + 20, 0, add, 60_000);
        suite.add(name, "VPs all over", rows, script);
    }
    let (mut script, at) = Script::running(shape, &[300; 64]);
    script.stream(at, 0, 140);
    suite.add("equal", "all VPs of the same bandwidth", rows, script);
}
