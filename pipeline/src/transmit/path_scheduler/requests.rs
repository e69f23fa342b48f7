// SPDX-License-Identifier: MIT OR Apache-2.0
//! The request pipeline. With memories of latency `l`:
//!
//! ```text
//!  step 0      arrive  QP to `contexts`, `path_view` and `filled_view`
//!       2      QP to `last_sent_times`, the time of the previous packet, unless that is on its way from step l + 3
//!       3      QP to `senders`
//!       l      fetch   rows of `contexts`, `path_view` and `filled_view`
//!       l + 1  admit   QP open, and a sub-path that can take the request? Which are usable?
//!       l + 2  rank    the top bit of the usable weights; `last_sent_times`: only the stream goes on
//!       l + 3  gap     time since the previous packet; the best sub-path; `senders`: only granted requests go on
//!       l + 4  select  sub-path of the previous packet, or the next one; a loop of one clock cycle for one QP
//!       l + 5  grant   flags, tag; the packet to `sent`; sub-path to `entropies`
//!       l + 6          grant is output; with a table of entropies `l` cycles later
//! ```

use super::config::{PathSchedulerConfig, REQUEST};
use super::entropies::{EntropyWrite, Granted, Grants};
use super::path_view::PathViewTable;
use super::ports::{Grant, PSN_WIDTH, PathSchedulerIn, Request, granularity, kind};
use super::records::{Context, PathUpdate, PathView, Sender, SentCount};
use super::selection::{Candidates, next_turn, top_bit};
use super::sent::{CompletedUpdate, Count, Sent};
use crate::blocks::counter::Counter;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, RmwTable, WriteFirstRam};
use crate::blocks::timebase::TIME_WIDTH;
use rtl_model::{
    Bits, Bundle, Constant, Logic, Ram, RamShape, Reading, Reg, Wide, bits, constant, index_width, name_nets, select,
    when,
};

/// A request in steps 1 to `l` + 1, and on to the step of the last access.
#[derive(Bundle)]
struct Arrived<L: Reading> {
    #[reset]
    valid: Bits<L>,
    qp: Bits<L>,
    kind: Bits<L>,
    path: Bits<L>,
    /// 1 if the QP exists.
    index_valid: Bits<L>,
}

/// A request in steps `l` + 2 to `l` + 4.
#[derive(Bundle)]
struct Admitted<L: Reading> {
    #[reset]
    valid: Bits<L>,
    qp: Bits<L>,
    kind: Bits<L>,
    path: Bits<L>,
    /// The request gets a sub-path.
    #[reset]
    ok: Bits<L>,
    /// 1 if the granted packet is one of the stream: data or retransmission.
    #[reset]
    carries_data: Bits<L>,
}

/// The sub-paths of a request in steps `l` + 2 to `l` + 4: sets with one bit per sub-path, and weights as bit planes.
#[derive(Bundle)]
struct SubPaths<L: Reading> {
    weight: Wide<L>,
    congested: Bits<L>,
    active: Bits<L>,
    /// Those that may be selected.
    usable: Bits<L>,
    /// Those on which the stream may stay.
    kept: Bits<L>,
}

/// A request in step `l` + 5.
#[derive(Bundle)]
struct Selected<L: Reading> {
    #[reset]
    valid: Bits<L>,
    qp: Bits<L>,
    ok: Bits<L>,
    #[reset]
    carries_data: Bits<L>,
    /// Sub-path selected for a packet of the stream.
    path: Bits<L>,
    /// Sub-path of the previous packet of the stream.
    previous_path: Bits<L>,
    /// Sub-path of a probe.
    probe_path: Bits<L>,
    /// 1 if the QP has sent no packet since it was opened.
    first_packet: Bits<L>,
    /// The active sub-paths are others than those of the previous packet.
    set_changed: Bits<L>,
    psn: Bits<L>,
    flowlet: Bits<L>,
    /// The packet is the first of a flowlet (flag F).
    new_flowlet: Bits<L>,
}

