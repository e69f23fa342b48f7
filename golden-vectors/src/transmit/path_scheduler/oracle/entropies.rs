// SPDX-License-Identifier: MIT OR Apache-2.0
//! The entropies of sub-paths that have their own (T7).

use super::{Command, Op};
use std::collections::BTreeMap;

/// An entropy given in an effect of cycle *e* is that of requests accepted from cycle *e* less this on.
const EARLIER: u64 = 2;

/// The entropies of all sub-paths since reset.
#[derive(Debug, Default)]
pub struct Entropies {
    /// By QP and sub-path: the cycle of the effect, and the entropy, in order.
    given: BTreeMap<(u64, u64), Vec<(u64, u64)>>,
}

impl Entropies {
    /// A command that was done, and took effect in this cycle.
    pub fn command(&mut self, effect: u64, command: Command) {
        if matches!(Op::of(command.op), Some(Op::Add | Op::Reroute)) {
            self.given.entry((command.qp, command.path)).or_default().push((effect, command.entropy));
        }
    }

    /// The entropy for a request of this cycle.
    pub fn of(&self, qp: u64, path: u64, cycle: u64) -> u64 {
        let given = self.given.get(&(qp, path)).map_or(&[][..], Vec::as_slice);
        let behind = given.partition_point(|&(effect, _)| effect <= cycle + EARLIER);
        behind.checked_sub(1).map_or(0, |last| given[last].1)
    }
}
