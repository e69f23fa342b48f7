// SPDX-License-Identifier: MIT OR Apache-2.0
//! The verdict on a frame, in its last beat: the first row of the contract that holds.
//!
//! ```text
//!  3  bytes after the last EtherType; rows 1, 2, 3
//!  4  row 4
//!  5  rows 5, 6, 7; bytes after the IP header that are in the frame
//!  6  row 9, IP length; words of the packet that are in the frame
//!  9  UDP length against payload and headers, reserved bits, trimmed: rows 10 to 16
//!  .. row 8 when the checksum is there
//! ```
//!
//! Rows 1 to 7 rank before the checksum and rows 9 to 15 after it, so there are two intermediate results until the last
//! step, `early` and `late`.

use super::capture::CaptureStep;
use super::link::LinkSteps;
use super::network::NetworkSteps;
use super::reserved::ReservedBits;
use super::transports::{Headers, NEED};
use crate::frame::{LENGTH, StepStatus};
use crate::headers::protocols::{Protocols, Reserved};
use crate::headers::reason::DropReason;
use crate::headers::record::{l3, transport};
use rtl_model::{Bits, Bundle, Delay, Logic, Reading, Reg, bits, constant, name_nets, select, when};

/// A row has decided, with this reason.
#[derive(Bundle)]
#[shape]
pub(super) struct Decision<L: Reading> {
    made: Bits<L>,
    #[width(DropReason::WIDTH)]
    reason: Bits<L>,
}

/// The result of rows 9 to 16.
#[derive(Bundle)]
#[shape(trimming: bool)]
struct Late<L: Reading> {
    #[width(DropReason::WIDTH)]
    reason: Bits<L>,
    /// Reserved bits are not 0, and rows 9 to 14 do not hold.
    marked: Bits<L>,
    /// A trimmed packet: row 8 does not count.
    #[width(trimming.then_some(1))]
    trimmed: Option<Bits<L>>,
}

/// Bits of a number of words of the packet that are in the frame, up to more than headers have.
const HERE: u32 = NEED;

/// What is left of a packet after its IP header.
#[name_nets]
struct TrimmedSteps<L: Logic> {
    /// Step 5: bytes in the frame.
    room_5: Reg<Bits<L>>,
    /// Steps 6, 7, 8: words in the packet and in the frame.
    here: [Reg<Bits<L>>; 3],
}

#[name_nets]
impl<L: Logic> TrimmedSteps<L> {
    fn new() -> Self {
        TrimmedSteps { room_5: Reg::new(&bits(LENGTH)), here: [6, 7, 8].map(|i| Reg::numbered(i, &bits(HERE))) }
    }

    /// Step 8: words of the packet after its IP header that are in the frame, at most [`HERE`] ones.
    fn here(&self) -> Bits<L> {
        self.here[2].get()
    }

    /// All steps, the last first. `room`: step 4, bytes after the last EtherType.
    fn clock(&self, steps: &StepStatus<L>, room: Bits<L>, network: &NetworkSteps<L>) {
        when(steps.last(7), || self.here[2].set(self.here[1].get()));
        when(steps.last(6), || self.here[1].set(self.here[0].get()));
        when(steps.last(5), || {
            let (room, packet) = (self.room_5.get(), network.packet.get());
            let bytes = select(room.less(packet.payload), room, packet.payload);
            let words = bytes.slice(2, HERE)
                | select(bytes.slice(2 + HERE, LENGTH - 2 - HERE).any(), Bits::lit(HERE, 31), Bits::lit(HERE, 0));
            self.here[0].set(words.gate(!packet.too_short));
        });
        when(steps.last(4), || {
            let header = network.ihl().concat(Bits::lit(2, 0)).extend(LENGTH);
            let is_v6 = network.links[1].get().l3.bit(1);
            self.room_5.set(room - select(is_v6, Bits::lit(LENGTH, 40), header));
        });
    }
}

/// The steps from which the verdict reads.
pub(super) struct Sources<'a, L: Logic> {
    pub link: &'a LinkSteps<L>,
    pub network: &'a NetworkSteps<L>,
    pub capture: &'a CaptureStep<L>,
}

