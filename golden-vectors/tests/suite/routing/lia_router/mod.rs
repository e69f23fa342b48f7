// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracle and the vectors of `lia_router`.

mod rows;
mod table;
