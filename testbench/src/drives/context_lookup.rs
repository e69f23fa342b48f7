// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random traffic for the stage `context_lookup`. It uses few keys, so that look-ups find them and commands meet on them,
//! and yet more than the table holds, if it is small.

use crate::device::random::Random;
use crate::device::{Error, Ports};
use crate::drives::constrained::ConstrainedDrive;
use pipeline::receive::context_lookup::ContextLookupConfig;

/// Look-ups of `keys` keys of each kind, with inserts, removes and reads of the same keys.
pub fn lookup_drive(
    ports: &Ports,
    config: ContextLookupConfig,
    keys: u64,
    random: Random,
) -> Result<ConstrainedDrive, Error> {
    let mut drive = ConstrainedDrive::new(ports, random)
        .value_set("command_op", [0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3])?
        .value_set("command_index", 0..config.entries)?;
    let kinds: Vec<_> = config.kinds.codes().into_iter().cycle().take(12).chain([3]).collect();
    for stream in ["lookup", "command"] {
        drive = drive.value_set(&format!("{stream}_kind"), kinds.clone())?;
        drive = drive.value_set(&format!("{stream}_key"), (0..keys).map(|key| key * 0x101))?;
        if config.kinds.elab {
            for word in ["key_1", "key_2", "key_3"] {
                drive = drive.value_set(&format!("{stream}_{word}"), [0, 0, 0, 1 << 63])?;
            }
        }
    }
    Ok(drive)
}
