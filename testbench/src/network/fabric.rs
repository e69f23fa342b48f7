// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hosts, the leaves to which they are linked, and the paths between leaves.

use super::FrameBytes;
use super::headers::Headers;
use super::link::{Link, LinkConfig};
use super::port::{Impairment, Port, PortConfig, PortCounts};
use super::queue::QueueConfig;
use crate::device::random::Random;

/// A path from each leaf to each other one.
#[derive(Clone, Debug, PartialEq)]
pub struct PathConfig {
    /// The link.
    pub link: LinkConfig,
    /// What it does at random.
    pub impairment: Impairment,
}

/// A network.
#[derive(Clone, Debug, PartialEq)]
pub struct FabricConfig {
    /// The leaf of each host.
    pub hosts: Vec<usize>,
    /// From a host to its leaf.
    pub uplink: LinkConfig,
    /// From a leaf to each of its hosts.
    pub downlink: PortConfig,
    /// From a leaf to another one. A frame takes the path that its UDP source port says.
    pub paths: Vec<PathConfig>,
    /// The queues in front of them.
    pub path_queue: QueueConfig,
    /// What is random.
    pub seed: u64,
}

/// The MAC address of a host.
pub const fn mac(host: usize) -> u64 {
    0x0200_0000_0000 | host as u64
}

/// The host to which a frame goes; `None` if there is no such.
fn destination(frame: &[u8], hosts: usize) -> Option<usize> {
    let mut address = [0; 8];
    address[2..].copy_from_slice(frame.get(..6)?);
    let host = u64::from_be_bytes(address) ^ mac(0);
    (host < hosts as u64).then_some(host as usize)
}

