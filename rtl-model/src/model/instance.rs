// SPDX-License-Identifier: MIT OR Apache-2.0
//! A stage interpreted with values, with all its registers.
//!
//! Only the stage holds the registers of a model. While an [`Instance`] is built, each register is announced with its
//! scope and its name, with a function to read it and one to reset it.

use super::register::AnyRegister;
use super::stored::{AnyRows, Stored, pack};
use super::values::Model;
use crate::called::Called;
use crate::leaf::join;
use crate::signal::{Signal, leaves};
use crate::widths::leaves_of;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

/// Writes a value to limbs, lowest first.
type Read = Box<dyn Fn(&mut [u64])>;
/// Function that resets one register of an instance.
type Reset = Box<dyn Fn()>;

/// A register, a stage of a delay line, or a data register of a memory.
pub struct Watched {
    /// The child stages and components that contain it, from the outside in.
    pub scope: Vec<String>,
    /// Name as in the source; fields of records after their register, joined by `_`.
    pub name: String,
    /// Width of the watched register in bits.
    pub width: u32,
    read: Read,
}

impl Watched {
    /// Writes its value, `ceil(width / 64)` limbs, lowest first.
    pub fn read(&self, to: &mut [u64]) {
        (self.read)(to);
    }
}

impl fmt::Debug for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} bits", [&*self.scope, std::slice::from_ref(&self.name)].concat().join("."), self.width)
    }
}

/// A stage, or a part of one, with its registers and those of its children. It derefs to the stage.
pub struct Instance<S> {
    stage: S,
    registers: Vec<Watched>,
    memories: Vec<Stored>,
    resets: Vec<Reset>,
}

impl<S> Instance<S> {
    /// Runs `build` and keeps all registers that it makes.
    pub fn new(build: impl FnOnce() -> S) -> Self {
        let outer = FOUND.replace(Some(Found::default()));
        let stage = build();
        let Found { registers, memories, resets, .. } = FOUND.replace(outer).unwrap_or_default();
        Instance { stage, registers, memories, resets }
    }

    /// Its registers in order of their creation.
    pub fn registers(&self) -> &[Watched] {
        &self.registers
    }

    /// Its memories in order of their creation, whose stored bits can be flipped.
    pub fn memories(&self) -> &[Stored] {
        &self.memories
    }

    /// The synchronous reset, after `clock` on the same edge: registers that are reset take their power-up value.
    pub fn reset(&self) {
        self.resets.iter().for_each(|reset| reset());
    }
}

impl<S> Deref for Instance<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.stage
    }
}

/// The registers announced to the instance that is being built.
#[derive(Default)]
struct Found {
    /// The child stages that are being built, each behind the components that contain it, from the outside in.
    children: Vec<String>,
    /// The fields of components of the innermost one.
    fields: Vec<String>,
    registers: Vec<Watched>,
    memories: Vec<Stored>,
    resets: Vec<Reset>,
}

thread_local! {
    static FOUND: RefCell<Option<Found>> = const { RefCell::new(None) };
}

/// Builds a child and collects its registers under its name.
pub(super) fn inside<R>(called: Called, build: impl FnOnce() -> R) -> R {
    let (mut fields, mut outer) = (Vec::new(), 0);
    with_found(|found| {
        fields = std::mem::take(&mut found.fields);
        outer = found.children.len();
        let (around, name) = called.inside(&fields);
        found.children.extend_from_slice(around);
        found.children.push(name);
    });
    let built = build();
    with_found(|found| {
        found.children.truncate(outer);
        found.fields = fields;
    });
    built
}

/// State made from now on belongs to a field of a component.
pub(super) fn enter(field: &str) {
    with_found(|found| found.fields.push(field.to_owned()));
}

/// The field is complete.
pub(super) fn leave() {
    with_found(|found| {
        found.fields.pop();
    });
}

/// Announces a register, if an instance is being built: one per leaf, named after the leaf. In a delay line it has a
/// step.
pub(super) fn register(called: Called, step: &str, register: Rc<dyn AnyRegister>) {
    if is_building() {
        for (index, leaf) in leaves_of(register.widths(), step).into_iter().enumerate() {
            let register = register.clone();
            let read = move |to: &mut [u64]| to.copy_from_slice(register.leaf(index).used());
            announce(called, &leaf.name, leaf.width, Box::new(read));
        }
        with_found(|found| found.resets.push(Box::new(move || register.reset())));
    }
}

/// Announces a register that holds a row of a memory: all leaves side by side, the first in the highest bits.
pub(super) fn row<T: Signal<Logic = Model>>(called: Called, which: &str, width: u32, register: Rc<Cell<T>>) {
    if is_building() {
        announce(called, which, width, Box::new(move |to| pack(&leaves(&register.get()), to)));
    }
}

/// Announces a memory.
pub(super) fn memory(called: Called, rows: Box<dyn AnyRows>) {
    with_found(|found| {
        let (around, name) = called.inside(&found.fields);
        let scope = [found.children.as_slice(), around].concat();
        found.memories.push(Stored::new(scope, name, rows));
    });
}

