// SPDX-License-Identifier: MIT OR Apache-2.0
//! A Dragonfly in cycles: what comes over links, what hosts make, and what switches pass on (see [`super::allocation`]).

use super::calendar::Calendar;
use super::measure::{Measure, Window};
use super::packet::{NOBODY, Packet, PacketId, Packets};
use super::pattern::{Gaps, Phase};
use super::policy::{Policy, Rules};
use super::route::CHANNELS;
use super::shape::Shape;
use super::switches::{Hardware, Switches};
use crate::random::Random;

/// A packet comes into a queue: the number of the queue is that of the input times [`CHANNELS`], plus the channel.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    pub(super) packet: PacketId,
    pub(super) queue: u32,
}

/// All that a run is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Sizes.
    pub shape: Shape,
    /// Delays and buffers.
    pub hardware: Hardware,
    /// The policy.
    pub rules: Rules,
    /// The traffic; the first phase begins at 0.
    pub phases: Vec<Phase>,
    /// What counts.
    pub window: Window,
}

/// Purposes of random numbers.
const DESTINATIONS: u64 = 16;
const GAPS: u64 = 17;
const DECISIONS: u64 = 18;

/// A network while it runs.
#[derive(Debug)]
pub struct Network {
    pub(super) setup: Setup,
    pub(super) switches: Switches,
    pub(super) packets: Packets,
    pub(super) policy: Policy,
    /// Packets that wait are decided anew.
    pub(super) again: bool,
    pub(super) now: u32,
    pub(super) arrivals: Calendar<Arrival>,
    pub(super) credits: Calendar<u32>,
    births: Calendar<u32>,
    /// When each host makes its next packet.
    next: Vec<u32>,
    /// The injection queue of each host whose turn it is.
    turns: Vec<u8>,
    phase: usize,
    gaps: Gaps,
    destinations: Random,
    times: Random,
    /// What is measured.
    pub measure: Measure,
    /// Packets that were made and taken, and that were delivered.
    pub made: u64,
    /// The same for those that were delivered.
    pub delivered: u64,
    /// Grants of switches.
    pub grants: u64,
    /// The cycle of the last one.
    pub last_grant: u32,
}

impl Network {
    /// An empty network.
    #[must_use]
    pub fn new(setup: &Setup, seed: u64) -> Self {
        let Setup { shape, hardware, rules, .. } = *setup;
        let horizon = hardware.horizon();
        let policy = Policy::new(shape, rules, Random::new(seed, DECISIONS));
        let mut network = Network {
            switches: Switches::new(shape, hardware),
            packets: Packets::default(),
            again: rules.again && policy.adapts(),
            policy,
            now: 0,
            arrivals: Calendar::new(horizon),
            credits: Calendar::new(horizon),
            births: Calendar::new(1023),
            next: vec![0; shape.all_hosts() as usize],
            turns: vec![0; shape.all_hosts() as usize],
            phase: 0,
            gaps: Gaps::new(1.0),
            destinations: Random::new(seed, DESTINATIONS),
            times: Random::new(seed, GAPS),
            measure: Measure::new(&shape, setup.window),
            made: 0,
            delivered: 0,
            grants: 0,
            last_grant: 0,
            setup: setup.clone(),
        };
        network.begin_phase();
        network
    }

    /// The policy, to keep what its tables are told (see [`super::tables::Log`]).
    pub const fn policy(&mut self) -> &mut Policy {
        &mut self.policy
    }

    /// Runs to the end of the window.
    pub fn run(&mut self) {
        while self.now < self.setup.window.end {
            self.cycle();
        }
    }

