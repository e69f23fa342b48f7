// SPDX-License-Identifier: MIT OR Apache-2.0
//! Step 7 to 8 of the parser: header words into the record, each in the beat that brings it.

use super::transport::{TransportOut, TransportSteps};
use super::transports::{HEADER, Headers};
use crate::frame::{BusLayout, LENGTH, Link, StepStatus, UNTAGGED};
use crate::headers::Udp;
use crate::headers::protocols::Protocols;
use crate::headers::record::{HEADER_WORDS, HeaderRecord};
use rtl_model::stream::Side;
use rtl_model::{Bits, Logic, Reg, Shape, Wide, bits, name_nets, select, when};

/// Words of the BTH, after which an MPEH may come.
const BTH: u32 = 3;

#[name_nets]
pub(super) struct CaptureStep<L: Logic> {
    lanes: BusLayout,
    protocols: Protocols,
    ethernet: [Reg<Bits<L>>; 6],
    link: Reg<Link<L>>,
    ip: [Reg<Bits<L>>; 10],
    udp: [Reg<Bits<L>>; 2],
    mpeh: [Reg<Bits<L>>; 2],
    header: [Reg<Bits<L>>; HEADER_WORDS],
    headers: Reg<Headers<L>>,
    payload: Reg<Bits<L>>,
    side: Reg<Side<L>>,
    valid: Reg<Bits<L>>,
    sent: Reg<Bits<L>>,
}

/// Registers of 32 bits, named after their index.
#[name_nets]
fn words<L: Logic, const N: usize>() -> [Reg<Bits<L>>; N] {
    std::array::from_fn(|i| Reg::numbered(i as u32, &bits(32)))
}

#[name_nets]
impl<L: Logic> CaptureStep<L> {
    pub fn new(lanes: BusLayout, protocols: Protocols, side: Side<Shape>) -> Self {
        CaptureStep {
            lanes,
            protocols,
            ethernet: words(),
            link: Reg::numbered(8, &Link::shape()),
            ip: words(),
            udp: words(),
            mpeh: words(),
            header: words(),
            headers: Reg::new(&Headers::shape(protocols.trimming)),
            payload: Reg::numbered(8, &bits(LENGTH)),
            side: Reg::numbered(8, &side),
            valid: Reg::new(&bits(1)).with_reset(),
            sent: Reg::new(&bits(1)).with_reset(),
        }
    }

    /// A record is complete; 1 for one step.
    pub fn valid(&self) -> Bits<L> {
        self.valid.get()
    }

    /// Headers present and their lengths; valid in step 8.
    pub fn headers(&self) -> Headers<L> {
        self.headers.get()
    }

    /// Step 8: bytes after the IP header.
    pub fn payload(&self) -> Bits<L> {
        self.payload.get()
    }

    /// Step 8: UDP length.
    pub fn udp_length(&self) -> Bits<L> {
        Udp::read(|i| self.udp(i)).length
    }

    /// Step 8: word `i` of the transport header; 0 beyond the longest that is selected.
    pub fn header(&self, i: u32) -> Bits<L> {
        if i < self.protocols.words() { self.header[i as usize].get() } else { Bits::lit(32, 0) }
    }

    /// Step 8: word `i` of the MPEH.
    pub fn mpeh(&self, i: u32) -> Bits<L> {
        if self.protocols.rocev2 { self.mpeh[i as usize].get() } else { Bits::lit(32, 0) }
    }

    /// Step 8: word `i` of UDP; for UET without UDP the second is the entropy header.
    pub fn udp(&self, i: u32) -> Bits<L> {
        self.udp[i as usize].get()
    }

    /// `words`: the beat of step 7 by lane, from the start of the frame. `side`, `from`: step 7.
    pub fn clock(&self, steps: &StepStatus<L>, words: impl Fn() -> Wide<L>, side: Side<L>, from: &TransportSteps<L>) {
        let sent = self.sent.get();
        let index = steps.index(7);
        self.valid.set(Bits::lit(1, 0));
        when(steps.first(7), || self.side.set(side));
        when(steps.active(7), || {
            let from = from.out();
            when(self.complete(index, &from), || {
                self.valid.set(!sent);
                self.sent.set(Bits::lit(1, 1));
            });
            self.capture_link(index, words());
            self.capture_network(&from);
            self.capture_transport(&from);
            self.link.set(from.link);
            self.headers.set(from.candidates.headers(&from.packet));
            self.payload.set(from.packet.payload);
        });
        when(steps.last(7), || {
            self.valid.set(!sent);
            self.sent.set(Bits::lit(1, 0));
        });
    }

