// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is to leave a transmit path, said without clock cycles: which bytes are asked for, the frames, the completions.

use super::bench::Fetch;
use super::messages::Messages;
use super::place::Place;
use super::requests::{Pace, Request, Requests, Standing};
use golden_vectors::headers::codec::icrc_place::Code;
use golden_vectors::headers::uet::crc;
use std::collections::{BTreeSet, VecDeque};

/// Bytes of the SES header in front of the payload.
pub const HEADER: usize = 44;

/// Where a PDC sends to.
#[derive(Clone, Copy, Debug)]
pub struct Destination {
    pub place: Place,
    pub pdcids: [u64; 2],
}

impl Destination {
    /// Fields of *open*.
    pub fn fields(&self) -> Vec<(&'static str, u64)> {
        let mut fields = self.place.fields();
        fields.extend([("dscp", self.place.dscp), ("local_pdcid", self.pdcids[0]), ("remote_pdcid", self.pdcids[1])]);
        fields
    }
}

/// Bits of a PSN.
const PSN_BITS: u32 = 32;
/// Bytes of the longest message.
const LONGEST: u64 = 1 << 31;

/// A PDC.
#[derive(Clone, Debug)]
struct Pdc {
    open: bool,
    destination: Option<Destination>,
    messages: Messages,
    /// The clock cycle in which the command that opened it was offered, and the last one in which something happened.
    opened: u64,
    moved: u64,
    /// The last credit numbers that the device was given, the newest one first.
    credits: [u64; 2],
    /// The EVs of its packets.
    evs: BTreeSet<u64>,
}

impl Pdc {
    fn closed(segment: u64) -> Self {
        let messages = Messages::new(0, PSN_BITS, segment);
        Pdc { open: false, destination: None, messages, opened: 0, moved: 0, credits: [0; 2], evs: BTreeSet::new() }
    }
}

/// A packet as its frame says it.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    pub pdc: u64,
    pub psn: u64,
    pub ev: u64,
    pub ack_request: bool,
    pub retx: bool,
    /// Its nominal size.
    pub size: u64,
}

/// What has left for the peer.
#[derive(Clone, Copy, Debug)]
pub enum Left {
    Packet(Arrival),
    Request(Request),
    Probe(Probe),
}

/// A PROBE as its frame says it.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    pub pdc: u64,
    pub ev: u64,
    pub opaque: u64,
}

/// Type of a control packet, and the codes of three.
const CONTROL: u8 = 11;
const PROBE: u64 = 6;
const CREDIT: u64 = 7;
const CREDIT_REQUEST: u64 = 8;
/// The first EV on the wire, and how many there are (entropy_selector).
const WIRE: (u64, u64) = (49_152, 16_384);

/// The expectations for all PDCs.
pub struct Checker {
    segment: u64,
    messages: u64,
    window: u64,
    /// Packets are RUD_CC_REQ.
    credit: bool,
    /// Bytes of the CRC at their end.
    crc: u64,
    /// The DSCP of control packets.
    control_dscp: u8,
    pdcs: Vec<Pdc>,
    /// The fetches without frames.
    due: VecDeque<(Fetch, Destination)>,
    /// The most that were.
    pub most_due: usize,
    /// CREDIT_REQUESTs.
    pub requests: Requests,
    /// Credit that has been offered, for peers at these places, and has not left.
    granted: VecDeque<(u64, Destination)>,
    /// CREDIT packets.
    pub credits: u64,
    /// CREDIT packets and CREDIT_REQUESTs.
    controls: u64,
    /// The names of PROBEs.
    pub probes: Vec<u64>,
    pub frames: u64,
    pub retransmissions: u64,
    pub completions: u64,
    pub refusals: u64,
}

/// The byte at an address.
fn byte(address: u64) -> u8 {
    (address.wrapping_mul(0x9E37_79B1) >> 13) as u8
}

/// The bytes that the host brings for a fetch.
pub fn bytes(fetch: &Fetch) -> Vec<u8> {
    let header = (0..HEADER as u64).map(|i| (fetch.psn + i) as u8);
    header.chain((0..fetch.length).map(|i| byte(fetch.address + i))).collect()
}

/// A number of some bytes in network order.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |high, &low| high << 8 | u64::from(low))
}

