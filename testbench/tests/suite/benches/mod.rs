// SPDX-License-Identifier: MIT OR Apache-2.0
//! The benches of stages that carry frames.

mod parser_bench;
