// SPDX-License-Identifier: MIT OR Apache-2.0
//! `entropy_selector`: an entropy value (EV) for every packet of a congestion control context (CCC), away from those
//! that feedback has marked. Contract: `docs/stages/entropy_selector.md` (rows S1 to S19; U10 to U13). With memories of
//! latency 2:
//!
//! ```text
//!  request   ->  walk   0 arrive 2 age 3 judge 4 free 5 approach 6 walk 7 arrive   ->  grant, 8 clocks later
//!                  ^ summary in step 8, word in step 10
//!                  | in mode counting: the EV passed over, in the clock of the grant
//!                  v
//!  feedback  ->  marks  0 arrive 2 admit 3 age 4 look 5 mark 7 count 8 tell 10 tell
//!  control   ->  keeper 20 clocks an operation; else one CCC after the other, marks too old are killed
//! ```
//!
//! One request and one feedback every clock; nothing stalls. Every memory has one writer, so none of the three ever waits
//! for another. What feedback of cycle `t` has changed is in the request side's memories for requests of cycle `t + 8`.
//!
//! Elsewhere `l` is the latency of the memories: 1, 2 or 3. Steps up to 4 that wait for a row move with it, and all behind.

mod config;
mod epoch;
mod freeze;
mod keeper;
mod marks;
mod modes;
mod other_modes;
mod passing;
mod penalties;
mod ports;
mod records;
mod recycle;
mod request;
mod ring;
mod rounds;
mod search;
mod single_path;
mod space;
mod walk;
mod ways;

pub use config::EntropySelectorConfig;
pub use modes::{Modes, mode};
pub use ports::*;

use crate::update::Ask;
use epoch::Epoch;
use keeper::Keeper;
use marks::Marker;
use other_modes::OtherModes;
use request::Others;
use rtl_model::{Logic, Shape, Stage, name_nets};
use walk::Walker;

/// The stage.
#[name_nets]
pub struct EntropySelector<L: Logic> {
    config: EntropySelectorConfig,
    epoch: Epoch<L>,
    keeper: Keeper<L>,
    marker: Marker<L>,
    walker: Walker<L>,
    /// If there is a choice of modes.
    other_modes: Option<OtherModes<L>>,
}

#[name_nets]
impl<L: Logic> EntropySelector<L> {
    fn new(config: EntropySelectorConfig) -> Self {
        EntropySelector {
            config,
            epoch: Epoch::new(config),
            keeper: Keeper::new(config),
            marker: Marker::new(config),
            walker: Walker::new(config),
            other_modes: (config.modes != Modes::BITMAP).then(|| OtherModes::new(config)),
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
            busy: self.keeper.busy(),
            control_ready: self.keeper.ready(),
            grant: self.walker.grant(),
            response: self.keeper.response(),
            refused_requests: self.walker.refused(),
            feedback_closed,
            feedback_range,
        }
    }

    fn clock(&self, input: &EntropySelectorIn<L>) {
        let EntropySelectorIn { request, feedback, control, settings } = *input;
        let (epochs, swept) = (self.epoch.get(), !self.keeper.busy());
        let (told, told_word) = (self.marker.told_summary(), self.marker.told_word());
        let (request_life, feedback_life) = (self.keeper.request_life(), self.keeper.feedback_life());
        let (asks_cursor, cursor) = (self.keeper.asks_cursor(), self.walker.keeper_cursor());
        let caller = self.walker.caller(request_life, self.keeper.request_way());
        let passed = self.walker.passed_over();
        let heard = self.marker.heard(feedback_life, self.keeper.feedback_way());
        let (others, heard_before) = match &self.other_modes {
            Some(others) => (others.others(), others.told()),
            None => (Others::none(self.config), heard),
        };
        if let Some(others) = &self.other_modes {
            let asked = [Ask { valid: request.valid, key: request.ccc }, self.walker.asked_1()];
            let answered = Ask { valid: feedback.valid, key: feedback.ccc };
            others.clock(asked, caller, answered, heard, settings);
        } else {
            settings.ignore_other_modes();
        }

        self.walker.clock(
            request,
            swept,
            epochs,
            settings.limit,
            request_life,
            caller.way,
            told,
            told_word,
            asks_cursor,
            others,
        );
        self.marker.clock(feedback, passed, swept, epochs, feedback_life, heard);
        self.keeper.clock(control, [request.ccc, feedback.ccc], told, cursor, heard_before, epochs);
        self.epoch.clock(settings.rtt);
    }
}
