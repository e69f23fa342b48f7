// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of a Dragonfly, and the place of a switch in it (L01, L02).

use crate::collect::ports::named;
use std::collections::BTreeMap;

/// The size of a Dragonfly whose groups and whose network of groups are full meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// *h*: global links of a switch, 1 to 16.
    pub global_ports: u64,
    /// *a*: switches of a group, 2 to 64.
    pub switches: u64,
    /// *t*: links between two groups. *a h* is a multiple of it, and there are at least three groups.
    pub trunks: u64,
    /// Width of the counters of flits, 8 to 16 bits.
    pub counter_bits: u32,
}

impl Shape {
    /// A balanced Dragonfly: *a* = 2 *h*, and one link between two groups.
    #[must_use]
    pub const fn balanced(global_ports: u64) -> Self {
        Shape { global_ports, switches: 2 * global_ports, trunks: 1, counter_bits: 16 }
    }

    /// The same with so many switches in a group.
    #[must_use]
    pub const fn switches(self, switches: u64) -> Self {
        Shape { switches, ..self }
    }

    /// The same with so many links between two groups.
    #[must_use]
    pub const fn trunks(self, trunks: u64) -> Self {
        Shape { trunks, ..self }
    }

    /// The same with counters of this width.
    #[must_use]
    pub const fn counter_bits(self, counter_bits: u32) -> Self {
        Shape { counter_bits, ..self }
    }

    /// Whether such a stage exists.
    #[must_use]
    pub const fn exists(self) -> bool {
        let Shape { global_ports: h, switches: a, trunks: t, counter_bits } = self;
        let sizes = h >= 1 && h <= 16 && a >= 2 && a <= 64 && t >= 1 && counter_bits >= 8 && counter_bits <= 16;
        sizes && (a * h).is_multiple_of(t) && a * h / t >= 2
    }

    /// *a h*: global links of a group.
    #[must_use]
    pub const fn links(self) -> u64 {
        self.switches * self.global_ports
    }

    /// *g*: groups.
    #[must_use]
    pub const fn groups(self) -> u64 {
        self.links() / self.trunks + 1
    }

    /// Ports to other switches: local port *m* leads to switch *m*, port *a* + *j* is global link *j* of the switch.
    #[must_use]
    pub const fn ports(self) -> u64 {
        self.switches + self.global_ports
    }

    /// From which jump of switches on links that are *offset* groups apart lie (L16): *k* and *r*, where
    /// *offset* *t* = *k h* + *r*.
    #[must_use]
    pub const fn jump(self, offset: u64) -> (u64, u64) {
        let links = offset * self.trunks;
        (links / self.global_ports, links % self.global_ports)
    }

    /// Width of *h* RC: the weights of a sum are *h* squared (L16).
    #[must_use]
    pub const fn remote_bits(self) -> u32 {
        self.counter_bits + (self.global_ports * self.global_ports).next_power_of_two().ilog2()
    }

    /// How far a group is behind another one.
    #[must_use]
    pub const fn offset(self, group: u64, from: u64) -> u64 {
        (group + self.groups() - from) % self.groups()
    }

    /// The group that is so far behind this one.
    #[must_use]
    pub const fn group(self, from: u64, offset: u64) -> u64 {
        (from + offset) % self.groups()
    }

    /// The size as the parameters of a group of vectors.
    #[must_use]
    pub fn configuration(self) -> BTreeMap<String, u64> {
        let Shape { global_ports, switches, trunks, counter_bits } = self;
        let size = [
            ("global_ports", global_ports),
            ("switches", switches),
            ("trunks", trunks),
            ("counter_bits", counter_bits.into()),
        ];
        named(size)
    }
}

/// Where a switch is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Its group.
    pub group: u64,
    /// Its number in the group.
    pub switch: u64,
}
