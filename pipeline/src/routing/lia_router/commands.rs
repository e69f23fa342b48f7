// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands (row LR8): *read* waits for the sweep to come to its row, and *place* for what is in the pipelines to end. With
//! memories of latency `l`:
//!
//! ```text
//!  0        the command
//!  1        can it be done?
//!  2        not done: the answer. Read: from here on it waits for the visit of its row, of which step l + 6 is the answer.
//!           Place: everything drains, and the answer comes when the switch is placed
//! ```

use super::config::LiaRouterConfig;
use super::loads::{Found, Loads};
use super::ports::{Command, LEVEL_WIDTH, RANDOM_WIDTH, State, op};
use super::sweep::Visit;
use crate::blocks::bounds::exists;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::Access;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, constant, name_nets, when};

/// Where the switch is.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
pub struct Place<L: Reading> {
    #[reset]
    #[shape(config.group())]
    pub group: Bits<L>,
    #[reset]
    #[shape(config.switch())]
    pub switch: Bits<L>,
}

/// The commands.
#[name_nets]
pub struct Commands<L: Logic> {
    config: LiaRouterConfig,
    command: Reg<Command<L>>,
    /// Step 1.
    issue: Reg<Bits<L>>,
    in_progress: Reg<Bits<L>>,
    /// A row is to be read.
    waits: Reg<Bits<L>>,
    place: Reg<Place<L>>,
    /// The answer.
    answer: Reg<Answer<L>>,
    queued: Reg<Bits<L>>,
    injected: Reg<Bits<L>>,
    extended: Reg<Bits<L>>,
}

/// An answer without what was counted.
#[derive(Bundle)]
#[shape]
struct Answer<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[width(op::WIDTH)]
    op: Bits<L>,
    done: Bits<L>,
    #[width(LEVEL_WIDTH)]
    level: Bits<L>,
}

#[name_nets]
impl<L: Logic> Commands<L> {
    pub fn new(config: LiaRouterConfig) -> Self {
        Commands {
            config,
            command: Reg::new(&Command::shape(config)),
            issue: Reg::new(&bits(1)).with_reset(),
            in_progress: Reg::new(&bits(1)).with_reset(),
            waits: Reg::new(&bits(1)).with_reset(),
            place: Reg::new(&Place::shape(config)),
            answer: Reg::new(&Answer::shape()),
            queued: Reg::new(&config.load()),
            injected: Reg::new(&config.load()),
            extended: Reg::new(&config.load()),
        }
    }

    /// There is no command in progress.
    pub fn ready(&self) -> Bits<L> {
        !self.in_progress.get()
    }

    /// The answer.
    pub fn state(&self) -> State<L> {
        let Answer { valid, op, done, level } = self.answer.get();
        let (queued, injected, extended) = (self.queued.get(), self.injected.get(), self.extended.get());
        State { valid, op, done, queued, injected, extended, level }
    }

    /// Where the switch is.
    pub fn place(&self) -> Place<L> {
        self.place.get()
    }

    /// The first random number.
    pub fn seed(&self) -> Bits<L> {
        let seed = self.command.get().seed;
        seed | (!seed.any()).extend(RANDOM_WIDTH)
    }

    fn is(&self, op: rtl_model::Constant) -> Bits<L> {
        self.command.get().op.equals(op.lit(op::WIDTH))
    }

    /// The switch is to be placed anew.
    pub fn restarts(&self) -> Bits<L> {
        let Command { group, switch, .. } = self.command.get();
        let known = exists(group, self.config.groups()) & exists(switch, self.config.switches);
        self.issue.get() & self.is(constant!(op::PLACE)) & known
    }

    /// The row that is to be read.
    pub fn reads(&self) -> Access<L> {
        let less_one = self.command.get().group - 1;
        Access { valid: self.waits.get(), index: less_one.truncate(self.config.row().bits()) }
    }

    /// One clock cycle: a command; the visits from step 0 on and what they find; the switch is placed now.
    pub fn clock(
        &self,
        new: Command<L>,
        taken: Bits<L>,
        visit: Visit<L>,
        visits: &PipelineRegs<Visit<L>>,
        loads: &Loads<L>,
        placed: Bits<L>,
    ) {
        let (config, l) = (self.config, self.config.ram_latency);
        let (command, issue) = (self.command.get(), self.issue.get());
        let (none, one) = (Bits::lit(1, 0), Bits::lit(1, 1));
        let places = self.restarts();
        let is_row = command.group.any() & exists(command.group, config.groups());
        let reads = issue & self.is(constant!(op::READ)) & is_row;
        let fails = issue & !places & !reads;
        let read_at = |step: u32| visits.at(step).valid & visits.at(step).reads;
        let ends = read_at(l + 5);

        let Found { queued, injected, .. } = loads.found();
        self.answer.set(Answer {
            valid: fails | ends | placed,
            op: command.op,
            done: ends | placed,
            level: loads.standing().level.gate(ends),
        });
        // What is not read is 0.
        let zero = Bits::lit(queued.width(), 0);
        when(issue, || {
            self.queued.set(zero);
            self.injected.set(zero);
            self.extended.set(zero);
        });
        when(read_at(l + 1), || {
            self.queued.set(queued);
            self.injected.set(injected);
        });
        when(read_at(l + 4), || self.extended.set(loads.extended()));
        when(placed, || self.place.set(Place { group: command.group, switch: command.switch }));
        when(fails | ends | placed, || self.in_progress.set(none));
        when(visit.valid & visit.reads, || self.waits.set(none));
        when(reads, || self.waits.set(one));
        self.issue.set(none);
        when(new.valid & taken, || {
            self.command.set(new);
            self.issue.set(one);
            self.in_progress.set(one);
        });
    }
}
