// SPDX-License-Identifier: MIT OR Apache-2.0
//! The committed files, and the command that writes them.

mod archive;
mod timed;
mod vectors;
