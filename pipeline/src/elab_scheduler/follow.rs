// SPDX-License-Identifier: MIT OR Apache-2.0
//! What follows from the packets of an update: the rate of the VP, its bandwidth, whether it is to be explored (rows V11 to
//! V13), and what requests see of it. With memories of latency `l`:
//!
//! ```text
//!  step l + 2   packets over time, six steps; VP to `rates` in step 7
//!       l + 8   old and new rate weighed
//!       l + 9   their sum; how long the VP has waited
//!       l + 10  bandwidth
//!       l + 11  written; what is left
//!       l + 12  what is left shifted up, two steps; the response
//!       l + 14  told
//! ```
//!
//! Two updates of a VP are more than a unit of time apart (V10), and so behind each other in `rates`: nothing is forwarded. A
//! *read* may come in the clock of a write; for it alone the memory is write-first (V15).

use super::gather::{Found, Span, found};
use super::ports::{Control, Response, Settings, response};
use super::records::Told;
use crate::elab::{ElabSizes, RATE_WIDTH, TIME_WIDTH};
use crate::leading::shift_up;
use crate::rate::{Rate, SPAN_WIDTH};
use crate::update::Ask;
use crate::write_first::WriteFirst;
use rtl_model::{Bits, Bundle, Delay, Logic, Reading, Reg, Shape, bits, name_nets, select, when};

/// What is known of a VP.
#[derive(Bundle)]
struct Known<L: Reading> {
    /// B.
    bandwidth: Bits<L>,
    /// R.
    rate: Bits<L>,
    /// It waits to be explored, from this time on.
    waits: Bits<L>,
    since: Bits<L>,
    /// Changes with every call for a burst.
    call: Bits<L>,
}

/// The rate of a VP, in step `l` + 10.
#[derive(Bundle)]
struct Averaged<L: Reading> {
    rate: Bits<L>,
    time: Bits<L>,
    /// It has waited long enough.
    waited: Bits<L>,
}

/// What is left on a VP, on its way up, in steps `l` + 12 and `l` + 13.
#[derive(Bundle)]
struct Left<L: Reading> {
    /// Something is left; `value` is the whole bandwidth otherwise.
    free: Bits<L>,
    value: Bits<L>,
    /// By how much it has been shifted.
    by: Bits<L>,
    call: Bits<L>,
}

/// Where a VP goes on from what was found of it.
#[name_nets]
pub struct Follow<L: Logic> {
    sizes: ElabSizes,
    rate: Rate<L>,
    rows: WriteFirst<L, Known<L>>,
    /// Steps `l` + 2 to 7, to `l` + 8, and from there on.
    finding: Delay<Found<L>>,
    reading: Delay<Found<L>>,
    found: [Reg<Found<L>>; 5],
    /// Steps `l` + 8 to `l` + 10.
    known: [Reg<Known<L>>; 3],
    /// Step `l` + 9: the parts of the average.
    fresh_part: Reg<Bits<L>>,
    old_part: Reg<Bits<L>>,
    averaged: Reg<Averaged<L>>,
    /// Steps `l` + 11 and `l` + 12.
    after: [Reg<Known<L>>; 2],
    left: [Reg<Left<L>>; 2],
    told: Reg<Told<L>>,
    response: Reg<Response<L>>,
}

#[name_nets]
impl<L: Logic> Follow<L> {
    pub fn new(sizes: ElabSizes) -> Self {
        let (flag, rate, time, latency) = (bits(1), bits(RATE_WIDTH), bits(TIME_WIDTH), sizes.ram_latency);
        let (found, span) = found(sizes);
        let known: Known<Shape> = Known { bandwidth: rate, rate, waits: flag, since: time, call: flag };
        let left = |by| Left { free: flag, value: rate, by: bits(by), call: flag };
        Follow {
            sizes,
            rate: Rate::new(span.count, RATE_WIDTH),
            rows: WriteFirst::new(sizes.rows(), latency, 1, &known),
            finding: Delay::new(&found, 5 - latency as usize),
            reading: Delay::new(&found, latency as usize + 1),
            found: [9, 10, 11, 12, 13].map(|step| Reg::numbered(latency + step, &found)),
            known: [8, 9, 10].map(|step| Reg::numbered(latency + step, &known)),
            fresh_part: Reg::new(&bits(RATE_WIDTH + 9)),
            old_part: Reg::new(&bits(RATE_WIDTH + 9)),
            averaged: Reg::new(&Averaged { rate, time, waited: flag }),
            after: [11, 12].map(|step| Reg::numbered(latency + step, &known)),
            left: [(12, 2), (13, 4)].map(|(step, by)| Reg::numbered(latency + step, &left(by))),
            told: Reg::new(&sizes.told()),
            response: Reg::new(&response(sizes)),
        }
    }

