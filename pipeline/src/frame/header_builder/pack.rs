// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps 1 to 5: the words of all headers, packed from the last header to the first: a packed group begins at a known
//! word, and only its end depends on the frame.

use super::config::{HeaderBuilderConfig, UdpChecksum};
use super::lengths::{ETHERTYPE, HeaderSet, IPV4_WORDS, IPV6_WORDS, LengthSteps};
use super::ports::{HeaderBuilderIn, entropy_target};
use crate::headers::opcode::{MpehIndicator, announcing};
use crate::headers::record::{HEADER_WORDS, transport};
use crate::headers::uet::Entropy;
use crate::headers::{Ipv4, Ipv6, Udp};
use rtl_model::stream::Side;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, Wide, bits, constant, name_nets, select};

/// Words of the BTH, after which an MPEH comes.
const BTH: usize = 3;
const MPEH: usize = 2;
/// The bit of the third word that announces an MPEH: byte 8, mask 0x40.
const ANNOUNCES: u32 = 30;
/// Words of the longest transport headers, and with the headers before them.
const TRANSPORT: usize = HEADER_WORDS + MPEH;
const DATAGRAM: usize = TRANSPORT + 2;
const PACKET: usize = DATAGRAM + IPV6_WORDS as usize;
/// Words of all headers, from two bytes before the frame.
pub(super) const FRAME: usize = PACKET + 6;
/// First word after Ethernet without tags.
const UNTAGGED: usize = ETHERTYPE as usize + 1;

/// Fields that steps 1 to 3 carry unchanged.
#[derive(Bundle)]
#[shape(side: Side<Shape>)]
struct Passthrough<L: Reading> {
    #[width(32)]
    ethernet: [Bits<L>; 6],
    header_set: HeaderSet<L>,
    has_payload: Bits<L>,
    #[shape(side)]
    side: Side<L>,
}

#[name_nets]
pub(super) struct PackSteps<L: Logic> {
    udp_checksum: UdpChecksum,
    /// How a frame indicates an MPEH, if there is RoCEv2.
    mpeh: Option<MpehIndicator>,
    /// Steps 1, 2, 3.
    passthrough: [Reg<Passthrough<L>>; 3],
    /// IP header words in steps 1 and 2.
    ip: [Reg<[Bits<L>; IPV6_WORDS as usize]>; 2],
    udp: Reg<[Bits<L>; 2]>,
    transport: Reg<[Bits<L>; TRANSPORT]>,
    datagram: Reg<[Bits<L>; DATAGRAM]>,
    packet: Reg<[Bits<L>; PACKET]>,
    // 4
    frame: Reg<[Bits<L>; FRAME]>,
    header_set_4: Reg<HeaderSet<L>>,
    has_payload: Reg<Bits<L>>,
    side: Reg<Side<L>>,
}

#[name_nets]
impl<L: Logic> PackSteps<L> {
    pub fn new(config: &HeaderBuilderConfig) -> Self {
        let (protocols, side) = (&config.protocols, config.side_band.shape());
        PackSteps {
            udp_checksum: config.udp_checksum,
            mpeh: protocols.rocev2.then_some(protocols.mpeh),
            passthrough: [1, 2, 3].map(|i| Reg::numbered(i, &Passthrough::shape(side))),
            ip: [1, 2].map(|i| Reg::numbered(i, &[bits(32); IPV6_WORDS as usize])),
            udp: Reg::new(&[bits(32); 2]),
            transport: Reg::new(&[bits(32); TRANSPORT]),
            datagram: Reg::new(&[bits(32); DATAGRAM]),
            packet: Reg::new(&[bits(32); PACKET]),
            frame: Reg::new(&[bits(32); FRAME]),
            header_set_4: Reg::new(&HeaderSet::shape()),
            has_payload: Reg::new(&bits(1)),
            side: Reg::numbered(4, &side),
        }
    }

    /// Headers present, of the frame in step 1.
    pub fn header_set_1(&self) -> HeaderSet<L> {
        self.passthrough[0].get().header_set
    }

