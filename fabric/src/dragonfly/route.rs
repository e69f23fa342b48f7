// SPDX-License-Identifier: MIT OR Apache-2.0
//! The way of a packet, as its source switch decides it: ports and virtual channels (L05, L06).
//!
//! Channels follow the place of a hop in L1 G L2 L3 G L4: local 0, global 0, local 1, local 2, global 1, local 3. On every way they
//! rise in this order, so no packets can wait for one another in a circle.

use super::shape::Shape;

/// Most hops: six links, and the one to the host.
pub const MOST_HOPS: usize = 7;

/// Virtual channels of a port; global ports use two of them.
pub const CHANNELS: usize = 4;

/// A port in the lower six bits, a virtual channel above.
pub type Hop = u8;

/// No hop: nothing has been decided.
pub const NONE: Hop = 0xFF;

/// The port of a hop.
#[must_use]
pub const fn port(hop: Hop) -> usize {
    (hop & 0x3F) as usize
}

/// The virtual channel of a hop.
#[must_use]
pub const fn channel(hop: Hop) -> usize {
    (hop >> 6) as usize
}

/// Where a packet goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Group.
    pub group: u32,
    /// Place of the switch in its group.
    pub switch: u32,
    /// Port of the host.
    pub host: u32,
}

impl Place {
    /// Of a host.
    #[must_use]
    pub const fn of(shape: &Shape, host: u32) -> Self {
        let switch = host / shape.hosts;
        Place { group: switch / shape.switches, switch: switch % shape.switches, host: host % shape.hosts }
    }
}

/// A detour over another group: the link of the own group that leads there, and a switch there, if its second local hop is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detour {
    /// The link.
    pub link: u32,
    /// Place of the switch in the other group.
    pub through: Option<u32>,
}

/// A way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// Hops; the last one leads to the host.
    pub hops: [Hop; MOST_HOPS],
    /// How many.
    pub count: u8,
}

impl Route {
    const fn new() -> Self {
        Route { hops: [NONE; MOST_HOPS], count: 0 }
    }

    const fn push(&mut self, port: u32, channel: u8) {
        self.hops[self.count as usize] = port as u8 | channel << 6;
        self.count += 1;
    }

    /// Links between switches.
    #[must_use]
    pub const fn links(&self) -> u32 {
        self.count as u32 - 1
    }

    /// A hop within a group, unless it would lead to where the packet is.
    const fn local(&mut self, shape: &Shape, from: u32, to: u32, channel: u8) {
        if from != to {
            self.push(shape.local_port(from, to), channel);
        }
    }

    /// Over a link to another group. Returns the place of the switch there.
    const fn cross(&mut self, shape: &Shape, from: u32, link: u32, channels: [u8; 2]) -> u32 {
        self.local(shape, from, link / shape.links, channels[0]);
        self.push(shape.global_port(link), channels[1]);
        shape.far(link) / shape.links
    }

    /// The shortest way from a switch, over one of the links between the two groups. `which` is one of *t*.
    #[must_use]
    pub const fn minimal(shape: &Shape, group: u32, switch: u32, to: Place, which: u32) -> Self {
        let mut route = Route::new();
        let mut at = switch;
        if group != to.group {
            let link = shape.link(shape.distance(group, to.group), which);
            at = route.cross(shape, at, link, [0, 0]);
            route.local(shape, at, to.switch, 1);
        } else {
            route.local(shape, at, to.switch, 0);
        }
        route.push(to.host, 0);
        route
    }

    /// A detour to another group that is not that of the destination.
    #[must_use]
    pub const fn over(shape: &Shape, group: u32, switch: u32, to: Place, detour: Detour, which: u32) -> Self {
        let mut route = Route::new();
        let mut at = route.cross(shape, switch, detour.link, [0, 0]);
        if let Some(through) = detour.through {
            route.local(shape, at, through, 1);
            at = through;
        }
        let between = (group + shape.offset(detour.link)) % shape.groups;
        let link = shape.link(shape.distance(between, to.group), which);
        at = route.cross(shape, at, link, [2, 1]);
        route.local(shape, at, to.switch, 3);
        route.push(to.host, 0);
        route
    }
}
