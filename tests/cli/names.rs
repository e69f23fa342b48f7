// SPDX-License-Identifier: MIT OR Apache-2.0
//! What modules are called: the same in every configuration, or as the user says. The files tell the configuration.

use crate::{Place, ran};
use assert_cmd::Command;

/// A default tally and one of 16 rows.
const TOP: &str = "\
`timescale 1ns / 1ps
module top (
    input wire clk, input wire rst,
    input wire event_valid, input wire [9:0] event_row, input wire [15:0] event_amount,
    output wire [1:0] ready, output wire [1:0] valid
);
wire [41:0] first;
wire [35:0] second;
mpnic_tally first_tally (
    .clk(clk), .rst(rst), .event_valid(event_valid), .event_row(event_row), .event_amount(event_amount),
    .ready(ready[0]), .done_valid(valid[0]), .done_row(first[9:0]), .done_value(first[41:10])
);
small_tally second_tally (
    .clk(clk), .rst(rst), .event_valid(event_valid), .event_row(event_row[3:0]), .event_amount(event_amount),
    .ready(ready[1]), .done_valid(valid[1]), .done_row(second[3:0]), .done_value(second[35:4])
);
wire _unused_ok = &{1'b0, first, second};
endmodule
";

#[test]
fn a_name_does_not_change_with_the_configuration() {
    let place = Place::fresh();
    place.write("narrow.toml", "data_width = 64\n[protocols]\nuet_port = 5000\n");
    let default = place.run("rtl --stage header_parser_core --out -").good();
    let narrow = place.run("rtl --stage header_parser_core --config narrow.toml --out -").good();
    for text in [&default, &narrow] {
        assert!(text.contains("\nmodule mpnic_header_parser_core (\n"), "{text:.400}");
    }
    assert!(
        narrow.contains("data_width = 64, protocols.rocev2 = true") && narrow.contains("protocols.uet_port = 5000")
    );
    assert!(default.contains("data_width = 512") && !default.contains("entropy_selector.cccs"));
}

#[test]
fn the_files_tell_the_configuration() {
    let place = Place::fresh();
    place.run("rtl --stage tally --out nic").good();
    let sums = place.read("nic/mpnic.sha256");
    let origin = sums.lines().next().and_then(|line| line.rsplit_once(' ')).expect("a first line");
    assert_eq!(origin.0, concat!("# mpnic ", env!("CARGO_PKG_VERSION"), ", configuration"));
    let verilog = place.read("nic/mpnic_tally.v");
    assert!(verilog.contains(&format!(", configuration {}; do not edit.\n", origin.1)), "{verilog:.400}");
    assert!(verilog.contains(&format!("\nlocalparam [47:0] CONFIGURATION = 48'h{};\n", origin.1)), "{verilog}");
    for setting in ["target.ram_latency = 2", "tally.rows = 1024", "tally.width = 32", "tally.amount_width = 16"] {
        assert!(verilog.contains(setting), "{verilog:.400}");
    }
}

/// Both are one design: one directory, one run of each tool.
#[test]
fn two_configurations_meet_in_one_design() {
    let place = Place::fresh();
    place.write("small.toml", "[tally]\nrows = 16\n");
    place.run("rtl --stage tally --out nic").good();
    place.run("rtl --stage tally --config small.toml --name small_tally --out small").good();
    place.write("top.v", TOP);
    let lines = [
        "verilator --lint-only -Wall --top-module top top.v nic/mpnic_tally.v small/small_tally.v",
        "iverilog -g2001 -Wall -s top -o top top.v nic/mpnic_tally.v small/small_tally.v",
        "yosys -q -p 'read_verilog top.v nic/*.v small/*.v; hierarchy -check -top top; proc; check -assert'",
    ];
    for line in lines {
        ran(Command::new("sh").current_dir(place.path("")).args(["-c", line])).good();
    }
}

#[test]
fn the_prefix_of_all_names_is_a_key() {
    let place = Place::fresh();
    place.write("ours.toml", "[target]\nprefix = \"acme\"\n");
    place.run("rtl --stage tally --config ours.toml --out nic").good();
    let names = place.names("nic");
    assert_eq!(names, ["acme_tally.core", "acme_tally.f", "acme_tally.v", "acme_tally.ys", "mpnic.sha256"]);
}

#[test]
fn what_is_no_name_is_refused() {
    let place = Place::fresh();
    for name in ["9lives", "a-b", "module", "int", &"n".repeat(101)] {
        let error = place.run(&format!("rtl --stage tally --name {name} --out nic")).bad(2);
        assert!(error.contains("a module is called by at most 100 letters, digits and _"), "{error}");
        place.write("nic.toml", format!("[target]\nprefix = \"{name}\"\n"));
        let error = place.run("rtl --stage tally --config nic.toml --out nic").bad(2);
        assert!(error.contains("`prefix` is a name of Verilog of at most 100 letters, no reserved word"), "{error}");
    }
    let error = place.run("rtl --name mine --out nic").bad(2);
    assert!(error.contains("--stage"), "{error}");
    assert_eq!(place.names(""), ["in.pcap", "nic.toml"]);
}