    /// What requests are to see of a VP.
    pub fn told(&self) -> Told<L> {
        self.told.get()
    }

    pub fn response(&self) -> Response<L> {
        self.response.get()
    }

    /// One cycle: what was found, in step `l` + 2.
    pub fn clock(&self, entering: (Found<L>, Span<L>), control: &Control<L>, settings: &Settings<L>, time: Bits<L>) {
        let (entering, span) = entering;
        let (reads, found) = (self.finding.get(), Reg::get_all(&self.found));
        let (known, after) = (Reg::get_all(&self.known), Reg::get_all(&self.after));
        let read = self.rows.data(0);

        // l + 13
        self.tell(found[4], self.left[1].get());

        // l + 12
        self.answer(found[3], after[1], control);
        let left = self.left[0].get();
        let (value, by) = shift_up(left.value, [2, 1]);
        self.left[1].set(Left { value, by: left.by.concat(by), ..left });

        // l + 11
        let row = after[0];
        self.after[1].set(row);
        let free = row.rate.less(row.bandwidth).named("free");
        let value = select(free, row.bandwidth - row.rate, row.bandwidth);
        let (value, by) = shift_up(value, [8, 4]);
        self.left[0].set(Left { free, value, by, call: row.call });
        let write = Ask { valid: found[2].valid & found[2].writes(), key: self.sizes.row(found[2].pair, found[2].vp) };
        self.rows.clock(&[self.sizes.row(reads.pair, reads.vp)], write, row);

        // l + 10
        when(found[1].valid, || self.after[0].set(self.update(found[1], known[2], control)));

        // l + 9
        when(found[0].valid, || {
            let sum = self.fresh_part.get() + self.old_part.get();
            let waited = known[1].waits & (time - known[1].since).at_least(settings.explore);
            self.averaged.set(Averaged { rate: sum.slice(8, RATE_WIDTH), time, waited });
            self.known[2].set(known[1]);
        });

        // l + 8
        let fresh = self.reading.get();
        when(fresh.valid, || {
            let rest = Bits::lit(9, 256) - settings.alpha.extend(9);
            self.fresh_part.set((self.rate.rate() * settings.alpha).extend(RATE_WIDTH + 9));
            self.old_part.set(known[0].rate * rest);
            self.known[1].set(known[0]);
        });
        self.known[0].set(read);
        for step in (1..found.len()).rev() {
            self.found[step].set(found[step - 1]);
        }
        self.found[0].set(fresh);

        // l + 2 to l + 7
        self.reading.shift(reads);
        self.finding.shift(entering);
        self.rate.clock(entering.valid, span.count, span.units.extend(SPAN_WIDTH));
    }

    /// Step `l` + 10: the row behind an update, an operation or the sweep.
    fn update(&self, found: Found<L>, row: Known<L>, control: &Control<L>) -> Known<L> {
        let Averaged { rate, time, waited } = self.averaged.get();
        let news = found.news;
        let bandwidth = select(news.probed, news.rate, select(news.ecn, rate, row.bandwidth));
        let calls = (waited & !news.ecn & !news.probed).named("calls");
        let updated = Known {
            bandwidth,
            rate,
            waits: news.ecn | row.waits & !news.probed,
            since: select(news.ecn | calls, time, row.since),
            call: row.call ^ calls,
        };
        let kept = select(found.updates, updated, row);
        let empty = |x: Bits<L>| x & (!(found.adds | found.clears)).extend_signed(x.width());
        Known {
            bandwidth: select(found.adds, control.bandwidth, empty(kept.bandwidth)),
            rate: empty(kept.rate),
            waits: empty(kept.waits),
            since: empty(kept.since),
            call: empty(kept.call),
        }
    }

    /// Step `l` + 12.
    fn answer(&self, found: Found<L>, row: Known<L>, control: &Control<L>) {
        self.response.set(Response {
            valid: found.valid & found.operates,
            op: control.op,
            pair: control.pair,
            sport: control.sport,
            done: found.done,
            present: found.present,
            port: found.sport.gate(found.present),
            bandwidth: row.bandwidth.gate(found.present),
            rate: row.rate.gate(found.present),
            waits: row.waits.gate(found.present),
        });
    }

    /// Step `l` + 13: what is left as a fraction and a power of two (row V5).
    fn tell(&self, found: Found<L>, left: Left<L>) {
        let leading = left.value.slice(RATE_WIDTH - 4, 4);
        let mantissa = leading | (!leading.any()).extend(4);
        self.told.set(Told {
            valid: found.valid & found.writes(),
            pair: found.pair,
            vp: found.vp,
            mantissa,
            exponent: !left.by,
            free: left.free,
            present: found.present,
            call: left.call,
            adds: found.adds,
            sport: found.sport,
        });
    }
}
