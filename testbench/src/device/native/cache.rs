// SPDX-License-Identifier: MIT OR Apache-2.0
//! The directory of compiled designs, and their names in it.

use sha2::{Digest, Sha256};
use std::path::PathBuf;

/// `$XDG_CACHE_HOME/mpnic`, else `~/.cache/mpnic`, else a directory among the temporary files.
pub fn default_dir() -> PathBuf {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    set("XDG_CACHE_HOME")
        .or_else(|| set("HOME").map(|home| home.join(".cache")))
        .unwrap_or_else(std::env::temp_dir)
        .join("mpnic")
}

/// Returns a name that depends on everything that affects the result.
pub fn key(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    // The processor is a part of the name: `-march=native` depends on it, and home directories are shared.
    for part in parts.iter().copied().chain([std::env::consts::ARCH, &processor()]) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().take(20).map(|byte| format!("{byte:02x}")).collect()
}

fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    info.lines().find(|line| line.starts_with("flags") || line.starts_with("Features")).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_eq!(key(&["ab", "c"]), key(&["ab", "c"]));
    }
}
