// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gaps above the tolerance (rows R13 to R16). With memories of latency `l`:
//!
//! ```text
//!  cycle v          visit: a connection to `gaps`
//!        v + l      age of the gap in the next clock cycle
//!        v + l + 1  compare: span and age with the tolerance; above it, visits stop
//!        v + l + 2  a check is due: it enters in the place of an arrival, in cycle k
//!        k + l + 10 the gap is there, and the search has found its end
//!        k + l + 11 event, and visits again when it has been taken
//! ```
//!
//! There is one check or one event at a time. A gap that has to wait for it is found by a later visit.

use super::config::ReorderConfig;
use super::found::Found;
use super::pass::Pass;
use super::ports::{Event, TIME_WIDTH};
use super::progress::Progress;
use super::settings::InForce;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::secded::Upsets;
use crate::blocks::table::{Access, WriteFirstRam};
use rtl_model::{Bits, Bundle, Logic, Pipeline, Reading, Reg, across, bits, name_nets, select, when};

/// The pipeline of visits.
const VISIT: Pipeline = Pipeline::new("visit");

/// What visits read of a connection.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
struct Gap<L: Reading> {
    /// There is a gap that has not been reported.
    due: Bits<L>,
    /// The expected PSN.
    #[shape(config.psn())]
    first: Bits<L>,
    #[width(config.slot_bits())]
    span: Bits<L>,
    #[width(TIME_WIDTH)]
    since: Bits<L>,
}

/// A check that is due, or has entered.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
struct Check<L: Reading> {
    /// It has not entered.
    #[reset]
    due: Bits<L>,
    #[shape(config.connection())]
    connection: Bits<L>,
    #[shape(config.psn())]
    first: Bits<L>,
    by_span: Bits<L>,
    by_time: Bits<L>,
}

/// Visits to all connections, checks and events.
#[name_nets]
pub struct Tolerance<L: Logic> {
    config: ReorderConfig,
    gaps: WriteFirstRam<L, Gap<L>>,
    visiting: Reg<Bits<L>>,
    /// The next connection.
    next: Reg<Bits<L>>,
    /// Steps 1 to `l` + 1 of visits.
    visits: PipelineRegs<Access<L>>,
    gap: Reg<Gap<L>>,
    /// Its age.
    age: Reg<Bits<L>>,
    check: Reg<Check<L>>,
    event: Reg<Event<L>>,
}

#[name_nets]
impl<L: Logic> Tolerance<L> {
    pub fn new(config: ReorderConfig) -> Self {
        let (flag, connection, psn, l) = (bits(1), config.connection(), config.psn(), config.ram_latency);
        let gap = Gap::shape(config);
        Tolerance {
            config,
            gaps: WriteFirstRam::new(config.connections, config.ram(), 1, &gap),
            visiting: Reg::starting_at(&flag, Bits::lit(1, 1)).with_reset(),
            next: Reg::new(&connection).with_reset(),
            visits: PipelineRegs::new(1..=l + 1, &Access { valid: flag, index: connection }).checked(VISIT),
            gap: Reg::new(&gap),
            age: Reg::new(&gap.since),
            check: Reg::new(&Check::shape(config)),
            event: Reg::new(&Event::shape(config)),
        }
    }

    /// A check is due: no arrival can enter.
    pub fn check_due(&self) -> Bits<L> {
        self.check.get().due
    }

    /// Connection and PSN of the check that is due.
    pub fn check(&self) -> (Bits<L>, Bits<L>) {
        let Check { connection, first, .. } = self.check.get();
        (connection, first)
    }

    /// The suspected loss that is output.
    pub fn event(&self) -> Event<L> {
        self.event.get()
    }

    /// What was wrong with rows that have been used.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        self.gaps.upsets()
    }

    /// One clock cycle: the passes in all steps; what has been found in steps `l` + 10 and `l` + 11, and the row of
    /// progress in step `l` + 11; no visits while `busy`; `time` is that of the next clock cycle.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        [deciding, written]: [Found<L>; 2],
        row: Progress<L>,
        busy: Bits<L>,
        settings: InForce<L>,
        time: Bits<L>,
        ready: Bits<L>,
    ) {
        let l = self.config.ram_latency;
        let reading = self.visits.at(l);
        let (checked, event, check, gap) =
            (passes[l as usize + 10], self.event.get(), self.check.get(), self.gap.get());
        let (visiting, next, compared) = (self.visiting.get(), self.next.get(), self.visits.last());
        let (yes, no) = (Bits::lit(1, 1), Bits::lit(1, 0));

        // l + 10 of a check, and the end of its event.
        let taken = event.valid & ready;
        let Check { connection, first, by_span, by_time, .. } = check;
        when(deciding.confirms, || {
            self.event.set(Event { valid: yes, connection, first, last: deciding.expected - 1, by_span, by_time });
        })
        .or_when(taken, || self.event.set(Event { valid: no, ..event }));

        // l + 1 of a visit
        let by_time = self.age.get().greater(settings.time);
        let by_span = gap.span.greater(settings.span);
        let finds = compared.valid & gap.due & (by_time | by_span);
        when(finds, || {
            self.check.set(Check { due: yes, connection: compared.index, first: gap.first, by_span, by_time });
        })
        .or_when(passes[0].checks, || self.check.set(Check { due: no, ..check }));

        let visits = visiting & !busy;
        let resumes = taken | checked.checks & !deciding.confirms;
        self.visiting.set((visiting | resumes) & !finds);
        when(finds, || self.next.set(compared.index + 1)).or_when(visits, || self.next.set(next + 1));

        // 0 to l of a visit; those behind the one that finds a gap are without effect.
        let ends = across(finds);
        for step in (1..=l).rev() {
            let visit = self.visits.at(step);
            self.visits.set(step + 1, Access { valid: visit.valid & !ends, ..visit });
        }
        self.visits.set(1, Access { valid: visits & !ends, index: next });
        let found = self.gaps.data(0);
        self.gaps.check(0, reading.valid);
        self.age.set(time - found.since);
        self.gap.set(found);

        // l + 11
        let pass = passes[l as usize + 11];
        let shown = Gap {
            due: row.gap & !row.reported,
            first: select(pass.checks, pass.psn, written.expected),
            span: written.span,
            since: row.since,
        };
        let valid = pass.valid & (!pass.checks | written.confirms);
        self.gaps.clock(&[next], Access { valid, index: pass.connection }, shown);
    }
}
