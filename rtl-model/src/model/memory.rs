// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memories and delay lines as values.

use super::state::{check_shape, reset_fields, resets};
use super::watch::Mirror;
use super::{Model, Word};
use crate::netlist::circuit::Collision;
use crate::ops::index_width;
use crate::ram::RamShape;
use crate::signal::{Leaf, Signal};
use std::cell::Cell;

/// A memory.
pub struct MemoryState<T: Signal> {
    rows: Vec<T::Store>,
    depth: u64,
    address_width: u32,
    latency: u32,
    collision: Collision,
    reads: Vec<Port<T>>,
    lanes: u32,
    lane_width: u32,
    writing: Cell<bool>,
    write_address: Cell<u64>,
    write_data: T::Store,
    lane: Cell<u64>,
    lane_data: Cell<u64>,
    shape: T::Shape,
    /// Of each port: of its registers, in the order in which a row passes them.
    mirrors: Vec<[Option<Mirror>; 3]>,
}

/// From latency 2 on the row that was read and the one in the output register change places, so that a read moves one
/// row and not two.
struct Port<T: Signal> {
    reading: Cell<bool>,
    address: Cell<u64>,
    rows: [T::Store; 2],
    /// Which of `rows` is the row that was read last.
    last: Cell<usize>,
    /// The output register holds the same.
    settled: Cell<bool>,
    /// At latency 3, the register behind the output register.
    delivered: T::Store,
    /// It holds the same as that one.
    at_rest: Cell<bool>,
}

impl<T: Signal> Port<T> {
    fn new() -> Self {
        Port {
            reading: Cell::new(false),
            address: Cell::new(0),
            rows: [T::store(), T::store()],
            last: Cell::new(0),
            settled: Cell::new(true),
            delivered: T::store(),
            at_rest: Cell::new(true),
        }
    }
    #[inline(always)]
    fn row(&self) -> &T::Store {
        &self.rows[self.last.get() & 1]
    }
    #[inline(always)]
    fn registered(&self) -> &T::Store {
        &self.rows[!self.last.get() & 1]
    }
}

impl<const N: usize, const CHECKED: bool, T: Signal<Logic = Model<N, CHECKED>>> MemoryState<T> {
    pub(super) fn new(name: &str, ram: &RamShape, shape: &T::Shape) -> Self {
        MemoryState {
            rows: (0..ram.depth).map(|_| T::store()).collect(),
            depth: ram.depth,
            address_width: ram.address_width(),
            latency: ram.latency,
            collision: ram.collision,
            reads: (0..ram.reads).map(|_| Port::new()).collect(),
            lanes: ram.lanes,
            lane_width: T::leaves_of(shape, "").iter().map(|leaf| leaf.width).sum::<u32>() / ram.lanes,
            writing: Cell::new(false),
            write_address: Cell::new(0),
            write_data: T::store(),
            lane: Cell::new(0),
            lane_data: Cell::new(0),
            shape: *shape,
            mirrors: (0..ram.reads).map(|port| mirrors::<N, CHECKED, T>(name, ram, shape, port)).collect(),
        }
    }
    #[inline(always)]
    fn copy(&self, from: &T::Store, to: &T::Store) {
        T::load(from, &self.shape).save(to);
    }
    #[inline(always)]
    fn show(&self, port: &Port<T>, number: usize) {
        if CHECKED {
            let stores = match self.latency {
                1 => [port.row(); 3],
                _ => [port.row(), port.registered(), &port.delivered],
            };
            for (mirror, store) in self.mirrors[number].iter().zip(stores) {
                mirror.iter().for_each(|mirror| mirror.show_row(&T::load(store, &self.shape)));
            }
        }
    }
    /// The last register takes over what stands in the output register.
    #[inline(always)]
    fn deliver(&self, port: &Port<T>) {
        if self.latency == 3 && !port.at_rest.replace(port.settled.get()) {
            self.copy(port.registered(), &port.delivered);
        }
    }
    /// A row is read.
    #[inline(always)]
    fn fetch(&self, port: &Port<T>, row: &T::Store) {
        if self.latency > 1 {
            port.last.set(port.last.get() ^ 1);
            port.settled.set(false);
        }
        self.copy(row, port.row());
    }
    /// Nothing is read.
    #[inline(always)]
    fn hold(&self, port: &Port<T>) {
        if self.latency > 1 && !port.settled.replace(true) {
            self.copy(port.row(), port.registered());
        }
    }
    /// A row is read while it is written: nothing is read of what is written, the row or the lane.
    #[inline(always)]
    fn collide(&self, port: &Port<T>, row: &T::Store) {
        if self.lanes == 1 {
            return self.hold(port);
        }
        let held = self.lane_of(port.row());
        self.fetch(port, row);
        self.with_lane(port.row(), held).save(port.row());
    }
    #[inline(always)]
    #[track_caller]
    fn check_address(&self, address: Word) {
        if CHECKED && address.width() != self.address_width {
            super::width_error("address", address.width(), self.address_width);
        }
    }
    #[inline(always)]
    #[track_caller]
    pub(super) fn read(&self, port: usize, address: Word) {
        self.check_address(address);
        self.reads[port].reading.set(true);
        self.reads[port].address.set(address.value());
    }
    #[inline(always)]
    #[track_caller]
    pub(super) fn write(&self, address: Word, value: T) {
        self.check_address(address);
        check_shape(&self.shape, &value);
        self.writing.set(true);
        self.write_address.set(address.value());
        value.save(&self.write_data);
    }
    #[inline(always)]
    #[track_caller]
    pub(super) fn write_lane(&self, address: Word, lane: Word, value: Word) {
        self.check_address(address);
        if CHECKED && (value.width() != self.lane_width || lane.width() != index_width(self.lanes.into())) {
            super::width_error("lane", value.width(), self.lane_width);
        }
        self.writing.set(true);
        self.write_address.set(address.value());
        self.lane.set(lane.value());
        self.lane_data.set(value.value());
    }
    /// A row with the lane that is being written taken from `lane`, which has the width of one.
    #[inline(always)]
    fn with_lane(&self, row: &T::Store, lane: u64) -> T {
        let mut changed = None;
        T::load(row, &self.shape).visit(&mut |leaf| match leaf {
            Leaf::Wide(x) => changed = Some(x.with_lane(self.lane.get(), self.lane_width, lane)),
            Leaf::Narrow(_) => unreachable!("rows with lanes are wide"),
        });
        T::build(&self.shape, &mut |_, _| Leaf::Wide(changed.expect("a row has a leaf")))
    }
    /// The lane that is being written, of a row.
    #[inline(always)]
    fn lane_of(&self, row: &T::Store) -> u64 {
        let mut lane = 0;
        T::load(row, &self.shape).visit(&mut |leaf| match leaf {
            Leaf::Wide(x) => lane = x.lane(self.lane.get(), self.lane_width),
            Leaf::Narrow(_) => unreachable!("rows with lanes are wide"),
        });
        lane
    }
    #[inline(always)]
    pub(super) fn data(&self, port: usize) -> T {
        let port = &self.reads[port];
        let last = match self.latency {
            1 => port.row(),
            2 => port.registered(),
            _ => &port.delivered,
        };
        T::load(last, &self.shape)
    }
    #[inline(always)]
    pub(super) fn clock(&self) {
        let (writing, to) = (self.writing.replace(false), self.write_address.get());
        for (i, port) in self.reads.iter().enumerate() {
            let address = port.address.get();
            let reads = port.reading.replace(false) && address < self.depth;
            let collides = writing && to == address && self.collision != Collision::ReadFirst;
            self.deliver(port);
            match reads {
                true if collides => self.collide(port, &self.rows[address as usize]),
                true => self.fetch(port, &self.rows[address as usize]),
                false => self.hold(port),
            }
            self.show(port, i);
        }
        if writing && to < self.depth {
            let row = &self.rows[to as usize];
            match self.lanes {
                1 => self.copy(&self.write_data, row),
                _ => self.with_lane(row, self.lane_data.get()).save(row),
            }
        }
    }
}

