// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C of all circuits in one program that plays their inputs, each for so long that a window is copied back.

use crate::live::{self, Purpose};
use crate::place::place;
use crate::tests::{Case, cases};
use crate::{group, order, print, window};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

fn write(dir: &Path, name: &str, text: &str) {
    std::fs::write(dir.join(name), text).expect("a temporary file");
}

/// Header and source of a case after the passes of [`crate::print`].
fn model(case: &Case) -> (String, String) {
    let (mut edge, mut outputs) = (case.program.clone(), case.program.clone());
    live::keep(&mut edge, Purpose::Edge);
    live::keep(&mut outputs, Purpose::Outputs);
    let window = window::slide(&mut edge);
    group::group(&mut edge);
    order::sort(&mut edge, &window);
    order::sort(&mut outputs, &window);
    print::print(&case.name, "/* A test. */", &place(edge, &window), &place(outputs, &window), &window)
}

/// A function that plays a case and prints its outputs, one line per clock cycle.
fn player(case: &Case) -> String {
    let name = &case.name;
    let rows = case.stimulus.iter().map(|(reset, inputs)| {
        let above = |(limbs, (_, width)): (&Vec<u64>, &(String, u32))| {
            let mut limbs = limbs.clone();
            // Bits above the width of a port are ignored.
            if width % 64 != 0 {
                *limbs.last_mut().expect("a port has a limb") |= !0 << (width % 64);
            }
            limbs
        };
        let limbs = inputs.iter().zip(&case.program.inputs).flat_map(above).map(|limb| format!(", 0x{limb:x}u"));
        format!("    {{{}{}}},\n", u8::from(*reset), limbs.collect::<String>())
    });
    let rows: String = rows.collect();
    let limbs: u32 = case.program.inputs.iter().map(|port| port.1.div_ceil(64)).sum();
    format!(
        "#include \"{name}.h\"
static const uint64_t {name}_rows[][{}] = {{
{rows}}};
static void {name}_play(void) {{
    static {name} self;
    {name}_init(&self);
    for (unsigned i = 0; i < {}; i++) {{
        {name}_outputs out;
        {name}_read(&self, &out);
        show((const uint64_t *)&out, sizeof out / sizeof(uint64_t));
        {name}_clock(&self, (int){name}_rows[i][0], (const {name}_inputs *)({name}_rows[i] + 1));
    }}
}}
",
        limbs + 1,
        case.stimulus.len()
    )
}

#[test]
fn the_c_computes_what_the_circuits_do() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let mut main = "#include <stdint.h>
#include <stdio.h>
static void show(const uint64_t *limbs, unsigned long count) {
    while (count--) printf(\" %llx\", (unsigned long long)*limbs++);
    printf(\"\\n\");
}
"
    .to_owned();
    let (mut calls, mut expected) = (String::new(), String::new());
    let compiler = std::env::var_os("CC").filter(|set| !set.is_empty()).unwrap_or_else(|| "cc".into());
    let mut command = Command::new(&compiler);
    command.current_dir(dir.path()).args(["-std=c11", "-O1", "-o", "play", "main.c"]);
    // Only a part of the random modules, because the compiler takes long.
    let random = |case: &&Case| case.name.starts_with("random");
    let some = cases().iter().filter(random).step_by(4).chain(cases().iter().filter(|case| !random(case)));
    for case in some {
        let (header, source) = model(case);
        write(dir.path(), &format!("{}.h", case.name), &header);
        write(dir.path(), &format!("{}.c", case.name), &source);
        command.arg(format!("{}.c", case.name));
        main += &player(case);
        let _ = writeln!(calls, "    printf(\"{0}\\n\");\n    {0}_play();", case.name);
        let _ = writeln!(expected, "{}", case.name);
        for ports in &case.expected {
            let limbs: String = ports.concat().iter().map(|limb| format!(" {limb:x}")).collect();
            expected += &limbs;
            expected.push('\n');
        }
    }
    write(dir.path(), "main.c", &format!("{main}int main(void) {{\n{calls}    return 0;\n}}\n"));
    let compiled = command.output().unwrap_or_else(|error| panic!("{compiler:?}: {error}"));
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let played = Command::new(dir.path().join("play")).output().expect("it runs");
    assert!(played.status.success(), "{:?}", played.status);
    let mut of = "";
    let said = String::from_utf8(played.stdout).expect("text");
    for (clock, (is, expected)) in said.lines().zip(expected.lines()).enumerate() {
        if !expected.starts_with(' ') {
            of = expected;
        }
        assert_eq!(is, expected, "line {clock}, in {of}");
    }
    assert_eq!(said.lines().count(), expected.lines().count());
}
