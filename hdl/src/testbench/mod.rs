// SPDX-License-Identifier: MIT OR Apache-2.0
//! Self-checking Verilog testbenches: here for modules whose ports form valid/ready streams, in [`of_cycles`] for
//! modules whose answers come in fixed cycles.
//!
//! A stream is an interface of the module with a valid and usually a ready. The testbench feeds the items of the input
//! streams and compares those of the output streams under a mask, with random stalls everywhere:
//!
//! ```text
//! iverilog -g2001 -o tb nic_tb.v nic.v .. && vvp -n tb +seed=7 +stall=30
//! ```
//!
//! Its last line is `PASS items=N` or `FAIL items=N failures=M`. Before it come the first differences, one per line:
//! `FAIL stream=.. item=.. field=.. got=.. expected=..`, with `x` for bits that are not compared. Failures of the
//! handshake have the same form: a stalled output that changes is field `NAME.stable`, missing or surplus items are
//! fields `missing` and `surplus`, an input that is never accepted is field `tready`. A memory file that is missing or
//! too short ends the run at once, with a line `FAIL file=..` before the last.
//!
//! The exit status is 0 with `PASS`. With `FAIL` it is 1 for `vvp`, and that of an abort (134 in a shell) for a
//! Verilator program (`verilator --binary --timing`). If nothing is to be compared, the run fails, and
//! [`TestbenchError::Nothing`] is returned here.

mod bench;
mod cycles;
mod hex;
mod streams;
mod verdict;

pub use cycles::{Cycle, of_cycles};
pub use streams::{Stream, streams};

use crate::{Header, VerilogFile};
use rtl_model::netlist::circuit::Module;
use thiserror::Error;

/// The reasons why there is no testbench.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TestbenchError {
    /// The module has no stream.
    #[error("NO STREAMS: module `{module}` has no interface with a valid")]
    NoStreams {
        /// The module.
        module: String,
    },
    /// There is nothing to compare: no item of any output stream, or no cycle with an output that is compared.
    #[error("NOTHING TO CHECK: the testbench of module `{module}` would compare nothing")]
    Nothing {
        /// The module.
        module: String,
    },
    /// Items for a stream that the module does not have in that direction.
    #[error("UNKNOWN STREAM: module `{module}` has no {direction} stream `{stream}`")]
    UnknownStream {
        /// The module.
        module: String,
        /// `input` or `output`.
        direction: &'static str,
        /// The stream.
        stream: String,
    },
    /// A value for an input that is not there or belongs to a stream.
    #[error("UNKNOWN INPUT: `{port}` is no input of module `{module}` outside its streams")]
    UnknownInput {
        /// The module.
        module: String,
        /// The port.
        port: String,
    },
    /// An item has not one value for each field.
    #[error("BAD ITEM: stream `{stream}`, item {item}: {found} fields, {expected} expected")]
    FieldCount {
        /// The stream; `inputs` or `outputs` of a row of cycles.
        stream: String,
        /// Index of the item.
        item: usize,
        /// Fields given.
        found: usize,
        /// Fields of the stream.
        expected: usize,
    },
    /// A value has more bits than its port.
    #[error("BAD ITEM: `{port}`, item {item}: the value does not fit {width} bits")]
    TooWide {
        /// The port.
        port: String,
        /// Index of the item; 0 for a constant input.
        item: usize,
        /// Width of the port.
        width: u32,
    },
}

/// A value of any width: limbs, lowest first; missing limbs are 0.
pub type Limbs = Vec<u64>;

/// An item to send: a value for each field of the stream, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// The values.
    pub fields: Vec<Limbs>,
}

/// An expected item: value and mask for each field of the stream, in its order. Bits that are 0 in the mask are not
/// compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// (value, mask).
    pub fields: Vec<(Limbs, Limbs)>,
}

