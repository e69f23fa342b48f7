// SPDX-License-Identifier: MIT OR Apache-2.0
//! The EV space of a CCC (U10): the largest power of two whose round takes at most two RTT at the CCC's rate, so that it
//! takes one to two.

use super::traffic::packets;
use crate::config::Config;
use serde::Serialize;

/// The EV space for a rate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Space {
    /// The rate of the CCC in Gb/s.
    pub gbps: f64,
    /// Number of EVs.
    pub evs: u64,
    /// The code for the command *open*: log2 of the number.
    pub code: u32,
    /// The time of a round in RTT.
    pub round_rtts: f64,
    /// What limits the space: `rate`, or `evs` if the stage has too few for a round of one RTT.
    pub limited_by: &'static str,
}

/// The spaces at the rate of the link and at parts of it.
pub fn spaces(config: &Config) -> Vec<Space> {
    [1.0, 2.0, 4.0, 8.0].map(|part| space(config.target.link_gbps / part, config)).into()
}

fn space(gbps: f64, config: &Config) -> Space {
    let settings = &config.settings;
    let per_rtt = packets(gbps, settings.rtt_us, config.packet_bytes());
    let most = config.entropy_selector.evs.ilog2();
    let wanted = (2.0 * per_rtt).log2().floor().max(1.0) as u32;
    let code = wanted.min(most);
    Space {
        gbps,
        evs: 1 << code,
        code,
        round_rtts: f64::from(1 << code) / per_rtt,
        limited_by: if wanted > most { "evs" } else { "rate" },
    }
}
