// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--trace` of `replay` and `conform`: files written whole or not at all, and what is said of a bad place.

use crate::Place;

/// Names of the signals of a VCD, in their order.
fn signals(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("$var wire ")).filter_map(|line| line.split(' ').nth(2)).collect()
}

#[test]
fn every_backend_writes_ports_and_registers() {
    let place = Place::fresh();
    let lines = place.run("replay in.pcap --data-width 64").good();
    for backend in ["model", "verilator"] {
        let arguments = format!("replay in.pcap --data-width 64 --trace {backend}.vcd --backend {backend}");
        assert_eq!(place.run(&arguments).good(), lines);
    }
    let filter = "conform --data-width 64 --filter header_parser/link/type-0806 --trace";
    place.run(&format!("{filter} iverilog.vcd --backend iverilog")).good();
    let model = place.read("model.vcd");
    assert!(model.starts_with("$timescale 1 ns $end\n$scope module mpnic_header_parser $end\n"), "{}", &model[..200]);
    let model = signals(&model);
    for name in ["clk", "rst", "s_axis_tdata", "m_record_header_2", "total", "reason"] {
        assert!(model.contains(&name), "{name} in {model:?}");
    }
    for backend in ["verilator", "iverilog"] {
        let text = place.read(&format!("{backend}.vcd"));
        let rtl = signals(&text);
        assert!(rtl.contains(&"folded") && rtl.iter().all(|name| model.contains(name)), "{rtl:?}");
    }
}

#[test]
fn an_fst_of_filtered_vectors() {
    let place = Place::fresh();
    place.run("conform --filter header_parser/checksum --trace out.fst").good();
    let bytes = std::fs::read(place.path("out.fst")).expect("written");
    assert_eq!(bytes[..9], [0, 0, 0, 0, 0, 0, 0, 1, 73], "the header of an FST");
    assert_eq!(place.names(""), ["in.pcap", "out.fst"], "nothing else is left");
}

#[test]
fn a_bad_place_is_said_before_the_run() {
    let place = Place::fresh();
    std::fs::create_dir(place.path("dir.vcd")).expect("made");
    let help = "  help: name a file in a directory that is there and can be written\n";
    for command in ["replay in.pcap", "conform --filter header_parser/checksum"] {
        let error = place.run(&format!("{command} --trace nowhere/x.vcd")).bad(2);
        assert_eq!(error, format!("mpnic: nowhere/x.vcd: No such file or directory (os error 2)\n{help}"));
        let error = place.run(&format!("{command} --trace dir.vcd")).bad(2);
        assert!(error.starts_with("mpnic: dir.vcd: is a directory\n") && error.ends_with(help), "{error}");
        let error = place.run(&format!("{command} --trace out.wlf")).bad(2);
        let expected =
            "mpnic: --trace out.wlf: the form of a waveform is that of its name\n  help: name it F.vcd or F.fst\n";
        assert_eq!(error, expected);
    }
    assert_eq!(place.names(""), ["dir.vcd", "in.pcap"]);
}

#[test]
fn one_waveform_is_of_one_run() {
    let place = Place::fresh();
    let error = place.run("conform --backend all --data-width all --trace x.vcd").bad(2);
    assert!(error.starts_with("mpnic: --trace is the waveform of one run, and these are "), "{error}");
    assert!(error.contains("\n  help: choose"), "{error}");
    let error = place.run("conform --filter zebra --trace x.vcd").bad(2);
    assert_eq!(error, "mpnic: no vector has an id that contains `zebra`\n");
    place.run("replay nothing.pcap --trace x.vcd").bad(2);
    assert_eq!(place.names(""), ["in.pcap"]);
}

#[test]
fn a_full_disk_is_said_and_nothing_is_left() {
    // A limit on the size of files stands for the disk; the signal that comes with it is not to end the command.
    let place = Place::fresh();
    let mut shell = assert_cmd::Command::new("bash");
    let line = format!("trap '' XFSZ; ulimit -f 64; {} replay in.pcap --trace x.vcd", env!("CARGO_BIN_EXE_mpnic"));
    shell.current_dir(place.path("")).args(["-c", &line]);
    let error = crate::ran(&mut shell).bad(2);
    assert!(error.starts_with("mpnic: x.vcd: File too large"), "{error}");
    assert_eq!(place.names(""), ["in.pcap"]);
}