fn is_building() -> bool {
    FOUND.with_borrow(Option::is_some)
}

fn with_found(f: impl FnOnce(&mut Found)) {
    FOUND.with_borrow_mut(|found| found.as_mut().map(f));
}

fn announce(called: Called, rest: &str, width: u32, read: Read) {
    with_found(|found| {
        let (around, name) = called.inside(&found.fields);
        let scope = [found.children.as_slice(), around].concat();
        found.registers.push(Watched { scope, name: join(&name, rest), width, read });
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Scope;
    use crate::{Bits, Delay, Ram, RamShape, Reg, bits};

    type M = Model;

    fn find<'a>(found: &'a [Watched], name: &str) -> &'a Watched {
        found.iter().find(|one| one.name == name).unwrap_or_else(|| panic!("no {name} in {found:?}"))
    }

    fn value(one: &Watched) -> u64 {
        let mut limb = [0];
        one.read(&mut limb);
        limb[0]
    }

    #[test]
    fn a_register_shows_what_it_holds() {
        let start = || {
            let _scope = Scope::<M>::enter("q", "");
            Reg::starting_at(&bits(8), Bits::<M>::lit(8, 7)).with_reset()
        };
        let register = Instance::new(start);
        let found = register.registers();
        assert_eq!((found.len(), value(find(found, "q")), found[0].width), (1, 7, 8));
        register.set(Bits::lit(8, 9));
        assert_eq!(value(find(found, "q")), 9);
        register.reset();
        assert_eq!(value(find(found, "q")), 7);
    }

    #[test]
    fn a_delay_line_shows_the_newest_value_in_its_first_register() {
        let line = Instance::new(|| Delay::<Bits<M>>::named("late", &bits(4), 3).with_reset());
        (1..=4).for_each(|x| line.shift(Bits::lit(4, x)));
        assert_eq!(["late_1", "late_2", "late_3"].map(|name| value(find(line.registers(), name))), [4, 3, 2]);
        line.reset();
        assert_eq!(value(find(line.registers(), "late_2")), 0);
    }

    #[test]
    fn a_memory_shows_its_data_registers() {
        let shape = RamShape::new(4).reads(2);
        let memory = Instance::new(|| Ram::<[Bits<M>; 2]>::named("rows", shape, &[bits(60), bits(8)]));
        memory.write(Bits::lit(2, 3), [Bits::lit(60, 5), Bits::lit(8, 0x96)]);
        memory.clock();
        memory.read_port(1, Bits::lit(2, 3));
        memory.clock();
        let names = ["rows_data_1_row", "rows_data_1", "rows_data_0"];
        assert_eq!(names.map(|name| value(find(memory.registers(), name))), [0x596, 0, 0]);
        memory.clock();
        assert_eq!(names.map(|name| value(find(memory.registers(), name))), [0x596, 0x596, 0]);
    }

    #[test]
    fn a_memory_of_latency_3_shows_each_of_its_registers() {
        let memory = Instance::new(|| Ram::<Bits<M>>::named("rows", RamShape::new(4).latency(3), &bits(8)));
        for row in 0..4 {
            memory.write(Bits::lit(2, row), Bits::lit(8, 10 + row));
            memory.clock();
        }
        let names = ["rows_data_row", "rows_data_block", "rows_data"];
        let mut expected = [0; 3];
        // A row is read or not, so that registers load and hold in every combination.
        for pattern in 0..64_u64 {
            for clock in 0..6 {
                let reads = pattern >> clock & 1 == 1;
                expected = [if reads { 10 + (pattern + clock) % 4 } else { expected[0] }, expected[0], expected[1]];
                if reads {
                    memory.read(Bits::lit(2, (pattern + clock) % 4));
                }
                memory.clock();
                assert_eq!(names.map(|name| value(find(memory.registers(), name))), expected, "{pattern:b} {clock}");
                assert_eq!(memory.data().value(), expected[2]);
            }
        }
    }

    #[test]
    fn leaves_that_cross_a_limb_are_packed_whole() {
        let ram = RamShape::new(2);
        let memory = Instance::new(|| Ram::<[Bits<M>; 2]>::named("rows", ram, &[bits(60), bits(10)]));
        memory.write(Bits::lit(1, 0), [Bits::lit(60, 0xabc << 48), Bits::lit(10, 0x3ff)]);
        memory.clock();
        memory.read(Bits::lit(1, 0));
        memory.clock();
        let mut limbs = [0; 2];
        find(memory.registers(), "rows_data_row").read(&mut limbs);
        assert_eq!((limbs, find(memory.registers(), "rows_data_row").width), ([0xabc << 58 | 0x3ff, 0xabc >> 6], 70));
    }

    #[test]
    fn a_register_made_elsewhere_is_not_found() {
        let alone = Reg::<Bits<M>>::named("q", &bits(8));
        alone.set(Bits::lit(8, 3));
        assert_eq!(alone.get().value(), 3);
        let instance = Instance::new(|| alone.set(Bits::lit(8, 4)));
        assert!(instance.registers().is_empty());
    }
}