/// The request pipeline: selects a sub-path for each packet and counts the packets.
#[name_nets]
pub struct Requests<L: Logic> {
    config: PathSchedulerConfig,
    /// What requests see of all sub-paths of a QP.
    path_view: PathViewTable<L>,
    /// Time of the last packet of each QP.
    last_sent_times: Ram<Bits<L>>,
    /// Step `l` + 3: the time read.
    last_sent: Reg<Bits<L>>,
    /// Step `l` + 3: bit i is 1 if the request i + 1 clock cycles ahead has sent a packet of the same QP, too late to be read.
    sent_ahead: Reg<Bits<L>>,
    /// The lowest bit of the time, one to `l` + 1 clock cycles ago.
    time_parity: PipelineRegs<Bits<L>>,
    /// Position of each QP in its round robin, PSN and flowlet number.
    senders: RmwTable<L, Sender<L>>,
    /// Generation of the `senders` row of each QP. *Open* takes the other generation, so the old row becomes stale.
    sender_generations: WriteFirstRam<L, Bits<L>>,
    sent: Sent<L>,
    /// Steps 1 to `l` + 1, in which the context is there, or to 3.
    arrived: PipelineRegs<Arrived<L>>,
    path_view_row: Reg<PathView<L>>,
    /// `filled` of the sub-paths, beside `path_view_row`.
    filled: Reg<Bits<L>>,
    /// The request in steps `l` + 2 to `l` + 4, and on while the time of its packet cannot be read.
    admitted: PipelineRegs<Admitted<L>>,
    sub_paths: PipelineRegs<SubPaths<L>>,
    top: Reg<Bits<L>>,
    candidates: Reg<Candidates<L>>,
    /// Step `l` + 4: the gap since the previous packet is above the flowlet time.
    gap_expired: Reg<Bits<L>>,
    selected: Reg<Selected<L>>,
    /// Weights and congested flags in step `l` + 5.
    selected_weight: Reg<Wide<L>>,
    selected_congested: Reg<Bits<L>>,
    /// The context of the QP in steps `l` + 1 to `l` + 5.
    contexts: PipelineRegs<Context<L>>,
    grants: Grants<L>,
    refused: Counter<L>,
    no_path: Counter<L>,
    full: Counter<L>,
}

/// What requests are told by their neighbours in a clock cycle.
pub struct Neighbours<L: Logic> {
    /// QPs may be open.
    pub live: Bits<L>,
    /// The context of the request in step `l`.
    pub context: Context<L>,
    pub path_update: PathUpdate<L>,
    pub completed_update: CompletedUpdate<L>,
    pub entropy_write: Option<EntropyWrite<L>>,
    /// QP and sub-path of the event in step 0.
    pub event_qp: Bits<L>,
    pub event_path: Bits<L>,
    /// The row of this event is swept.
    pub sweeps: Bits<L>,
    pub window: (Bits<L>, Bits<L>),
    pub time: Bits<L>,
}

#[name_nets]
impl<L: Logic> Requests<L> {
    pub fn new(config: PathSchedulerConfig) -> Self {
        let (flag, l, each) = (bits(1), config.ram_latency, config.each());
        let Request { qp, kind, path, .. } = PathSchedulerIn::shape(config).request;
        let (number, sender, top) =
            (bits(config.path_bits()), Sender::shape(config), bits(index_width(config.weight_bits.into())));
        let arrived = Arrived { valid: flag, qp, kind, path, index_valid: flag };
        let admitted = Admitted { valid: flag, qp, kind, path, ok: flag, carries_data: flag };
        let sub_paths = SubPaths { weight: config.weights(), congested: each, active: each, usable: each, kept: each };
        let selected = Selected {
            valid: flag,
            qp,
            ok: flag,
            carries_data: flag,
            path: number,
            previous_path: number,
            probe_path: number,
            first_packet: flag,
            set_changed: flag,
            psn: sender.psn,
            flowlet: sender.flowlet,
            new_flowlet: flag,
        };
        Requests {
            config,
            path_view: PathViewTable::new(config),
            last_sent_times: Ram::new(RamShape::new(config.qps).latency(l).unused_on_collision(), &bits(TIME_WIDTH)),
            last_sent: Reg::new(&bits(TIME_WIDTH)),
            sent_ahead: Reg::new(&bits(l + 1)),
            time_parity: PipelineRegs::new(1..=l + 1, &flag),
            senders: RmwTable::new(config.qps, l, &sender),
            sender_generations: WriteFirstRam::new(config.qps, l, 1, &flag),
            sent: Sent::new(config),
            arrived: PipelineRegs::new(1..=3.max(l + 1), &arrived).checked(REQUEST),
            path_view_row: Reg::new(&PathView::shape(config)),
            filled: Reg::new(&each),
            admitted: PipelineRegs::new(l + 2..=2 * l + 3, &admitted).checked(REQUEST),
            sub_paths: PipelineRegs::new(l + 2..=l + 4, &sub_paths).checked(REQUEST),
            top: Reg::new(&top),
            candidates: Reg::new(&Candidates::shape(config)),
            gap_expired: Reg::new(&flag),
            selected: Reg::new(&selected),
            selected_weight: Reg::new(&config.weights()),
            selected_congested: Reg::new(&each),
            contexts: PipelineRegs::new(l + 1..=l + 5, &Context::shape(config)).checked(REQUEST),
            grants: Grants::new(config),
            refused: Counter::new(32),
            no_path: Counter::new(32),
            full: Counter::new(32),
        }
    }

