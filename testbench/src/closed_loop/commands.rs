// SPDX-License-Identifier: MIT OR Apache-2.0
//! A port for commands, which are given one at a time, with the port of the responses.

use crate::device::{Error, Port, Ports};
use crate::streams::Channel;
use std::collections::BTreeMap;

/// A port for commands.
pub struct Commands {
    channel: Channel,
    /// Where it says that there is a response, and where the fields of one are.
    valid: usize,
    fields: Vec<(String, usize)>,
    /// The fields of a command, until it is taken.
    offered: Option<Vec<(&'static str, u64)>>,
    /// The fields of the last response; empty until there is one.
    pub state: BTreeMap<String, u64>,
}

impl Commands {
    /// The port with this prefix in front of `command`, and of `response`.
    pub fn new(ports: &Ports, prefix: &str) -> Result<Self, Error> {
        let channel = Channel::input(ports, &format!("{prefix}command"))?;
        let response = format!("{prefix}response_");
        let named = |port: &Port| Some((port.name.strip_prefix(&response)?.to_owned(), port.offset));
        let fields: Vec<_> = ports.outputs.iter().filter_map(named).collect();
        let valid = fields.iter().find(|(name, _)| name == "valid");
        let valid = valid.ok_or_else(|| Error::NoPort(format!("{response}valid")))?.1;
        Ok(Commands { channel, valid, fields, offered: None, state: BTreeMap::new() })
    }

    /// Gives a command.
    pub fn offer(&mut self, fields: Vec<(&'static str, u64)>) {
        self.offered = Some(fields);
        self.state.clear();
    }

    /// A clock cycle.
    pub fn drive(&mut self, outputs: &[u64], inputs: &mut [u64]) -> Result<(), Error> {
        if outputs[self.valid] == 1 {
            self.state = self.fields.iter().map(|(name, at)| (name.clone(), outputs[*at])).collect();
        }
        self.channel.set_valid(inputs, self.offered.is_some());
        if let Some(fields) = &self.offered {
            let mut item = vec![0; self.channel.limbs()];
            for (name, value) in fields {
                item[self.channel.field(name)?.1.start] = *value;
            }
            self.channel.set(inputs, &item);
            if self.channel.ready(outputs) {
                self.offered = None;
            }
        }
        Ok(())
    }
}
