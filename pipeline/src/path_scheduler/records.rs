// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of the tables, and what a table tells another. Every table has one writer:
//!
//! | record | memory | writer |
//! |---|---|---|
//! | [`SubPath`] | `sub_path_count` | feedback and operations |
//! | [`QpState`] | `presences` | operations |
//! | [`Context`] | `contexts` | operations |
//! | [`PathView`] | `path_view`, a byte for each sub-path | feedback and operations |
//! | [`Sender`] | `senders` | requests |
//! | turn of a [`Sender`] | `turns` | requests |
//! | packets sent | `sent`, `counted` | requests |

use super::PathSchedulerConfig;
use super::ports::{ENTROPY_WIDTH, FAIL_WIDTH, FLIGHT_WIDTH, FLOWLET_WIDTH, PSN_WIDTH, RAISE_WIDTH, STATE_WIDTH};
use crate::iwrr::{WEIGHT_WIDTH, Weights, weighted};
use rtl_model::{Bits, Bundle, Logic, Reading, Shape, bits, name_nets, select};

/// States of a sub-path.
pub mod state {
    pub const ABSENT: u64 = 0;
    pub const PROBING: u64 = 1;
    pub const ACTIVE: u64 = 2;
    pub const DRAINING: u64 = 3;
    pub const FAILED: u64 = 4;
    /// Failed by itself, and no operation has named it since.
    pub const FAILED_UNREPORTED: u64 = 5;
}

/// State and weight of one sub-path: one table row.
#[derive(Bundle)]
pub struct SubPath<L: Reading> {
    /// State code: one of [`state`].
    pub state: Bits<L>,
    /// While it is active.
    pub weight: Bits<L>,
    pub limit: Bits<L>,
    pub congested: Bits<L>,
    /// GOOD feedback since the weight was raised, or something else came.
    pub good_count: Bits<L>,
    /// TIMEOUTs in a row.
    pub timeout_count: Bits<L>,
    /// Packets that are not in flight any more.
    pub completed: Bits<L>,
}

#[name_nets]
impl<L: Logic> SubPath<L> {
    pub fn is(&self, state: u64) -> Bits<L> {
        self.state.equals(state)
    }

    /// The state as it is shown: failed is failed.
    pub fn shown_state(&self) -> Bits<L> {
        select(self.is(state::FAILED_UNREPORTED), Bits::lit(STATE_WIDTH, state::FAILED), self.state)
    }
}

/// What there is of a QP.
#[derive(Bundle)]
pub struct QpState<L: Reading> {
    pub open: Bits<L>,
    /// Sub-paths that are not absent.
    pub sub_path_count: Bits<L>,
}

/// What a QP was opened with.
#[derive(Bundle)]
pub struct Context<L: Reading> {
    pub open: Bits<L>,
    /// A [`Sender`] counts if it has the same.
    pub generation: Bits<L>,
    pub granularity: Bits<L>,
    pub psn: Bits<L>,
    pub entropy: Bits<L>,
}

/// A context to be written.
#[derive(Bundle)]
pub struct NewContext<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    pub qp: Bits<L>,
    pub context: Context<L>,
}

/// The sub-paths of a QP as requests see them: bit `i` of each is of sub-path `i`.
#[derive(Bundle)]
pub struct PathView<L: Reading> {
    /// The bits of the weight, the lowest first. All 0: not active.
    pub weight: Weights<L>,
    pub congested: Bits<L>,
    pub probing: Bits<L>,
}

#[name_nets]
impl<L: Logic> PathView<L> {
    /// Those that carry packets.
    pub fn active(&self) -> Bits<L> {
        weighted(&self.weight)
    }
}

/// A sub-path as requests are to see it.
#[derive(Bundle)]
pub struct PathUpdate<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    pub qp: Bits<L>,
    pub path: Bits<L>,
    pub weight: Bits<L>,
    pub congested: Bits<L>,
    pub probing: Bits<L>,
}

/// The stream of packets of a QP.
#[derive(Bundle)]
pub struct Sender<L: Reading> {
    /// It counts if the context has the same.
    pub generation: Bits<L>,
    /// Sub-path of the last packet.
    pub path: Bits<L>,
    /// The round in which it was drawn.
    pub round: Bits<L>,
    /// PSN of the next data packet, 24 bits.
    pub psn: Bits<L>,
    pub flowlet: Bits<L>,
}

impl PathSchedulerConfig {
    pub(super) fn sub_path(self) -> SubPath<Shape> {
        SubPath {
            state: bits(STATE_WIDTH),
            weight: bits(WEIGHT_WIDTH),
            limit: bits(WEIGHT_WIDTH),
            congested: bits(1),
            good_count: bits(RAISE_WIDTH),
            timeout_count: bits(FAIL_WIDTH),
            completed: bits(FLIGHT_WIDTH),
        }
    }

    pub(super) fn qp_state(self) -> QpState<Shape> {
        QpState { open: bits(1), sub_path_count: bits(self.path_bits() + 1) }
    }

    pub(super) fn context(self) -> Context<Shape> {
        Context {
            open: bits(1),
            generation: bits(1),
            granularity: bits(2),
            psn: bits(PSN_WIDTH),
            entropy: bits(ENTROPY_WIDTH),
        }
    }

    pub(super) fn path_view(self) -> PathView<Shape> {
        let each = self.each();
        PathView { weight: [each; WEIGHT_WIDTH as usize], congested: each, probing: each }
    }

    pub(super) fn path_update(self) -> PathUpdate<Shape> {
        let (flag, path) = (bits(1), bits(self.path_bits()));
        PathUpdate { valid: flag, qp: self.qp(), path, weight: bits(WEIGHT_WIDTH), congested: flag, probing: flag }
    }

    pub(super) fn sender(self) -> Sender<Shape> {
        Sender {
            generation: bits(1),
            path: bits(self.path_bits()),
            round: bits(WEIGHT_WIDTH),
            psn: bits(PSN_WIDTH),
            flowlet: bits(FLOWLET_WIDTH),
        }
    }
}
