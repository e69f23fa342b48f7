// SPDX-License-Identifier: MIT OR Apache-2.0
//! A peer of plain RoCEv2, as the IBA has it: a responder that takes packets in order only, says of a gap once that there is one, and
//! acknowledges what asks for it (9.7.5), and a requester that goes back to the packet that is missing (9.7.7), at a NAK and at a time-out.

use super::wire::{ACKNOWLEDGE, CE, CNP, ECT, NIC, NIC_PORT, PEER, PEER_PORT, Packet, ahead};
use std::collections::VecDeque;

/// Syndromes.
const CREDITS: u8 = 0x1F;
const RNR: u8 = 0x20;
const SEQUENCE_ERROR: u8 = 0x60;
/// Bytes of a packet.
pub const MTU: usize = 4096;

/// A message that has come or is sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Address, key and length in the memory of the receiver of a WRITE.
    pub write: Option<(u64, u32, u32)>,
    pub immediate: Option<u32>,
    pub invalidate: Option<u32>,
    pub bytes: Vec<u8>,
}

/// What is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Packets of the NIC in order, before, and behind a gap.
    pub in_order: u64,
    pub repeated: u64,
    pub behind: u64,
    /// NAKs of a gap that it has sent, and that have come.
    pub naks: u64,
    pub naks_heard: u64,
    /// RNR NAKs that it has sent, and that have come.
    pub rnr: u64,
    pub rnr_heard: u64,
    pub timeouts: u64,
    /// Fatal NAKs that have come.
    pub fatal: u64,
    /// Packets that it has sent again.
    pub again: u64,
}

/// The peer.
pub struct Peer {
    /// Responder: the expected PSN, messages that are complete, and whether the gap has been told.
    expected: u32,
    msn: u32,
    told: bool,
    current: Option<Message>,
    pub received: Vec<Message>,
    /// In-order packets that are refused for want of room, with this timer code.
    pub no_room: (u32, u8),
    /// The next packet in order is refused for ever, with this syndrome.
    pub refuses: Option<u8>,
    /// Requester: all packets, the first of which has PSN `first`; those before `base` are acknowledged, `next` is sent next.
    first: u32,
    packets: Vec<Packet>,
    base: usize,
    next: usize,
    sent: usize,
    /// Nothing is sent before this clock cycle; the timer runs since.
    held_until: u64,
    since: u64,
    pub window: usize,
    pub timeout: u64,
    /// The next packets that it sends are marked on their way.
    pub marks: bool,
    /// It may send what is not legal, so that a fatal NAK is what it expects: its PSN, its syndrome and its MSN.
    pub is_wrong: bool,
    pub refused: Option<(u32, u8, u32)>,
    /// Clock cycles in which CNPs came.
    pub cnps: Vec<u64>,
    pub counts: Counts,
    out: VecDeque<Vec<u8>>,
}

impl Peer {
    /// One that expects this PSN, and sends from that one on.
    pub fn new(expected: u32, first: u32) -> Self {
        Peer {
            expected,
            msn: 0,
            told: false,
            current: None,
            received: Vec::new(),
            no_room: (0, 0),
            refuses: None,
            first,
            packets: Vec::new(),
            base: 0,
            next: 0,
            sent: 0,
            held_until: 0,
            since: 0,
            window: 16,
            timeout: 20_000,
            marks: false,
            is_wrong: false,
            refused: None,
            cnps: Vec::new(),
            counts: Counts::default(),
            out: VecDeque::new(),
        }
    }

