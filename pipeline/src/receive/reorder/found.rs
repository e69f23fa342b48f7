// SPDX-License-Identifier: MIT OR Apache-2.0
//! The outcome of an arrival, when the search has found the expected PSN (row R2). With memories of latency `l`:
//!
//! ```text
//!  l + 8   distance of the highest PSN from the base
//!  l + 9   outcome, expected PSN
//!  l + 10 to l + 12
//! ```
//!
//! The expected PSN after the arrival tells all: a new packet before it was the expected one, and a refused arrival has
//! not changed it.

use super::config::ReorderConfig;
use super::pass::{PASS, Pass};
use super::ports::{OUTCOME_WIDTH, outcome};
use super::window::{Distance, Seen};
use crate::blocks::counter::Counter;
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Bundle, Constant, Logic, Reading, Reg, bits, constant, name_nets, select};

/// What has been found of a pass.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
pub struct Found<L: Reading> {
    pub open: Bits<L>,
    #[width(OUTCOME_WIDTH)]
    pub outcome: Bits<L>,
    /// The packet is received: in order or held.
    #[reset]
    pub new: Bits<L>,
    /// It moves the expected PSN.
    #[reset]
    pub moves: Bits<L>,
    pub late: Bits<L>,
    /// It begins a gap behind the highest PSN.
    #[reset]
    pub jumps: Bits<L>,
    /// Packets are held.
    pub gap: Bits<L>,
    /// The expected PSN; check: the first PSN that is wanted.
    #[shape(config.psn())]
    pub expected: Bits<L>,
    #[shape(config.psn())]
    pub highest: Bits<L>,
    /// Packets before the expected PSN have not been read.
    pub draining: Bits<L>,
    /// Check: the gap is there, up to this PSN.
    #[reset]
    pub reports: Bits<L>,
    /// Check: all PSNs before this one have been received.
    #[reset]
    pub seeks: Bits<L>,
    /// Check: the horizons are renewed.
    #[reset]
    pub renews: Bits<L>,
}

/// Outcomes and expected PSNs.
#[name_nets]
pub struct Findings<L: Logic> {
    config: ReorderConfig,
    /// Step `l` + 9: the highest PSN minus that where the search begins.
    reach: Reg<Bits<L>>,
    /// Steps `l` + 10 to `l` + 12.
    found: PipelineRegs<Found<L>>,
    duplicates: Counter<L>,
    below_window: Counter<L>,
    above_window: Counter<L>,
    no_buffer: Counter<L>,
    unknown_connections: Counter<L>,
}

#[name_nets]
impl<L: Logic> Findings<L> {
    pub fn new(config: ReorderConfig) -> Self {
        let l = config.ram_latency;
        Findings {
            config,
            reach: Reg::new(&bits(config.count_bits())),
            found: PipelineRegs::new(l + 10..=l + 12, &Found::shape(config)).checked(PASS),
            duplicates: Counter::new(32),
            below_window: Counter::new(32),
            above_window: Counter::new(32),
            no_buffer: Counter::new(32),
            unknown_connections: Counter::new(32),
        }
    }

    /// What has been found of the pass in this step, `l` + 10 to `l` + 12.
    pub fn found(&self, step: u32) -> Found<L> {
        self.found.at(step)
    }

    /// Counters of duplicates, arrivals below the window, above it, without a buffer, and of unknown connections.
    pub fn refused(&self) -> [Bits<L>; 5] {
        [
            self.duplicates.get(),
            self.below_window.get(),
            self.above_window.get(),
            self.no_buffer.get(),
            self.unknown_connections.get(),
        ]
    }

    /// One clock cycle: the passes in all steps, the PSN where the search begins and the highest one in step `l` + 8, and
    /// in step `l` + 9 what has been seen and the result of the search.
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        (from, highest): (Bits<L>, Bits<L>),
        (distance, seen): (Distance<L>, Seen<L>),
        (advance, none): (Bits<L>, Bits<L>),
    ) {
        let l = self.config.ram_latency;
        let (arrived, found) = (passes[l as usize + 10], self.found.at(l + 10));

        // l + 10
        let ends = |code: Constant| arrived.arrives & found.outcome.equals(code);
        self.duplicates.count(ends(constant!(outcome::DUPLICATE)));
        self.below_window.count(ends(constant!(outcome::BELOW)));
        self.above_window.count(ends(constant!(outcome::ABOVE)));
        self.no_buffer.count(ends(constant!(outcome::NO_BUFFER)));
        self.unknown_connections.count(ends(constant!(outcome::UNKNOWN)));

        // l + 9
        let reach = self.reach.get();
        self.found.shift(self.find(passes[l as usize + 9], reach, distance, seen, advance, none));

        // l + 8
        self.reach.set((highest - from).truncate(self.config.count_bits()));
    }

    /// Step `l` + 9.
    fn find(
        &self,
        pass: Pass<L>,
        reach: Bits<L>,
        distance: Distance<L>,
        seen: Seen<L>,
        advance: Bits<L>,
        none: Bits<L>,
    ) -> Found<L> {
        let code = |code: Constant| code.lit(OUTCOME_WIDTH);
        let Distance { in_window, near, before, ahead, from } = distance;
        let top = self.config.slot_bits();
        let passed = in_window & ahead.less(advance);
        // Behind the window of the base there is no wrap: the advance is at most the window.
        let above = !near | (ahead - advance).bit(top);
        let refused = select(above, code(constant!(outcome::ABOVE)), code(constant!(outcome::NO_BUFFER)));
        // With frames, a packet in the window may be refused.
        let duplicate = match self.config.pool() {
            Some(_) => in_window & seen.known,
            None => in_window,
        };
        let refused = select(duplicate, code(constant!(outcome::DUPLICATE)), refused);
        let refused = select(before | passed, code(constant!(outcome::BELOW)), refused);
        let received = select(passed, code(constant!(outcome::IN_ORDER)), code(constant!(outcome::HELD)));
        let outcome = select(seen.new, received, refused);
        let outcome = select(pass.is_probe(), code(constant!(outcome::PROBE)), outcome);
        let known = pass.found & seen.open;
        let outcome = select(known, outcome, code(constant!(outcome::UNKNOWN)));

        // The highest PSN is the one before the expected PSN, or behind it.
        let beyond = reach - advance;
        let checks = pass.checks & seen.open & in_window & !none;
        Found {
            open: seen.open,
            outcome,
            new: seen.new,
            moves: seen.new & passed,
            late: seen.late,
            jumps: seen.jumps,
            gap: !beyond.bit(top),
            expected: from + advance.extend(self.config.psn_bits),
            highest: seen.highest,
            draining: advance.any(),
            reports: checks & !pass.seeks & !pass.renews & !seen.known,
            seeks: checks & pass.seeks,
            renews: pass.renews & seen.open,
        }
    }
}
