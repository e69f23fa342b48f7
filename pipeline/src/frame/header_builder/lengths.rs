// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps 1 to 4: the headers present, their number of words, and the length fields.
//!
//! ```text
//!  1 words after IP that are not payload; payload and slack, or the recorded length, added up
//!  2 UDP length; IP length; words from the IP header on
//!  3 (the same)
//!  4 number of the last word
//! ```

use crate::headers::record::{HEADER_WORDS, HeaderRecord, l3, transport};
use crate::headers::{Ipv4, Ipv6};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, constant, name_nets, select};

/// Bits of a number of words.
pub(super) const COUNT: u32 = 5;
/// Bits of a number of words that may be negative.
const SIGNED: u32 = 6;
/// Words of an IPv4 header without options.
pub(super) const IPV4_WORDS: u64 = 5;
/// Words of an IPv6 header.
pub(super) const IPV6_WORDS: u64 = 10;
/// Last word of Ethernet without tags: it ends with the type.
pub(super) const ETHERTYPE: u64 = 3;

/// Which headers a frame has.
#[derive(Bundle)]
#[shape]
pub(super) struct HeaderSet<L: Reading> {
    /// Tags, 0 to 2.
    #[width(2)]
    pub tags: Bits<L>,
    /// The frame has an IPv4 header of 5 words.
    pub ipv4: Bits<L>,
    /// The frame has an IPv6 header of 10 words.
    pub ipv6: Bits<L>,
    /// UET directly on IP: an entropy header of one word instead of UDP.
    pub native: Bits<L>,
    /// An MPEH of 2 words follows the BTH.
    pub mpeh: Bits<L>,
}

#[name_nets]
pub(super) struct LengthSteps<L: Logic> {
    // 1
    words_after_ip: Reg<Bits<L>>,
    udp_overhead: Reg<Bits<L>>,
    ip_overhead: Reg<Bits<L>>,
    payload: Reg<Bits<L>>,
    ip_base_length: Reg<Bits<L>>,
    // 2
    udp_length: Reg<Bits<L>>,
    ip_length: Reg<Bits<L>>,
    words_2: Reg<Bits<L>>,
    // 3
    words_3: Reg<Bits<L>>,
    // 4
    last_word: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> LengthSteps<L> {
    pub fn new() -> Self {
        let length = || Reg::new(&bits(16));
        let count = || Reg::new(&bits(COUNT));
        LengthSteps {
            words_after_ip: count(),
            udp_overhead: count(),
            ip_overhead: Reg::new(&bits(SIGNED)),
            payload: length(),
            ip_base_length: length(),
            udp_length: length(),
            ip_length: length(),
            words_2: count(),
            words_3: count(),
            last_word: count(),
        }
    }

    /// UDP length in bytes; valid in step 2.
    pub fn udp_length(&self) -> Bits<L> {
        self.udp_length.get()
    }

    /// Step 2: IPv4 total length or IPv6 payload length.
    pub fn ip_length(&self) -> Bits<L> {
        self.ip_length.get()
    }

    /// Step 4: number of the last word of all headers; word 0 begins two bytes before the frame.
    pub fn last_word(&self) -> Bits<L> {
        self.last_word.get()
    }

    pub fn step_4(&self, header_set: &HeaderSet<L>) {
        self.last_word.set(self.words_3.get() + header_set.tags.extend(COUNT) + ETHERTYPE);
    }

    pub fn step_3(&self) {
        self.words_3.set(self.words_2.get());
    }

    pub fn step_2(&self, header_set: &HeaderSet<L>) {
        let bytes = |words: Bits<L>| words.concat(Bits::lit(2, 0));
        self.udp_length.set(self.payload.get() + bytes(self.udp_overhead.get()).extend(16));
        self.ip_length.set(self.ip_base_length.get() + bytes(self.ip_overhead.get()).extend_signed(16));
        let ip = select(header_set.ipv6, lit(IPV6_WORDS), select(header_set.ipv4, lit(IPV4_WORDS), lit(0)));
        self.words_2.set(self.words_after_ip.get() + ip);
    }

    /// Determines the headers present.
    pub fn step_1(&self, record: &HeaderRecord<L>, uet_crc: bool) -> HeaderSet<L> {
        let (ipv4, ipv6) = (record.l3.equals(constant!(l3::IPV4)), record.l3.bit(1));
        let behind = record.transport.any() & (ipv4 | ipv6);
        let rocev2 = record.transport.equals(constant!(transport::ROCEV2));
        let native = record.uet_native & record.transport.equals(constant!(transport::UET));
        let mpeh = record.has.mpeh & rocev2;
        let tags = record.vlan_count.bit(1).concat(record.vlan_count.bit(0) & !record.vlan_count.bit(1));

        let most = Bits::lit(4, HEADER_WORDS as u64);
        let header = select(record.transport_words.less(most), record.transport_words, most);
        let header =
            select(record.transport.at_least(constant!(transport::ROCEV2)), header, Bits::lit(4, 0)).extend(COUNT);
        let ahead = select(native, lit(1), select(mpeh, lit(4), lit(2)));
        let udp_overhead = select(native, lit(1), select(mpeh, lit(5), select(rocev2, lit(3), lit(2))));
        // What has headers has a CRC.
        let is_uet = record.transport.equals(constant!(transport::UET));
        let crc = if uet_crc { is_uet & record.transport_words.any() } else { Bits::lit(1, 0) };
        let (words, udp_overhead) = (header + ahead, header + udp_overhead + crc.extend(COUNT));
        self.words_after_ip.set(select(behind, words, lit(0)));
        self.udp_overhead.set(udp_overhead);
        self.payload.set(record.payload_length);

        // The recorded length of a foreign packet is kept, less the options.
        let v4 = Ipv4::read(|i| record.ip[i as usize]);
        let v6 = Ipv6::read(|i| record.ip[i as usize]);
        let signed = |value: u64| Bits::lit(SIGNED, value);
        let own = select(ipv6, signed(0), signed(IPV4_WORDS));
        let left = select(ipv6, signed(0), v4.ihl.extend(SIGNED));
        self.ip_overhead.set(own + select(behind, udp_overhead.extend(SIGNED), Bits::lit(SIGNED, 0) - left));
        let recorded = select(ipv6, v6.payload_length, v4.total_length);
        let slack = select(native, Bits::lit(16, 0), record.ip_slack);
        self.ip_base_length
            .set(select(behind, record.payload_length, recorded) + select(behind, slack, Bits::lit(16, 0)));
        HeaderSet { tags, ipv4, ipv6, native, mpeh }
    }
}

#[name_nets]
fn lit<L: Logic>(value: u64) -> Bits<L> {
    Bits::lit(COUNT, value)
}
