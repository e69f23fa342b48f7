// SPDX-License-Identifier: MIT OR Apache-2.0
//! Both halves of ELAB: what `elab_scheduler` and `elab_feedback` must do, and their vectors. Their contracts,
//! `docs/stages/elab_scheduler.md` ("Vn") and `docs/stages/elab_feedback.md` ("Wn"), have in common: the rate of packets
//! in a time, and settings as of a cycle.

mod draw;
pub mod feedback;
mod rate;
pub mod scheduler;
mod timeline;

pub use rate::rate;

pub(crate) use timeline::Timeline;
