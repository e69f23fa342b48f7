// SPDX-License-Identifier: MIT OR Apache-2.0
//! The map of header fields that is printed beside the stages with header records.

use crate::Place;
use serde_json::Value;

/// A BTH with a different value in each of these fields, written down from the InfiniBand specification.
const USER: &str = r#"
`include "nic/mpnic_headers.vh"
module user;
    wire [31:0] header_0 = 32'h0A40FFFF, header_1 = 32'h00123456, header_2 = 32'h80ABCDEF;
    wire [0:95] bth = {header_0, header_1, header_2};
    wire [0:319] ip = {64'h60000000_00201140, 128'h20010DB8_00000000_00000000_00000001, 128'hFE80_0000_0000_0000_0000_0000_0000_0002};
    initial begin
        #1 $display("%h %h %h", bth[`MPNIC_BTH_OPCODE], bth[`MPNIC_BTH_DQPN], bth[`MPNIC_BTH_PSN]);
        $display("%h %h", ip[`MPNIC_IPV6_SOURCE], ip[`MPNIC_IPV6_DESTINATION]);
    end
endmodule
"#;

#[test]
fn verilog_reads_fields_by_the_map() {
    let place = Place::fresh();
    place.run("rtl --stage header_parser --out nic").good();
    place.write("user.v", USER);
    let mut shell = assert_cmd::Command::new("sh");
    shell.args(["-c", "iverilog -g2001 -Wall -o user user.v && vvp -n user"]).current_dir(place.path(""));
    let printed = crate::ran(&mut shell).good();
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(
        lines,
        ["0a 123456 abcdef", "20010db8000000000000000000000001 fe800000000000000000000000000002"],
        "{printed}"
    );
}

/// JSON and Verilog say the same of every field.
#[test]
fn the_map_for_programs_is_that_of_verilog() {
    let place = Place::fresh();
    place.run("rtl --stage header_builder,tally --out nic").good();
    let map: Value = serde_json::from_str(&place.read("nic/mpnic_headers.json")).expect("JSON");
    let verilog = place.read("nic/mpnic_headers.vh");
    let mut fields = 0;
    for header in map.as_array().expect("headers") {
        let mut next = 0;
        for field in header["fields"].as_array().expect("fields") {
            let text = |value: &Value| value.as_str().expect("a name").to_uppercase();
            let (first, width) = (field["first_bit"].as_u64().expect("a bit"), field["width"].as_u64().expect("bits"));
            assert_eq!(first, next, "{}: fields follow one another", text(&field["name"]));
            next = first + width;
            let name = format!("MPNIC_{}_{}", text(&header["name"]), text(&field["name"]));
            let range = format!("{first}:{}", first + width - 1);
            let defined = verilog.lines().any(|line| line.split_whitespace().eq(["`define", &name, &range]));
            assert!(defined, "{name} is {range}");
            fields += 1;
        }
        assert_eq!(header["bits"], next);
    }
    assert!(fields > 150, "{fields}");
}

#[test]
fn stages_without_records_have_no_map() {
    let place = Place::fresh();
    place.run("rtl --stage tally --out nic").good();
    assert!(place.names("nic").iter().all(|name| !name.contains("headers")));
}
