// SPDX-License-Identifier: MIT OR Apache-2.0
//! Size of the stage, its settings from reset on, the steps of its two pipelines, and the widths derived from them.

use rtl_model::{Bits, Shape, bits, clog2, index_width};

/// Whether a local hop of the path to the intermediate switch is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hop {
    /// By its rule.
    #[default]
    Rule,
    /// Always.
    Kept,
    /// Never.
    Dropped,
}

impl Hop {
    /// Its code at the port.
    pub const fn code(self) -> u64 {
        match self {
            Hop::Rule => 0,
            Hop::Kept => 1,
            Hop::Dropped => 2,
        }
    }
}

/// The settings from reset on, in the units of the ports. What does not fit is the largest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiaRouterSettings {
    /// Weight of queued flits, in 1/16.
    pub weight: u64,
    /// Loads above which the level is 1 and 2, in flits per interval.
    pub limits: [u64; 2],
    /// The bias of each level, in two's complement of 16 bits.
    pub biases: [u64; 3],
    /// The load above which an own link counts as saturated.
    pub link_threshold: u64,
    /// The first local hop is kept if more own links are saturated.
    pub saturated_links: u64,
    /// The second local hop is kept if *h* times the load of a remote link is above.
    pub remote_threshold: u64,
    /// Sweeps of an interval.
    pub interval: u64,
    /// Whether the first local hop is kept.
    pub first_hop: Hop,
    /// Whether the second local hop is kept.
    pub second_hop: Hop,
    /// Flits in flight are not part of an occupancy.
    pub corrected: bool,
}

/// Size of the stage `lia_router`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiaRouterConfig {
    /// *h*: global links of a switch, 1 to 16.
    pub global_ports: u64,
    /// *a*: switches of a group, 2 to 64.
    pub switches: u64,
    /// *t*: links between two groups, a divisor of *a h* below it.
    pub trunks: u64,
    /// Width of the counters of flits, 8 to 16 bits.
    pub counter_bits: u32,
    /// Latency of the memories in clock cycles, 1 to 3.
    pub ram_latency: u32,
    /// The settings from reset on.
    pub settings: LiaRouterSettings,
}

impl LiaRouterConfig {
    /// A balanced Dragonfly, *a* = 2 *h*, with one link between two groups, and settings for an interval of some 1000 clock
    /// cycles.
    pub const fn balanced(global_ports: u64) -> Self {
        LiaRouterConfig::new(global_ports, 2 * global_ports, 1)
    }

    /// The same with any number of switches and links.
    pub const fn new(global_ports: u64, switches: u64, trunks: u64) -> Self {
        let limit = 3000 / (2 * switches);
        let config = LiaRouterConfig {
            global_ports,
            switches,
            trunks,
            counter_bits: 16,
            ram_latency: 2,
            settings: LiaRouterSettings {
                weight: 16,
                limits: [limit, 2 * limit],
                biases: [6, 0, 0x8000],
                link_threshold: 800 / switches,
                saturated_links: global_ports / 2,
                remote_threshold: 700 * global_ports,
                interval: 1,
                first_hop: Hop::Rule,
                second_hop: Hop::Rule,
                corrected: true,
            },
        };
        let interval = 1000_u64.div_ceil(config.sweep_cycles());
        LiaRouterConfig { settings: LiaRouterSettings { interval, ..config.settings }, ..config }
    }

    /// *g*: groups.
    pub const fn groups(self) -> u64 {
        self.switches * self.global_ports / self.trunks + 1
    }

    /// Rows of the tables: a row for each other group, by its offset less 1.
    pub(super) const fn rows(self) -> u64 {
        self.groups() - 1
    }

    /// Ports to other switches.
    pub const fn ports(self) -> u64 {
        self.switches + self.global_ports
    }

    /// Shape of the number of a group.
    pub(super) const fn group(self) -> Bits<Shape> {
        bits(index_width(self.groups()))
    }

    /// Shape of the number of a row.
    pub(super) const fn row(self) -> Bits<Shape> {
        bits(index_width(self.rows()))
    }

    /// Shape of the number of a switch.
    pub(super) const fn switch(self) -> Bits<Shape> {
        bits(index_width(self.switches))
    }

    /// Shape of the number of a port.
    pub(super) const fn port(self) -> Bits<Shape> {
        bits(index_width(self.ports()))
    }

    /// Shape of the number of a link of the group.
    pub(super) const fn link(self) -> Bits<Shape> {
        bits(index_width(self.switches * self.global_ports))
    }

    /// Shape of a load.
    pub(super) const fn load(self) -> Bits<Shape> {
        bits(self.counter_bits)
    }

    /// Shape of *h* times the load of a remote link: the weights of a sum are *h*<sup>2</sup>.
    pub(super) const fn remote(self) -> Bits<Shape> {
        bits(self.counter_bits + clog2(self.global_ports * self.global_ports))
    }

    /// Clock cycles in which the tables are cleared: rows of the groups, rows of the ports, and the way to the memories.
    pub(super) const fn clear_cycles(self) -> u64 {
        let (rows, ports) = (self.rows(), self.ports());
        let longer = if rows > ports { rows } else { ports };
        if longer > 16 { longer } else { 16 }
    }

    /// Clock cycles from a sweep to the next one. Behind the last visit there is time for it to end, and for requests that
    /// have entered before.
    pub const fn sweep_cycles(self) -> u64 {
        self.rows() + self.ram_latency as u64 + 13
    }

    /// The step of a request in which the row of its group is there.
    pub(super) const fn routed(self) -> u32 {
        self.ram_latency + 2
    }

    /// The step of a request in which it reads the occupancies.
    pub(super) const fn weighed(self) -> u32 {
        self.routed() + 9
    }

    /// Clock cycles from a request to its response.
    pub const fn response_cycles(self) -> u32 {
        self.routed() + 14
    }
}
