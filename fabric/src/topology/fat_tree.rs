// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fat trees of switches with *k* ports (Al-Fares and others, 2008), with as much capacity in each tier as hosts have.
//!
//! Two tiers: *k* leaves with *k*/2 hosts each, below *k*/2 spines. Three tiers: *k* pods of *k*/2 edge and *k*/2 aggregation
//! switches; an edge switch has *k*/2 hosts, and aggregation switch *a* of each pod a link to the *k*/2 cores of group *a*.

use super::{Cable, Topology, leaf_spine};
use crate::link::Node;

/// The links of a fat tree of 2 or 3 tiers for exactly so many hosts.
///
/// # Errors
/// No fat tree of so many tiers has so many hosts.
pub fn fat_tree(hosts: u32, tiers: u32, cable: Cable) -> Result<Topology, String> {
    let size = |k: u32| match tiers {
        2 => k * k / 2,
        _ => k * k * k / 4,
    };
    if !(2..=3).contains(&tiers) {
        return Err(format!("a fat tree has 2 or 3 tiers, not {tiers}"));
    }
    let near = || {
        let sizes: Vec<_> = (1..=32).map(|half| size(2 * half)).collect();
        let below = sizes.iter().rev().find(|&&size| size < hosts);
        let above = sizes.iter().find(|&&size| size > hosts);
        below.into_iter().chain(above).map(u32::to_string).collect::<Vec<_>>().join(" or ")
    };
    let Some(k) = (1..=128).map(|half| 2 * half).find(|&k| size(k) == hosts) else {
        return Err(format!("no fat tree of {tiers} tiers has {hosts} hosts; one has {}", near()));
    };
    let half = k / 2;
    if tiers == 2 {
        return leaf_spine(hosts, k, half, cable);
    }
    let mut topology = Topology::of_hosts(hosts);
    let many = |topology: &mut Topology, kind: &str, count: u32| -> Vec<Node> {
        (0..count).map(|at| topology.switch(format!("{kind}{at}"))).collect()
    };
    let edge = many(&mut topology, "edge", k * half);
    let aggregation = many(&mut topology, "agg", k * half);
    let core = many(&mut topology, "core", half * half);
    for host in 0..hosts {
        topology.join(Node::Host(host), edge[(host / half) as usize], cable);
    }
    for pod in 0..k {
        for up in 0..half {
            let upper = aggregation[(pod * half + up) as usize];
            for down in 0..half {
                topology.join(edge[(pod * half + down) as usize], upper, cable);
            }
            for at in 0..half {
                topology.join(upper, core[(up * half + at) as usize], cable);
            }
        }
    }
    Ok(topology)
}
