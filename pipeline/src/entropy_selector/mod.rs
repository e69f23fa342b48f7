// SPDX-License-Identifier: MIT OR Apache-2.0
//! `entropy_selector`: an entropy value (EV) for every packet of a congestion control context (CCC), away from those
//! that feedback has marked. Contract: `docs/stages/entropy_selector.md` (rules S1 to S19; U10 to U13). With memories
//! of latency 2:
//!
//! ```text
//!  request   ->  walker       0 accept 2 age 3 saturated? 4 free EVs 5 locate 6 search 7 result  ->  8 grant
//!                  ^   |        summary update in step 8, word update in step 10
//!                  |   v        in mode penalty: the EV passed over, in the cycle of the grant
//!  feedback  ->  marker       0 accept 2 admit 3 age 4 written? 5 mark 7 count 8, 10 updates
//!  command   ->  ccc_control  20 cycles per command; in the other cycles a scrubber visits one CCC after the other
//! ```
//!
//! One request and one feedback are accepted per clock cycle; nothing stalls. Every memory has one writer, so none of
//! the three pipelines waits for another. What feedback of cycle `t` changes is in the request side's memories for
//! requests of cycle `t + 8`.
//!
//! In the other files `l` is the latency of the memories: 1, 2 or 3. Steps up to 4 that wait for a row move with it,
//! and so do all later steps.

mod alternate_modes;
mod ccc_control;
mod config;
mod epoch;
mod freeze;
mod marks;
mod mode_states;
mod modes;
mod passed_over;
mod penalties;
mod ports;
mod records;
mod request;
mod ring_drain;
mod ring_fill;
mod ring_records;
mod rounds;
mod search;
mod single_path;
mod space;
mod walk;

pub use config::EntropySelectorConfig;
pub use modes::{Modes, mode};
pub use ports::*;

use crate::blocks::table::Access;
use crate::blocks::table::latency_suffix;
use alternate_modes::AlternateModes;
use ccc_control::CccControl;
use epoch::Epoch;
use marks::Marker;
use request::WalkOverride;
use rtl_model::{Design, Logic, Shape, Stage, name_nets};
use walk::Walker;

#[name_nets]
impl Design for EntropySelectorConfig {
    type Stage<L: Logic> = EntropySelector<L>;

    fn module_name(&self) -> String {
        let latency = latency_suffix(self.ram_latency);
        let ports = if self.ports == 1 { String::new() } else { format!("p{}", self.ports) };
        format!("entropy_selector_c{}e{}{latency}{ports}{}", self.cccs, self.evs, self.modes.suffix())
    }

    fn build<L: Logic>(&self) -> EntropySelector<L> {
        EntropySelector::new(*self)
    }
}

/// The stage `entropy_selector`: an EV for every packet of a CCC.
#[name_nets]
pub struct EntropySelector<L: Logic> {
    config: EntropySelectorConfig,
    epoch: Epoch<L>,
    ccc_control: CccControl<L>,
    marker: Marker<L>,
    walker: Walker<L>,
    /// All modes except `bitmap`; absent if only `bitmap` is built.
    alternate_modes: Option<AlternateModes<L>>,
}

#[name_nets]
impl<L: Logic> EntropySelector<L> {
    fn new(config: EntropySelectorConfig) -> Self {
        EntropySelector {
            config,
            epoch: Epoch::new(config),
            ccc_control: CccControl::new(config),
            marker: Marker::new(config),
            walker: Walker::new(config),
            alternate_modes: (config.modes != Modes::BITMAP).then(|| AlternateModes::new(config)),
        }
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for EntropySelector<L> {
    type In = EntropySelectorIn<L>;
    type Out = EntropySelectorOut<L>;

    fn input_shape(&self) -> EntropySelectorIn<Shape> {
        self.config.input_shape()
    }

    fn outputs(&self) -> EntropySelectorOut<L> {
        let (feedback_closed, feedback_range) = self.marker.refused();
        EntropySelectorOut {
            busy: self.ccc_control.busy(),
            control_ready: self.ccc_control.ready(),
            grant: self.walker.grant(),
            response: self.ccc_control.response(),
            refused_requests: self.walker.refused(),
            feedback_closed,
            feedback_range,
        }
    }

    fn clock(&self, input: &EntropySelectorIn<L>) {
        let EntropySelectorIn { request, feedback, control, settings } = *input;
        let (epochs, swept) = (self.epoch.get(), !self.ccc_control.busy());
        let (summary_update, word_update) = (self.marker.summary_update(), self.marker.word_update());
        let (request_ccc_state, feedback_ccc_state) =
            (self.ccc_control.request_ccc_state(), self.ccc_control.feedback_ccc_state());
        let (cursor_index, cursor) = (self.ccc_control.cursor_index(), self.walker.command_cursor());
        let admitted = self.walker.admitted(request_ccc_state, self.ccc_control.request_mode_state());
        let passed = self.walker.passed_over();
        let admitted_feedback =
            self.marker.admitted_feedback(feedback_ccc_state, self.ccc_control.feedback_mode_state());
        let (walk_override, delayed_feedback) = match &self.alternate_modes {
            Some(walk_override) => (walk_override.walk_override(), walk_override.delayed_feedback()),
            None => (WalkOverride::none(self.config), admitted_feedback),
        };
        if let Some(walk_override) = &self.alternate_modes {
            let read_access = [Access { valid: request.valid, index: request.ccc }, self.walker.request_in_step_1()];
            let feedback_read = Access { valid: feedback.valid, index: feedback.ccc };
            walk_override.clock(read_access, admitted, feedback_read, admitted_feedback, settings);
        } else {
            settings.ignore_alternate_modes();
        }

        self.walker.clock(
            request,
            swept,
            epochs,
            settings.limit,
            request_ccc_state,
            admitted.mode_state,
            summary_update,
            word_update,
            cursor_index,
            walk_override,
        );
        self.marker.clock(feedback, passed, swept, epochs, feedback_ccc_state, admitted_feedback);
        self.ccc_control.clock(control, [request.ccc, feedback.ccc], summary_update, cursor, delayed_feedback, epochs);
        self.epoch.clock(settings.rtt);
    }
}
