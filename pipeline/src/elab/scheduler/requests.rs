// SPDX-License-Identifier: MIT OR Apache-2.0
//! The request pipeline. With memories of latency `l`:
//!
//! ```text
//!  step 0            arrive  pair to `vp_view`
//!       l            read    its VPs
//!       l + 1        admit   has the pair a VP? the weights, five steps; pair to `senders` in step 5
//!       l + 6        select  VP of the burst, a new burst, a dead VP that is tried, or the next VP by weight; a loop of one cycle
//!                            for one pair
//!       l + 7        fetch   VP to `sports`
//!       2 l + 8              grant is output
//! ```
//!
//! Which VPs are dead is in [`silence`](super::silence).

use super::ports::{Grant, Request, VpNotice};
use super::records::{Answered, PLANES, PacketUpdate, Sender, VpUpdate, VpView};
use super::settings::InForce;
use super::silence::{MOST_WIDTH, SentPacket, SilenceTracker};
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
    /// The packet will not be reported.
    empty: Bits<L>,
}

/// VPs of a pair to which bursts may go, and the probe requests, one bit per VP.
#[derive(Bundle)]
struct ProbeRequests<L: Reading> {
    live: Bits<L>,
    probe_request: Bits<L>,
}

/// The dead VP that is tried.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
struct Try<L: Reading> {
    /// There is one.
    valid: Bits<L>,
    #[shape(sizes.vp())]
    vp: Bits<L>,
}

/// A request from step `l` + 7 on.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
struct Selected<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[shape(sizes.pair())]
    pair: Bits<L>,
    #[reset]
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
    /// A dead VP that is tried, unless the packet belongs to a burst.
    #[shape(Try::shape(sizes))]
    tries: Try<L>,
    empty: Bits<L>,
    #[shape(Answered::shape(sizes))]
    answered: Answered<L>,
}

