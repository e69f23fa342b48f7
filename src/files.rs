// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads files that a command line names.

use std::io::{self, Read};
use std::path::Path;

/// The name of standard input, and of standard output where there is one.
pub const STDIN: &str = "-";

/// Reads a file, or standard input if it is called `-`.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path != Path::new(STDIN) {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The same for a text, without a byte order mark.
pub fn read_text(path: &Path) -> io::Result<String> {
    let text = String::from_utf8(read(path)?).map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::read_text;

    #[test]
    fn a_byte_order_mark_is_no_text() -> std::io::Result<()> {
        let dir = tempfile::tempdir()?;
        let path = dir.path().join("qps.csv");
        std::fs::write(&path, "\u{feff}key\n1\n")?;
        assert_eq!(read_text(&path)?, "key\n1\n");
        std::fs::write(&path, [0xff, 0xfe, b'k', 0])?;
        assert!(read_text(&path).is_err());
        Ok(())
    }
}
