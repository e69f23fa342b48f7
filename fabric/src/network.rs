// SPDX-License-Identifier: MIT OR Apache-2.0
//! A network that runs: events, links, switches and hosts, and what must hold of them at its end.

use crate::event::{Calendar, Time};
use crate::host::{Done, EndPoint};
use crate::link::{Change, Link, LinkId, Node};
use crate::packet::{PacketId, Packets};
use crate::random::Random;
use crate::switch::Switches;
use serde::{Deserialize, Serialize};

/// What is to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// A packet is at the end of a link.
    Arrives(PacketId, LinkId),
    /// A port has sent a packet, and asks for the next one.
    Free(LinkId),
    /// A host wants to be called.
    Wakes(u32),
    /// A message may be sent.
    Starts(u32, u32),
    /// A change of links.
    Changes(u32),
    /// Links are looked at.
    Samples,
}

/// What was seen of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// When.
    pub time: Time,
    /// The link.
    pub link: LinkId,
    /// Data that waited before it, in bytes.
    pub queue: u64,
    /// Bytes that had come to its end so far.
    pub bytes: u64,
}

/// When a message was where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// It might be sent.
    pub started: Option<Time>,
    /// The last packet has arrived.
    pub delivered: Option<Time>,
    /// The sender knows it.
    pub completed: Option<Time>,
    /// The sender has given up.
    pub failed: Option<Time>,
}

/// A network.
#[derive(Debug)]
pub struct Network {
    calendar: Calendar<Event>,
    packets: Packets,
    links: Vec<Link>,
    switches: Switches,
    hosts: Vec<Box<dyn EndPoint>>,
    /// When each host will be called.
    called: Vec<Time>,
    changes: Vec<(Vec<LinkId>, Change)>,
    random: Random,
    flows: Vec<Times>,
    /// Of each message those that wait for its arrival: its delay, host and connection.
    followers: Vec<Vec<(Time, u32, u32)>>,
    /// Links that are looked at, and how often.
    watched: (Vec<LinkId>, Time),
    samples: Vec<Sample>,
    open: usize,
    entered: u64,
    delivered: u64,
    dropped: u64,
    unrouted: u64,
}

/// Not called.
const NEVER: Time = Time::MAX;

impl Network {
    /// A network at time 0, with so many messages. Links are in the order of the topology.
    #[must_use]
    pub fn new(
        links: Vec<Link>,
        switches: Switches,
        hosts: Vec<Box<dyn EndPoint>>,
        flows: usize,
        random: Random,
    ) -> Self {
        Network {
            calendar: Calendar::default(),
            packets: Packets::default(),
            links,
            switches,
            called: vec![NEVER; hosts.len()],
            hosts,
            changes: Vec::new(),
            random,
            flows: vec![Times::default(); flows],
            followers: vec![Vec::new(); flows],
            watched: (Vec::new(), 0),
            samples: Vec::new(),
            open: flows,
            entered: 0,
            delivered: 0,
            dropped: 0,
            unrouted: 0,
        }
    }

    /// Links change at a time. At one time changes come in the order in which they were added, and before all that is added later.
    pub fn change(&mut self, time: Time, links: Vec<LinkId>, change: Change) {
        self.calendar.add(time, Event::Changes(self.changes.len() as u32));
        self.changes.push((links, change));
    }

    /// A host may send the message of a connection from a time on.
    pub fn start(&mut self, time: Time, host: u32, context: u32) {
        self.calendar.add(time, Event::Starts(host, context));
    }

    /// The same, so long after a message has arrived.
    pub fn start_after(&mut self, flow: u32, time: Time, host: u32, context: u32) {
        self.followers[flow as usize].push((time, host, context));
    }

    /// Looks at links, at once and then again and again.
    pub fn watch(&mut self, links: Vec<LinkId>, every: Time) {
        self.watched = (links, every.max(1));
        self.calendar.add(0, Event::Samples);
    }

    /// What was seen of links.
    #[must_use]
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// Runs until every message is completed or given up, or up to a time.
    pub fn run(&mut self, until: Time) {
        while self.open > 0
            && let Some((now, event)) = self.calendar.next()
        {
            if now > until {
                break;
            }
            match event {
                Event::Arrives(id, link) => self.arrive(now, id, link),
                Event::Free(link) => {
                    self.links[link as usize].asked = false;
                    self.send(now, link);
                }
                Event::Wakes(host) => {
                    if self.called[host as usize] == now {
                        self.called[host as usize] = NEVER;
                        self.hosts[host as usize].wake(now);
                        self.look_after(now, host);
                    }
                }
                Event::Samples => {
                    let see = |&link: &LinkId| {
                        let at = &self.links[link as usize];
                        Sample { time: now, link, queue: at.queue.data_bytes(), bytes: at.counters.bytes }
                    };
                    self.samples.extend(self.watched.0.iter().map(see));
                    self.calendar.add(now + self.watched.1, Event::Samples);
                }
                Event::Starts(host, context) => {
                    self.hosts[host as usize].start(now, context);
                    self.look_after(now, host);
                }
                Event::Changes(at) => {
                    let (links, change) = &self.changes[at as usize];
                    links.iter().for_each(|&link| self.links[link as usize].change(*change));
                }
            }
        }
    }

