// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is found of an arrival before it takes effect: its class, its time and delay, and the messages that it completes. With
//! memories of latency `l`:
//!
//! ```text
//!  4      class, time; RoCE: time and offset added; UET: bytes that count, the time since which one NACK is enough
//!  5      RoCE: delay
//!  6      RoCE: at least 1
//!  l + 5  UET: bytes that count minus those per ACK; was it said shortly before that there is no buffer?
//!  l + 6  effect
//! ```

use super::config::AckGeneratorConfig;
use super::marks::Marks;
use super::no_buffer::NoBuffer;
use super::packets::RocePacket;
use super::pass::{PASS, Pass};
use super::ports::{LENGTH_WIDTH, STAMP_WIDTH, Settings, TIME_WIDTH};
use super::replies::{Reply, RoceReply, UetReply};
use super::roce::RoceClass;
use super::row::{RoceRow, Row, UetRow, Verdict};
use super::settings::InForce;
use super::uet::UetClass;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::headers::loss_tag;
use rtl_model::{Bits, Logic, Reg, bits, name_nets, select};

/// RoCEv2.
#[name_nets]
struct RoceArrivals<L: Logic> {
    /// Steps 5 to `l` + 6.
    class: PipelineRegs<RoceClass<L>>,
    /// Step 5: time and offset.
    offset_time: Reg<Bits<L>>,
    /// Step 6.
    delay: Reg<Bits<L>>,
    /// Steps 7 to `l` + 7.
    shown_delay: PipelineRegs<Bits<L>>,
    marks: Marks<L>,
}

#[name_nets]
impl<L: Logic> RoceArrivals<L> {
    fn new(config: AckGeneratorConfig) -> Self {
        let (effect, stamp) = (config.effect(), bits(STAMP_WIDTH));
        RoceArrivals {
            class: PipelineRegs::new(5..=effect, &RoceClass::shape()).checked(PASS),
            offset_time: Reg::new(&stamp),
            delay: Reg::new(&stamp),
            shown_delay: PipelineRegs::new(7..=effect + 1, &stamp).checked(PASS),
            marks: Marks::new(config),
        }
    }
}

/// UET.
#[name_nets]
struct UetArrivals<L: Logic> {
    /// Steps 5 to `l` + 6.
    class: PipelineRegs<UetClass<L>>,
    /// Step `l` + 6.
    excess: Reg<Bits<L>>,
    no_buffer: NoBuffer<L>,
}

#[name_nets]
impl<L: Logic> UetArrivals<L> {
    fn new(config: AckGeneratorConfig) -> Self {
        UetArrivals {
            class: PipelineRegs::new(5..=config.effect(), &UetClass::shape()).checked(PASS),
            excess: Reg::new(&bits(LENGTH_WIDTH + 2)),
            no_buffer: NoBuffer::new(config),
        }
    }
}

/// What is known of arrivals.
#[name_nets]
pub struct Arrivals<L: Logic> {
    config: AckGeneratorConfig,
    /// Steps 5 to `l` + 7: τ.
    time: PipelineRegs<Bits<L>>,
    roce: Option<RoceArrivals<L>>,
    uet: Option<UetArrivals<L>>,
}

#[name_nets]
impl<L: Logic> Arrivals<L> {
    pub fn new(config: AckGeneratorConfig) -> Self {
        Arrivals {
            config,
            time: PipelineRegs::new(5..=config.effect() + 1, &bits(TIME_WIDTH)).checked(PASS),
            roce: config.roce(()).map(|()| RoceArrivals::new(config)),
            uet: config.uet(()).map(|()| UetArrivals::new(config)),
        }
    }

    /// τ of the pass in step `l` + 7.
    pub fn time(&self) -> Bits<L> {
        self.time.last()
    }

    /// RoCE: the delay of the arrival in step `l` + 7.
    pub fn delay(&self) -> Option<Bits<L>> {
        self.roce.as_ref().map(|roce| roce.shown_delay.last())
    }

    /// Step `l` + 6: what the pass does to a connection with this row.
    pub fn verdict(&self, pass: &Pass<L>, row: &Row<L>, settings: InForce<L>, room: Bits<L>) -> Verdict<L> {
        match (&self.roce, &self.uet) {
            (Some(roce), _) => roce.class.last().verdict(pass, row, settings, room, roce.marks.sum()),
            (_, Some(uet)) => {
                let length = pass.uet.expect("a packet of UET").length;
                uet.class.last().verdict(row, uet.excess.get(), room, length)
            }
            _ => unreachable!("one of the protocols"),
        }
    }

