// SPDX-License-Identifier: MIT OR Apache-2.0
//! The scan of a PDC (rows D21 to D25): its head, an examination of each PSN, its end. With memories of latency `l`:
//!
//! ```text
//!  head         s         enters
//!               s + l + 4 is the PDC overdue? is it behind? is its backoff over?
//!               s + l + 5 the first examination waits; or the scan is void, and over
//!  examination  2 l + 6   is its packet late?      2 l + 8  which one is the oldest that is not?
//!  end          2 l + 10 after the last examination: it waits; over as it enters, or when the failure was taken
//! ```
//!
//! A *lose* has no head: its scan is under way from the clock cycle after it entered, whether it is done or not.

use super::config::PacketTrackerConfig;
use super::pass::{PASS, Pass, Record};
use super::ports::failure_reason::{NO_PATH, NO_ROOM, REFUSED, TIMEOUTS};
use super::ports::{Command, Failure, RETRY_LIMIT_WIDTH, RTO_WIDTH, TIME_WIDTH, failure_reason};
use super::serving::Serving;
use super::settings::InForce;
use super::timeout::limited;
use super::walk::Finish;
use super::window::Window;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::Access;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, across, bits, name_nets, select, when};

/// A step of a scan that waits. At most one of its kinds is 1.
#[derive(Clone, Copy)]
pub struct Step<L: Logic> {
    pub heads: Bits<L>,
    pub examines: Bits<L>,
    pub completes: Bits<L>,
    pub pdc: Bits<L>,
    pub psn: Bits<L>,
}

#[name_nets]
impl<L: Logic> Step<L> {
    /// There is one.
    pub fn valid(&self) -> Bits<L> {
        self.heads | self.examines | self.completes
    }
}

/// What the head of a scan finds, in step `l` + 4.
#[derive(Clone, Copy)]
pub struct Verdict<L: Logic> {
    /// It is a scan by time, or by span, or of the tail, or the end of a backoff.
    pub by_time: Bits<L>,
    pub by_span: Bits<L>,
    pub by_tail: Bits<L>,
    pub by_backoff: Bits<L>,
    /// It is the last backoff.
    pub is_last: Bits<L>,
    /// Time-outs in a row.
    pub retries: Bits<L>,
    /// So many of them in a row, and the next one is the last.
    pub limit: Bits<L>,
    /// The time-out, without a limit.
    pub timeout: Bits<L>,
    /// PSNs from the base on that scans by span have examined.
    pub examined: Bits<L>,
}

/// What the end of a scan does.
#[derive(Clone, Copy)]
pub struct ScanResult<L: Logic> {
    /// It starts the timer anew, and is one by time.
    pub restarts: Bits<L>,
    pub changes: Bits<L>,
    /// PSNs were taken for lost; or one was late, and the scan is the last.
    pub doubles: Bits<L>,
    /// The PDC fails.
    pub fails: Bits<L>,
    /// The tail has been probed.
    pub probes: Bits<L>,
    /// A backoff ends.
    pub is_backoff: Bits<L>,
    /// No packet was late: the stamp of the oldest one in flight.
    pub has_oldest: Bits<L>,
    pub oldest: Bits<L>,
}

/// What a scan is.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
struct Mode<L: Reading> {
    by_time: Bits<L>,
    by_span: Bits<L>,
    /// Of the last packet.
    by_tail: Bits<L>,
    /// The end of a backoff.
    by_backoff: Bits<L>,
    /// By command: it has this EV, or any.
    by_command: Bits<L>,
    all: Bits<L>,
    #[width(config.ev_bits)]
    ev: Bits<L>,
    /// By time: no packet is taken for lost, the PDC fails.
    is_last: Bits<L>,
    /// By command or backoff: the PDC fails at the end, as no path is left, the peer refuses or has no room.
    fails: Bits<L>,
    refused: Bits<L>,
    /// The time-out, or the time up to the probe.
    #[width(RTO_WIDTH)]
    timeout: Bits<L>,
}

