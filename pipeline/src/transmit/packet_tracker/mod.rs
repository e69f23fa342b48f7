// SPDX-License-Identifier: MIT OR Apache-2.0
//! `packet_tracker`: the window of packets sent and not acknowledged of every PDC. Contract:
//! `docs/stages/packet_tracker.md` (rows D1 to D38). With memories of latency `l`:
//!
//! ```text
//!  ack, send ->  enter      0 choose                                    scan, walk -> 0
//!                contexts   1 read                l + 2 open? allowed
//!                windows    2 read                l + 3 room? PSN       l + 5 in the window?
//!                timers     2 read                l + 3 age             l + 4 overdue? behind?  ->  scan
//!                records    l + 4 written, or read     2 l + 5 record   2 l + 6 age, late?
//!                states     l + 6 read            2 l + 7 in flight? marked
//!                counts     l + 7 read            2 l + 8 flying, marks, first
//!                outputs    2 l + 9               2 l + 10 (x)  ->  event, outcome, sent, response
//!                visits     2 l + 11 written
//!
//!  walk          judge      first pass: l + 4 distances   l + 10 what is named
//!                walk       2 l + 10 (q) turn: a visit, or the second pass enters (t)
//!                states     w word   w + l + 1 released
//!                releases   w + l + 2 the next packet     w + l + 5 (r) its record is read
//!                results    r + l + 3 outcome
//!
//!  visits        0 read     l + 1 age   l + 3 hit     ->  scan: head, examinations, end, each a pass
//! ```
//!
//! One pass enters per clock cycle. A single operation is one pass. A walk is two: the first one looks, and nothing
//! else enters until the second one, which changes the state. Between them the walk has the memories of states and
//! records for itself. So there is one order, each table is changed in one step, and records have one read port.

mod answers;
mod backoff;
mod codes;
mod commands;
mod config;
mod context;
mod contexts;
mod counters;
mod counts;
mod enter;
mod events;
mod judge;
mod marking;
mod named;
mod outcomes;
mod outputs;
mod pass;
mod ports;
mod records;
mod releases;
mod results;
mod scan;
mod serving;
mod settings;
mod states;
mod timeout;
mod timers;
mod visits;
mod walk;
mod window;
mod windows;

pub use config::{EV_WIDTH, OPEN, PacketTrackerConfig, PacketTrackerSettings};
pub use ports::*;

use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::latency_suffix;
use crate::blocks::unit_clock::UnitClock;
use answers::Answers;
use commands::{Commands, Shown};
use context::Limits;
use contexts::Contexts;
use counters::{Counters, Happened};
use counts::{Counts, CountsIn};
use enter::{Before, Enter, Entering};
use events::Events;
use judge::{Asked, Judge};
use outcomes::{Outcomes, Read};
use outputs::{Ending, Released};
use pass::{Load, PASS, Pass};
use records::{Records, RecordsIn};
use releases::Releases;
use results::Results;
use rtl_model::names::Scope;
use rtl_model::{Bits, Design, Logic, Reg, Shape, Stage, bits, constant, name_nets, select};
use scan::{Scan, ScanIn};
use settings::SettingsRegs;
use states::PacketStates;
use timers::Timers;
use visits::{Sight, Visits};
use walk::Walk;
use windows::Windows;

#[name_nets]
impl Design for PacketTrackerConfig {
    type Stage<L: Logic> = PacketTracker<L>;

    fn module_name(&self) -> String {
        format!("packet_tracker_{}{}", self.suffix(), latency_suffix(self.ram_latency))
    }

    fn build<L: Logic>(&self) -> PacketTracker<L> {
        PacketTracker::new(*self)
    }
}

/// The stage `packet_tracker`: which packets are on their way.
#[name_nets]
pub struct PacketTracker<L: Logic> {
    config: PacketTrackerConfig,
    clock: UnitClock<L>,
    /// The time of timers, which stands still while no frame can leave.
    timer_clock: UnitClock<L>,
    settings: SettingsRegs<L>,
    commands: Commands<L>,
    enter: Enter<L>,
    /// Steps 1 to 2 `l` + 11.
    passes: PipelineRegs<Pass<L>>,
    /// Steps 1 to 2 `l` + 9.
    loads: PipelineRegs<Load<L>>,
    /// The EVs of packets that are sent, in steps 1 to `l` + 4.
    evs: PipelineRegs<Bits<L>>,
    /// The times of passes, in steps 1 to 2 `l` + 5.
    times: PipelineRegs<Bits<L>>,
    /// Those of timers, in steps 1 to `l` + 3.
    timer_times: PipelineRegs<Bits<L>>,
    contexts: Contexts<L>,
    windows: Windows<L>,
    timers: Timers<L>,
    records: Records<L>,
    states: PacketStates<L>,
    counts: Counts<L>,
    judge: Judge<L>,
    walk: Walk<L>,
    releases: Releases<L>,
    results: Results<L>,
    scan: Scan<L>,
    visits: Visits<L>,
    /// Step 2 `l` + 9: the packet of a NACK or an examination is marked.
    takes: Reg<Bits<L>>,
    events: Events<L>,
    outcomes: Outcomes<L>,
    answers: Answers<L>,
    counters: Counters<L>,
}

