// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests the program that plays golden vectors, on a device written by hand that can be given faults; and the names
//! that a model may have.

use c_model::{Stream, Vectors, is_name, package};
use rtl_model::netlist::circuit::{Circuit, Input, Module, Node, NodeId, Op, Output, Value};
use std::panic::Location;
use std::path::PathBuf;
use std::process::Command;

const ITEMS: usize = 40;
/// The width of the payload.
const WIDTH: u32 = 72;

/// The ports of `dut.h`.
fn circuit() -> Circuit {
    let site = Location::caller();
    let input = |(name, width): (&str, u32)| Input {
        name: name.into(),
        width,
        path: vec![],
        place: Default::default(),
        unused_ok: true,
    };
    let outputs = [("s_axis_tready", 1), ("m_axis_tvalid", 1), ("m_axis_tdata", WIDTH), ("m_axis_tlast", 1)];
    let zero = |(_, width): &(&str, u32)| {
        let op = Op::Constant(Value::from_u64(*width, 0));
        Node { op, args: vec![], width: *width, name: None, hint: None, site }
    };
    let output = |(i, (name, width)): (usize, &(&str, u32))| Output {
        name: (*name).into(),
        width: *width,
        path: vec![],
        place: Default::default(),
        value: NodeId(i as u32),
    };
    let inputs = [("s_axis_tdata", WIDTH), ("s_axis_tlast", 1), ("s_axis_tvalid", 1), ("m_axis_tready", 1)];
    let module = Module {
        name: "dut".into(),
        site,
        inputs: inputs.map(input).into(),
        outputs: outputs.iter().enumerate().map(output).collect(),
        nodes: outputs.iter().map(zero).collect(),
        registers: vec![],
        variables: vec![],
        memories: vec![],
        instances: vec![],
        docs: Default::default(),
        tables: vec![],
        maps: vec![],
        body: vec![],
    };
    Circuit { modules: vec![module] }
}

/// Values in one line of a file, the first in the highest bits.
fn row(values: &[(u128, u32)]) -> String {
    let bits: Vec<u8> =
        values.iter().flat_map(|&(value, width)| (0..width).rev().map(move |i| (value >> i & 1) as u8)).collect();
    let digit = |bits: &[u8]| char::from_digit(bits.iter().fold(0, |x, &bit| x << 1 | u32::from(bit)), 16);
    let head = bits.len() % 4;
    let first = (head > 0).then(|| digit(&bits[..head]));
    first.into_iter().chain(bits[head..].chunks(4).map(digit)).map(|digit| digit.expect("a digit")).collect::<String>()
        + "\n"
}

fn data(item: usize) -> u128 {
    (item as u128 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) >> (128 - WIDTH)
}

fn last(item: usize) -> u128 {
    u128::from(item % 5 == 4)
}

const ONES: u128 = (1 << WIDTH) - 1;

/// A directory with the program and its files, which tests change.
struct Bench {
    dir: PathBuf,
}

