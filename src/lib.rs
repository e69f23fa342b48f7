// SPDX-License-Identifier: MIT OR Apache-2.0
//! The library of the command `mpnic`: multipath NIC pipelines from one configuration.
//!
//! A [configuration](config) defines the protocols and the size of a pipeline. A pipeline consists of [stages], each of
//! which has a netlist, Verilog and a [budget](budget::Budget). [`prototype`] makes all files of a whole pipeline, with
//! its [results](summary::Summary) and its [page](report). An error is a [`Failure`](failure::Failure), which
//! distinguishes mistakes of the user from defects of the tool.
//!
//! ```
//! use mpnic::budget::Budget;
//! use mpnic::config::Config;
//! use mpnic::stages::StageName;
//!
//! let config = Config::parse("nic.toml", "[tally]\nrows = 16\n")?;
//! let stage = StageName::find("tally").expect("it is a stage");
//! let budget = Budget::of(stage, &config)?;
//! assert!(budget.fits && budget.total.memory_bits == 16 * 32);
//! # Ok::<(), mpnic::failure::Failure>(())
//! ```

mod backend;
pub mod budget;
mod capture;
pub mod cli;
mod commands;
pub mod config;
mod device;
pub mod failure;
mod field_map;
mod files;
pub mod interfaces;
mod latency;
mod measured;
mod output;
mod progress;
mod rates;
pub mod report;
pub mod settings;
pub mod stages;
pub mod summary;
mod trace;
mod vectors;
pub mod wiring;

pub use commands::prototype::prototype;
pub use commands::run;
pub use output::Files;
