// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs and outputs of the stage.

use super::source::CREDITS;
use super::{Settings, Shape};

/// Codes of commands. The code 3 does nothing.
pub mod op {
    /// Shows the state of a source.
    pub const READ: u64 = 0;
    /// Opens a source.
    pub const OPEN: u64 = 1;
    /// Closes it.
    pub const CLOSE: u64 = 2;
}

/// A credit target of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// Number of the source.
    pub source: u64,
    /// The credit number up to which it could use credit.
    pub target: u64,
    /// Its sender has no credit and may have missed the last credit number.
    pub repeat: bool,
}

/// A command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// What to do.
    pub op: u64,
    /// Number of the source.
    pub source: u64,
    /// *Open*: the credit number to begin with.
    pub number: u64,
}

/// Credit for a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// Number of the source.
    pub source: u64,
    /// The credit number.
    pub credit: u64,
    /// By how much it has grown.
    pub quanta: u64,
    /// It is beyond the demand.
    pub ahead: bool,
}

/// The answer to a command: the state after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// That of the command.
    pub op: u64,
    /// Number of the source.
    pub source: u64,
    /// The command was done.
    pub done: bool,
    /// The source is open.
    pub open: bool,
    /// Its credit number.
    pub credit: u64,
    /// Its credit target.
    pub target: u64,
    /// It waits in the demand queue.
    pub queued: bool,
    /// It waits in the ahead queue.
    pub ahead: bool,
}

/// The counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Demands of closed sources, and of numbers that are none.
    pub closed_demands: u64,
    /// Demands with an old target.
    pub stale_demands: u64,
    /// Grants.
    pub credits: u64,
    /// Takes without a grant.
    pub void_turns: u64,
}

/// The inputs of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// On the ports of `demand`.
    pub demand: Option<Demand>,
    /// On the ports of `command`.
    pub command: Option<Command>,
    /// On the ports of `settings`.
    pub settings: Option<Settings>,
    /// A grant is taken.
    pub grant_ready: bool,
}

/// The outputs of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// The tables are being swept.
    pub busy: bool,
    /// A demand is accepted.
    pub demand_ready: bool,
    /// A command is accepted.
    pub command_ready: bool,
    /// What is on the ports.
    pub grant: Option<Grant>,
    /// What is on the ports.
    pub response: Option<Response>,
    /// The counters. On the ports they may come later.
    pub counters: Counters,
}

/// A change at the input ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A demand in one cycle. It is lost if `demand_ready` is 0.
    Demand(Demand),
    /// A command in one cycle. It is lost if `command_ready` is 0.
    Command(Command),
    /// The settings ports from this cycle on; `None` if `settings_valid` is 0.
    Settings(Option<Settings>),
    /// The level of `grant_ready` from this cycle on; it is 1 before.
    GrantReady(bool),
}

impl Inputs {
    /// The inputs before any change.
    #[must_use]
    pub const fn idle(settings: Option<Settings>) -> Self {
        Inputs { demand: None, command: None, settings, grant_ready: true }
    }

    /// Applies a change.
    pub const fn apply(&mut self, change: Change) {
        match change {
            Change::Demand(demand) => self.demand = Some(demand),
            Change::Command(command) => self.command = Some(command),
            Change::Settings(settings) => self.settings = settings,
            Change::GrantReady(ready) => self.grant_ready = ready,
        }
    }

    /// The same in the next cycle, where there is no demand and no command.
    pub const fn next(&mut self) {
        self.demand = None;
        self.command = None;
    }

    /// Whether all inputs fit in their ports.
    #[must_use]
    pub fn fit(&self, shape: Shape) -> bool {
        let demand = self.demand.is_none_or(|d| d.source < shape.numbers() && d.target < CREDITS);
        let command = self.command.is_none_or(|c| c.op < 4 && c.source < shape.numbers() && c.number < CREDITS);
        let settings = self.settings.is_none_or(|s| {
            s.rate < 1 << 24 && s.quota < 1 << 12 && s.burst < 1 << 12 && s.advance < 1 << 24 //
        });
        demand && command && settings
    }
}