    /// A message is to be sent.
    pub fn send(&mut self, message: &Message) {
        let parts: Vec<&[u8]> = if message.bytes.is_empty() { vec![&[]] } else { message.bytes.chunks(MTU).collect() };
        let last = parts.len() - 1;
        let tail = message.immediate.or(message.invalidate).map_or(Vec::new(), |word| word.to_be_bytes().to_vec());
        for (at, part) in parts.iter().enumerate() {
            let (is_first, is_last) = (at == 0, at == last);
            let kind = match (message.immediate.is_some(), message.invalidate.is_some()) {
                (true, _) => 1,
                (_, true) => 2,
                _ => 0,
            };
            let opcode = match (message.write.is_some(), is_first, is_last) {
                (false, true, false) => 0x00,
                (false, false, false) => 0x01,
                (false, false, true) => [0x02, 0x03, 0x16][kind],
                (false, true, true) => [0x04, 0x05, 0x17][kind],
                (true, true, false) => 0x06,
                (true, false, false) => 0x07,
                (true, false, true) => [0x08, 0x09, 0x08][kind],
                (true, true, true) => [0x0A, 0x0B, 0x0A][kind],
            };
            let mut extended = Vec::new();
            if let Some((address, rkey, length)) = message.write.filter(|_| is_first) {
                extended.extend(address.to_be_bytes());
                extended.extend(rkey.to_be_bytes());
                extended.extend(length.to_be_bytes());
            }
            if is_last {
                extended.extend(&tail);
            }
            let psn = self.first.wrapping_add(self.packets.len() as u32);
            // Every fourth packet asks, and the last one.
            let asks = is_last || self.packets.len() % 4 == 3;
            self.packets.push(Packet::request(opcode, psn, asks, extended, part.to_vec()));
        }
    }

    /// A packet is to be sent, whatever it is: its OpCode, its extended headers and its payload. The result is its PSN.
    pub fn push(&mut self, opcode: u8, extended: Vec<u8>, payload: Vec<u8>) -> u32 {
        let psn = self.first.wrapping_add(self.packets.len() as u32) & 0xFF_FFFF;
        self.packets.push(Packet::request(opcode, psn, true, extended, payload));
        psn
    }

    /// All that it sends has been acknowledged.
    pub fn is_done(&self) -> bool {
        self.base == self.packets.len()
    }

    /// A frame of the NIC comes.
    pub fn hear(&mut self, now: u64, frame: &[u8]) -> Result<(), String> {
        let (packet, port) = Packet::read(frame, [NIC, PEER])?;
        match packet.opcode {
            ACKNOWLEDGE => self.acknowledged(now, &packet),
            CNP => {
                // All of it is given, and the port is that of the packet that was marked.
                if (&packet, port) != (&Packet { ecn: 0, ..Packet::cnp() }, PEER_PORT) {
                    return Err(format!("a CNP: {packet:?} from port {port:#x}"));
                }
                self.cnps.push(now);
                Ok(())
            }
            _ if port != NIC_PORT => Err(format!("port {port:#x}: {packet:?}")),
            _ => self.requested(packet),
        }
    }

    /// A congestion notification packet goes to the NIC.
    pub fn notify(&mut self) {
        self.answer(&Packet::cnp());
    }

    fn answer(&mut self, packet: &Packet) {
        self.out.push_back(packet.frame([PEER, NIC], PEER_PORT, 0));
    }

    /// The responder.
    fn requested(&mut self, packet: Packet) -> Result<(), String> {
        if packet.flags != 0x40 || packet.becn || ![ECT, CE].contains(&packet.ecn) {
            return Err(format!("a request: {packet:?}"));
        }
        let distance = ahead(packet.psn, self.expected);
        if distance < 0 {
            self.counts.repeated += 1;
            self.answer(&Packet::acknowledge(self.expected.wrapping_sub(1), CREDITS, self.msn));
            return Ok(());
        }
        if distance > 0 {
            self.counts.behind += 1;
            if !self.told {
                self.told = true;
                self.counts.naks += 1;
                self.answer(&Packet::acknowledge(self.expected, SEQUENCE_ERROR, self.msn));
            }
            return Ok(());
        }
        if let Some(syndrome) = self.refuses {
            self.answer(&Packet::acknowledge(packet.psn, syndrome, self.msn));
            return Ok(());
        }
        if self.no_room.0 > 0 {
            self.no_room.0 -= 1;
            self.counts.rnr += 1;
            self.answer(&Packet::acknowledge(packet.psn, RNR | self.no_room.1, self.msn));
            return Ok(());
        }
        self.counts.in_order += 1;
        self.told = false;
        self.expected = (self.expected + 1) & 0xFF_FFFF;
        self.take(&packet)?;
        if packet.ack_request {
            self.answer(&Packet::acknowledge(packet.psn, CREDITS, self.msn));
        }
        Ok(())
    }

