// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether every packet and every credit of a network is where it can be.

use super::network::Network;
use super::packet::NOBODY;
use super::route::CHANNELS;

/// A network in which no switch has granted anything for so many cycles, and packets are inside, is deadlocked.
const STILL: u32 = 5_000;

impl Network {
    /// What must not be, at the end of a run: packets of links that came from nowhere or went nowhere, credits that were lost or made,
    /// packets that wait for one another in a circle.
    #[must_use]
    pub fn broken(&self) -> Vec<String> {
        let mut broken = Vec::new();
        let queues = self.switches.inputs.len() * CHANNELS;
        let (mut coming, mut held, mut returning) = (vec![0_u64; queues], vec![0_u64; queues], vec![0_u64; queues]);
        self.arrivals.all().for_each(|arrival| coming[arrival.queue as usize] += 1);
        self.credits.all().for_each(|&queue| returning[queue as usize] += 1);
        for (queue, held) in held.iter_mut().enumerate() {
            *held = self.length(queue);
        }
        for at in 0..self.switches.outputs.len() {
            self.check_link(at, &coming, &held, &returning, &mut broken);
        }
        let inside = self.packets.inside() as u64;
        let seen = coming.iter().sum::<u64>() + held.iter().sum::<u64>();
        if self.made != self.delivered + inside || inside != seen {
            let Network { made, delivered, .. } = self;
            broken.push(format!(
                "in total packets came from nowhere, or went nowhere: {made} made, {delivered} delivered, {inside} inside, {seen} seen"
            ));
        }
        if held.iter().any(|&held| held > 0) && self.now - self.last_grant > STILL {
            broken.push(format!("no packet has moved since cycle {}", self.last_grant));
        }
        broken
    }

    /// Packets in a queue.
    fn length(&self, queue: usize) -> u64 {
        let input = &self.switches.inputs[queue / CHANNELS];
        if input.holds & 1 << (queue % CHANNELS) == 0 {
            return 0;
        }
        let (mut at, mut length) = (input.head[queue % CHANNELS], 0);
        while at != NOBODY {
            length += 1;
            at = self.packets.all[at as usize].next;
        }
        length
    }

    /// The link behind an output, and the buffers at its far end.
    fn check_link(&self, at: usize, coming: &[u64], held: &[u64], returning: &[u64], broken: &mut Vec<String>) {
        let output = &self.switches.outputs[at];
        if output.peer == u32::MAX {
            return;
        }
        let (peer, ports) = (output.peer as usize, self.switches.ports);
        let queues = peer * CHANNELS..(peer + 1) * CHANNELS;
        let under_way: u64 = coming[queues.clone()].iter().sum();
        let name = || format!("link from switch {} port {}", at / ports, at % ports);
        if output.sent != self.switches.inputs[peer].arrived + under_way {
            broken.push(format!("{}: packets came from nowhere, or went nowhere", name()));
        }
        let hardware = &self.setup.hardware;
        let global = self.setup.shape.is_global((at % ports) as u32);
        for (channel, queue) in queues.enumerate() {
            let room = match (global, channel) {
                (true, 0 | 1) => hardware.global_buffer,
                (true, _) => 0,
                (false, _) => hardware.local_buffer,
            };
            let back = returning[at * CHANNELS + channel];
            let all = u64::from(output.credits[channel]) + coming[queue] + held[queue] + back;
            if all != u64::from(room) {
                broken.push(format!("{}: channel {channel} has room for {room}, and {all} credits", name()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::measure::Window;
    use super::super::network::{Network, Setup};
    use super::super::pattern::{Pattern, Phase};
    use super::super::policy::{Choice, Keep, Occupancy, Rules};
    use super::super::shape::{Shape, Trunks};
    use super::super::switches::Hardware;

    /// A small network in full swing.
    fn busy() -> Network {
        let hardware = Hardware {
            flits: 8,
            pipeline: 5,
            speedup: 2,
            output_queue: 4,
            host_delay: 1,
            local_delay: 10,
            global_delay: 100,
            injection_queues: 3,
            injection_buffer: 16,
            local_buffer: 4,
            global_buffer: 32,
            oldest_first: false,
        };
        let rules = Rules {
            choice: Choice::Detour,
            first: Keep::Always,
            second: Keep::Always,
            occupancy: Occupancy::Waiting,
            tables: false,
            again: false,
            weight: 1.0,
            interval: 1000,
            sweep: 125,
            limits: [0.4, 0.8],
            thresholds: [48.0, 0.0],
            global: 0.2,
            saturated: 1,
            remote: 0.7,
            draws: 1,
            partial: false,
        };
        let setup = Setup {
            shape: Shape::new(2, 4, 2, 1, Trunks::Neighbours).expect("it exists"),
            hardware,
            rules,
            phases: vec![Phase { from: 0, pattern: Pattern::Uniform, uniform: 0.0, load: 0.9 }],
            window: Window { from: 500, end: 2000, step: 100 },
        };
        let mut network = Network::new(&setup, 1);
        network.run();
        assert!(network.broken().is_empty(), "{:?}", network.broken());
        network
    }

    #[test]
    fn a_credit_from_nowhere_is_seen() {
        let mut network = busy();
        let output = network.switches.outputs.iter().position(|output| output.peer != u32::MAX).expect("a link");
        network.switches.outputs[output].credits[0] += 1;
        assert_eq!(network.broken().len(), 1, "{:?}", network.broken());
        assert!(network.broken()[0].contains("channel 0 has room for 4, and 5 credits"), "{:?}", network.broken());
    }

    #[test]
    fn a_lost_packet_is_seen() {
        let mut network = busy();
        network.arrivals.clear();
        let broken = network.broken();
        assert!(broken.iter().any(|line| line.contains("packets came from nowhere, or went nowhere")), "{broken:?}");
        assert!(broken.iter().any(|line| line.contains("in total")), "{broken:?}");
    }

    #[test]
    fn a_standstill_is_seen() {
        let mut network = busy();
        network.now += 6000;
        assert!(network.broken().iter().any(|line| line.contains("no packet has moved since cycle")));
    }
}