impl Bench {
    fn new(name: &str, vectors: &Vectors, files: &[(&str, String)]) -> Self {
        let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).expect("a directory");
        let bench = Bench { dir };
        let made = package(&circuit(), "// A comment.\n", Some(vectors));
        let (_, main) = made.into_iter().find(|(name, _)| name == "dut_main.c").expect("the program");
        assert!(main.starts_with("// A comment.\n\n/*\n"), "{main:.100}");
        bench.write("dut_main.c", &main);
        bench.write("dut.h", include_str!("dut.h"));
        bench.write("dut.c", include_str!("dut.c"));
        files.iter().for_each(|(name, text)| bench.write(name, text));
        bench
    }

    /// Items of both streams.
    fn streams(name: &str) -> Self {
        let stream = |name: &str, input| Stream {
            name: name.into(),
            input,
            valid: format!("{name}_tvalid"),
            ready: Some(format!("{name}_tready")),
            fields: ["tdata", "tlast"].map(|field| (field.to_owned(), format!("{name}_{field}"))).into(),
            file: format!("{name}.hex"),
            items: ITEMS,
        };
        let vectors = Vectors::Streams(vec![stream("s_axis", true), stream("m_axis", false)]);
        let sent = (0..ITEMS).map(|i| row(&[(data(i), WIDTH), (last(i), 1)])).collect();
        let expected = (0..ITEMS).map(|i| row(&[(ONES, WIDTH), (1, 1), (data(i), WIDTH), (last(i), 1)])).collect();
        Bench::new(name, &vectors, &[("s_axis.hex", sent), ("m_axis.hex", expected)])
    }

    /// A table of cycles, the first of which has a reset.
    fn cycles(name: &str) -> Self {
        let cycle = |i: usize| {
            let inputs = [(u128::from(i == 0), 1), (data(i), WIDTH), (last(i), 1), (1, 1), (1, 1)];
            let (valid, before) = (i > 1, i.saturating_sub(1));
            let outputs = if valid { (data(before), last(before)) } else { (0, 0) };
            let masks = [(1, 1), (1, 1), (if valid { ONES } else { 0 }, WIDTH), (u128::from(valid), 1)];
            let outputs = [(1, 1), (u128::from(valid), 1), (outputs.0, WIDTH), (outputs.1, 1)];
            row(&[&inputs[..], &masks, &outputs].concat())
        };
        let rows = (0..ITEMS).map(cycle).collect();
        let vectors = Vectors::Cycles { file: "cycles.hex".into(), rows: ITEMS };
        Bench::new(name, &vectors, &[("cycles.hex", rows)])
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.dir.join(name), text).expect("written");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.dir.join(name)).expect("a file")
    }

    /// Compiles with a fault of the device; 0 for none.
    fn compile(&self, fault: u32) -> &Self {
        let mut command = Command::new("cc");
        command.current_dir(&self.dir).args(["-std=c11", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror"]);
        command.args(["-Wno-sign-conversion", "-fsanitize=address,undefined", "-fno-sanitize-recover", "-g"]);
        command.args([&format!("-DFAULT={fault}"), "-o", "dut", "dut.c", "dut_main.c"]);
        let output = command.output().expect("cc is there");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        self
    }

    /// What the program prints. Its exit status is 0 after `PASS` and 1 after `FAIL`.
    fn run(&self, arguments: &[&str]) -> String {
        let output = Command::new(self.dir.join("dut")).args(arguments).output().expect("it starts");
        let said = String::from_utf8(output.stdout).expect("text");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(said.lines().count(), 1, "{said}{error}");
        let status = if said.starts_with("PASS ") { 0 } else { 1 };
        assert!(said.starts_with("PASS ") || said.starts_with("FAIL "), "{said}");
        assert_eq!(output.status.code(), Some(status), "{said}{error}");
        said.trim_end().to_owned()
    }

    /// The same with a file changed for this run.
    fn damaged(&self, file: &str, change: impl FnOnce(&mut Vec<String>)) -> String {
        let whole = self.read(file);
        let mut lines: Vec<_> = whole.lines().map(str::to_owned).collect();
        change(&mut lines);
        self.write(file, &lines.iter().map(|line| format!("{line}\n")).collect::<String>());
        let said = self.run(&[]);
        self.write(file, &whole);
        said
    }
}

#[test]
fn a_good_device_passes_under_every_stall() {
    let bench = Bench::streams("good");
    bench.compile(0);
    for arguments in [&[][..], &["+stall=0"], &["+stall=95", "+seed=7"], &["+stall=500", "+seed=8"]] {
        assert_eq!(bench.run(arguments), "PASS items=40", "{arguments:?}");
    }
}

#[test]
fn the_files_are_beside_the_program_or_where_it_is_told() {
    let (bench, other) = (Bench::streams("beside"), Bench::streams("elsewhere"));
    bench.compile(0);
    let elsewhere = other.dir.to_string_lossy();
    std::fs::remove_file(other.dir.join("m_axis.hex")).expect("removed");
    assert_eq!(bench.run(&[]), "PASS items=40");
    assert_eq!(bench.run(&[&elsewhere]), "FAIL file=m_axis.hex cannot be opened");
    // The name has no directory.
    let output = Command::new("sh").current_dir(&bench.dir).args(["-c", "PATH=.:$PATH dut"]).output().expect("sh");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "PASS items=40\n");
}

#[test]
fn every_fault_of_a_device_is_found() {
    let bench = Bench::streams("faults");
    let faults = [
        (1, "FAIL stream=m_axis item=17 field=tdata got="),
        (2, "FAIL stream=m_axis item=18 field=tdata got="),
        (3, "FAIL stream=m_axis item=0 field=tlast.stable"),
        (4, "FAIL stream=m_axis item=0 field=tvalid.stable"),
        (5, "FAIL stream=s_axis item=0 field=tready"),
        (6, "FAIL stream=m_axis item=17 field=tdata got="),
    ];
    for (fault, line) in faults {
        let said = bench.compile(fault).run(&["+stall=60"]);
        assert!(said.starts_with(line), "fault {fault}: {said}");
    }
    let said = bench.run(&["+stall=60"]);
    assert!(said.ends_with(&format!("got={:018x} expected={:018x}", data(17) ^ 1 << 70, data(17))), "{said}");
}

