// SPDX-License-Identifier: MIT OR Apache-2.0
//! What stages that frames pass through have in common: where words are in the beats, which beat is in which step, how
//! long the frame is, and what its EtherTypes say.

mod ethertype;
mod lanes;
mod length;
mod steps;

pub(crate) use ethertype::{EtherTypes, Link};
pub(crate) use lanes::{BusLayout, ETHERTYPE, LAST_OF_UDP, UNTAGGED};
pub(crate) use length::{FrameLength, LENGTH};
pub(crate) use steps::{StepStatus, Steps};
