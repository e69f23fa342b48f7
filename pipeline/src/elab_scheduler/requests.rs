// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a request does. With memories of latency `l`:
//!
//! ```text
//!  step 0            arrive  pair to `sight`
//!       l            meet    its VPs
//!       l + 1        admit   is there one? the weights, five steps; pair to `senders` in step 5
//!       l + 6        walk    the VP of the burst, a new burst, or the next one drawn; a loop of one clock for one pair
//!       l + 7        fetch   VP to `sports`
//!       2 l + 8              grant
//! ```

use super::ports::{Grant, Request, grant};
use super::records::{PLANES, Sender, Sight, Told};
use super::weigh::{Weigh, Weighed};
use crate::elab::{ElabSizes, SPORT_WIDTH, VP_WIDTH};
use crate::iwrr::{Drawn, draw};
use crate::planes::{Lane, Planes, PlanesShape};
use crate::row::Row;
use crate::update::{Ask, Update};
use rtl_model::{Bits, Bundle, Delay, Logic, Ram, RamShape, Reading, Reg, Signal, bits, name_nets, select, when};

/// A request on its way to its VP.
#[derive(Bundle)]
struct Arrived<L: Reading> {
    #[reset]
    valid: Bits<L>,
    pair: Bits<L>,
    /// There is such a pair; from step `l` + 2 on: it is granted.
    #[reset]
    ok: Bits<L>,
}

/// VPs of a pair as bursts see them.
#[derive(Bundle)]
struct Called<L: Reading> {
    present: Bits<L>,
    call: Bits<L>,
}

/// A request from step `l` + 7 on.
#[derive(Bundle)]
struct Walked<L: Reading> {
    #[reset]
    valid: Bits<L>,
    pair: Bits<L>,
    ok: Bits<L>,
    /// The VP that was drawn, and that of the burst if it is in one.
    drawn: Bits<L>,
    bursts: Bits<L>,
    burst_vp: Bits<L>,
    burst: Bits<L>,
}

#[name_nets]
impl<L: Logic> Walked<L> {
    fn vp(&self) -> Bits<L> {
        select(self.bursts, self.burst_vp, self.drawn)
    }
}

