// SPDX-License-Identifier: MIT OR Apache-2.0
//! Help, wrong usage, standard output.

use crate::{Place, ran};
use assert_cmd::Command;

#[test]
fn every_command_has_help_with_examples() {
    let place = Place::fresh();
    for command in ["prototype", "rtl", "model", "conform", "replay", "budget", "dissector", "fabric"] {
        let help = place.run(&format!("{command} --help")).good();
        assert!(help.contains("Examples:\n  mpnic"), "{help}");
    }
    let help = place.run("--help").good();
    assert!(help.contains("2 wrong usage or something is missing, 70 a defect of mpnic."), "{help}");
}

#[test]
fn wrong_usage_is_status_2() {
    let place = Place::fresh();
    for arguments in ["", "fly", "conform --backend vcs", "replay", "replay in.pcap --stall 96", "rtl --stage nothing"]
    {
        place.run(arguments).bad(2);
    }
    assert_eq!(place.run("--config ecp5-10g").bad(2), "mpnic: no command is given\n  help: mpnic --help lists them\n");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::fresh();
    let mut shell = Command::new("bash");
    let line = format!("{} replay in.pcap --json | head -1 ; echo ${{PIPESTATUS[0]}}", env!("CARGO_BIN_EXE_mpnic"));
    shell.current_dir(place.path("")).args(["-c", &line]);
    let ran = ran(&mut shell);
    assert!(ran.out.ends_with("}\n0\n") && ran.err.is_empty(), "{}{}", ran.out, ran.err);
}

#[test]
fn a_full_disk_is_said() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let place = Place::fresh();
    let mut shell = Command::new("sh");
    let line = format!("{} budget > /dev/full", env!("CARGO_BIN_EXE_mpnic"));
    shell.current_dir(place.path("")).args(["-c", &line]);
    let error = ran(&mut shell).bad(2);
    assert!(error.starts_with("mpnic: standard output: "), "{error}");
}
