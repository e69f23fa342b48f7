// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the reset acts on, in both readings: each register of a stage is reset, or holds what it held.

use rtl_model::model::Instance;
use rtl_model::*;

/// Marked, not marked, and a record in a record whose mark counts though the field is not marked.
#[derive(Bundle)]
pub struct Step<L: Reading> {
    #[reset]
    valid: Bits<L>,
    data: Bits<L>,
    #[reset]
    pair: [Bits<L>; 2],
    inner: Inner<L>,
}

#[derive(Bundle)]
pub struct Inner<L: Reading> {
    #[reset]
    valid: Bits<L>,
    data: Wide<L>,
}

const W: Bits<Shape> = bits(8);

fn shape() -> Step<Shape> {
    Step { valid: W, data: W, pair: [W; 2], inner: Inner { valid: W, data: wide(8) } }
}

/// The same value in every field.
fn step<L: Logic>(x: Bits<L>) -> Step<L> {
    Step { valid: x, data: x, pair: [x; 2], inner: Inner { valid: x, data: x.widen() } }
}

fn parts<L: Logic>(step: Step<L>) -> Vec<Bits<L>> {
    let Step { valid, data, pair, inner } = step;
    vec![valid, data, pair[0], pair[1], inner.valid, inner.data.slice(0, 8)]
}

#[derive(Bundle)]
pub struct In<L: Reading> {
    x: Bits<L>,
}

#[derive(Bundle)]
pub struct Out<L: Reading> {
    q: Bits<L>,
}

/// A register of each kind.
pub struct Each;

pub struct Registers<L: Logic> {
    plain: Reg<Bits<L>>,
    plain_reset: Reg<Bits<L>>,
    array: Reg<[Bits<L>; 2]>,
    array_reset: Reg<[Bits<L>; 2]>,
    option_reset: Reg<Option<Bits<L>>>,
    none_reset: Reg<Option<Bits<L>>>,
    record: Reg<Step<L>>,
    record_reset: Reg<Step<L>>,
    record_free: Reg<Step<L>>,
    records: Reg<[Step<L>; 1]>,
    starting: Reg<Bits<L>>,
    starting_reset: Reg<Bits<L>>,
    starting_record: Reg<Step<L>>,
    line: Delay<Bits<L>>,
    line_reset: Delay<Bits<L>>,
    line_record: Delay<Step<L>>,
    line_free: Delay<Step<L>>,
}

#[name_nets]
impl Design for Each {
    type Stage<L: Logic> = Registers<L>;
    fn module_name(&self) -> String {
        "each".to_owned()
    }
    fn build<L: Logic>(&self) -> Registers<L> {
        let seven = || Bits::lit(8, 7);
        Registers {
            plain: Reg::new(&W),
            plain_reset: Reg::new(&W).with_reset(),
            array: Reg::new(&[W; 2]),
            array_reset: Reg::new(&[W; 2]).with_reset(),
            option_reset: Reg::new(&Some(W)).with_reset(),
            none_reset: Reg::new(&None).with_reset(),
            record: Reg::new(&shape()),
            record_reset: Reg::new(&shape()).with_reset(),
            record_free: Reg::new(&shape()).without_reset(),
            records: Reg::new(&[shape()]),
            starting: Reg::starting_at(&W, seven()),
            starting_reset: Reg::starting_at(&W, seven()).with_reset(),
            starting_record: Reg::starting_at(&shape(), step(seven())),
            line: Delay::new(&W, 2),
            line_reset: Delay::new(&W, 2).with_reset(),
            line_record: Delay::new(&shape(), 2),
            line_free: Delay::new(&shape(), 2).without_reset(),
        }
    }
}

impl<L: Logic> Stage<L> for Registers<L> {
    type In = In<L>;
    type Out = Out<L>;
    fn input_shape(&self) -> In<Shape> {
        In { x: W }
    }
    /// All that there is, so that nothing of it is left out.
    fn outputs(&self) -> Out<L> {
        let plain = [&self.plain, &self.plain_reset, &self.starting, &self.starting_reset].map(Reg::get);
        let mut all = [plain.as_slice(), &self.array.get(), &self.array_reset.get()].concat();
        all.extend(self.option_reset.get());
        for record in [&self.record, &self.record_reset, &self.record_free, &self.starting_record] {
            all.extend(parts(record.get()));
        }
        all.extend(parts(self.records.get()[0]));
        all.extend([self.line.get(), self.line_reset.get()]);
        all.extend(parts(self.line_record.get()));
        all.extend(parts(self.line_free.get()));
        Out { q: all.into_iter().reduce(|a, b| a ^ b).expect("there are some") }
    }
    fn clock(&self, input: &In<L>) {
        let x = input.x;
        for register in [&self.plain, &self.plain_reset, &self.starting, &self.starting_reset] {
            register.set(x);
        }
        for register in [&self.record, &self.record_reset, &self.record_free, &self.starting_record] {
            register.set(step(x));
        }
        self.array.set([x; 2]);
        self.array_reset.set([x; 2]);
        self.option_reset.set(Some(x));
        self.none_reset.set(None);
        self.records.set([step(x)]);
        self.line.shift(x);
        self.line_reset.shift(x);
        self.line_record.shift(step(x));
        self.line_free.shift(step(x));
    }
}