#[test]
fn items_that_are_missing_and_too_many_fail() {
    let bench = Bench::streams("counts");
    let main = bench.read("dut_main.c");
    let fewer = |file: &str| main.replacen(&format!("\"{file}\", 40,"), &format!("\"{file}\", 39,"), 1);
    let shortened = |file: &str| {
        let lines = bench.read(file);
        lines.lines().take(39).map(|line| format!("{line}\n")).collect::<String>()
    };
    for (file, line) in [
        ("s_axis.hex", "FAIL stream=m_axis item=39 field=missing"),
        ("m_axis.hex", "FAIL stream=m_axis item=39 field=surplus"),
    ] {
        let whole = bench.read(file);
        bench.write("dut_main.c", &fewer(file));
        bench.write(file, &shortened(file));
        assert_eq!(bench.compile(0).run(&[]), line);
        bench.write(file, &whole);
    }
}

#[test]
fn damaged_files_fail() {
    let bench = Bench::streams("damaged");
    bench.compile(0);
    type Damage = fn(&mut Vec<String>);
    let cases: [(&str, Damage); 5] = [
        ("has too few lines", |lines| lines.truncate(39)),
        ("has too many lines", |lines| lines.push(lines[0].clone())),
        ("has a line that is too long", |lines| lines[3].push('0')),
        ("has a line that is no such number", |lines| lines[3].truncate(5)),
        ("has a line that is no such number", |lines| lines[3].replace_range(0..1, "x")),
    ];
    for (what, change) in cases {
        assert_eq!(bench.damaged("s_axis.hex", change), format!("FAIL file=s_axis.hex {what}"));
    }
    // The lowest bit but one belongs to the payload.
    let said = bench.damaged("m_axis.hex", |lines| {
        let digit = lines[17].pop().and_then(|digit| digit.to_digit(16)).expect("a digit");
        lines[17].extend(char::from_digit(digit ^ 2, 16));
    });
    assert!(said.starts_with("FAIL stream=m_axis item=17 field=tdata got="), "{said}");
    assert_eq!(bench.run(&[]), "PASS items=40");
}

#[test]
fn what_is_not_compared_is_an_x() {
    let bench = Bench::streams("masked");
    let masked = |low: u128| row(&[(ONES ^ low, WIDTH), (0, 1), (data(17) ^ 1 << 71, WIDTH), (0, 1)]);
    let said = bench.compile(0).damaged("m_axis.hex", |lines| lines[17] = masked(0xf7).trim_end().to_owned());
    let expected = format!("{:018x}", data(17) ^ 1 << 71);
    assert!(said.ends_with(&format!("expected={}xX", &expected[..16])), "{said}");
}

#[test]
fn nothing_to_compare_fails() {
    let bench = Bench::streams("nothing");
    let main = bench.read("dut_main.c").replace(".hex\", 40,", ".hex\", 0,");
    bench.write("dut_main.c", &main);
    std::fs::remove_file(bench.dir.join("s_axis.hex")).expect("removed");
    assert_eq!(bench.compile(0).run(&[]), "FAIL items=0");

    let bench = Bench::cycles("no_cycle");
    let row = row(&[(0, 1), (0, WIDTH + 3), (0, WIDTH + 3), (0, WIDTH + 3)]);
    bench.write("cycles.hex", &row.repeat(ITEMS));
    assert_eq!(bench.compile(0).run(&[]), "FAIL nothing is compared in cycles=40");
}

#[test]
fn a_table_is_played_a_row_a_cycle() {
    let bench = Bench::cycles("cycles");
    assert_eq!(bench.compile(0).run(&[]), "PASS cycles=40");
    let faults = [
        (5, "FAIL cycle=0 port=s_axis_tready got=0 expected=1"),
        (7, "FAIL cycle=1 port=m_axis_tvalid got=1 expected=0"),
    ];
    for (fault, line) in faults {
        assert_eq!(bench.compile(fault).run(&[]), line);
    }
    let line = format!("FAIL cycle=19 port=m_axis_tdata got={:018x} expected={:018x}", data(18) ^ 1 << 70, data(18));
    assert_eq!(bench.compile(6).run(&[]), line);
}

#[test]
fn names_that_c_or_python_would_misread_are_refused() {
    for name in ["mpnic_tally", "tally", "my_parser", "Model2"] {
        assert!(is_name(name), "{name}");
    }
    for name in ["main", "int", "memcpy", "lambda", "None", "ctypes", "in", "model", "edge", "Stream", "printf"] {
        assert!(!is_name(name), "{name}");
    }
}