#[name_nets]
impl<L: Logic> PacketTracker<L> {
    fn new(config: PacketTrackerConfig) -> Self {
        let l = config.ram_latency;
        PacketTracker {
            config,
            clock: UnitClock::new(TIME_WIDTH),
            timer_clock: UnitClock::new(TIMER_WIDTH),
            settings: SettingsRegs::new(config),
            commands: Commands::new(config),
            enter: Enter::new(config),
            // A scope of its own for each step, or all of them would be one long block of the Verilog.
            passes: PipelineRegs::of(1..=config.effect() + 1, |step| {
                let _scope = Scope::<L>::enter(&format!("step_{step}"), "");
                Reg::numbered(step, &Pass::shape(config))
            })
            .checked(PASS),
            loads: PipelineRegs::new(1..=config.outputs(), &Load::shape()).checked(PASS),
            evs: PipelineRegs::new(1..=config.records(), &PacketTrackerIn::shape(config).send.ev).checked(PASS),
            times: PipelineRegs::new(1..=2 * l + 5, &bits(TIME_WIDTH)).checked(PASS),
            timer_times: PipelineRegs::new(1..=config.windows(), &bits(TIMER_WIDTH)).checked(PASS),
            contexts: Contexts::new(config),
            windows: Windows::new(config),
            timers: Timers::new(config),
            records: Records::new(config),
            states: PacketStates::new(config),
            counts: Counts::new(config),
            judge: Judge::new(config),
            walk: Walk::new(config),
            releases: Releases::new(config),
            results: Results::new(config),
            scan: Scan::new(config),
            visits: Visits::new(config),
            takes: Reg::new(&bits(1)),
            events: Events::new(config),
            outcomes: Outcomes::new(config),
            answers: Answers::new(config),
            counters: Counters::new(),
        }
    }

    /// What enters in this clock cycle.
    fn entering(&self) -> Entering<L> {
        let before = Before {
            sweep: self.commands.sweep(),
            walking: self.walk.walking(),
            finish: self.walk.finish(),
            full: self.events.open().0 | self.outcomes.open().0,
            command: (self.commands.waits() & !self.scan.active(), self.commands.command().pdc),
            step: self.scan.step(self.visits.hit()),
        };
        self.enter.entering(&before)
    }

    /// What is known of the operation in step 2 `l` + 9.
    fn ending(&self) -> Ending<L> {
        let (l, step) = (self.config.ram_latency, self.config.outputs());
        let (pass, walk, results) = (self.passes.at(step), self.walk.serving(), &self.results);
        let (room, age) = (self.windows.room(step), self.records.age(l + 5));
        let again = pass.finishes & walk.agains;
        Ending {
            pass,
            load: self.loads.at(step),
            walk,
            owner: self.contexts.owner(step),
            room,
            counted: self.counts.counted(),
            // Of a pass that is still there: a reset discards passes.
            takes: self.takes.get() & pass.may_mark(),
            sends: room.sends & pass.news,
            again,
            repeats: again & self.walk.found().0,
            is_backoff: self.scan.result().is_backoff,
            found: self.records.record(l + 5),
            age,
            timed: !age.bit(TIME_WIDTH - 1),
            results: Released {
                packets: results.packets(),
                late_bytes: results.late_bytes(),
                quanta: results.quanta(),
                trigger: results.trigger(),
                repeated: results.repeated(),
            },
        }
    }

