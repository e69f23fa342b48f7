// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state of each CCC: commands open, close, resize, reroute and read a CCC, a sweep clears the table after reset, and a
//! scrubber invalidates old marks before the epoch counter wraps. With memories of latency `l`:
//!
//! ```text
//!  command   cycle 0 accepted | 16 rows read | 16 + l rows here, decided | 18 + l CCC state written, response
//!  scrubber  cycle 0 rows read | l rows here, decided | l + 2 CCC state written, next CCC
//! ```
//!
//! Every memory has one writer: requests write the cursor, feedback writes the marks, this component writes the CCC
//! states. So *open* does not write the memories of the other two pipelines; the CCC state tells which of their rows
//! are invalid. A cursor is valid if its `generation` is that of the CCC state; *open* takes the generation that the
//! cursor does not have. Marks are valid if their generation is neither of the two `stale_mark_generations` of the CCC
//! state. *Open*, and the scrubber when it finds expired marks, make the generation of the marks stale. A command waits
//! until everything in flight when the previous one took effect has been written. The scrubber continues while it
//! waits.
//!
//! A smaller EV space or another RTT class discards the marks of an open CCC (rule S18) while feedback continues. Feedback that was admitted
//! by the old CCC state and is not yet in `seen` has the generation that is in `seen` or, if its row restarts, the next
//! one; a second restart is an epoch away. So both generations are made stale. Both are certain only if all of this
//! feedback sees the same stale generations. The scrubber therefore skips a CCC that is being resized; *resize* does
//! its work.

use super::config::EntropySelectorConfig;
use super::epoch::{Age, RTT_CLASS_WIDTH, age, epoch_of, replicate};
use super::mix::{Mix, Origin};
use super::mode_state::{LFSR_WIDTH, ModeState};
use super::mode_states::ModeStates;
use super::modes::{MODE_WIDTH, Modes, mode};
use super::penalties::without_expiry;
use super::ports::{Command, EntropySelectorIn, Response, op};
use super::records::{
    COMMAND, CccState, Counts, Cursor, FEEDBACK, OPENINGS_WIDTH, REQUEST, Summary, SummaryUpdate, marked, marks_valid,
    next_generation,
};
use super::request::AdmittedFeedback;
use super::reroute::{Asked, AskedWrite};
use super::space::SPACE_WIDTH;
use crate::blocks::table::{Access, WriteFirstRam};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, bits, clog2, constant, name_nets, select, when};

/// Clock cycles from the acceptance of a command to the read of its rows, minus one.
const READ_DELAY: u64 = 15;
/// The same from acceptance to the only cycle in which no reroute event is accepted: a command may write in its place.
const REROUTE_DELAY: u64 = 17;
/// Where the number of openings goes in the first LFSR (rule S23).
const OPENINGS_PLACE: u32 = 10;

/// Copy of the summary and counts of a CCC for commands and the scrubber, without the words written.
#[derive(Bundle)]
struct Seen<L: Reading> {
    epoch: Bits<L>,
    mark_generation: Bits<L>,
    counts: Counts<L>,
}

/// CCC state to be written.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
struct Write<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[shape(config.ccc())]
    ccc: Bits<L>,
    ccc_state: CccState<L>,
    mode_state: ModeState<L>,
    /// 1 if the asked EV of the CCC is written.
    asks: Bits<L>,
    asked: Asked<L>,
}

/// Marks of the CCC that is decided on; their age is known one cycle later.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
struct Marks<L: Reading> {
    /// 1 if the scrubber makes them stale once they are too old.
    #[reset]
    scrubs: Bits<L>,
    /// 1 if *resize* makes them stale once they are too old.
    resizes: Bits<L>,
    /// 1 if *read* counts them.
    read: Bits<L>,
    /// Epoch of their last change.
    #[shape(Summary::shape(config).epoch)]
    epoch: Bits<L>,
    /// Epoch of the CCC.
    #[shape(Summary::shape(config).epoch)]
    now: Bits<L>,
    #[shape(Summary::shape(config).mark_generation)]
    mark_generation: Bits<L>,
    valid: Bits<L>,
    uses_penalties: Bits<L>,
    counts: Counts<L>,
}

