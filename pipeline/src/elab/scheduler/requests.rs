// SPDX-License-Identifier: MIT OR Apache-2.0
//! The request pipeline. With memories of latency `l`:
//!
//! ```text
//!  step 0            arrive  pair to `vp_view`
//!       l            read    its VPs
//!       l + 1        admit   has the pair a VP? the weights, five steps; pair to `senders` in step 5
//!       l + 6        select  VP of the burst, a new burst, or the next VP by weight; a loop of one cycle for one pair
//!       l + 7        fetch   VP to `sports`
//!       2 l + 8              grant is output
//! ```

use super::ports::{Grant, Request};
use super::records::{PLANES, Sender, VpUpdate, VpView};
use super::weights::{PairWeights, WeightPipeline};
use crate::blocks::counter::Counter;
use crate::blocks::iwrr::{IwrrPosition, iwrr_next};
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, BitPlaneRam, BitPlaneRamShape, LaneWrite, RmwTable};
use crate::elab::{BURST_ID_WIDTH, ElabSizes, SPORT_WIDTH, VP_WIDTH};
use rtl_model::{
    Bits, Bundle, Delay, Logic, Pipeline, Ram, RamShape, Reading, Reg, Signal, bits, name_nets, select, when,
};

/// The pipeline of requests.
const REQUEST: Pipeline = Pipeline::new("request");

/// A request in steps 1 to `l` + 6, before its VP is selected.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
struct Arrived<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[shape(sizes.pair())]
    pair: Bits<L>,
    /// 1 if the pair exists; from step `l` + 2 on: 1 if the request is granted.
    #[reset]
    ok: Bits<L>,
}

/// Present VPs of a pair and their probe requests, one bit per VP.
#[derive(Bundle)]
struct ProbeRequests<L: Reading> {
    present: Bits<L>,
    probe_request: Bits<L>,
}

/// A request from step `l` + 7 on.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
struct Selected<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[shape(sizes.pair())]
    pair: Bits<L>,
    ok: Bits<L>,
    /// VP that the round robin selected.
    #[shape(sizes.vp())]
    scheduled: Bits<L>,
    /// 1 if the packet belongs to a burst.
    bursts: Bits<L>,
    /// VP of the burst.
    #[shape(sizes.vp())]
    burst_vp: Bits<L>,
    #[width(BURST_ID_WIDTH)]
    burst: Bits<L>,
}

#[name_nets]
impl<L: Logic> Selected<L> {
    fn vp(&self) -> Bits<L> {
        select(self.bursts, self.burst_vp, self.scheduled)
    }
}

/// The request pipeline: selects a VP for each packet.
#[name_nets]
pub struct Requests<L: Logic> {
    sizes: ElabSizes,
    vp_view: BitPlaneRam<L>,
    weight_pipeline: WeightPipeline<L>,
    senders: RmwTable<L, Sender<L>>,
    sports: Ram<Bits<L>>,
    fetched_view: Reg<VpView<L>>,
    /// Steps 1 to `l` + 6.
    arrived: PipelineRegs<Arrived<L>>,
    /// Steps `l` + 2 to `l` + 6.
    probe_requests: PipelineRegs<ProbeRequests<L>>,
    /// 1 if a row of `senders` is swept: up to step `l`, and in `cleared` in step `l` + 1.
    clearing: Delay<Bits<L>>,
    cleared: Reg<Bits<L>>,
    selected: Reg<Selected<L>>,
    fetching: Delay<Selected<L>>,
    grant: Reg<Grant<L>>,
    refused: Counter<L>,
    no_vp: Counter<L>,
    bursts: Counter<L>,
}

#[name_nets]
impl<L: Logic> Requests<L> {
    pub fn new(sizes: ElabSizes) -> Self {
        let (flag, l, grant) = (bits(1), sizes.ram_latency, Grant::shape(sizes));
        let arrived = Arrived::shape(sizes);
        let probe_requests = ProbeRequests { present: sizes.each(), probe_request: sizes.each() };
        let vp = sizes.vp();
        let pair = sizes.pair();
        let selected = Selected::shape(sizes);
        let vp_view = BitPlaneRamShape {
            rows: sizes.pairs,
            lanes: sizes.vps,
            width: PLANES as u32,
            ram_latency: sizes.ram_latency,
        };
        let sports = RamShape::new(sizes.rows()).unused_on_collision().latency(l);
        Requests {
            sizes,
            vp_view: BitPlaneRam::new(vp_view),
            weight_pipeline: WeightPipeline::new(sizes),
            senders: RmwTable::new(sizes.pairs, l, &Sender::shape(sizes)),
            sports: Ram::new(sports, &bits(SPORT_WIDTH)),
            fetched_view: Reg::new(&VpView::shape(sizes)),
            arrived: PipelineRegs::new(1..=l + 6, &arrived).checked(REQUEST),
            probe_requests: PipelineRegs::new(l + 2..=l + 6, &probe_requests).checked(REQUEST),
            clearing: Delay::new(&flag, l as usize).with_reset(),
            cleared: Reg::new(&flag).with_reset(),
            selected: Reg::new(&selected),
            fetching: Delay::new(&selected, l as usize),
            grant: Reg::new(&grant),
            refused: Counter::new(32),
            no_vp: Counter::new(32),
            bursts: Counter::new(32),
        }
    }

    pub fn grant(&self) -> Grant<L> {
        self.grant.get()
    }

    /// Counters of refused requests, for pairs that do not exist and for pairs without a VP, and of bursts begun.
    pub fn counters(&self) -> [Bits<L>; 3] {
        [self.refused.get(), self.no_vp.get(), self.bursts.get()]
    }

