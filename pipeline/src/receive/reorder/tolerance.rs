// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gaps above the tolerance (rows R13 to R16). With memories of latency `l`:
//!
//! ```text
//!  cycle v          visit: a connection to `gaps`
//!        v + l      age and span in the next clock cycle
//!        v + l + 1  compare: span and age with the tolerance; above it, visits stop
//!        v + l + 2  a check is due: it enters in the place of an arrival, in cycle k
//!        k + l + 10 report: the gap is there, and the search has found its end
//!                   seek: the search has found the next missing PSN
//!                   renew: the horizons are other ones
//!        k + l + 11 event, and visits again when it has been taken
//! ```
//!
//! There is one check or one event at a time, and all that they have found is in the row of the connection: the next visit is of the
//! same one, and says what is to be done from there on. So what arrives meanwhile is never reported, and a gap that has to wait
//! is found by a later visit.

use super::config::ReorderConfig;
use super::found::Found;
use super::pass::Pass;
use super::ports::{Command, Event, TIME_WIDTH, op};
use super::progress::Progress;
use super::settings::InForce;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::secded::Upsets;
use crate::blocks::table::{Access, WriteFirstRam};
use rtl_model::{Bits, Bundle, Logic, Pipeline, Reading, Reg, across, bits, constant, name_nets, select, when};

/// The pipeline of visits.
const VISIT: Pipeline = Pipeline::new("visit");

/// Width of the number of checks of one connection that follow each other (row R16).
const CHECKS_WIDTH: u32 = 5;

/// The time after which a gap is reported once more has so many bits more than the tolerance: it is four tolerances. The packet that
/// was sent again may be lost, too.
const REPEAT_BITS: u32 = 2;

/// What visits read of a connection.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
struct Gap<L: Reading> {
    /// There may be a gap that has not been reported.
    pending: Bits<L>,
    /// A PSN that is not behind `reported`, nor more than a window before it.
    #[shape(config.psn())]
    near: Bits<L>,
    /// The missing PSNs before this one have been reported.
    #[width(config.count_bits())]
    reported: Bits<L>,
    /// It is the expected PSN, which is missing.
    at_expected: Bits<L>,
    #[width(config.slot_bits())]
    highest: Bits<L>,
    has_older: Bits<L>,
    has_newer: Bits<L>,
    newer_is_last: Bits<L>,
    /// The time of the older horizon, if it is ahead, or else of the newer one.
    #[width(TIME_WIDTH)]
    since: Bits<L>,
    /// The expected PSN is missing and has been reported, at this time last and not too often.
    waits: Bits<L>,
    #[width(TIME_WIDTH)]
    since_report: Bits<L>,
    #[width(config.count_bits())]
    expected: Bits<L>,
}

/// The tolerance of a connection.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
struct OwnTolerance<L: Reading> {
    /// It has its own; otherwise that of the settings counts.
    own: Bits<L>,
    #[width(config.slot_bits())]
    span: Bits<L>,
    #[width(TIME_WIDTH)]
    time: Bits<L>,
}

/// The tolerance that counts: that of the connection, or of the settings.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
struct Limit<L: Reading> {
    #[width(config.slot_bits())]
    span: Bits<L>,
    #[width(TIME_WIDTH)]
    time: Bits<L>,
}

/// What a visit has found of a connection.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
struct Measured<L: Reading> {
    /// Time since that of the horizon.
    #[width(TIME_WIDTH)]
    age: Bits<L>,
    /// Distance of the highest PSN from the one up to which gaps have been reported.
    #[width(config.slot_bits())]
    span: Bits<L>,
    /// Distance of this one from the PSN near it.
    #[width(config.count_bits())]
    ahead: Bits<L>,
    /// Time since the gap at the expected PSN was reported, and the distance of the PSN near it from that one.
    #[width(TIME_WIDTH)]
    report_age: Bits<L>,
    #[width(config.count_bits())]
    behind: Bits<L>,
}

/// A check that is due, or has entered.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
pub struct Check<L: Reading> {
    /// It has not entered.
    #[reset]
    due: Bits<L>,
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// The PSN from which on a gap is looked for.
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// It may have been received: the next missing one is looked for.
    pub seeks: Bits<L>,
    /// The horizons are to be renewed.
    pub renews: Bits<L>,
    by_span: Bits<L>,
    by_time: Bits<L>,
}

