// SPDX-License-Identifier: MIT OR Apache-2.0
//! What takes read of a connection: a copy of its row, and what passes write and never read. Written in step `l` + 7 of a
//! pass, each memory only by the passes that change it; read in step 1 of a take.

use super::arrivals::Arrivals;
use super::config::AckGeneratorConfig;
use super::connections::Effect;
use super::packets::OFFSET_WIDTH;
use super::pass::Pass;
use super::ports::{
    Command, EV_WIDTH, FLOWLET_WIDTH, MSN_WIDTH, PATH_WIDTH, RNR_CODE_WIDTH, SACK_WIDTH, STAMP_WIDTH, TIME_WIDTH,
    TOTAL_WIDTH,
};
use super::row::Row;
use crate::blocks::table::{Access, WriteFirstRam};
use rtl_model::{Bits, Bundle, Logic, Reading, bits, name_nets, select};

/// The copy of a row.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct View<L: Reading> {
    /// The expected PSN less one: the cumulative PSN.
    #[shape(config.psn())]
    pub cumulative: Bits<L>,
    #[shape(if config.roce(()).is_some() { bits(1) } else { config.held() })]
    pub held: Bits<L>,
    pub marked: Bits<L>,
    #[shape(config.roce(RoceView::shape()))]
    pub roce: Option<RoceView<L>>,
    /// UET: the bytes received.
    #[width(config.uet(TOTAL_WIDTH))]
    pub total: Option<Bits<L>>,
}

/// The copy of what RoCEv2 has.
#[derive(Bundle)]
#[shape]
pub struct RoceView<L: Reading> {
    pub multipath: Bits<L>,
    pub reordered: Bits<L>,
    pub suspected: Bits<L>,
    pub sequence: Bits<L>,
    pub not_ready: Bits<L>,
    pub invalid: Bits<L>,
    pub timed: Bits<L>,
    #[width(MSN_WIDTH)]
    pub msn: Bits<L>,
}

/// What the ACK says of its trigger.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct Trigger<L: Reading> {
    #[shape(config.roce(RoceTrigger::shape()))]
    pub roce: Option<RoceTrigger<L>>,
    #[shape(config.uet(UetTrigger::shape(config)))]
    pub uet: Option<UetTrigger<L>>,
}

/// The trigger of RoCEv2.
#[derive(Bundle)]
#[shape]
pub struct RoceTrigger<L: Reading> {
    #[width(PATH_WIDTH)]
    pub path: Bits<L>,
    /// Its one-way delay, or the low bits of its PSN.
    #[width(STAMP_WIDTH)]
    pub tag: Bits<L>,
    pub is_delay: Bits<L>,
}

/// The trigger of UET.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct UetTrigger<L: Reading> {
    #[shape(config.psn())]
    pub psn: Bits<L>,
    #[width(EV_WIDTH)]
    pub ev: Bits<L>,
    pub retx: Bits<L>,
    #[width(TIME_WIDTH)]
    pub arrived: Bits<L>,
}

/// The timer code of RNR NAKs.
#[derive(Bundle)]
#[shape]
pub struct RnrCode<L: Reading> {
    /// The connection has its own; otherwise that of the settings counts.
    pub own: Bits<L>,
    #[width(RNR_CODE_WIDTH)]
    pub code: Bits<L>,
}

/// The SACK word.
#[derive(Bundle)]
#[shape]
pub struct SackWord<L: Reading> {
    #[width(OFFSET_WIDTH)]
    pub base: Bits<L>,
    #[width(SACK_WIDTH)]
    pub bits: Bits<L>,
}

/// All that a take reads.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct Viewed<L: Reading> {
    pub view: View<L>,
    pub trigger: Trigger<L>,
    #[shape(config.uet(SackWord::shape()))]
    pub sack: Option<SackWord<L>>,
    #[width(config.roce(FLOWLET_WIDTH))]
    pub flowlet: Option<Bits<L>>,
    #[shape(config.roce(RnrCode::shape()))]
    pub rnr_code: Option<RnrCode<L>>,
}