/// Commands, sweep and scrubber: the writer of all CCC states.
#[name_nets]
pub struct CccCommands<L: Logic> {
    config: EntropySelectorConfig,
    /// States of all CCCs.
    ccc_states: WriteFirstRam<L, CccState<L>>,
    /// Copy of summaries and counts for commands and the scrubber.
    seen: WriteFirstRam<L, Seen<L>>,
    /// Mode states of all CCCs; absent if only `bitmap` is built.
    mode_states: Option<ModeStates<L>>,
    /// 1 during the sweep after reset.
    sweeping: Reg<Bits<L>>,
    /// CCC that is swept or scrubbed.
    row: Reg<Bits<L>>,
    /// Cycle count of the scrubber for its CCC; 0 before it starts.
    scrub: Reg<Bits<L>>,
    /// Command in progress.
    command: Reg<Command<L>>,
    /// Its mix.
    mix: Mix<L>,
    /// EV before the start, if the command opens a CCC.
    ev_before_start: Reg<Bits<L>>,
    /// 1 while a command is in progress.
    working: Reg<Bits<L>>,
    /// Clock cycles since the command was accepted, minus one.
    timer: Reg<Bits<L>>,
    /// 1 if the rows of the command are read in this clock cycle.
    read_command_rows: Reg<Bits<L>>,
    /// Write to the CCC states, one and two cycles after the decision.
    write: [Reg<Write<L>>; 2],
    /// Response without the number of marked EVs.
    decided: Reg<Response<L>>,
    /// Marks of its CCC.
    marks: Reg<Marks<L>>,
    /// Response to the command.
    response: Reg<Response<L>>,
}

#[name_nets]
impl<L: Logic> CccCommands<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let summary = Summary::shape(config);
        let seen =
            Seen { epoch: summary.epoch, mark_generation: summary.mark_generation, counts: Counts::shape(config) };
        let ports = EntropySelectorIn::shape(config);
        CccCommands {
            config,
            ccc_states: WriteFirstRam::new(config.cccs, config.ram_latency, 3, &CccState::shape(config)),
            seen: WriteFirstRam::new(config.cccs, config.ram_latency, 1, &seen),
            mode_states: (config.modes != Modes::BITMAP).then(|| ModeStates::new(config)),
            sweeping: Reg::starting_at(&bits(1), Bits::lit(1, 1)).with_reset(),
            row: Reg::new(&config.ccc()).with_reset(),
            scrub: Reg::new(&bits(clog2(u64::from(config.ram_latency) + 2))).with_reset(),
            command: Reg::new(&ports.command),
            mix: Mix::new(config),
            ev_before_start: Reg::new(&bits(config.ev_bits())),
            working: Reg::new(&bits(1)).with_reset(),
            timer: Reg::new(&bits(5)),
            read_command_rows: Reg::new(&bits(1)),
            write: [1, 2].map(|i| {
                let write = Write::shape(config);
                Reg::numbered(i, &write)
            }),
            decided: Reg::new(&Response::shape(config)),
            marks: Reg::new(&Marks::shape(config)),
            response: Reg::new(&Response::shape(config)),
        }
    }
}

#[name_nets]
impl<L: Logic> CccCommands<L> {
    /// CCC state that the request read `l` cycles ago.
    pub fn request_ccc_state(&self) -> CccState<L> {
        self.ccc_states.data(REQUEST)
    }

    /// CCC state that the feedback read `l` cycles ago.
    pub fn feedback_ccc_state(&self) -> CccState<L> {
        self.ccc_states.data(FEEDBACK)
    }

    /// Mode state of the CCC of [`Self::request_ccc_state`].
    pub fn request_mode_state(&self) -> ModeState<L> {
        self.mode_states.as_ref().map_or_else(|| ModeState::bitmap(self.config), |mode_states| mode_states.of(REQUEST))
    }

    /// Mode state of the CCC of [`Self::feedback_ccc_state`].
    pub fn feedback_mode_state(&self) -> ModeState<L> {
        self.mode_states.as_ref().map_or_else(|| ModeState::bitmap(self.config), |mode_states| mode_states.of(FEEDBACK))
    }

