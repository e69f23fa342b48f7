// SPDX-License-Identifier: MIT OR Apache-2.0
//! The context of a PDC, and what later steps know of it.

use super::backoff::{self, Backoff};
use super::config::PacketTrackerConfig;
use super::ports::{BACKOFF_LIMIT_WIDTH, MPR_WIDTH, RETRY_LIMIT_WIDTH, RTO_WIDTH, TAIL_PROBE_WIDTH};
use super::settings::InForce;
use super::timeout;
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets, select};

/// The context of a PDC.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Context<L: Reading> {
    pub open: Bits<L>,
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    #[shape(config.count())]
    pub window: Bits<L>,
    #[width(MPR_WIDTH)]
    pub mpr: Bits<L>,
    #[flatten]
    #[shape(Limits::shape())]
    pub limits: Limits<L>,
}

/// The time-out of a PDC and its limits, if they are not those of the settings.
#[derive(Bundle)]
#[shape]
pub struct OwnTimer<L: Reading> {
    pub own: Bits<L>,
    #[width(RTO_WIDTH)]
    pub rto: Bits<L>,
    #[width(RETRY_LIMIT_WIDTH)]
    pub retries: Bits<L>,
    #[width(BACKOFF_LIMIT_WIDTH)]
    pub backoff_limit: Bits<L>,
    #[width(TAIL_PROBE_WIDTH)]
    pub tail_probe: Bits<L>,
    /// That is not 0.
    pub probes: Bits<L>,
}

#[name_nets]
impl<L: Logic> OwnTimer<L> {
    /// The settings of the PDC.
    pub fn settings(self, common: InForce<L>) -> InForce<L> {
        let OwnTimer { own, rto, retries, tail_probe, probes, .. } = self;
        InForce {
            rto: select(own, rto, common.rto),
            retries: select(own, retries, common.retries),
            tail_probe: select(own, tail_probe, common.tail_probe),
            probes: select(own, probes, common.probes),
            ..common
        }
    }

    /// The first time that the PDC waits for an ACK, if that is its own; its tail may be probed or not.
    pub fn first(self, may_probe: Bits<L>) -> Bits<L> {
        timeout::first(self.probes & may_probe, self.tail_probe, self.rto)
    }
}

/// What the timer of a PDC is compared with.
#[derive(Bundle)]
#[shape]
pub struct Limits<L: Reading> {
    #[flatten]
    #[shape(OwnTimer::shape())]
    pub timer: OwnTimer<L>,
    #[flatten]
    #[shape(Backoff::shape())]
    pub backoff: Backoff<L>,
}

#[name_nets]
impl<L: Logic> Limits<L> {
    /// The PDC waits before it sends again.
    pub fn waits(&self) -> Bits<L> {
        self.backoff.is(backoff::WAITING)
    }

    /// The time that is doubled: this one, or while the PDC waits that for which it does.
    pub fn first(&self, first: Bits<L>, settings: InForce<L>) -> Bits<L> {
        select(self.waits(), self.backoff.wait.time(settings), first)
    }

    /// How often its time is doubled, after so many time-outs in a row. A PDC that has not probed has had none.
    pub fn doublings(&self, retries: Bits<L>) -> Bits<L> {
        select(self.waits(), self.backoff.wait.doublings, retries)
    }
}

/// What may be sent after a pass.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct After<L: Reading> {
    /// The PDC is open; no packet of it was refused; marked packets may be sent.
    pub open: Bits<L>,
    pub unrefused: Bits<L>,
    pub may_repeat: Bits<L>,
    /// So many PSNs may be in its window.
    #[shape(config.count())]
    pub allowed: Bits<L>,
}

/// What later steps know of it.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Owner<L: Reading> {
    /// The PDC was open before the pass.
    pub open: Bits<L>,
    /// The number of its CCC after it.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// It backs off after the pass, and packets that are marked may not be sent.
    pub backs_off: Bits<L>,
    pub holds: Bits<L>,
    /// The end of a scan: it may try again from now on.
    pub resumes: Bits<L>,
}
