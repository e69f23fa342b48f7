// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps 2 to 6 detect RoCEv2 and UET, and the end of the datagram.
//!
//! ```text
//!  2 IP fields: version, IHL, length, fragment, protocol
//!  3 word in which UDP begins, and that with the type of UET; lengths of packet and payload
//!  4 UDP ports and length, type; the packet against the frame
//!  5 port and UDP length checked, type looked up; end of the datagram, from the beat on that holds its length
//!  6 known
//! ```
//!
//! Word `a` of the frame is bytes 4 a to 4 a + 3. With `t` tags, word 3 + t holds the EtherType and the first two bytes
//! of the IP header. UDP, some words later, therefore begins in the middle of a word too, and destination port and
//! length are in one word, and the type of UET is in the next one. UET without UDP has its entropy header in place of the first
//! four bytes of UDP, so its type is in the word in which UDP has port and length, and its end is that of the packet. No CRC
//! ends in a beat before that of the type: until then it does not matter which CRC it is.

use super::beat::DelayedBeat;
use super::config::{IcrcConfig, IcrcMode, UetFrames};
use crate::frame::{BusLayout, ETHERTYPE, LENGTH, Link, StepStatus, UNTAGGED};
use crate::headers::uet;
use rtl_model::{Bits, Constant, Delay, Logic, Reg, Table, bits, constant, name_nets, select, when};

/// UDP 8, BTH 12, ICRC 4.
const SHORTEST_DATAGRAM: u64 = 24;
/// UDP 8, the shortest header of UET 4, CRC 4.
const SHORTEST_UET: u64 = 16;
/// Entropy header 4, the shortest header of UET 4, CRC 4.
const SHORTEST_NATIVE: u64 = 12;
/// Words of an IPv6 header.
const IPV6_WORDS: u64 = 10;
/// Bits of a word number.
pub(super) const WORD: u32 = 5;
/// Bits of a variant: IHL in bits 3:0, tags in 5:4, IPv6 in 6.
pub(super) const VARIANT: u32 = 7;

#[name_nets]
pub(super) struct HeaderSteps<L: Logic> {
    lanes: BusLayout,
    rocev2_port: Option<u16>,
    uet: Option<UetSteps<L>>,
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
    rocev2: Reg<Bits<L>>,
    /// Step 6, in the last beat: the frame holds the packet.
    pub fits: Reg<Bits<L>>,
}

/// UET, with and without UDP.
#[name_nets]
struct UetSteps<L: Logic> {
    frames: UetFrames,
    has_crc: Table,
    native: Option<NativeSteps<L>>,
    /// Step 4: number of the word with the type.
    type_word: Reg<Bits<L>>,
    // 5
    type_hit: Reg<Bits<L>>,
    kind: Reg<Bits<L>>,
    /// Step 6: the headers so far are those of UET, of a type with a CRC.
    is_uet: Reg<Bits<L>>,
}

/// UET without UDP.
#[name_nets]
struct NativeSteps<L: Logic> {
    // 3
    not_native: Reg<Bits<L>>,
    /// Steps 4 and 5.
    is_native: [Reg<Bits<L>>; 2],
}

#[name_nets]
impl<L: Logic> UetSteps<L> {
    fn new(frames: UetFrames) -> Self {
        UetSteps {
            frames,
            has_crc: uet::crc_types(),
            native: frames.protocol.map(|_| NativeSteps::new()),
            type_word: Reg::new(&bits(WORD)),
            type_hit: Reg::new(&bits(1)),
            kind: Reg::new(&bits(5)),
            is_uet: Reg::new(&bits(1)),
        }
    }

    /// Step 5: the packet is UET without UDP.
    fn is_native(&self) -> Bits<L> {
        self.native.as_ref().map_or(Bits::lit(1, 0), |native| native.is_native[1].get())
    }
}

#[name_nets]
impl<L: Logic> NativeSteps<L> {
    fn new() -> Self {
        NativeSteps { not_native: Reg::new(&bits(1)), is_native: [4, 5].map(|i| Reg::numbered(i, &bits(1))) }
    }
}