/// The path that a switch chooses for a UDP source port. The multiplications spread ports that follow one another.
fn hash(source_port: u16, salt: u64) -> u64 {
    let mut z = (source_port as u64 ^ salt).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A network with what is under way.
pub struct Fabric {
    hosts: Vec<usize>,
    uplinks: Vec<Link>,
    downlinks: Vec<Port>,
    leaves: usize,
    path_count: usize,
    /// By leaf, other leaf and number.
    paths: Vec<Port>,
    salts: Vec<u64>,
    /// Frames to no host.
    pub lost: u64,
}

impl Fabric {
    /// A network in which nothing is under way.
    pub fn new(config: &FabricConfig) -> Self {
        let mut random = Random::new(config.seed);
        let leaves = config.hosts.iter().max().map_or(0, |leaf| leaf + 1);
        let mut port = |config: &PortConfig| Port::new(config.clone(), Random::new(random.bits()));
        let downlinks = config.hosts.iter().map(|_| port(&config.downlink)).collect();
        let mut paths = Vec::new();
        for _ in 0..leaves * leaves {
            for path in &config.paths {
                let (queue, link, impairment) = (config.path_queue.clone(), path.link, path.impairment);
                paths.push(port(&PortConfig { queue, link, impairment }));
            }
        }
        Fabric {
            uplinks: config.hosts.iter().map(|_| Link::new(config.uplink)).collect(),
            hosts: config.hosts.clone(),
            downlinks,
            leaves,
            path_count: config.paths.len(),
            paths,
            salts: (0..leaves).map(|_| random.bits()).collect(),
            lost: 0,
        }
    }

    /// The link of a host, on which it sends.
    pub fn uplink(&mut self, host: usize) -> &mut Link {
        &mut self.uplinks[host]
    }

    /// What has happened in front of a host.
    pub fn downlink(&self, host: usize) -> &Port {
        &self.downlinks[host]
    }

    /// The port in front of a host.
    pub fn downlink_mut(&mut self, host: usize) -> &mut Port {
        &mut self.downlinks[host]
    }

    /// What has happened on one path from a leaf to another.
    pub fn path(&self, from: usize, to: usize, path: usize) -> &Port {
        &self.paths[(from * self.leaves + to) * self.path_count + path]
    }

    /// One path from a leaf to another.
    pub fn path_mut(&mut self, from: usize, to: usize, path: usize) -> &mut Port {
        &mut self.paths[(from * self.leaves + to) * self.path_count + path]
    }

    /// So many UDP source ports, from this one on, of which each goes over the next path from the leaf of a host on.
    pub fn source_ports(&self, host: usize, count: usize, from: u16) -> Vec<u16> {
        let of = |port: u16, path: usize| {
            self.path_count == 0 || self.path_of(self.hosts[host], port) == path % self.path_count
        };
        let mut next = from;
        let mut find = |path| {
            let port = (next..).find(|port| of(*port, path)).expect("paths are chosen evenly");
            next = port + 1;
            port
        };
        (0..count).map(&mut find).collect()
    }

    /// What has happened everywhere.
    pub fn counts(&self) -> PortCounts {
        let ports = self.downlinks.iter().chain(&self.paths);
        ports.map(Port::counts).fold(PortCounts::default(), PortCounts::and)
    }

    /// Nothing is under way.
    pub fn is_empty(&self) -> bool {
        self.uplinks.iter().all(Link::is_empty) && self.downlinks.iter().chain(&self.paths).all(Port::is_empty)
    }

    /// The path from a leaf on.
    fn choose(&self, leaf: usize, frame: &[u8]) -> usize {
        let port = Headers::of(frame).and_then(|headers| headers.source_port(frame)).unwrap_or(0);
        self.path_of(leaf, port)
    }

    /// The path of a UDP source port.
    fn path_of(&self, leaf: usize, port: u16) -> usize {
        (hash(port, self.salts[leaf]) % self.path_count as u64) as usize
    }

    /// A clock cycle. `arrive` gets each host and frame that arrives at it.
    pub fn step(&mut self, now: u64, mut arrive: impl FnMut(usize, FrameBytes)) {
        for host in 0..self.hosts.len() {
            while let Some(frame) = self.uplinks[host].arrive(now) {
                let leaf = self.hosts[host];
                match destination(&frame, self.hosts.len()) {
                    None => self.lost += 1,
                    Some(to) if self.hosts[to] == leaf => self.downlinks[to].push(frame),
                    Some(to) => {
                        let path = self.choose(leaf, &frame);
                        self.paths[(leaf * self.leaves + self.hosts[to]) * self.path_count + path].push(frame);
                    }
                }
            }
        }
        for path in &mut self.paths {
            path.step(now);
            for frame in path.arrive(now) {
                let to = destination(&frame, self.hosts.len()).expect("its leaf knew it");
                self.downlinks[to].push(frame);
            }
        }
        for (host, downlink) in self.downlinks.iter_mut().enumerate() {
            downlink.step(now);
            downlink.arrive(now).into_iter().for_each(|frame| arrive(host, frame));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::link::Rate;
    use super::super::samples::data;
    use super::*;

    fn link(delay: u64) -> LinkConfig {
        LinkConfig { rate: Rate { bytes: 64, cycles: 1 }, delay, overhead: 24, first_bit: false }
    }

    fn config(hosts: Vec<usize>, delays: &[u64]) -> FabricConfig {
        let (capacity, priority_capacity) = (1 << 30, 1 << 30);
        let queue = QueueConfig { capacity, priority_capacity, control: vec![], marking: None, trimming: None };
        let impairment = Impairment::default();
        FabricConfig {
            hosts,
            uplink: link(3),
            downlink: PortConfig { queue: queue.clone(), link: link(5), impairment },
            paths: delays.iter().map(|delay| PathConfig { link: link(*delay), impairment }).collect(),
            path_queue: queue,
            seed: 1,
        }
    }

    /// A frame to a host.
    fn to(host: usize, ev: u16) -> FrameBytes {
        let mut frame = data(ev, 1000);
        frame[..6].copy_from_slice(&mac(host).to_be_bytes()[2..]);
        frame
    }

    fn run(fabric: &mut Fabric) -> Vec<(u64, usize, FrameBytes)> {
        let (mut now, mut arrived) = (0, Vec::new());
        while !fabric.is_empty() {
            fabric.step(now, |host, frame| arrived.push((now, host, frame)));
            now += 1;
        }
        arrived
    }

    #[test]
    fn frames_find_their_hosts() {
        let mut fabric = Fabric::new(&config(vec![0, 0, 1], &[7]));
        let frames = [to(1, 1), to(2, 2), to(3, 3)];
        fabric.uplink(0).send(0, frames[0].clone());
        fabric.uplink(1).send(0, frames[1].clone());
        fabric.uplink(2).send(0, frames[2].clone());
        let wire = (frames[0].len() as u64 + 24).div_ceil(64);
        let expected = vec![(2 * wire + 8, 1, frames[0].clone()), (3 * wire + 15, 2, frames[1].clone())];
        assert_eq!((run(&mut fabric), fabric.lost), (expected, 1));
    }

    #[test]
    fn source_ports_choose_paths_evenly_and_always_the_same() {
        let delays = [0, 100, 200, 300, 400, 500, 600, 700];
        let mut fabric = Fabric::new(&config(vec![0, 1], &delays));
        let mut chosen = vec![Vec::new(); 8];
        for ev in 0..256 {
            let path = fabric.choose(0, &to(1, ev));
            assert_eq!(path, fabric.choose(0, &to(1, ev)));
            chosen[path].push(ev);
        }
        assert!(chosen.iter().all(|evs| (16..48).contains(&evs.len())), "{chosen:?}");
        let other: Vec<_> = (0..256).map(|ev| fabric.choose(1, &to(1, ev))).collect();
        assert!((0..256).any(|ev| other[ev] != fabric.choose(0, &to(1, ev as u16))), "each leaf has its own hash");
        // A path that is shorter overtakes.
        let (slow, fast) = (chosen[7][0], chosen[0][0]);
        fabric.uplink(0).send(0, to(1, slow));
        let wire = (to(1, slow).len() as u64 + 24).div_ceil(64);
        fabric.uplink(0).send(wire, to(1, fast));
        let order: Vec<_> = run(&mut fabric).into_iter().map(|(_, _, frame)| frame).collect();
        assert_eq!(order, [to(1, fast), to(1, slow)]);
        assert_eq!(fabric.path(0, 1, 7).counts().queue.arrived, 1);
    }
}