    /// A packet is at the end of a link.
    fn arrive(&mut self, now: Time, id: PacketId, link: LinkId) {
        let packet = self.packets.get(id);
        let at = &mut self.links[link as usize];
        at.arrive(packet.size.into());
        match at.wire.to {
            Node::Switch(switch) => match self.switches.choose(switch, packet) {
                Some(next) => self.forward(now, id, next),
                None => {
                    self.unrouted += 1;
                    self.packets.leave(id);
                }
            },
            Node::Host(host) => {
                self.delivered += 1;
                let packet = self.packets.leave(id);
                self.hosts[host as usize].receive(now, &packet);
                self.look_after(now, host);
            }
        }
    }

    /// A packet goes to a port.
    fn forward(&mut self, now: Time, id: PacketId, link: LinkId) {
        let port = &mut self.links[link as usize];
        if let Some(dropped) = port.offer(id, &mut self.packets, &mut self.random) {
            self.dropped += 1;
            self.packets.leave(dropped);
        }
        // A port that will be asked is not asked before, also if that is at this time.
        if port.asked {
            return;
        }
        if port.busy <= now {
            self.send(now, link);
        } else {
            port.asked = true;
            self.calendar.add(port.busy, Event::Free(link));
        }
    }

    /// A port that is free sends, if it has something.
    fn send(&mut self, now: Time, link: LinkId) {
        let port = &mut self.links[link as usize];
        if let Node::Host(host) = port.wire.from {
            self.send_from(now, host, link);
            return;
        }
        let Some(sent) = port.send(now, &mut self.packets, &mut self.random) else { return };
        if !port.queue.is_empty() {
            port.asked = true;
            self.calendar.add(port.busy, Event::Free(link));
        }
        self.fly(sent.id, sent.arrives, link);
    }

    fn fly(&mut self, id: PacketId, arrives: Option<Time>, link: LinkId) {
        match arrives {
            Some(time) => self.calendar.add(time, Event::Arrives(id, link)),
            None => {
                self.dropped += 1;
                self.packets.leave(id);
            }
        }
    }

    /// A host has no queue: it is asked for a packet when its link is free.
    fn send_from(&mut self, now: Time, host: u32, link: LinkId) {
        let port = &mut self.links[link as usize];
        let Some(packet) = self.hosts[host as usize].next(now) else { return };
        let id = self.packets.enter(packet);
        self.entered += 1;
        port.counters.entered += 1;
        let sent = port.put(now, id, &self.packets, &mut self.random);
        port.asked = true;
        self.calendar.add(port.busy, Event::Free(link));
        self.fly(sent.id, sent.arrives, link);
        // The time-out of the packet.
        self.call(host);
    }

    /// Something has happened to a host: it may send, want to be called, or be done with a message.
    fn look_after(&mut self, now: Time, host: u32) {
        while let Some(done) = self.hosts[host as usize].take_done() {
            self.note(now, done);
        }
        let link = self.switches.routes().from_host(host);
        if !self.links[link as usize].asked {
            self.send_from(now, host, link);
        }
        self.call(host);
    }

    fn call(&mut self, host: u32) {
        let wanted = self.hosts[host as usize].wake_up();
        let called = &mut self.called[host as usize];
        if let Some(time) = wanted.filter(|time| time < called) {
            // In the past it is now.
            *called = time.max(self.calendar.now());
            self.calendar.add(*called, Event::Wakes(host));
        }
    }

    fn note(&mut self, now: Time, done: Done) {
        let (Done::Started(flow) | Done::Delivered(flow) | Done::Completed(flow) | Done::Failed(flow)) = done;
        let times = &mut self.flows[flow as usize];
        let before = times.completed.or(times.failed).is_some();
        match done {
            Done::Started(_) => times.started = Some(now),
            Done::Delivered(_) => {
                times.delivered = Some(now);
                for (delay, host, context) in self.followers[flow as usize].drain(..) {
                    self.calendar.add(now + delay, Event::Starts(host, context));
                }
            }
            Done::Completed(_) => times.completed = Some(now),
            Done::Failed(_) => times.failed = Some(now),
        }
        if !before && times.completed.or(times.failed).is_some() {
            self.open -= 1;
        }
    }

    /// The time of the last event.
    #[must_use]
    pub const fn now(&self) -> Time {
        self.calendar.now()
    }

    /// Events so far.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.calendar.added()
    }

    /// When messages were where, by their numbers.
    #[must_use]
    pub fn flows(&self) -> &[Times] {
        &self.flows
    }

    /// All links, with what they have counted.
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// What the hosts have counted.
    #[must_use]
    pub fn hosts(&self) -> &[Box<dyn EndPoint>] {
        &self.hosts
    }

    /// Packets that hosts have sent, that have arrived, that were dropped, and that are in the network.
    #[must_use]
    pub fn packets(&self) -> [u64; 4] {
        [self.entered, self.delivered, self.dropped + self.unrouted, self.packets.inside() as u64]
    }

    /// Numbers of links on which packets came from nowhere or went nowhere; and whether they did in total.
    #[must_use]
    pub fn unbalanced(&self) -> (Vec<LinkId>, bool) {
        let links = self.links.iter().enumerate().filter(|(_, link)| !link.is_conserved());
        let [entered, delivered, dropped, inside] = self.packets();
        // What is inside waits or flies, as the links count it.
        let held: u64 = self.links.iter().map(|link| link.counters.flying + link.queue.len() as u64).sum();
        let whole = entered == delivered + dropped + inside && inside == held;
        (links.map(|(at, _)| at as LinkId).collect(), !whole)
    }
}
