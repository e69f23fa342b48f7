// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings in the Verilog and as the command prints them are the same.

use mpnic::config::Config;
use mpnic::interfaces::{Direction, Interface};
use mpnic::stages::StageName;

/// The fields of the interfaces of settings are the settings of the command, with the same widths.
#[test]
fn every_port_is_a_setting() {
    let config = Config::default();
    let mut ports = 0;
    for stage in StageName::ALL.iter().filter(|stage| stage.has_settings(&config)) {
        let circuit = stage.circuit(&config).expect("it elaborates");
        let mut fields = Vec::new();
        for interface in Interface::all(circuit.top()) {
            if interface.name == "settings" || interface.name.ends_with("_settings") {
                assert!(interface.direction == Direction::In && interface.valid.is_some(), "{}", stage.name());
                fields.extend(interface.fields.iter().map(|field| (field.port.clone(), field.bits)));
            }
        }
        let listed: Vec<_> = stage.settings(&config).into_iter().map(|setting| (setting.port, setting.width)).collect();
        assert_eq!(fields, listed, "{}", stage.name());
        ports += fields.len();
    }
    assert!(ports > 15, "{ports}");
}
