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

use super::ports::{Control, Response, Settings, response};
use super::records::VpUpdate;
use super::report_accumulator::{Span, VpEvent, vp_event};
use crate::elab::{ElabSizes, RATE_WIDTH, TIME_WIDTH};
use crate::normalize::normalize;
use crate::rate::{Rate, SPAN_WIDTH};
use crate::rmw_table::Access;
use crate::write_first::WriteFirstRam;
use rtl_model::{Bits, Bundle, Delay, Logic, Reading, Reg, Shape, bits, name_nets, select, when};

/// What is known of a VP.
#[derive(Bundle)]
struct VpEstimate<L: Reading> {
    /// B.
    bandwidth: Bits<L>,
    /// R.
    rate: Bits<L>,
    /// It waits to be explored, from this time on.
    probe_armed: Bits<L>,
    since: Bits<L>,
    /// Changes with every call for a burst.
    probe_request: Bits<L>,
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
struct Available<L: Reading> {
    /// Something is left; `value` is the whole bandwidth otherwise.
    has_available: Bits<L>,
    value: Bits<L>,
    /// By how much it has been shifted.
    shift: Bits<L>,
    probe_request: Bits<L>,
}

/// Where a VP goes on from what was found of it.
#[name_nets]
pub struct BandwidthEstimator<L: Logic> {
    sizes: ElabSizes,
    rate: Rate<L>,
    estimates: WriteFirstRam<L, VpEstimate<L>>,
    /// Steps `l` + 2 to 7, to `l` + 8, and from there on.
    event_delay: Delay<VpEvent<L>>,
    read_delay: Delay<VpEvent<L>>,
    vp_event: [Reg<VpEvent<L>>; 5],
    /// Steps `l` + 8 to `l` + 10.
    estimate: [Reg<VpEstimate<L>>; 3],
    /// Step `l` + 9: the parts of the average.
    fresh_part: Reg<Bits<L>>,
    old_part: Reg<Bits<L>>,
    averaged: Reg<Averaged<L>>,
    /// Steps `l` + 11 and `l` + 12.
    new_estimate: [Reg<VpEstimate<L>>; 2],
    available: [Reg<Available<L>>; 2],
    vp_update: Reg<VpUpdate<L>>,
    response: Reg<Response<L>>,
}

#[name_nets]
impl<L: Logic> BandwidthEstimator<L> {
    pub fn new(sizes: ElabSizes) -> Self {
        let (flag, rate, time, latency) = (bits(1), bits(RATE_WIDTH), bits(TIME_WIDTH), sizes.ram_latency);
        let (vp_event, span) = vp_event(sizes);
        let estimate: VpEstimate<Shape> =
            VpEstimate { bandwidth: rate, rate, probe_armed: flag, since: time, probe_request: flag };
        let available = |shift| Available { has_available: flag, value: rate, shift: bits(shift), probe_request: flag };
        BandwidthEstimator {
            sizes,
            rate: Rate::new(span.count, RATE_WIDTH),
            estimates: WriteFirstRam::new(sizes.rows(), latency, 1, &estimate),
            event_delay: Delay::new(&vp_event, 5 - latency as usize),
            read_delay: Delay::new(&vp_event, latency as usize + 1),
            vp_event: [9, 10, 11, 12, 13].map(|step| Reg::numbered(latency + step, &vp_event)),
            estimate: [8, 9, 10].map(|step| Reg::numbered(latency + step, &estimate)),
            fresh_part: Reg::new(&bits(RATE_WIDTH + 9)),
            old_part: Reg::new(&bits(RATE_WIDTH + 9)),
            averaged: Reg::new(&Averaged { rate, time, waited: flag }),
            new_estimate: [11, 12].map(|step| Reg::numbered(latency + step, &estimate)),
            available: [(12, 2), (13, 4)].map(|(step, shift)| Reg::numbered(latency + step, &available(shift))),
            vp_update: Reg::new(&sizes.vp_update()),
            response: Reg::new(&response(sizes)),
        }
    }

    /// What requests are to see of a VP.
    pub fn vp_update(&self) -> VpUpdate<L> {
        self.vp_update.get()
    }

    pub fn response(&self) -> Response<L> {
        self.response.get()
    }

