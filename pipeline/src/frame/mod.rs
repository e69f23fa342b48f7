// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts shared by the stages that carry frames: the lanes of header words, the steps of the beats, the frame length,
//! and the EtherTypes.

mod ethertype;
mod lanes;
mod length;
pub mod side_band;
mod steps;

pub(crate) use ethertype::{EtherTypes, Link};
pub(crate) use lanes::{BusLayout, ETHERTYPE, LAST_OF_UDP, UNTAGGED};
pub(crate) use length::{FrameLength, LENGTH};
pub(crate) use steps::{StepStatus, Steps};
