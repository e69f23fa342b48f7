// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shipped configurations behave as their sources say, with nothing but requests, feedback and commands: no test here
//! touches the settings ports.

mod ccc_table;
mod device;
mod elab;
mod entropy_selector;
mod path_scheduler;
mod registers;
