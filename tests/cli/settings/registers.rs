// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings in the Verilog and as the command prints them are the same.

use mpnic::config::Config;
use mpnic::interfaces::{Direction, Interface};
use mpnic::stages::StageName;

/// The fields of the interface `settings` are the settings of the command, with the same widths.
#[test]
fn every_port_is_a_setting() {
    let config = Config::default();
    let mut ports = 0;
    for stage in StageName::ALL.iter().filter(|stage| stage.has_settings()) {
        let circuit = stage.circuit(&config).expect("it elaborates");
        let interfaces = Interface::all(circuit.top());
        let interface = interfaces.iter().find(|interface| interface.name == "settings");
        let interface = interface.unwrap_or_else(|| panic!("{} has no settings", stage.name()));
        assert!(interface.direction == Direction::In && interface.valid.is_some());
        let fields: Vec<_> = interface.fields.iter().map(|field| (field.port.clone(), field.bits)).collect();
        let listed: Vec<_> = stage.settings(&config).into_iter().map(|setting| (setting.port, setting.width)).collect();
        assert_eq!(fields, listed, "{}", stage.name());
        ports += fields.len();
    }
    assert!(ports > 15, "{ports}");
}