    /// Headers present, of the frame in step 3.
    pub fn header_set_3(&self) -> HeaderSet<L> {
        self.passthrough[2].get().header_set
    }

    /// Step 4 to 5: the bytes of all headers, whether a payload follows, and the side band.
    pub fn head(&self, checksum: Bits<L>) -> (Wide<L>, Bits<L>, Side<L>) {
        let (mut words, header_set) = (self.frame.get(), self.header_set_4.get());
        for tags in 0..=2 {
            let at = UNTAGGED + tags;
            let header = Ipv4 { checksum, ..Ipv4::read(|i| words[at + i as usize]) }.words();
            let here = header_set.ipv4 & header_set.tags.equals(tags as u64);
            // The other words of the header are unchanged.
            words[at + 2] = select(here, header[2], words[at + 2]);
        }
        let wide = |word: Bits<L>| word.swap_bytes().widen();
        let all = words[1..].iter().fold(wide(words[0]), |low, word| wide(*word).concat(low));
        (all.part(16, 32 * FRAME as u32 - 16), self.has_payload.get(), self.side.get())
    }

    pub fn step_4(&self) {
        let (Passthrough { ethernet, header_set, has_payload, side }, packet) =
            (self.passthrough[2].get(), self.packet.get());
        let tags = [!header_set.tags.any(), header_set.tags.bit(0), header_set.tags.bit(1)];
        let place = |at: usize| match at {
            0..UNTAGGED => ethernet[at],
            _ => {
                let ip = at - UNTAGGED;
                let behind = |count: usize| packet.get(ip.wrapping_sub(count)).copied();
                let tag = ethernet.get(at).copied();
                choose(&tags, [behind(0), behind(1).or(tag), behind(2).or(tag)])
            }
        };
        self.frame.set(std::array::from_fn(place));
        self.header_set_4.set(header_set);
        self.has_payload.set(has_payload);
        self.side.set(side);
    }

    pub fn step_3(&self, lengths: &LengthSteps<L>) {
        let (passthrough, mut datagram, ip) = (self.passthrough[1].get(), self.datagram.get(), self.ip[1].get());
        let (header_set, length) = (passthrough.header_set, lengths.ip_length());
        let udp = Udp { length: lengths.udp_length(), ..Udp::read(|i| datagram[i as usize]) }.words();
        datagram[1] = select(header_set.native, datagram[1], udp[1]);
        let v4 = Ipv4 { total_length: length, ..Ipv4::read(|i| ip[i as usize]) }.words();
        let v6 = Ipv6 { payload_length: length, ..Ipv6::read(|i| ip[i as usize]) }.words();
        let behind = |at: usize, header: u64| datagram.get(at.wrapping_sub(header as usize)).copied();
        let place = |at: usize| {
            let v4 = v4.get(at).copied().or(behind(at, IPV4_WORDS));
            let v6 = v6.get(at).copied().or(behind(at, IPV6_WORDS));
            choose(&[header_set.ipv6, !header_set.ipv6], [v6, v4])
        };
        self.packet.set(std::array::from_fn(place));
        self.passthrough[2].set(passthrough);
    }

    pub fn step_2(&self) {
        let (passthrough, udp, transport) = (self.passthrough[0].get(), self.udp.get(), self.transport.get());
        let native = passthrough.header_set.native;
        let place = |at: usize| {
            let behind = |ahead: usize| transport.get(at.wrapping_sub(ahead)).copied();
            let entropy = if at == 0 { Some(udp[1]) } else { behind(1) };
            choose(&[native, !native], [entropy, udp.get(at).copied().or(behind(2))])
        };
        self.datagram.set(std::array::from_fn(place));
        self.ip[1].set(self.ip[0].get());
        self.passthrough[1].set(passthrough);
    }

