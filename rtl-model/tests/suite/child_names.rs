// SPDX-License-Identifier: MIT OR Apache-2.0
//! A child stage is a field like any other: its instance is called after the field, and its registers lie below it.

use rtl_model::model::Instance;
use rtl_model::*;

#[derive(Bundle)]
struct In<L: Reading> {
    x: Bits<L>,
}

#[derive(Bundle)]
struct Out<L: Reading> {
    y: Bits<L>,
}

/// A register.
struct Delayed;

#[name_nets]
struct DelayedStage<L: Logic> {
    kept: Reg<Bits<L>>,
}

#[name_nets]
impl Design for Delayed {
    type Stage<L: Logic> = DelayedStage<L>;
    fn module_name(&self) -> String {
        "delayed".into()
    }
    fn build<L: Logic>(&self) -> DelayedStage<L> {
        DelayedStage { kept: Reg::new(&bits(8)).with_reset() }
    }
}

impl<L: Logic> Stage<L> for DelayedStage<L> {
    type In = In<L>;
    type Out = Out<L>;
    fn input_shape(&self) -> In<Shape> {
        In { x: bits(8) }
    }
    fn outputs(&self) -> Out<L> {
        Out { y: self.kept.get() }
    }
    fn clock(&self, input: &In<L>) {
        self.kept.set(input.x);
    }
}

/// A component with a child.
#[name_nets]
struct Lane<L: Logic> {
    line: Child<L, Delayed>,
}

#[name_nets]
impl<L: Logic> Lane<L> {
    fn new() -> Self {
        Lane { line: Child::new(&Delayed) }
    }
}

struct Children;

/// Children in series: in two components, in an array, and one with a name of its own.
#[name_nets]
struct ChildrenStage<L: Logic> {
    left: Lane<L>,
    right: Lane<L>,
    steps: [Child<L, Delayed>; 2],
    other: Child<L, Delayed>,
    last: Child<L, Delayed>,
}

#[name_nets]
impl Design for Children {
    type Stage<L: Logic> = ChildrenStage<L>;
    fn module_name(&self) -> String {
        "children".into()
    }
    fn build<L: Logic>(&self) -> ChildrenStage<L> {
        ChildrenStage {
            left: Lane::new(),
            right: Lane::new(),
            steps: [4, 5].map(|step| Child::numbered(step, &Delayed)),
            other: Child::named("own", &Delayed),
            last: Child::new(&Delayed),
        }
    }
}

impl<L: Logic> Stage<L> for ChildrenStage<L> {
    type In = In<L>;
    type Out = Out<L>;
    fn input_shape(&self) -> In<Shape> {
        self.last.input_shape()
    }
    fn outputs(&self) -> Out<L> {
        self.last.outputs()
    }
    fn clock(&self, input: &In<L>) {
        let [first, second] = &self.steps;
        let all = [&self.left.line, &self.right.line, first, second, &self.other, &self.last];
        let outputs = all.map(|child| child.outputs().y);
        for (i, child) in all.iter().enumerate() {
            child.clock(&In { x: if i == 0 { input.x } else { outputs[i - 1] } });
        }
    }
}

#[test]
fn an_instance_is_called_after_its_field() {
    let circuit = elaborate(&Children).unwrap_or_else(|report| panic!("{report}"));
    let names: Vec<_> = circuit.top().instances.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["left_line", "right_line", "steps_4", "steps_5", "own", "last"]);
    assert_eq!(circuit.modules.len(), 2);
}

#[test]
fn netlist_and_reference_say_the_same_of_where_a_child_is() {
    let circuit = elaborate(&Children).unwrap_or_else(|report| panic!("{report}"));
    let path = |one: &netlist::circuit::Instance| [one.scope.as_slice(), std::slice::from_ref(&one.local)].concat();
    let of_netlist: Vec<_> = circuit.top().instances.iter().map(path).collect();
    let instance = Instance::new(|| Children.build::<Model>());
    let of_reference: Vec<_> = instance.registers().iter().map(|one| one.scope.clone()).collect();
    assert_eq!(of_netlist, of_reference);
    assert_eq!(of_reference[1], ["right", "line"]);
    assert!(instance.registers().iter().all(|one| one.name == "kept"));
}

#[test]
fn the_reset_acts_on_children() {
    let instance = Instance::new(|| Children.build::<Model>());
    for cycle in 1..=6 {
        instance.clock(&In { x: Bits::lit(8, cycle) });
    }
    assert_eq!(instance.outputs().y.value(), 1, "six clock cycles");
    instance.reset();
    for _ in 0..6 {
        assert_eq!(instance.outputs().y.value(), 0);
        instance.clock(&In { x: Bits::lit(8, 0) });
    }
}

/// A child for no field.
struct Nameless;

#[name_nets]
struct NamelessStage<L: Logic> {
    child: Child<L, Delayed>,
}

impl Design for Nameless {
    type Stage<L: Logic> = NamelessStage<L>;
    fn module_name(&self) -> String {
        "nameless".into()
    }
    fn build<L: Logic>(&self) -> NamelessStage<L> {
        NamelessStage { child: Child::new(&Delayed) }
    }
}

impl<L: Logic> Stage<L> for NamelessStage<L> {
    type In = In<L>;
    type Out = Out<L>;
    fn input_shape(&self) -> In<Shape> {
        self.child.input_shape()
    }
    fn outputs(&self) -> Out<L> {
        self.child.outputs()
    }
    fn clock(&self, input: &In<L>) {
        self.child.clock(input);
    }
}

#[test]
fn a_child_without_a_name_is_reported() {
    let report = elaborate(&Nameless).map(drop).expect_err("it has no name").to_string();
    assert!(report.contains("state without a name") && report.contains("child_names.rs"), "{report}");
}