/// As the Verilog calls them: `rows_data`, or `rows_data_0` and so on if there are more ports; from latency 2 on there is
/// `rows_data_row` ahead of it, and at latency 3 `rows_data_block` between the two.
fn mirrors<const N: usize, const CHECKED: bool, T: Signal<Logic = Model<N, CHECKED>>>(
    name: &str,
    ram: &RamShape,
    shape: &T::Shape,
    port: usize,
) -> [Option<Mirror>; 3] {
    let data = if ram.reads == 1 { format!("{name}_data") } else { format!("{name}_data_{port}") };
    let row = |name: String| Some(Mirror::of_row::<N, CHECKED, T>(name, shape));
    match ram.latency {
        1 => [row(data), None, None],
        2 => [row(format!("{data}_row")), row(data), None],
        _ => [row(format!("{data}_row")), row(format!("{data}_block")), row(data)],
    }
}

/// A delay line as a ring.
pub struct LineState<T: Signal> {
    ring: Vec<T::Store>,
    next: Cell<usize>,
    resets: Vec<bool>,
    /// Of the register that a value enters first, of the next, and so on.
    mirrors: Vec<Mirror>,
    shape: T::Shape,
}

impl<const N: usize, const CHECKED: bool, T: Signal<Logic = Model<N, CHECKED>>> LineState<T> {
    pub(super) fn new(name: &str, shape: &T::Shape, length: usize) -> Self {
        let ring = (0..length).map(|_| T::store()).collect();
        let resets = resets(&T::leaves_of(shape, ""));
        let mirror = |i| Mirror::of_leaves::<N, CHECKED, T>(&format!("{name}_{i}"), shape);
        LineState { ring, next: Cell::new(0), resets, mirrors: (1..=length).map(mirror).collect(), shape: *shape }
    }
    #[inline(always)]
    pub(super) fn get(&self) -> T {
        T::load(&self.ring[self.next.get()], &self.shape)
    }
    #[inline(always)]
    #[track_caller]
    pub(super) fn shift(&self, value: T) {
        check_shape(&self.shape, &value);
        let next = self.next.get();
        value.save(&self.ring[next]);
        self.next.set(if next + 1 == self.ring.len() { 0 } else { next + 1 });
        self.show();
    }
    /// The ring stands still, the registers move.
    #[inline(always)]
    fn show(&self) {
        if CHECKED && self.mirrors[0].is_on() {
            let (length, next) = (self.ring.len(), self.next.get());
            for (i, mirror) in self.mirrors.iter().enumerate() {
                mirror.show(&T::load(&self.ring[(next + length - 1 - i) % length], &self.shape));
            }
        }
    }
    pub(super) fn reset(&self) {
        let zero = T::zero(&self.shape);
        for store in &self.ring {
            let now = T::load(store, &self.shape);
            reset_fields(&self.shape, &self.resets, now, zero).save(store);
        }
        self.show();
    }
}
