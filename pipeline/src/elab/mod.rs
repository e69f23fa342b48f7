// SPDX-License-Identifier: MIT OR Apache-2.0
//! ELAB. [`scheduler`] chooses the virtual path (VP) of a packet that is sent, [`feedback`] counts the packets that
//! arrive, and [`host`] is both of them with parser and builder. Both halves share the rest: the number of host pairs and
//! of VPs, their indices, and the unit of time in which rates are counted (`docs/stages/elab_scheduler.md`).

pub mod feedback;
pub mod host;
pub(crate) mod normalize;
pub(crate) mod rate;
pub(crate) mod recent;
pub mod scheduler;
mod sizes;

pub use sizes::{BURST_ID_WIDTH, BURST_WIDTH, COUNT_WIDTH, POINT, RATE_WIDTH, REPORTED_RATE_WIDTH, SPORT_WIDTH};
pub(crate) use sizes::{DEFAULT_BURST, PERIOD_WIDTH, UnitTimebase};
pub use sizes::{ElabSizes, TIME_WIDTH, VP_WIDTH};