#[name_nets]
pub(super) struct VerdictSteps<L: Logic> {
    room_3: Reg<Bits<L>>,
    room_4: Reg<Bits<L>>,
    room_5: Reg<Bits<L>>,
    early_3: Reg<Decision<L>>,
    early_4: Reg<Decision<L>>,
    early_5: Reg<Decision<L>>,
    early_line: Delay<Decision<L>>,
    is_ipv4_line: Delay<Bits<L>>,
    ip_bad_6: Reg<Bits<L>>,
    ip_bad_7: Reg<Bits<L>>,
    ip_bad_8: Reg<Bits<L>>,
    late_9: Reg<Late<L>>,
    late_line: Delay<Late<L>>,
    reason: Reg<Bits<L>>,
    marked: Reg<Bits<L>>,
    reserved: Option<ReservedBits>,
    refuse: bool,
    trimmed: Option<TrimmedSteps<L>>,
}

#[name_nets]
impl<L: Logic> VerdictSteps<L> {
    /// `checksum_step`: the step in which the checksum is known; the verdict comes one step later.
    pub fn new(checksum_step: u32, protocols: Protocols) -> Self {
        let code = bits(DropReason::WIDTH);
        let decision = Decision::shape();
        let late = Late::shape(protocols.trimming);
        VerdictSteps {
            room_3: Reg::new(&bits(LENGTH)),
            room_4: Reg::new(&bits(LENGTH)),
            room_5: Reg::new(&bits(LENGTH)),
            early_3: Reg::new(&decision),
            early_4: Reg::new(&decision),
            early_5: Reg::new(&decision),
            early_line: Delay::new(&decision, (checksum_step - 5) as usize),
            is_ipv4_line: Delay::new(&bits(1), (checksum_step - 5) as usize),
            ip_bad_6: Reg::new(&bits(1)),
            ip_bad_7: Reg::new(&bits(1)),
            ip_bad_8: Reg::new(&bits(1)),
            late_9: Reg::new(&late),
            late_line: Delay::new(&late, (checksum_step - 9) as usize),
            reason: Reg::new(&code),
            marked: Reg::new(&bits(1)),
            reserved: (protocols.reserved != Reserved::Ignore).then(|| ReservedBits::new(protocols)),
            refuse: protocols.reserved == Reserved::Refuse,
            trimmed: protocols.trimming.then(TrimmedSteps::new),
        }
    }

    /// The reason, one step after the checksum.
    pub fn reason(&self) -> Bits<L> {
        self.reason.get()
    }

    /// In the same step: the frame is good and has reserved bits that are not 0.
    pub fn marked(&self) -> Bits<L> {
        self.marked.get()
    }

    /// All steps, the last first. `checksum`: its step, and whether it is right in that step.
    pub fn clock(&self, steps: &StepStatus<L>, checksum: (u32, Bits<L>), from: Sources<'_, L>) {
        let Sources { link, network, capture } = from;
        let (checksum_step, checksum_good) = checksum;
        when(steps.last(checksum_step), || {
            let early = self.early_line.get();
            let late = self.late_line.get();
            let wrong = self.is_ipv4_line.get() & !checksum_good;
            let wrong = late.trimmed.map_or(wrong, |trimmed| wrong & !trimmed);
            let reason = select(wrong, code(DropReason::IpChecksum), late.reason);
            self.reason.set(select(early.made, early.reason, reason));
            self.marked.set(late.marked & !wrong & !early.made);
        });
        self.late_line.shift(self.late_9.get());
        when(steps.last(8), || self.late_9.set(self.rows_9_to_16(capture)));
        if let Some(trimmed) = &self.trimmed {
            trimmed.clock(steps, self.room_4.get(), network);
        }
        when(steps.last(7), || self.ip_bad_8.set(self.ip_bad_7.get()));
        when(steps.last(6), || self.ip_bad_7.set(self.ip_bad_6.get()));
        when(steps.last(5), || {
            let packet = network.packet.get();
            self.ip_bad_6.set(packet.too_short | self.room_5.get().less(packet.length));
        });
        self.early_line.shift(self.early_5.get());
        self.is_ipv4_line.shift(network.links[2].get().l3.bit(0));
        when(steps.last(4), || {
            self.room_5.set(self.room_4.get());
            self.early_5.set(self.rows_5_to_7(network));
        });
        when(steps.last(3), || {
            self.room_4.set(self.room_3.get());
            self.early_4.set(self.row_4(network));
        });
        when(steps.last(2), || self.rows_1_to_3(link));
    }

    fn decide(&self, before: Decision<L>, rows: &[(Bits<L>, DropReason)]) -> Decision<L> {
        let mut made = before.made;
        let mut reason = Bits::lit(DropReason::WIDTH, 0);
        for &(holds, row) in rows.iter().rev() {
            made = made | holds;
            reason = select(holds, code(row), reason);
        }
        Decision { made, reason: select(before.made, before.reason, reason) }
    }

