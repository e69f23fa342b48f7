// SPDX-License-Identifier: MIT OR Apache-2.0
//! The request pipeline. With memories of latency `l`:
//!
//! ```text
//!  step 0      arrive  QP to `contexts` and `path_view`
//!       1      QP to `last_sent_times`
//!       2      QP to `senders`
//!       l      fetch   rows of `contexts` and `path_view`
//!       l + 1  admit   QP open, and a sub-path that can take the request? `last_sent_times`: only the stream goes on
//!       l + 2  gap     time since the previous packet; `senders`: only granted requests go on
//!       l + 3  select  sub-path of the previous packet, or the next one; a loop of one clock cycle for one QP
//!       l + 4  grant   flags, entropy, tag; the packet to `sent`
//!       l + 5          grant is output
//! ```

use super::config::PathSchedulerConfig;
use super::path_view::PathViewTable;
use super::ports::{ENTROPY_WIDTH, Grant, PATH_WIDTH, Request, granularity, kind};
use super::records::{Context, PathUpdate, PathView, Sender};
use super::sent::Sent;
use crate::blocks::counter::Counter;
use crate::blocks::iwrr::{IwrrPosition, iwrr_next};
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, RmwTable, WriteFirstRam};
use crate::blocks::timebase::TIME_WIDTH;
use rtl_model::{Bits, Bundle, Constant, Logic, Reading, Reg, bits, constant, name_nets, select, when};

/// A request in steps 1 to `l` + 1.
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

/// A request in steps `l` + 2 and `l` + 3.
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
    /// The first active sub-path.
    first: Bits<L>,
}

/// A request in step `l` + 4.
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
    psn: Bits<L>,
    flowlet: Bits<L>,
    /// The packet is the first of a flowlet (flag F).
    new_flowlet: Bits<L>,
}

/// The request pipeline: selects a sub-path for each packet and counts the packets.
#[name_nets]
pub struct Requests<L: Logic> {
    config: PathSchedulerConfig,
    /// Weight, congested flag and probing flag of all sub-paths of a QP.
    path_view: PathViewTable<L>,
    /// Time of the last packet of each QP.
    last_sent_times: RmwTable<L, Bits<L>>,
    /// Position of each QP in its round robin, PSN and flowlet number.
    senders: RmwTable<L, Sender<L>>,
    /// Generation of the `senders` row of each QP. *Open* takes the other generation, so the old row becomes stale.
    sender_generations: WriteFirstRam<L, Bits<L>>,
    sent: Sent<L>,
    /// Steps 1 to `l` + 1, in which the context is there.
    arrived: PipelineRegs<Arrived<L>>,
    /// The request in step `l` + 2.
    admitted: Reg<Admitted<L>>,
    /// The request in step `l` + 3.
    gap: Reg<Admitted<L>>,
    /// Step `l` + 3: 1 if the gap since the previous packet is at least `settings_flowlet`.
    gap_expired: Reg<Bits<L>>,
    selected: Reg<Selected<L>>,
    /// The context of the QP in steps `l` + 1 to `l` + 4.
    contexts: PipelineRegs<Context<L>>,
    /// The view of the sub-paths in steps `l` + 1 to `l` + 4.
    path_views: PipelineRegs<PathView<L>>,
    grant: Reg<Grant<L>>,
    refused: Counter<L>,
    no_path: Counter<L>,
}

#[name_nets]
impl<L: Logic> Requests<L> {
    pub fn new(config: PathSchedulerConfig) -> Self {
        let (flag, l) = (bits(1), config.ram_latency);
        let Request { qp, kind, path, .. } = config.input_shape().request;
        let (number, sender) = (bits(config.path_bits()), config.sender());
        let arrived = Arrived { valid: flag, qp, kind, path, index_valid: flag };
        let admitted = Admitted { valid: flag, qp, kind, path, ok: flag, carries_data: flag, first: number };
        let selected = Selected {
            valid: flag,
            qp,
            ok: flag,
            carries_data: flag,
            path: number,
            previous_path: number,
            probe_path: number,
            first_packet: flag,
            psn: sender.psn,
            flowlet: sender.flowlet,
            new_flowlet: flag,
        };
        Requests {
            config,
            path_view: PathViewTable::new(config),
            last_sent_times: RmwTable::new(config.qps, l, &bits(TIME_WIDTH)),
            senders: RmwTable::new(config.qps, l, &sender),
            sender_generations: WriteFirstRam::new(config.qps, l, 1, &flag),
            sent: Sent::new(config),
            arrived: PipelineRegs::new(1..=l + 1, &arrived),
            admitted: Reg::new(&admitted),
            gap: Reg::new(&admitted),
            gap_expired: Reg::new(&flag),
            selected: Reg::new(&selected),
            contexts: PipelineRegs::new(l + 1..=l + 4, &config.context()),
            path_views: PipelineRegs::new(l + 1..=l + 4, &config.path_view()),
            grant: Reg::new(&config.grant()),
            refused: Counter::new(32),
            no_path: Counter::new(32),
        }
    }