    pub fn grant(&self) -> Grant<L> {
        self.grants.grant()
    }

    /// Counters of refused requests: for QPs that are not open, without a sub-path, and with full sub-paths only.
    pub fn refused(&self) -> [Bits<L>; 3] {
        [self.refused.get(), self.no_path.get(), self.full.get()]
    }

    /// Packets sent on the sub-path of the event in step `l`.
    pub fn sent(&self) -> SentCount<L> {
        self.sent.data()
    }

    /// Generation of the sender row, for the event in step `l`.
    pub fn generation(&self) -> Bits<L> {
        self.sender_generations.data(0)
    }

    /// One clock cycle.
    pub fn clock(&self, request: Request<L>, beside: Neighbours<L>) {
        let l = self.config.ram_latency;
        let (fetched, selected) = (self.arrived.at(l + 1), self.selected.get());
        let [admitted, ranked, gap] = [l + 2, l + 3, l + 4].map(|step| self.admitted.at(step));
        let [usable_sets, ranked_sets, gap_sets] = [l + 2, l + 3, l + 4].map(|step| self.sub_paths.at(step));
        let sender = self.senders.operand();
        // The row is read so early that it is there when the request is in the step that needs it.
        let Arrived { valid: asks, qp: sender_qp, .. } = self.arrived.at(3);

        // l + 5
        self.grants.clock(self.granted(selected), self.contexts.at(l + 5).entropy, beside.entropy_write);
        self.sender_generations.clock(
            &[beside.event_qp],
            Access { valid: selected.carries_data, index: selected.qp },
            self.senders.modified().generation,
        );
        let swept_path = beside.event_path.truncate(self.config.path_bits());
        let packet = Count {
            valid: beside.sweeps | selected.carries_data,
            qp: select(beside.sweeps, beside.event_qp, selected.qp),
            path: select(beside.sweeps, swept_path, selected.path),
            clears: beside.sweeps,
        };
        let event_row = self.config.row(beside.event_qp, beside.event_path);
        let filled = self.sent.filled();
        self.sent.clock(packet, event_row, request.qp, beside.completed_update, beside.window);

        // l + 4
        self.senders.clock(Access { valid: asks, index: sender_qp }, ranked.ok);
        self.selected.set(Selected {
            valid: gap.valid,
            qp: gap.qp,
            ok: gap.ok,
            carries_data: gap.carries_data,
            ..self.select_path(gap, self.contexts.at(l + 4), gap_sets, sender)
        });
        when(gap.valid, || {
            self.selected_weight.set(gap_sets.weight);
            self.selected_congested.set(gap_sets.congested);
            self.contexts.set(l + 5, self.contexts.at(l + 4));
        });

        // l + 3
        let admits = self.admit(fetched, self.contexts.at(l + 1));
        when(ranked.carries_data, || {
            self.gap_expired.set(self.gap_expires(self.contexts.at(l + 3).flowlet, beside.time));
            self.last_sent_times.write(ranked.qp, beside.time);
            let (top, usable) = (self.top.get(), ranked_sets.usable);
            let top_plane = ranked_sets.weight.lane(top, usable.width());
            let first = (top_plane & usable).first_set().truncate(self.config.path_bits());
            self.candidates.set(Candidates { usable, top, top_plane, first });
        });

        // l + 2
        when(admitted.carries_data, || {
            let width = self.top.get().width();
            self.top.set(top_bit(usable_sets.weight, usable_sets.usable, width));
            self.last_sent.set(self.last_sent_times.data());
            let ahead = |step: u32| {
                let Admitted { carries_data, qp, .. } = self.admitted.across(step);
                carries_data & qp.equals(admitted.qp)
            };
            let nearest = ahead(l + 3);
            self.sent_ahead.set((l + 4..=2 * l + 3).fold(nearest, |nearer, step| ahead(step).concat(nearer)));
        });
        self.time_parity.shift(beside.time.bit(0));
        self.last_sent_times.read(self.arrived.at(2).qp);
        self.last_sent_times.clock();
        for (step, valid) in [(l + 4, ranked.valid), (l + 3, admitted.valid)] {
            when(valid, || {
                self.sub_paths.set(step, self.sub_paths.at(step - 1));
                self.contexts.set(step, self.contexts.at(step - 1));
            });
        }

        // l + 1
        self.admitted.shift(admits.0);
        when(fetched.valid, || {
            self.sub_paths.set(l + 2, admits.1);
            self.contexts.set(l + 2, self.contexts.at(l + 1));
        });

        // l
        let (arrived, path_view) = (self.arrived.at(l), self.path_view.data());
        when(arrived.valid, || {
            self.contexts.set(l + 1, beside.context);
            self.path_view_row.set(path_view);
            self.filled.set(filled);
        });

        // 0 to l
        let Request { valid, qp, kind, path } = request;
        self.arrived.shift(Arrived { valid, qp, kind, path, index_valid: beside.live & self.config.index_valid(qp) });
        self.path_view.clock(qp, beside.path_update);
    }

