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
    let says = |out: &str, what: &str| {
        let error = place.run(&format!("rtl --stage tally --out {out}")).bad(2);
        assert!(error.starts_with(&format!("mpnic: {what}\n")) && !error.contains(".mpnic-"), "{error}");
    };
    says("file", "file is a file");
    says("file/nic", &format!("file/nic: {} is a file", place.path("file").display()));
    says("file/a/nic", &format!("file/a/nic: {} is a file", place.path("file").display()));
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
fn what_is_no_stream_does_not_go_to_standard_output() {
    let place = Place::fresh();
    let commands = [
        "model --stage tally --out -",
        "prototype --stage tally --out -",
        "vectors --out -",
        "replay in.pcap --out -",
        "replay in.pcap --rebuild -",
        "conform --trace -",
    ];
    for command in commands {
        let option = command.split(' ').nth_back(1).expect("an option");
        let says = format!("mpnic: {option} -: this does not go to standard output\n");
        assert!(place.run(command).bad(2).starts_with(&says), "{command}");
    }
    assert_eq!(place.names(""), ["in.pcap"]);
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_no_directory() {
    let place = Place::fresh();
    std::os::unix::fs::symlink("nowhere", place.path("nic")).expect("made");
    let error = place.run(RTL).bad(2);
    assert!(error.starts_with("mpnic: nic is a symbolic link to nothing\n"), "{error}");
    assert!(place.path("nic").is_symlink());
    std::fs::create_dir(place.path("nowhere")).expect("made");
    place.run(RTL).good();
    assert!(place.path("nic").is_symlink() && place.path("nowhere/mpnic.sha256").exists());
}

#[test]
fn the_manifest_is_what_sha256sum_reads() {
    let place = Place::fresh();
    place.run(RTL).good();
    let mut command = assert_cmd::Command::new("sha256sum");
    let ran = crate::ran(command.current_dir(place.path("nic")).args(["--check", "--strict", "mpnic.sha256"]));
    ran.good();
}

/// What is written to is no output that may be replaced: a device, a FIFO, what a symbolic link names.
#[cfg(unix)]
#[test]
fn outputs_that_are_no_files_stay_what_they_are() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let place = Place::fresh();
    place.run("replay in.pcap --rebuild plain.pcap").good();
    let plain = std::fs::read(place.path("plain.pcap")).expect("written");
    place.write("real.pcap", "old");
    symlink("real.pcap", place.path("link.pcap")).expect("made");
    place.run("replay in.pcap --rebuild link.pcap").good();
    assert!(place.path("link.pcap").is_symlink());
    assert!(std::fs::read(place.path("real.pcap")).expect("written") == plain);
    crate::ran(assert_cmd::Command::new("mkfifo").arg(place.path("fifo"))).good();
    let fifo = place.path("fifo");
    let reader = std::thread::spawn(move || std::fs::read(fifo).expect("read"));
    place.run("replay in.pcap --rebuild fifo").good();
    assert!(reader.join().expect("it ends") == plain);
    let kind = |path: &std::path::Path| std::fs::symlink_metadata(path).expect("it is there").file_type();
    assert!(kind(&place.path("fifo")).is_fifo());
    for option in ["--rebuild", "--out", "--trace"] {
        // The form of a waveform is that of its name.
        symlink("/dev/null", place.path("null.vcd")).expect("made");
        place.run(&format!("replay in.pcap {option} null.vcd")).good();
        assert!(place.path("null.vcd").is_symlink() && kind(std::path::Path::new("/dev/null")).is_char_device());
        std::fs::remove_file(place.path("null.vcd")).expect("removed");
    }
}