    /// Step `l` + 6, RoCE: *flowlet* after an arrival in order, or *open*.
    pub fn flowlet(&self, pass: &Pass<L>, top: Bits<L>) -> Bits<L> {
        let class = self.roce.as_ref().expect("RoCEv2").class.last();
        let flowlet = pass.roce.expect("a packet of RoCEv2").flowlet;
        select(pass.commands | pass.held.any() | class.is_highest, flowlet, top)
    }

    /// Step `l` + 6, UET: the arrival sets the SACK word, if it is known.
    pub fn sets_sack(&self) -> Bits<L> {
        self.uet.as_ref().expect("UET").class.last().sets_sack
    }

    /// Step `l` + 6, RoCE: the row after the pass.
    #[expect(clippy::too_many_arguments, reason = "what the pass has found")]
    pub fn merge_roce(
        &self,
        pass: &Pass<L>,
        row: RoceRow<L>,
        verdict: Verdict<L>,
        owed: (Bits<L>, Bits<L>),
        opened: (Bits<L>, Bits<L>),
        suspects: Bits<L>,
        becomes_trigger: Bits<L>,
    ) -> RoceRow<L> {
        let class = self.roce.as_ref().expect("RoCEv2").class.last();
        class.merge(pass, row, verdict, owed, opened, suspects, becomes_trigger)
    }

    /// Step `l` + 6, UET: the row after the pass.
    pub fn merge_uet(&self, row: UetRow<L>, verdict: Verdict<L>, waiting: Bits<L>, opens: Bits<L>) -> UetRow<L> {
        self.uet.as_ref().expect("UET").class.last().merge(row, verdict, waiting, opens)
    }

    /// Step `l` + 6: the reply to the packet; its arrival is not *unknown*, or it is.
    pub fn reply(&self, pass: &Pass<L>, known: Bits<L>) -> Reply<L> {
        let effect = self.config.effect();
        Reply {
            connection: pass.connection,
            ecn: pass.ecn,
            roce: pass.roce.zip(self.roce.as_ref()).map(|(packet, roce)| {
                let RocePacket { path, trimmed, .. } = packet;
                RoceReply {
                    probe: Bits::lit(1, 1),
                    psn: pass.psn,
                    more: Bits::lit(loss_tag::NAMED_WIDTH, 0),
                    repeated: Bits::lit(1, 0),
                    path,
                    tag: select(
                        packet.stamped,
                        roce.shown_delay.at(effect),
                        self.time.at(effect).truncate(STAMP_WIDTH),
                    ),
                    trimmed,
                }
            }),
            uet: pass.uet.zip(self.uet.as_ref()).map(|(packet, uet)| {
                let (code, probe) = uet.class.last().code(known);
                UetReply {
                    psn: pass.psn,
                    probe,
                    code,
                    ev: packet.ev,
                    retx: packet.retx,
                    opaque: packet.opaque,
                    handle: packet.handle,
                    arrived: self.time.at(effect),
                }
            }),
        }
    }

    /// One clock cycle: the passes in all steps, the settings in force, those that are being set, and the time.
    pub fn clock(&self, passes: &[Pass<L>], settings: InForce<L>, set: Settings<L>, time: Bits<L>) {
        let l = self.config.ram_latency;
        if let (Some(roce), Some(packet)) = (&self.roce, passes[4].roce) {
            roce.marks.clock(passes);
            let delay = roce.delay.get();
            let at_least_1 = delay | (!delay.any()).extend(STAMP_WIDTH);
            roce.shown_delay.shift(at_least_1);
            roce.delay.set(roce.offset_time.get() - passes[5].roce.expect("a packet of RoCEv2").stamp);
            roce.offset_time.set(time.truncate(STAMP_WIDTH) + settings.offset.expect("a setting of RoCEv2"));
            roce.class.shift(RoceClass::of(&passes[4], packet, settings));
        }
        if let (Some(uet), Some(packet)) = (&self.uet, passes[4].uet) {
            let class = uet.class.at(l + 5);
            let [trigger, next] = [settings.trigger, set.trigger].map(|setting| setting.expect("a setting of UET"));
            uet.excess.set(class.excess(select(set.valid, next, trigger)));
            let apart = settings.no_buffer_time.expect("a setting of UET");
            let told = uet.no_buffer.clock(passes, (time, apart), class.no_buffer, self.time.at(l + 5));
            uet.class.shift(UetClass::of(&passes[4], packet, settings));
            uet.class.set(l + 6, class.unless(told));
        }
        self.time.shift(time);
    }
}
