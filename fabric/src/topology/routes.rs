// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shortest paths: of each switch the links that lead to a host.

use super::Topology;
use crate::link::{LinkId, Node};
use std::collections::{BTreeMap, VecDeque};

/// For each switch and host the links of all shortest paths. Many hosts share a list.
#[derive(Debug, Default)]
pub struct Routes {
    hosts: usize,
    /// Number of the list of each switch and host.
    table: Vec<u32>,
    /// Where each list begins and ends in `links`.
    lists: Vec<(u32, u32)>,
    links: Vec<LinkId>,
    /// The link of each host.
    up: Vec<LinkId>,
}

/// The link from each host, and the link to it with its switch.
type Access = (Vec<LinkId>, Vec<(LinkId, u32)>);

/// Each host must have one link in each direction.
fn access(topology: &Topology) -> Result<Access, String> {
    let hosts = topology.hosts.len();
    let (mut up, mut down) = (vec![None; hosts], vec![None; hosts]);
    for (at, wire) in topology.wires.iter().enumerate() {
        let id = at as LinkId;
        let before = match (wire.from, wire.to) {
            (Node::Switch(_), Node::Switch(_)) => None,
            (Node::Switch(leaf), Node::Host(host)) => down[host as usize].replace((id, leaf)).map(|_| ()),
            (Node::Host(host), Node::Switch(_)) => up[host as usize].replace(id).map(|_| ()),
            (Node::Host(_), Node::Host(_)) => Some(()),
        };
        if before.is_some() {
            return Err(format!(
                "the link {} is one too many: a host has one link to a switch, and one from it",
                topology.link_name(wire)
            ));
        }
    }
    let lonely = (0..hosts).find(|&host| up[host].is_none() || down[host].is_none());
    if let Some(host) = lonely {
        return Err(format!("{} has no link to a switch, or none from it", topology.hosts[host]));
    }
    Ok((up.into_iter().flatten().collect(), down.into_iter().flatten().collect()))
}

impl Routes {
    /// Those of a topology.
    ///
    /// # Errors
    /// A host has not exactly one link to a switch and one from it, or a switch that leads to a host does not lead to another one.
    pub fn of(topology: &Topology) -> Result<Self, String> {
        let (up, down) = access(topology)?;
        let (hosts, switches) = (topology.hosts.len(), topology.switches.len());
        // Links between switches, by the switch at their end.
        let mut into = vec![Vec::new(); switches];
        for (at, wire) in topology.wires.iter().enumerate() {
            if let (Node::Switch(from), Node::Switch(to)) = (wire.from, wire.to) {
                into[to as usize].push((at as LinkId, from));
            }
        }
        let mut routes = Routes { hosts, table: vec![0; hosts * switches], up, ..Routes::default() };
        let mut numbers: BTreeMap<Vec<LinkId>, u32> = BTreeMap::new();
        let mut number = |routes: &mut Routes, list: Vec<LinkId>| {
            *numbers.entry(list).or_insert_with_key(|list| {
                let begin = routes.links.len() as u32;
                routes.links.extend(list);
                routes.lists.push((begin, routes.links.len() as u32));
                (routes.lists.len() - 1) as u32
            })
        };
        // Hosts of one leaf are reached on the same paths up to it.
        let mut of_leaf: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (host, &(_, leaf)) in down.iter().enumerate() {
            of_leaf.entry(leaf).or_default().push(host);
        }
        for (&leaf, members) in &of_leaf {
            let lists = towards(leaf, &into);
            for (switch, list) in lists.into_iter().enumerate() {
                if switch == leaf as usize {
                    continue;
                }
                let list = number(&mut routes, list);
                members.iter().for_each(|host| routes.table[switch * hosts + host] = list);
            }
            for &host in members {
                let list = number(&mut routes, vec![down[host].0]);
                routes.table[leaf as usize * hosts + host] = list;
            }
        }
        for &from in of_leaf.keys() {
            let unreached = (0..hosts).find(|&host| routes.choices(from, host as u32).is_empty());
            if let Some(host) = unreached {
                let (from, to) = (&topology.switches[from as usize], &topology.hosts[host]);
                return Err(format!("no path leads from {from} to {to}"));
            }
        }
        Ok(routes)
    }

