// SPDX-License-Identifier: MIT OR Apache-2.0
//! Output-queued switches: which of the links that lead to a host a packet takes.

use crate::link::LinkId;
use crate::packet::Packet;
use crate::random::{Random, mixed};
use crate::topology::Routes;

/// How a switch chooses among links of equal length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// ECMP by a hash of flow and EV: each EV is a path.
    FlowAndEv,
    /// ECMP by a hash of the flow alone: a flow has one path.
    Flow,
}

/// All switches.
#[derive(Debug)]
pub struct Switches {
    routes: Routes,
    choice: Choice,
    /// What makes the hash of each switch another one.
    salts: Vec<u64>,
}

impl Switches {
    /// So many switches.
    #[must_use]
    pub fn new(routes: Routes, choice: Choice, switches: usize, random: &mut Random) -> Self {
        Switches { routes, choice, salts: (0..switches).map(|_| random.bits()).collect() }
    }

    /// The paths.
    #[must_use]
    pub const fn routes(&self) -> &Routes {
        &self.routes
    }

    /// The link that a packet takes; `None` if none leads to its destination.
    #[must_use]
    pub fn choose(&self, switch: u32, packet: &Packet) -> Option<LinkId> {
        let choices = self.routes.choices(switch, packet.destination);
        if choices.len() < 2 {
            return choices.first().copied();
        }
        let ev = match self.choice {
            Choice::FlowAndEv => u64::from(packet.ev),
            Choice::Flow => 0,
        };
        let hash = mixed(self.salts[switch as usize] ^ u64::from(packet.flow) << 16 ^ ev);
        // The upper bits, without a division.
        choices.get(((u128::from(hash) * choices.len() as u128) >> 64) as usize).copied()
    }
}
