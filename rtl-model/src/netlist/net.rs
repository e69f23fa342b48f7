// SPDX-License-Identifier: MIT OR Apache-2.0
//! Nets, and records of them.

use super::Netlist;
use super::build::{leaf_net, with};
use super::circuit::NodeId;
use super::problem::Title;
use crate::signal::{Leaf, Signal};
use std::panic::Location;

/// A net: a node of the module with this serial number.
#[derive(Clone, Copy, Debug)]
pub struct Net {
    pub(super) serial: u32,
    pub(super) node: NodeId,
    pub(super) width: u32,
}

#[track_caller]
pub(super) fn width_problem(text: String, help: &'static str) {
    let site = Location::caller();
    with(|b| b.problem(Title::WidthMismatch, text, help, vec![("used", site)]));
}

/// The nets of a record, in order.
pub(super) fn nets<T: Signal<Logic = Netlist>>(value: &T) -> Vec<Net> {
    let mut nets = Vec::new();
    value.visit(&mut |leaf| nets.push(leaf_net(leaf)));
    nets
}

/// A record of the nets that `next` gives for each width.
pub(super) fn from_nets<T: Signal<Logic = Netlist>>(shape: &T::Shape, mut next: impl FnMut(u32) -> Net) -> T {
    T::build(shape, &mut |width, wide| {
        let net = next(width);
        if wide { Leaf::Wide(net) } else { Leaf::Narrow(net) }
    })
}
