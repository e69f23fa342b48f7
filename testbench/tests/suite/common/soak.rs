// SPDX-License-Identifier: MIT OR Apache-2.0
//! The length of lock-step runs: short in `./test`, as long as requested in `scripts/soak`.

/// This is `scripts/soak`.
pub fn is_long() -> bool {
    std::env::var_os("MPNIC_LOCKSTEP_CYCLES").is_some()
}

/// Number of cycles of a run: `MPNIC_LOCKSTEP_CYCLES` if it is set, otherwise `short`.
pub fn cycles(short: u64) -> u64 {
    match std::env::var("MPNIC_LOCKSTEP_CYCLES") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("MPNIC_LOCKSTEP_CYCLES={text} is not a number")),
        Err(_) => short,
    }
}