/// The memories.
#[name_nets]
pub struct Views<L: Logic> {
    views: WriteFirstRam<L, View<L>>,
    triggers: WriteFirstRam<L, Trigger<L>>,
    sacks: Option<WriteFirstRam<L, SackWord<L>>>,
    flowlets: Option<WriteFirstRam<L, Bits<L>>>,
    rnr_codes: Option<WriteFirstRam<L, RnrCode<L>>>,
}

#[name_nets]
impl<L: Logic> Views<L> {
    pub fn new(config: AckGeneratorConfig) -> Self {
        let AckGeneratorConfig { connections, ram_latency: l, .. } = config;
        let Viewed { view, trigger, sack, flowlet, rnr_code } = Viewed::shape(config);
        Views {
            views: WriteFirstRam::new(connections, l, 1, &view),
            triggers: WriteFirstRam::new(connections, l, 1, &trigger),
            sacks: sack.map(|sack| WriteFirstRam::new(connections, l, 1, &sack)),
            flowlets: flowlet.map(|flowlet| WriteFirstRam::new(connections, l, 1, &flowlet)),
            rnr_codes: rnr_code.map(|code| WriteFirstRam::new(connections, l, 1, &code)),
        }
    }

    /// What the take in step `l` + 1 has read.
    pub fn viewed(&self) -> Viewed<L> {
        Viewed {
            view: self.views.data(0),
            trigger: self.triggers.data(0),
            sack: self.sacks.as_ref().map(|sacks| sacks.data(0)),
            flowlet: self.flowlets.as_ref().map(|flowlets| flowlets.data(0)),
            rnr_code: self.rnr_codes.as_ref().map(|codes| codes.data(0)),
        }
    }

    /// One clock cycle: the take in step 1 reads; the pass in step `l` + 7 writes, of a command what this says.
    pub fn clock(
        &self,
        take: Bits<L>,
        pass: Pass<L>,
        row: Row<L>,
        effect: Effect<L>,
        arrivals: &Arrivals<L>,
        command: Command<L>,
    ) {
        let Access { valid, index } = pass.access();
        let view = View {
            cumulative: row.expected - 1,
            held: row.held,
            marked: row.marked,
            roce: row.roce.map(|roce| RoceView {
                multipath: roce.multipath,
                reordered: roce.reordered,
                suspected: roce.suspected,
                sequence: roce.sequence,
                not_ready: roce.not_ready,
                invalid: roce.invalid,
                timed: roce.timed,
                msn: roce.msn,
            }),
            total: row.uet.map(|uet| uet.total),
        };
        self.views.clock(&[take], Access { valid, index }, view);
        let trigger = Trigger {
            roce: pass.roce.zip(arrivals.delay()).map(|(packet, delay)| RoceTrigger {
                path: packet.path,
                tag: select(packet.stamped, delay, pass.psn.truncate(STAMP_WIDTH)),
                is_delay: packet.stamped,
            }),
            uet: pass.uet.map(|packet| UetTrigger {
                psn: pass.psn,
                ev: packet.ev,
                retx: packet.retx,
                arrived: arrivals.time(),
            }),
        };
        self.triggers.clock(&[take], Access { valid: valid & effect.sets_trigger, index }, trigger);
        if let (Some(sacks), Some(sets), Some(packet)) = (&self.sacks, effect.sets_sack, pass.uet) {
            let word = SackWord { base: packet.sack_base, bits: packet.sack };
            sacks.clock(&[take], Access { valid: valid & sets, index }, word);
        }
        if let (Some(flowlets), Some(sets), Some(flowlet)) = (&self.flowlets, effect.sets_flowlet, effect.flowlet) {
            flowlets.clock(&[take], Access { valid: valid & sets, index }, flowlet);
        }
        if let (Some(codes), Some(sets)) = (&self.rnr_codes, effect.sets_rnr_code) {
            let code = command.own_rnr_code.zip(command.rnr_code).map(|(own, code)| RnrCode { own, code });
            let code = code.expect("a command of RoCEv2");
            codes.clock(&[take], Access { valid: valid & sets, index }, code);
        }
    }
}
