// SPDX-License-Identifier: MIT OR Apache-2.0
//! All tests of oracles, generators and files in one program, which is built once: `cargo test -p golden-vectors-suite icrc`.

mod blocks;
mod elab;
mod files;
mod frame;
mod headers;
mod receive;
mod routing;
mod transmit;
