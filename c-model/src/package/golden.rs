// SPDX-License-Identifier: MIT OR Apache-2.0
//! `NAME_main.c`: plays golden vectors, which it reads from the files of the Verilog testbench.

use super::{Port, Ports, fill};
use crate::print::field;

const COMMON: &str = include_str!("vectors.c");
const STREAMS: &str = include_str!("streams.c");
const CYCLES: &str = include_str!("cycles.c");
/// The part of the text that does not depend on a circuit.
pub const TEXTS: [&str; 3] = [COMMON, STREAMS, CYCLES];

/// The vectors of a stage, as files of hexadecimal rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vectors {
    /// Items of streams. A row has the ports of its stream, the first in the highest bits; a row of an output has a
    /// mask of the same width above them.
    Streams(Vec<Stream>),
    /// One row per cycle: reset, inputs, mask of the outputs, outputs; ports as above.
    Cycles {
        /// The name of the file.
        file: String,
        /// Number of rows.
        rows: usize,
    },
}

/// A stream with its items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The name of the stream.
    pub name: String,
    /// Whether it is an input of the model.
    pub input: bool,
    /// The port that marks an item.
    pub valid: String,
    /// The port of the other direction that accepts an item, if there is one.
    pub ready: Option<String>,
    /// The payload, in the order of the ports: name within the stream, and port.
    pub fields: Vec<(String, String)>,
    /// The file of its items.
    pub file: String,
    /// Number of its items.
    pub items: usize,
}

/// Makes the program.
pub fn main(name: &str, ports: &Ports, vectors: &Vectors) -> String {
    let text = match vectors {
        Vectors::Streams(streams) => of_streams(ports, streams),
        Vectors::Cycles { file, rows } => of_cycles(ports, file, *rows),
    };
    fill(&text, &[("name", name)])
}

/// The ports as elements of an array, and their widths. `direction` is a macro of the text.
fn places<'a>(ports: impl DoubleEndedIterator<Item = (&'a str, &'a Port)>, direction: &str) -> (String, u32) {
    let mut low = 0;
    let place = |(name, port): (&str, &Port)| {
        let line = format!("    {{\"{name}\", {}, {direction}({}), {low}}},\n", port.width, port.field());
        low += port.width;
        line
    };
    let mut lines: Vec<_> = ports.rev().map(place).collect();
    lines.reverse();
    (lines.concat(), low)
}

fn of_cycles(ports: &Ports, file: &str, rows: usize) -> String {
    let (inputs, input_bits) = places(ports.inputs.iter().map(|port| (port.name.as_str(), port)), "INPUT");
    let (outputs, output_bits) = places(ports.outputs.iter().map(|port| (port.name.as_str(), port)), "OUTPUT");
    let numbers = [rows.to_string(), input_bits.to_string(), output_bits.to_string()];
    let [rows, input_bits, output_bits] = numbers.each_ref().map(String::as_str);
    fill(
        CYCLES,
        &[
            ("common", COMMON),
            ("inputs", &inputs),
            ("outputs", &outputs),
            ("input_bits", input_bits),
            ("output_bits", output_bits),
            ("file", file),
            ("rows", rows),
        ],
    )
}

fn of_streams(ports: &Ports, streams: &[Stream]) -> String {
    let (arrays, list): (String, String) = streams.iter().map(|stream| of_stream(ports, stream)).unzip();
    fill(STREAMS, &[("common", COMMON), ("ports", &arrays), ("streams", &list)])
}

/// The array of a stream's ports, and its entry in the list of all streams.
fn of_stream<'a>(ports: &'a Ports, stream: &'a Stream) -> (String, String) {
    let Stream { name, input, file, items, .. } = stream;
    let (all, direction, against) =
        if *input { (&ports.inputs, "INPUT", "OUTPUT") } else { (&ports.outputs, "OUTPUT", "INPUT") };
    let port = |(field, own): &'a (String, String)| Some((field.as_str(), all.iter().find(|port| port.name == *own)?));
    let named: Vec<_> = stream.fields.iter().filter_map(port).collect();
    let (places, width) = places(named.into_iter(), direction);
    let (array, text, count) = match places.as_str() {
        "" => ("NULL".to_owned(), String::new(), "0".to_owned()),
        _ => {
            let array = format!("{name}_ports");
            (array.clone(), format!("static const Port {array}[] = {{\n{places}}};\n"), format!("COUNT({array})"))
        }
    };
    // A row is never empty.
    let bits = width.max(1);
    let row = if *input { bits } else { 2 * bits };
    let valid = format!("{direction}({})", field(&stream.valid));
    let ready = stream.ready.as_ref().map_or_else(|| "NONE".to_owned(), |ready| format!("{against}({})", field(ready)));
    let input = u8::from(*input);
    let entry = format!(
        "    {{\"{name}\", {input}, {valid}, {ready}, {array}, {count}, {bits},
     {{\"{file}\", {items}, {row}, NULL}}, 0, 0}},\n"
    );
    (text, entry)
}
