// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers and memories are called after the fields that they are made for.

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

/// A part of which the stage has two in one component, and one in another.
#[name_nets]
struct Part<L: Logic> {
    kept: Reg<In<L>>,
    late: Delay<Bits<L>>,
    rows: Ram<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Part<L> {
    fn new() -> Self {
        Part {
            kept: Reg::new(&In { x: bits(8) }),
            late: Delay::new(&bits(8), 2),
            rows: Ram::new(RamShape::new(4), &bits(8)),
        }
    }
    fn clock(&self, x: Bits<L>) -> Bits<L> {
        let y = self.kept.get().x ^ self.late.get() ^ self.rows.data();
        self.kept.set(In { x });
        self.late.shift(x);
        self.rows.read(x.truncate(2));
        self.rows.write(x.truncate(2), x);
        self.rows.clock();
        y
    }
}

/// A component.
#[name_nets]
struct Around<L: Logic> {
    left: Part<L>,
    right: Part<L>,
    around_it: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Around<L> {
    fn new() -> Self {
        Around { left: Part::new(), right: Part::new(), around_it: Reg::new(&bits(8)) }
    }
}

#[name_nets]
struct Named<L: Logic> {
    around: Around<L>,
    left: Part<L>,
    clock: Around<L>,
    steps: [Reg<Bits<L>>; 2],
    out: Reg<Bits<L>>,
}

struct Design0;

#[name_nets]
impl Design for Design0 {
    type Stage<L: Logic> = Named<L>;
    fn module_name(&self) -> String {
        "named".into()
    }
    fn build<L: Logic>(&self) -> Named<L> {
        Named {
            around: Around::new(),
            left: Part::new(),
            clock: Around::new(),
            steps: [4, 5].map(|step| Reg::numbered(step, &bits(8))),
            out: Reg::named("result", &bits(8)),
        }
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for Named<L> {
    type In = In<L>;
    type Out = Out<L>;
    fn input_shape(&self) -> In<Shape> {
        In { x: bits(8) }
    }
    fn outputs(&self) -> Out<L> {
        Out { y: self.out.get() }
    }
    fn clock(&self, input: &In<L>) {
        let mut all = self.steps[0].get() ^ self.steps[1].get();
        for around in [&self.around, &self.clock] {
            all = all ^ around.around_it.get() ^ around.left.clock(input.x) ^ around.right.clock(input.x);
            around.around_it.set(input.x);
        }
        self.out.set(all ^ self.left.clock(input.x));
        self.steps[1].set(self.steps[0].get());
        self.steps[0].set(input.x);
    }
}

#[test]
fn a_register_has_as_much_of_its_path_as_it_needs() {
    let circuit = elaborate(&Design0).unwrap_or_else(|report| panic!("{report}"));
    let names = |field: &str| -> Vec<&str> {
        let all = circuit.top().registers.iter();
        all.map(|one| one.name.as_str()).filter(|name| name.contains(field)).collect()
    };
    // Two components have a `left`, and the stage one of its own, which has nothing more to put ahead.
    assert_eq!(
        names("kept"),
        ["around_left_kept_x", "around_right_kept_x", "left_kept_x", "clock_left_kept_x", "clock_right_kept_x"]
    );
    assert_eq!(names("left_late")[..2], ["around_left_late_1", "around_left_late_2"]);
    // The name begins with that of the component, of which there is another elsewhere.
    assert_eq!(names("around_it"), ["around_it", "clock_around_it"]);
    assert_eq!(names("steps"), ["steps_4", "steps_5"]);
    assert_eq!(names("result"), ["result"]);
    let memories: Vec<_> = circuit.top().memories.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(memories, ["around_left_rows", "around_right_rows", "left_rows", "clock_left_rows", "clock_right_rows"]);
}

#[test]
fn netlist_and_reference_say_the_same_of_where_a_register_is() {
    let circuit = elaborate(&Design0).unwrap_or_else(|report| panic!("{report}"));
    let of_netlist = circuit.top().registers.iter().map(|one| {
        let around = one.scope.split_last().map_or(&[][..], |(_, around)| around);
        (around.to_vec(), one.local.clone())
    });
    let instance = Instance::new(|| Design0.build::<Model>());
    let of_reference: Vec<_> = instance.registers().iter().map(|one| (one.scope.clone(), one.name.clone())).collect();
    let mut found = 0;
    for register in of_netlist {
        assert!(of_reference.contains(&register), "{register:?}");
        found += 1;
    }
    assert_eq!(found, 2 * 7 + 3 + 3);
}

struct Nameless;

impl Design for Nameless {
    type Stage<L: Logic> = Named<L>;
    fn module_name(&self) -> String {
        "nameless".into()
    }
    fn build<L: Logic>(&self) -> Named<L> {
        Named { out: Reg::new(&bits(8)), ..Design0.build() }
    }
}

#[test]
fn state_without_a_name_is_reported_with_its_place() {
    let report = elaborate(&Nameless).map(drop).expect_err("a register has no name").to_string();
    assert!(report.contains("state without a name") && report.contains("Reg::named(..)"), "{report}");
    assert!(report.contains("state_names.rs"), "{report}");
}
