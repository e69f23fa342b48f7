// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports by interface: the ports of one field of the stage's inputs or outputs are together, `ready` beside its
//! `valid`, each with the comment of the source.

use crate::adapter::Port;
use rtl_model::Field;
use rtl_model::netlist::circuit::Module;

/// All ports in the order in which they are printed.
pub fn ports(module: &Module) -> Vec<Port> {
    let inputs = module.inputs.iter().map(|p| (&p.name, p.width, false, &p.path));
    let outputs = module.outputs.iter().map(|p| (&p.name, p.width, true, &p.path));
    let all: Vec<_> = inputs.chain(outputs).collect();
    let records: Vec<_> =
        all.iter().filter(|(.., path)| path.len() > 1).map(|(_, _, output, path)| (path[0], *output)).collect();
    let mut interfaces: Vec<Interface> = Vec::new();
    for (name, width, output, path) in all {
        let port = Port { name: name.clone(), width, output, doc: doc(path), heading: None };
        let field = path.first().map_or("", |field| field.name);
        // `s_record_entropy` belongs to `s_record`, and `control_ready` the other way to `control`.
        let beside = |record: &&(Field, bool)| match field.strip_prefix(record.0.name) {
            Some("_ready" | "_tready") => true,
            Some(rest) => rest.starts_with('_') && record.1 == output,
            None => false,
        };
        let of = if path.len() > 1 { field } else { records.iter().find(beside).map_or(field, |record| record.0.name) };
        let at = interfaces.iter().position(|one| one.field == of).unwrap_or_else(|| {
            // The direction with more signals supplies the comment.
            let size = |output| records.iter().filter(|record| record.0.name == of && record.1 == output).count();
            let side = size(true) > size(false);
            let said = records.iter().find(|record| record.0.name == of && record.1 == side);
            let doc = said.map_or(String::new(), |record| record.0.doc.to_owned());
            interfaces.push(Interface { field: of.to_owned(), doc, ports: Vec::new() });
            interfaces.len() - 1
        });
        interfaces[at].add(port);
    }
    let mut list =
        vec![fixed("clk", "Everything happens at its rising edge."), fixed("rst", "Synchronous, active high.")];
    let mut alone = true;
    for interface in interfaces {
        let single = interface.ports.len() == 1;
        let mut ports = interface.ports();
        if single && !alone {
            // An empty line ends the previous group of ports.
            ports[0].heading = Some(String::new());
        }
        alone = single;
        list.extend(ports);
    }
    list
}

fn fixed(name: &str, doc: &str) -> Port {
    Port { name: name.into(), width: 1, output: false, doc: doc.into(), heading: None }
}

struct Interface {
    field: String,
    doc: String,
    ports: Vec<Port>,
}

impl Interface {
    /// A `ready` comes after its `valid`.
    fn add(&mut self, port: Port) {
        let answers =
            |name: &str| port.name.strip_suffix("ready").is_some_and(|stem| name.strip_suffix("valid") == Some(stem));
        let valid = self.ports.iter().position(|other| answers(&other.name));
        self.ports.insert(valid.map_or(self.ports.len(), |at| at + 1), port);
    }

    /// Only groups of more than one port have a heading.
    fn ports(mut self) -> Vec<Port> {
        if let ([first, _, ..], false) = (&mut self.ports[..], self.field.is_empty()) {
            first.heading =
                Some(if self.doc.is_empty() { self.field } else { format!("{}: {}", self.field, self.doc) });
        }
        self.ports
    }
}

/// The comment on the port itself.
fn doc(path: &[Field]) -> String {
    path.last().map_or(String::new(), |field| sentence(field.doc))
}

/// The first sentence.
fn sentence(text: &str) -> String {
    text.split_once(". ").map_or(text.to_owned(), |(first, _)| format!("{first}."))
}
