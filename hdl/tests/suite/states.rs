// SPDX-License-Identifier: MIT OR Apache-2.0
//! State machines in Verilog: `case` with a branch for each state, under its name.

use crate::common::tools::{lint, printed};
use rtl_model::model::Instance;
use rtl_model::{
    Bits, Bundle, Design, Logic, Model, Reading, Reg, Shape, Stage, StateReg, States, bits, elaborate, name_nets, when,
};

#[derive(Clone, Copy, States)]
enum Step {
    Idle,
    Read,
    /// Nothing happens in it.
    Stopped,
    WriteBack,
}

#[derive(Bundle)]
#[shape]
struct In<L: Reading> {
    begins: Bits<L>,
    stops: Bits<L>,
}

#[derive(Bundle)]
struct Out<L: Reading> {
    writes: Bits<L>,
    count: Bits<L>,
}

struct TwoMachines;

/// Two machines of the same states, of which the second follows the first.
#[name_nets]
struct Machines<L: Logic> {
    step: StateReg<L, Step>,
    follower: StateReg<L, Step>,
    count: Reg<Bits<L>>,
}

impl Design for TwoMachines {
    type Stage<L: Logic> = Machines<L>;

    fn module_name(&self) -> String {
        "two_machines".to_owned()
    }

    fn build<L: Logic>(&self) -> Machines<L> {
        built()
    }
}

#[name_nets]
fn built<L: Logic>() -> Machines<L> {
    Machines { step: StateReg::new(), follower: StateReg::new(), count: Reg::new(&bits(4)).with_reset() }
}

#[name_nets]
impl<L: Logic> Stage<L> for Machines<L> {
    type In = In<L>;
    type Out = Out<L>;

    fn input_shape(&self) -> In<Shape> {
        In::shape()
    }

    fn outputs(&self) -> Out<L> {
        Out { writes: self.follower.is(Step::WriteBack), count: self.count.get() }
    }

    fn clock(&self, input: &In<L>) {
        let (writes, count) = (self.step.is(Step::WriteBack), self.count.get());
        self.follower.cases(|step| match step {
            Step::Idle => {
                when(writes, || self.follower.go(Step::WriteBack));
            }
            Step::Read | Step::Stopped => {}
            Step::WriteBack => self.follower.go(Step::Idle),
        });
        self.step.cases(|step| match step {
            Step::Idle => {
                when(input.stops, || self.step.go(Step::Stopped)).or_when(input.begins, || self.step.go(Step::Read));
            }
            Step::Read => {
                self.count.set(count + 1);
                self.step.go(Step::WriteBack);
            }
            Step::Stopped => {}
            Step::WriteBack => self.step.go(Step::Idle),
        });
    }
}

#[test]
fn states_have_their_names() {
    let circuit = elaborate(&TwoMachines).unwrap_or_else(|report| panic!("{report}"));
    let text = &printed(&circuit)[0].text;
    // Both machines have the same names, in the order of the states.
    let constants: Vec<&str> = text.lines().filter(|line| line.starts_with("localparam [1:0]")).collect();
    let all = ["STEP_IDLE = 2'd0;", "STEP_READ = 2'd1;", "STEP_STOPPED = 2'd2;", "STEP_WRITE_BACK = 2'd3;"];
    assert_eq!(constants, all.map(|constant| format!("localparam [1:0] {constant}")), "{text}");
    for line in ["case (step_reg)", "case (follower_reg)", "    STEP_READ: begin", "    STEP_WRITE_BACK: begin"] {
        assert!(text.lines().any(|found| found.trim_end().ends_with(line)), "{line}: {text}");
    }
    assert!(text.contains("step_next = STEP_STOPPED;") && !text.contains("STEP_STOPPED: "), "{text}");
    lint("two_machines", &circuit);
}

#[test]
fn the_model_goes_from_state_to_state() {
    let machines = Instance::new(|| TwoMachines.build::<Model>());
    let clock = |begins: u64, stops: u64| {
        machines.clock(&In { begins: Bits::lit(1, begins), stops: Bits::lit(1, stops) });
        let Out { writes, count } = machines.outputs();
        (writes.value(), count.value())
    };
    assert_eq!(
        [(0, 0), (1, 0), (1, 0), (1, 0), (1, 0), (0, 1)].map(|(begins, stops)| clock(begins, stops)),
        [
            (0, 0),
            (0, 0),
            (0, 1),
            // The follower writes a clock later.
            (1, 1),
            (0, 1),
            (0, 2),
        ]
    );
    // It writes back, then it is idle, stops, and stays so.
    assert_eq!(
        [(0, 1), (1, 1), (1, 0), (1, 0)].map(|(begins, stops)| clock(begins, stops)),
        [(1, 2), (0, 2), (0, 2), (0, 2)]
    );
    machines.reset();
    assert_eq!([(1, 0), (0, 0)].map(|(begins, stops)| clock(begins, stops)), [(0, 0), (0, 1)]);
}
