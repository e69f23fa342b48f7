// SPDX-License-Identifier: MIT OR Apache-2.0
//! The length of lock-step runs: short in `./test`, as long as requested in `scripts/soak`.

/// Number of cycles of a run: `MPNIC_LOCKSTEP_CYCLES` if it is set, otherwise `short`.
pub fn cycles(short: u64) -> u64 {
    match std::env::var("MPNIC_LOCKSTEP_CYCLES") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("MPNIC_LOCKSTEP_CYCLES={text} is not a number")),
        Err(_) => short,
    }
}
