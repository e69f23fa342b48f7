// SPDX-License-Identifier: MIT OR Apache-2.0
//! `entropy_selector`: an entropy value (EV) for every packet of a congestion control context (CCC), away from those
//! that feedback has marked. Contract: `docs/stages/entropy_selector.md` (rules S1 to S24; U04 to U13). With memories
//! of latency 2:
//!
//! ```text
//!  request   ->  walker       0 accept 2 epoch 3 age, saturated? 4 free EVs 5 locate 6 search 7 result  ->  8 grant
//!                  ^   |        summary update in step 8, word update in step 10
//!                  |   v        in mode penalty: the EV passed over, in the cycle of the grant
//!  feedback  ->  marker       0 accept 2 admit 3 age 4 written? 5 mark 7 count 8, 10 updates
//!  command   ->  ccc_commands 20 cycles per command; in the other cycles a scrubber visits one CCC after the other
//! ```
//!
//! One request and one feedback are accepted per clock cycle; nothing stalls. Every memory has one writer, so none of
//! the three pipelines waits for another. What feedback of cycle `t` changes is in the request side's memories for
//! requests of cycle `t + 8`.
//!
//! In the other files `l` is the latency of the memories: 1, 2 or 3. Steps up to 4 that wait for a row move with it,
//! and so do all later steps.

mod alternate_modes;
mod ccc_commands;
mod config;
mod epoch;
mod freeze;
mod marks;
mod mix;
mod mode_state;
mod mode_states;
mod modes;
mod passed_over;
mod penalties;
mod ports;
mod records;
mod request;
mod reroute;
mod ring_drain;
mod ring_fill;
mod ring_records;
mod rounds;
mod search;
mod settings;
mod settings_registers;
mod single_path;
mod space;
mod walk;

pub use config::{EntropySelectorConfig, WIRE_BASE, WIRE_RANGE};
pub use modes::{Modes, mode};
pub use ports::*;
pub use settings::EntropySelectorSettings;

use crate::blocks::table::{Access, latency_suffix};
use alternate_modes::{AlternateModes, Neighbours};
use ccc_commands::CccCommands;
use epoch::Epoch;
use marks::Marker;
use mix::Origin;
use request::WalkOverride;
use reroute::Reroutes;
use rtl_model::{Bits, Design, Logic, Shape, Stage, name_nets};
use settings_registers::SettingsRegisters;
use walk::Walker;

#[name_nets]
impl Design for EntropySelectorConfig {
    type Stage<L: Logic> = EntropySelector<L>;

    fn module_name(&self) -> String {
        let latency = latency_suffix(self.ram_latency);
        let ports = if self.ports == 1 { String::new() } else { format!("p{}", self.ports) };
        let wire = match (self.wire_base, self.wire_range) {
            (config::WIRE_BASE, config::WIRE_RANGE) => String::new(),
            (base, range) => format!("w{base}r{range}"),
        };
        format!("entropy_selector_c{}e{}{latency}{ports}{wire}{}", self.cccs, self.evs, self.modes.suffix())
    }

    fn build<L: Logic>(&self) -> EntropySelector<L> {
        EntropySelector::new(*self)
    }
}

/// The stage `entropy_selector`: an EV for every packet of a CCC.
#[name_nets]
pub struct EntropySelector<L: Logic> {
    config: EntropySelectorConfig,
    in_force: SettingsRegisters<L>,
    epoch: Epoch<L>,
    ccc_commands: CccCommands<L>,
    marker: Marker<L>,
    walker: Walker<L>,
    /// All modes except `bitmap`; absent if only `bitmap` is built.
    alternate_modes: Option<AlternateModes<L>>,
    /// Events that ask a single path to move; absent if mode `single_path` is not built.
    reroutes: Option<Reroutes<L>>,
}