impl Checker {
    pub fn new(
        pdcs: u64,
        segment: u64,
        (messages, window): (u64, u64),
        (credit, has_crc): (bool, bool),
        control_dscp: u8,
        pace: Pace,
    ) -> Self {
        Checker {
            segment,
            messages,
            window,
            credit,
            crc: if has_crc { crc::LEN as u64 } else { 0 },
            control_dscp,
            pdcs: vec![Pdc::closed(segment); pdcs as usize],
            due: VecDeque::new(),
            most_due: 0,
            requests: Requests::new(pace, pdcs),
            granted: VecDeque::new(),
            credits: 0,
            controls: 0,
            probes: Vec::new(),
            frames: 0,
            retransmissions: 0,
            completions: 0,
            refusals: 0,
        }
    }

    fn pdc(&mut self, pdc: u64) -> &mut Pdc {
        &mut self.pdcs[pdc as usize]
    }

    pub fn is_open(&self, pdc: u64) -> bool {
        self.pdcs[pdc as usize].open
    }

    /// A PDC was opened by a command that was offered in this clock cycle.
    pub fn open(&mut self, pdc: u64, psn: u64, destination: Destination, opened: u64) {
        let messages = Messages::new(psn, PSN_BITS, self.segment);
        let destination = Some(destination);
        let evs = std::mem::take(&mut self.pdc(pdc).evs);
        *self.pdc(pdc) = Pdc { open: true, destination, messages, opened, moved: opened, credits: [0; 2], evs };
    }

    /// Packets that are fetched from now on have this DSCP.
    pub fn remarked(&mut self, pdc: u64, dscp: u64) {
        self.pdc(pdc).destination.as_mut().expect("it is open").place.dscp = dscp;
    }

    /// The DSCP of a PDC.
    pub fn dscp(&self, pdc: u64) -> u64 {
        self.pdcs[pdc as usize].destination.expect("it is open").place.dscp
    }

    /// The PDC is closed, and its messages are forgotten; all its frames have left.
    pub fn close(&mut self, pdc: u64) {
        let waiting = self.due.iter().filter(|(fetch, _)| fetch.pdc == pdc).count();
        assert_eq!(waiting, 0, "frames of it have not left");
        self.pdc(pdc).open = false;
    }

    /// Messages that wait or are under way.
    pub fn under_way(&self, pdc: u64) -> u64 {
        self.pdcs[pdc as usize].messages.under_way()
    }

    /// Packets that no ACK has named.
    pub fn outstanding(&self, pdc: u64) -> u64 {
        self.pdcs[pdc as usize].messages.outstanding()
    }

    /// The PSN of the next new packet.
    pub fn next_psn(&self, pdc: u64) -> u64 {
        self.pdcs[pdc as usize].messages.next_psn()
    }

    /// Nothing is to be sent, and all has been acknowledged.
    pub fn is_done(&self) -> bool {
        self.due.is_empty()
            && self.granted.is_empty()
            && (0..self.pdcs.len() as u64).all(|pdc| !self.is_open(pdc) || self.under_way(pdc) == 0)
    }

    /// The answer to a request; `closing` while its PDC is being opened or closed, when it is refused.
    pub fn answered(
        &mut self,
        pdc: u64,
        (handle, address, length): (u64, u64, u64),
        done: bool,
        (closing, now): (bool, u64),
    ) {
        let (limit, is_open, too_long) = (self.messages, self.is_open(pdc), length > LONGEST);
        if !done {
            self.refusals += 1;
            let room = self.under_way(pdc);
            let is_full = self.pdc(pdc).messages.may_be_full(limit, now);
            assert!(!is_open || closing || is_full || too_long, "PDC {pdc} has room: {room} of {limit}");
            return;
        }
        assert!(is_open && !too_long, "PDC {pdc} is closed, or {length} bytes are too many");
        let pdc = self.pdc(pdc);
        pdc.moved = now;
        pdc.messages.accepted(handle, address, length, limit);
    }

    /// Bytes are asked for.
    pub fn fetched(&mut self, fetch: Fetch, now: u64) {
        assert!(self.is_open(fetch.pdc), "{fetch:?} of a PDC that is closed");
        let pdc = self.pdc(fetch.pdc);
        pdc.moved = now;
        pdc.messages.fetched(fetch);
        let destination = pdc.destination.expect("it is open");
        self.due.push_back((fetch, destination));
        assert!(self.due.len() <= 48, "too many packets wait for their bytes");
        self.most_due = self.most_due.max(self.due.len());
    }

    /// Where the IP packet begins in a frame.
    fn packet_at(frame: &[u8]) -> usize {
        if frame[12..14] == [0x81, 0] { 18 } else { 14 }
    }

    /// The type of the packet in a frame.
    fn kind(frame: &[u8]) -> u8 {
        let at = Self::packet_at(frame);
        let ip = if frame[at - 2..at] == [0x86, 0xDD] { 40 } else { 20 };
        frame[at + ip + 8] >> 3
    }

