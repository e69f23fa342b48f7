// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracle and the vectors of the parser: by hand, at random, and what they cover.

mod configured;
mod coverage;
mod known_answers;
mod random;