    /// One clock cycle: `busy` is 1 in the sweep, in which the sender row of a pair may be `swept`.
    pub fn clock(&self, request: Request<L>, busy: Bits<L>, swept: Access<L>, vp_update: VpUpdate<L>, burst: Bits<L>) {
        let (l, fetched_view) = (self.sizes.ram_latency, self.fetched_view.get());
        let (selected, fetched) = (self.selected.get(), self.fetching.get());
        let [fetched_request, request_2, request_3, request_4, request_5, request_6] =
            [1, 2, 3, 4, 5, 6].map(|step| self.arrived.at(l + step));

        // 2 l + 7
        self.grant.set(Grant {
            valid: fetched.valid,
            pair: fetched.pair,
            ok: fetched.ok,
            vp: fetched.vp().gate(fetched.ok).extend(VP_WIDTH),
            sport: self.sports.data().gate(fetched.ok),
            burst: fetched.burst.gate(fetched.bursts & fetched.ok),
        });

        // l + 7
        self.fetching.shift(selected);
        self.sports.read(self.sizes.row(selected.pair, selected.vp()));
        when(vp_update.valid & vp_update.adds, || {
            self.sports.write(self.sizes.row(vp_update.pair, vp_update.vp), vp_update.sport)
        });
        self.sports.clock();

        // l + 6
        let sender = self.senders.operand();
        // In step 5, for an operand in step `l` + 6.
        let sender_access = self.arrived.at(5);
        let sender_access = Access {
            valid: swept.valid | sender_access.valid,
            index: select(swept.valid, swept.index, sender_access.pair),
        };
        self.senders.clock(sender_access, request_5.ok | self.clearing.get());
        self.select_vp(request_6, self.probe_requests.at(l + 6), sender, burst);
        when(self.cleared.get(), || self.senders.modify(Sender::zero(&Sender::shape(self.sizes))));
        self.cleared.set(self.clearing.get());
        self.clearing.shift(swept.valid);

        // l + 1 to l + 5
        let any = fetched_view.present.any();
        self.refused.count(fetched_request.valid & !fetched_request.ok);
        self.no_vp.count(fetched_request.ok & !any);
        let valid = [fetched_request, request_2, request_3, request_4, request_5].map(|request| request.ok);
        self.weight_pipeline.clock(valid, &fetched_view);
        self.arrived.advance(l + 3..=l + 6);
        self.arrived.set(l + 2, Arrived { ok: fetched_request.ok & any, ..fetched_request });
        for (step, request) in [(l + 6, request_5), (l + 5, request_4), (l + 4, request_3), (l + 3, request_2)] {
            when(request.ok, || self.probe_requests.set(step, self.probe_requests.at(step - 1)));
        }
        when(fetched_request.ok, || {
            let VpView { present, probe_request, .. } = fetched_view;
            self.probe_requests.set(l + 2, ProbeRequests { present, probe_request });
        });

        // l
        when(self.arrived.at(l).ok, || {
            let [m0, m1, m2, m3, e0, e1, e2, e3, has_available, present, probe_request] = self.vp_view.data::<PLANES>();
            let (mantissa, exponent) = ([m0, m1, m2, m3], [e0, e1, e2, e3]);
            self.fetched_view.set(VpView { mantissa, exponent, has_available, present, probe_request });
        });

        // 0 to l
        let Request { valid, pair } = request;
        self.arrived.advance(2..=l + 1);
        self.arrived.set(1, Arrived { valid, pair, ok: valid & !busy & self.sizes.index_valid(pair) });
        let exponent = vp_update
            .probe_request
            .concat(vp_update.present)
            .concat(vp_update.has_available)
            .concat(vp_update.exponent);
        let value = exponent.concat(vp_update.mantissa);
        self.vp_view.clock(pair, LaneWrite { valid: vp_update.valid, row: vp_update.pair, lane: vp_update.vp, value });
    }

    /// Step `l` + 6: selects the VP (row V3).
    fn select_vp(&self, at: Arrived<L>, vps: ProbeRequests<L>, row: Sender<L>, length: Bits<L>) {
        let PairWeights { weights, first } = self.weight_pipeline.pair_weights();
        let goes_on = (row.burst_left.any() & vps.present.slice_at(row.burst_vp, 1)).named("burst_goes_on");
        let probe_pending = ((vps.probe_request ^ row.probe_acknowledge) & vps.present).named("probe_pending");
        let begins = (!goes_on & probe_pending.any() & length.any()).named("burst_begins");
        let chosen = probe_pending.first_set().truncate(row.burst_vp.width());
        let next = iwrr_next(&weights, first, IwrrPosition { path: row.vp, round: row.round });
        let bursts = goes_on | begins;
        let scheduled = select(bursts, IwrrPosition { path: row.vp, round: row.round }, next);

        let burst_vp = select(begins, chosen, row.burst_vp);
        // The probe request that this burst acknowledges.
        let probe_acknowledge = (Bits::lit(vps.probe_request.width(), 1) << chosen).gate(begins);
        let first_number = Bits::lit(row.burst.width(), 1);
        let number = select(row.burst.all(), first_number, row.burst + 1);
        let burst = select(begins, number, row.burst);
        let burst_left = select(begins, length - 1, row.burst_left - 1);
        when(at.ok, || {
            self.senders.modify(Sender {
                vp: scheduled.path,
                round: scheduled.round,
                burst_vp,
                burst_left: burst_left.gate(bursts),
                burst,
                probe_acknowledge: row.probe_acknowledge ^ probe_acknowledge,
            });
        });
        self.bursts.count(at.ok & begins);
        self.selected.set(Selected {
            valid: at.valid,
            pair: at.pair,
            ok: at.ok,
            scheduled: scheduled.path,
            bursts,
            burst_vp,
            burst,
        });
    }
}
