// SPDX-License-Identifier: MIT OR Apache-2.0
//! The same runs with UET and with multipath RoCEv2: two NICs, and a tolerance of gaps of one RTT.

use super::rocev2::setup as rocev2;
use super::setup::{self, Device, RTT, Sizes, pdc};
use testbench::closed_loop::ClosedLoop;
use testbench::network::FabricConfig;

/// An RTT, in units of 64 clock cycles.
const TOLERANCE: u64 = RTT / rocev2::UNIT;
/// More packets than can be under way, so that no sub-path is ever full.
const NEVER_FULL: u64 = 256;

/// The transport of two NICs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    Uet,
    Rocev2,
}

impl Transport {
    fn uet() -> Sizes {
        Sizes { tolerance: TOLERANCE, ..Sizes::default() }
    }

    fn rocev2() -> rocev2::Sizes {
        rocev2::Sizes { tolerance: TOLERANCE, ..rocev2::Sizes::paths(4, NEVER_FULL) }
    }

    /// Models of its NICs.
    pub fn models(self) -> Box<dyn Iterator<Item = Device>> {
        match self {
            Transport::Uet => Box::new(setup::models(Self::uet())),
            Transport::Rocev2 => Box::new(rocev2::models(&Self::rocev2())),
        }
    }

    /// Their Verilated RTL.
    pub fn simulations(self) -> Box<dyn Iterator<Item = Device>> {
        match self {
            Transport::Uet => Box::new(setup::simulations(Self::uet())),
            Transport::Rocev2 => Box::new(rocev2::simulations(&Self::rocev2())),
        }
    }

    /// Two hosts on this network, with one connection.
    pub fn opened(self, fabric: &FabricConfig, devices: impl Iterator<Item = Device>) -> ClosedLoop {
        self.opened_many(fabric, 1, devices)
    }

    /// With so many connections.
    pub fn opened_many(self, fabric: &FabricConfig, count: u16, devices: impl Iterator<Item = Device>) -> ClosedLoop {
        let pdcs: Vec<_> = (0..count).map(|number| pdc(0, number, 1, number)).collect();
        match self {
            Transport::Uet => setup::opened(fabric, Self::uet(), &pdcs, devices),
            Transport::Rocev2 => rocev2::opened(fabric, &Self::rocev2(), &pdcs, devices),
        }
    }
}
