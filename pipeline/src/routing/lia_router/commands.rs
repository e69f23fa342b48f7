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
use super::ports::{Command, RANDOM_WIDTH, State, op};
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
    state: Reg<State<L>>,
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
            state: Reg::new(&State::shape(config)),
        }
    }

    /// There is no command in progress.
    pub fn ready(&self) -> Bits<L> {
        !self.in_progress.get()
    }

    /// The answer.
    pub fn state(&self) -> State<L> {
        self.state.get()
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
        let (command, issue, state) = (self.command.get(), self.issue.get(), self.state.get());
        let (none, one) = (Bits::lit(1, 0), Bits::lit(1, 1));
        let places = self.restarts();
        let is_row = command.group.any() & exists(command.group, config.groups());
        let reads = issue & self.is(constant!(op::READ)) & is_row;
        let fails = issue & !places & !reads;
        let read_at = |step: u32| visits.at(step).valid & visits.at(step).reads;
        let ends = read_at(l + 5);

        let State { queued, injected, extended, .. } = state;
        let Found { queued: found, injected: left, .. } = loads.found();
        let counted = read_at(l + 1);
        self.state.set(State {
            valid: fails | ends | placed,
            op: command.op,
            done: ends | placed,
            queued: rtl_model::select(counted, found, queued.gate(!issue)),
            injected: rtl_model::select(counted, left, injected.gate(!issue)),
            extended: rtl_model::select(read_at(l + 4), loads.extended(), extended.gate(!issue)),
            level: loads.standing().level.gate(ends),
        });
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
