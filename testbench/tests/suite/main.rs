// SPDX-License-Identifier: MIT OR Apache-2.0
//! All tests of stages and benches in one program, which is built once: `cargo test -p testbench-suite header_parser`.

use devices as _;

mod benches;
mod blocks;
mod closed_loop;
mod common;
mod conform;
mod device;
mod drives;
mod elab;
mod examples;
mod frame;
mod nic;
mod receive;
mod routing;
mod transmit;
mod waveform;
