// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counters of the stages, as they leave the module.

use crate::transmit::ccc_table::CccTableOut;
use crate::transmit::entropy_selector::EntropySelectorOut;
use crate::transmit::packet_tracker::PacketTrackerOut;
use crate::transmit::path_scheduler::PathSchedulerOut;
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets};

/// The counters of `packet_tracker`.
#[derive(Bundle)]
pub struct PacketTrackerCounts<L: Reading> {
    /// ACKs, NACKs, credit and sends for PDCs that are not open.
    pub closed_events: Bits<L>,
    /// ACKs that say more than was sent, or are older than a window.
    pub outside_acks: Bits<L>,
    /// ACKs with a rcvd_bytes older than what is known.
    pub old_totals: Bits<L>,
    /// NACKs without effect.
    pub void_nacks: Bits<L>,
    /// ACKs and NACKs with a time of transmission from the future.
    pub bad_times: Bits<L>,
    /// Packets that were acknowledged while marked for retransmission.
    pub late_acks: Bits<L>,
    /// New packets for which the window had no room.
    pub refused_sends: Bits<L>,
    /// Retransmissions asked for with no packet marked.
    pub empty_sends: Bits<L>,
    /// Packets taken for lost by time.
    pub timeouts: Bits<L>,
    /// Packets taken for lost by span.
    pub inferred_losses: Bits<L>,
    /// Packets taken for lost by command.
    pub declared_losses: Bits<L>,
}

#[name_nets]
impl<L: Logic> PacketTrackerCounts<L> {
    pub(super) fn of(stage: &PacketTrackerOut<L>) -> Self {
        PacketTrackerCounts {
            closed_events: stage.closed_events,
            outside_acks: stage.outside_acks,
            old_totals: stage.old_totals,
            void_nacks: stage.void_nacks,
            bad_times: stage.bad_times,
            late_acks: stage.late_acks,
            refused_sends: stage.refused_sends,
            empty_sends: stage.empty_sends,
            timeouts: stage.timeouts,
            inferred_losses: stage.inferred_losses,
            declared_losses: stage.declared_losses,
        }
    }
}

/// The counters of `ccc_table`.
#[derive(Bundle)]
pub struct CccTableCounts<L: Reading> {
    /// Events for CCCs that are not open.
    pub closed_events: Bits<L>,
    /// ACKs, NACKs and losses of more than is in flight.
    pub excess_acks: Bits<L>,
    /// Packets sent beyond what the counts can hold.
    pub excess_sends: Bits<L>,
    /// Packets sent that did not wait.
    pub short_backlogs: Bits<L>,
    /// New data beyond what the count can hold.
    pub refused_data: Bits<L>,
    /// Credit older than what is known.
    pub stale_credits: Bits<L>,
    /// Time stamps from the future.
    pub bad_times: Bits<L>,
    /// Adjustments of a window.
    pub adjustments: Bits<L>,
    /// Adjustments without effect.
    pub void_adjustments: Bits<L>,
    /// Windows set by quick adapt.
    pub quick_adapts: Bits<L>,
    /// Takes without a grant.
    pub unready_turns: Bits<L>,
}

#[name_nets]
impl<L: Logic> CccTableCounts<L> {
    pub(super) fn of(stage: &CccTableOut<L>) -> Self {
        CccTableCounts {
            closed_events: stage.closed_events,
            excess_acks: stage.excess_acks,
            excess_sends: stage.excess_sends,
            short_backlogs: stage.short_backlogs,
            refused_data: stage.refused_data,
            stale_credits: stage.stale_credits,
            bad_times: stage.bad_times,
            adjustments: stage.adjustments,
            void_adjustments: stage.void_adjustments,
            quick_adapts: stage.quick_adapts,
            unready_turns: stage.unready_turns,
        }
    }
}

/// The counters of `entropy_selector`.
#[derive(Bundle)]
pub struct EntropySelectorCounts<L: Reading> {
    /// Requests of PDCs that are not open.
    pub refused_requests: Bits<L>,
    /// Feedback for PDCs that are not open.
    pub feedback_closed: Bits<L>,
    /// Feedback for an EV that an open PDC does not have.
    pub feedback_range: Bits<L>,
}

#[name_nets]
impl<L: Logic> EntropySelectorCounts<L> {
    pub(super) fn of(stage: &EntropySelectorOut<L>) -> Self {
        EntropySelectorCounts {
            refused_requests: stage.refused_requests,
            feedback_closed: stage.feedback_closed,
            feedback_range: stage.feedback_range,
        }
    }
}

/// The counters of `path_scheduler`.
#[derive(Bundle)]
pub struct PathSchedulerCounts<L: Reading> {
    /// Requests of QPs that are not open.
    pub refused_requests: Bits<L>,
    /// Requests of QPs without an active sub-path.
    pub no_path_requests: Bits<L>,
    /// Requests of QPs whose active sub-paths are all full.
    pub full_requests: Bits<L>,
    /// Feedback for QPs that are not open.
    pub feedback_closed: Bits<L>,
    /// Feedback for sub-paths that no QP has.
    pub feedback_range: Bits<L>,
    /// Feedback for sub-paths that are absent or have nothing in flight.
    pub feedback_absent: Bits<L>,
}

#[name_nets]
impl<L: Logic> PathSchedulerCounts<L> {
    pub(super) fn of(stage: &PathSchedulerOut<L>) -> Self {
        PathSchedulerCounts {
            refused_requests: stage.refused_requests,
            no_path_requests: stage.no_path_requests,
            full_requests: stage.full_requests,
            feedback_closed: stage.feedback_closed,
            feedback_range: stage.feedback_range,
            feedback_absent: stage.feedback_absent,
        }
    }
}
