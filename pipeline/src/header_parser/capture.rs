// SPDX-License-Identifier: MIT OR Apache-2.0
//! Step 7 to 8 of the parser: header words into the record, each in the beat that brings it.

use super::record::{HeaderRecord, l3, transport};
use super::transport::{Transport, TransportOut, TransportSteps};
use crate::frame::{ETHERTYPE, InSteps, Lanes, Link, UNTAGGED};
use rtl_model::{Bits, Logic, Reg, Shape, Wide, bits, select, when};

/// The record is kept in header words; its fields are slices of them. AETH and RETH share theirs.
pub(super) struct CaptureStep<L: Logic> {
    lanes: Lanes,
    macs: [Reg<Bits<L>>; 4],
    ethertype: Reg<Bits<L>>,
    tags: [Reg<Bits<L>>; 2],
    link: Reg<Link<L>>,
    traffic_class: Reg<Bits<L>>,
    flow_label: Reg<Bits<L>>,
    ip_length: Reg<Bits<L>>,
    hop_limit: Reg<Bits<L>>,
    protocol: Reg<Bits<L>>,
    fragment: Reg<Bits<L>>,
    src: [Reg<Bits<L>>; 4],
    dst: [Reg<Bits<L>>; 4],
    udp: [Reg<Bits<L>>; 2],
    bth: [Reg<Bits<L>>; 3],
    mpeh: [Reg<Bits<L>>; 2],
    extension: [Reg<Bits<L>>; 4],
    is_udp: Reg<Bits<L>>,
    transport: Reg<Transport<L>>,
    valid: Reg<Bits<L>>,
    sent: Reg<Bits<L>>,
}

impl<L: Logic> CaptureStep<L> {
    pub fn new(lanes: Lanes) -> Self {
        let word = |name: &str| Reg::new(name, &bits(32));
        let half = |name: &str| Reg::new(name, &bits(16));
        let flag = || bits(1);
        CaptureStep {
            lanes,
            macs: [half("mac_0"), word("mac_1"), word("mac_2"), half("mac_3")],
            ethertype: half("ethertype"),
            tags: ["vlan0_tci", "vlan1_tci"].map(half),
            link: Reg::new("link_8", &Link::<Shape>::new()),
            traffic_class: Reg::new("traffic_class", &bits(8)),
            flow_label: Reg::new("flow_label", &bits(20)),
            ip_length: half("ip_length"),
            hop_limit: Reg::new("hop_limit", &bits(8)),
            protocol: Reg::new("protocol", &bits(8)),
            fragment: Reg::new("fragment", &flag()),
            src: ["src_0", "src_1", "src_2", "src_3"].map(word),
            dst: ["dst_0", "dst_1", "dst_2", "dst_3"].map(word),
            udp: [word("udp_0"), half("udp_1")],
            bth: ["bth_0", "bth_1", "bth_2"].map(word),
            mpeh: [word("mpeh_0"), half("mpeh_1")],
            extension: ["extension_0", "extension_1", "extension_2", "extension_3"].map(word),
            is_udp: Reg::new("is_udp", &flag()),
            transport: Reg::new(
                "transport_8",
                &Transport { is_rocev2: flag(), has_mpeh: flag(), has_aeth: flag(), has_reth: flag() },
            ),
            valid: Reg::new("record_valid", &flag()),
            sent: Reg::new("record_sent", &flag()),
        }
    }

    /// A record is complete; for one step.
    #[inline(always)]
    pub fn valid(&self) -> Bits<L> {
        self.valid.get()
    }

    /// Step 8: UDP length.
    #[inline(always)]
    pub fn udp_length(&self) -> Bits<L> {
        self.udp[1].get()
    }

    /// `words`: the beat of step 7 by lane, from the start of the frame. `from`: step 7.
    #[inline(always)]
    pub fn clock(&self, steps: &InSteps<L>, words: impl Fn() -> Wide<L>, from: &TransportSteps<L>) {
        let sent = self.sent.get();
        let index = steps.index(7);
        self.valid.set(Bits::lit(1, 0));
        when(steps.active(7), || {
            let from = from.out();
            let first_layer = index.equals(self.lanes.beat(UNTAGGED + 1) as u64);
            when(from.complete(first_layer), || {
                self.valid.set(!sent);
                self.sent.set(Bits::lit(1, 1));
            });
            self.capture_link(index, words(), from.link);
            self.capture_network(&from);
            self.capture_transport(&from);
        });
        when(steps.last(7), || {
            self.valid.set(!sent);
            self.sent.set(Bits::lit(1, 0));
        });
    }

    #[inline(always)]
    fn capture_link(&self, index: Bits<L>, words: Wide<L>, link: Link<L>) {
        let lanes = self.lanes;
        let word = |u: u32| lanes.word(words, u);
        // One beat after the other, and in each the words that it brings.
        for beat in 0..=lanes.beat(UNTAGGED + 1) {
            let brings = |u: u32| lanes.beat(u) == beat;
            when(index.equals(beat as u64), || {
                if brings(0) {
                    self.macs[0].set(word(0).slice(0, 16));
                }
                if brings(1) {
                    self.macs[1].set(word(1));
                }
                if brings(2) {
                    self.macs[2].set(word(2));
                }
                if brings(ETHERTYPE) {
                    self.macs[3].set(word(ETHERTYPE).slice(16, 16));
                }
                if brings(UNTAGGED) {
                    self.tags[0].set(word(UNTAGGED).slice(16, 16));
                    self.tags[1].set(word(UNTAGGED + 1).slice(16, 16));
                }
            });
        }
        let kind = |tags: u32| word(ETHERTYPE + tags).slice(0, 16);
        when(lanes.holds(index, link.tags, ETHERTYPE), || {
            let tagged = select(link.tags.bit(1), kind(2), kind(1));
            self.ethertype.set(select(link.tags.any(), tagged, kind(0)));
        });
        self.link.set(link);
    }