/// The request side.
#[name_nets]
pub struct Requests<L: Logic> {
    sizes: ElabSizes,
    sight: Planes<L>,
    weigh: Weigh<L>,
    senders: Update<L, Sender<L>>,
    sports: Ram<Bits<L>>,
    arriving: Row<Arrived<L>>,
    met: Reg<Sight<L>>,
    /// Steps `l` + 1 to `l` + 6.
    steps: [Reg<Arrived<L>>; 6],
    /// Steps `l` + 2 to `l` + 6.
    called: [Reg<Called<L>>; 5],
    /// A row of `senders` that is swept, in its steps `l` and `l` + 1.
    clearing: Delay<Bits<L>>,
    cleared: Reg<Bits<L>>,
    walked: Reg<Walked<L>>,
    fetching: Delay<Walked<L>>,
    grant: Reg<Grant<L>>,
    refused: Reg<Bits<L>>,
    vpless: Reg<Bits<L>>,
    bursts: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Requests<L> {
    pub fn new(sizes: ElabSizes) -> Self {
        let (flag, latency, grant) = (bits(1), sizes.ram_latency, grant(sizes));
        let arrived = Arrived { valid: flag, pair: sizes.pair(), ok: flag };
        let called = Called { present: sizes.each(), call: sizes.each() };
        let vp = sizes.vp();
        let pair = sizes.pair();
        let walked = Walked { valid: flag, pair, ok: flag, drawn: vp, bursts: flag, burst_vp: vp, burst: grant.burst };
        let sight =
            PlanesShape { rows: sizes.pairs, lanes: sizes.vps, width: PLANES as u32, ram_latency: sizes.ram_latency };
        let sports = RamShape::new(sizes.rows()).unused_on_collision().latency(latency);
        Requests {
            sizes,
            sight: Planes::new(sight),
            weigh: Weigh::new(sizes),
            senders: Update::new(sizes.pairs, latency, &sizes.sender()),
            sports: Ram::new(sports, &bits(SPORT_WIDTH)),
            arriving: Row::new(latency as usize, |i| Reg::numbered(i as u32 + 1, &arrived)),
            met: Reg::new(&sizes.sight()),
            steps: [1, 2, 3, 4, 5, 6].map(|step| Reg::numbered(latency + step, &arrived)),
            called: [2, 3, 4, 5, 6].map(|step| Reg::numbered(latency + step, &called)),
            clearing: Delay::new(&flag, latency as usize).with_reset(),
            cleared: Reg::new(&flag).with_reset(),
            walked: Reg::new(&walked),
            fetching: Delay::new(&walked, latency as usize),
            grant: Reg::new(&grant),
            refused: Reg::new(&bits(32)).with_reset(),
            vpless: Reg::new(&bits(32)).with_reset(),
            bursts: Reg::new(&bits(32)).with_reset(),
        }
    }

    pub fn grant(&self) -> Grant<L> {
        self.grant.get()
    }

    /// Requests that were refused: of pairs that are none, and without a VP; and bursts that have begun.
    pub fn counters(&self) -> [Bits<L>; 3] {
        [self.refused.get(), self.vpless.get(), self.bursts.get()]
    }

    /// One cycle: `busy` is the sweep, in which the sender of a pair may be `swept`.
    pub fn clock(&self, request: Request<L>, busy: Bits<L>, swept: Ask<L>, told: Told<L>, burst: Bits<L>) {
        let (steps, called, met) = (Reg::get_all(&self.steps), Reg::get_all(&self.called), self.met.get());
        let (walked, fetched) = (self.walked.get(), self.fetching.get());

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
        self.fetching.shift(walked);
        self.sports.read(self.sizes.row(walked.pair, walked.vp()));
        when(told.valid & told.adds, || self.sports.write(self.sizes.row(told.pair, told.vp), told.sport));
        self.sports.clock();

        // l + 6
        let sender = self.senders.operand();
        let asks = steps[4 - self.sizes.ram_latency as usize];
        let asks = Ask { valid: swept.valid | asks.valid, key: select(swept.valid, swept.key, asks.pair) };
        self.senders.clock(asks, steps[4].ok | self.clearing.get());
        self.walk(steps[5], called[4], sender, burst);
        when(self.cleared.get(), || self.senders.change(Sender::zero(&self.sizes.sender())));
        self.cleared.set(self.clearing.get());
        self.clearing.shift(swept.valid);

        // l + 1 to l + 5
        let met_request = steps[0];
        let any = met.present.any();
        when(met_request.valid & !met_request.ok, || self.refused.set(self.refused.get() + 1));
        when(met_request.ok & !any, || self.vpless.set(self.vpless.get() + 1));
        let valid = [steps[0].ok, steps[1].ok, steps[2].ok, steps[3].ok, steps[4].ok];
        self.weigh.clock(valid, &met);
        for step in (2..steps.len()).rev() {
            self.steps[step].set(steps[step - 1]);
        }
        self.steps[1].set(Arrived { ok: met_request.ok & any, ..met_request });
        for step in (1..called.len()).rev() {
            when(valid[step], || self.called[step].set(called[step - 1]));
        }
        when(valid[0], || self.called[0].set(Called { present: met.present, call: met.call }));

        // l
        let arrived = self.arriving.last();
        self.steps[0].set(arrived);
        when(arrived.ok, || {
            let [m0, m1, m2, m3, e0, e1, e2, e3, free, present, call] = self.sight.data::<PLANES>();
            let (mantissa, exponent) = ([m0, m1, m2, m3], [e0, e1, e2, e3]);
            self.met.set(Sight { mantissa, exponent, free, present, call });
        });

        // 0 to l - 1
        let Request { valid, pair } = request;
        self.arriving.shift(Arrived { valid, pair, ok: valid & !busy & self.sizes.inside(pair) });
        let exponent = told.call.concat(told.present).concat(told.free).concat(told.exponent);
        let value = exponent.concat(told.mantissa);
        self.sight.clock(pair, Lane { valid: told.valid, row: told.pair, lane: told.vp, value });
    }

    /// Step `l` + 6 (row V3).
    fn walk(&self, at: Arrived<L>, vps: Called<L>, row: Sender<L>, length: Bits<L>) {
        let Weighed { weights, first } = self.weigh.weighed();
        let goes_on = (row.left.any() & vps.present.slice_at(row.burst_vp, 1)).named("burst_goes_on");
        let wanted = ((vps.call ^ row.heard) & vps.present).named("wanted");
        let begins = (!goes_on & wanted.any() & length.any()).named("burst_begins");
        let chosen = wanted.first_set().truncate(row.burst_vp.width());
        let next = draw(&weights, first, Drawn { path: row.vp, round: row.round });
        let bursts = goes_on | begins;
        let drawn = select(bursts, Drawn { path: row.vp, round: row.round }, next);

        let burst_vp = select(begins, chosen, row.burst_vp);
        // Which call has been heard as it is.
        let heard = (Bits::lit(vps.call.width(), 1) << chosen).gate(begins);
        let first_number = Bits::lit(row.burst.width(), 1);
        let number = select(row.burst.all(), first_number, row.burst + 1);
        let burst = select(begins, number, row.burst);
        let left = select(begins, length - 1, row.left - 1);
        when(at.ok, || {
            self.senders.change(Sender {
                vp: drawn.path,
                round: drawn.round,
                burst_vp,
                left: left.gate(bursts),
                burst,
                heard: row.heard ^ heard,
            });
        });
        when(at.ok & begins, || self.bursts.set(self.bursts.get() + 1));
        self.walked.set(Walked {
            valid: at.valid,
            pair: at.pair,
            ok: at.ok,
            drawn: drawn.path,
            bursts,
            burst_vp,
            burst,
        });
    }
}
