// SPDX-License-Identifier: MIT OR Apache-2.0
//! Leaves and spines: two tiers, each leaf with a link to each spine.

use super::{Cable, Topology};
use crate::link::Node;

/// The links of a network of this many leaves and spines, with the hosts evenly behind the leaves.
///
/// # Errors
/// The leaves do not share the hosts evenly, or there are none.
pub fn leaf_spine(hosts: u32, leaves: u32, spines: u32, cable: Cable) -> Result<Topology, String> {
    if leaves == 0 || spines == 0 || hosts == 0 {
        return Err("hosts, leaves and spines must be at least 1".to_owned());
    }
    if !hosts.is_multiple_of(leaves) {
        return Err(format!("{leaves} leaves do not share {hosts} hosts evenly"));
    }
    let mut topology = Topology::of_hosts(hosts);
    let leaf: Vec<_> = (0..leaves).map(|leaf| topology.switch(format!("leaf{leaf}"))).collect();
    let spine: Vec<_> = (0..spines).map(|spine| topology.switch(format!("spine{spine}"))).collect();
    for host in 0..hosts {
        topology.join(Node::Host(host), leaf[(host / (hosts / leaves)) as usize], cable);
    }
    for &leaf in &leaf {
        spine.iter().for_each(|&spine| topology.join(leaf, spine, cable));
    }
    Ok(topology)
}
