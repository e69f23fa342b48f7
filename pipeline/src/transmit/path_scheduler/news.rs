// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the stage tells of the sub-paths of a QP: to software (rows T25 and T26), and to who sends packets again (row T29). Both wait
//! in a [`crate::blocks::merge_queue`].

use super::config::PathSchedulerConfig;
use super::ports::{EventOut, LostPaths, PATH_WIDTH};
use crate::blocks::merge_queue::{Merge, News};
use crate::blocks::table::Access;
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets, select};

/// Causes of an event.
#[derive(Bundle)]
#[shape]
pub struct Causes<L: Reading> {
    pub failed: Bits<L>,
    pub all_failed: Bits<L>,
    pub congested: Bits<L>,
    pub saturated: Bits<L>,
}

/// What an event tells of a sub-path, or the sweep of the rows of a QP.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct Post<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    /// The rows are swept.
    pub clears: Bits<L>,
    #[shape(config.qp())]
    pub qp: Bits<L>,
    #[width(config.path_bits())]
    pub path: Bits<L>,
    pub causes: Causes<L>,
    /// The sub-path has failed: by itself, or by command.
    pub fails: Bits<L>,
    /// It was the last active one, and the QP does not wait for one.
    pub all_failed: Bits<L>,
}

/// The causes of a QP that have not been reported.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct Pending<L: Reading> {
    pub causes: Causes<L>,
    /// Sub-path of the first cause.
    #[width(config.path_bits())]
    pub path: Bits<L>,
    /// There was a cause of another sub-path.
    pub more: Bits<L>,
}

/// The sub-paths of a QP that have failed, and what was in flight on them has not been declared lost.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct Failed<L: Reading> {
    /// A bit for each sub-path.
    #[shape(config.each())]
    pub paths: Bits<L>,
    /// The QP had no active sub-path left then, and does not wait for one.
    pub all_failed: Bits<L>,
}

#[name_nets]
impl<L: Logic> Causes<L> {
    /// 1 if there is one.
    pub fn any(&self) -> Bits<L> {
        self.failed | self.congested | self.saturated
    }
}

#[name_nets]
impl<L: Logic> Merge<L> for Pending<L> {
    fn any(&self) -> Bits<L> {
        self.causes.any()
    }

    fn merged(self, new: Self) -> Self {
        let empty = !self.causes.any();
        Pending {
            causes: Causes {
                failed: self.causes.failed | new.causes.failed,
                all_failed: self.causes.all_failed | new.causes.all_failed,
                congested: self.causes.congested | new.causes.congested,
                saturated: self.causes.saturated | new.causes.saturated,
            },
            path: select(empty, new.path, self.path),
            more: !empty & (self.more | new.path.differs(self.path)),
        }
    }
}

#[name_nets]
impl<L: Logic> Merge<L> for Failed<L> {
    fn any(&self) -> Bits<L> {
        self.paths.any()
    }

    fn merged(self, new: Self) -> Self {
        Failed { paths: self.paths | new.paths, all_failed: self.all_failed | new.all_failed }
    }
}

#[name_nets]
impl<L: Logic> Post<L> {
    /// For the events that software is told.
    pub fn for_software(&self) -> News<L, Pending<L>> {
        let Post { valid, clears, qp, path, causes, .. } = *self;
        let row = Pending { causes, path, more: Bits::lit(1, 0) };
        News { valid: valid & (clears | causes.any()), clears, index: qp, row }
    }

    /// For who sends packets again that are lost.
    pub fn for_sender(&self, paths: u32) -> News<L, Failed<L>> {
        let Post { valid, clears, qp, path, fails, all_failed, .. } = *self;
        let paths = Bits::lit(paths, 1) << path;
        News { valid: valid & (clears | fails), clears, index: qp, row: Failed { paths, all_failed } }
    }
}

/// The event that is output.
#[name_nets]
pub fn event<L: Logic>((offered, row): (Access<L>, Pending<L>)) -> EventOut<L> {
    let Pending { causes, path, more } = row;
    let Causes { failed, all_failed, congested, saturated } = causes;
    let (Access { valid, index: qp }, path) = (offered, path.extend(PATH_WIDTH));
    EventOut { valid, qp, path, more, failed, all_failed, congested, saturated }
}

/// The sub-paths whose packets are lost.
#[name_nets]
pub fn lost<L: Logic>((offered, row): (Access<L>, Failed<L>)) -> LostPaths<L> {
    let Failed { paths, all_failed } = row;
    LostPaths { valid: offered.valid, qp: offered.index, paths, all_failed }
}