    /// Step 2 to 3.
    fn rows_1_to_3(&self, from: &LinkSteps<L>) {
        let (link, length) = (from.link(), from.length());
        let ahead = Bits::lit(5, 14) + link.tags.extend(3).concat(Bits::lit(2, 0));
        let cut = length.less(ahead.extend(LENGTH));
        self.room_3.set(length - ahead.extend(LENGTH));
        let none = Decision { made: Bits::lit(1, 0), reason: Bits::lit(DropReason::WIDTH, 0) };
        let other = link.l3.equals(constant!(l3::OTHER));
        let rows = [
            (from.bad.get(), DropReason::BadFrame),
            (cut, DropReason::CutShort),
            (from.too_long(), DropReason::TooLong),
            (other, DropReason::None),
        ];
        self.early_3.set(self.decide(none, &rows));
    }

    /// Step 3 to 4.
    fn row_4(&self, network: &NetworkSteps<L>) -> Decision<L> {
        let fixed = select(network.links[0].get().l3.bit(1), Bits::lit(LENGTH, 40), Bits::lit(LENGTH, 20));
        self.decide(self.early_3.get(), &[(self.room_3.get().less(fixed), DropReason::CutShort)])
    }

    /// Step 4 to 5.
    fn rows_5_to_7(&self, network: &NetworkSteps<L>) -> Decision<L> {
        let ipv4 = network.links[1].get().l3.bit(0);
        let ihl = network.ihl();
        let header = ihl.concat(Bits::lit(2, 0)).extend(LENGTH);
        let rows = [
            (network.version_bad(), DropReason::IpVersion),
            (ipv4 & ihl.less(constant!("IHL_MIN", 5)), DropReason::Ihl),
            (ipv4 & self.room_4.get().less(header), DropReason::CutShort),
        ];
        self.decide(self.early_4.get(), &rows)
    }

    /// Step 8: the packet has been trimmed, and the frame holds the word with its type or OpCode.
    fn is_trimmed(&self, headers: &Headers<L>) -> Option<Bits<L>> {
        let typed = select(headers.native, Bits::lit(HERE, 2), Bits::lit(HERE, 3));
        Some(headers.trimmed? & self.trimmed.as_ref()?.here().at_least(typed))
    }

    /// Step 8 to 9.
    fn rows_9_to_16(&self, capture: &CaptureStep<L>) -> Late<L> {
        let (headers, udp_length) = (capture.headers(), capture.udp_length());
        let payload = capture.payload();
        let transport = headers.transport;
        let is_udp = transport.any() & !headers.native;
        let ours = transport.at_least(constant!(transport::ROCEV2));
        let trimmed = self.is_trimmed(&headers);
        // Of a trimmed packet lengths beyond what is left are those that it had.
        let unless_trimmed = |holds: Bits<L>| trimmed.map_or(holds, |trimmed| holds & !trimmed);
        let udp_bad = is_udp & (udp_length.less(8) | unless_trimmed(payload.less(udp_length.extend(LENGTH))));
        let ip_bad = unless_trimmed(self.ip_bad_8.get());
        let length = select(headers.native, payload, udp_length.extend(LENGTH));
        let cut = ours & length.less(headers.required_words.concat(Bits::lit(2, 0)).extend(LENGTH));
        let cut = match (trimmed, &self.trimmed) {
            (Some(trimmed), Some(steps)) => cut | trimmed & steps.here().less(headers.required_words),
            _ => cut,
        };
        let marked = match &self.reserved {
            Some(reserved) => unless_trimmed(reserved.any(capture)) & !udp_bad & !cut & !ip_bad,
            None => Bits::lit(1, 0),
        };
        let passes = trimmed.map_or(code(DropReason::None), |trimmed| code(DropReason::Trimmed).gate(trimmed));
        let passes = if self.refuse { select(marked, code(DropReason::Reserved), passes) } else { passes };
        let transport = select(udp_bad, code(DropReason::UdpLength), select(cut, code(DropReason::HeaderCut), passes));
        Late { reason: select(ip_bad, code(DropReason::IpLength), transport), marked, trimmed }
    }
}

#[name_nets]
fn code<L: Logic>(reason: DropReason) -> Bits<L> {
    Bits::lit(DropReason::WIDTH, reason.code())
}