    /// A frame leaves; one with credit is none for the peer.
    pub fn frame(&mut self, frame: &[u8]) -> Option<Left> {
        let (frame, crc) = frame.split_at(frame.len() - self.crc as usize);
        assert!(crc.is_empty() || Code::Uet.of(&frame[Self::packet_at(frame)..]) == *crc, "CRC");
        match Self::kind(frame) {
            CONTROL => self.control(frame),
            _ => Some(Left::Packet(self.packet(frame))),
        }
    }

    /// A CREDIT_REQUEST (row TX23), CREDIT (row TX26), or PROBE (row TX50).
    fn control(&mut self, frame: &[u8]) -> Option<Left> {
        let header = &frame[frame.len() - 16..];
        let pdcids = [8, 10].map(|at| number(&header[at..at + 2]));
        let (code, payload) = (number(&header[..2]) >> 7 & 0xF, number(&header[12..]));
        let opaque = if code == PROBE { number(&header[2..4]) } else { 0 };
        let expected = (11 << 11 | code << 7) << 48 | opaque << 32;
        assert_eq!(number(&header[..8]), expected, "type, ctl_type, flags, probe_opaque, PSN");
        let (left, to) = match code {
            CREDIT_REQUEST => {
                let (request, standing) = self.requests.frame(pdcids, payload);
                let of = &self.pdcs[request.pdc as usize];
                let is_current = of.open && of.destination.is_some_and(|now| now.pdcids == pdcids);
                assert!(is_current, "a request of a PDC that is closed");
                (Some(Left::Request(request)), standing.destination)
            }
            CREDIT => {
                let (credit, to) = self.granted.pop_front().expect("credit was offered");
                assert_eq!((payload, pdcids), (credit, to.pdcids), "CREDIT");
                self.credits += 1;
                (None, to)
            }
            PROBE => {
                let pdc =
                    self.pdcs.iter().position(|pdc| pdc.open && pdc.destination.is_some_and(|to| to.pdcids == pdcids));
                let pdc = pdc.expect("a PROBE of a PDC that is closed");
                let next = self.pdcs[pdc].messages.next_psn();
                let behind = next.wrapping_sub(payload) & 0xFFFF_FFFF;
                assert!((1..=self.window + 1).contains(&behind), "the PSN of an ACK: {payload}, next is {next}");
                self.probes.push(opaque);
                let to = self.pdcs[pdc].destination.expect("it is open");
                (Some(Left::Probe(Probe { pdc: pdc as u64, ev: 0, opaque })), to)
            }
            _ => panic!("ctl_type {code}"),
        };
        let (at, ev) = self.network(frame, &to.place, 24 + self.crc, self.control_dscp);
        assert_eq!(at, frame.len() - 16, "nothing else");
        match left {
            Some(Left::Probe(probe)) => {
                assert!(self.pdcs[probe.pdc as usize].evs.contains(&ev), "no packet of it had the EV {ev}");
                return Some(Left::Probe(Probe { ev, ..probe }));
            }
            _ => assert_eq!(ev, WIRE.0 + self.controls % WIRE.1, "EV"),
        }
        self.controls += 1;
        left
    }

    /// Credit is offered for the peer of a PDC.
    pub fn grants(&mut self, pdc: u64, credit: u64) {
        self.granted.push_back((credit, self.pdcs[pdc as usize].destination.expect("it is open")));
    }

    /// The headers up to UDP (row TX11): where the PDS header begins, and the EV.
    fn network(&self, frame: &[u8], to: &Place, udp_length: u64, dscp: u8) -> (usize, u64) {
        let mut at = 0;
        let mut take = |count: usize| {
            at += count;
            &frame[at - count..at]
        };
        assert_eq!([number(take(6)), number(take(6))], to.macs, "Ethernet addresses");
        if let Some(tag) = to.tag {
            assert_eq!([number(take(2)), number(take(2))], [0x8100, tag], "tag");
        }
        let ip = |words: [u64; 4]| words.iter().fold(0_u128, |high, &low| high << 32 | u128::from(low));
        let wide = |bytes: &[u8]| bytes.iter().fold(0_u128, |high, &low| high << 8 | u128::from(low));
        if to.ipv6 {
            assert_eq!(number(take(2)), 0x86DD);
            let class = u64::from(dscp) << 2 | 2;
            assert_eq!(number(take(4)), 6 << 28 | class << 20, "version, class, no flow label");
            assert_eq!([number(take(2)), number(take(1)), number(take(1))], [udp_length, 17, 64]);
            assert_eq!([wide(take(16)), wide(take(16))], [ip(to.ips[1]), ip(to.ips[0])], "source, destination");
        } else {
            assert_eq!(number(take(2)), 0x0800);
            let header = take(20);
            assert_eq!(
                header[..10],
                [0x45, dscp << 2 | 2, ((udp_length + 20) >> 8) as u8, (udp_length + 20) as u8, 0, 0, 0x40, 0, 64, 17]
            );
            let sum = header.chunks(2).map(number).sum::<u64>();
            assert_eq!((sum & 0xFFFF) + (sum >> 16), 0xFFFF, "header checksum");
            assert_eq!([number(&header[12..16]), number(&header[16..])], [to.ips[1][0], to.ips[0][0]]);
        }
        let ev = number(take(2));
        assert_eq!([number(take(2)), number(take(2)), number(take(2))], [4793, udp_length, 0], "UDP");
        (at, ev)
    }

