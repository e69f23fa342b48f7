// SPDX-License-Identifier: MIT OR Apache-2.0
//! State in Icarus: memories in every mode against a plain model, and power-up without a reset.

use crate::common::Build;
use crate::common::tools::{directory, printed, run};
use hdl::VerilogFile;
use rtl_model::netlist::circuit::*;
use std::fmt::Write;

fn simulate(name: &str, circuit: &Circuit, bench: String, standard: &str) -> String {
    let mut files = printed(circuit);
    files.push(VerilogFile { name: "bench.v".into(), text: bench });
    let dir = directory(name, &files);
    let mut args = vec![standard, "-s", "bench", "-o", "out.vvp"];
    args.extend(files.iter().map(|file| file.name.as_str()));
    let (good, said) = run(&dir, "iverilog", &args);
    assert!(good, "{said}");
    run(&dir, "vvp", &["-n", "out.vvp"]).1.trim().to_owned()
}

#[test]
fn logic_that_reads_nothing_but_registers_starts() {
    let mut b = Build::new("free_running");
    let (count, count_q) = b.register("count", 8, 0, false);
    let (one, zero) = (b.constant(8, 1), b.constant(1, 0));
    let (high, high_q) = b.variable("high", zero);
    let sum = b.binary(rtl_model::ops::Binary::Add, count_q, one);
    let top = b.slice(count_q, 1, 1);
    let yes = b.constant(1, 1);
    b.0.body = vec![b.set(count, sum), Build::when(top, vec![b.put(high, yes)])];
    b.output("count", count_q);
    b.output("high", high_q);
    let circuit = Circuit { modules: vec![b.0] };
    let bench = "module bench;
reg clk = 1'b0;
wire [7:0] count;
wire high;
free_running dut (.clk(clk), .rst(1'b0), .count(count), .high(high));
initial begin
    #1 $write(\"%0d%b\", count, high);
    repeat (3) begin #1 clk = 1'b1; #1 clk = 1'b0; #1 $write(\" %0d%b\", count, high); end
    $display;
end
endmodule
";
    for standard in ["-g2001", "-g2005", "-g2009"] {
        assert_eq!(simulate("free_running", &circuit, bench.into(), standard), "00 10 21 31", "{standard}");
    }
}

/// One memory in plain Rust.
struct Plain {
    rows: Vec<u64>,
    /// What the read register holds, and held one and two clocks ago.
    read: [u64; 3],
}

impl Plain {
    fn clock(&mut self, memory: &Memory, (we, wa, wd): (bool, u64, u64), (re, ra): (bool, u64)) {
        self.read = [self.read[0], self.read[0], self.read[1]];
        let hold = memory.collision == Collision::Hold && we && wa == ra;
        if re && ra < memory.depth && !hold {
            self.read[0] = self.rows[ra as usize];
        }
        if we && wa < memory.depth {
            self.rows[wa as usize] = wd;
        }
    }
}

#[test]
fn memories_do_what_their_mode_says() {
    let mut seed = 99u64;
    let mut random = move |below: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % below
    };
    for (depth, width, latency, collision) in [
        (1, 8, 1, Collision::Hold),
        (4, 8, 2, Collision::Hold),
        (5, 1, 1, Collision::ReadFirst),
        (6, 13, 2, Collision::ReadFirst),
        (7, 9, 3, Collision::Hold),
        (8, 33, 3, Collision::ReadFirst),
        (3000, 8, 1, Collision::Hold),
    ] {
        let name = format!("rows_{depth}x{width}");
        let bits = rtl_model::ops::index_width(depth);
        let mut b = Build::new(&name);
        let write = (b.input("we", 1), b.input("wa", bits), b.input("wd", width));
        let reads = [(b.input("re0", 1), b.input("ra0", bits)), (b.input("re1", 1), b.input("ra1", bits))];
        let data = b.memory("rows", (depth, width, latency), collision, write, &reads);
        b.output("q0", data[0]);
        b.output("q1", data[1]);
        let memory = b.0.memories[0].clone();
        let mut checks = String::new();
        let plain = || Plain { rows: vec![0; depth as usize], read: [0; 3] };
        let mut ports = [plain(), plain()];
        for clock in 0..400 {
            // Few addresses, so that accesses meet; some beyond the depth where there are any.
            let span = (1u64 << bits).min(8);
            let mut address = || {
                if depth > 8 && random(4) == 0 { depth - 4 + random(8) } else { random(span) }
            };
            let (wa, ra) = (address(), [address(), address()]);
            let (we, wd) = (random(2) == 1, random(1 << width));
            let re = [random(4) > 0, random(4) > 0];
            writeln!(checks, "we = {}; wa = {wa}; wd = {wd};", we as u8).unwrap();
            for i in 0..2 {
                writeln!(checks, "re{i} = {}; ra{i} = {};", re[i] as u8, ra[i]).unwrap();
                ports[i].clock(&memory, (we, wa, wd), (re[i], ra[i]));
            }
            let [q0, q1] = [0, 1].map(|i: usize| ports[i].read[latency as usize - 1]);
            writeln!(checks, "tick; if (q0 !== {q0} || q1 !== {q1}) $display(\"BAD {clock} %0d %0d\", q0, q1);")
                .unwrap();
        }
        let (a, w) = (bits - 1, width - 1);
        let bench = format!(
            "module bench;
reg clk, we, re0, re1; reg [{a}:0] wa, ra0, ra1; reg [{w}:0] wd; wire [{w}:0] q0, q1;
{name} dut (.clk(clk), .rst(1'b0), .we(we), .wa(wa), .wd(wd), .re0(re0), .ra0(ra0), .re1(re1), .ra1(ra1), .q0(q0), .q1(q1));
task tick; begin #1 clk = 1'b1; #1 clk = 1'b0; #1; end endtask
initial begin
clk = 1'b0;
#1 if (q0 !== 0 || q1 !== 0) $display(\"BAD power-up\");
{checks}$display(\"DONE\");
end
endmodule
"
        );
        assert_eq!(simulate(&name, &Circuit { modules: vec![b.0] }, bench, "-g2001"), "DONE", "{name} {collision:?}");
    }
}
