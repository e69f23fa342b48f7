// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of a module as a table in Markdown, interface by interface.

use rtl_model::netlist::circuit::Module;
use rtl_model::netlist::interfaces::{Direction, Handshake, Interface, Pin};

/// The head of the table.
const HEAD: &str = "| port | bits | direction | meaning | handshake | valid when |\n|---|---|---|---|---|---|\n";

/// The table: all ports of a module but `clk` and `rst`. An interface of several ports has a row of its own ahead of them, and
/// elements of an array share one.
pub fn markdown(module: &Module) -> String {
    let rows = module.interfaces().iter().flat_map(rows).collect::<String>();
    format!("{HEAD}{rows}")
}

fn rows(interface: &Interface) -> Vec<String> {
    let pins: Vec<_> = interface.pins().collect();
    let mut rows = Vec::new();
    if pins.len() > 1 {
        let Interface { name, doc, direction, .. } = interface;
        let (handshake, when) = transfer(&interface.handshake);
        rows.push(row(&format!("**`{name}`**"), &interface.width().to_string(), *direction, doc, handshake, &when));
    }
    let mut pins = pins.as_slice();
    while let [(first, direction), rest @ ..] = pins {
        let elements = rest.iter().take_while(|(pin, _)| pin.continues).count();
        let (others, behind) = rest.split_at(elements);
        let (port, bits) = match others.last() {
            Some((last, _)) => (format!("`{}` .. `{}`", first.port, last.port), format!("{} each", first.width)),
            None => (format!("`{}`", first.port), first.width.to_string()),
        };
        let (role, when) = role(interface, first);
        rows.push(row(&port, &bits, *direction, &first.doc, role, &when));
        pins = behind;
    }
    rows
}

/// What marks a transfer, and when there is one.
fn transfer(handshake: &Handshake) -> (&'static str, String) {
    match handshake {
        Handshake::None => ("none", "always".to_owned()),
        Handshake::Valid { valid } => ("valid", format!("`{}` is 1", valid.port)),
        Handshake::ValidReady { valid, ready } => {
            ("valid, ready", format!("`{}` and `{}` are 1", valid.port, ready.port))
        }
    }
}

/// What a port does in the handshake, and when it has a meaning.
fn role(interface: &Interface, pin: &Pin) -> (&'static str, String) {
    let is = |other: Option<&Pin>| other.is_some_and(|other| other.port == pin.port);
    match interface.valid() {
        _ if is(interface.ready()) => ("ready", "always".to_owned()),
        valid if is(valid) => ("valid", "always".to_owned()),
        Some(valid) => ("payload", format!("`{}` is 1", valid.port)),
        None => ("none", "always".to_owned()),
    }
}

fn row(port: &str, bits: &str, direction: Direction, meaning: &str, handshake: &str, when: &str) -> String {
    let direction = match direction {
        Direction::In => "in",
        Direction::Out => "out",
    };
    format!("| {port} | {bits} | {direction} | {} | {handshake} | {when} |\n", meaning.replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::stages::StageName;

    fn lines(stage: StageName) -> Vec<String> {
        let circuit = stage.circuit(&Config::default()).expect("it elaborates");
        markdown(circuit.top()).lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_ports_of_tally() {
        let lines = lines(StageName::Tally);
        assert_eq!(lines[0], "| port | bits | direction | meaning | handshake | valid when |");
        assert!(lines[2].starts_with("| **`event`** | 26 | in | "), "{}", lines[2]);
        assert!(lines[2].ends_with("| valid, ready | `event_valid` and `ready` are 1 |"), "{}", lines[2]);
        assert!(lines[4].starts_with("| `ready` | 1 | out |") && lines[4].ends_with("| ready | always |"));
        assert!(lines[6].starts_with("| `event_amount` | 16 | in |"), "{}", lines[6]);
        assert!(lines[6].ends_with("| payload | `event_valid` is 1 |"), "{}", lines[6]);
        assert!(lines[7].ends_with("| valid | `done_valid` is 1 |"), "{}", lines[7]);
        assert_eq!(lines.len(), 2 + 5 + 4);
    }

    #[test]
    fn elements_of_an_array_share_a_row_and_levels_have_one() {
        let record = lines(StageName::HeaderParser);
        let ip = record.iter().find(|line| line.contains("m_record_ip_0")).expect("a row");
        assert!(ip.starts_with("| `m_record_ip_0` .. `m_record_ip_9` | 32 each | out |"), "{ip}");
        let busy =
            lines(StageName::PathScheduler).into_iter().filter(|line| line.contains("`busy`")).collect::<Vec<_>>();
        assert!(busy.len() == 1 && busy[0].ends_with("| none | always |"), "{busy:?}");
    }
}
