// SPDX-License-Identifier: MIT OR Apache-2.0
//! What reports and commands make of a VP: its rate, its bandwidth limit, whether it requests a probe (rows V11 to V13),
//! and what requests see of it. With memories of latency `l`:
//!
//! ```text
//!  step l + 2   packets divided by time, six steps; VP to `rates` in step 7, to `estimates` in step 9
//!       l + 8   old and new rate multiplied by their weights
//!       l + 9   their sum
//!       l + 10  rate, bandwidth limit, probe request; a loop of one clock cycle for one VP
//!       l + 11  rows written; available bandwidth
//!       l + 12  available bandwidth normalised, two steps; response
//!       l + 14  update in `vp_view`
//! ```
//!
//! Reports that indicate something, and commands, may follow each other in every clock cycle: the row of the VP is
//! modified in one step, with forwarding. The average takes more steps, and needs the old rate earlier. But two updates
//! of a VP are more than a unit of time apart (V10), so the first one is written before the second one reads its copy
//! of the rate, and the copy needs no forwarding.

use super::ports::{Command, Response};
use super::records::VpUpdate;
use super::report_accumulator::{Span, VpEvent, vp_event};
use super::settings::InForce;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, RmwTable, WriteFirstRam};
use crate::elab::normalize::normalize;
use crate::elab::rate::{Rate, SPAN_WIDTH};
use crate::elab::recent::Recent;
use crate::elab::{ElabSizes, RATE_WIDTH, TIME_WIDTH};
use rtl_model::{Bits, Bundle, Delay, Logic, Pipeline, Reading, Reg, Shape, bits, name_nets, select, when};

/// The pipeline of estimates.
const ESTIMATE: Pipeline = Pipeline::new("estimate");