/// Visits to all connections, checks and events.
#[name_nets]
pub struct Tolerance<L: Logic> {
    config: ReorderConfig,
    gaps: WriteFirstRam<L, Gap<L>>,
    tolerances: WriteFirstRam<L, OwnTolerance<L>>,
    visiting: Reg<Bits<L>>,
    /// The next connection.
    next: Reg<Bits<L>>,
    /// Steps 1 to `l` + 1 of visits.
    visits: PipelineRegs<Access<L>>,
    gap: Reg<Gap<L>>,
    limit: Reg<Limit<L>>,
    measured: Reg<Measured<L>>,
    check: Reg<Check<L>>,
    /// The last check was a seek: the PSN up to which gaps have been reported is missing.
    sought: Reg<Bits<L>>,
    /// Checks of one connection that have followed each other, 0 for the last of them.
    checks: Reg<Bits<L>>,
    event: Reg<Event<L>>,
}

#[name_nets]
impl<L: Logic> Tolerance<L> {
    pub fn new(config: ReorderConfig) -> Self {
        let (flag, connection, l) = (bits(1), config.connection(), config.ram_latency);
        let (gap, own) = (Gap::shape(config), OwnTolerance::shape(config));
        Tolerance {
            config,
            gaps: WriteFirstRam::new(config.connections, config.ram(), 1, &gap),
            tolerances: WriteFirstRam::new(config.connections, config.ram(), 1, &own),
            visiting: Reg::starting_at(&flag, Bits::lit(1, 1)).with_reset(),
            next: Reg::new(&connection).with_reset(),
            visits: PipelineRegs::new(1..=l + 1, &Access { valid: flag, index: connection }).checked(VISIT),
            gap: Reg::new(&gap),
            limit: Reg::new(&Limit::shape(config)),
            measured: Reg::new(&Measured::shape(config)),
            check: Reg::new(&Check::shape(config)),
            sought: Reg::new(&flag).with_reset(),
            checks: Reg::new(&bits(CHECKS_WIDTH)).with_reset(),
            event: Reg::new(&Event::shape(config)),
        }
    }

    /// A check is due: no arrival can enter.
    pub fn check_due(&self) -> Bits<L> {
        self.check.get().due
    }

    /// The check that is due, or was the last one.
    pub fn check(&self) -> Check<L> {
        self.check.get()
    }

    /// The suspected loss that is output.
    pub fn event(&self) -> Event<L> {
        self.event.get()
    }

