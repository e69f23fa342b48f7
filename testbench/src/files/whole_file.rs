// SPDX-License-Identifier: MIT OR Apache-2.0
//! An output file that is written as a whole or not at all: beside its place first, and renamed at the end. Of a
//! symbolic link the target is written. A device or FIFO is no place for a file: what is written goes through it.

use super::temporary::{Listed, listed};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that is not there yet.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    temporary: Listed<NamedTempFile>,
    /// The device or FIFO.
    through: Option<File>,
}

impl WholeFile {
    /// Opens the place of the file, so that one that cannot be written is an error before the run. A FIFO waits for
    /// its reader.
    pub fn create(path: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".mpnic-");
        // Temporary files are private, but this one is a result.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        match std::fs::metadata(path) {
            Ok(data) if data.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(data) if !data.is_file() => {
                let through = File::options().write(true).open(path)?;
                let temporary = listed(|| builder.tempfile())?;
                Ok(WholeFile { path: path.to_owned(), temporary, through: Some(through) })
            }
            _ => {
                let path = target(path)?;
                let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
                // The message of `tempfile` would name the temporary path.
                std::fs::metadata(parent)?;
                let temporary =
                    listed(|| builder.tempfile_in(parent)).map_err(|error| io::Error::from(error.kind()))?;
                Ok(WholeFile { path, temporary, through: None })
            }
        }
    }

    /// What is written before the end.
    pub fn open(&self) -> io::Result<File> {
        self.temporary.reopen()
    }

    /// Puts what has been written in its place.
    pub fn keep(self) -> io::Result<()> {
        let WholeFile { path, temporary, through } = self;
        match through {
            Some(mut through) => io::copy(&mut temporary.reopen()?, &mut through).map(drop),
            None => temporary.finish(|file| file.persist(&path)).map(drop).map_err(|error| error.error),
        }
    }

    /// Writes the bytes and puts the file in its place.
    pub fn finish(self, bytes: &[u8]) -> io::Result<()> {
        self.open()?.write_all(bytes)?;
        self.keep()
    }
}

/// The file behind symbolic links, which need not be there.
fn target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..40 {
        let Ok(next) = std::fs::read_link(&path) else { return Ok(path) };
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(io::Error::other("too many symbolic links"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, symlink};

    fn write(path: &Path, text: &str) -> io::Result<()> {
        WholeFile::create(path)?.finish(text.as_bytes())
    }

    #[test]
    fn of_a_link_the_target_is_written() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        let [real, link, second, dangling] = ["real", "link", "second", "dangling"].map(|name| dir.path().join(name));
        std::fs::write(&real, "old")?;
        symlink("real", &link)?;
        symlink("link", &second)?;
        symlink("new", &dangling)?;
        write(&second, "text")?;
        write(&dangling, "more")?;
        assert!([&link, &second, &dangling].iter().all(|path| path.is_symlink()));
        assert_eq!(std::fs::read_to_string(&real)?, "text");
        assert_eq!(std::fs::read_to_string(dir.path().join("new"))?, "more");
        symlink("circle", dir.path().join("circle"))?;
        assert!(write(&dir.path().join("circle"), "").is_err());
        Ok(())
    }

    #[test]
    fn a_fifo_stays_one() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        let path = dir.path().join("fifo");
        assert!(std::process::Command::new("mkfifo").arg(&path).status()?.success());
        let reader = std::thread::spawn({
            let path = path.clone();
            move || std::fs::read_to_string(path)
        });
        write(&path, "text")?;
        assert_eq!(reader.join().expect("it reads")?, "text");
        assert!(std::fs::symlink_metadata(&path)?.file_type().is_fifo());
        // The device takes what it is given.
        write(Path::new("/dev/null"), "text")?;
        assert!(std::fs::symlink_metadata("/dev/null")?.file_type().is_char_device());
        Ok(())
    }

    #[test]
    fn what_is_not_kept_leaves_nothing() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        drop(WholeFile::create(&dir.path().join("file"))?);
        assert_eq!(std::fs::read_dir(dir.path())?.count(), 0);
        assert!(WholeFile::create(dir.path()).is_err() && WholeFile::create(&dir.path().join("no/file")).is_err());
        Ok(())
    }
}