    /// What visits see of the PDC of the pass in step `l` + 5.
    fn sight(&self) -> Sight<L> {
        let ((timer, examined), extent) = (self.timers.after(), self.windows.extent());
        let limits = self.contexts.limits(self.config.records() + 1);
        let Limits { timer: own, backoff } = limits;
        let may_probe = extent.asks & !timer.probed;
        Sight {
            may: extent.some & (!timer.failed | limits.waits() & !backoff.is_last),
            since: timer.since,
            doublings: limits.doublings(timer.retries),
            may_probe,
            own: own.own,
            of_pdc: own.first(may_probe),
            waits: limits.waits(),
            first: backoff.wait.first,
            // A PDC that has failed is not behind.
            unexamined: (extent.top - examined).gate(!timer.failed),
        }
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for PacketTracker<L> {
    type In = PacketTrackerIn<L>;
    type Out = PacketTrackerOut<L>;

    fn input_shape(&self) -> PacketTrackerIn<Shape> {
        PacketTrackerIn::shape(self.config)
    }

    fn outputs(&self) -> PacketTrackerOut<L> {
        let busy = self.commands.busy();
        let [ack_ready, send_ready] = self.enter.ready().map(|ready| ready & !busy);
        let waits = self.commands.waits() | self.visits.hit().valid | !self.enter.empty();
        let under_way = self.walk.walking() | self.scan.active() | self.events.open().1 | self.outcomes.open().1;
        let [closed_events, outside_acks, old_totals, void_nacks, bad_times, late_acks, others @ ..] =
            self.counters.counts();
        let [refused_sends, empty_sends, timeouts, inferred_losses, declared_losses, backoffs] = others;
        PacketTrackerOut {
            ack_ready,
            send_ready,
            command_ready: self.commands.ready(),
            event: self.events.event(),
            outcome: self.outcomes.outcome(),
            failure: self.scan.failure(),
            sent: self.answers.sent(),
            response: self.commands.response(),
            now: self.clock.time(),
            quiet: !(busy | waits | under_way),
            ack_waiting: self.enter.ack_waits(),
            busy,
            counts: PacketTrackerCounts {
                closed_events,
                outside_acks,
                old_totals,
                void_nacks,
                bad_times,
                late_acks,
                refused_sends,
                empty_sends,
                timeouts,
                inferred_losses,
                declared_losses,
                backoffs,
            },
        }
    }

    fn clock(&self, input: &PacketTrackerIn<L>) {
        let (config, l) = (self.config, self.config.ram_latency);
        let (in_force, time, busy) = (self.settings.in_force(), self.clock.time(), self.commands.busy());
        let timer_time = self.timer_clock.time();
        let command = self.commands.command();
        let entering = self.entering();
        let Entering { pass, load, ev, from, .. } = entering;
        let (mut passes, mut loads, mut evs, mut times) = (vec![pass], vec![load], vec![ev], vec![time]);
        passes.extend(self.passes.all());
        loads.extend(self.loads.all());
        evs.extend(self.evs.all());
        times.extend(self.times.all());
        let at = |step: u32| passes[step as usize];

        // What the parts show of their registers, before any of them is clocked.
        let (walk, judged, finish, (found, offset)) =
            (self.walk.serving(), self.judge.judged(), self.walk.finish(), self.walk.found());
        let ending = self.ending();
        let (before, after) = (self.contexts.before(), self.contexts.after());
        let shown =
            Shown { context: self.contexts.context(), window: self.windows.window(), timer: self.timers.timer() };
        let window = shown.window;
        let (empty, sends) = (self.windows.empty(), self.windows.sends());
        let repeats = at(config.windows()).finishes & walk.agains;
        let sent_psn = self.windows.sent_psn(repeats, offset);
        let head_settings = self.scan.settings();
        let limits = self.contexts.context().limits;
        let of_head = self.contexts.limits(config.records());
        let verdict = self.timers.verdict(window, after.open, of_head, head_settings);
        let (hit, marked) = (self.visits.hit(), self.states.marked());
        let (judging, load_judged) = (config.states() - 1, loads[config.states() as usize - 1]);
        let (record, age) = (self.records.record(l + 2), self.records.age(l + 2));
        let [late, lost] = self.scan.late(record, age);
        let may = select(at(judging).examines, lost, marking::marks(load_judged, record));
        let room = !self.outcomes.open().0 | walk.agains;
        let (release, follows) = (self.releases.read(room), self.releases.follows());
        let begins = self.walk.access(&judged);
        let (visit, block, from_base) = (self.walk.visit(), self.walk.block(), self.walk.from_base());
        let sight = self.sight();
        let starts = entering.acks | entering.backs_off | entering.agains | entering.commands;
        let [is_lose, is_fail] = [constant!(op::LOSE), constant!(op::FAIL)].map(|code| command.op.equals(code));
        let loses = entering.commands & (is_lose | is_fail);
        let scan_in = ScanIn {
            passes: &passes,
            hit,
            settings: in_force,
            verdict,
            window,
            loses,
            finish,
            walk,
            command,
            in_flight: marked.in_flight,
            late: marked.late,
            record: self.records.record(l + 4),
            age: self.records.age(l + 4),
            failure_ready: input.failure_ready,
        };
        let over = self.scan.over(&scan_in);
        let read = Read {
            release: self.results.read(l + 3),
            psn: self.results.psn(),
            record: self.records.record(l + 3),
            age: self.records.age(l + 3),
        };
        let (added, timed) = (self.records.record(l + 1), self.records.record(l + 2));
        let released = self.results.read(l + 1);
        let repeated = self.results.repeated();
        let counts_in = CountsIn {
            sends: self.windows.room(config.states()).sends,
            takes: marked.takes,
            walk,
            found,
            released: self.results.packets(),
            first: self.results.first(),
        };
        let late_ack = release.valid & release.late & walk.accepted;
        let counted = self.counts.counted();
        let owner = self.contexts.owner(config.outputs());
        let inside = self.windows.inside();
        let step = self.scan.step(hit).valid();

        let bad_trigger = self.results.bad_time(age);
        self.counters.clock(Happened::of(&ending, self.scan.reasons(), bad_trigger, late_ack, self.contexts.begins()));
        self.answers.clock(&ending);
        self.commands.clock(&passes, &shown, &ending, input.command, finish.valid & walk.commands);
        let ended = at(config.effect());
        self.events.clock(entering.operates, &ending, ended.ends_operation(), input.event_ready);
        let opens = pass.may_mark() | release.valid & !walk.agains;
        self.outcomes.clock(opens, &ending, read, ended.may_mark(), input.outcome_ready);
        self.visits.clock(&passes, sight, (timer_time, in_force), busy, (pass.heads, loses), over);
        self.takes.set(marked.takes);
        let Entering { acks, agains, backs_off, ack, .. } = entering;
        let (last, backoff_limit) = (entering.send.last, in_force.backoff_limit);
        let asked = Asked { acks, agains, backs_off, ack, backoff_limit, ev, last };
        let begun = at(config.outputs()).looks;
        self.results.clock(begun, walk, release, [added, timed], age);
        let visited = self.states.clock(&passes, (may, late), inside, (walk, found), begins, visit, from_base);
        let trigger = (walk.has_trigger, walk.trigger);
        self.releases.clock(visited, block, walk.agains, trigger, room);
        self.walk.clock(starts, &passes, &judged, (owner, counted), (release, follows), command);
        self.counts.clock(&passes, counts_in);
        self.records.clock(&RecordsIn {
            passes: &passes,
            sends,
            ev: evs[config.records() as usize],
            loads: &loads,
            times: &times,
            walk,
            found,
            repeated,
            release,
            released,
        });
        let times_of_pass = (times[config.windows() as usize - 1], self.timer_times.last());
        let head = (verdict.by_span, self.scan.behind(window));
        let (begins_backoff, result) = (self.contexts.begins(), self.scan.result());
        let of_window = (empty, self.windows.asks());
        self.timers.clock(
            &passes,
            times_of_pass,
            of_window,
            (limits, begins_backoff),
            walk,
            &self.scan,
            head_settings,
            head,
        );
        self.scan.clock(&scan_in);
        self.judge.clock((starts, asked), &passes, (after, window), command);
        let sent = (evs[config.windows() as usize], loads[config.windows() as usize].asks);
        self.windows.clock(&passes, before, after, walk, &judged, command, found, sent);
        let of_walk = (found, judged.next.length.any());
        self.contexts.clock(&passes, walk, of_walk, &result, command);
        self.enter.clock(input, step, from, busy);
        self.passes.shift(pass);
        // The PSN of a packet that is sent is known only here.
        let sending = at(config.windows());
        let psn = select(sending.news | repeats, sent_psn, sending.psn);
        self.passes.set(config.records(), Pass { psn, ..sending });
        self.loads.shift(load);
        self.evs.shift(ev);
        self.times.shift(time);
        self.timer_times.shift(timer_time);
        self.settings.clock(input.settings);
        self.clock.clock(in_force.tick);
        self.timer_clock.clock(in_force.tick.gate(!input.paused));
    }
}
