// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracle of the path scheduler: each row of the contract by example, what must hold of every run, and the committed
//! vectors.

mod cycles;
mod feedback;
mod help;
mod migration;
mod operations;
mod properties;
mod reports;
mod rounds;
mod stated;
mod stream;
mod vectors;
mod window;