    /// The links of a switch that lead to a host; none if no path does.
    #[must_use]
    pub fn choices(&self, switch: u32, host: u32) -> &[LinkId] {
        let list = self.table[switch as usize * self.hosts + host as usize];
        let (begin, end) = self.lists[list as usize];
        &self.links[begin as usize..end as usize]
    }

    /// The link of a host to its switch.
    #[must_use]
    pub fn from_host(&self, host: u32) -> LinkId {
        self.up[host as usize]
    }
}

/// Of each switch the links on shortest paths to this one.
fn towards(leaf: u32, into: &[Vec<(LinkId, u32)>]) -> Vec<Vec<LinkId>> {
    let mut distance = vec![u32::MAX; into.len()];
    let mut lists = vec![Vec::new(); into.len()];
    distance[leaf as usize] = 0;
    let mut queue = VecDeque::from([leaf]);
    while let Some(to) = queue.pop_front() {
        let next = distance[to as usize] + 1;
        for &(link, from) in &into[to as usize] {
            if distance[from as usize] == u32::MAX {
                distance[from as usize] = next;
                queue.push_back(from);
            }
            if distance[from as usize] == next {
                lists[from as usize].push(link);
            }
        }
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{Cable, fat_tree, leaf_spine};

    const CABLE: Cable = Cable { rate: 1, delay: 1 };

    #[test]
    fn a_leaf_has_a_path_over_each_spine() {
        let topology = leaf_spine(8, 4, 3, CABLE).expect("it is one");
        let routes = Routes::of(&topology).expect("it is whole");
        assert_eq!(routes.choices(0, 7).len(), 3);
        assert_eq!(routes.choices(0, 1).len(), 1, "the host is behind this leaf");
        assert_eq!(routes.choices(4, 7).len(), 1, "a spine has one link to each leaf");
    }

    #[test]
    fn a_fat_tree_has_a_path_over_each_core() {
        let topology = fat_tree(16, 3, CABLE).expect("it is one");
        let routes = Routes::of(&topology).expect("it is whole");
        // k = 4: two choices at the edge, and two more at the aggregation switch.
        assert_eq!((routes.choices(0, 15).len(), routes.choices(8, 15).len()), (2, 2));
        assert_eq!(routes.choices(0, 2).len(), 2, "another edge of the pod");
        assert_eq!(routes.choices(16, 15).len(), 1, "a core has one link to each pod");
        assert_eq!((topology.wires.len(), topology.switches.len()), (2 * 3 * 16, 20));
    }

    #[test]
    fn sizes_that_are_none_are_refused() {
        assert_eq!(fat_tree(100, 3, CABLE).unwrap_err(), "no fat tree of 3 tiers has 100 hosts; one has 54 or 128");
        assert!(fat_tree(128, 3, CABLE).is_ok() && fat_tree(128, 2, CABLE).is_ok());
        assert!(fat_tree(128, 4, CABLE).is_err() && leaf_spine(10, 4, 1, CABLE).is_err());
    }

    #[test]
    fn what_leads_nowhere_is_refused() {
        let mut topology = leaf_spine(2, 2, 1, CABLE).expect("it is one");
        topology.wires.retain(|wire| wire.to != Node::Switch(1));
        assert_eq!(Routes::of(&topology).unwrap_err(), "host1 has no link to a switch, or none from it");
        let mut topology = leaf_spine(2, 2, 1, CABLE).expect("it is one");
        topology.wires.retain(|wire| wire.from != Node::Switch(2));
        assert_eq!(Routes::of(&topology).unwrap_err(), "no path leads from leaf0 to host1");
    }
}