    /// What was wrong with rows that have been used.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        [self.gaps.upsets(), self.tolerances.upsets()].concat()
    }

    /// One clock cycle: the passes in all steps; what has been found in steps `l` + 10 and `l` + 11, and the row of
    /// progress in step `l` + 11; the command, and whether it is done; no visits while `busy`; `settings` and `time` are those of the
    /// next clock cycle.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        [deciding, written]: [Found<L>; 2],
        (row, (command, done)): (Progress<L>, (Command<L>, Bits<L>)),
        busy: Bits<L>,
        settings: InForce<L>,
        time: Bits<L>,
        ready: Bits<L>,
    ) {
        let l = self.config.ram_latency;
        let reading = self.visits.at(l);
        let (checked, event, check) = (passes[l as usize + 10], self.event.get(), self.check.get());
        let (visiting, next, compared) = (self.visiting.get(), self.next.get(), self.visits.last());
        let (yes, no) = (Bits::lit(1, 1), Bits::lit(1, 0));

        // l + 10 of a check, and the end of its event.
        let taken = event.valid & ready;
        let Check { connection, psn: first, by_span, by_time, .. } = check;
        when(deciding.reports, || {
            self.event.set(Event { valid: yes, connection, first, last: deciding.expected - 1, by_span, by_time });
        })
        .or_when(taken, || self.event.set(Event { valid: no, ..event }));

        // l + 1 of a visit
        let sought = self.sought.get();
        let found = self.compare(compared, sought);
        let finds = found.due;
        when(finds, || self.check.set(found)).or_when(passes[0].checks, || self.check.set(Check { due: no, ..check }));
        let checks = self.checks.get();
        let follows = checked.checks & checked.seeks & checks.any();
        self.sought.set(follows | sought & !compared.valid);

        let visits = visiting & !busy;
        let resumes = taken | checked.checks & !deciding.reports;
        self.visiting.set((visiting | resumes) & !finds);
        when(compared.valid, || self.checks.set((checks + 1).gate(finds)));
        let stays = !checks.all();
        when(finds, || self.next.set(compared.index + (!stays).extend(next.width())))
            .or_when(visits, || self.next.set(next + 1));

        // 0 to l of a visit; those behind the one that finds a gap are without effect.
        let ends = across(finds);
        for step in (1..=l).rev() {
            let visit = self.visits.at(step);
            self.visits.set(step + 1, Access { valid: visit.valid & !ends, ..visit });
        }
        self.visits.set(1, Access { valid: visits & !ends, index: next });
        let read = self.gaps.data(0);
        self.gaps.check(0, reading.valid);
        let slot = |psn: Bits<L>| psn.truncate(self.config.slot_bits());
        let near = read.near.truncate(self.config.count_bits());
        self.measured.set(Measured {
            age: time - read.since,
            span: read.highest - slot(read.reported),
            ahead: read.reported - near,
            report_age: time - read.since_report,
            behind: near - read.expected,
        });
        self.gap.set(read);
        self.tolerances.check(0, reading.valid);
        // It is chosen here, and not behind the register, as the comparison is long.
        let own = self.tolerances.data(0);
        let common = Limit { span: settings.span, time: settings.time };
        self.limit.set(select(own.own, Limit { span: own.span, time: own.time }, common));

        // l + 11
        let pass = passes[l as usize + 11];
        let advanced = written.reports | written.seeks;
        let shown = Gap {
            pending: row.pending,
            near: select(pass.checks & !advanced, pass.psn, written.expected),
            reported: row.reported,
            at_expected: row.at_expected,
            highest: slot(written.highest),
            has_older: row.has_older,
            has_newer: row.has_newer,
            newer_is_last: row.newer_is_last,
            since: select(row.has_older, row.since_older, row.since_newer),
            waits: row.gap & !row.at_expected & !row.repeats.all(),
            since_report: row.since_report,
            expected: row.expected,
        };
        self.gaps.clock(&[next], Access { valid: pass.valid, index: pass.connection }, shown);
        let changes = pass.applies & done & command.op.equals(constant!(op::CHANGE));
        let write = Access { valid: pass.starts() | changes, index: pass.connection };
        let own = OwnTolerance { own: command.own_tolerance & !pass.sweeps, span: command.span, time: command.time };
        self.tolerances.clock(&[next], write, own);
    }

    /// Step `l` + 1 of a visit: the check that it makes due, if it finds something to do. The PSN up to which gaps have been
    /// reported is missing if it is the expected one, or if it has just been `sought`.
    fn compare(&self, visit: Access<L>, sought: Bits<L>) -> Check<L> {
        let (gap, Measured { age, span, ahead, report_age, behind }) = (self.gap.get(), self.measured.get());
        let limit = self.limit.get();
        // Otherwise no age is above the tolerance, and horizons are without use.
        let has_limit = !limit.time.all();
        let above_half = age.greater(limit.time.slice(1, TIME_WIDTH - 1).extend(TIME_WIDTH));
        let by_time = gap.pending & gap.has_newer & age.greater(limit.time);
        let by_span = gap.pending & span.greater(limit.span);
        let reports = (by_time | by_span).named("reports");
        let has_repeat = !limit.time.slice(TIME_WIDTH - REPEAT_BITS, REPEAT_BITS).any();
        let most = limit.time.truncate(TIME_WIDTH - REPEAT_BITS).concat(!Bits::lit(REPEAT_BITS, 0));
        // A report goes first: what is due does not depend on which of them it is.
        let repeats = (has_repeat & gap.waits & report_age.greater(most)).named("repeats");
        let renews = has_limit & gap.pending & !gap.has_older & !gap.newer_is_last & (!gap.has_newer | above_half);
        let psn_bits = self.config.psn_bits;
        Check {
            due: visit.valid & (reports | repeats | renews),
            connection: visit.index,
            psn: select(repeats & !reports, gap.near - behind.extend(psn_bits), gap.near + ahead.extend(psn_bits)),
            seeks: reports & !gap.at_expected & !sought,
            renews: !reports & !repeats,
            by_span,
            by_time,
        }
    }
}