#[name_nets]
impl<L: Logic> Selected<L> {
    fn vp(&self) -> Bits<L> {
        select(self.bursts, self.burst_vp, select(self.tries.valid, self.tries.vp, self.scheduled))
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
    silence_tracker: SilenceTracker<L>,
    fetched_view: Reg<VpView<L>>,
    /// Steps 1 to `l` + 6.
    arrived: PipelineRegs<Arrived<L>>,
    /// Steps `l` + 2 to `l` + 6.
    probe_requests: PipelineRegs<ProbeRequests<L>>,
    answered: PipelineRegs<Answered<L>>,
    /// Step `l` + 2: dead VPs that are due for a try.
    due_for_try: Reg<Bits<L>>,
    /// Steps `l` + 3 to `l` + 6.
    tries: PipelineRegs<Try<L>>,
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
        let probe_requests = ProbeRequests { live: sizes.each(), probe_request: sizes.each() };
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
            silence_tracker: SilenceTracker::new(sizes),
            fetched_view: Reg::new(&VpView::shape(sizes)),
            arrived: PipelineRegs::new(1..=l + 6, &arrived).checked(REQUEST),
            probe_requests: PipelineRegs::new(l + 2..=l + 6, &probe_requests).checked(REQUEST),
            answered: PipelineRegs::new(l + 2..=l + 6, &Answered::shape(sizes)).checked(REQUEST),
            due_for_try: Reg::new(&sizes.each()),
            tries: PipelineRegs::new(l + 3..=l + 6, &Try::shape(sizes)).checked(REQUEST),
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

    /// VPs found dead, and the last one of them.
    pub fn deaths(&self) -> (Bits<L>, VpNotice<L>) {
        self.silence_tracker.deaths()
    }

    /// What the report side is to see of a packet.
    pub fn packet_update(&self) -> PacketUpdate<L> {
        self.silence_tracker.packet_update()
    }

    /// One clock cycle: `busy` is 1 in the sweep, in which a row may be swept.
    pub fn clock(
        &self,
        request: Request<L>,
        busy: Bits<L>,
        sweeps: (Bits<L>, (Bits<L>, Bits<L>)),
        vp_update: VpUpdate<L>,
        in_force: &InForce<L>,
        period: Bits<L>,
    ) {
        let (l, fetched_view) = (self.sizes.ram_latency, self.fetched_view.get());
        let (selected, fetched) = (self.selected.get(), self.fetching.get());
        let swept = Access { valid: sweeps.0, index: sweeps.1.0 };
        let (dead, due_for_try) = self.silence_tracker.dead(fetched_view.answered, period);
        let live = (fetched_view.present & !dead).named("live");
        let sport = self.grant.get().sport;
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
        let packet = SentPacket {
            valid: selected.ok & !selected.empty,
            pair: selected.pair,
            vp: selected.vp(),
            answered: selected.answered,
        };
        let reads = (request.pair, self.arrived.at(l).ok);
        self.silence_tracker.clock(reads, packet, sweeps, (period, in_force.finds_dead), sport);
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
        self.select_vp(request_6, self.probe_requests.at(l + 6), sender, in_force.burst);
        when(self.cleared.get(), || self.senders.modify(Sender::zero(&Sender::shape(self.sizes))));
        self.cleared.set(self.clearing.get());
        self.clearing.shift(swept.valid);

        // l + 1 to l + 5
        let any = fetched_view.present.any();
        self.refused.count(fetched_request.valid & !fetched_request.ok);
        self.no_vp.count(fetched_request.ok & !any);
        let valid = [fetched_request, request_2, request_3, request_4, request_5].map(|request| request.ok);
        self.weight_pipeline.clock(valid, &fetched_view, live);
        self.arrived.advance(l + 3..=l + 6);
        self.arrived.set(l + 2, Arrived { ok: fetched_request.ok & any, ..fetched_request });
        for (step, request) in [(l + 6, request_5), (l + 5, request_4), (l + 4, request_3), (l + 3, request_2)] {
            when(request.ok, || {
                self.probe_requests.set(step, self.probe_requests.at(step - 1));
                self.answered.set(step, self.answered.at(step - 1));
            });
        }
        self.tries.advance(l + 4..=l + 6);
        let due = REQUEST.at(l + 2, self.due_for_try.get());
        self.tries.set(
            l + 3,
            Try { valid: due.any() & !request_2.empty, vp: due.first_set().truncate(self.sizes.vp_bits()) },
        );
        self.due_for_try.set(due_for_try & fetched_view.present);
        when(fetched_request.ok, || {
            let VpView { probe_request, answered: each, denied, present, .. } = fetched_view;
            self.probe_requests.set(l + 2, ProbeRequests { live, probe_request });
            self.answered.set(l + 2, Answered { each, denied, vps: limited(present.count_ones()) });
        });

        // l
        when(self.arrived.at(l).ok, || {
            let [m0, m1, m2, m3, e0, e1, e2, e3, has_available, present, probe_request, answered, denied] =
                self.vp_view.data::<PLANES>();
            let (mantissa, exponent) = ([m0, m1, m2, m3], [e0, e1, e2, e3]);
            self.fetched_view.set(VpView {
                mantissa,
                exponent,
                has_available,
                present,
                probe_request,
                answered,
                denied,
            });
        });

        // 0 to l
        let Request { valid, pair, empty } = request;
        self.arrived.advance(2..=l + 1);
        self.arrived.set(1, Arrived { valid, pair, ok: valid & !busy & self.sizes.index_valid(pair), empty });
        let exponent = vp_update
            .denied
            .concat(vp_update.answered)
            .concat(vp_update.probe_request)
            .concat(vp_update.present)
            .concat(vp_update.has_available)
            .concat(vp_update.exponent);
        let value = exponent.concat(vp_update.mantissa);
        self.vp_view.clock(pair, LaneWrite { valid: vp_update.valid, row: vp_update.pair, lane: vp_update.vp, value });
    }

    /// Step `l` + 6: selects the VP (row V3).
    fn select_vp(&self, at: Arrived<L>, vps: ProbeRequests<L>, row: Sender<L>, length: Bits<L>) {
        let PairWeights { weights, first } = self.weight_pipeline.pair_weights();
        let goes_on = (row.burst_left.any() & vps.live.slice_at(row.burst_vp, 1)).named("burst_goes_on");
        let probe_pending = ((vps.probe_request ^ row.probe_acknowledge) & vps.live).named("probe_pending");
        let begins = (!goes_on & probe_pending.any() & length.any()).named("burst_begins");
        let chosen = probe_pending.first_set().truncate(row.burst_vp.width());
        let next = iwrr_next(&weights, first, IwrrPosition { path: row.vp, round: row.round });
        let bursts = goes_on | begins;
        let tries = self.tries.at(self.sizes.ram_latency + 6);
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
            tries,
            empty: at.empty,
            answered: self.answered.at(self.sizes.ram_latency + 6),
        });
    }
}

/// A number of VPs, but at most 16.
#[name_nets]
fn limited<L: Logic>(vps: Bits<L>) -> Bits<L> {
    let width = vps.width();
    if width < MOST_WIDTH {
        return vps.extend(MOST_WIDTH);
    }
    let many = vps.slice(MOST_WIDTH - 1, width + 1 - MOST_WIDTH).any();
    many.concat(vps.truncate(MOST_WIDTH - 1).gate(!many))
}
