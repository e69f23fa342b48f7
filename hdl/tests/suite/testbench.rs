// SPDX-License-Identifier: MIT OR Apache-2.0
//! A generated testbench passes on a good module and says what is wrong with a bad expectation.

use crate::common::Build;
use crate::common::tools::{directory, header, printed, run};
use hdl::testbench::{Cycle, Expected, Item, Stimulus, TestbenchError, TestbenchFiles, generate, of_cycles, streams};
use rtl_model::netlist::circuit::*;
use rtl_model::ops::Binary;
use std::path::{Path, PathBuf};

const ITEMS: usize = 40;

/// A skid buffer: `s_axis` to `m_axis`, `ready` a register; it also counts what it sends.
fn skid(width: u32) -> Circuit {
    let mut b = Build::new(&format!("skid_w{width}"));
    let data = b.input("s_axis_tdata", width);
    let last = b.input("s_axis_tlast", 1);
    let valid = b.input("s_axis_tvalid", 1);
    let taken = b.input("m_axis_tready", 1);
    let clear = b.input("clear", 1);
    let (ready, ready_q) = b.register("ready", 1, 0, true);
    let (out, out_q) = b.register("out", width + 1, 0, false);
    let (full, full_q) = b.register("full", 1, 0, true);
    let (spare, spare_q) = b.register("spare", width + 1, 0, false);
    let (waiting, waiting_q) = b.register("waiting", 1, 0, true);
    let (count, count_q) = b.register("count", 8, 0, true);
    let item = b.concat(&[data, last]);
    let (one, zero, none) = (b.constant(1, 1), b.constant(1, 0), b.constant(8, 0));
    let arriving = b.binary(Binary::And, valid, ready_q);
    let b_not_full = b.not(full_q);
    let free = b.binary(Binary::Or, taken, b_not_full);
    b.named(free, "free");
    let sum = {
        let step = b.constant(8, 1);
        b.binary(Binary::Add, count_q, step)
    };
    let not_free = b.not(free);
    let stuck = b.binary(Binary::And, arriving, not_free);
    let wait = b.binary(Binary::And, waiting_q, not_free);
    let blocked = b.binary(Binary::Or, stuck, wait);
    let next_ready = b.not(blocked);
    let leaving = b.binary(Binary::And, full_q, taken);
    b.0.body = vec![
        b.set(ready, next_ready),
        Statement::If {
            arms: vec![
                (
                    free,
                    vec![Statement::If {
                        arms: vec![
                            (waiting_q, vec![b.set(out, spare_q), b.set(full, one), b.set(waiting, zero)]),
                            (arriving, vec![b.set(out, item), b.set(full, one)]),
                        ],
                        otherwise: vec![b.set(full, zero)],
                    }],
                ),
                (arriving, vec![b.set(spare, item), b.set(waiting, one)]),
            ],
            otherwise: vec![],
        },
        Build::when(leaving, vec![b.set(count, sum)]),
        Build::when(clear, vec![b.set(count, none)]),
    ];
    let (out_data, out_last) = (b.slice(out_q, 1, width), b.slice(out_q, 0, 1));
    b.output("s_axis_tready", ready_q);
    b.output("m_axis_tvalid", full_q);
    b.output("m_axis_tdata", out_data);
    b.output("m_axis_tlast", out_last);
    b.output("sent", count_q);
    b.stream("s_axis");
    b.stream("m_axis");
    Circuit { modules: vec![b.0] }
}

