// SPDX-License-Identifier: MIT OR Apache-2.0
//! The crossbar of a switch: in a cycle each input asks for one packet, and each output grants one input.

use super::network::{Arrival, Network};
use super::packet::NOBODY;
use super::route::{CHANNELS, NONE, channel, port};
use super::switches::Output;

impl Network {
    /// Passes packets on in one switch.
    pub(super) fn allocate(&mut self, switch: usize) {
        let now = self.now;
        let ports = self.switches.ports;
        let base = switch * ports;
        let hosts = self.setup.shape.hosts as usize;
        let hardware = self.setup.hardware;
        // A queue has room if what is before its last place will have left by the end of the packet that is sent.
        let latest = now + (hardware.output_queue - 1) * hardware.flits;
        let open = |output: &Output, channel: usize| {
            output.free <= now && output.drained <= latest && output.credits[channel] > 0
        };
        if self.switches.waiting[switch] & ((1 << hosts) - 1) != 0 {
            self.decide(switch);
        }
        let mut asked = 0_u64;
        let mut asking = [0_u64; 64];
        let mut picked = [0_u8; 64];
        let mut inputs = self.switches.waiting[switch];
        let mut blocked = 0;
        while inputs != 0 {
            let at = inputs.trailing_zeros() as usize;
            inputs &= inputs - 1;
            if self.switches.inputs[base + at].free > now {
                continue;
            }
            let input = &self.switches.inputs[base + at];
            let (turn, holds) = (input.turn as usize, usize::from(input.holds));
            let mut turned = (holds | holds << CHANNELS) >> turn & ((1 << CHANNELS) - 1);
            let mut best: Option<usize> = None;
            while turned != 0 {
                let queue = (turn + turned.trailing_zeros() as usize) % CHANNELS;
                turned &= turned - 1;
                let wants = input.wants[queue];
                if wants == NONE || !open(&self.switches.outputs[base + port(wants)], channel(wants)) {
                    continue;
                }
                if best.is_none_or(|best| input.born[queue] < input.born[best]) {
                    best = Some(queue);
                }
                if !hardware.oldest_first {
                    break;
                }
            }
            if let Some(queue) = best {
                let output = port(input.wants[queue]);
                asked |= 1 << output;
                asking[output] |= 1 << at;
                picked[at] = queue as u8;
            } else if at < hosts {
                blocked += 1;
            }
        }
        while asked != 0 {
            let output = asked.trailing_zeros() as usize;
            asked &= asked - 1;
            let inputs = asking[output];
            let granted = if hardware.oldest_first {
                self.oldest(base, inputs, &picked)
            } else {
                let from = inputs & u64::MAX << self.switches.outputs[base + output].turn;
                if from != 0 { from.trailing_zeros() } else { inputs.trailing_zeros() }
            };
            blocked += (inputs & !(1 << granted) & ((1 << hosts) - 1)).count_ones();
            self.grant(switch, granted as usize, picked[granted as usize] as usize);
        }
        if blocked > 0 && self.policy.uses_acor() {
            self.policy.acor.blocked(switch, blocked);
        }
    }

    /// The input with the packet that was made first.
    fn oldest(&self, base: usize, mut inputs: u64, picked: &[u8; 64]) -> u32 {
        let mut best = inputs.trailing_zeros();
        let born = |at: u32| self.switches.inputs[base + at as usize].born[picked[at as usize] as usize];
        inputs &= inputs - 1;
        while inputs != 0 {
            let at = inputs.trailing_zeros();
            inputs &= inputs - 1;
            if born(at) < born(best) {
                best = at;
            }
        }
        best
    }

    /// One packet in a cycle gets its way: one that has none, or, if there is none of these, one that could not leave, in turn.
    fn decide(&mut self, switch: usize) {
        let hosts = self.setup.shape.hosts as usize;
        let base = switch * self.switches.ports;
        let begin = self.switches.decided[switch] as usize + 1;
        let mut waits = None;
        for next in 0..hosts * CHANNELS {
            let slot = (begin + next) % (hosts * CHANNELS);
            let (at, queue) = (slot / CHANNELS, slot % CHANNELS);
            let input = &self.switches.inputs[base + at];
            if input.holds & 1 << queue == 0 {
                continue;
            }
            if input.wants[queue] == NONE {
                waits = Some(slot);
                break;
            }
            waits = waits.or((self.again && input.free <= self.now).then_some(slot));
        }
        let Some(slot) = waits else { return };
        let input = &mut self.switches.inputs[base + slot / CHANNELS];
        let packet = &mut self.packets.all[input.head[slot % CHANNELS] as usize];
        self.policy.decide(&self.switches, self.now, switch, packet);
        self.switches.inputs[base + slot / CHANNELS].wants[slot % CHANNELS] = packet.hop();
        self.switches.decided[switch] = slot as u16;
    }

    /// A packet passes from its input to its output.
    fn grant(&mut self, switch: usize, at: usize, queue: usize) {
        let now = self.now;
        let hardware = self.setup.hardware;
        let (base, transfer) = (switch * self.switches.ports, hardware.transfer());
        let input = &mut self.switches.inputs[base + at];
        let (head, wants) = (input.head[queue], input.wants[queue]);
        input.free = now + transfer;
        input.turn = ((queue + 1) % CHANNELS) as u8;
        let packet = self.packets.all[head as usize];
        if packet.next == NOBODY {
            input.holds &= !(1 << queue);
            if input.holds == 0 {
                self.switches.waiting[switch] &= !(1 << at);
            }
        } else {
            let next = &self.packets.all[packet.next as usize];
            input.head[queue] = packet.next;
            input.born[queue] = next.born;
            input.wants[queue] = next.hop();
        }
        self.grants += 1;
        self.last_grant = now;
        if at < self.setup.shape.hosts as usize {
            let host = switch * self.setup.shape.hosts as usize + at;
            self.switches.injecting[host * CHANNELS + queue] -= 1;
            self.policy.count(switch, packet.offset, hardware.flits, false);
            self.measure.injects(now, switch, packet.offset > 0, packet.kind);
        } else {
            // The output at the far end of a link has the number of the input there.
            let (upstream, delay) = (self.switches.outputs[base + at].peer, self.switches.outputs[base + at].delay);
            self.credits.add(now + transfer + delay, upstream * CHANNELS as u32 + queue as u32);
        }
        self.send(base + port(wants), channel(wants), at, head);
    }

    /// A packet is in an output queue, and leaves when those before it have left.
    fn send(&mut self, at: usize, channel: usize, from: usize, head: u32) {
        let now = self.now;
        let hardware = self.setup.hardware;
        let output = &mut self.switches.outputs[at];
        let start = output.drained.max(now);
        output.free = now + hardware.transfer();
        output.drained = start + hardware.flits;
        output.turn = (from + 1) as u8;
        let (peer, arrives) = (output.peer, start + output.delay);
        if peer == u32::MAX {
            output.sent += 1;
            let packet = &self.packets.all[head as usize];
            self.measure.arrives(arrives + hardware.flits, packet.born, packet.links);
            self.packets.leave(head);
            self.delivered += 1;
            return;
        }
        output.credits[channel] -= 1;
        output.used += 1;
        self.switches.begins(at, start);
        self.switches.outputs[at].sent += 1;
        self.packets.all[head as usize].at += 1;
        let arrival = Arrival { packet: head, queue: peer * CHANNELS as u32 + channel as u32 };
        self.arrivals.add(arrives + hardware.pipeline, arrival);
    }
}