/// What is still to be examined.
#[derive(Bundle)]
struct Cursor<L: Reading> {
    /// The PSN, as its distance from the base of the head.
    place: Bits<L>,
    left: Bits<L>,
}

/// The oldest packet in flight that is not late.
#[derive(Bundle)]
#[shape]
struct Oldest<L: Reading> {
    valid: Bits<L>,
    #[width(TIME_WIDTH)]
    age: Bits<L>,
    #[width(TIME_WIDTH)]
    stamp: Bits<L>,
}

/// Where a scan is.
#[derive(Bundle)]
#[shape]
struct Progress<L: Reading> {
    /// It is under way.
    #[reset]
    active: Bits<L>,
    /// An examination waits, or the end.
    #[reset]
    examines: Bits<L>,
    #[reset]
    completes: Bits<L>,
    /// The end has entered, and the PDC fails.
    #[reset]
    fails: Bits<L>,
    /// The head in step `l` + 5 has found nothing.
    is_void: Bits<L>,
}

/// What is known in a clock cycle.
pub struct ScanIn<'a, L: Logic> {
    /// The passes in all steps; that in step 0 enters now.
    pub passes: &'a [Pass<L>],
    /// The PDC of a head that enters.
    pub hit: Access<L>,
    pub settings: InForce<L>,
    /// Step `l` + 4.
    pub verdict: Verdict<L>,
    pub window: Window<L>,
    /// A *lose* enters; the second pass of a walk enters.
    pub loses: Bits<L>,
    pub finish: Finish<L>,
    pub walk: Serving<L>,
    pub command: Command<L>,
    /// Step 2 `l` + 8: an examination has found a packet in flight; it is late; its record, and its age.
    pub in_flight: Bits<L>,
    pub late: Bits<L>,
    pub record: Record<L>,
    pub age: Bits<L>,
    pub failure_ready: Bits<L>,
}

