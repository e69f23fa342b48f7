// SPDX-License-Identifier: MIT OR Apache-2.0
//! The directory of compiled designs, and their names in it.

use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// `$XDG_CACHE_HOME/mpnic`, else `~/.cache/mpnic`, else a directory among the temporary files that nobody else can write:
/// what is in it is loaded as code. The first one that can be written, and a line of text if that is the last one.
pub fn default_dir() -> PathBuf {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    DIR.get_or_init(|| {
        let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = set("HOME").map(|home| home.join(".cache"));
        let wanted: Vec<_> = [set("XDG_CACHE_HOME"), home].into_iter().flatten().map(|dir| dir.join("mpnic")).collect();
        if let Some(dir) = wanted.iter().find(|dir| can_be_written(dir)) {
            return dir.clone();
        }
        match private() {
            Ok(dir) => {
                let place = wanted
                    .first()
                    .map_or("no home directory".into(), |dir| format!("{} cannot be written", dir.display()));
                eprintln!("{place}: compiled designs are kept in {}", dir.display());
                dir
            }
            // Whoever writes there gets the error.
            Err(_) => wanted.into_iter().next().unwrap_or_else(|| std::env::temp_dir().join("mpnic")),
        }
    })
    .clone()
}

fn can_be_written(dir: &Path) -> bool {
    std::fs::create_dir_all(dir).is_ok() && tempfile::tempfile_in(dir).is_ok()
}

/// A directory of this user among the temporary files.
#[cfg(unix)]
fn private() -> std::io::Result<PathBuf> {
    use std::os::unix::fs::{DirBuilderExt, MetadataExt};
    let user = tempfile::tempfile()?.metadata()?.uid();
    let dir = std::env::temp_dir().join(format!("mpnic-{user}"));
    let made = std::fs::DirBuilder::new().mode(0o700).create(&dir);
    // It may be there already, but then it must not be a trap: another's, a link, or open to others.
    let found = std::fs::symlink_metadata(&dir)?;
    match found.is_dir() && found.uid() == user && found.mode() & 0o077 == 0 {
        true => Ok(dir),
        false => Err(made.err().unwrap_or(std::io::ErrorKind::PermissionDenied.into())),
    }
}

#[cfg(not(unix))]
fn private() -> std::io::Result<PathBuf> {
    Ok(std::env::temp_dir().join("mpnic"))
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