/// A stage with [`Each`] as its child.
pub struct Around;

pub struct AroundStage<L: Logic> {
    child: Child<L, Each>,
    own: Reg<Step<L>>,
}

#[name_nets]
impl Design for Around {
    type Stage<L: Logic> = AroundStage<L>;
    fn module_name(&self) -> String {
        "around".to_owned()
    }
    fn build<L: Logic>(&self) -> AroundStage<L> {
        AroundStage { child: Child::new(&Each), own: Reg::new(&shape()) }
    }
}

impl<L: Logic> Stage<L> for AroundStage<L> {
    type In = In<L>;
    type Out = Out<L>;
    fn input_shape(&self) -> In<Shape> {
        In { x: W }
    }
    fn outputs(&self) -> Out<L> {
        Out { q: self.child.outputs().q ^ self.own.get().valid }
    }
    fn clock(&self, input: &In<L>) {
        self.own.set(step(input.x));
        self.child.clock(input);
    }
}

/// Name and initial value of what the reset acts on, as declared.
fn expected() -> Vec<(String, u64)> {
    let mut all = Vec::new();
    let mut add = |name: &str, initial: u64| all.push((name.to_owned(), initial));
    for name in ["plain_reset", "array_reset_0", "array_reset_1", "option_reset", "line_reset_1", "line_reset_2"] {
        add(name, 0);
    }
    add("starting_reset", 7);
    for (record, initial) in [
        ("record", 0),
        ("record_reset", 0),
        ("records_0", 0),
        ("starting_record", 7),
        ("line_record_1", 0),
        ("line_record_2", 0),
    ] {
        for field in ["valid", "pair_0", "pair_1", "inner_valid"] {
            add(&format!("{record}_{field}"), initial);
        }
    }
    all.sort();
    all
}

#[test]
fn the_netlist_has_the_flags() {
    let circuit = elaborate(&Around).unwrap_or_else(|report| panic!("{report}"));
    let registers =
        |module: &str| &circuit.modules.iter().find(|one| one.name == module).expect("it is there").registers;
    let reset = |module: &str| {
        let reset = registers(module).iter().filter(|register| register.reset);
        let mut reset: Vec<_> = reset.map(|register| (register.name.clone(), register.init.used()[0])).collect();
        reset.sort();
        reset
    };
    assert_eq!(reset("each"), expected());
    assert_eq!(reset("around"), [("own_valid".to_owned(), 0)]);
    // Four signals, two arrays, an option, five records, two lines of signals and two of records.
    assert_eq!(registers("each").len(), 4 + 4 + 1 + 5 * 6 + 4 + 4 * 6);
}

/// Those registers of an instance that do not hold `value`, in one scope.
fn changed<S>(instance: &Instance<S>, scope: &[&str], value: u64) -> Vec<(String, u64)> {
    let of_scope = instance.registers().iter().filter(|register| register.scope == scope);
    let mut changed: Vec<_> = of_scope
        .map(|register| {
            let mut limb = [0];
            register.read(&mut limb);
            (register.name.clone(), limb[0])
        })
        .filter(|(_, limb)| *limb != value)
        .collect();
    changed.sort();
    changed
}

#[test]
fn the_model_resets_the_same() {
    let stage = Instance::new(|| Around.build::<Model>());
    for _ in 0..2 {
        stage.clock(&In { x: Bits::lit(8, 0x5a) });
    }
    assert_eq!(changed(&stage, &[], 0x5a), []);
    assert_eq!(changed(&stage, &["child"], 0x5a), []);
    stage.reset();
    let own = ["own_inner_valid", "own_pair_0", "own_pair_1", "own_valid"];
    assert_eq!(changed(&stage, &[], 0x5a), own.map(|name| (name.to_owned(), 0)));
    assert_eq!(changed(&stage, &["child"], 0x5a), expected());
}

#[test]
fn the_reset_acts_behind_the_clock() {
    let register = Instance::new(|| Reg::<Bits<Model>>::named("q", &W).with_reset());
    register.set(Bits::lit(8, 3));
    register.reset();
    assert_eq!(register.get().value(), 0);
    register.set(Bits::lit(8, 4));
    assert_eq!(register.get().value(), 4);
}

#[test]
fn each_instance_resets_its_own() {
    let build = || Instance::new(|| Reg::<Bits<Model>>::named("q", &W).with_reset());
    let outer = Instance::new(|| (build(), Reg::<Bits<Model>>::named("q", &W).with_reset()));
    let (inner, own) = &*outer;
    inner.set(Bits::lit(8, 1));
    own.set(Bits::lit(8, 2));
    outer.reset();
    assert_eq!((inner.get().value(), own.get().value()), (1, 0));
    inner.reset();
    assert_eq!(inner.get().value(), 0);
}