#[name_nets]
impl<L: Logic> EntropySelector<L> {
    fn new(config: EntropySelectorConfig) -> Self {
        EntropySelector {
            config,
            in_force: SettingsRegisters::new(config.settings),
            epoch: Epoch::new(),
            ccc_commands: CccCommands::new(config),
            marker: Marker::new(config),
            walker: Walker::new(config),
            alternate_modes: (config.modes != Modes::BITMAP).then(|| AlternateModes::new(config)),
            reroutes: config.modes.has(mode::SINGLE_PATH).then(|| Reroutes::new(config)),
        }
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for EntropySelector<L> {
    type In = EntropySelectorIn<L>;
    type Out = EntropySelectorOut<L>;

    fn input_shape(&self) -> EntropySelectorIn<Shape> {
        EntropySelectorIn::shape(self.config)
    }

    fn outputs(&self) -> EntropySelectorOut<L> {
        let (feedback_closed, feedback_range) = self.marker.refused();
        let (refused_requests, blocked_requests) = self.walker.refused();
        EntropySelectorOut {
            busy: self.ccc_commands.busy(),
            command_ready: self.ccc_commands.ready(),
            reroute_ready: self.ccc_commands.reroute_ready(),
            grant: self.walker.grant(),
            response: self.ccc_commands.response(),
            counts: EntropySelectorCounts { refused_requests, blocked_requests, feedback_closed, feedback_range },
        }
    }

    fn clock(&self, input: &EntropySelectorIn<L>) {
        let EntropySelectorIn { request, feedback, reroute, command, pipeline, .. } = *input;
        let (settings, rtts, swept) = (self.in_force.get(), self.epoch.rtts(), !self.ccc_commands.busy());
        let (summary_update, word_update) = (self.marker.summary_update(), self.marker.word_update());
        let (request_ccc_state, feedback_ccc_state) =
            (self.ccc_commands.request_ccc_state(), self.ccc_commands.feedback_ccc_state());
        let (cursor_index, cursor) = (self.ccc_commands.cursor_index(), self.walker.command_cursor());
        let admitted = self.walker.admitted(request_ccc_state, self.ccc_commands.request_mode_state());
        let passed = self.walker.passed_over();
        let admitted_feedback =
            self.marker.admitted_feedback(feedback_ccc_state, self.ccc_commands.feedback_mode_state());
        let asked = match (&self.reroutes, self.walker.reroute_cursor()) {
            (Some(reroutes), Some(cursor)) => {
                let asked = reroutes.write(cursor, self.ccc_commands.asked_write());
                reroutes.clock(reroute, self.ccc_commands.reroute_ready());
                asked
            }
            _ => {
                reroute.valid.ignore();
                reroute.ccc.ignore();
                self.ccc_commands.asked_write()
            }
        };
        let (walk_override, delayed_feedback) = match &self.alternate_modes {
            Some(alternate_modes) => (alternate_modes.walk_override(), alternate_modes.delayed_feedback()),
            None => (WalkOverride::none(self.config), admitted_feedback),
        };
        if let Some(alternate_modes) = &self.alternate_modes {
            let step_0 = Access { valid: request.valid, index: request.ccc };
            let neighbours = Neighbours {
                requests: [step_0, self.walker.access(1), self.walker.access(2)],
                admitted,
                feedback: Access { valid: feedback.valid, index: feedback.ccc },
                admitted_feedback,
                proposed_free: match self.config.modes.has(mode::MIXED) {
                    true => self.walker.free_bits(alternate_modes.proposed_ev()),
                    false => Bits::lit(1, 1),
                },
                asked,
            };
            alternate_modes.clock(neighbours, settings);
        }

        self.walker.clock(
            request,
            swept,
            rtts,
            settings.saturation,
            request_ccc_state,
            admitted.mode_state,
            summary_update,
            word_update,
            [cursor_index, reroute.ccc],
            walk_override,
        );
        self.marker.clock(feedback, passed, swept, rtts, feedback_ccc_state, admitted_feedback);
        let (origin, served) = (Origin { seed: settings.seed, pipeline }, [request.ccc, feedback.ccc]);
        self.ccc_commands.clock(command, served, summary_update, cursor, delayed_feedback, rtts, origin);
        self.epoch.clock(settings.rtt);
        self.in_force.clock(input.settings);
    }
}
