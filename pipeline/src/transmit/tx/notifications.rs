// SPDX-License-Identifier: MIT OR Apache-2.0
//! Congestion notification packets (CNPs), of RoCEv2. Each slows its QP down. It names no sub-path, so all of them are told, one after
//! the other, when nothing else is (row TX54):
//!
//! ```text
//!  cycle n        the record is taken
//!        n + 1    sub-path 0, as soon as `path_scheduler` takes it; then the others. No record is taken meanwhile
//! ```

use super::config::TxConfig;
use crate::blocks::table::Access;
use crate::transmit::path_scheduler::{self, MARK, PATH_WIDTH, PathSchedulerConfig};
use rtl_model::{Bits, Logic, Reg, Shape, Signal, bits, constant, name_nets, when};

/// The QP that is slowed down.
#[name_nets]
pub struct Notifications<L: Logic> {
    /// The number of the last sub-path of a QP.
    last_path: u64,
    notified: Reg<Bits<L>>,
    qp: Reg<Bits<L>>,
    /// The sub-path that is told next.
    path: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Notifications<L> {
    pub fn new(config: TxConfig, scheduler: PathSchedulerConfig) -> Self {
        Notifications {
            last_path: scheduler.paths - 1,
            notified: Reg::new(&bits(1)).with_reset(),
            qp: Reg::new(&config.pdc()),
            path: Reg::new(&bits(PATH_WIDTH)),
        }
    }

    /// All have been told.
    pub fn idle(&self) -> Bits<L> {
        !self.notified.get()
    }

    /// What `path_scheduler` is told: a mark that halves.
    pub fn feedback(&self, shape: &path_scheduler::Feedback<Shape>) -> path_scheduler::Feedback<L> {
        path_scheduler::Feedback {
            valid: self.notified.get(),
            qp: self.qp.get(),
            path: self.path.get(),
            kind: constant!(MARK).lit(shape.kind.bits()),
            bandwidth: Bits::lit(shape.bandwidth.bits(), 1),
            ..path_scheduler::Feedback::zero(shape)
        }
    }

    /// One clock cycle: a CNP comes, if all have been told; a sub-path is `told`.
    pub fn clock(&self, cnp: Access<L>, told: Bits<L>) {
        let (notified, path) = (self.notified.get(), self.path.get());
        let is_last = path.equals(self.last_path);
        when(cnp.valid, || self.qp.set(cnp.index));
        self.notified.set(cnp.valid | notified & !(told & is_last));
        self.path.set((path + told.extend(PATH_WIDTH)).gate(notified));
    }
}
