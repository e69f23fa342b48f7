// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command that writes and compares the files.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_make-vectors")).args(arguments).output().unwrap()
}

#[test]
fn writes_then_agrees_then_names_what_differs() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("written");
    let path = folder.to_str().unwrap();
    assert!(run(&["--dir", path]).status.success());
    assert!(run(&["--check", "--dir", path]).status.success());

    let capture = folder.join("header_parser.pcap");
    let mut bytes = fs::read(&capture).unwrap();
    bytes[100] ^= 1;
    fs::write(&capture, bytes).unwrap();
    let output = run(&["--check", "--dir", path]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("header_parser.pcap differs"));
}

#[test]
fn asks_for_known_arguments() {
    assert_eq!(run(&["--chek"]).status.code(), Some(2));
    assert_eq!(run(&["--dir"]).status.code(), Some(2));
}
