// SPDX-License-Identifier: MIT OR Apache-2.0
//! The update of a VP: its rate, its bandwidth limit, whether it requests a probe (rows V11 to V13), and what requests
//! see of it. With memories of latency `l`:
//!
//! ```text
//!  step l + 2   packets divided by time, six steps; VP to `estimates` in step 7
//!       l + 8   old and new rate multiplied by their weights
//!       l + 9   their sum; time since the VP was armed
//!       l + 10  bandwidth limit
//!       l + 11  row written; available bandwidth
//!       l + 12  available bandwidth normalised, two steps; response
//!       l + 14  update in `vp_view`
//! ```
//!
//! Two updates of a VP are more than a unit of time apart (V10), so the first one is written before the second one
//! reads `estimates`, and no forwarding is needed. A *read* may coincide with a write; only for it is the memory
//! write-first (V15).

use super::ports::{Control, Response, Settings, response};
use super::records::VpUpdate;
use super::report_accumulator::{Span, VpEvent, vp_event};
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, WriteFirstRam};
use crate::elab::normalize::normalize;
use crate::elab::rate::{Rate, SPAN_WIDTH};
use crate::elab::{ElabSizes, RATE_WIDTH, TIME_WIDTH};
use rtl_model::{Bits, Bundle, Delay, Logic, Reading, Reg, Shape, bits, name_nets, select, when};

/// State of a VP: bandwidth limit, rate and probe timer.
#[derive(Bundle)]
struct VpEstimate<L: Reading> {
    /// Bandwidth limit B: packets per unit, 16 fraction bits.
    bandwidth: Bits<L>,
    /// Average rate R: packets per unit, 16 fraction bits.
    rate: Bits<L>,
    /// 1 if the VP is armed for a probe.
    probe_armed: Bits<L>,
    /// Time from which the VP is armed, in units.
    since: Bits<L>,
    /// Toggles with every request for a probe burst.
    probe_request: Bits<L>,
}

/// The averaged rate of a VP, in step `l` + 10.
#[derive(Bundle)]
struct Averaged<L: Reading> {
    rate: Bits<L>,
    time: Bits<L>,
    /// 1 if the VP has been armed for at least `settings_explore`.
    waited: Bits<L>,
}

/// Available bandwidth of a VP while it is normalised, in steps `l` + 12 and `l` + 13.
#[derive(Bundle)]
struct Available<L: Reading> {
    /// 1 if the available bandwidth is above 0; else `value` is the bandwidth limit.
    has_available: Bits<L>,
    value: Bits<L>,
    /// Bits by which `value` has been shifted left, one bit per amount.
    shift: Bits<L>,
    probe_request: Bits<L>,
}

/// The update pipeline of VPs: rate, bandwidth limit, probe request and view for requests.
#[name_nets]
pub struct BandwidthEstimator<L: Logic> {
    sizes: ElabSizes,
    rate: Rate<L>,
    estimates: WriteFirstRam<L, VpEstimate<L>>,
    /// Steps `l` + 3 to 7.
    event_delay: Delay<VpEvent<L>>,
    /// Steps 8 to `l` + 8, while the row is read.
    read_delay: Delay<VpEvent<L>>,
    /// Steps `l` + 9 to `l` + 13.
    vp_event: PipelineRegs<VpEvent<L>>,
    /// Steps `l` + 8 to `l` + 10.
    estimate: PipelineRegs<VpEstimate<L>>,
    /// Step `l` + 9: the new rate times `settings_alpha`.
    fresh_part: Reg<Bits<L>>,
    /// Step `l` + 9: the old average times 256 minus `settings_alpha`.
    old_part: Reg<Bits<L>>,
    averaged: Reg<Averaged<L>>,
    /// Steps `l` + 11 and `l` + 12.
    new_estimate: PipelineRegs<VpEstimate<L>>,
    /// Step `l` + 12: shifted by 8 and 4.
    coarse: Reg<Available<L>>,
    /// Step `l` + 13: shifted by 2 and 1, too.
    available: Reg<Available<L>>,
    vp_update: Reg<VpUpdate<L>>,
    response: Reg<Response<L>>,
}