    /// The last word of the headers is in the beat.
    fn complete(&self, index: Bits<L>, from: &TransportOut<L>) -> Bits<L> {
        let packet = &from.packet;
        let first_layer = index.equals(self.lanes.beat(UNTAGGED + 1) as u64);
        let addresses = select(from.link.l3.bit(1), from.ip_hits.bit(9), from.ip_hits.bit(4));
        let transport = from.candidates.complete(packet, from.hits);
        select(from.link.l3.any(), select(packet.udp | packet.native, transport, addresses), first_layer)
    }

    fn capture_link(&self, index: Bits<L>, words: Wide<L>) {
        let lanes = self.lanes;
        // For each beat the words that it can hold.
        for beat in 0..=lanes.beat(UNTAGGED + 1) {
            when(index.equals(beat as u64), || {
                for (word, register) in (0..).zip(&self.ethernet) {
                    if lanes.beat(word) == beat {
                        register.set(lanes.word(words, word));
                    }
                }
            });
        }
    }

    fn capture_network(&self, from: &TransportOut<L>) {
        for (p, register) in (0..).zip(&self.ip) {
            let (word, here) = from.ip(p);
            when(here, || register.set(word));
        }
    }

    fn capture_transport(&self, from: &TransportOut<L>) {
        let capture = |q: u32, register: &Reg<Bits<L>>| {
            let (word, here) = from.word(q);
            when(here, || register.set(word));
        };
        (0..).zip(&self.udp).for_each(|(i, register)| capture(i, register));
        let rocev2 = self.protocols.rocev2;
        if rocev2 {
            (0..).zip(&self.mpeh).for_each(|(i, register)| capture(HEADER + BTH + i, register));
        }
        let mpeh = from.candidates.mpeh(&from.packet);
        for (i, register) in (0..self.protocols.words()).zip(&self.header) {
            if !rocev2 || i < BTH {
                capture(HEADER + i, register);
                continue;
            }
            let ((plain, plain_here), (behind, behind_here)) = (from.word(HEADER + i), from.word(HEADER + 2 + i));
            when(select(mpeh, behind_here, plain_here), || register.set(select(mpeh, behind, plain)));
        }
    }

    /// The record; valid while [`Self::valid`] is 1.
    pub fn record(&self) -> HeaderRecord<L> {
        let link = self.link.get();
        let headers = self.headers.get();
        let Side { tid, tdest, tuser } = self.side.get();
        let (udp, payload) = (self.udp_length(), self.payload.get().truncate(16));
        let length = select(headers.native, payload, udp);
        let record = HeaderRecord {
            ethernet: Reg::get_all(&self.ethernet),
            vlan_count: link.tags,
            l3: link.l3,
            ip: Reg::get_all(&self.ip),
            udp: Reg::get_all(&self.udp),
            mpeh: std::array::from_fn(|i| self.mpeh(i as u32)),
            header: std::array::from_fn(|i| self.header(i as u32)),
            transport: headers.transport,
            uet_native: headers.native,
            has: headers.has,
            transport_words: headers.words,
            inner_protocol: Bits::lit(8, u64::from(self.protocols.elab_inner)),
            payload_offset: headers.end.concat(Bits::lit(2, 0b10)),
            payload_length: length - headers.overhead_words.concat(Bits::lit(2, 0)).extend(16),
            ip_slack: payload - udp,
            tid,
            tdest,
            tuser,
        };
        if !self.protocols.trimming {
            return record;
        }
        // The rewritten length of a trimmed packet may end inside its headers.
        let reaches = length.at_least(headers.overhead_words.concat(Bits::lit(2, 0)).extend(16));
        HeaderRecord { payload_length: record.payload_length.gate(reaches), ..record }
    }
}
