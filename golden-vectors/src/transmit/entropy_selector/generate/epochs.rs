// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row S6: how long a mark is valid. An epoch counted one cycle too long or too short is seen.

use super::shapes::shape;
use crate::collect::aim;
use crate::transmit::entropy_selector::oracle::{Op, Shape};
use crate::transmit::entropy_selector::script::Script;
use crate::transmit::entropy_selector::suite::Suite;

pub fn add(suite: &mut Suite) {
    for (shape, rtt) in [(shape(1, 16), 64), (shape(4, 32), 100), (shape(2, 1024), 64)] {
        expiry(suite, shape, rtt);
        again(suite, shape, rtt);
        numbers(suite, shape, rtt);
    }
}

/// Starts the group `epoch` of one size. Its first cases mark an EV in the first or last cycle of an epoch, and
/// request around the ends of the next ones.
pub fn expiry(suite: &mut Suite, shape: Shape, rtt: u64) {
    suite.group("epoch", "a mark about the change of epochs", shape, (rtt, 128));
    let edge = aim(&["Epoch", "Boundary"], &["S6", "S9", "U11"]);
    for (name, marked) in [("first", rtt), ("last", 2 * rtt - 1)] {
        for epoch in [2, 3, 4] {
            for (place, asked) in [("before", epoch * rtt - 1), ("at", epoch * rtt), ("behind", epoch * rtt + 1)] {
                let (mut script, _) = Script::opened(shape, 5);
                script.mark(marked, 0, 5);
                script.request(asked, 0);
                let comment =
                    format!("marked in the {name} cycle of epoch 1, asked {place} the start of epoch {epoch}");
                suite.add(format!("{name}-{place}-{epoch}"), comment, edge, script);
                let (mut script, _) = Script::opened(shape, 5);
                script.mark(marked, 0, 5);
                script.command(asked - shape.read_epoch(), Op::Read, 0, 0);
                let aim = aim(&["Epoch", "Boundary", "Command"], &["S6", "S11"]);
                suite.add(format!("read-{name}-{place}-{epoch}"), "the same as a read counts it", aim, script);
            }
        }
    }
}

/// An EV is marked again in the same and in later epochs, which renews the mark.
fn again(suite: &mut Suite, shape: Shape, rtt: u64) {
    let renewed = aim(&["Epoch"], &["S6", "U11"]);
    for later in 0..=3 {
        for asked in later..=later + 2 {
            let (mut script, at) = Script::opened(shape, 5);
            script.mark(at + 3, 0, 5);
            script.mark(at + 6 + later * rtt, 0, 5);
            script.request(at + 20 + asked * rtt, 0);
            let comment = format!("marked again {later} epochs later, asked {asked} epochs later");
            suite.add(format!("again-{later}-{asked}"), comment, renewed, script);
        }
    }
    // A feedback belongs to the epoch in which it was accepted, also if the first request that sees it is in the next
    // one.
    for late in 1..=9 {
        let (mut script, _) = Script::opened(shape, 5);
        script.mark(2 * rtt - late, 0, 5);
        script.mark(2 * rtt, 0, 6);
        script.request(4 * rtt - 1, 0);
        script.request(4 * rtt, 0);
        suite.add(format!("late-{late}"), format!("marked {late} cycles before the change"), renewed, script);
    }
}

/// The same in epochs with other numbers.
fn numbers(suite: &mut Suite, shape: Shape, rtt: u64) {
    let number = aim(&["Epoch", "Boundary"], &["S6"]);
    for epoch in 1..=9 {
        let (mut script, _) = Script::opened(shape, 5);
        script.mark(epoch * rtt + 1, 0, 5);
        script.mark(epoch * rtt + 2, 0, 7);
        script.request((epoch + 2) * rtt - 2, 0);
        script.request((epoch + 2) * rtt - 1, 0);
        script.request((epoch + 2) * rtt, 0);
        suite.add(format!("number-{epoch}"), format!("marked in epoch {epoch}"), number, script);
    }
}
