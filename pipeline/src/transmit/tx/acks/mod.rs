// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the header record of a received frame to an event of `packet_tracker` (rows TX13 to TX15, TX33, TX53):
//!
//! ```text
//!  cycle n        record    taken
//!        n + 1    the event is offered
//!        then     the other events of an ACK that says more: the credit in it, packets that are lost, one in a clock cycle, or one
//!                 that the peer has no room for, or behind which it discards all
//! ```
//!
//! A record that says nothing to a sender is gone in the clock cycle in which it is taken, so the frames of others do not
//! wait. `ready` depends on state alone.

mod rocev2;
mod uet;

use super::config::{Paths, TxConfig};
use super::probes::Answer;
use super::refusals::Refusal;
use super::rtt_probe::Acknowledged;
use crate::blocks::table::Access;
use crate::headers::loss_tag::{self, NAMED};
use crate::headers::record::HeaderRecord;
use crate::transmit::packet_tracker::AckEvent;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, clog2, name_nets, when};

/// Events that a record makes at most.
pub const EVENTS: u64 = 1 + NAMED;

/// The record of a received frame.
pub struct Received<L: Logic> {
    pub valid: Bits<L>,
    pub record: HeaderRecord<L>,
    pub found: Bits<L>,
    pub connection: Bits<L>,
}

/// Width of their number.
const FOLLOWING_WIDTH: u32 = clog2(NAMED) + 1;

/// An event that waits for `packet_tracker`.
#[derive(Bundle)]
#[shape(config: TxConfig)]
struct Waiting<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[shape(AckEvent::shape(config.packet_tracker))]
    event: AckEvent<L>,
    /// So many follow: credit, or with RoCEv2 NACKs of PSNs that follow each other.
    #[width(config.rocev2(FOLLOWING_WIDTH).unwrap_or(1))]
    follow: Bits<L>,
    /// RoCEv2: so many PSNs between that of the event and the next one.
    #[width(config.rocev2(loss_tag::OFFSET_WIDTH))]
    skip: Option<Bits<L>>,
    /// RoCEv2: the peer has no room for the next PSN, or has discarded all behind it.
    #[width(config.rocev2(1))]
    backs_off: Option<Bits<L>>,
}

/// What a record means to a sender.
struct Meaning<L: Logic> {
    /// Anything.
    valid: Bits<L>,
    event: AckEvent<L>,
    follow: Bits<L>,
    skip: Option<Bits<L>>,
    backs_off: Option<Bits<L>>,
}

/// The records of ACKs and NACKs.
#[name_nets]
pub struct Acks<L: Logic> {
    config: TxConfig,
    waiting: Reg<Waiting<L>>,
}

#[name_nets]
impl<L: Logic> Acks<L> {
    pub fn new(config: TxConfig) -> Self {
        Acks { config, waiting: Reg::new(&Waiting::shape(config)) }
    }

    /// A record can be taken.
    pub fn ready(&self, live: Bits<L>) -> Bits<L> {
        live & !self.waiting.get().valid
    }

    /// What the peer refuses, if the record is one that is taken and says so.
    pub fn refusal(&self, live: Bits<L>, received: &Received<L>) -> Refusal<L> {
        let (says, psn, code, stray) = match self.config.paths {
            Paths::Selector(_) => {
                let (says, psn, code, stray) = uet::refusal(&received.record);
                (says, psn, code, Some(stray))
            }
            Paths::Scheduler(..) => {
                let (says, psn, code) = rocev2::refusal(&self.config, &received.record);
                (says, psn, code, None)
            }
        };
        let valid = received.valid & self.ready(live) & received.found & says;
        Refusal { valid, pdc: received.connection, psn, code, stray }
    }

    /// The answer to a probe, if the record is one that is taken; with RoCEv2.
    pub fn answer(&self, live: Bits<L>, received: &Received<L>) -> Answer<L> {
        let answer = rocev2::answer(&self.config, received);
        Answer { valid: received.valid & self.ready(live) & answer.valid, ..answer }
    }

    /// The ACK or NACK of a PDC, if the record is one that is taken; with UET.
    pub fn acknowledged(&self, live: Bits<L>, received: &Received<L>) -> Acknowledged<L> {
        let acknowledged = uet::acknowledged(received);
        Acknowledged { valid: received.valid & self.ready(live) & acknowledged.valid, ..acknowledged }
    }

    /// The QP whose peer probes it, if the record is one that is taken and says so; with RoCEv2.
    pub fn probe(&self, live: Bits<L>, received: &Received<L>) -> Access<L> {
        let valid = received.valid & self.ready(live) & rocev2::probes(&self.config, received);
        Access { valid, index: received.connection }
    }

    /// The QP that a congestion notification packet is for, if the record is one that is taken; with RoCEv2.
    pub fn notification(&self, live: Bits<L>, received: &Received<L>) -> Access<L> {
        let told = rocev2::notification(received);
        Access { valid: received.valid & self.ready(live) & told.valid, ..told }
    }

    /// The event for `packet_tracker`.
    pub fn event(&self) -> AckEvent<L> {
        let Waiting { valid, event, .. } = self.waiting.get();
        AckEvent { valid, ..event }
    }

    /// One clock cycle: a record is offered; `taken` is the ready of `packet_tracker`, `now` its time.
    pub fn clock(&self, live: Bits<L>, received: &Received<L>, (taken, now): (Bits<L>, Bits<L>)) {
        let waiting = self.waiting.get();
        let meaning = match self.config.paths {
            Paths::Selector(_) => uet::meaning(received, now),
            Paths::Scheduler(..) => rocev2::meaning(&self.config, received, &waiting.event, now),
        };
        let takes = received.valid & self.ready(live) & meaning.valid;
        when(takes, || {
            let Meaning { event, follow, skip, backs_off, .. } = meaning;
            self.waiting.set(Waiting { valid: takes, event, follow, skip, backs_off });
        })
        .or_when(waiting.valid & taken, || {
            let (event, backs_off) = match waiting.skip.zip(waiting.backs_off) {
                None => (uet::next(waiting.event), None),
                Some((skip, backs_off)) => rocev2::next(waiting.event, skip, backs_off),
            };
            let (valid, follow) = (waiting.follow.any(), waiting.follow - 1);
            let skip = waiting.skip.map(|skip| Bits::lit(skip.width(), 0));
            self.waiting.set(Waiting { valid, event, follow, skip, backs_off });
        });
    }
}
