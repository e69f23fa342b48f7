// SPDX-License-Identifier: MIT OR Apache-2.0
//! What both halves of ELAB have in common by their contracts, `docs/stages/elab_scheduler.md` ("Vn") and
//! `docs/stages/elab_feedback.md` ("Wn"): the rate of packets in a time, and settings as of a cycle.

mod rate;
mod timeline;

pub use rate::rate;

pub(crate) use timeline::Timeline;
