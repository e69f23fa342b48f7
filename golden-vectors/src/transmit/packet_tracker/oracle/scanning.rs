// SPDX-License-Identifier: MIT OR Apache-2.0
//! In which cycles the steps of a scan wait (D21 to D23, D25).

use super::scan::Scan;
use super::{Failure, Shape};

/// What is done next.
#[derive(Clone, Copy, Debug)]
pub enum Phase {
    /// There is nothing to be done; the scan is over with this cycle.
    Void(u64),
    /// Examinations and the end, the next of them from this cycle on.
    Steps(u64, Scan),
    /// The PDC has failed; the scan is over with the transfer, which is not before this cycle.
    Fails(u64, Failure),
}

impl Phase {
    /// Behind a head in this cycle.
    pub fn behind_head(shape: Shape, cycle: u64, scan: Option<Scan>) -> Self {
        let from = cycle + shape.head();
        scan.map_or(Phase::Void(from), |scan| Phase::Steps(from, scan))
    }

    /// Behind an examination in this cycle.
    pub const fn behind_examination(shape: Shape, cycle: u64, scan: Scan) -> Self {
        Phase::Steps(if scan.is_examined() { cycle + shape.effect() } else { cycle + 1 }, scan)
    }

    /// The scan of which a step waits in this cycle.
    pub fn waiting(self, cycle: u64) -> Option<Scan> {
        match self {
            Phase::Steps(from, scan) if from <= cycle => Some(scan),
            _ => None,
        }
    }
}