#[test]
fn no_output_is_another_file_of_the_run() {
    let place = Place::fresh();
    place.write("q.csv", "key\n1\n");
    place.write("nic.toml", "");
    std::fs::create_dir(place.path("dir")).expect("made");
    std::fs::hard_link(place.path("in.pcap"), place.path("same.pcap")).expect("made");
    let files = ["in.pcap", "q.csv", "nic.toml", "same.pcap"];
    let before = files.map(|name| std::fs::read(place.path(name)).expect("read"));
    for (options, says) in [
        ("--out in.pcap", "--out in.pcap: this file is also the capture"),
        ("--out ./dir/../in.pcap", "is also the capture"),
        ("--out same.pcap", "is also the capture"),
        ("--rebuild in.pcap", "--rebuild in.pcap: this file is also the capture"),
        ("--out q.csv --connections q.csv", "--out q.csv: this file is also --connections"),
        ("--config nic.toml --out nic.toml", "--out nic.toml: this file is also --config"),
        ("--out o.fst --trace o.fst", "--trace o.fst: this file is also --out"),
        ("--rebuild o.vcd --trace dir/../o.vcd", "--trace dir/../o.vcd: this file is also --rebuild"),
        ("--out o.pcap --delivered o.pcap", "--delivered o.pcap: this file is also --out"),
    ] {
        let error = place.run(&format!("replay in.pcap {options}")).bad(2);
        assert!(error.contains(says), "{options}: {error}");
    }
    place.write("v.fst", "{}");
    let error = place.run("conform --vectors v.fst --trace v.fst").bad(2);
    assert!(error.contains("--trace v.fst: this file is also --vectors"), "{error}");
    assert_eq!(files.map(|name| std::fs::read(place.path(name)).expect("read")), before);
    let error = place.run("replay - --config -").bad(2);
    assert!(error.contains("two inputs are standard input"), "{error}");
}

/// A signal ends a run, and nothing temporary stays, neither beside the output nor among the compiled designs.
#[cfg(unix)]
#[test]
fn a_run_that_is_interrupted_leaves_nothing() {
    use std::process::{Command, Stdio};
    for (signal, arguments) in [("INT", "--rebuild o.pcap"), ("TERM", "--trace o.fst"), ("INT", "--out o.pcap")] {
        let place = Place::fresh();
        let mut command = Command::new(env!("CARGO_BIN_EXE_mpnic"));
        command.current_dir(place.path("")).env("XDG_CACHE_HOME", place.path("cache"));
        command.args(["replay", "in.pcap"]).args(arguments.split(' '));
        let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        // Its first model is being compiled, which takes longer than a look at the directory.
        let begun = || std::fs::read_dir(place.path("cache/mpnic")).is_ok_and(|mut entries| entries.next().is_some());
        while !begun() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let number = run.id().to_string();
        crate::ran(assert_cmd::Command::new("kill").args(["-s", signal, &number])).good();
        assert!(!run.wait().expect("it ends").success());
        assert_eq!(place.names(""), ["cache", "in.pcap"], "{arguments}");
        let left = place.names("cache/mpnic");
        assert!(left.iter().all(|name| name.ends_with(".so")), "{left:?}");
    }
}

/// Without a home directory the models are kept in a directory that only the user can write.
#[cfg(unix)]
#[test]
fn a_home_that_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::fresh();
    std::fs::create_dir(place.path("tmp")).expect("made");
    place.write("home", "a file");
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_mpnic"));
    command.env_remove("XDG_CACHE_HOME").env("HOME", place.path("home")).env("TMPDIR", place.path("tmp"));
    let ran = crate::ran(command.current_dir(place.path("")).args(["replay", "in.pcap"]));
    let (lines, kept) = (ran.err.lines().count(), ran.err.contains("cannot be written: compiled designs are kept in "));
    assert!(lines == 1 && kept, "{}", ran.err);
    assert_eq!(ran.good().lines().count(), 200);
    let made = place.names("tmp");
    assert!(made.len() == 1 && made[0].starts_with("mpnic-"), "{made:?}");
    let mode = std::fs::metadata(place.path("tmp").join(&made[0])).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}
