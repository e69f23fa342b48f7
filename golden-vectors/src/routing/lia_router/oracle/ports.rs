// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs and outputs of the stage.

use super::{Answer, Settings, Shape};

/// Codes of commands. The codes 2 and 3 do nothing.
pub mod op {
    /// Reads the counters of a group.
    pub const READ: u64 = 0;
    /// Says where the switch is.
    pub const PLACE: u64 = 1;
}

/// Flits that enter or leave the injection queues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flits {
    /// The group of their destination.
    pub group: u64,
    /// How many.
    pub flits: u64,
}

/// The occupancy of a port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Occupancy {
    /// The port.
    pub port: u64,
    /// Flits that wait or are in flight.
    pub flits: u64,
    /// Those in flight.
    pub in_flight: u64,
}

/// A packet to route.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The group of its destination.
    pub group: u64,
    /// The switch of its destination.
    pub switch: u64,
}

/// A command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// What to do.
    pub op: u64,
    /// *Read*: the offset. *Place*: the group.
    pub group: u64,
    /// *Place*: the switch.
    pub switch: u64,
    /// *Place*: the first random number.
    pub seed: u64,
}

/// The answer to a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// That of the command.
    pub op: u64,
    /// The command was done.
    pub done: bool,
    /// Flits in the injection queues.
    pub queued: u64,
    /// Flits that left them in the last full interval.
    pub injected: u64,
    /// The extended counter.
    pub extended: u64,
    /// Its level.
    pub level: u64,
}

/// The counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets that were not sent over the minimal path.
    pub non_minimal: u64,
    /// Events and packets for groups, switches and ports that do not exist.
    pub unknown: u64,
}

/// The inputs of a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// On the ports of `enqueue`.
    pub enqueue: Option<Flits>,
    /// On the ports of `dequeue`.
    pub dequeue: Option<Flits>,
    /// On the ports of `occupancy`.
    pub occupancy: Option<Occupancy>,
    /// On the ports of `request`.
    pub request: Option<Request>,
    /// On the ports of `command`.
    pub command: Option<Command>,
    /// On the ports of `settings`.
    pub settings: Option<Settings>,
}

/// The outputs of a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// The first sweep is not over.
    pub busy: bool,
    /// A command is accepted.
    pub command_ready: bool,
    /// What is on the ports of `response`.
    pub response: Option<Answer>,
    /// What is on the ports of `state`.
    pub state: Option<State>,
    /// The counters. On the ports they may come later.
    pub counters: Counters,
}

/// A change at the input ports. All but settings are there for one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Flits enter. They are not counted while the stage is busy, and so are the others.
    Enqueue(Flits),
    /// Flits leave.
    Dequeue(Flits),
    /// An occupancy.
    Occupancy(Occupancy),
    /// A packet to route.
    Request(Request),
    /// A command. It is lost if `command_ready` is 0.
    Command(Command),
    /// The settings ports from this cycle on; `None` if `settings_valid` is 0.
    Settings(Option<Settings>),
}

impl Inputs {
    /// The inputs before any change.
    #[must_use]
    pub fn idle(settings: Option<Settings>) -> Self {
        Inputs { settings, ..Inputs::default() }
    }

    /// Applies a change.
    pub const fn apply(&mut self, change: Change) {
        match change {
            Change::Enqueue(flits) => self.enqueue = Some(flits),
            Change::Dequeue(flits) => self.dequeue = Some(flits),
            Change::Occupancy(occupancy) => self.occupancy = Some(occupancy),
            Change::Request(request) => self.request = Some(request),
            Change::Command(command) => self.command = Some(command),
            Change::Settings(settings) => self.settings = settings,
        }
    }

    /// The same in the next cycle.
    pub fn next(&mut self) {
        *self = Inputs::idle(self.settings);
    }

    /// Whether all inputs fit in their ports.
    #[must_use]
    pub fn fit(&self, shape: Shape) -> bool {
        let bits = |many: u64| many.next_power_of_two().max(2);
        let (groups, switches, ports) = (bits(shape.groups()), bits(shape.switches), bits(shape.ports()));
        let flits = |flits: Option<Flits>| flits.is_none_or(|f| f.group < groups && f.flits < 1 << 8);
        let occupancy = self.occupancy.is_none_or(|o| o.port < ports && o.flits < 1 << 12 && o.in_flight < 1 << 12);
        let request = self.request.is_none_or(|r| r.group < groups && r.switch < switches);
        let command = self.command.is_none_or(|c| {
            c.op < 4 && c.group < groups && c.switch < switches && c.seed < 1 << 32 //
        });
        let settings = self.settings.is_none_or(|settings| settings.fit(shape));
        flits(self.enqueue) && flits(self.dequeue) && occupancy && request && command && settings
    }
}
