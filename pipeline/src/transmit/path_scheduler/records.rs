// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of the tables, and the updates from one table to another. Every table has one writer:
//!
//! | record | memory | writer |
//! |---|---|---|
//! | [`SubPath`] | `sub_paths` | feedback and commands |
//! | [`QpState`] | `qp_states` | commands, and feedback that fails a sub-path |
//! | [`QpMode`] | `modes` | commands |
//! | [`Opening`] | `openings` | *open* |
//! | [`PathView`] | `path_view`, 13 bits per sub-path | feedback and commands |
//! | [`Completed`] | `completed_view` | feedback and commands |
//! | [`Sender`] | `senders` | requests |
//! | generation of a [`Sender`] | `sender_generations` | requests |
//! | [`SentCount`] | `sent`, `sent_view`; `filled` alone in `filled_view` | requests |
//!
//! A sub-path is full if `filled` and `released` differ (row T20). Requests change the one, feedback the other, so each
//! has one writer; each side acts only if it sees the state that it ends.

use super::config::PathSchedulerConfig;
use super::ports::{
    ENTROPY_WIDTH, FAIL_WIDTH, FLOWLET_TIME_WIDTH, FLOWLET_WIDTH, MIGRATE_WIDTH, PSN_WIDTH, RAISE_WIDTH, RTT_WIDTH,
    STATE_WIDTH,
};
use rtl_model::{Bits, Bundle, Constant, Logic, Reading, Shape, Wide, constant, name_nets, select, wide};

/// Width of the time until which a sub-path is on hold, in bits.
pub const DEADLINE_WIDTH: u32 = RTT_WIDTH + 1;

/// States of a sub-path.
pub mod state {
    pub const ABSENT: u64 = 0;
    pub const PROBING: u64 = 1;
    pub const ACTIVE: u64 = 2;
    pub const DRAINING: u64 = 3;
    pub const FAILED: u64 = 4;
    /// A probe has been answered.
    pub const PROBED: u64 = 5;
    /// Failed by itself, and no command has addressed the sub-path since.
    pub const FAILED_UNREPORTED: u64 = 6;
}

/// State and weight of one sub-path: one table row.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct SubPath<L: Reading> {
    /// State code: one of [`state`].
    #[width(STATE_WIDTH)]
    pub state: Bits<L>,
    /// Weight, 1 to `limit`; valid while the sub-path is active or probed.
    #[shape(config.weight())]
    pub weight: Bits<L>,
    #[shape(config.weight())]
    pub limit: Bits<L>,
    pub congested: Bits<L>,
    /// Left out as long as there is another sub-path.
    pub avoided: Bits<L>,
    /// The cause *saturated* has come up, and no command has addressed the sub-path since. It means nothing unless the
    /// sub-path is active.
    pub saturated: Bits<L>,
    /// No step before `deadline`.
    pub on_hold: Bits<L>,
    #[width(DEADLINE_WIDTH)]
    pub deadline: Bits<L>,
    /// Steps down since the last recovery.
    #[width(MIGRATE_WIDTH)]
    pub step_count: Bits<L>,
    /// GOOD feedback since the last increase of the weight or the last feedback of another kind, RETURN apart.
    #[width(RAISE_WIDTH)]
    pub good_count: Bits<L>,
    /// Packets lost since the last one that has arrived.
    #[width(FAIL_WIDTH)]
    pub loss_count: Bits<L>,
    /// No NACK before it makes the sub-path fail; set by the first of these losses.
    #[width(DEADLINE_WIDTH)]
    pub fail_deadline: Bits<L>,
    /// GOOD feedback since the last mark, and since the window has grown by a packet (row T31).
    #[width(config.window_bits() + 1)]
    pub calm: Bits<L>,
    #[width(config.window_bits())]
    pub growth: Bits<L>,
    /// Packets that are no longer in flight.
    pub completed: Completed<L>,
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

/// Packets of a sub-path that are no longer in flight, and its window.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct Completed<L: Reading> {
    #[shape(config.packets())]
    pub count: Bits<L>,
    /// The last `filled` that feedback has ended.
    pub released: Bits<L>,
    /// The window that follows marks, in quarters of a packet (row T31).
    #[width(config.window_bits())]
    pub window: Bits<L>,
}

/// Packets sent on a sub-path.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct SentCount<L: Reading> {
    #[shape(config.packets())]
    pub count: Bits<L>,
    /// Changes with each packet that makes the sub-path full.
    pub filled: Bits<L>,
}