fn stimulus(width: u32) -> Stimulus {
    let limbs = width.div_ceil(64) as u64;
    let spare = 64 * limbs as u32 - width;
    let data = |i: usize| -> Vec<u64> {
        let limb = |j| {
            (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(j as u32)
                >> if j + 1 == limbs { spare } else { 0 }
        };
        (0..limbs).map(limb).collect()
    };
    let ones: Vec<u64> = (0..limbs).map(|j| !0 >> if j + 1 == limbs { spare } else { 0 }).collect();
    let last = |i: usize| vec![(i % 5 == 4) as u64];
    Stimulus {
        inputs: vec![("s_axis".into(), (0..ITEMS).map(|i| Item { fields: vec![data(i), last(i)] }).collect())],
        outputs: vec![(
            "m_axis".into(),
            (0..ITEMS).map(|i| Expected { fields: vec![(data(i), ones.clone()), (last(i), vec![1])] }).collect(),
        )],
        drain: 50,
        watchdog: 500,
        ..Stimulus::default()
    }
}

/// The files of a testbench in a directory, and the names of those with Verilog.
fn written(name: &str, circuit: &Circuit, files: &TestbenchFiles) -> (PathBuf, Vec<String>) {
    let mut verilog = printed(circuit);
    verilog.push(files.testbench.clone());
    let dir = directory(name, &verilog);
    for (name, text) in &files.memories {
        std::fs::write(dir.join(name), text).expect("memory file");
    }
    (dir, verilog.into_iter().map(|file| file.name).collect())
}

/// Compiles for Icarus, in Verilog-2001 and in SystemVerilog. Neither Icarus nor Verilator has anything to say.
fn compiled(dir: &Path, sources: &[String]) {
    let top = sources.last().and_then(|name| name.strip_suffix(".v")).expect("the testbench is the last one");
    let mut args = vec!["--lint-only", "-Wall", "--timing", "--top-module", top];
    args.extend(sources.iter().map(String::as_str));
    let (good, said) = run(dir, "verilator", &args);
    assert!(good && said.trim().is_empty(), "{said}");
    for (standard, to) in [("-g2001", "2001.vvp"), ("-g2012", "2012.vvp")] {
        let mut args = vec!["-Wall", standard, "-o", to];
        args.extend(sources.iter().map(String::as_str));
        let (good, said) = run(dir, "iverilog", &args);
        assert!(good && said.trim().is_empty(), "{said}");
    }
}

/// What the testbench says in Icarus. The status is good if and only if it says PASS.
fn simulate(name: &str, circuit: &Circuit, files: &TestbenchFiles, arguments: &[&str]) -> Vec<String> {
    let (dir, sources) = written(name, circuit, files);
    compiled(&dir, &sources);
    judged(&dir, "2001.vvp", arguments)
}

/// The same of what is compiled already; without what Icarus says itself.
fn judged(dir: &Path, compiled: &str, arguments: &[&str]) -> Vec<String> {
    let mut args = vec!["-n", compiled];
    args.extend(arguments);
    let (good, said) = run(dir, "vvp", &args);
    let own = |line: &&str| !line.starts_with("WARNING: ");
    let lines: Vec<_> = said.lines().filter(own).map(str::to_owned).collect();
    assert_eq!(good, lines.last().is_some_and(|line| line.starts_with("PASS ")), "{said}");
    lines
}

/// Builds the testbench with Verilator, without a word of it; what runs it.
fn verilated(dir: &Path, top: &str, sources: &[String]) -> impl Fn() -> Vec<String> {
    let mut args = vec!["--binary", "--timing", "-O0", "-CFLAGS", "-O0", "--Mdir", "verilated", "--top-module", top];
    args.extend(sources.iter().map(String::as_str));
    let (good, said) = run(dir, "verilator", &args);
    assert!(good && !said.contains("%Warning"), "{said}");
    let program = dir.join("verilated").join(format!("V{top}")).to_string_lossy().into_owned();
    move || {
        let (good, said) = run(Path::new(&program).ancestors().nth(2).expect("its directory"), &program, &[]);
        // Behind the last line of the testbench Verilator says where it ended.
        let lines: Vec<_> =
            said.lines().filter(|line| ["PASS ", "FAIL "].iter().any(|word| line.starts_with(word))).collect();
        assert_eq!(good, lines.last().is_some_and(|line| line.starts_with("PASS ")), "{said}");
        lines.into_iter().map(str::to_owned).collect()
    }
}

fn bench(circuit: &Circuit, stimulus: &Stimulus) -> TestbenchFiles {
    generate(circuit.top(), &header(), stimulus).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn good_module_passes_under_every_stall() {
    for width in [8, 1400] {
        let circuit = skid(width);
        let files = bench(&circuit, &stimulus(width));
        crate::common::tools::lint(&format!("lint_skid_{width}"), &circuit);
        for arguments in
            [vec![], vec!["+seed=7", "+stall=0"], vec!["+seed=8", "+stall=80"], vec!["+seed=9", "+stall=200"]]
        {
            let said = simulate(&format!("skid_{width}"), &circuit, &files, &arguments);
            assert_eq!(said, ["PASS items=40"], "{arguments:?}");
        }
    }
}

#[test]
fn one_wrong_bit_is_one_line() {
    let circuit = skid(8);
    let mut stimulus = stimulus(8);
    stimulus.outputs[0].1[17].fields[0].0[0] ^= 1;
    let value = stimulus.outputs[0].1[17].fields[0].0[0];
    let said = simulate("skid_flipped", &circuit, &bench(&circuit, &stimulus), &[]);
    let line = format!("FAIL stream=m_axis item=17 field=tdata got={:02x} expected={value:02x}", value ^ 1);
    assert_eq!(said, [line.as_str(), "FAIL items=40 failures=1"]);

    stimulus.outputs[0].1[17].fields[0].1[0] ^= 1;
    let said = simulate("skid_masked", &circuit, &bench(&circuit, &stimulus), &[]);
    assert_eq!(said, ["PASS items=40"], "the bit is masked now");
}

/// What nobody waits for does not keep the run going.
#[test]
fn items_without_end_end_the_run() {
    let mut b = Build::new("endless");
    b.input("m_axis_tready", 1);
    let (valid, data) = (b.constant(1, 1), b.constant(8, 5));
    b.output("m_axis_tvalid", valid);
    b.output("m_axis_tdata", data);
    b.stream("m_axis");
    let circuit = Circuit { modules: vec![b.0] };
    let item = Expected { fields: vec![(vec![5], vec![0xff])] };
    let stimulus = Stimulus { outputs: vec![("m_axis".into(), vec![item])], shown: 1, ..Stimulus::default() };
    let said = simulate("endless", &circuit, &bench(&circuit, &stimulus), &[]);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].starts_with("FAIL stream=m_axis item=1 field=surplus got="), "{said:?}");
}

