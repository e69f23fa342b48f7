// SPDX-License-Identifier: MIT OR Apache-2.0
//! Models beside others: the module for simulators beside the Verilog, the one for Python beside the C.

use super::{inverted, shell};
use crate::{Place, Ran};
use std::fmt::Write;
use tier::pick;

/// A port of a module.
struct Port {
    name: String,
    width: u32,
    input: bool,
}

/// Those of a printed module, but for clock and reset.
fn ports(module: &str) -> Vec<Port> {
    let port = |line: &str| {
        let words: Vec<_> = line.trim_end_matches(',').split_whitespace().collect();
        let [direction @ ("input" | "output"), "wire", range @ .., name] = &words[..] else { return None };
        let high = range.first().and_then(|range| range.trim_start_matches('[').split(':').next()?.parse::<u32>().ok());
        let width = high.map_or(1, |high| high + 1);
        (*name != "clk" && *name != "rst").then(|| Port { name: name.to_string(), width, input: *direction == "input" })
    };
    module.lines().filter_map(port).collect()
}

/// A module that compares two of the same ports under random inputs, and says in how many cycles outputs have changed.
fn comparison(name: &str, ports: &[Port]) -> String {
    let (inputs, outputs): (Vec<_>, Vec<_>) = ports.iter().partition(|port| port.input);
    let width: u32 = outputs.iter().map(|port| port.width).sum();
    let mut text = format!(
        "`timescale 1ns / 1ps\nmodule compare;\nlogic clk = 0, rst = 1;\nint cycles = 0, changes = 0;\n\
         logic [{0}:0] rtl, model, earlier = 0;\nalways #5 clk = !clk;\n",
        width - 1
    );
    for Port { name, width, .. } in &inputs {
        let _ = writeln!(text, "logic [{}:0] {name} = 0;", width - 1);
    }
    for (module, to) in [(name.to_owned(), "rtl"), (format!("{name}_dpi"), "model")] {
        let mut low = 0;
        let _ = write!(text, "{module} a_{to} (.clk(clk), .rst(rst)");
        inputs.iter().for_each(|port| text += &format!(", .{0}({0})", port.name));
        for port in &outputs {
            let _ = write!(text, ", .{}({to}[{low} +: {}])", port.name, port.width);
            low += port.width;
        }
        text += ");\n";
    }
    text += "always @(posedge clk) begin
    if (rtl !== model) begin
        $display(\"cycle %0d: rtl %h, model %h\", cycles, rtl, model);
        $stop;
    end
    changes <= changes + (rtl != earlier ? 1 : 0);
    earlier <= rtl;
    cycles <= cycles + 1;
    if (cycles == 10000) begin
        $display(\"equal in %0d cycles, %0d changes\", cycles, changes);
        $finish;
    end
    rst <= cycles == 5000;
";
    for Port { name, width, .. } in &inputs {
        // Most of the time there is something to do.
        let value = match width {
            1 => "$urandom_range(9) != 0".to_owned(),
            _ => format!("{width}'({{{}}})", vec!["$urandom"; width.div_ceil(32) as usize].join(", ")),
        };
        let _ = writeln!(text, "    {name} <= {value};");
    }
    text + "end\nendmodule\n"
}

/// Compiles Verilog and model into one simulation, and runs it.
fn simulate(place: &Place, name: &str) -> Ran {
    let files = format!("compare.sv {name}_dpi.sv {name}_dpi.c {name}.c -f files.f");
    let options = "--binary --timing -O1 -Wno-WIDTH --top-module compare";
    shell(place, &format!("verilator {options} {files}")).good();
    shell(place, "./obj_dir/Vcompare")
}

/// A stage of few rows, so that events meet each other; and one of frames.
#[test]
fn beside_the_verilog_it_is_the_same_in_every_cycle() {
    for stage in pick(["path_scheduler", "header_parser"], 1) {
        let place = Place::fresh();
        place.write("small.toml", "data_width = 128\n[path_scheduler]\nqps = 16\npaths = 4\n");
        let name = format!("mpnic_{stage}");
        place.run(&format!("model --config small.toml --stage {stage} --out nic")).good();
        place.run(&format!("rtl --config small.toml --stage {stage} --out rtl")).good();
        let list = place.read(&format!("rtl/{name}.f"));
        let list: String =
            list.lines().filter(|line| line.ends_with(".v")).map(|line| format!("../rtl/{line}\n")).collect();
        place.write("nic/files.f", list);
        let module = place.read(&format!("nic/{name}_dpi.sv"));
        place.write("nic/compare.sv", comparison(&name, &ports(&module)));
        shell(&place, &format!("verilator --lint-only -Wall --top-module {name}_dpi {name}_dpi.sv")).good();

        let said = simulate(&place, &name).good();
        let changes = said.strip_prefix("equal in 10000 cycles, ").and_then(|rest| rest.split_once(' '));
        let changes: u32 = changes.and_then(|(changes, _)| changes.parse().ok()).unwrap_or_else(|| panic!("{said}"));
        assert!(changes > 1000, "{stage}: {said}");

        // With a difference it ends with another status.
        if stage == "header_parser" {
            continue;
        }
        let source = place.read(&format!("nic/{name}.c"));
        place.write(&format!("nic/{name}.c"), inverted(&source));
        let ran = simulate(&place, &name);
        assert!(ran.status != 0 && ran.out.starts_with("cycle 0: rtl "), "{}", ran.out);
    }
}

/// Plays random inputs in Python, and prints a C program that plays them again and compares.
const WRITER: &str = r#"
import random, sys
from NAME import INPUTS, OUTPUTS, Model

random.seed(1)
model, limbs = Model(), lambda ports, values: [values[p] >> 64 * i & 2**64 - 1 for p in ports for i in range(-(-ports[p] // 64))]
read = lambda model: {port: getattr(model.read(), port) for port in OUTPUTS}
rows, seen = [], set()
for cycle in range(500):
    reset = cycle in (0, 400)
    outputs = read(model)
    inputs = {port: random.getrandbits(width) for port, width in INPUTS.items()}
    rows.append([int(reset)] + limbs(INPUTS, inputs) + limbs(OUTPUTS, outputs))
    seen.add(str(outputs))
    if cycle == 200:
        snapshot = model.copy()
    model.clock(reset, **inputs)
    if cycle >= 200:
        # The snapshot has stood still; it takes the same way again.
        assert cycle > 200 or read(snapshot) == outputs
        snapshot.clock(reset=reset, **inputs)
        assert snapshot.read() == model.read()
assert len(seen) > 50, len(seen)
for wrong, error in ((dict(nothing=1), TypeError), ({next(iter(INPUTS)): -1}, ValueError),
                     ({next(iter(INPUTS)): 1 << 1024}, ValueError), ({next(iter(INPUTS)): 0.5}, TypeError)):
    try:
        model.clock(**wrong)
        sys.exit(f"{wrong} is taken")
    except error:
        pass
print('#include "NAME.h"\n#include <stdio.h>\n#include <string.h>')
print("typedef struct { uint64_t reset; NAME_inputs in; NAME_outputs out; } row;\nstatic const row rows[] = {")
for row in rows:
    reset, ports = row[0], row[1:]
    print("{", ", ".join(f"{limb}u" for limb in row), "},")
print("""};
int main(void) {
    static NAME model;
    NAME_outputs out;
    unsigned i;
    NAME_init(&model);
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        NAME_read(&model, &out);
        if (memcmp(&out, &rows[i].out, sizeof out) != 0) return printf("cycle %u differs\\n", i), 1;
        NAME_clock(&model, (int)rows[i].reset, &rows[i].in);
    }
    printf("equal in %u cycles\\n", i);
    return 0;
}""")
"#;

#[test]
fn python_says_what_the_c_says() {
    // Wide ports; many ports.
    for stage in pick(["icrc", "elab_scheduler"], 1) {
        let place = Place::fresh();
        place.write("small.toml", "[elab]\npairs = 4\n");
        place.run(&format!("model --config small.toml --stage {stage} --out nic")).good();
        let name = format!("mpnic_{stage}");
        place.write("nic/writer.py", WRITER.replace("NAME", &name));
        let line = format!("python3 -B writer.py > rows.c && cc -w -o rows rows.c {name}.c && ./rows");
        assert_eq!(shell(&place, &line).good(), "equal in 500 cycles\n");
        assert!(place.path(&format!("nic/lib{name}.so")).exists());

        // It is built again when the C has changed, and another may be given.
        let source = place.read(&format!("nic/{name}.c"));
        shell(&place, &format!("cp lib{name}.so ../good.so; touch -d '1 minute ago' lib{name}.so")).good();
        place.write(&format!("nic/{name}.c"), inverted(&source));
        let read =
            |argument: &str| format!("python3 -B -c 'from {name} import Model; print(Model({argument}).read())'");
        let (broken, good) = (shell(&place, &read("")).good(), shell(&place, &read("\"../good.so\"")).good());
        assert!(broken != good && good.starts_with("Outputs("), "{broken}{good}");
        // Without a compiler it says so.
        let missing = shell(&place, &format!("rm lib{name}.so; CC=no-such-cc {}", read("")));
        assert!(missing.status == 1 && missing.err.contains("no-such-cc"), "{}", missing.err);
        assert!(!place.names("nic").iter().any(|name| name.starts_with("tmp")));
    }
}