    /// A packet in order: a part of a message.
    fn take(&mut self, packet: &Packet) -> Result<(), String> {
        let Packet { opcode, extended, payload, .. } = packet;
        let word = |at: usize| u32::from_be_bytes(extended[at..at + 4].try_into().expect("four bytes"));
        let begins = [0x00, 0x04, 0x05, 0x06, 0x0A, 0x0B, 0x17].contains(opcode);
        let is_write = (0x06..=0x0B).contains(opcode);
        if begins != self.current.is_none() {
            return Err(format!("OpCode {opcode:#x} amid {:?}", self.current.is_some()));
        }
        let mut message = self.current.take().unwrap_or_default();
        if begins && is_write {
            message.write = Some((u64::from(word(0)) << 32 | u64::from(word(4)), word(8), word(12)));
        }
        if message.write.is_some() != is_write {
            return Err(format!("OpCode {opcode:#x} in a message of another kind"));
        }
        message.bytes.extend(payload);
        match opcode {
            0x03 | 0x05 | 0x09 => message.immediate = Some(word(0)),
            0x0B => message.immediate = Some(word(16)),
            0x16 | 0x17 => message.invalidate = Some(word(0)),
            _ => {}
        }
        let goes_on = [0x00, 0x01, 0x06, 0x07].contains(opcode);
        if goes_on {
            if payload.len() != MTU {
                return Err(format!("{} bytes in OpCode {opcode:#x}", payload.len()));
            }
            self.current = Some(message);
        } else {
            self.msn = (self.msn + 1) & 0xFF_FFFF;
            self.received.push(message);
        }
        Ok(())
    }

    /// The requester hears an ACK or NAK.
    fn acknowledged(&mut self, now: u64, packet: &Packet) -> Result<(), String> {
        if packet.flags != 0x40 || packet.becn || packet.ecn != 0 || !packet.payload.is_empty() {
            return Err(format!("an ACK: {packet:?}"));
        }
        let syndrome = packet.extended[0];
        let place = ahead(packet.psn, self.first.wrapping_add(self.base as u32));
        let (nak, rnr) = (syndrome == SEQUENCE_ERROR, syndrome & 0xE0 == RNR);
        let fatal = syndrome & 0x60 == 0x60 && !nak;
        // How many packets it acknowledges more.
        let more = if nak || rnr || fatal { place } else { place + 1 };
        if more < 0 {
            return Ok(());
        }
        if self.base + more as usize > self.sent {
            return Err(format!("{packet:?} acknowledges what has not been sent"));
        }
        if more > 0 {
            self.base += more as usize;
            self.since = now;
        }
        self.next = self.next.max(self.base);
        if nak || rnr {
            self.next = self.base;
            self.since = now;
        }
        self.counts.naks_heard += u64::from(nak);
        if rnr {
            self.counts.rnr_heard += 1;
            // The test has code 12: 640 us are too long for it, so it asks again after 50.
            self.held_until = now + 10_000;
        }
        if fatal {
            if !self.is_wrong {
                return Err(format!("a fatal NAK: {packet:?}"));
            }
            let word = packet.extended[1..].iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
            // It goes on all the same, with a time-out, as one that has not heard it.
            self.refused = Some((packet.psn, syndrome, word));
            self.counts.fatal += 1;
        }
        Ok(())
    }

    /// The frame that it sends in this clock cycle.
    pub fn step(&mut self, now: u64) -> Option<Vec<u8>> {
        if let Some(frame) = self.out.pop_front() {
            return Some(frame);
        }
        if self.base < self.next && now > self.since + self.timeout && now > self.held_until {
            self.counts.timeouts += 1;
            self.next = self.base;
            self.since = now;
        }
        let may = self.next < self.packets.len() && self.next < self.base + self.window && now > self.held_until;
        if !may {
            return None;
        }
        if self.next == self.base {
            self.since = now;
        }
        self.counts.again += u64::from(self.next < self.sent);
        let ecn = if self.marks { CE } else { ECT };
        let frame = self.packets[self.next].frame([PEER, NIC], PEER_PORT, ecn);
        self.next += 1;
        self.sent = self.sent.max(self.next);
        Some(frame)
    }
}
