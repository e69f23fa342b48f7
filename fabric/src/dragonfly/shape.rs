// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which switch is joined to which: groups that are full meshes, and a full mesh of groups (L01, L02, L04).
//!
//! The links of a group are numbered: link *L* = *m h* + *j* is global port *j* of switch *m*. A link and the one at its other end
//! always have numbers that add up to *a h* - 1 (palmtree).

/// Which *t* links lead to the same group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trunks {
    /// Links that follow one another.
    #[default]
    Neighbours,
    /// Links that are (*g* - 1) apart, so at different switches.
    Apart,
}

/// Most ports of a switch: a hop is a port and a virtual channel in one byte, and one value of it means that there is none.
pub const MOST_PORTS: u32 = 63;

/// The sizes of a Dragonfly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Hosts of a switch (*p*).
    pub hosts: u32,
    /// Switches of a group (*a*).
    pub switches: u32,
    /// Global links of a switch (*h*).
    pub links: u32,
    /// Links between two groups (*t*).
    pub trunk: u32,
    /// Which links these are.
    pub trunks: Trunks,
    /// Groups (*g*).
    pub groups: u32,
}

impl Shape {
    /// A Dragonfly with as many groups as it can have.
    ///
    /// # Errors
    /// There is none with these sizes.
    pub fn new(hosts: u32, switches: u32, links: u32, trunk: u32, trunks: Trunks) -> Result<Self, String> {
        if [hosts, switches, links, trunk].contains(&0) || switches < 2 {
            return Err("a Dragonfly has 2 switches a group or more, and 1 or more of the rest".to_owned());
        }
        let too_many = || format!("a switch has {MOST_PORTS} ports at most, for hosts, the group and other groups");
        let ports = hosts.checked_add(switches - 1).and_then(|ports| ports.checked_add(links)).ok_or_else(too_many)?;
        if ports > MOST_PORTS {
            return Err(too_many());
        }
        let all = switches * links;
        if !all.is_multiple_of(trunk) {
            return Err(format!("{all} links of a group do not make whole trunks of {trunk}"));
        }
        let groups = 1 + all / trunk;
        if groups < 3 {
            return Err("without a third group there is no other way".to_owned());
        }
        Ok(Shape { hosts, switches, links, trunk, trunks, groups })
    }

    /// Ports of a switch: those to hosts, to the switches of the group, to other groups.
    #[must_use]
    pub const fn ports(&self) -> u32 {
        self.hosts + self.switches - 1 + self.links
    }

    /// Global links of a group.
    #[must_use]
    pub const fn group_links(&self) -> u32 {
        self.switches * self.links
    }

    /// All switches.
    #[must_use]
    pub const fn all_switches(&self) -> u32 {
        self.groups * self.switches
    }

    /// All hosts.
    #[must_use]
    pub const fn all_hosts(&self) -> u32 {
        self.all_switches() * self.hosts
    }

    /// How many groups further a link leads.
    #[must_use]
    pub const fn offset(&self, link: u32) -> u32 {
        match self.trunks {
            Trunks::Neighbours => link / self.trunk + 1,
            Trunks::Apart => link % (self.groups - 1) + 1,
        }
    }

    /// One of the *t* links to the group at an offset, which is not 0.
    #[must_use]
    pub const fn link(&self, offset: u32, which: u32) -> u32 {
        match self.trunks {
            Trunks::Neighbours => (offset - 1) * self.trunk + which,
            Trunks::Apart => offset - 1 + which * (self.groups - 1),
        }
    }

    /// The number that a link has at its other end.
    #[must_use]
    pub const fn far(&self, link: u32) -> u32 {
        self.group_links() - 1 - link
    }

    /// How many groups further `to` is than `from`.
    #[must_use]
    pub const fn distance(&self, from: u32, to: u32) -> u32 {
        if to >= from { to - from } else { to + self.groups - from }
    }

    /// The port of a switch to another one of its group; both are places in the group.
    #[must_use]
    pub const fn local_port(&self, from: u32, to: u32) -> u32 {
        let jump = if to > from { to - from } else { to + self.switches - from };
        self.hosts + jump - 1
    }

    /// The port of a link, at the switch that has it.
    #[must_use]
    pub const fn global_port(&self, link: u32) -> u32 {
        self.hosts + self.switches - 1 + link % self.links
    }

    /// Where the link behind a port ends, as a switch and its port. `None` for ports to hosts.
    #[must_use]
    pub const fn peer(&self, switch: u32, port: u32) -> Option<(u32, u32)> {
        let (group, place) = (switch / self.switches, switch % self.switches);
        if port < self.hosts {
            return None;
        }
        if self.is_global(port) {
            let link = place * self.links + port - (self.hosts + self.switches - 1);
            let (there, far) = ((group + self.offset(link)) % self.groups, self.far(link));
            return Some((there * self.switches + far / self.links, self.global_port(far)));
        }
        let to = (place + port - self.hosts + 1) % self.switches;
        Some((group * self.switches + to, self.local_port(to, place)))
    }

    /// Whether a port leads to another group.
    #[must_use]
    pub const fn is_global(&self, port: u32) -> bool {
        port >= self.hosts + self.switches - 1
    }
}
