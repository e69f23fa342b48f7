// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stages that carry frames. [`header_parser`] takes the headers of a frame apart, [`header_builder`] puts them in
//! front of a payload, [`icrc`] checks or inserts the ICRC, and [`frame_gate`] lets only frames through that are whole
//! and right. They share the other files: the lanes of header words, the steps of the beats, the frame length, the frames
//! that are under way, and the EtherTypes.

mod ethertype;
pub mod frame_gate;
pub mod header_builder;
pub mod header_parser;
pub mod icrc;
mod kept;
mod lanes;
mod length;
mod progress;
mod steps;

pub(crate) use ethertype::{EtherTypes, Link};
pub(crate) use kept::{kept, kept_data};
pub(crate) use lanes::{BusLayout, ETHERTYPE, LAST_OF_UDP, UNTAGGED};
pub(crate) use length::{FrameLength, LENGTH};
pub(crate) use progress::Progress;
pub(crate) use steps::{StepStatus, Steps};