    #[inline(always)]
    fn capture_network(&self, from: &TransportOut<L>) {
        let ipv6 = from.link.l3.bit(1);
        let here = |p: u32| from.ip(p).1;
        let word = |p: u32| from.ip(p).0;
        when(here(0), || {
            let (v4, v6) = (word(0).slice(16, 8), word(0).slice(20, 8));
            self.traffic_class.set(select(ipv6, v6, v4));
            self.flow_label.set(word(0).slice(0, 20));
        });
        let length = select(ipv6, word(1).slice(16, 16), word(0).slice(0, 16));
        when(select(ipv6, here(1), here(0)), || self.ip_length.set(length));
        when(here(1), || self.fragment.set(word(1).slice(0, 14).any()));
        when(select(ipv6, here(1), here(2)), || {
            self.hop_limit.set(select(ipv6, word(1).slice(0, 8), word(2).slice(24, 8)));
            self.protocol.set(select(ipv6, word(1).slice(8, 8), word(2).slice(16, 8)));
        });
        when(select(ipv6, here(2), here(3)), || self.src[0].set(select(ipv6, word(2), word(3))));
        when(select(ipv6, here(6), here(4)), || self.dst[0].set(select(ipv6, word(6), word(4))));
        for i in 1..4 {
            when(here(2 + i), || self.src[i as usize].set(word(2 + i)));
            when(here(6 + i), || self.dst[i as usize].set(word(6 + i)));
        }
    }

    #[inline(always)]
    fn capture_transport(&self, from: &TransportOut<L>) {
        let here = |q: u32| from.word(q).1;
        let word = |q: u32| from.word(q).0;
        when(here(0), || self.udp[0].set(word(0)));
        when(here(1), || self.udp[1].set(word(1).slice(16, 16)));
        for i in 0..3 {
            when(here(2 + i), || self.bth[i as usize].set(word(2 + i)));
        }
        when(here(5), || self.mpeh[0].set(word(5)));
        when(here(6), || self.mpeh[1].set(word(6).slice(16, 16)));
        for i in 0..4 {
            let (value, here) = from.extension(i);
            when(here, || self.extension[i as usize].set(value));
        }
        self.is_udp.set(from.packet.udp);
        self.transport.set(from.transport);
    }

    /// The record; good while [`Self::valid`].
    #[inline(always)]
    pub fn record(&self) -> HeaderRecord<L> {
        let get = |words: &[Reg<Bits<L>>], i: usize| words[i].get();
        let address = |words: &[Reg<Bits<L>>; 4]| {
            let pair = |i: usize| get(words, i).concat(get(words, i + 1)).widen();
            pair(0).concat(pair(2))
        };
        let link = self.link.get();
        let bth = Reg::get_all(&self.bth);
        let [ext_0, ext_1, ext_2, ext_3] = Reg::get_all(&self.extension);
        let flags = self.transport.get();
        let kind = |value: u64| Bits::lit(3, value);
        let ours = select(flags.is_rocev2, kind(transport::ROCEV2), kind(transport::UDP));
        HeaderRecord {
            dst_mac: get(&self.macs, 0).concat(get(&self.macs, 1)),
            src_mac: get(&self.macs, 2).concat(get(&self.macs, 3)),
            ethertype: self.ethertype.get(),
            vlan_count: link.tags,
            vlan0_tci: self.tags[0].get(),
            vlan1_tci: self.tags[1].get(),
            l3: link.l3,
            dscp: self.traffic_class.get().slice(2, 6),
            ecn: self.traffic_class.get().slice(0, 2),
            flow_label: self.flow_label.get(),
            ip_length: self.ip_length.get(),
            hop_limit: self.hop_limit.get(),
            protocol: self.protocol.get(),
            fragment: self.fragment.get() & link.l3.equals(l3::IPV4),
            src_ip: address(&self.src),
            dst_ip: address(&self.dst),
            sport: self.udp[0].get().slice(16, 16),
            dport: self.udp[0].get().slice(0, 16),
            udp_length: self.udp[1].get(),
            transport: select(self.is_udp.get(), ours, kind(transport::NONE)),
            bth_opcode: bth[0].slice(24, 8),
            bth_se: bth[0].bit(23),
            bth_migreq: bth[0].bit(22),
            bth_pad: bth[0].slice(20, 2),
            bth_tver: bth[0].slice(16, 4),
            bth_pkey: bth[0].slice(0, 16),
            bth_fecn: bth[1].bit(31),
            bth_becn: bth[1].bit(30),
            bth_dqpn: bth[1].slice(0, 24),
            bth_ackreq: bth[2].bit(31),
            bth_psn: bth[2].slice(0, 24),
            has_mpeh: flags.has_mpeh,
            mpeh_path_id: self.mpeh[0].get().slice(24, 8),
            mpeh_flags: self.mpeh[0].get().slice(16, 8),
            mpeh_flowlet_seq: self.mpeh[0].get().slice(0, 16),
            mpeh_sched_tag: self.mpeh[1].get(),
            has_aeth: flags.has_aeth,
            aeth_syndrome: ext_0.slice(24, 8),
            aeth_msn: ext_0.slice(0, 24),
            has_reth: flags.has_reth,
            reth_vaddr: ext_0.concat(ext_1),
            reth_rkey: ext_2,
            reth_length: ext_3,
        }
    }

    pub fn reset(&self) {
        self.valid.reset();
        self.sent.reset();
    }
}