/// State of a QP: open flag and numbers of sub-paths.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct QpState<L: Reading> {
    pub open: Bits<L>,
    /// Number of sub-paths that are not absent.
    #[width(config.path_bits() + 1)]
    pub sub_path_count: Bits<L>,
    /// Number of sub-paths that are active.
    #[width(config.path_bits() + 1)]
    pub active_count: Bits<L>,
}

/// What commands change in an open QP.
#[derive(Bundle)]
#[shape]
pub struct QpMode<L: Reading> {
    pub open: Bits<L>,
    #[width(2)]
    pub granularity: Bits<L>,
    /// A gap above this time begins a flowlet.
    #[width(FLOWLET_TIME_WIDTH)]
    pub flowlet: Bits<L>,
}

/// What a QP was opened with; nothing changes it while the QP is open.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct Opening<L: Reading> {
    /// The row of [`Sender`] is valid if it has the same generation.
    pub generation: Bits<L>,
    #[width(PSN_WIDTH)]
    pub psn: Bits<L>,
    /// The entropy of sub-path 0, if there is no table of entropies.
    #[width((!config.entropy_table()).then_some(ENTROPY_WIDTH))]
    pub entropy: Option<Bits<L>>,
}

/// What requests read of a QP.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct Context<L: Reading> {
    pub open: Bits<L>,
    /// The row of [`Sender`] is valid if it has the same generation.
    pub generation: Bits<L>,
    #[width(2)]
    pub granularity: Bits<L>,
    /// A gap above this time begins a flowlet.
    #[width(FLOWLET_TIME_WIDTH)]
    pub flowlet: Bits<L>,
    #[width(PSN_WIDTH)]
    pub psn: Bits<L>,
    /// The entropy of sub-path 0, if there is no table of entropies.
    #[width((!config.entropy_table()).then_some(ENTROPY_WIDTH))]
    pub entropy: Option<Bits<L>>,
}

/// What a command or the sweep writes of a QP, beside operands of the command.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct NewContext<L: Reading> {
    #[reset]
    pub writes_mode: Bits<L>,
    #[reset]
    pub opens: Bits<L>,
    #[shape(config.qp())]
    pub qp: Bits<L>,
    pub mode: QpMode<L>,
}

/// The sub-paths of a QP as requests see them: bit `i` of each field belongs to sub-path `i`.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct PathView<L: Reading> {
    /// Bit planes of the weights, the least significant in the low bits; a sub-path with weight 0 is not active.
    #[shape(config.weights())]
    pub weight: Wide<L>,
    #[shape(config.each())]
    pub congested: Bits<L>,
    #[shape(config.each())]
    pub probing: Bits<L>,
    #[shape(config.each())]
    pub avoided: Bits<L>,
    /// Packets were lost, and none has arrived since.
    #[shape(config.each())]
    pub losing: Bits<L>,
    #[shape(config.each())]
    pub released: Bits<L>,
}

/// Update of `path_view`: the new view of a sub-path.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct PathUpdate<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    #[shape(config.qp())]
    pub qp: Bits<L>,
    #[width(config.path_bits())]
    pub path: Bits<L>,
    #[shape(config.weight())]
    pub weight: Bits<L>,
    pub congested: Bits<L>,
    pub probing: Bits<L>,
    pub avoided: Bits<L>,
    pub losing: Bits<L>,
    pub released: Bits<L>,
}

/// State of the packet stream of a QP.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct Sender<L: Reading> {
    /// The row is valid if the context has the same generation.
    pub generation: Bits<L>,
    /// Sub-path of the last packet.
    #[width(config.path_bits())]
    pub path: Bits<L>,
    /// The active sub-paths that the request of the last packet saw.
    #[shape(config.each())]
    pub active: Bits<L>,
    pub turn: Turn<L>,
    /// PSN of the next data packet, 24 bits.
    #[width(PSN_WIDTH)]
    pub psn: Bits<L>,
    #[width(FLOWLET_WIDTH)]
    pub flowlet: Bits<L>,
}

/// Position of a QP in its round robin: the rounds 2 `pair` - 1 (`odd`) and 2 `pair`.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct Turn<L: Reading> {
    /// The sub-paths that are still to be selected in this round.
    #[shape(config.each())]
    pub due: Bits<L>,
    /// The sub-paths of the next round.
    #[shape(config.each())]
    pub next: Bits<L>,
    pub odd: Bits<L>,
    #[width(config.weight_bits - 1)]
    pub pair: Bits<L>,
}

impl PathSchedulerConfig {
    /// Shape of the weights of all sub-paths of a QP.
    pub(super) fn weights(self) -> Wide<Shape> {
        wide(self.weight_bits * self.paths as u32)
    }
}