#[test]
fn missing_and_surplus_items_fail() {
    let circuit = skid(8);
    let mut fewer = stimulus(8);
    fewer.inputs[0].1.pop();
    let said = simulate("skid_missing", &circuit, &bench(&circuit, &fewer), &[]);
    assert_eq!(said, ["FAIL stream=m_axis item=39 field=missing got=x expected=1", "FAIL items=40 failures=1"]);

    let mut more = stimulus(8);
    more.outputs[0].1.pop();
    let said = simulate("skid_surplus", &circuit, &bench(&circuit, &more), &[]);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].starts_with("FAIL stream=m_axis item=39 field=surplus got="), "{said:?}");
    assert_eq!(said[1], "FAIL items=39 failures=1");
}

#[test]
fn output_that_changes_while_stalled_fails() {
    let mut circuit = skid(8);
    let module = &mut circuit.modules[0];
    // The output register is loaded whether or not it is free.
    let item = module.nodes.iter().position(|node| node.op == Op::Concat).expect("the item") as u32;
    let extra = Statement::Assign { target: Target::Register(1), value: NodeId(item), site: module.site };
    module.body.push(extra);
    let said = simulate("skid_unstable", &circuit, &bench(&circuit, &stimulus(8)), &["+stall=60"]);
    assert!(said.iter().any(|line| line.contains("field=tdata.stable")), "{said:?}");
    assert!(said.last().is_some_and(|line| line.starts_with("FAIL items=40 failures=")), "{said:?}");
    assert!(said.len() <= 11, "only the first differences are shown");
}

#[test]
fn streams_and_their_errors() {
    let circuit = skid(8);
    let found = streams(circuit.top());
    let names: Vec<(&str, bool)> = found.iter().map(|stream| (stream.name(), stream.input())).collect();
    assert_eq!(names, [("s_axis", true), ("m_axis", false)]);
    let mut wrong = stimulus(8);
    wrong.inputs[0].0 = "m_axis".into();
    let error = generate(circuit.top(), &header(), &wrong).expect_err("m_axis is an output");
    assert_eq!(error.to_string(), "UNKNOWN STREAM: module `skid_w8` has no input stream `m_axis`");
    let mut wide = stimulus(8);
    wide.inputs[0].1[3].fields[0] = vec![0x100];
    let error = generate(circuit.top(), &header(), &wide).expect_err("9 bits");
    assert_eq!(error, TestbenchError::TooWide { port: "s_axis_tdata".into(), item: 3, width: 8 });
    assert_eq!(error.to_string(), "BAD ITEM: `s_axis_tdata`, item 3: the value does not fit 8 bits");
}