#[name_nets]
impl<L: Logic> HeaderSteps<L> {
    pub fn new(config: IcrcConfig) -> Self {
        let flag = || Reg::new(&bits(1));
        let length = || Reg::new(&bits(LENGTH));
        HeaderSteps {
            lanes: config.lanes(),
            rocev2_port: config.rocev2_port,
            uet: config.uet.map(UetSteps::new),
            behind: if config.mode == IcrcMode::Check { 0 } else { 4 },
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

    /// Step 6: there is a CRC, if the rest of the frame is as its headers so far.
    pub fn has_crc(&self) -> Bits<L> {
        self.uet.as_ref().map_or(self.rocev2.get(), |uet| self.rocev2.get() | uet.is_uet.get())
    }

    /// Step 6: the CRC is that of UET; valid from the beat on with the type.
    pub fn is_uet(&self) -> Bits<L> {
        self.uet.as_ref().map_or(Bits::lit(1, 0), |uet| uet.is_uet.get())
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
            let protocol = select(ipv6, third.slice(24, 8), third.slice(0, 8));
            let fragment = third.slice(16, 14).any() & !ipv6;
            self.not_udp.set(fragment | protocol.differs(constant!("IP_PROTOCOL_UDP", 17)));
            if let Some((native, number)) = self.native() {
                let number = Constant { path: "IP_PROTOCOL_UET", value: number.into() };
                native.not_native.set(fragment | protocol.differs(number));
            }
        });
    }

    /// The steps of UET without UDP, and its IP protocol.
    fn native(&self) -> Option<(&NativeSteps<L>, u8)> {
        let uet = self.uet.as_ref()?;
        Some((uet.native.as_ref()?, uet.frames.protocol?))
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
        let is_ip = l3.any() & !self.version_bad.get() & (ipv6 | !v4_bad);
        self.is_udp[0].set(is_ip & !self.not_udp.get());
        if let Some(uet) = &self.uet {
            let behind_udp = uet.native.as_ref().map_or(Bits::lit(1, 1), |native| native.not_native.get());
            uet.type_word.set(tags.extend(WORD) + words.extend(WORD) + UNTAGGED as u64 + behind_udp.extend(WORD));
            if let Some(native) = &uet.native {
                native.is_native[0].set(is_ip & !native.not_native.get());
            }
        }
    }

    /// Step 4 to 5: row 6, and the word with port and length of UDP.
    fn find_udp(&self, steps: &StepStatus<L>, beat: &Delay<DelayedBeat<L>>) {
        when(steps.last(4), || self.fits_5.set(!self.cut_4.get() & self.packet.get().at_most(self.room_4.get())));
        let udp = self.udp[0].get();
        let width = self.lanes.select_width();
        let here = |word: Bits<L>| match width {
            WORD => steps.index(4).equals(0),
            _ => steps.index(4).equals(word.slice(width, WORD - width).extend(self.lanes.index_width())),
        };
        let hit = steps.active(4) & here(udp);
        self.hit_5.set(hit);
        when(hit, || self.datagram.set(beat.get().tdata.lane(udp.truncate(width), 32).swap_bytes()));
        if let Some(uet) = &self.uet {
            let word = uet.type_word.get();
            let hit = steps.active(4) & here(word);
            uet.type_hit.set(hit);
            // Byte 2 of the word: type and the highest bit of the next header.
            when(hit, || uet.kind.set(beat.get().tdata.lane(word.truncate(width), 32).slice(19, 5)));
            when(steps.active(4), || {
                if let Some(native) = &uet.native {
                    native.is_native[1].set(native.is_native[0].get());
                }
            });
        }
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
            let payload = self.payload[1].get();
            let within = self.is_udp[1].get() & length.extend(LENGTH).at_most(payload);
            let is = |number: Option<u16>, name: &'static str, shortest: u64| {
                let Some(number) = number else { return Bits::lit(1, 0) };
                let number = Constant { path: name, value: number.into() };
                port.equals(number) & length.at_least(shortest) & within
            };
            self.rocev2.set(is(self.rocev2_port, "ROCEV2_PORT", SHORTEST_DATAGRAM));
            let mut end = length.extend(LENGTH);
            if let Some(uet) = &self.uet {
                let native = uet.is_native();
                let by_port = is(uet.frames.port, "UET_PORT", SHORTEST_UET);
                uet.is_uet.set(by_port | native & payload.at_least(SHORTEST_NATIVE));
                end = select(native, payload, end);
            }
            // Two bytes of UDP come before the word with its length.
            let word = self.udp[1].get().truncate(self.lanes.select_width());
            let before = word.concat(Bits::lit(2, 0)).extend(LENGTH);
            self.datagram_end.set(before + end - (2 + self.behind));
        })
        // Before the length of a frame is known, the value here belongs to an earlier frame.
        .or_when(steps.first(5), || {
            self.rocev2.set(Bits::lit(1, 0));
            if let Some(uet) = &self.uet {
                uet.is_uet.set(Bits::lit(1, 0));
            }
        });
        if let Some(uet) = &self.uet {
            let has_crc = uet.kind.get().look_up(&uet.has_crc);
            when(uet.type_hit.get() & !has_crc, || uet.is_uet.set(Bits::lit(1, 0)));
        }
    }
}