    /// One cycle: what was found, in step `l` + 2.
    pub fn clock(&self, entering: (VpEvent<L>, Span<L>), control: &Control<L>, settings: &Settings<L>, time: Bits<L>) {
        let (entering, span) = entering;
        let (reads, vp_event) = (self.event_delay.get(), Reg::get_all(&self.vp_event));
        let (estimate, new_estimate) = (Reg::get_all(&self.estimate), Reg::get_all(&self.new_estimate));
        let read = self.estimates.data(0);

        // l + 13
        self.publish(vp_event[4], self.available[1].get());

        // l + 12
        self.answer(vp_event[3], new_estimate[1], control);
        let available = self.available[0].get();
        let (value, shift) = normalize(available.value, [2, 1]);
        self.available[1].set(Available { value, shift: available.shift.concat(shift), ..available });

        // l + 11
        let row = new_estimate[0];
        self.new_estimate[1].set(row);
        let has_available = row.rate.less(row.bandwidth).named("has_available");
        let value = select(has_available, row.bandwidth - row.rate, row.bandwidth);
        let (value, shift) = normalize(value, [8, 4]);
        self.available[0].set(Available { has_available, value, shift, probe_request: row.probe_request });
        let write = Access {
            valid: vp_event[2].valid & vp_event[2].writes(),
            index: self.sizes.row(vp_event[2].pair, vp_event[2].vp),
        };
        self.estimates.clock(&[self.sizes.row(reads.pair, reads.vp)], write, row);

        // l + 10
        when(vp_event[1].valid, || self.new_estimate[0].set(self.update(vp_event[1], estimate[2], control)));

        // l + 9
        when(vp_event[0].valid, || {
            let sum = self.fresh_part.get() + self.old_part.get();
            let waited = estimate[1].probe_armed & (time - estimate[1].since).at_least(settings.explore);
            self.averaged.set(Averaged { rate: sum.slice(8, RATE_WIDTH), time, waited });
            self.estimate[2].set(estimate[1]);
        });

        // l + 8
        let fresh = self.read_delay.get();
        when(fresh.valid, || {
            let rest = Bits::lit(9, 256) - settings.alpha.extend(9);
            self.fresh_part.set((self.rate.rate() * settings.alpha).extend(RATE_WIDTH + 9));
            self.old_part.set(estimate[0].rate * rest);
            self.estimate[1].set(estimate[0]);
        });
        self.estimate[0].set(read);
        for step in (1..vp_event.len()).rev() {
            self.vp_event[step].set(vp_event[step - 1]);
        }
        self.vp_event[0].set(fresh);

        // l + 2 to l + 7
        self.read_delay.shift(reads);
        self.event_delay.shift(entering);
        self.rate.clock(entering.valid, span.count, span.units.extend(SPAN_WIDTH));
    }

    /// Step `l` + 10: the row behind an update, an operation or the sweep.
    fn update(&self, vp_event: VpEvent<L>, row: VpEstimate<L>, control: &Control<L>) -> VpEstimate<L> {
        let Averaged { rate, time, waited } = self.averaged.get();
        let indication = vp_event.indication;
        let bandwidth = select(indication.probed, indication.rate, select(indication.ecn, rate, row.bandwidth));
        let requests_probe = (waited & !indication.ecn & !indication.probed).named("requests_probe");
        let updated = VpEstimate {
            bandwidth,
            rate,
            probe_armed: indication.ecn | row.probe_armed & !indication.probed,
            since: select(indication.ecn | requests_probe, time, row.since),
            probe_request: row.probe_request ^ requests_probe,
        };
        let kept = select(vp_event.updates, updated, row);
        let empty = |x: Bits<L>| x & (!(vp_event.adds | vp_event.clears)).extend_signed(x.width());
        VpEstimate {
            bandwidth: select(vp_event.adds, control.bandwidth, empty(kept.bandwidth)),
            rate: empty(kept.rate),
            probe_armed: empty(kept.probe_armed),
            since: empty(kept.since),
            probe_request: empty(kept.probe_request),
        }
    }

    /// Step `l` + 12.
    fn answer(&self, vp_event: VpEvent<L>, row: VpEstimate<L>, control: &Control<L>) {
        self.response.set(Response {
            valid: vp_event.valid & vp_event.is_command,
            op: control.op,
            pair: control.pair,
            sport: control.sport,
            done: vp_event.done,
            present: vp_event.present,
            port: vp_event.sport.gate(vp_event.present),
            bandwidth: row.bandwidth.gate(vp_event.present),
            rate: row.rate.gate(vp_event.present),
            probe_armed: row.probe_armed.gate(vp_event.present),
        });
    }

    /// Step `l` + 13: what is left as a fraction and a power of two (row V5).
    fn publish(&self, vp_event: VpEvent<L>, available: Available<L>) {
        let leading = available.value.slice(RATE_WIDTH - 4, 4);
        let mantissa = leading | (!leading.any()).extend(4);
        self.vp_update.set(VpUpdate {
            valid: vp_event.valid & vp_event.writes(),
            pair: vp_event.pair,
            vp: vp_event.vp,
            mantissa,
            exponent: !available.shift,
            has_available: available.has_available,
            present: vp_event.present,
            probe_request: available.probe_request,
            adds: vp_event.adds,
            sport: vp_event.sport,
        });
    }
}
