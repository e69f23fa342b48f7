// SPDX-License-Identifier: MIT OR Apache-2.0
//! The untimed oracles: [`frame`] for whole frames and the stage `header_parser`, the others for the stage of their
//! name. They share no code with the model they judge.

pub mod elab;
pub mod elab_feedback;
pub mod elab_scheduler;
pub mod entropy_selector;
pub mod frame;
pub mod frame_gate;
pub mod header_builder;
pub mod icrc;
pub mod path_scheduler;