/// `q` is `d` of the cycle before, 0 behind a reset.
fn delay(width: u32) -> Circuit {
    let mut b = Build::new(&format!("delay_w{width}"));
    let d = b.input("d", width);
    let (register, q) = b.register("held", width, 0, true);
    b.0.body = vec![b.set(register, d)];
    b.output("q", q);
    Circuit { modules: vec![b.0] }
}

fn delayed(width: u32, count: u64) -> Vec<Cycle> {
    let ones = if width == 64 { !0 } else { (1 << width) - 1 };
    let value = |i: u64| if i.is_multiple_of(7) { 0 } else { i.wrapping_mul(0x9e37_79b9_7f4a_7c15) & ones };
    let cycle = |i: u64| Cycle {
        reset: i.is_multiple_of(7),
        inputs: vec![if i.is_multiple_of(7) { ones } else { value(i) }],
        // What is not known yet is not compared.
        outputs: vec![if i == 0 { ones } else { value(i - 1) }],
        masks: vec![if i == 0 { 0 } else { ones }],
    };
    (0..count).map(cycle).collect()
}

#[test]
fn a_table_is_played_a_row_a_cycle() {
    for width in [1, 8, 64] {
        let circuit = delay(width);
        let files = of_cycles(circuit.top(), &header(), delayed(width, 50), 10).expect("it is made");
        let said = simulate(&format!("delay_{width}"), &circuit, &files, &[]);
        assert_eq!(said, ["PASS cycles=50"]);
    }
}

#[test]
fn a_wrong_cycle_is_named() {
    let circuit = delay(8);
    let mut cycles = delayed(8, 50);
    let value = cycles[18].outputs[0];
    cycles[18].outputs[0] ^= 1;
    let files = of_cycles(circuit.top(), &header(), &cycles, 10).expect("it is made");
    let line = format!("FAIL cycle=18 port=q got={value:02x} expected={:02x}", value ^ 1);
    assert_eq!(simulate("delay_flipped", &circuit, &files, &[]), [line, "FAIL cycles=50 failures=1".to_owned()]);
    // A reset that the table has and the module does not take.
    cycles[18].outputs[0] ^= 1;
    cycles[14].reset = false;
    let files = of_cycles(circuit.top(), &header(), &cycles, 10).expect("it is made");
    let said = simulate("delay_unreset", &circuit, &files, &[]);
    assert_eq!(said, ["FAIL cycle=15 port=q got=ff expected=00", "FAIL cycles=50 failures=1"]);
}

#[test]
fn a_row_that_does_not_fit_the_ports_is_refused() {
    let circuit = delay(8);
    let wrong = |change: fn(&mut Cycle)| {
        let mut cycles = delayed(8, 3);
        change(&mut cycles[2]);
        of_cycles(circuit.top(), &header(), &cycles, 10).expect_err("it does not fit").to_string()
    };
    let said = wrong(|cycle| cycle.inputs.clear());
    assert_eq!(said, "BAD ITEM: stream `inputs`, item 2: 0 fields, 1 expected");
    let said = wrong(|cycle| cycle.masks[0] = 0x100);
    assert_eq!(said, "BAD ITEM: `q`, item 2: the value does not fit 8 bits");
}

