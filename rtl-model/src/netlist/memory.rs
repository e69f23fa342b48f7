// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memories as nets.

use super::builder::Builder;
use super::circuit::*;
use super::naming::Kept;
use super::net::{Net, Netlist, from_nets, nets};
use super::session::{width_problem, with};
use super::state::new_version;
use super::uses::{MemoryUse, PortUse};
use crate::called::Called;
use crate::leaf::join;
use crate::ops::index_width;
use crate::ram_shape::RamShape;
use crate::signal::Signal;
use crate::widths::width_of;
use std::panic::Location;

/// A memory whose rows are the leaves side by side, the first in the highest bits.
pub struct MemoryNet<T: Signal> {
    rows: Rows,
    shape: T::Shape,
}

impl<T: Signal<Logic = Netlist>> MemoryNet<T> {
    #[track_caller]
    pub(super) fn new(called: Called, ram: &RamShape, shape: &T::Shape) -> Self {
        MemoryNet { rows: Rows::new(called, ram, width_of(shape)), shape: *shape }
    }

    #[track_caller]
    pub(super) fn read(&self, port: usize, address: Net) {
        self.rows.read(port, address);
    }

    #[track_caller]
    pub(super) fn write(&self, address: Net, value: T) {
        self.rows.write(address, nets(&value));
    }

    #[track_caller]
    pub(super) fn write_lane(&self, address: Net, lane: Net, value: Net) {
        self.rows.write_lane(address, lane, value);
    }

    #[track_caller]
    pub(super) fn data(&self, port: usize) -> T {
        from_nets(&self.shape, parts(self.rows.data(port), Location::caller()))
    }

    #[track_caller]
    pub(super) fn clock(&self) {
        self.rows.clock();
    }
}

/// Parts of a row, from its highest bits on.
fn parts(row: Net, site: Site) -> impl FnMut(u32) -> Net {
    let mut high = row.width;
    move |width| {
        high -= width;
        with(|b| b.op(Op::Slice { low: high }, &[row], width, site))
    }
}

/// The part that does not depend on the type of the row.
struct Rows {
    index: usize,
    address_width: u32,
    width: u32,
    lanes: u32,
}

impl Rows {
    #[track_caller]
    fn new(called: Called, ram: &RamShape, width: u32) -> Self {
        let site = Location::caller();
        let address_width = index_width(ram.depth);
        let index = with(|b| {
            let off = b.constant(Value::zero(1), site).node;
            let address = b.constant(Value::zero(address_width), site).node;
            let data = b.constant(Value::zero(width / ram.lanes), site).node;
            let lane = b.constant(Value::zero(index_width(ram.lanes.into())), site).node;
            let name = b.names.add(called, site, Kept::Memory(b.module.memories.len()));
            b.module.memories.push(Memory {
                name: name.clone(),
                scope: b.names.scope().to_vec(),
                local: name,
                depth: ram.depth,
                width,
                latency: ram.latency,
                collision: ram.collision,
                lanes: ram.lanes,
                slice: width / ram.lanes,
                large: false,
                write: WritePort { enable: off, address, lane: (ram.lanes > 1).then_some(lane), data },
                reads: vec![ReadPort { enable: off, address }; ram.reads],
                site,
            });
            b.uses.memories.push(MemoryUse { reads: vec![None; ram.reads], ..MemoryUse::default() });
            b.module.memories.len() - 1
        });
        Rows { index, address_width, width, lanes: ram.lanes }
    }

    fn name(&self) -> String {
        with(|b| b.module.memories[self.index].name.clone())
    }

    #[track_caller]
    fn address(&self, address: Net) -> bool {
        let fits = address.width == self.address_width;
        if !fits {
            let text =
                format!("`{}` has addresses of {} bits, given {}", self.name(), self.address_width, address.width);
            width_problem(text, "address a memory with clog2(depth) bits");
        }
        fits
    }

    #[track_caller]
    fn read(&self, port: usize, address: Net) {
        let site = Location::caller();
        if self.address(address) {
            let suffix = if port == 0 { String::new() } else { port.to_string() };
            let prefix = join(&join(&self.name(), "read"), &suffix);
            with(|b| {
                let address = b.own(address, site);
                let old = b.uses.memories[self.index].reads[port].take();
                let used = request(b, old, &prefix, &[("address", address)], site);
                b.uses.memories[self.index].reads[port] = Some(used);
            });
        }
    }

