// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames of a stranger: the QP or PDC identifier and the PSN are right, an address, the P_Key or the SPDCID is not (rows RX20
//! to RX22). Data are not delivered, an ACK completes nothing, and nobody is answered.

mod cnp;
mod mutations;
mod no_room;
mod refusals;
mod station;
mod trials;
mod variants;

use super::rocev2::setup as rocev2;
use super::setup::{self, Device, one_leaf, pdc};
use testbench::closed_loop::{ClosedLoop, NicConfig, Pdc};

/// Packets of 4,096 bytes, as in the other loops: the same designs.
const SEGMENT_LOG: u32 = 12;
/// QPs or PDCs from host 0 to host 1, which are open.
const OPEN: u16 = 2;

/// The NICs of a loop.
#[derive(Clone, Copy, Debug)]
struct Kind {
    rocev2: bool,
    ipv6: bool,
    /// All that is open is open for anyone.
    any_peer: bool,
    /// Backoffs in a row with which a connection fails, if there is a limit.
    backoff_limit: Option<u64>,
}

impl Kind {
    fn rocev2_sizes() -> rocev2::Sizes {
        rocev2::Sizes { segment_log: SEGMENT_LOG, ..rocev2::Sizes::paths(2, 32) }
    }

    fn uet_sizes() -> setup::Sizes {
        setup::Sizes { segment_log: SEGMENT_LOG, ..setup::Sizes::default() }
    }

    /// What its NICs are told.
    fn nic(self) -> NicConfig {
        let mut nic = if self.rocev2 { rocev2::nic(&Self::rocev2_sizes()) } else { setup::nic(Self::uet_sizes()) };
        // With a limit time-outs are those of the settings of the project; no probes of the tail, as a stranger needs time.
        let (limit, rto) = self.backoff_limit.map_or((31, 781), |limit| (limit, 7813));
        nic.open.extend([("own_timer", 1), ("rto", rto), ("rto_retries", 5), ("backoff_limit", limit)]);
        nic.open.extend([("any_peer", self.any_peer.into()), ("tail_probe", 0)]);
        nic
    }

    fn pdcs(self) -> impl Iterator<Item = Pdc> {
        (0..OPEN).map(move |number| Pdc { ipv6: self.ipv6, ..pdc(0, number, 1, number) })
    }

    fn models(self) -> Box<dyn Iterator<Item = Device>> {
        match self.rocev2 {
            true => Box::new(rocev2::models(&Self::rocev2_sizes())),
            false => Box::new(setup::models(Self::uet_sizes())),
        }
    }

    fn simulations(self) -> Box<dyn Iterator<Item = Device>> {
        match self.rocev2 {
            true => Box::new(rocev2::simulations(&Self::rocev2_sizes())),
            false => Box::new(setup::simulations(Self::uet_sizes())),
        }
    }

    /// Two of these devices with connections between them.
    fn open(self, devices: impl Iterator<Item = Device>) -> ClosedLoop {
        let nic = self.nic();
        let mut run = ClosedLoop::new(&one_leaf(2, false), &nic, devices.take(2)).expect("the ports are there");
        self.pdcs().for_each(|pdc| run.open(&nic, pdc).expect("it opens"));
        run
    }
}

/// How many frames a NIC has refused because of the source address, the destination address, and P_Key or SPDCID.
fn refused(run: &ClosedLoop, host: usize) -> [u64; 3] {
    let count = |name: &str| run.nics[host].count(name);
    let context = count("refused_pkey").or(count("refused_spdcid"));
    [count("refused_source"), count("refused_destination"), context].map(|count| count.expect("it counts"))
}

/// So many clock cycles.
fn steps(run: &mut ClosedLoop, cycles: u64) {
    (0..cycles).for_each(|_| run.step().expect("the rules hold"));
}