/// The scan.
#[name_nets]
pub struct Scan<L: Logic> {
    config: PacketTrackerConfig,
    progress: Reg<Progress<L>>,
    pdc: Reg<Bits<L>>,
    settings: Reg<InForce<L>>,
    mode: Reg<Mode<L>>,
    /// The base of the head.
    base: Reg<Bits<L>>,
    cursor: Reg<Cursor<L>>,
    /// A packet of this age is late.
    late_age: Reg<Bits<L>>,
    /// The base has moved since the head; a packet was late.
    moved: Reg<Bits<L>>,
    any_late: Reg<Bits<L>>,
    oldest: Reg<Oldest<L>>,
    /// Steps 1 to 2 `l` + 9: it is the last one.
    finals: PipelineRegs<Bits<L>>,
    failure: Reg<Failure<L>>,
    /// What the peer has said.
    code: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Scan<L> {
    pub fn new(config: PacketTrackerConfig) -> Self {
        let (flag, count, time) = (bits(1), config.count(), bits(TIME_WIDTH));
        let mode = Mode::shape(config);
        Scan {
            config,
            progress: Reg::new(&Progress::shape()),
            pdc: Reg::new(&config.pdc()),
            settings: Reg::new(&InForce::shape(config)).without_reset(),
            mode: Reg::new(&mode),
            base: Reg::new(&config.psn()),
            cursor: Reg::new(&Cursor { place: count, left: count }),
            late_age: Reg::new(&bits(RTO_WIDTH)),
            moved: Reg::new(&flag),
            any_late: Reg::new(&flag),
            oldest: Reg::new(&Oldest::shape()),
            finals: PipelineRegs::new(1..=config.outputs(), &flag).checked(PASS).with_reset(),
            failure: Reg::new(&Failure::shape(config)),
            code: Reg::new(&Failure::shape(config).code),
        }
    }

    /// A scan is under way.
    pub fn active(&self) -> Bits<L> {
        self.progress.get().active
    }

    /// The settings of its head.
    pub fn settings(&self) -> InForce<L> {
        self.settings.get()
    }

    /// The step that waits, if this PDC has been hit.
    pub fn step(&self, hit: Access<L>) -> Step<L> {
        let Progress { active, examines, completes, .. } = self.progress.get();
        let pdc = select(active, self.pdc.get(), hit.index);
        let psn = self.base.get() + self.cursor.get().place.extend(self.config.psn_bits);
        Step { heads: hit.valid & !active, examines, completes, pdc, psn }
    }

    /// What the end does.
    pub fn result(&self) -> ScanResult<L> {
        let (mode, oldest, late) = (self.mode.get(), self.oldest.get(), self.any_late.get());
        let stays = !self.moved.get();
        let changes = mode.by_time & stays;
        let (of_tail, is_young) = (mode.by_tail & stays, oldest.valid & !late);
        ScanResult {
            restarts: changes | of_tail & is_young,
            changes,
            probes: of_tail & !is_young,
            doubles: late & !mode.is_last,
            fails: changes & late & mode.is_last | mode.fails,
            is_backoff: mode.by_backoff,
            has_oldest: is_young,
            oldest: oldest.stamp,
        }
    }

    /// Step 2 `l` + 6: the packet of this record and age is late; and is it taken for lost?
    pub fn late(&self, record: Record<L>, age: Bits<L>) -> [Bits<L>; 2] {
        let mode = self.mode.get();
        // An age says nothing of a time that is longer than half of its range: nothing has been sent for so long.
        let (late_age, half) = (self.late_age.get(), TIME_WIDTH - 1);
        let beyond = mode.timeout.slice(half, RTO_WIDTH - half).any();
        let old = beyond | age.at_least(late_age.truncate(TIME_WIDTH));
        let suspicious = !record.rtx_count.any();
        let chosen = mode.all | record.ev.equals(mode.ev);
        let by_age = mode.by_time | mode.by_tail;
        let late = by_age & old | mode.by_span & suspicious | mode.by_command & chosen | mode.by_backoff;
        [late, late & !mode.is_last]
    }

    /// The packet that is taken for lost was so by time, by inference (span, tail, backoff) or by command.
    pub fn reasons(&self) -> [Bits<L>; 3] {
        let mode = self.mode.get();
        [mode.by_time, mode.by_span | mode.by_tail | mode.by_backoff, mode.by_command]
    }

    /// PSNs from the base on that are far enough behind the highest acknowledged one.
    pub fn behind(&self, window: Window<L>) -> Bits<L> {
        window.top - self.settings.get().span.extend(self.config.count_bits()) - 1
    }

    /// The failure that is output.
    pub fn failure(&self) -> Failure<L> {
        self.failure.get()
    }

    /// The scan is over in this clock cycle.
    pub fn over(&self, from: &ScanIn<L>) -> Bits<L> {
        let Progress { is_void, fails, .. } = self.progress.get();
        let nothing = from.passes[self.config.records() as usize + 1].heads & is_void;
        let result = self.result();
        let ends = from.passes[0].completes & !result.fails;
        let taken = fails & self.failure.get().valid & from.failure_ready;
        let refused = from.finish.valid & from.walk.loses & !from.walk.done;
        nothing | ends | taken | refused
    }

    /// One clock cycle.
    pub fn clock(&self, from: &ScanIn<L>) {
        let config = self.config;
        let (passes, walk) = (from.passes, from.walk);
        let entering = passes[0];
        let Progress { active, examines, completes, fails, .. } = self.progress.get();
        let (cursor, mode, oldest, result) = (self.cursor.get(), self.mode.get(), self.oldest.get(), self.result());
        let (over, failure, settings) = (self.over(from), self.failure.get(), self.settings.get());
        let behind = self.behind(from.window);
        let (yes, no) = (Bits::lit(1, 1), Bits::lit(1, 0));
        let is_final = entering.examines & cursor.left.equals(1);
        let declares = from.finish.valid & walk.loses & walk.done;
        let head = passes[config.records() as usize];
        let Verdict { by_time, by_span, by_tail, by_backoff, is_last, retries, limit, timeout, examined } =
            from.verdict;
        // Nobody looks for packets of a PDC that fails.
        // What is known last comes last.
        let finds = head.heads & (by_time | by_tail | by_backoff & !is_last | by_span);
        let gives_up = head.heads & by_backoff & is_last;
        let some = walk.length.any() & !walk.fails;

        self.progress.set(Progress {
            active: (active | entering.heads | from.loses) & !over,
            examines: (examines | declares & some | finds) & !is_final,
            completes: (completes | self.finals.last() | across(gives_up) | declares & !some) & !entering.completes,
            fails: (fails | entering.completes & result.fails) & !over,
            is_void: head.heads & !(by_time | by_tail | by_backoff | by_span),
        });

        // The failure, in the step of the outputs of the end.
        let ending = passes[config.outputs() as usize];
        let reason = |code| Bits::lit(failure_reason::WIDTH, code);
        let of_timer = select(mode.by_backoff, reason(NO_ROOM), reason(TIMEOUTS));
        let of_command = select(mode.refused, reason(REFUSED), reason(NO_PATH));
        self.failure.set(Failure {
            valid: ending.completes & fails | failure.valid & !from.failure_ready,
            pdc: self.pdc.get(),
            reason: select(mode.by_command, of_command, of_timer),
            code: self.code.get().gate(mode.refused),
        });

        // What examinations find, in step 2 l + 8.
        let stays = from.in_flight & !from.late & (!oldest.valid | from.age.greater(oldest.age));
        when(stays, || self.oldest.set(Oldest { valid: yes, age: from.age, stamp: from.record.stamp }));
        when(from.in_flight & from.late, || self.any_late.set(yes));
        // At once: the end may enter in the next clock cycle.
        let moves = from.finish.valid & walk.moves & from.finish.pdc.equals(self.pdc.get());
        when(moves, || self.moved.set(yes));
        when(passes[1].heads, || {
            self.moved.set(no);
            self.any_late.set(no);
            self.oldest.set(Oldest { valid: no, ..oldest });
        });
        self.late_age.set(mode.timeout - (mode.timeout >> 3));

        // The beginning.
        when(entering.heads, || {
            self.pdc.set(from.hit.index);
            self.settings.set(from.settings);
        });
        when(entering.examines, || self.cursor.set(Cursor { place: cursor.place + 1, left: cursor.left - 1 }));
        when(head.heads, || {
            let Window { base, length, .. } = from.window;
            // By span only those that are far enough behind, and have not been examined; of the tail the last one.
            let number = |value| Bits::lit(config.count_bits(), value);
            let of_span = Cursor { place: examined, left: behind - examined };
            let of_tail = Cursor { place: length - 1, left: number(1) };
            let of_all = Cursor { place: number(0), left: length };
            self.base.set(base);
            self.cursor.set(select(by_span, of_span, select(by_tail, of_tail, of_all)));
            self.mode.set(Mode {
                by_time,
                by_span,
                by_tail,
                by_backoff,
                by_command: no,
                all: no,
                ev: mode.ev,
                is_last: by_time & retries.extend(RETRY_LIMIT_WIDTH).at_least(limit),
                fails: by_backoff & is_last,
                refused: no,
                timeout: limited(timeout),
            });
        });
        when(declares, || {
            self.code.set(from.command.code);
            self.pdc.set(from.finish.pdc);
            self.base.set(walk.base);
            self.cursor.set(Cursor { place: Bits::lit(config.count_bits(), 0), left: walk.length });
            self.mode.set(Mode {
                by_time: no,
                by_span: no,
                by_tail: no,
                by_backoff: no,
                by_command: yes,
                all: from.command.all,
                ev: config.low_ev(from.command.ev),
                is_last: no,
                fails: from.command.force | walk.fails,
                refused: walk.fails,
                timeout: mode.timeout,
            });
        });
        self.finals.shift(is_final);
    }
}
