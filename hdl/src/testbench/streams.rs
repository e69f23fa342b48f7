// SPDX-License-Identifier: MIT OR Apache-2.0
//! The streams among the ports of a module.

use rtl_model::netlist::circuit::Module;

/// A payload port of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The port.
    pub port: String,
    /// Its name without the prefix of the stream.
    pub name: String,
    /// Width in bits.
    pub width: u32,
}

/// A valid/ready stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The prefix of `_tvalid`.
    pub name: String,
    /// It is an input of the module.
    pub input: bool,
    /// There is a `_tready`. Without one every item is accepted at once.
    pub ready: bool,
    /// The payload, in the order of the ports.
    pub fields: Vec<Field>,
}

const VALID: &str = "_tvalid";

impl Stream {
    /// Bits of an item.
    pub fn width(&self) -> u32 {
        self.fields.iter().map(|field| field.width).sum()
    }

    /// Whether the port is one of this stream's.
    pub fn owns(&self, port: &str) -> bool {
        port.strip_prefix(self.name.as_str()).is_some_and(|rest| matches!(rest, VALID | "_tready"))
            || self.fields.iter().any(|field| field.port == port)
    }
}

/// The streams of a module, inputs first, in the order of the ports.
pub fn streams(module: &Module) -> Vec<Stream> {
    let inputs: Vec<(&str, u32)> = module.inputs.iter().map(|p| (p.name.as_str(), p.width)).collect();
    let outputs: Vec<(&str, u32)> = module.outputs.iter().map(|p| (p.name.as_str(), p.width)).collect();
    let mut found = of(&inputs, &outputs, true);
    found.extend(of(&outputs, &inputs, false));
    found
}

fn of(forward: &[(&str, u32)], backward: &[(&str, u32)], input: bool) -> Vec<Stream> {
    let names: Vec<&str> =
        forward.iter().filter(|(_, width)| *width == 1).filter_map(|(port, _)| port.strip_suffix(VALID)).collect();
    // `rx_meta_tdata` belongs to `rx_meta` even where there is a stream `rx`.
    let owner = |port: &str| {
        let fits = |name: &&&str| port.strip_prefix(**name).is_some_and(|rest| rest.starts_with('_'));
        names.iter().filter(fits).max_by_key(|name| name.len()).copied()
    };
    let stream = |name: &&str| {
        let fields = forward
            .iter()
            .filter(|(port, _)| owner(port) == Some(name) && port.strip_suffix(VALID) != Some(name))
            .map(|(port, width)| Field {
                port: (*port).to_owned(),
                name: port[name.len() + 1..].to_owned(),
                width: *width,
            })
            .collect();
        let ready = backward.iter().any(|(port, width)| *width == 1 && port.strip_suffix("_tready") == Some(name));
        Stream { name: (*name).to_owned(), input, ready, fields }
    };
    names.iter().map(stream).collect()
}