    /// 1 during the sweep after reset.
    pub fn busy(&self) -> Bits<L> {
        self.sweeping.get()
    }

    /// 1 if a command can be accepted.
    pub fn ready(&self) -> Bits<L> {
        !(self.sweeping.get() | self.working.get())
    }

    /// 1 if a reroute event can be accepted.
    pub fn reroute_ready(&self) -> Bits<L> {
        !(self.sweeping.get() | self.working.get() & self.timer.get().equals(REROUTE_DELAY))
    }

    /// Write of an asked EV by a command.
    pub fn asked_write(&self) -> AskedWrite<L> {
        let write = self.write[1].get();
        AskedWrite { access: Access { valid: write.asks, index: write.ccc }, asked: write.asked }
    }

    /// Response to the command.
    pub fn response(&self) -> Response<L> {
        self.response.get()
    }

    /// CCC whose cursor the command reads.
    pub fn cursor_index(&self) -> Bits<L> {
        self.command.get().ccc
    }

    /// One cycle. `served` are the CCCs of request and feedback, whose states are read; `cursor` is the row that
    /// `cursor_index` read `l` cycles ago; `admitted_feedback` is the feedback in step `l` + 6.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        offered: Command<L>,
        served: [Bits<L>; 2],
        summary_update: SummaryUpdate<L>,
        cursor: Cursor<L>,
        admitted_feedback: AdmittedFeedback<L>,
        rtts: Bits<L>,
        origin: Origin<L>,
    ) {
        let (sweeping, row, write) = (self.sweeping.get(), self.row.get(), self.write[1].get());
        let (working, timer, scrub) = (self.working.get(), self.timer.get(), self.scrub.get());
        let (latency, ready) = (u64::from(self.config.ram_latency), self.ready());
        let last = row.equals(self.config.cccs - 1);
        let next = select(last, Bits::lit(row.width(), 0), row + 1);

        self.check_age();
        when(sweeping, || {
            self.row.set(next);
            self.sweeping.set(!last);
        });

        // The rows have arrived: decide.
        let (ccc_state, seen) = (self.ccc_states.data(COMMAND), self.seen.data(0));
        let command = self.command.get();
        let marks_valid = marks_valid(seen.mark_generation, ccc_state.stale_mark_generations);
        let (mode_state, opened_mode_state) = match &self.mode_states {
            Some(mode_states) => {
                let lfsr = self.first_lfsr(ccc_state.openings);
                (mode_states.of(COMMAND), mode_states.opened(command.mode, lfsr))
            }
            None => (ModeState::bitmap(self.config), ModeState::bitmap(self.config)),
        };
        let now = epoch_of(rtts, ccc_state.rtt_class).truncate(self.config.epoch_bits());
        let decide = (working & timer.equals(READ_DELAY + latency)).named("operation_decides");
        let index_valid = self.config.index_valid(command.ccc);
        let size = self.config.space_of(command.space);
        let built = self.config.modes.contains(command.mode).named("mode_built");
        let strides = !command.stride.greater(size.space.extend(SPACE_WIDTH));
        let built = (built & size.valid & strides).named("can_be_opened");
        let opens = index_valid & command.op.equals(constant!(op::OPEN)) & built & !ccc_state.open;
        let closes = index_valid & command.op.equals(constant!(op::CLOSE)) & ccc_state.open;
        let reads = index_valid & command.op.equals(constant!(op::READ));
        let strides = !ccc_state.stride.greater(size.space);
        let resizes = index_valid & command.op.equals(constant!(op::RESIZE)) & size.valid & strides & ccc_state.open;
        let reroutes = index_valid
            & command.op.equals(constant!(op::REROUTE))
            & mode_state.is(constant!(mode::SINGLE_PATH))
            & ccc_state.open;
        let scrub_skipped = working & row.equals(command.ccc) & resizes;
        let scrubs = (scrub.equals(latency) & !scrub_skipped).named("scrub_decides");
        let opened = CccState {
            open: Bits::lit(1, 1),
            generation: !cursor.generation,
            ev_before_start: self.ev_before_start.get(),
            stale_mark_generations: [seen.mark_generation, ccc_state.stale_mark_generations[1]],
            rod: command.rod,
            space: size.space,
            rtt_class: command.rtt_class,
            stride: command.stride.truncate(size.space.width()),
            upper: self.upper(ccc_state.openings),
            openings: ccc_state.openings + 1,
        };
        let closed = CccState { open: Bits::lit(1, 0), ..ccc_state };
        let scrubbed = CccState {
            stale_mark_generations: [seen.mark_generation, ccc_state.stale_mark_generations[1]],
            ..ccc_state
        };
        let other_class = command.rtt_class.differs(ccc_state.rtt_class);
        let discards = (size.space.less(ccc_state.space) | other_class).named("resize_discards");
        let next_mark_generation = select(
            discards,
            next_generation(seen.mark_generation, ccc_state.stale_mark_generations),
            ccc_state.stale_mark_generations[1],
        );
        let stale_mark_generation = select(discards, seen.mark_generation, ccc_state.stale_mark_generations[0]);
        let resized = CccState {
            space: size.space,
            rtt_class: command.rtt_class,
            stale_mark_generations: [stale_mark_generation, next_mark_generation],
            ..ccc_state
        };
        let operated = select(opens, opened, select(resizes, resized, closed));
        // Only *open* changes these, so one multiplexer is enough.
        let opens_now = decide & opens;
        let written = CccState {
            stride: select(opens_now, opened.stride, ccc_state.stride),
            upper: select(opens_now, opened.upper, ccc_state.upper),
            openings: select(opens_now, opened.openings, ccc_state.openings),
            ..select(decide, operated, scrubbed)
        };
        self.write[0].set(Write {
            valid: decide & (opens | closes | resizes),
            ccc: select(decide, command.ccc, row),
            ccc_state: written,
            mode_state: select(opens_now, opened_mode_state, mode_state),
            // *Open* clears the asked EV.
            asks: decide & (opens | reroutes),
            asked: Asked { valid: reroutes, generation: cursor.generation, ev: cursor.ev },
        });
        let known = decide & reads & ccc_state.open;
        let at = select(cursor.generation.equals(ccc_state.generation), cursor.ev, ccc_state.ev_before_start);
        let open = (ccc_state.open | command.op.equals(constant!(op::OPEN)) & built) & !closes;
        self.decided.set(Response {
            valid: decide,
            op: command.op,
            ccc: command.ccc,
            done: opens | closes | reads | resizes | reroutes,
            open: index_valid & open,
            last: at & replicate(known, self.config.ev_bits()),
            marked: Bits::lit(self.config.count_bits(), 0),
            mode: mode_state.mode & replicate(known, MODE_WIDTH),
            space: ccc_state.space.extend(SPACE_WIDTH) & replicate(known, SPACE_WIDTH),
            rtt_class: ccc_state.rtt_class & replicate(known, RTT_CLASS_WIDTH),
        });
        self.marks.set(Marks {
            scrubs,
            resizes: decide & resizes,
            read: known,
            epoch: seen.epoch,
            now,
            mark_generation: seen.mark_generation,
            valid: marks_valid,
            uses_penalties: mode_state.uses_penalties(),
            counts: seen.counts,
        });

        // The cycle counters of scrubber and command.
        let early = !timer.slice(3, 2).any();
        let starts = (!sweeping & scrub.equals(0) & (!working | early)).named("scrub_starts");
        when(starts | scrub.any(), || self.scrub.set(scrub + 1));
        when(scrub.equals(latency + 1), || {
            self.row.set(next);
            if !(latency + 2).is_power_of_two() {
                self.scrub.set(Bits::lit(scrub.width(), 0));
            }
        });
        self.timer.set(timer + 1);
        when(working & timer.equals(READ_DELAY + latency + 1), || self.working.set(Bits::lit(1, 0)));
        let accepts = ready & offered.valid;
        self.ev_before_start.set(self.start(command) - 1);
        self.mix.clock(accepts, offered.ccc, working, timer, origin);
        when(accepts, || {
            self.command.set(offered);
            self.working.set(Bits::lit(1, 1));
            self.timer.set(Bits::lit(5, 0));
        });

        let read_ccc = select(self.read_command_rows.get(), command.ccc, row);
        self.read_command_rows.set(working & timer.equals(READ_DELAY - 1));
        let (ccc, ccc_state) = (select(sweeping, row, write.ccc), write.ccc_state.gate(!sweeping));
        let (reads, write_life) =
            ([served[REQUEST], served[FEEDBACK], read_ccc], Access { valid: sweeping | write.valid, index: ccc });
        self.ccc_states.clock(&reads, write_life, ccc_state);
        if let Some(mode_states) = &self.mode_states {
            mode_states.clock(reads, write_life, write.mode_state, admitted_feedback);
        }
        let Summary { epoch, mark_generation, .. } = summary_update.summary;
        let seen = Seen { epoch, mark_generation, counts: summary_update.counts };
        self.seen.clock(&[read_ccc], Access { valid: summary_update.valid, index: summary_update.ccc }, seen);
    }

    /// One cycle after the decision: the age of the marks, which completes write and response.
    fn check_age(&self) {
        let (marks, write) = (self.marks.get(), self.write[0].get());
        let mut age = age(marks.epoch, marks.now, marks.valid);
        if self.config.modes.has_penalty() {
            age = without_expiry(age, marks.valid, marks.uses_penalties);
        } else {
            marks.uses_penalties.ignore();
        }
        // Feedback not yet in `seen` may have renewed the row in the previous epoch: one epoch of grace.
        let grace = (marks.now - marks.epoch).equals(2);
        let too_old = (marks.valid & !age.recent & !grace).named("marks_too_old");
        let [one, other] = write.ccc_state.stale_mark_generations;
        let stale_mark_generation = select(marks.resizes & too_old, marks.mark_generation, one);
        let expires = (marks.scrubs & too_old).named("scrub_expires");
        self.write[1].set(Write {
            valid: write.valid | expires,
            ccc_state: CccState { stale_mark_generations: [stale_mark_generation, other], ..write.ccc_state },
            ..write
        });
        let marked = marked(marks.counts, Age { current: age.current, recent: age.recent & marks.read });
        self.response.set(Response { marked, ..self.decided.get() });
    }

    /// The start of a CCC (rule S21), from 10 cycles after the command on.
    fn start(&self, command: Command<L>) -> Bits<L> {
        let (config, ev_bits) = (self.config, self.config.ev_bits());
        let given = (1..ev_bits)
            .fold(command.fixed | command.stride.any(), |low, place| {
                (command.fixed | command.stride.greater(u64::from(place))).concat(low)
            })
            .named("given");
        let start = command.start & given | self.mix.q().truncate(ev_bits) & !given;
        start & config.space_mask(config.space_of(command.space).space)
    }

    /// The upper bits on the wire (rules S22, S23).
    fn upper(&self, openings: Bits<L>) -> Bits<L> {
        let (ev_bits, wire_bits, upper_bits) =
            (self.config.ev_bits(), self.config.wire_bits(), self.config.upper_bits());
        if upper_bits == 0 {
            return Bits::lit(1, 0);
        }
        // The lowest bit of the number of openings goes to the highest bit.
        let reversed = (1..OPENINGS_WIDTH).fold(openings.bit(0), |high, place| high.concat(openings.bit(place)));
        let width = OPENINGS_WIDTH.max(upper_bits);
        let openings = reversed.extend(width) << u64::from(width - OPENINGS_WIDTH);
        self.mix.q().slice(ev_bits, wire_bits - ev_bits) ^ openings.slice(width - upper_bits, upper_bits)
    }

    /// The bits of the first LFSR above those of an EV (rules O1, S23).
    fn first_lfsr(&self, openings: Bits<L>) -> Bits<L> {
        let x = self.mix.x().extend(LFSR_WIDTH) ^ openings.extend(LFSR_WIDTH) << u64::from(OPENINGS_PLACE);
        let lfsr = x | Bits::lit(LFSR_WIDTH, 1 << (LFSR_WIDTH - 1));
        lfsr.slice(self.config.ev_bits(), LFSR_WIDTH - self.config.ev_bits())
    }
}
