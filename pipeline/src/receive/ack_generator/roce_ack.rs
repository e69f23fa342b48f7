// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fields of an ACK of RoCEv2 (row G18).

use super::config::AckGeneratorConfig;
use super::ports::{Ack, FLOWLET_WIDTH, MSN_WIDTH, PATH_WIDTH, STAMP_WIDTH, kind};
use super::replies::{Reply, RoceReply};
use super::settings::InForce;
use super::take::Take;
use super::views::{RnrCode, RoceTrigger, RoceView, View, Viewed};
use crate::headers::loss_tag::{NAMED_WIDTH, OFFSET_WIDTH};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, constant, name_nets, select, when};

/// What a NAK has in its syndrome for a sequence error, for a request that is not served, and for a receiver that is not
/// ready.
const SEQUENCE_ERROR: u64 = 0x60;
const INVALID_REQUEST: u64 = 0x61;
const NOT_READY: u64 = 0x20;
/// The flags of the MPEH.
const FLAGS: u32 = 8;

/// What step `l` + 1 has found.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
struct Found<L: Reading> {
    multipath: Bits<L>,
    nak: Bits<L>,
    #[shape(config.psn())]
    psn: Bits<L>,
    #[width(8)]
    syndrome: Bits<L>,
    #[width(MSN_WIDTH)]
    msn: Bits<L>,
    held: Bits<L>,
    marked: Bits<L>,
    reordered: Bits<L>,
    suspected: Bits<L>,
    /// A trimmed packet is asked for again.
    trimmed: Bits<L>,
    #[width(PATH_WIDTH)]
    path: Bits<L>,
    #[width(STAMP_WIDTH)]
    tag: Bits<L>,
    #[width(FLOWLET_WIDTH)]
    flowlet: Bits<L>,
    /// The first PSN of the gap that a reply names, minus the expected PSN.
    #[shape(config.psn())]
    gap_first: Bits<L>,
}

/// The ACK that is made.
#[name_nets]
pub struct RoceAck<L: Logic> {
    found: Reg<Found<L>>,
    /// Step `l` + 3: the last PSN of the gap that a reply names, minus the expected PSN.
    gap_last: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> RoceAck<L> {
    pub fn new(config: AckGeneratorConfig) -> Self {
        let flag = bits(1);
        RoceAck { found: Reg::new(&Found::shape(config)), gap_last: Reg::new(&config.psn()) }
    }

    /// Step `l` + 3: the fields of `ack`.
    pub fn ack(&self, ack: Ack<L>, replies: Bits<L>, reply: Reply<L>) -> Ack<L> {
        let (found, packet) = (self.found.get(), reply.roce.expect("a reply of RoCEv2"));
        let reordered = select(replies, found.held, found.reordered);
        let probe = replies & packet.probe;
        let (names, gap) = self.gap(packet.more, packet.repeated);
        let names = replies & !packet.probe & names;
        // What L says of a tag must hold for it: an ACK names a packet that has arrived.
        let suspected = found.suspected & (probe | found.trimmed) | names;
        let flags = probe.concat(suspected).concat(reordered).extend(FLAGS);
        // A gap that has been filled meanwhile: all before the expected PSN has arrived.
        let named = select(names, gap, found.psn.truncate(STAMP_WIDTH));
        let tag = select(replies, select(packet.probe, packet.tag, named), found.tag);
        let shown = |field: Bits<L>| Some(field.gate(found.multipath));
        Ack {
            kind: constant!(kind::NAK).lit(kind::WIDTH).gate(found.nak),
            multipath: Some(found.multipath),
            psn: found.psn,
            ecn: shown(select(replies, reply.ecn, found.marked)),
            syndrome: Some(found.syndrome),
            msn: Some(found.msn),
            // A packet has arrived over this one, if the reply answers none.
            path: shown(select(probe, packet.path, found.path)),
            flags: flags.gate(found.multipath),
            flowlet: shown(found.flowlet),
            tag: shown(select(found.trimmed, packet.psn.truncate(STAMP_WIDTH), tag)),
            ..ack
        }
    }

    /// Step `l` + 3: whether a part of the gap that a reply names is still missing, and the tag that names it.
    fn gap(&self, more: Bits<L>, repeated: Bits<L>) -> (Bits<L>, Bits<L>) {
        let (first, last) = (self.found.get().gap_first, self.gap_last.get());
        let beyond = |offset: Bits<L>| offset.slice(OFFSET_WIDTH, offset.width() - OFFSET_WIDTH).any();
        // Then the expected PSN is in the part that is named, whose last PSN is near.
        let has_begun = beyond(first);
        let offset = first.truncate(OFFSET_WIDTH).gate(!has_begun);
        let more = select(has_begun, last.truncate(NAMED_WIDTH), more);
        // Only the gap at the expected PSN is named again: the largest offset says so.
        (!beyond(last), more.concat(offset | repeated.extend_signed(OFFSET_WIDTH)))
    }

    /// Steps `l` + 2, and `l` + 1 of a take; `reply` is that of a take of one.
    pub fn clock(&self, take: Take<L>, viewed: Viewed<L>, reply: Reply<L>, settings: InForce<L>) {
        let RoceReply { psn: gap_first, more, trimmed, .. } = reply.roce.expect("a reply of RoCEv2");
        let first = self.found.get().gap_first;
        self.gap_last.set(first + more.extend(first.width()));

        let Viewed { view: View { cumulative, held, marked, roce, .. }, trigger, flowlet, rnr_code, .. } = viewed;
        let RoceView { multipath, reordered, suspected, sequence, not_ready, invalid, timed, msn } =
            roce.expect("a view of RoCEv2");
        let RoceTrigger { path, tag, is_delay } = trigger.roce.expect("a trigger of RoCEv2");
        let trimmed = take.replies & trimmed;
        let nak = trimmed | !take.replies & (sequence | not_ready | invalid);
        let setting = |setting: Option<Bits<L>>| setting.expect("a setting of RoCEv2");
        let RnrCode { own, code } = rnr_code.expect("a code of RoCEv2");
        let rnr = select(own, code, setting(settings.rnr)).extend(8);
        let credits = setting(settings.credits).extend(8);
        let not_ready_code = rnr | constant!(NOT_READY).lit(8);
        let error = select(invalid & !trimmed, constant!(INVALID_REQUEST).lit(8), constant!(SEQUENCE_ERROR).lit(8));
        let code = select(not_ready & !trimmed, not_ready_code, error);
        when(take.valid, || {
            self.found.set(Found {
                multipath,
                nak,
                psn: cumulative + nak.extend(cumulative.width()),
                syndrome: select(nak, code, credits),
                msn,
                held,
                marked,
                reordered,
                suspected: suspected | trimmed,
                trimmed,
                path,
                tag: tag.gate(timed | !is_delay),
                flowlet: flowlet.expect("a flowlet of RoCEv2"),
                gap_first: gap_first + !cumulative,
            });
        });
    }
}