#[name_nets]
impl<L: Logic> BandwidthEstimator<L> {
    pub fn new(sizes: ElabSizes) -> Self {
        let (flag, rate, time, l) = (bits(1), bits(RATE_WIDTH), bits(TIME_WIDTH), sizes.ram_latency);
        let (vp_event, span) = vp_event(sizes);
        let estimate: VpEstimate<Shape> =
            VpEstimate { bandwidth: rate, rate, probe_armed: flag, since: time, probe_request: flag };
        let available = |shift| Available { has_available: flag, value: rate, shift: bits(shift), probe_request: flag };
        BandwidthEstimator {
            sizes,
            rate: Rate::new(span.count, RATE_WIDTH),
            estimates: WriteFirstRam::new(sizes.rows(), l, 1, &estimate),
            event_delay: Delay::new(&vp_event, 5 - l as usize),
            read_delay: Delay::new(&vp_event, l as usize + 1),
            vp_event: PipelineRegs::new(l + 9..=l + 13, &vp_event),
            estimate: PipelineRegs::new(l + 8..=l + 10, &estimate),
            fresh_part: Reg::new(&bits(RATE_WIDTH + 9)),
            old_part: Reg::new(&bits(RATE_WIDTH + 9)),
            averaged: Reg::new(&Averaged { rate, time, waited: flag }),
            new_estimate: PipelineRegs::new(l + 11..=l + 12, &estimate),
            coarse: Reg::new(&available(2)),
            available: Reg::new(&available(4)),
            vp_update: Reg::new(&sizes.vp_update()),
            response: Reg::new(&response(sizes)),
        }
    }

    /// The update of `vp_view` with a changed VP.
    pub fn vp_update(&self) -> VpUpdate<L> {
        self.vp_update.get()
    }

    pub fn response(&self) -> Response<L> {
        self.response.get()
    }

    /// One clock cycle: `entering` is the event in step `l` + 2 with the packets and time of an update.
    pub fn clock(&self, entering: (VpEvent<L>, Span<L>), control: &Control<L>, settings: &Settings<L>, time: Bits<L>) {
        let (entering, span) = entering;
        let (l, reads, read) = (self.sizes.ram_latency, self.event_delay.get(), self.estimates.data(0));
        let [event_9, event_10, event_11, event_12, event_13] = self.vp_event.each();

        // l + 13
        self.publish(event_13, self.available.get());

        // l + 12
        self.answer(event_12, self.new_estimate.at(l + 12), control);
        let coarse = self.coarse.get();
        let (value, shift) = normalize(coarse.value, [2, 1]);
        self.available.set(Available { value, shift: coarse.shift.concat(shift), ..coarse });

        // l + 11
        let row = self.new_estimate.at(l + 11);
        self.new_estimate.set(l + 12, row);
        let has_available = row.rate.less(row.bandwidth).named("has_available");
        let value = select(has_available, row.bandwidth - row.rate, row.bandwidth);
        let (value, shift) = normalize(value, [8, 4]);
        self.coarse.set(Available { has_available, value, shift, probe_request: row.probe_request });
        let write =
            Access { valid: event_11.valid & event_11.writes(), index: self.sizes.row(event_11.pair, event_11.vp) };
        self.estimates.clock(&[self.sizes.row(reads.pair, reads.vp)], write, row);

        // l + 10
        when(event_10.valid, || {
            self.new_estimate.set(l + 11, self.update(event_10, self.estimate.at(l + 10), control));
        });

        // l + 9
        when(event_9.valid, || {
            let (sum, row) = (self.fresh_part.get() + self.old_part.get(), self.estimate.at(l + 9));
            let waited = row.probe_armed & (time - row.since).at_least(settings.explore);
            self.averaged.set(Averaged { rate: sum.slice(8, RATE_WIDTH), time, waited });
            self.estimate.set(l + 10, row);
        });

        // l + 8
        let fresh = self.read_delay.get();
        when(fresh.valid, || {
            let rest = Bits::lit(9, 256) - settings.alpha.extend(9);
            self.fresh_part.set((self.rate.rate() * settings.alpha).extend(RATE_WIDTH + 9));
            let row = self.estimate.at(l + 8);
            self.old_part.set(row.rate * rest);
            self.estimate.set(l + 9, row);
        });
        self.estimate.set(l + 8, read);
        self.vp_event.shift(fresh);

        // l + 2 to l + 7
        self.read_delay.shift(reads);
        self.event_delay.shift(entering);
        self.rate.clock(entering.valid, span.count, span.units.extend(SPAN_WIDTH));
    }

    /// Step `l` + 10: the row after an update, a command or the sweep.
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

    /// Step `l` + 12: the response to a command.
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

    /// Step `l` + 13: the available bandwidth as a mantissa and a power of two (row V5).
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
