// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the switches hold: inputs with a queue for each virtual channel, outputs with the credits of the far end.
//!
//! A packet is given to an output only if the buffer at the far end has room for all of it (virtual cut-through), so an output queue
//! always drains at the rate of its link: when its last packet will have left is all there is to know of it.

use super::packet::{NOBODY, PacketId};
use super::policy::Occupancy;
use super::route::{CHANNELS, Hop, NONE};
use super::shape::Shape;

/// Delays and sizes. Times are in cycles; in one a link passes a flit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hardware {
    /// Flits of a packet.
    pub flits: u32,
    /// From a packet's first flit at an input until it may ask for an output.
    pub pipeline: u32,
    /// So many flits pass from an input to an output in a cycle.
    pub speedup: u32,
    /// Packets of an output queue, the one that is sent among them.
    pub output_queue: u32,
    /// Delay of links to hosts.
    pub host_delay: u32,
    /// Delay of links in a group.
    pub local_delay: u32,
    /// Delay of links between groups.
    pub global_delay: u32,
    /// Injection queues of a host.
    pub injection_queues: u32,
    /// Packets of one of these.
    pub injection_buffer: u32,
    /// Packets of an input buffer behind a link of the group, for each virtual channel.
    pub local_buffer: u32,
    /// Packets of an input buffer behind a link of another group.
    pub global_buffer: u32,
    /// The oldest packet is served first; otherwise ports take turns.
    pub oldest_first: bool,
}

impl Hardware {
    /// Cycles in which a packet passes from an input to an output: not before its last flit is there.
    #[must_use]
    pub const fn transfer(&self) -> u32 {
        let alone = self.flits.div_ceil(self.speedup);
        let late = self.flits.saturating_sub(self.pipeline);
        if late > alone { late } else { alone }
    }

    /// The delay of the link behind a port.
    #[must_use]
    pub const fn delay(&self, shape: &Shape, port: u32) -> u32 {
        if port < shape.hosts {
            self.host_delay
        } else if shape.is_global(port) {
            self.global_delay
        } else {
            self.local_delay
        }
    }

    /// How far ahead something can be known.
    #[must_use]
    pub fn horizon(&self) -> u32 {
        let delay = self.host_delay.max(self.local_delay).max(self.global_delay);
        delay + self.output_queue * self.flits + self.pipeline + self.transfer()
    }
}

/// An input port.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// It takes part in allocation again.
    pub free: u32,
    /// The first packet of each queue.
    pub head: [PacketId; CHANNELS],
    /// The last one.
    pub tail: [PacketId; CHANNELS],
    /// When the first packet was made.
    pub born: [u32; CHANNELS],
    /// The hop for which it asks.
    pub wants: [Hop; CHANNELS],
    /// Queues that hold packets.
    pub holds: u8,
    /// The queue whose turn it is.
    pub turn: u8,
    /// Packets that have come over the link.
    pub arrived: u64,
}

/// An output port.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// It takes a packet again.
    pub free: u32,
    /// The last packet that it has will have left.
    pub drained: u32,
    /// Delay of its link.
    pub delay: u32,
    /// The input at the far end; none of a host.
    pub peer: u32,
    /// Packets for which there is room at the far end.
    pub credits: [u16; CHANNELS],
    /// Packets that were given to it, and for which no credit has come back.
    pub used: u16,
    /// The input whose turn it is.
    pub turn: u8,
    /// Packets that were given to it.
    pub sent: u64,
}

/// All switches of a network.
#[derive(Debug)]
pub struct Switches {
    /// Which switch is joined to which.
    pub shape: Shape,
    /// Delays and sizes.
    pub hardware: Hardware,
    /// Ports of a switch.
    pub ports: usize,
    /// Inputs, those of a switch one after the other.
    pub inputs: Vec<Input>,
    /// Outputs.
    pub outputs: Vec<Output>,
    /// For each switch the inputs that hold packets.
    pub waiting: Vec<u64>,
    /// Packets in each injection queue, and on the way into it.
    pub injecting: Vec<u16>,
    /// For each switch the injection queue whose packet was decided last.
    pub decided: Vec<u16>,
    /// When the last packets of each output have begun to leave, in a ring.
    starts: Vec<u32>,
    ring: usize,
}

impl Switches {
    /// Empty switches.
    #[must_use]
    pub fn new(shape: Shape, hardware: Hardware) -> Self {
        let ports = shape.ports() as usize;
        let count = shape.all_switches() as usize * ports;
        let input = Input {
            free: 0,
            head: [NOBODY; CHANNELS],
            tail: [NOBODY; CHANNELS],
            born: [0; CHANNELS],
            wants: [NONE; CHANNELS],
            holds: 0,
            turn: 0,
            arrived: 0,
        };
        let output = |at: usize| {
            let (switch, port) = ((at / ports) as u32, (at % ports) as u32);
            let credits = match shape.peer(switch, port) {
                // A host takes all.
                None => [u16::MAX; CHANNELS],
                Some(_) if shape.is_global(port) => {
                    [hardware.global_buffer as u16, hardware.global_buffer as u16, 0, 0]
                }
                Some(_) => [hardware.local_buffer as u16; CHANNELS],
            };
            let peer = shape.peer(switch, port).map_or(u32::MAX, |(to, port)| to * ports as u32 + port);
            let delay = hardware.delay(&shape, port);
            Output { free: 0, drained: 0, delay, peer, credits, used: 0, turn: 0, sent: 0 }
        };
        let ring = Self::ring(&hardware) as usize;
        Switches {
            shape,
            hardware,
            ports,
            inputs: vec![input; count],
            outputs: (0..count).map(output).collect(),
            waiting: vec![0; shape.all_switches() as usize],
            injecting: vec![0; shape.all_hosts() as usize * CHANNELS],
            decided: vec![0; shape.all_switches() as usize],
            starts: vec![0; count * ring],
            ring,
        }
    }

    /// So many packets can have begun to leave an output within a round trip, and wait in it.
    fn ring(hardware: &Hardware) -> u32 {
        let delay = hardware.local_delay.max(hardware.global_delay);
        ((2 * delay).div_ceil(hardware.flits) + hardware.output_queue + 2).next_power_of_two()
    }

    /// How many packets are remembered for all outputs.
    #[must_use]
    pub fn starts(shape: &Shape, hardware: &Hardware) -> u64 {
        u64::from(Self::ring(hardware)) * u64::from(shape.ports()) * u64::from(shape.all_switches())
    }

    /// A packet begins to leave an output.
    pub fn begins(&mut self, output: usize, start: u32) {
        let sent = self.outputs[output].sent as usize;
        self.starts[output * self.ring + (sent & (self.ring - 1))] = start;
    }

    /// The flits that count as the queue of an output that leads to a switch.
    #[must_use]
    pub fn occupancy(&self, reading: Occupancy, output: usize, now: u32) -> u32 {
        let Output { drained, delay, used, sent, .. } = self.outputs[output];
        // A packet that has begun to leave after this time is on the link, or its credit could not be back: it is not known to wait.
        let away = match reading {
            Occupancy::Credits => return u32::from(used) * self.hardware.flits,
            Occupancy::Landed => delay,
            Occupancy::Waiting => 2 * delay,
        };
        let begin = output * self.ring;
        let newest = (1..=sent.min(u64::from(used)).min(self.ring as u64))
            .map(|back| self.starts[begin + ((sent - back) as usize & (self.ring - 1))])
            .take_while(|&start| start + away > now)
            .count() as u32;
        (u32::from(used) - newest) * self.hardware.flits + drained.saturating_sub(now)
    }
}