    pub fn grant(&self) -> Grant<L> {
        self.grant.get()
    }

    /// Counters of refused requests: for QPs that are not open, and without a sub-path.
    pub fn refused(&self) -> [Bits<L>; 2] {
        [self.refused.get(), self.no_path.get()]
    }

    /// Packets sent on the sub-path of the event in step `l`.
    pub fn sent(&self) -> Bits<L> {
        self.sent.data()
    }

    /// Generation of the sender row, for the event in step `l`.
    pub fn generation(&self) -> Bits<L> {
        self.sender_generations.data(0)
    }

    /// One clock cycle. `context` is that of the request in step `l`. `event_rows` are the QP and the sub-path row of
    /// the event in step 0; with `sweeps` this row is cleared.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        request: Request<L>,
        live: Bits<L>,
        context: Context<L>,
        path_update: PathUpdate<L>,
        event_rows: (Bits<L>, Bits<L>),
        sweeps: Bits<L>,
        flowlet: Bits<L>,
        time: Bits<L>,
    ) {
        let l = self.config.ram_latency;
        let (fetched, admitted, gap, selected) =
            (self.arrived.last(), self.admitted.get(), self.gap.get(), self.selected.get());
        let (sender, last_sent) = (self.senders.operand(), self.last_sent_times.operand());
        // Each row is read so early that it is there when the request is in the step that needs it.
        let [time_access, sender_access] = [1, 2].map(|step| {
            let Arrived { valid, qp, .. } = self.arrived.at(step);
            Access { valid, index: qp }
        });

        // l + 4
        self.make_grant(selected, self.contexts.at(l + 4), self.path_views.at(l + 4));
        self.sender_generations.clock(
            &[event_rows.0],
            Access { valid: selected.carries_data, index: selected.qp },
            self.senders.modified().generation,
        );
        let row = self.config.row(selected.qp, selected.path);
        let packet = Access { valid: sweeps | selected.carries_data, index: select(sweeps, event_rows.1, row) };
        self.sent.clock(packet, sweeps, event_rows.1);

        // l + 3
        self.senders.clock(sender_access, admitted.ok);
        self.selected.set(Selected {
            valid: gap.valid,
            qp: gap.qp,
            ok: gap.ok,
            carries_data: gap.carries_data,
            ..self.select_path(gap, self.contexts.at(l + 3), self.path_views.at(l + 3), sender)
        });

        // l + 2
        let admits = self.admit(fetched, self.contexts.at(l + 1), self.path_views.at(l + 1));
        self.last_sent_times.clock(time_access, admits.carries_data);
        when(admitted.carries_data, || {
            self.gap_expired.set((time - last_sent).at_least(flowlet));
            self.last_sent_times.modify(time);
        });
        self.gap.set(admitted);

        // l + 1
        self.admitted.set(admits);

        // l
        let (arrived, path_view) = (self.arrived.at(l), self.path_view.data());
        for (step, valid) in [(l + 4, gap.valid), (l + 3, admitted.valid), (l + 2, fetched.valid)] {
            when(valid, || {
                self.contexts.set(step, self.contexts.at(step - 1));
                self.path_views.set(step, self.path_views.at(step - 1));
            });
        }
        when(arrived.valid, || {
            self.contexts.set(l + 1, context);
            self.path_views.set(l + 1, path_view);
        });

        // 0 to l
        let Request { valid, qp, kind, path } = request;
        self.arrived.shift(Arrived { valid, qp, kind, path, index_valid: live & self.config.index_valid(qp) });
        self.path_view.clock(qp, path_update);
    }

    /// Step `l` + 1: QP open, and a sub-path that can take the request?
    fn admit(&self, fetched: Arrived<L>, context: Context<L>, path_view: PathView<L>) -> Admitted<L> {
        let width = self.config.path_bits();
        let active = path_view.active();
        let open = (fetched.index_valid & context.open).named("open");
        let (data, probe) = (!fetched.kind.bit(1), fetched.kind.equals(constant!(kind::PROBE)));
        let carries = (active | path_view.probing).slice_at(fetched.path.truncate(width), 1);
        let path_available = data & active.any() | probe & self.config.path_valid(fetched.path) & carries;
        let kind_valid = data | probe;
        self.refused.count(fetched.valid & !(open & kind_valid));
        self.no_path.count(fetched.valid & open & kind_valid & !path_available);
        let ok = fetched.valid & open & path_available;
        Admitted {
            valid: fetched.valid,
            qp: fetched.qp,
            kind: fetched.kind,
            path: fetched.path,
            ok,
            carries_data: ok & data,
            first: active.first_set().truncate(width),
        }
    }

    /// Step `l` + 3: selects the sub-path. Whatever is not part of the loop is left to the next step. A probe selects
    /// nothing and keeps the generation, so a stale row stays stale.
    fn select_path(&self, at: Admitted<L>, context: Context<L>, path_view: PathView<L>, row: Sender<L>) -> Selected<L> {
        let zero = |x: Bits<L>| Bits::lit(x.width(), 0);
        let is = |code: Constant| context.granularity.equals(code);
        let by_flowlet = is(constant!(granularity::FLOWLET));
        let first_packet = row.generation.differs(context.generation).named("sender_row_stale");
        let path_inactive = !path_view.active().slice_at(row.path, 1);
        let reselect = is(constant!(granularity::PACKET)) | by_flowlet & self.gap_expired.get();
        let selects = ((first_packet | path_inactive | reselect) & at.carries_data).named("selects");
        let next = iwrr_next(&path_view.weight, at.first, IwrrPosition { path: row.path, round: row.round });
        let next = select(first_packet, IwrrPosition { path: at.first, round: zero(row.round) }, next);
        let IwrrPosition { path, round } = select(selects, next, IwrrPosition { path: row.path, round: row.round });

        let psn = select(first_packet, context.psn, row.psn);
        let data = at.kind.equals(constant!(kind::DATA));
        let new_flowlet = selects & by_flowlet;
        // The increment does not wait for `selects`, so that the adder is not in the loop after the selection.
        let next_flowlet = select(new_flowlet, row.flowlet + 1, row.flowlet);
        let flowlet = select(first_packet, zero(row.flowlet), next_flowlet);
        when(at.ok, || {
            let generation = select(at.carries_data, context.generation, row.generation);
            self.senders.modify(Sender { generation, path, round, psn: psn + data.extend(psn.width()), flowlet });
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
            psn,
            flowlet,
            new_flowlet,
        }
    }

    /// Step `l` + 4: fields of the grant.
    fn make_grant(&self, at: Selected<L>, context: Context<L>, path_view: PathView<L>) {
        let path = select(at.carries_data, at.path, at.probe_path);
        let bit = |each: Bits<L>| each.slice_at(path, 1);
        let [a, b, c, d] = path_view.weight.map(bit);
        let weight = d.concat(c).concat(b).concat(a);
        let probe = !at.carries_data;
        let switches = !at.first_packet & at.path.differs(at.previous_path) & at.carries_data;
        let flags = (bit(path_view.congested) & at.carries_data).concat(probe).concat(switches).concat(at.new_flowlet);
        let tag = weight.concat(context.granularity);
        let by_flowlet = context.granularity.equals(constant!(granularity::FLOWLET)) & at.carries_data;
        self.grant.set(Grant {
            valid: at.valid,
            qp: at.qp,
            ok: at.ok,
            path: path.gate(at.ok).extend(PATH_WIDTH),
            entropy: (context.entropy ^ path.extend(ENTROPY_WIDTH)).gate(at.ok),
            psn: at.psn.gate(at.ok),
            flags: flags.gate(at.ok).extend(8),
            flowlet: at.flowlet.gate(at.ok & by_flowlet),
            tag: tag.gate(at.ok).extend(16),
        });
    }
}
