// SPDX-License-Identifier: MIT OR Apache-2.0
//! The list of temporary files and directories. Destructors do not run if a signal ends the process, so its handler
//! removes what is listed.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

static LIST: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn list() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    // A set of paths is whole even if a thread has panicked.
    LIST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Something temporary that is listed as long as it is there: a `NamedTempFile`, a `TempDir`.
#[derive(Debug)]
pub struct Listed<T> {
    // The order of the fields is that of their ends: removed first, then no longer listed.
    temporary: T,
    entry: Entry,
}

#[derive(Debug)]
struct Entry(PathBuf);

impl Drop for Entry {
    fn drop(&mut self) {
        list().remove(&self.0);
    }
}

impl<T> std::ops::Deref for Listed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.temporary
    }
}

impl<T> Listed<T> {
    /// Does the last thing with it, such as to give it its final name. A signal comes before or after that.
    pub fn finish<R>(self, last: impl FnOnce(T) -> R) -> R {
        let Listed { temporary, entry } = self;
        let done = undisturbed(|| last(temporary));
        drop(entry);
        done
    }
}

/// Makes something temporary and lists it.
pub fn listed<T: AsRef<Path>>(make: impl FnOnce() -> io::Result<T>) -> io::Result<Listed<T>> {
    let mut list = list();
    let temporary = make()?;
    let path = temporary.as_ref().to_owned();
    list.insert(path.clone());
    drop(list);
    Ok(Listed { temporary, entry: Entry(path) })
}

/// Does something between which and [`remove_all`] nothing comes.
pub fn undisturbed<R>(action: impl FnOnce() -> R) -> R {
    let list = list();
    let done = action();
    drop(list);
    done
}

/// Removes what is listed. The process must end after that: whoever makes something temporary waits for ever.
pub fn remove_all() {
    let list = list();
    for path in list.iter() {
        // A compiler that still runs may write into the directory meanwhile.
        for _ in 0..20 {
            let removed = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
            if removed.is_ok() || !path.exists() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    std::mem::forget(list);
}