/// The stimulus and the expected output.
#[derive(Clone, Debug)]
pub struct Stimulus {
    /// Input streams with their items; a stream that is missing stays idle.
    pub inputs: Vec<(String, Vec<Item>)>,
    /// Output streams with their items; a stream that is missing has none.
    pub outputs: Vec<(String, Vec<Expected>)>,
    /// Inputs outside streams and their constant values; one that is missing is 0.
    pub constants: Vec<(String, Limbs)>,
    /// The testbench gives up after this number of clock cycles without a transfer.
    pub watchdog: u32,
    /// Number of clock cycles after the last item in which it waits for surplus ones.
    pub drain: u32,
    /// Number of differences that are printed; all are counted.
    pub shown: u32,
}

impl Default for Stimulus {
    fn default() -> Self {
        Stimulus {
            inputs: Vec::new(),
            outputs: Vec::new(),
            constants: Vec::new(),
            watchdog: 100_000,
            drain: 1000,
            shown: 10,
        }
    }
}

/// A testbench and the files that it reads from the directory in which it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestbenchFiles {
    /// `TOP_tb.v`, module `TOP_tb`.
    pub testbench: VerilogFile,
    /// File name and text of each memory file, one for each stream that has items.
    pub memories: Vec<(String, String)>,
    /// Format of their lines.
    pub rows: Rows,
}

/// Format of a line of a memory file, for other programs that play the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rows {
    /// An item of a stream: its fields, the first in the highest bits; for an output with as many mask bits above. Per
    /// stream the number of its items and the file, which does not exist without items.
    Items(Vec<(Stream, usize, String)>),
    /// A cycle: reset, inputs, mask of the outputs, outputs; ports as above.
    Cycles {
        /// The file.
        file: String,
        /// Number of rows.
        rows: usize,
    },
}

/// Makes the testbench of a module.
pub fn generate(top: &Module, header: &Header, stimulus: &Stimulus) -> Result<TestbenchFiles, TestbenchError> {
    let streams = streams(top);
    if streams.is_empty() {
        return Err(TestbenchError::NoStreams { module: top.name.clone() });
    }
    let known = |name: &str, input: bool| streams.iter().any(|s| s.name() == name && s.input() == input);
    let unknown = |stream: &str, direction| {
        Err(TestbenchError::UnknownStream { module: top.name.clone(), direction, stream: stream.to_owned() })
    };
    for (name, _) in &stimulus.inputs {
        if !known(name, true) {
            return unknown(name, "input");
        }
    }
    for (name, _) in &stimulus.outputs {
        if !known(name, false) {
            return unknown(name, "output");
        }
    }
    for (name, value) in &stimulus.constants {
        let free = |port: &&rtl_model::netlist::circuit::Input| {
            port.name == *name && !streams.iter().any(|s| s.interface.owns(&port.name))
        };
        match top.inputs.iter().find(free) {
            None => {
                return Err(TestbenchError::UnknownInput { module: top.name.clone(), port: name.clone() });
            }
            Some(port) => hex::fits(name, 0, value, port.width)?,
        }
    }
    if stimulus.outputs.iter().all(|(_, items)| items.is_empty()) {
        return Err(TestbenchError::Nothing { module: top.name.clone() });
    }
    let mut memories = Vec::new();
    let mut counts = Vec::new();
    for stream in &streams {
        let text = if stream.input() {
            let items = stimulus.inputs.iter().filter(|(name, _)| *name == stream.name()).flat_map(|(_, items)| items);
            hex::items(stream, items)?
        } else {
            let items = stimulus.outputs.iter().filter(|(name, _)| *name == stream.name()).flat_map(|(_, items)| items);
            hex::expected(stream, items)?
        };
        let file = format!("{}_tb_{}.hex", top.name, stream.name());
        counts.push((text.lines().count(), file.clone()));
        if !text.is_empty() {
            memories.push((file, text));
        }
    }
    let text = bench::print(top, header, stimulus, &streams, &counts);
    let testbench = VerilogFile { name: format!("{}_tb.v", top.name), text };
    let items = streams.into_iter().zip(counts).map(|(stream, (count, file))| (stream, count, file)).collect();
    Ok(TestbenchFiles { testbench, memories, rows: Rows::Items(items) })
}
