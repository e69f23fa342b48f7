// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which links there are, how they are called, and which of them lead to a host.

mod fat_tree;
mod leaf_spine;
mod pattern;
mod routes;

pub use fat_tree::fat_tree;
pub use leaf_spine::leaf_spine;
pub use pattern::Pattern;
pub use routes::Routes;

use crate::event::Time;
use crate::link::{Node, Wire};

/// What all links of a regular topology have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cable {
    /// Rate in Mb/s.
    pub rate: u64,
    /// Delay.
    pub delay: Time,
}

/// A network without its traffic.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    /// Names of hosts, in the order of their numbers.
    pub hosts: Vec<String>,
    /// Names of switches.
    pub switches: Vec<String>,
    /// All links, each in one direction.
    pub wires: Vec<Wire>,
}

impl Topology {
    /// So many hosts, and nothing else.
    #[must_use]
    pub fn of_hosts(hosts: u32) -> Self {
        let hosts = (0..hosts).map(|host| format!("host{host}")).collect();
        Topology { hosts, ..Topology::default() }
    }

    /// One more switch.
    pub fn switch(&mut self, name: String) -> Node {
        self.switches.push(name);
        Node::Switch((self.switches.len() - 1) as u32)
    }

    /// A link in both directions.
    pub fn join(&mut self, a: Node, b: Node, cable: Cable) {
        let Cable { rate, delay } = cable;
        self.wires.push(Wire { from: a, to: b, rate, delay });
        self.wires.push(Wire { from: b, to: a, rate, delay });
    }

    /// The name of a place.
    #[must_use]
    pub fn name(&self, node: Node) -> &str {
        match node {
            Node::Host(host) => &self.hosts[host as usize],
            Node::Switch(switch) => &self.switches[switch as usize],
        }
    }

    /// The name of a link.
    #[must_use]
    pub fn link_name(&self, wire: &Wire) -> String {
        format!("{} -> {}", self.name(wire.from), self.name(wire.to))
    }
}
