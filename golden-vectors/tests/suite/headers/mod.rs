// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracle of whole frames: against captures, by hand, and at random.

mod arbitrary;
mod capture;
mod captures;
mod damage;
mod flat;
mod known_answers;
mod layouts;
mod opcodes;
mod round_trip;
mod rules;
mod stage;
mod trimmed;
mod tunnel;
