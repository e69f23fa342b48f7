// SPDX-License-Identifier: MIT OR Apache-2.0
//! The way of a packet through the network, as the stage that chooses paths says it: an EV, or a sub-path with what its MPEH
//! has (rows TX6, TX28).

use super::config::TxConfig;
use crate::transmit::entropy_selector::{self, EV_WIDTH};
use crate::transmit::path_scheduler::{self, ENTROPY_WIDTH, FLOWLET_WIDTH};
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets};

/// Width of the flags and of the tag of an MPEH.
const FLAGS_WIDTH: u32 = 8;
const TAG_WIDTH: u32 = 16;
/// The flags F and S, which a packet has for those before it that were not sent (row TX28).
pub const OWED_WIDTH: u32 = 2;

/// What a packet over a sub-path has beside its number.
#[derive(Bundle)]
#[shape]
pub struct SubPath<L: Reading> {
    #[width(ENTROPY_WIDTH)]
    pub entropy: Bits<L>,
    #[width(FLAGS_WIDTH)]
    pub flags: Bits<L>,
    #[width(FLOWLET_WIDTH)]
    pub flowlet: Bits<L>,
    #[width(TAG_WIDTH)]
    pub tag: Bits<L>,
}

/// A way.
#[derive(Bundle)]
#[shape(config: TxConfig)]
pub struct Route<L: Reading> {
    /// The EV, or the number of the sub-path.
    #[width(EV_WIDTH)]
    pub number: Bits<L>,
    /// RoCEv2.
    #[shape(config.rocev2(SubPath::shape()))]
    pub sub_path: Option<SubPath<L>>,
}

/// The answer to a request for a way.
pub struct Choice<L: Logic> {
    pub valid: Bits<L>,
    /// There is one.
    pub ok: Bits<L>,
    pub route: Route<L>,
}

#[name_nets]
impl<L: Logic> Choice<L> {
    /// That of `entropy_selector`.
    pub fn of_selector(grant: &entropy_selector::Grant<L>) -> Self {
        Choice { valid: grant.valid, ok: grant.open, route: Route { number: grant.ev, sub_path: None } }
    }

    /// That of `path_scheduler`.
    pub fn of_scheduler(grant: &path_scheduler::Grant<L>) -> Self {
        let path_scheduler::Grant { valid, ok, path, entropy, flags, flowlet, tag, .. } = *grant;
        let sub_path = Some(SubPath { entropy, flags, flowlet, tag });
        Choice { valid, ok, route: Route { number: path.extend(EV_WIDTH), sub_path } }
    }
}

#[name_nets]
impl<L: Logic> Route<L> {
    /// The same with the flags of packets that were not sent.
    pub fn owing(self, owed: Option<Bits<L>>) -> Self {
        let sub_path = self.sub_path.zip(owed).map(|(sub_path, owed)| {
            let flags = sub_path.flags | owed.extend(FLAGS_WIDTH);
            SubPath { flags, ..sub_path }
        });
        Route { sub_path, ..self }
    }

    /// The flags that the next packet has if this one is not sent.
    pub fn owed(&self) -> Option<Bits<L>> {
        self.sub_path.map(|sub_path| sub_path.flags.truncate(OWED_WIDTH))
    }
}
