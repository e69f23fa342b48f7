// SPDX-License-Identifier: MIT OR Apache-2.0
//! The archive of vectors: whole files come out of it, and one that is cut or changed is refused.

use golden_vectors::{Archive, Effort, Made, VectorError, Vectors, archive_of};
use proptest::prelude::*;
use std::sync::LazyLock;

fn committed() -> &'static [u8] {
    include_bytes!("../../../vectors.zip")
}

/// A small archive.
static SMALL: LazyLock<Vec<u8>> = LazyLock::new(small);

/// The smallest committed file, with a manifest of its own.
fn small() -> Vec<u8> {
    let text = Archive::embedded().unwrap().text("mark_monitor.json").unwrap().unwrap();
    let manifest = Archive::embedded().unwrap().text("MANIFEST.json").unwrap().unwrap();
    let mut manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let files = manifest["files"].as_array_mut().unwrap();
    files.retain(|entry| entry["name"] == "mark_monitor.json");
    assert_eq!(files.len(), 1);
    let made = |name: &str, text: String| Made { name: name.into(), bytes: text.into_bytes() };
    archive_of(&[made("mark_monitor.json", text), made("MANIFEST.json", manifest.to_string())], Effort::Fast).unwrap()
}

/// Reads all that an archive holds.
fn read_all(bytes: &[u8]) -> Result<usize, VectorError> {
    let archive = Archive::open("some.zip", bytes)?;
    let vectors = Vectors::of_archive(&archive)?;
    let names: Vec<_> = archive.names().map(str::to_owned).collect();
    let mut reader = archive.clone();
    for name in &names {
        assert!(reader.read(name)?.is_some(), "{name}");
    }
    Ok(vectors.len())
}

/// The message, in one line, says which archive it is and what to do.
fn refused(bytes: &[u8]) -> String {
    let error = read_all(bytes).expect_err("it is not as it was written");
    let said = error.to_string();
    assert!(matches!(error, VectorError::Archive { .. }), "{said}");
    assert!(said.starts_with("some.zip: this archive of vectors is cut or changed: "), "{said}");
    assert!(said.ends_with("; fetch or make it again") && !said.contains('\n'), "{said}");
    said
}

#[test]
fn the_committed_archive_is_whole() {
    assert_eq!(read_all(committed()).unwrap(), Vectors::embedded().unwrap().len());
    let of_stage = Vectors::embedded_stage("reorder").unwrap();
    assert_eq!(of_stage.iter().map(Vectors::stage).collect::<Vec<_>>(), ["reorder", "reorder"]);
    assert!(Vectors::embedded_stage("nothing").unwrap().is_empty());
    let mut archive = Archive::embedded().unwrap();
    assert!(archive.read("nothing.json").unwrap().is_none());
    assert!(archive.text("header_parser.pcap").is_err(), "it is no text");
    // The limit that a checkout has to keep.
    assert!(committed().len() < 15 << 20, "{} bytes", committed().len());
}

#[test]
fn the_same_files_give_the_same_bytes() {
    assert!(small() == *SMALL);
}

#[test]
fn what_is_missing_or_too_much_is_refused() {
    let manifest = r#"{"license":"","generator":{"name":"","version":"","prng":"","seed":""},
        "schemas":[{"name":"","version":""},{"name":"","version":""}],"files":[]}"#;
    let made = |name: &str, text: &str| Made { name: name.into(), bytes: text.as_bytes().to_vec() };
    let only = archive_of(&[made("MANIFEST.json", manifest)], Effort::Fast).unwrap();
    assert_eq!(read_all(&only).unwrap(), 0);
    let more = archive_of(&[made("other.json", "{}"), made("MANIFEST.json", manifest)], Effort::Fast).unwrap();
    assert!(refused(&more).contains("its members are not those that MANIFEST.json lists"));
    let without = archive_of(&[made("other.json", "{}")], Effort::Fast).unwrap();
    assert!(refused(&without).contains("MANIFEST.json"));
    let not_json = archive_of(&[made("MANIFEST.json", "nothing")], Effort::Fast).unwrap();
    assert!(refused(&not_json).contains("MANIFEST.json: expected"));
    // A file that was exchanged for another one, with a checksum of its own.
    let listed = manifest.replace("[]", r#"[{"name":"a.json","bytes":2,"sha256":"00"}]"#);
    let changed = archive_of(&[made("a.json", "{}"), made("MANIFEST.json", &listed)], Effort::Fast).unwrap();
    assert!(refused(&changed).contains("a.json has not the SHA-256 sum of MANIFEST.json"));
}

/// Wherever it is cut.
#[test]
fn a_cut_archive_is_refused() {
    let bytes = &*SMALL;
    assert_eq!(read_all(bytes).unwrap(), 1);
    let ends = (0..bytes.len()).step_by(101).chain(bytes.len().saturating_sub(64)..bytes.len());
    let cuts = ends.inspect(|&end| _ = refused(&bytes[..end])).count();
    assert!(cuts > 100, "{cuts}");
    refused(&committed()[..committed().len() / 2]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(400), ..ProptestConfig::default() })]

    /// A changed byte is found, or changes nothing that is read: a time stamp, say.
    #[test]
    fn a_changed_byte_changes_no_vector(at in 0..SMALL.len(), by in 1_u8..) {
        let mut bytes = SMALL.clone();
        bytes[at] ^= by;
        if let Ok(archive) = Archive::open("some.zip", &bytes)
            && let Ok(vectors) = Vectors::of_archive(&archive)
        {
            prop_assert!(vectors == Vectors::of_archive(&Archive::open("some.zip", &SMALL).unwrap()).unwrap());
        }
    }
}