/// Damage to the memory files of a testbench of 40 items or cycles, and the lines that it makes.
fn damaged(dir: &Path, unit: &str, file: &str, say: &dyn Fn() -> Vec<String>) {
    let (path, total) = (dir.join(file), format!("{unit}={ITEMS}"));
    let whole = std::fs::read_to_string(&path).expect("the memory file");
    assert_eq!(say(), [format!("PASS {total}")]);

    let mut lines: Vec<_> = whole.lines().map(str::to_owned).collect();
    let digit = lines[17].pop().expect("a digit").to_digit(16).expect("a digit");
    lines[17].push(char::from_digit(digit ^ 2, 16).expect("a digit"));
    std::fs::write(&path, lines.join("\n") + "\n").expect("a wrong bit");
    let said = say();
    assert!(said[0].starts_with("FAIL ") && said[0].contains("=17 "), "{said:?}");
    assert_eq!(said[1..], [format!("FAIL {total} failures=1")]);

    std::fs::write(&path, lines[..ITEMS - 1].join("\n") + "\n").expect("a line less");
    let said = say();
    let line = format!("FAIL file={file} has fewer than {ITEMS} lines");
    assert_eq!(said, [line, format!("FAIL {total} failures=1")]);

    std::fs::remove_file(&path).expect("it was there");
    let said = say();
    assert_eq!(said, [format!("FAIL file={file} cannot be opened"), format!("FAIL {total} failures=1")]);
    std::fs::write(&path, whole).expect("as it was");
}

/// Every way to fail has a bad status: in both standards in Icarus, and in Verilator.
#[test]
fn a_failure_ends_with_a_bad_status() {
    let (skid, delay) = (skid(8), delay(8));
    let streams = bench(&skid, &stimulus(8));
    let cycles = of_cycles(delay.top(), &header(), delayed(8, ITEMS as u64), 10).expect("it is made");
    let cases =
        [(&skid, &streams, "items", "skid_w8_tb_m_axis.hex"), (&delay, &cycles, "cycles", "delay_w8_tb_cycles.hex")];
    for (circuit, files, unit, memory) in cases {
        let (dir, sources) = written(&format!("status_{unit}"), circuit, files);
        compiled(&dir, &sources);
        for vvp in ["2001.vvp", "2012.vvp"] {
            damaged(&dir, unit, memory, &|| judged(&dir, vvp, &[]));
        }
        damaged(&dir, unit, memory, &verilated(&dir, &format!("{}_tb", circuit.top().name), &sources));
    }
    let (dir, sources) = written("status_input", &skid, &streams);
    compiled(&dir, &sources);
    std::fs::remove_file(dir.join("skid_w8_tb_s_axis.hex")).expect("it was there");
    let said = judged(&dir, "2001.vvp", &[]);
    assert_eq!(said, ["FAIL file=skid_w8_tb_s_axis.hex cannot be opened", "FAIL items=40 failures=1"]);
}

/// A testbench that compares nothing is not made, and would fail.
#[test]
fn nothing_to_check_is_no_pass() {
    let (skid, delay) = (skid(8), delay(8));
    let nothing = |name: &str| format!("NOTHING TO CHECK: the testbench of module `{name}` would compare nothing");
    for outputs in [vec![], vec![("m_axis".into(), vec![])]] {
        let empty = Stimulus { outputs, ..stimulus(8) };
        let error = generate(skid.top(), &header(), &empty).expect_err("no item");
        assert_eq!(error.to_string(), nothing("skid_w8"));
    }
    let mut masked = delayed(8, 5);
    masked.iter_mut().for_each(|cycle| cycle.masks[0] = 0);
    for cycles in [&[][..], &masked] {
        let error = of_cycles(delay.top(), &header(), cycles, 10).expect_err("no cycle that is compared");
        assert_eq!(error.to_string(), nothing("delay_w8"));
    }

    let emptied = |files: &TestbenchFiles, total: &str| {
        let mut files = files.clone();
        let none = format!("{} = 0;", total.split(' ').next().expect("a name"));
        assert!(files.testbench.text.contains(total));
        files.testbench.text = files.testbench.text.replace(total, &none);
        files
    };
    let streams = emptied(&bench(&skid, &stimulus(8)), "TB_ITEMS = 40;");
    assert_eq!(simulate("skid_none", &skid, &streams, &[]), ["FAIL items=0 failures=0"]);
    let cycles = of_cycles(delay.top(), &header(), delayed(8, 5), 10).expect("it is made");
    let cycles = emptied(&cycles, "TB_CYCLES = 5;");
    assert_eq!(simulate("delay_none", &delay, &cycles, &[]), ["FAIL cycles=0 failures=0"]);
}