    /// Step `l` + 3: the time since the previous packet of the QP is above the flowlet time. A packet that is too near to be
    /// read was sent at this time or one unit before.
    fn gap_expires(&self, flowlet: Bits<L>, time: Bits<L>) -> Bits<L> {
        let (ahead, parity) = (self.sent_ahead.get(), time.bit(0));
        let mut unit_began = Bits::lit(1, 0);
        for (i, earlier) in self.time_parity.all().into_iter().enumerate().rev() {
            unit_began = select(ahead.bit(i as u32), parity ^ earlier, unit_began);
        }
        let gap_expired = (time - self.last_sent.get()).greater(flowlet.extend(TIME_WIDTH));
        select(ahead.any(), unit_began & !flowlet.any(), gap_expired)
    }

    /// Step `l` + 1: QP open, and a sub-path that can take the request?
    fn admit(&self, fetched: Arrived<L>, context: Context<L>) -> (Admitted<L>, SubPaths<L>) {
        let (view, width, paths) = (self.path_view_row.get(), self.config.path_bits(), self.config.paths as u32);
        let plane = |bit: u32| view.weight.slice(bit * paths, paths);
        let active = (1..self.config.weight_bits).fold(plane(0), |any, bit| any | plane(bit)).named("active");
        // A packet that is sent again has given its place back, and goes over a full sub-path, too.
        let again = fetched.kind.equals(constant!(kind::RETRANSMISSION)).extend_signed(paths);
        let available = (active & (!(self.filled.get() ^ view.released) | again)).named("available");
        let by_flow = context.granularity.equals(constant!(granularity::FLOW));
        // A flow leaves an avoided sub-path; packets and flowlets leave it as its weight falls. What was lost goes over another one.
        let preferred = available & !(view.avoided & by_flow.extend_signed(paths)) & !(view.losing & again);
        let usable = select(preferred.any(), preferred, available);

        let open = (fetched.index_valid & context.open).named("open");
        let (data, probe) = (!fetched.kind.bit(1), fetched.kind.equals(constant!(kind::PROBE)));
        let carries = (active | view.probing).slice_at(fetched.path.truncate(width), 1);
        let single = context.granularity.equals(constant!(granularity::SINGLE));
        let probe_available = probe & self.config.path_valid(fetched.path) & carries & !single;
        let path_available = data & available.any() | probe_available;
        let kind_valid = data | probe;
        let asks = fetched.valid & open & kind_valid;
        self.refused.count(fetched.valid & !(open & kind_valid));
        self.full.count(asks & data & active.any() & !path_available);
        self.no_path.count(asks & !(data & active.any()) & !path_available);
        let ok = fetched.valid & open & path_available;
        let admitted = Admitted {
            valid: fetched.valid,
            qp: fetched.qp,
            kind: fetched.kind,
            path: fetched.path,
            ok,
            carries_data: ok & data,
        };
        let kept = select(by_flow, usable, available & (usable | !again));
        (admitted, SubPaths { weight: view.weight, congested: view.congested, active, usable, kept })
    }

