// SPDX-License-Identifier: MIT OR Apache-2.0
//! `NAME_bench.h`, `NAME_bench.c`: the model with a queue at each interface that has a handshake, for benches that move
//! transfers and frames and do not look at each clock.

use super::fill;
use crate::print::field;
use rtl_model::netlist::circuit::Circuit;
use rtl_model::netlist::interfaces::{Direction, Interface, Pin};

const HEADER: &str = include_str!("bench.h");
const SOURCE: &str = include_str!("bench.c");
/// The part of the texts that does not depend on a circuit.
pub const TEXTS: [&str; 2] = [HEADER, SOURCE];

/// The interfaces that have a handshake, in the order of the tables.
pub fn interfaces(circuit: &Circuit) -> Vec<Interface> {
    circuit.top().interfaces().into_iter().filter(|interface| interface.valid().is_some()).collect()
}

/// Makes the header and the source.
pub fn files(name: &str, interfaces: &[Interface]) -> [String; 2] {
    let constants: String =
        interfaces.iter().map(|interface| format!("    {name}_{},\n", interface.name.to_uppercase())).collect();
    let (fields, table): (String, String) = interfaces.iter().map(of_interface).unzip();
    let guard = name.to_uppercase();
    let places =
        [("name", name), ("guard", &guard), ("interfaces", &constants), ("fields", &fields), ("table", &table)];
    [HEADER, SOURCE].map(|text| fill(text, &places))
}

/// The limbs of a field.
fn limbs(pin: &Pin) -> u32 {
    pin.width.div_ceil(64)
}

/// The array of an interface's fields, and its row in the table.
fn of_interface(interface: &Interface) -> (String, String) {
    let name = &interface.name;
    let (direction, against, is_input) = match interface.direction {
        Direction::In => ("INPUT", "OUTPUT", 1),
        Direction::Out => ("OUTPUT", "INPUT", 0),
    };
    let mut at = 0;
    let mut places = Vec::new();
    for pin in &interface.fields {
        places.push((pin, at));
        at += limbs(pin);
    }
    let line = |(pin, at): &(&Pin, u32)| format!("    {{{direction}({}), {at}, {}}},\n", field(&pin.port), limbs(pin));
    let (array, text) = match places.len() {
        0 => ("NULL".to_owned(), String::new()),
        _ => {
            let lines: String = places.iter().map(line).collect();
            (format!("{name}_fields"), format!("static const Field {name}_fields[] = {{\n{lines}}};\n"))
        }
    };
    let port = |direction: &str, pin: Option<&Pin>| {
        pin.map_or("NONE".to_owned(), |pin| format!("{direction}({})", field(&pin.port)))
    };
    let of_stream = ["tdata", "tkeep", "tlast"].map(|field| places.iter().find(|(pin, _)| pin.name == field));
    let place = |place: &Option<&(&Pin, u32)>| place.map_or("NONE".to_owned(), |(_, at)| at.to_string());
    let [tdata, tkeep, tlast] = of_stream.each_ref().map(place);
    let bytes = of_stream[1].map_or(0, |(tkeep, _)| tkeep.width);
    let row = format!(
        "    {{{is_input}, {}, {}, {array}, {}, {at}, {tdata}, {tkeep}, {tlast}, {bytes}}},\n",
        port(direction, interface.valid()),
        port(against, interface.ready()),
        places.len()
    );
    (text, row)
}
