// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command that writes the archive and compares it.

use golden_vectors::{Archive, Effort, Made, archive_of};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use tier::is_all;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_make-vectors")).args(arguments).output().unwrap()
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// All files of the committed archive, the manifest last.
fn committed() -> Vec<Made> {
    let mut archive = Archive::embedded().unwrap();
    let names: Vec<_> = archive.names().map(str::to_owned).collect();
    names.into_iter().map(|name| Made { bytes: archive.read(&name).unwrap().unwrap(), name }).collect()
}

/// Of an archive that differs in one file it names this file, and writes one that has what is committed, byte for byte.
#[test]
fn names_what_differs_and_writes_what_is_committed() {
    let mut files = committed();
    let capture = files.iter_mut().find(|file| file.name == "header_parser.pcap").unwrap();
    capture.bytes[100] ^= 1;
    // The manifest must list what there is, or the archive is refused as a whole.
    let sum = <sha2::Sha256 as sha2::Digest>::digest(&capture.bytes);
    let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    let manifest = files.last_mut().unwrap();
    let mut listed: serde_json::Value = serde_json::from_slice(&manifest.bytes).unwrap();
    for entry in listed["files"].as_array_mut().unwrap() {
        if entry["name"] == "header_parser.pcap" {
            entry["sha256"] = sum.clone().into();
        }
    }
    manifest.bytes = serde_json::to_vec(&listed).unwrap();
    let path = path("changed.zip");
    fs::write(&path, archive_of(&files, Effort::Fast).unwrap()).unwrap();
    let differ = |said: &[u8]| -> Vec<String> {
        let said = String::from_utf8_lossy(said);
        said.lines().filter_map(|line| line.split_once(" differs from")).map(|(name, _)| name.to_owned()).collect()
    };
    let changed = ["header_parser.pcap", "MANIFEST.json"];
    if is_all() {
        let output = run(&["--check", "--archive", path.to_str().unwrap()]);
        assert_eq!((output.status.code(), &*differ(&output.stderr)), (Some(1), &changed.map(str::to_owned)[..]));
    }
    let output = run(&["--archive", path.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(differ(&output.stderr), changed);
    let bytes = fs::read(&path).unwrap();
    let mut made = Archive::open("made.zip", &bytes).unwrap();
    let committed = committed();
    assert!(committed.len() > 20 && made.names().count() == committed.len());
    for file in committed {
        assert!(made.read(&file.name).unwrap() == Some(file.bytes), "{} differs: run make-vectors", file.name);
    }
}

#[test]
fn an_archive_that_is_none_is_status_2() {
    let path = path("none.zip");
    fs::write(&path, "PK and no more").unwrap();
    for arguments in [&["--chek"][..], &["--archive"]] {
        assert_eq!(run(arguments).status.code(), Some(2));
    }
    let output = run(&["--check", "--archive", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("this archive of vectors is cut or changed"));
}
