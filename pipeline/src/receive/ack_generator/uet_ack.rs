// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fields of an ACK or NACK of UET (row G18).

use super::config::AckGeneratorConfig;
use super::packets::OFFSET_WIDTH;
use super::ports::{Ack, EV_WIDTH, SACK_WIDTH, TIME_WIDTH, TOTAL_WIDTH, kind};
use super::replies::Reply;
use super::settings::InForce;
use super::take::Take;
use super::views::{UetTrigger, View, Viewed};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, constant, name_nets, select, when};

/// The flags of the PDS prologue.
const FLAG_P: u32 = 3;
const FLAGS: u32 = 7;
/// Bits below the unit of rcvd_bytes.
const RCVD_UNIT: u32 = 8;

/// What step `l` + 1 has found.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
struct Found<L: Reading> {
    #[shape(config.psn())]
    cumulative: Bits<L>,
    #[shape(config.held())]
    held: Bits<L>,
    marked: Bits<L>,
    #[width(EV_WIDTH)]
    ev: Bits<L>,
    retx: Bits<L>,
    #[width(SACK_WIDTH)]
    sack: Bits<L>,
    #[width(OFFSET_WIDTH)]
    sack_offset: Bits<L>,
    /// PSN of the trigger minus the cumulative PSN.
    #[shape(config.psn())]
    psn_offset: Bits<L>,
    /// Time since the packet arrived.
    #[width(TIME_WIDTH)]
    age: Bits<L>,
    #[width(TOTAL_WIDTH)]
    total: Bits<L>,
    cc: Bits<L>,
    #[width(8)]
    mpr: Bits<L>,
    #[width(8)]
    added: Bits<L>,
    restore: Bits<L>,
    #[width(7)]
    pend: Bits<L>,
}

/// What step `l` + 2 has found.
#[derive(Bundle)]
#[shape]
struct Limited<L: Reading> {
    #[width(OFFSET_WIDTH)]
    psn_offset: Bits<L>,
    #[width(TIME_WIDTH + 1)]
    service: Bits<L>,
    #[width(TOTAL_WIDTH - RCVD_UNIT)]
    rcvd_bytes: Bits<L>,
    /// It is an ACK_CC.
    cc: Bits<L>,
}

/// The ACK that is made.
#[name_nets]
pub struct UetAck<L: Logic> {
    found: Reg<Found<L>>,
    limited: Reg<Limited<L>>,
}

#[name_nets]
impl<L: Logic> UetAck<L> {
    pub fn new(config: AckGeneratorConfig) -> Self {
        let (flag, psn, offset) = (bits(1), config.psn(), bits(OFFSET_WIDTH));
        UetAck { found: Reg::new(&Found::shape(config)), limited: Reg::new(&Limited::shape()) }
    }

    /// Step `l` + 3: the fields of `ack`.
    pub fn ack(&self, ack: Ack<L>, replies: Bits<L>, reply: Reply<L>) -> Ack<L> {
        let (found, limited, packet) = (self.found.get(), self.limited.get(), reply.uet.expect("a reply of UET"));
        let probe = replies & packet.probe;
        let nack = replies & !packet.probe;
        let cc = limited.cc & !nack;
        let [marked, retx] = [(reply.ecn, found.marked), (packet.retx, found.retx)]
            .map(|(of_packet, of_trigger)| select(replies, of_packet, of_trigger));
        let service = limited.service;
        let long = service.slice(16, service.width() - 16).any();
        let none = !service.any();
        let service_time = service.truncate(16) | long.extend_signed(16) | none.extend(16);
        let ack_kind = cc.extend(kind::WIDTH);
        let shown = |field: Bits<L>| Some(field.gate(cc));
        let ooo_count = found.held.extend(16);
        Ack {
            kind: select(nack, constant!(kind::NAK).lit(kind::WIDTH), ack_kind),
            code: Some(packet.code.gate(replies)),
            psn: select(nack, packet.psn, found.cumulative),
            flags: marked.concat(retx).concat(probe).concat(Bits::lit(FLAG_P, 0)).extend(FLAGS),
            psn_offset: Some(select(replies, packet.opaque.gate(probe), limited.psn_offset)),
            ev: Some(select(replies, packet.ev, found.ev)),
            handle: Some(packet.handle.gate(replies)),
            mpr: shown(found.mpr),
            sack_offset: shown(found.sack_offset),
            sack: shown(found.sack),
            service_time: shown(service_time),
            restore: shown(found.restore),
            pend: shown(found.pend),
            rcvd_bytes: shown(limited.rcvd_bytes),
            ooo_count: shown(ooo_count),
            ..ack
        }
    }

    /// Steps `l` + 2, if there is a take, and `l` + 1.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        limits: Bits<L>,
        take: Take<L>,
        viewed: Viewed<L>,
        reply: Reply<L>,
        settings: InForce<L>,
        time: Bits<L>,
        pressure: Bits<L>,
    ) {
        let found = self.found.get();
        when(limits, || {
            let (offset, total) = (found.psn_offset, found.total);
            let sign = offset.slice(OFFSET_WIDTH - 1, offset.width() - OFFSET_WIDTH + 1);
            let near = sign.all() | !sign.any();
            let wide = |x: Bits<L>| x.extend(TIME_WIDTH + 1);
            let units = total.slice(RCVD_UNIT, TOTAL_WIDTH - RCVD_UNIT);
            let part = total.truncate(RCVD_UNIT).any();
            self.limited.set(Limited {
                psn_offset: offset.truncate(OFFSET_WIDTH).gate(near),
                service: wide(found.age) + wide(found.added),
                rcvd_bytes: units + part.extend(units.width()),
                cc: found.cc | found.held.any(),
            });
        });

        let Viewed { view: View { cumulative, held, marked, total, .. }, trigger, sack, .. } = viewed;
        let (total, sack) = (total.expect("bytes of UET"), sack.expect("a SACK word of UET"));
        let UetTrigger { psn, ev, retx, arrived } = trigger.uet.expect("a trigger of UET");
        let began = select(take.replies, reply.uet.expect("a reply of UET").arrived, arrived);
        let setting = |setting: Option<Bits<L>>| setting.expect("a setting of UET");
        when(take.valid, || {
            self.found.set(Found {
                cumulative,
                held,
                marked,
                ev,
                retx,
                sack: sack.bits,
                sack_offset: sack.base - cumulative.truncate(OFFSET_WIDTH),
                psn_offset: psn - cumulative,
                age: time - began,
                total,
                cc: setting(settings.cc),
                mpr: setting(settings.mpr),
                added: setting(settings.added),
                restore: setting(settings.restore),
                pend: pressure,
            });
        });
    }
}
