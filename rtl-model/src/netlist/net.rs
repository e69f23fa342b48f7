// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interpretation with nets, and records of them.

use super::circuit::{NodeId, Site};
use crate::logic::Reading;
use crate::signal::{Leaf, Signal};
use crate::steps::Pipeline;

/// The interpretation in which a signal is a net of the module being elaborated.
#[derive(Clone, Copy, Debug)]
pub struct Netlist;

impl Reading for Netlist {
    type Narrow = Net;
    type Wide = Net;
}

/// A net: a node of the module with this serial number.
#[derive(Clone, Copy, Debug)]
pub struct Net {
    pub(super) serial: u32,
    pub(super) node: NodeId,
    pub(super) width: u32,
    pub(super) step: Option<Mark>,
}

/// The step of a pipeline that a net is in, and the line that said so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub pipeline: Pipeline,
    pub step: u32,
    pub site: Site,
}

/// The net as a leaf.
pub(super) fn leaf(net: Net, wide: bool) -> Leaf<Netlist> {
    if wide { Leaf::Wide(net) } else { Leaf::Narrow(net) }
}

/// The nets of a record, in order.
pub(super) fn nets<T: Signal<Logic = Netlist>>(value: &T) -> Vec<Net> {
    let mut nets = Vec::new();
    value.visit(&mut collect(&mut nets));
    nets
}

fn collect(nets: &mut Vec<Net>) -> impl FnMut(Leaf<Netlist>) {
    |leaf| match leaf {
        Leaf::Narrow(net) | Leaf::Wide(net) => nets.push(net),
    }
}

/// A record of the nets that `next` gives for each width. It should not be a closure of a function with a type parameter, which
/// would be compiled for each type.
pub(super) fn from_nets<T: Signal<Logic = Netlist>>(shape: &T::Shape, next: impl FnMut(u32) -> Net) -> T {
    T::build(shape, &mut leaves(next))
}

fn leaves(mut next: impl FnMut(u32) -> Net) -> impl FnMut(u32, bool) -> Leaf<Netlist> {
    move |width, wide| leaf(next(width), wide)
}