/// State of a VP: bandwidth limit, rate and probe timer.
#[derive(Bundle)]
#[shape]
struct VpEstimate<L: Reading> {
    /// Bandwidth limit B: packets per unit, 16 fraction bits.
    #[width(RATE_WIDTH)]
    bandwidth: Bits<L>,
    /// Average rate R: packets per unit, 16 fraction bits.
    #[width(RATE_WIDTH)]
    rate: Bits<L>,
    /// 1 if the rate is above 0.
    rated: Bits<L>,
    /// 1 if the VP is armed for a probe.
    probe_armed: Bits<L>,
    /// Time from which the VP is armed, in units.
    #[width(TIME_WIDTH)]
    since: Bits<L>,
    /// Toggles with every request for a probe burst.
    probe_request: Bits<L>,
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
    estimates: RmwTable<L, VpEstimate<L>>,
    /// Copy of the rates in `estimates`.
    rates: WriteFirstRam<L, Bits<L>>,
    /// Steps `l` + 3 to 7.
    event_delay: Delay<VpEvent<L>>,
    /// Steps 8 to `l` + 13.
    vp_event: PipelineRegs<VpEvent<L>>,
    /// Step `l` + 8.
    old_rate: Reg<Bits<L>>,
    /// Step `l` + 9: the new rate times `settings_alpha`.
    fresh_part: Reg<Bits<L>>,
    /// Step `l` + 9: the old average times 256 minus `settings_alpha`.
    old_part: Reg<Bits<L>>,
    /// Step `l` + 10: the new average.
    averaged: Reg<Bits<L>>,
    /// Step `l` + 10: the times since which a VP has been armed for less than `settings_explore`.
    explore_window: Reg<Recent<L>>,
    /// Step `l` + 12.
    new_estimate: Reg<VpEstimate<L>>,
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
        let (flag, rate, l) = (bits(1), bits(RATE_WIDTH), sizes.ram_latency);
        let (vp_event, span) = vp_event(sizes);
        let estimate: VpEstimate<Shape> = VpEstimate::shape();
        let available = |shift| Available { has_available: flag, value: rate, shift: bits(shift), probe_request: flag };
        BandwidthEstimator {
            sizes,
            rate: Rate::new(span.count, 1, RATE_WIDTH),
            estimates: RmwTable::new(sizes.rows(), l, &estimate),
            rates: WriteFirstRam::new(sizes.rows(), l, 1, &rate),
            event_delay: Delay::new(&vp_event, 5 - l as usize),
            vp_event: PipelineRegs::new(8..=l + 13, &vp_event).checked(ESTIMATE),
            old_rate: Reg::new(&rate),
            fresh_part: Reg::new(&bits(RATE_WIDTH + 9)),
            old_part: Reg::new(&bits(RATE_WIDTH + 9)),
            averaged: Reg::new(&rate),
            explore_window: Reg::new(&Recent::shape()),
            new_estimate: Reg::new(&estimate),
            coarse: Reg::new(&available(2)),
            available: Reg::new(&available(4)),
            vp_update: Reg::new(&VpUpdate::shape(sizes)),
            response: Reg::new(&Response::shape(sizes)),
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
    pub fn clock(&self, entering: (VpEvent<L>, Span<L>), command: &Command<L>, settings: &InForce<L>, time: Bits<L>) {
        let (entering, span) = entering;
        let (l, reads, read) = (self.sizes.ram_latency, self.event_delay.get(), self.rates.data(0));
        let [event_8, event_9, event_10, event_11, event_12, event_13] =
            [8, 9, 10, 11, 12, 13].map(|step| self.vp_event.at(l + step));
        let (row, modified) = (self.estimates.operand(), self.estimates.modified());

        // l + 13
        self.publish(event_13, self.available.get());

        // l + 12
        self.answer(event_12, self.new_estimate.get(), command);
        let coarse = self.coarse.get();
        let (value, shift) = normalize(coarse.value, [2, 1]);
        self.available.set(Available { value, shift: coarse.shift.concat(shift), ..coarse });

        // l + 11
        self.new_estimate.set(modified);
        let has_available = modified.rate.less(modified.bandwidth).named("has_available");
        let value = select(has_available, modified.bandwidth - modified.rate, modified.bandwidth);
        let (value, shift) = normalize(value, [8, 4]);
        self.coarse.set(Available { has_available, value, shift, probe_request: modified.probe_request });
        let row_of = |event: &VpEvent<L>| self.sizes.row(event.pair, event.vp);
        let write = Access { valid: event_11.valid & event_11.has_row, index: row_of(&event_11) };
        self.rates.clock(&[row_of(&reads)], write, modified.rate);

        // 9, and the table's own steps
        let accesses = self.vp_event.at(9);
        let access = Access { valid: accesses.valid & accesses.has_row, index: row_of(&accesses) };
        self.estimates.clock(access, Bits::lit(1, 1));

        // l + 10
        when(event_10.valid & event_10.has_row, || self.estimates.modify(self.update(event_10, row, command)));

        // l + 9
        self.explore_window.set(Recent::of(time, settings.explore));
        when(event_9.valid, || self.averaged.set((self.fresh_part.get() + self.old_part.get()).slice(8, RATE_WIDTH)));

        // l + 8
        when(event_8.valid, || {
            self.fresh_part.set((self.rate.rate() * settings.alpha).extend(RATE_WIDTH + 9));
            self.old_part.set(self.old_rate.get() * settings.alpha_rest);
        });

        // l + 2 to l + 7
        self.old_rate.set(read);
        self.vp_event.shift(reads);
        self.event_delay.shift(entering);
        self.rate.clock(entering.valid, span.count, span.units.extend(SPAN_WIDTH));
    }

    /// Step `l` + 10: the row after a report, a command or the sweep. E takes the rate as it then is, and B comes after
    /// it (V12).
    fn update(&self, event: VpEvent<L>, row: VpEstimate<L>, command: &Command<L>) -> VpEstimate<L> {
        let VpEvent { updates, ecn, probed, adds, clears, .. } = event;
        let (averaged, explore_window) = (self.averaged.get(), self.explore_window.get());
        let rate = select(updates, averaged, row.rate);
        let rated = select(updates, averaged.any(), row.rated);
        let limited = select(ecn & rated, rate, row.bandwidth);
        let waited = row.probe_armed & !explore_window.has(row.since);
        let requests_probe = (updates & waited & !ecn & !probed).named("requests_probe");
        let empties = adds | clears;
        let kept = |x: Bits<L>| x.gate(!empties);
        VpEstimate {
            bandwidth: select(adds, command.bandwidth, kept(select(probed, event.rate, limited))),
            rate: kept(rate),
            rated: kept(rated),
            probe_armed: kept(ecn | row.probe_armed & !probed),
            since: kept(select(ecn | requests_probe, explore_window.time, row.since)),
            probe_request: kept(row.probe_request ^ requests_probe),
        }
    }

    /// Step `l` + 12: the response to a command.
    fn answer(&self, vp_event: VpEvent<L>, row: VpEstimate<L>, command: &Command<L>) {
        self.response.set(Response {
            valid: vp_event.valid & vp_event.is_command,
            op: command.op,
            pair: command.pair,
            sport: command.sport,
            done: vp_event.done,
            present: vp_event.present,
            port: vp_event.sport.gate(vp_event.present),
            bandwidth: row.bandwidth.gate(vp_event.present),
            rate: row.rate.gate(vp_event.present),
            probe_armed: row.probe_armed.gate(vp_event.present),
            dead: vp_event.dead & vp_event.present,
        });
    }

    /// Step `l` + 13: the available bandwidth as a mantissa and a power of two (row V5).
    fn publish(&self, vp_event: VpEvent<L>, available: Available<L>) {
        let leading = available.value.slice(RATE_WIDTH - 4, 4);
        let mantissa = leading | (!leading.any()).extend(4);
        self.vp_update.set(VpUpdate {
            valid: vp_event.valid & vp_event.changes(),
            pair: vp_event.pair,
            vp: vp_event.vp,
            mantissa,
            exponent: !available.shift,
            has_available: available.has_available,
            present: vp_event.present,
            probe_request: available.probe_request,
            answered: vp_event.answered,
            denied: vp_event.denied,
            returns: vp_event.returns,
            adds: vp_event.adds,
            sport: vp_event.sport,
        });
    }
}
