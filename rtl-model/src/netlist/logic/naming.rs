// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of nets.

use crate::call;
use crate::hint::{Hint, Origin};
use crate::logic::Naming;
use crate::netlist::circuit::Op;
use crate::netlist::net::{Net, Netlist};
use crate::netlist::session::with;
use std::panic::Location;

/// Offers a node a name.
fn offer(a: Net, origin: Origin, name: &str) {
    with(|b| {
        // A net of another module is reported where it is used.
        if a.serial == b.serial {
            let hint = Hint { name: name.to_owned(), origin, depth: call::open() };
            b.graph.offer(a.node, Some(hint));
        }
    });
}

impl Naming for Netlist {
    const NAMES: bool = true;
    #[track_caller]
    fn name(a: Net, name: &str, index: Option<usize>) {
        let site = Location::caller();
        with(|b| {
            let id = b.own(a, site);
            b.graph.name(id, || index.map_or(name.to_string(), |i| format!("{name}_{i}")));
        });
    }
    fn offer_name(a: Net, origin: Origin, name: &str) {
        offer(a, origin, name);
    }
    fn ignore(a: Net) {
        with(|b| {
            if let Op::Input(i) = b.graph.node(a.node).op {
                b.module.inputs[i].unused_ok = true;
            }
        });
    }
    #[track_caller]
    fn name_wide(a: Net, name: &str, index: Option<usize>) {
        Self::name(a, name, index);
    }
    fn offer_name_wide(a: Net, origin: Origin, name: &str) {
        offer(a, origin, name);
    }
    fn ignore_wide(a: Net) {
        Self::ignore(a);
    }
}
