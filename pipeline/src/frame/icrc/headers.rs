// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps 2 to 6 detect RoCEv2 and the end of its datagram.
//!
//! ```text
//!  2 IP fields: version, IHL, length, fragment, protocol
//!  3 word in which UDP begins, lengths of packet and payload
//!  4 UDP ports and length; the packet against the frame
//!  5 port and UDP length checked; end of the datagram, from the beat on that holds its length
//!  6 known
//! ```
//!
//! Word `a` of the frame is bytes 4 a to 4 a + 3. With `t` tags, word 3 + t holds the EtherType and the first two bytes
//! of the IP header. UDP, some words later, therefore begins in the middle of a word too, and destination port and
//! length are in one word.

use super::beat::DelayedBeat;
use crate::frame::{BusLayout, ETHERTYPE, LENGTH, Link, StepStatus, UNTAGGED};
use rtl_model::{Bits, Delay, Logic, Reg, bits, constant, name_nets, select, when};

/// UDP 8, BTH 12, ICRC 4.
const SHORTEST_DATAGRAM: u64 = 24;
/// Words of an IPv6 header.
const IPV6_WORDS: u64 = 10;
/// Bits of a word number.
pub(super) const WORD: u32 = 5;
/// Bits of a variant: IHL in bits 3:0, tags in 5:4, IPv6 in 6.
pub(super) const VARIANT: u32 = 7;