    /// Runs a cycle.
    pub fn cycle(&mut self) {
        let now = self.now;
        if self.setup.phases.get(self.phase + 1).is_some_and(|phase| phase.from == now) {
            self.phase += 1;
            self.begin_phase();
        }
        self.policy.tick(&self.switches, now);
        let credits = self.credits.take(now);
        for &queue in &credits {
            let output = &mut self.switches.outputs[queue as usize / CHANNELS];
            output.credits[queue as usize % CHANNELS] += 1;
            output.used -= 1;
        }
        self.credits.give_back(now, credits);
        let arrivals = self.arrivals.take(now);
        for &arrival in &arrivals {
            self.arrive(arrival);
        }
        self.arrivals.give_back(now, arrivals);
        self.births();
        for switch in 0..self.switches.waiting.len() {
            if self.switches.waiting[switch] != 0 {
                self.allocate(switch);
            }
        }
        self.now += 1;
    }

    /// All hosts draw their next packet anew: the chance of each cycle does not depend on those before.
    fn begin_phase(&mut self) {
        let phase = &self.setup.phases[self.phase];
        self.births.clear();
        self.gaps = Gaps::new(phase.load / f64::from(self.setup.hardware.flits));
        for host in 0..self.setup.shape.all_hosts() {
            self.plan_birth(host, self.now);
        }
    }

    /// The packet of a host after a cycle.
    fn plan_birth(&mut self, host: u32, after: u32) {
        let at = after.saturating_add(self.gaps.draw(&mut self.times));
        self.next[host as usize] = at;
        self.births.add(at.min(self.now + self.births.ahead()), host);
    }

    /// Hosts make packets.
    fn births(&mut self) {
        let now = self.now;
        let births = self.births.take(now);
        for &host in &births {
            if self.next[host as usize] > now {
                let at = self.next[host as usize];
                self.births.add(at.min(now + self.births.ahead()), host);
                continue;
            }
            self.birth(host);
            self.plan_birth(host, now);
        }
        self.births.give_back(now, births);
    }

    /// A packet, if one of the injection queues of its host has room.
    fn birth(&mut self, host: u32) {
        let Setup { shape, hardware, .. } = self.setup;
        let destination = self.setup.phases[self.phase].destination(&shape, host, &mut self.destinations);
        let counts = self.measure.counts(self.now);
        self.measure.offered += u64::from(counts);
        let first = host as usize * CHANNELS;
        let queues = hardware.injection_queues;
        let turn = u32::from(self.turns[host as usize]);
        let room =
            |queue: &u32| u32::from(self.switches.injecting[first + *queue as usize]) < hardware.injection_buffer;
        let Some(queue) = (0..queues).map(|next| (turn + next) % queues).find(room) else {
            self.measure.refused += u64::from(counts);
            return;
        };
        self.turns[host as usize] = ((queue + 1) % queues) as u8;
        self.switches.injecting[first + queue as usize] += 1;
        self.made += 1;
        let per_group = shape.switches * shape.hosts;
        let offset = shape.distance(host / per_group, destination / per_group) as u16;
        let switch = (host / shape.hosts) as usize;
        self.policy.count(switch, offset, hardware.flits, true);
        let packet = self.packets.enter(Packet::new(self.now, destination, offset));
        let input = switch * self.switches.ports + (host % shape.hosts) as usize;
        let queue = input as u32 * CHANNELS as u32 + queue;
        self.arrivals.add(self.now + hardware.host_delay + hardware.pipeline, Arrival { packet, queue });
    }

    /// A packet is through the pipeline of an input, and may ask for an output.
    fn arrive(&mut self, arrival: Arrival) {
        let Arrival { packet, queue } = arrival;
        let (port, channel) = (queue as usize / CHANNELS, queue as usize % CHANNELS);
        let input = &mut self.switches.inputs[port];
        input.arrived += 1;
        self.packets.all[packet as usize].next = NOBODY;
        if input.holds & 1 << channel != 0 {
            let last = input.tail[channel];
            input.tail[channel] = packet;
            self.packets.all[last as usize].next = packet;
            return;
        }
        let Packet { born, .. } = self.packets.all[packet as usize];
        input.tail[channel] = packet;
        input.head[channel] = packet;
        input.born[channel] = born;
        input.wants[channel] = self.packets.all[packet as usize].hop();
        input.holds |= 1 << channel;
        let ports = self.switches.ports;
        self.switches.waiting[port / ports] |= 1 << (port % ports);
    }
}