    fn packet(&mut self, frame: &[u8]) -> Arrival {
        let (fetch, to) = self.due.pop_front().expect("its bytes were asked for");
        let pds = if self.credit { 16 } else { 12 };
        let udp_length = 8 + pds + HEADER as u64 + fetch.length + self.crc;
        let (mut at, ev) = self.network(frame, &to.place, udp_length, to.place.dscp as u8);
        self.pdc(fetch.pdc).evs.insert(ev);
        let mut take = |count: usize| {
            at += count;
            &frame[at - count..at]
        };
        let prologue = number(take(2));
        let kind = if self.credit { 13 } else { 2 };
        let flags = u64::from(fetch.retransmission) << 4;
        assert_eq!(prologue & !8, kind << 11 | 3 << 7 | flags, "type, next_hdr, retx");
        let ack_request = prologue & 8 != 0;
        assert!(ack_request || !(fetch.last || fetch.retransmission), "{fetch:?} does not ask for an ACK");
        assert_eq!(number(take(2)), 65536 - self.window, "clear_psn_offset");
        assert_eq!(number(take(4)), fetch.psn, "PSN");
        assert_eq!([number(take(2)), number(take(2))], to.pdcids, "SPDCID, DPDCID");
        if self.credit {
            assert_eq!(number(take(1)), fetch.pdc & 0xFF, "ccc_id");
            take(3);
        }
        assert_eq!(frame[at..], bytes(&fetch)[..], "SES header and payload");
        self.frames += 1;
        self.retransmissions += u64::from(fetch.retransmission);
        let Fetch { pdc, psn, retransmission, .. } = fetch;
        let of = &self.pdcs[pdc as usize];
        let is_current = of.open && of.destination.is_some_and(|now| now.pdcids == to.pdcids);
        assert!(is_current, "{fetch:?} of a PDC that is closed");
        Arrival { pdc, psn, ev, ack_request, retx: retransmission, size: udp_length + 40 }
    }

    /// An ACK that is given to the device names PSNs.
    pub fn named(&mut self, pdc: u64, psns: impl IntoIterator<Item = u64>, now: u64) {
        let pdc = self.pdc(pdc);
        pdc.messages.named(psns);
        pdc.moved = now;
    }

    /// The device is given credit.
    pub fn credited(&mut self, pdc: u64, credit: u64) {
        let credits = &mut self.pdc(pdc).credits;
        if credits[0] != credit {
            *credits = [credit, credits[0]];
        }
    }

    /// The open PDCs, as far as requests for credit depend on it.
    fn standing(&self) -> Vec<Standing> {
        let overhead = 48 + HEADER as u64 + if self.credit { 16 } else { 12 };
        let of = |(number, pdc): (u64, &Pdc)| Standing {
            pdc: number,
            destination: pdc.destination.expect("it is open"),
            opened: pdc.opened,
            moved: pdc.moved,
            unsent: pdc.messages.unsent(overhead),
            outstanding: pdc.messages.outstanding(),
            credits: pdc.credits,
        };
        (0..).zip(&self.pdcs).filter(|(_, pdc)| pdc.open).map(of).collect()
    }

    /// The counter of CREDIT_REQUESTs in a clock cycle.
    pub fn asked(&mut self, now: u64, count: u64) {
        let mut requests = std::mem::replace(&mut self.requests, Requests::new(Pace::NONE, 0));
        requests.counted(now, count, || self.standing());
        if now.is_multiple_of(64) {
            self.standing().iter().for_each(|standing| requests.check(now, standing));
        }
        self.requests = requests;
    }

    /// A message is said to be complete.
    pub fn completed(&mut self, pdc: u64, handle: u64, now: u64) {
        assert!(self.is_open(pdc), "PDC {pdc} is closed");
        self.completions += 1;
        self.pdc(pdc).messages.completed(handle, now);
    }
}