    #[track_caller]
    fn write(&self, address: Net, value: Vec<Net>) {
        let site = Location::caller();
        let mut row: Option<Net> = None;
        for net in value {
            row = Some(match row {
                None => net,
                Some(high) => with(|b| b.op(Op::Concat, &[high, net], high.width + net.width, site)),
            });
        }
        let row = row.expect("a record has at least one signal");
        if row.width != self.width || self.lanes != 1 {
            let text = format!("`{}` has rows of {} bits, given {}", self.name(), self.width, row.width);
            return width_problem(text, "extend() or truncate(), write_lane() where rows have lanes");
        }
        self.request_write(&[("address", address), ("data", row)], site);
    }

    #[track_caller]
    fn write_lane(&self, address: Net, lane: Net, value: Net) {
        let site = Location::caller();
        let (width, index) = (self.width / self.lanes, index_width(self.lanes.into()));
        if value.width != width || lane.width != index || self.lanes == 1 {
            let given = format!("given {} at an index of {}", value.width, lane.width);
            let text = format!("`{}` has {} lanes of {width} bits, {given}", self.name(), self.lanes);
            return width_problem(text, "extend() or truncate(); index a lane with clog2(lanes) bits");
        }
        self.request_write(&[("address", address), ("data", value), ("lane", lane)], site);
    }

    /// The address comes first.
    #[track_caller]
    fn request_write(&self, values: &[(&str, Net)], site: Site) {
        if self.address(values[0].1) {
            let prefix = join(&self.name(), "write");
            with(|b| {
                b.same_step(&values.iter().map(|(_, net)| *net).collect::<Vec<_>>(), site);
                let values: Vec<_> = values.iter().map(|&(what, net)| (what, b.own(net, site))).collect();
                let old = b.uses.memories[self.index].writes.take();
                b.uses.memories[self.index].writes = Some(request(b, old, &prefix, &values, site));
            });
        }
    }

    #[track_caller]
    fn data(&self, port: usize) -> Net {
        let (site, name) = (Location::caller(), self.name());
        with(|b| {
            b.check_clocked(&name, |uses| &uses.memories[self.index].clocked, site);
            b.push(Op::MemoryData(self.index, port), vec![], self.width, site)
        })
    }

    #[track_caller]
    fn clock(&self) {
        let (site, name) = (Location::caller(), self.name());
        with(|b| {
            b.clocked(&name, |uses| &mut uses.memories[self.index].clocked, site);
            let uses = &b.uses.memories[self.index];
            let (writes, reads) = (uses.writes.clone(), uses.reads.clone());
            if let Some(port) = writes {
                let (enable, values) = (b.port_enable(&port, site), b.port_values(&port, site));
                b.module.memories[self.index].write =
                    WritePort { enable, address: values[0], lane: values.get(2).copied(), data: values[1] };
            }
            for (i, port) in reads.into_iter().enumerate() {
                if let Some(port) = port {
                    let (enable, values) = (b.port_enable(&port, site), b.port_values(&port, site));
                    b.module.memories[self.index].reads[i] = ReadPort { enable, address: values[0] };
                }
            }
        });
    }
}

/// A request on a memory port. The first one connects its address and data; a later one turns them into variables.
fn request(b: &mut Builder, old: Option<PortUse>, prefix: &str, values: &[(&str, NodeId)], site: Site) -> PortUse {
    let on = b.constant(Value::from_u64(1, 1), site).node;
    let mut port = old.unwrap_or_else(|| {
        let off = b.constant(Value::zero(1), site).node;
        let enable = new_version(b, join(prefix, "enable"), 1, off, site);
        let values: Vec<NodeId> = values.iter().map(|v| v.1).collect();
        PortUse { enable, variables: vec![None; values.len()], values }
    });
    b.assign(Target::Variable(port.enable), on, site);
    for (i, &(what, value)) in values.iter().enumerate() {
        if port.values[i] != value || port.variables[i].is_some() {
            let width = b.graph.node(value).width;
            let default = port.values[i];
            let variable =
                *port.variables[i].get_or_insert_with(|| new_version(b, join(prefix, what), width, default, site));
            b.assign(Target::Variable(variable), value, site);
        }
    }
    port
}

impl Builder {
    fn port_enable(&mut self, port: &PortUse, site: Site) -> NodeId {
        self.push(Op::Variable(port.enable), vec![], 1, site).node
    }

    fn port_values(&mut self, port: &PortUse, site: Site) -> Vec<NodeId> {
        let values = port.values.iter().zip(&port.variables);
        let values: Vec<_> = values.map(|(&value, variable)| (value, *variable)).collect();
        let net = |(value, variable): (NodeId, Option<usize>)| match variable {
            None => value,
            Some(v) => self.push(Op::Variable(v), vec![], self.module.variables[v].width, site).node,
        };
        values.into_iter().map(net).collect()
    }
}