    pub fn step_1(&self, input: &HeaderBuilderIn<L>, header_set: HeaderSet<L>) {
        let record = &input.s_record;
        // The frame does not depend on these fields of the record.
        record.ethernet[0].slice(16, 16).ignore();
        record.payload_offset.ignore();
        record.inner_protocol.ignore();
        let has = &record.has;
        let more = [has.deth, has.xrceth, has.reth, has.atomic_eth, has.aeth, has.atomic_ack, has.immdt, has.ieth];
        more.into_iter().chain([has.cnp]).for_each(Bits::ignore);

        let header = self.announce(record.header, record.transport, header_set.mpeh);
        let place = |at: usize| {
            let plain = header.get(at).copied();
            let with = match at {
                0..BTH => plain,
                _ => record.mpeh.get(at - BTH).copied().or(header.get(at.wrapping_sub(MPEH)).copied()),
            };
            choose(&[header_set.mpeh, !header_set.mpeh], [with, plain])
        };
        self.transport.set(std::array::from_fn(place));
        let (ethernet, has_payload, side) = (record.ethernet, input.s_record_has_payload, record.side());
        self.passthrough[0].set(Passthrough { ethernet, header_set, has_payload, side });

        let (entropy, into) = (input.s_record_entropy, input.s_record_entropy_target);
        let port = into.equals(constant!(entropy_target::SOURCE_PORT));
        self.udp.set(self.entropy_to_udp(record.udp, header_set.native, port, entropy.truncate(16)));
        let v4 = Ipv4 { ihl: Bits::lit(4, IPV4_WORDS), ..Ipv4::read(|i| record.ip[i as usize]) }.words();
        let v6 = Ipv6::read(|i| record.ip[i as usize]);
        let label = select(into.equals(constant!(entropy_target::FLOW_LABEL)), entropy, v6.flow_label);
        let v6 = Ipv6 { flow_label: label, ..v6 }.words();
        self.ip[0].set(std::array::from_fn(|i| v4.get(i).map_or(v6[i], |&v4| select(header_set.ipv6, v6[i], v4))));
    }

    /// The transport header, whose BTH says whether there is an MPEH (M13).
    fn announce(
        &self,
        mut header: [Bits<L>; HEADER_WORDS],
        transport: Bits<L>,
        mpeh: Bits<L>,
    ) -> [Bits<L>; HEADER_WORDS] {
        let rocev2 = transport.equals(constant!(transport::ROCEV2));
        match self.mpeh {
            None => {}
            Some(MpehIndicator::Bit) => {
                let said = select(rocev2, mpeh, header[2].bit(ANNOUNCES));
                header[2] = header[2].slice(31, 1).concat(said).concat(header[2].truncate(ANNOUNCES));
            }
            Some(MpehIndicator::OpCode) => {
                let (opcode, rest) = (header[0].slice(24, 8), header[0].truncate(24));
                header[0] = select(rocev2, announcing(opcode, mpeh), opcode).concat(rest);
            }
        }
        header
    }

    /// The two words of UDP, or the entropy header as the second, with the entropy inserted.
    fn entropy_to_udp(&self, words: [Bits<L>; 2], native: Bits<L>, port: Bits<L>, entropy: Bits<L>) -> [Bits<L>; 2] {
        let udp = Udp::read(|i| words[i as usize]);
        let source = select(port, entropy, udp.source);
        let checksum = match self.udp_checksum {
            UdpChecksum::Zero => Bits::lit(16, 0),
            UdpChecksum::Recorded => udp.checksum,
        };
        let [first, second] = Udp { source, checksum, ..udp }.words();
        let header = Entropy::read(|_| words[1]);
        let [header] = Entropy { entropy: select(port, entropy, header.entropy), ..header }.words();
        [first, select(native, header, second)]
    }
}

/// The word of the case that holds, among the cases that have one; one case always holds.
#[name_nets]
fn choose<L: Logic, const N: usize>(holds: &[Bits<L>; N], words: [Option<Bits<L>>; N]) -> Bits<L> {
    let mut cases = holds.iter().zip(words).filter_map(|(holds, word)| Some((*holds, word?)));
    let mut chosen = cases.next().map_or(Bits::lit(32, 0), |(_, word)| word);
    for (holds, word) in cases {
        chosen = select(holds, word, chosen);
    }
    chosen
}
