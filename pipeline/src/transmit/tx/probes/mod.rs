// SPDX-License-Identifier: MIT OR Apache-2.0
//! Probes of sub-paths, with RoCEv2 (rows TX44 to TX49): a *train* of packets goes over a sub-path, and the answers say its round-trip time
//! and its bandwidth.
//!
//! ```text
//!  contexts <-probe-- visits <--state---- path_scheduler <--read, retry, start-- visits
//!     |                  ^
//!     +--start--> train -+-request, PROBE_ANSWER--> path_scheduler       train --> probe_answer
//!                  ^  |
//!       acks ------+  +--> records, payload --> header builder
//! ```
//!
//! There is one train at a time. `contexts` starts it, by a command of the host or of `visits`, and is held until its packets have gone to
//! the header builder, so that no PDC is opened or closed meanwhile.

mod calls;
mod dispersion;
mod payload;
mod settings;
mod train;
mod visits;

pub use settings::{PACKETS_WIDTH, ProbeDefaults, ProbeSettings};
pub use train::{Answer, Start, Told};

use super::Tx;
use super::acks::Received;
use super::config::TxConfig;
use super::ports::op;
use super::route::Choice;
use crate::blocks::table::Access;
use crate::transmit::path_scheduler;
use payload::Payload;
use rtl_model::{Bits, Logic, constant, name_nets};
use settings::ProbeRegs;
use train::{Shown, Train};
use visits::{Shown as VisitShown, Visits};

/// The parts of probes.
#[name_nets]
pub struct Probes<L: Logic> {
    pub train: Train<L>,
    pub payload: Payload<L>,
    pub visits: Visits<L>,
    pub settings: ProbeRegs<L>,
}

#[name_nets]
impl<L: Logic> Probes<L> {
    /// The parts, with RoCEv2.
    pub fn new(config: TxConfig) -> Option<Self> {
        let scheduler = config.scheduler()?;
        Some(Probes {
            train: Train::new(config, scheduler.grant_latency()),
            payload: Payload::new(config),
            visits: Visits::new(config, *scheduler),
            settings: ProbeRegs::new(config.probes),
        })
    }
}

#[name_nets]
impl<L: Logic> Tx<L> {
    /// What a visit sees in this clock cycle, in which its train is taken or not, and a record is offered if the tables are `live`.
    pub(super) fn shown_to_visit(
        &self,
        train_taken: Option<Bits<L>>,
        live: Bits<L>,
        received: &Received<L>,
    ) -> Option<VisitShown<L>> {
        let (probes, scheduler) = self.probes.as_ref().zip(self.scheduler.as_ref())?;
        let (stage, command) = (scheduler.outputs(), self.contexts.response());
        let (response, opens) = (stage.response, command.op.equals(constant!(op::OPEN)));
        let opened = Access { valid: command.valid & command.done & opens, index: command.pdc };
        let adds = response.done & response.op.equals(constant!(path_scheduler::op::ADD));
        let added = Access { valid: response.valid & adds & !probes.visits.owns_response(), index: response.qp };
        Some(VisitShown {
            enabled: probes.settings.get().visits & !self.busy(),
            command_ready: stage.command_ready & self.takes_path_command(),
            response: stage.response,
            train_taken: train_taken?,
            train_refused: self.contexts.refuses_own_probe(),
            answer: probes.train.answer(),
            calls: [opened, added, self.acks.probe(live, received)],
        })
    }

    /// What a train sees in this clock cycle: `frame_ends` on `m_axis`, the record that is offered, if the tables are `live`; `feedback` of other
    /// packets is given.
    pub(super) fn shown_to_train(
        &self,
        frame_ends: Bits<L>,
        live: Bits<L>,
        received: &Received<L>,
        feedback: Bits<L>,
    ) -> Option<Shown<L>> {
        let (probes, scheduler) = self.probes.as_ref().zip(self.scheduler.as_ref())?;
        let (stage, frames) = (scheduler.outputs(), self.frames.get());
        Some(Shown {
            start: self.contexts.start()?,
            turn_asks: self.turns.request(),
            choice: Choice::of_scheduler(&stage.grant),
            records_idle: self.records.idle(),
            record_taken: probes.train.packet().valid & self.records.takes_control(),
            is_complete: probes.payload.is_complete(frames.0),
            frames,
            frame_ends,
            answer: self.acks.answer(live, received),
            paused: self.pause.paused(),
            feedback_taken: stage.feedback_ready & !feedback,
            now: self.tracker.outputs().now,
        })
    }
}
