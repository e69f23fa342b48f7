// SPDX-License-Identifier: MIT OR Apache-2.0
//! Directories are written whole or not at all, and nothing of somebody else's is lost.

use crate::Place;
use tier::pick;

const RTL: &str = "rtl --stage tally --out nic";

#[test]
fn the_same_input_gives_the_same_bytes() {
    let place = Place::fresh();
    for what in pick(["--stage header_parser,tally", "--config ecp5-10g"], 1) {
        let manifest = |out: &str| {
            place.run(&format!("prototype {what} --out {out}")).good();
            // It has the sums of all files.
            place.read(&format!("{out}/mpnic.sha256"))
        };
        assert_eq!(manifest(&format!("a{}", what.len())), manifest(&format!("b{}", what.len())));
    }
}

#[test]
fn what_was_written_may_be_written_again() {
    let place = Place::fresh();
    place.run(RTL).good();
    let before = place.read("nic/mpnic.sha256");
    place.run(RTL).good();
    assert_eq!(place.read("nic/mpnic.sha256"), before);
    assert_eq!(place.names(""), ["in.pcap", "nic"]);
    // Another stage leaves nothing of the first behind.
    place.run("rtl --stage header_parser_core --out nic").good();
    assert!(place.names("nic").iter().all(|name| !name.contains("tally")), "{:?}", place.names("nic"));
}

#[test]
fn an_empty_directory_is_taken() {
    let place = Place::fresh();
    std::fs::create_dir(place.path("nic")).expect("created");
    place.run(RTL).good();
    assert!(place.path("nic/mpnic.sha256").exists());
}

#[test]
fn files_of_others_are_kept() {
    let place = Place::fresh();
    place.run(RTL).good();
    place.write("nic/mine.v", "mine");
    let error = place.run(RTL).bad(2);
    assert!(error.starts_with("mpnic: nic holds what this command did not write: mine.v\n"), "{error}");
    assert_eq!(place.read("nic/mine.v"), "mine");
    place.run(&format!("{RTL} --force")).good();
    assert!(!place.path("nic/mine.v").exists());
    assert_eq!(place.read("nic.old/mine.v"), "mine");
}

#[test]
fn changed_files_are_kept() {
    let place = Place::fresh();
    place.run(RTL).good();
    let verilog = "nic/mpnic_tally.v";
    place.write(verilog, "changed by hand");
    let error = place.run(RTL).bad(2);
    assert!(error.contains("mpnic_tally.v has changed"), "{error}");
    assert_eq!(place.read(verilog), "changed by hand");
}

#[test]
fn nothing_is_left_of_a_failure() {
    let place = Place::fresh();
    place.write("file", "a file");
    assert_eq!(place.run("rtl --stage tally --out file").bad(2), "mpnic: file is a file\n");
    place.run("rtl --stage tally --out file/nic").bad(2);
    place.run("rtl --stage tally --out /proc/nic").bad(2);
    place.run("rtl --stage tally --out .").bad(2);
    place.run("rtl --stage tally --out ..").bad(2);
    assert_eq!(place.names(""), ["file", "in.pcap"]);
    assert_eq!(place.read("file"), "a file");
}

#[test]
fn one_stage_goes_to_standard_output() {
    let place = Place::fresh();
    let text = place.run("rtl --stage tally --out -").good();
    place.run(RTL).good();
    assert_eq!(place.read("nic/mpnic_tally.v"), text);
}

#[test]
fn the_manifest_is_what_sha256sum_reads() {
    let place = Place::fresh();
    place.run(RTL).good();
    let mut command = assert_cmd::Command::new("sha256sum");
    let ran = crate::ran(command.current_dir(place.path("nic")).args(["--check", "--strict", "mpnic.sha256"]));
    ran.good();
}