    /// Step `l` + 4: selects the sub-path. Whatever is not part of the loop is left to the next step. A probe selects
    /// nothing and keeps the generation, so a stale row stays stale.
    fn select_path(&self, at: Admitted<L>, context: Context<L>, sets: SubPaths<L>, row: Sender<L>) -> Selected<L> {
        let zero = |x: Bits<L>| Bits::lit(x.width(), 0);
        let is = |code: Constant| context.granularity.equals(code);
        let (by_flow, by_flowlet) = (is(constant!(granularity::FLOW)), is(constant!(granularity::FLOWLET)));
        let first_packet = row.generation.differs(context.generation).named("sender_row_stale");
        let leaves = !sets.kept.slice_at(row.path, 1);
        let reselect = is(constant!(granularity::PACKET)) | by_flowlet & self.gap_expired.get();
        let selects = ((first_packet | leaves | reselect) & at.carries_data).named("selects");
        let restart = first_packet | by_flow;
        let (next_path, next_turn) = next_turn(row.turn, self.candidates.get(), sets.weight, restart);
        let path = select(selects, next_path, row.path);
        let turn = select(selects, next_turn, row.turn);
        let set_changed = row.active.differs(sets.active);
        let active = select(at.carries_data, sets.active, row.active);

        let psn = select(first_packet, context.psn, row.psn);
        let data = at.kind.equals(constant!(kind::DATA));
        let new_flowlet = selects & by_flowlet;
        // The increment does not wait for `selects`, so that the adder is not in the loop after the selection.
        let next_flowlet = select(new_flowlet, row.flowlet + 1, row.flowlet);
        let flowlet = select(first_packet, zero(row.flowlet), next_flowlet);
        // A flow stays where it is when a packet of it is sent again.
        let detour = by_flow & !data & !first_packet;
        let stored = select(detour, row.path, path);
        when(at.ok, || {
            let generation = select(at.carries_data, context.generation, row.generation);
            let psn = psn + data.extend(psn.width());
            self.senders.modify(Sender { generation, path: stored, active, turn, psn, flowlet });
        });
        Selected {
            valid: at.valid,
            qp: at.qp,
            ok: at.ok,
            carries_data: at.carries_data,
            path,
            previous_path: row.path,
            probe_path: at.path.truncate(path.width()),
            first_packet,
            set_changed,
            psn,
            flowlet,
            new_flowlet,
        }
    }

    /// Step `l` + 5: fields of the grant.
    fn granted(&self, at: Selected<L>) -> Granted<L> {
        let (granularity, weights, paths) = (
            self.contexts.at(self.config.ram_latency + 5).granularity,
            self.selected_weight.get(),
            self.config.paths as u32,
        );
        let path = select(at.carries_data, at.path, at.probe_path);
        let bit = |plane: u32| weights.slice(plane * paths, paths).slice_at(path, 1);
        let weight = (1..self.config.weight_bits).fold(bit(0), |low, plane| bit(plane).concat(low));
        let congested = self.selected_congested.get().slice_at(path, 1);
        let probe = !at.carries_data;
        let moved = granularity.differs(constant!(granularity::PACKET)) & at.path.differs(at.previous_path);
        let switches = !at.first_packet & (at.set_changed | moved) & at.carries_data;
        let flags = (congested & at.carries_data).concat(probe).concat(switches).concat(at.new_flowlet);
        let by_flowlet = granularity.equals(constant!(granularity::FLOWLET)) & at.carries_data;
        // The PSN of a probe is as far as possible from all that a receiver may expect (row T6).
        let far = probe.concat(Bits::lit(PSN_WIDTH - 1, 0));
        Granted {
            valid: at.valid,
            qp: at.qp,
            refused: !at.ok,
            path,
            psn: at.psn ^ far,
            flags,
            flowlet: at.flowlet.gate(by_flowlet),
            tag: weight.concat(granularity),
        }
    }
}
