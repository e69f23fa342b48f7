// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of the tables, and the updates from one table to another. Every table has one writer:
//!
//! | record | memory | writer |
//! |---|---|---|
//! | [`SubPath`] | `sub_paths` | feedback and commands |
//! | [`QpState`] | `qp_states` | commands |
//! | [`Context`] | `contexts` | commands |
//! | [`PathView`] | `path_view`, one byte per sub-path | feedback and commands |
//! | [`Sender`] | `senders` | requests |
//! | generation of a [`Sender`] | `sender_generations` | requests |
//! | packets sent | `sent`, `sent_view` | requests |

use super::config::PathSchedulerConfig;
use super::ports::{ENTROPY_WIDTH, FAIL_WIDTH, FLIGHT_WIDTH, FLOWLET_WIDTH, PSN_WIDTH, RAISE_WIDTH, STATE_WIDTH};
use crate::blocks::iwrr::{WEIGHT_WIDTH, Weights, weighted};
use rtl_model::{Bits, Bundle, Constant, Logic, Reading, Shape, bits, constant, name_nets, select};

/// States of a sub-path.
pub mod state {
    pub const ABSENT: u64 = 0;
    pub const PROBING: u64 = 1;
    pub const ACTIVE: u64 = 2;
    pub const DRAINING: u64 = 3;
    pub const FAILED: u64 = 4;
    /// Failed by itself, and no command has addressed the sub-path since.
    pub const FAILED_UNREPORTED: u64 = 5;
}

/// State and weight of one sub-path: one table row.
#[derive(Bundle)]
pub struct SubPath<L: Reading> {
    /// State code: one of [`state`].
    pub state: Bits<L>,
    /// Weight, 1 to 15; valid while the sub-path is active.
    pub weight: Bits<L>,
    pub limit: Bits<L>,
    pub congested: Bits<L>,
    /// GOOD feedback since the last increase of the weight or the last feedback of another kind.
    pub good_count: Bits<L>,
    /// Consecutive TIMEOUTs.
    pub timeout_count: Bits<L>,
    /// Packets that are no longer in flight, modulo 4096.
    pub completed: Bits<L>,
}

#[name_nets]
impl<L: Logic> SubPath<L> {
    pub fn is(&self, state: Constant) -> Bits<L> {
        self.state.equals(state)
    }

    /// The state as the response reports it: both failed states have the same code.
    pub fn shown_state(&self) -> Bits<L> {
        select(self.is(constant!(state::FAILED_UNREPORTED)), constant!(state::FAILED).lit(STATE_WIDTH), self.state)
    }
}

/// State of a QP: open flag and number of sub-paths.
#[derive(Bundle)]
pub struct QpState<L: Reading> {
    pub open: Bits<L>,
    /// Number of sub-paths that are not absent.
    pub sub_path_count: Bits<L>,
}

/// Parameters with which a QP was opened.
#[derive(Bundle)]
pub struct Context<L: Reading> {
    pub open: Bits<L>,
    /// The row of [`Sender`] is valid if it has the same generation.
    pub generation: Bits<L>,
    pub granularity: Bits<L>,
    pub psn: Bits<L>,
    pub entropy: Bits<L>,
}

/// A write of a context.
#[derive(Bundle)]
pub struct NewContext<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    pub qp: Bits<L>,
    pub context: Context<L>,
}

/// The sub-paths of a QP as requests see them: bit `i` of each field belongs to sub-path `i`.
#[derive(Bundle)]
pub struct PathView<L: Reading> {
    /// Bit planes of the weights, least significant first; a sub-path with weight 0 is not active.
    pub weight: Weights<L>,
    pub congested: Bits<L>,
    pub probing: Bits<L>,
}

#[name_nets]
impl<L: Logic> PathView<L> {
    /// The active sub-paths, one bit per sub-path.
    pub fn active(&self) -> Bits<L> {
        weighted(&self.weight)
    }
}

/// Update of `path_view`: the new view of a sub-path.
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

/// State of the packet stream of a QP.
#[derive(Bundle)]
pub struct Sender<L: Reading> {
    /// The row is valid if the context has the same generation.
    pub generation: Bits<L>,
    /// Sub-path of the last packet.
    pub path: Bits<L>,
    /// The round in which that sub-path was selected.
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