#[name_nets]
pub(super) struct HeaderSteps<L: Logic> {
    lanes: BusLayout,
    rocev2_port: u64,
    /// Bytes at the end of the datagram that do not count.
    behind: u64,
    // 3
    link: Reg<Link<L>>,
    version_bad: Reg<Bits<L>>,
    ihl: Reg<Bits<L>>,
    length: Reg<Bits<L>>,
    not_udp: Reg<Bits<L>>,
    room_3: Reg<Bits<L>>,
    cut_3: Reg<Bits<L>>,
    /// Steps 4, 5, 6: tags, layer 3 and IHL.
    pub variant: [Reg<Bits<L>>; 3],
    /// Steps 4, 5, 6: number of the word with port and length of UDP.
    pub udp: [Reg<Bits<L>>; 3],
    packet: Reg<Bits<L>>,
    payload: [Reg<Bits<L>>; 2],
    is_udp: [Reg<Bits<L>>; 2],
    room_4: Reg<Bits<L>>,
    cut_4: Reg<Bits<L>>,
    // 5
    hit_5: Reg<Bits<L>>,
    datagram: Reg<Bits<L>>,
    fits_5: Reg<Bits<L>>,
    /// Step 6: port and length of UDP are in the beat.
    pub hit: Reg<Bits<L>>,
    /// Step 6, from the beat with the hit on: bytes from the beginning of that beat to the end of the CRC.
    pub datagram_end: Reg<Bits<L>>,
    /// Step 6: the headers so far are those of RoCEv2.
    pub rocev2: Reg<Bits<L>>,
    /// Step 6, in the last beat: the frame holds the packet.
    pub fits: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> HeaderSteps<L> {
    /// `behind`: bytes at the end of the datagram that do not count.
    pub fn new(lanes: BusLayout, rocev2_port: u16, behind: u64) -> Self {
        let flag = || Reg::new(&bits(1));
        let length = || Reg::new(&bits(LENGTH));
        HeaderSteps {
            lanes,
            rocev2_port: u64::from(rocev2_port),
            behind,
            link: Reg::numbered(3, &Link::shape()),
            version_bad: flag(),
            ihl: Reg::new(&bits(4)),
            length: Reg::new(&bits(16)),
            not_udp: flag(),
            room_3: length(),
            cut_3: flag(),
            variant: [4, 5, 6].map(|i| Reg::numbered(i, &bits(VARIANT))),
            udp: [4, 5, 6].map(|i| Reg::numbered(i, &bits(WORD))),
            packet: length(),
            payload: [4, 5].map(|i| Reg::numbered(i, &bits(LENGTH))),
            is_udp: [4, 5].map(|i| Reg::numbered(i, &bits(1))),
            room_4: length(),
            cut_4: flag(),
            hit_5: flag(),
            datagram: Reg::new(&bits(32)),
            fits_5: flag(),
            hit: flag(),
            datagram_end: length(),
            rocev2: flag(),
            fits: flag(),
        }
    }

    /// All steps, the last first. `link` and `length` are those of step 2, `beats` the data of steps 2 and 4.
    pub fn clock(&self, steps: &StepStatus<L>, link: Link<L>, length: Bits<L>, beats: [&Delay<DelayedBeat<L>>; 2]) {
        let [beat_2, beat_4] = beats;
        self.recognise(steps);
        self.find_udp(steps, beat_4);
        when(steps.active(3), || self.measure());
        when(steps.last(3), || {
            self.room_4.set(self.room_3.get());
            self.cut_4.set(self.cut_3.get());
        });
        when(steps.active(2), || {
            self.link.set(link);
            self.read(steps.index(2), link, beat_2);
        });
        when(steps.last(2), || {
            // Row 2: the frame ends inside the Ethernet header or the tags.
            let ahead = (Bits::lit(5, 14) + link.tags.extend(3).concat(Bits::lit(2, 0))).extend(LENGTH);
            self.room_3.set(length - ahead);
            self.cut_3.set(length.less(ahead));
        });
    }

    /// Step 2: the beat holds the first byte of an IP header.
    pub fn starts(&self, steps: &StepStatus<L>, link: Link<L>) -> Bits<L> {
        steps.active(2) & self.lanes.holds(steps.index(2), link.tags, ETHERTYPE)
    }

    /// Step 2 to 3.
    fn read(&self, index: Bits<L>, link: Link<L>, beat: &Delay<DelayedBeat<L>>) {
        let Link { tags, l3 } = link;
        let ipv6 = l3.bit(1);
        let data = beat.get().tdata;
        let word = |at: u32| {
            let word = |at: u32| self.lanes.word(data, at);
            select(tags.bit(1), word(at + 2), select(tags.bit(0), word(at + 1), word(at)))
        };
        when(self.lanes.holds(index, tags, ETHERTYPE), || {
            let first = word(ETHERTYPE);
            self.version_bad.set(first.slice(12, 4).differs(select(ipv6, Bits::lit(4, 6), Bits::lit(4, 4))));
            self.ihl.set(first.slice(8, 4));
        });
        when(self.lanes.holds(index, tags, ETHERTYPE + 1), || {
            let second = word(ETHERTYPE + 1);
            self.length.set(select(ipv6, second.slice(0, 16), second.slice(16, 16)));
        });
        when(self.lanes.holds(index, tags, ETHERTYPE + 2), || {
            let third = word(ETHERTYPE + 2);
            let udp = constant!("IP_PROTOCOL_UDP", 17);
            let v4 = third.slice(16, 14).any() | third.slice(0, 8).differs(udp);
            self.not_udp.set(select(ipv6, third.slice(24, 8).differs(udp), v4));
        });
    }

    /// Step 3 to 4: rows 3 to 5, and the part of row 6 that is in the header.
    fn measure(&self) {
        let (Link { tags, l3 }, ihl) = (self.link.get(), self.ihl.get());
        let ipv6 = l3.bit(1);
        let words = select(ipv6, Bits::lit(4, IPV6_WORDS), ihl);
        self.udp[0].set(tags.extend(WORD) + words.extend(WORD) + UNTAGGED as u64);
        self.variant[0].set(ipv6.concat(tags).concat(ihl));
        let length = self.length.get().extend(LENGTH);
        let header = ihl.concat(Bits::lit(2, 0)).extend(LENGTH);
        self.packet.set(length + select(ipv6, Bits::lit(LENGTH, 4 * IPV6_WORDS), Bits::lit(LENGTH, 0)));
        self.payload[0].set(length - select(ipv6, Bits::lit(LENGTH, 0), header));
        let v4_bad = ihl.less(constant!("IHL_MIN", 5)) | length.less(header);
        let bad = self.version_bad.get() | self.not_udp.get() | (!ipv6 & v4_bad);
        self.is_udp[0].set(l3.any() & !bad);
    }

    /// Step 4 to 5: row 6, and the word with port and length of UDP.
    fn find_udp(&self, steps: &StepStatus<L>, beat: &Delay<DelayedBeat<L>>) {
        when(steps.last(4), || self.fits_5.set(!self.cut_4.get() & self.packet.get().at_most(self.room_4.get())));
        let udp = self.udp[0].get();
        let width = self.lanes.select_width();
        let here = match width {
            WORD => steps.index(4).equals(0),
            _ => steps.index(4).equals(udp.slice(width, WORD - width).extend(self.lanes.index_width())),
        };
        let hit = steps.active(4) & here;
        self.hit_5.set(hit);
        when(hit, || self.datagram.set(beat.get().tdata.lane(udp.truncate(width), 32).swap_bytes()));
        when(steps.active(4), || {
            self.udp[1].set(udp);
            self.variant[1].set(self.variant[0].get());
            self.payload[1].set(self.payload[0].get());
            self.is_udp[1].set(self.is_udp[0].get());
        });
    }

    /// Step 5 to 6: rows 7 and 8.
    fn recognise(&self, steps: &StepStatus<L>) {
        when(steps.last(5), || self.fits.set(self.fits_5.get()));
        let hit = self.hit_5.get();
        self.hit.set(hit);
        when(steps.active(5), || {
            self.udp[2].set(self.udp[1].get());
            self.variant[2].set(self.variant[1].get());
        });
        when(hit, || {
            let (port, length) = (self.datagram.get().slice(16, 16), self.datagram.get().slice(0, 16));
            let within = length.extend(LENGTH).at_most(self.payload[1].get());
            let rocev2 =
                port.equals(constant!("ROCEV2_PORT", self.rocev2_port)) & length.at_least(SHORTEST_DATAGRAM) & within;
            self.rocev2.set(self.is_udp[1].get() & rocev2);
            // Two bytes of UDP come before the word with its length.
            let word = self.udp[1].get().truncate(self.lanes.select_width());
            let before = word.concat(Bits::lit(2, 0)).extend(LENGTH);
            self.datagram_end.set(before + length.extend(LENGTH) - (2 + self.behind));
        })
        // Before the length of a frame is known, the value here belongs to an earlier frame.
        .or_when(steps.first(5), || self.rocev2.set(Bits::lit(1, 0)));
    }
}
