// SPDX-License-Identifier: MIT OR Apache-2.0
//! The context of a PDC, and what later steps know of it.

use super::config::PacketTrackerConfig;
use super::ports::{MPR_WIDTH, RETRY_LIMIT_WIDTH, RTO_WIDTH};
use super::settings::InForce;
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
    #[shape(OwnTimer::shape())]
    pub timer: OwnTimer<L>,
}

/// The time-out of a PDC and its limit, if they are not those of the settings.
#[derive(Bundle)]
#[shape]
pub struct OwnTimer<L: Reading> {
    pub own: Bits<L>,
    #[width(RTO_WIDTH)]
    pub rto: Bits<L>,
    #[width(RETRY_LIMIT_WIDTH)]
    pub retries: Bits<L>,
}

#[name_nets]
impl<L: Logic> OwnTimer<L> {
    /// The settings of the PDC.
    pub fn settings(self, common: InForce<L>) -> InForce<L> {
        let OwnTimer { own, rto, retries } = self;
        InForce { rto: select(own, rto, common.rto), retries: select(own, retries, common.retries), ..common }
    }
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
}
