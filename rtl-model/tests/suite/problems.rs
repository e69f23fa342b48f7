// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every check of the netlist, planted in a stage: its text, and the Rust lines it names. A line that a report must
//! name carries a mark, `// @what`.

use rtl_model::netlist::{Problem, Report};
use rtl_model::*;

/// Two inputs of eight bits.
#[derive(Bundle)]
pub struct In<L: Reading> {
    a: Bits<L>,
    b: Bits<L>,
}

/// One output of eight bits.
#[derive(Bundle)]
pub struct Out<L: Reading> {
    q: Bits<L>,
}

/// A stage with one register and whatever else is planted.
macro_rules! planted {
    ($name:ident { $($field:ident: $type:ty = $init:expr,)* } |$me:ident, $input:ident| $clock:block) => {
        pub struct $name;
        const _: () = {
            pub struct Planted<L: Logic> { q: Reg<Bits<L>>, $($field: $type,)* }
            impl Design for $name {
                type Stage<L: Logic> = Planted<L>;
                fn module_name(&self) -> String { stringify!($name).to_lowercase() }
                fn build<L: Logic>(&self) -> Planted<L> {
                    Planted { q: Reg::named("q", &bits(8)).with_reset(), $($field: $init,)* }
                }
            }
            impl<L: Logic> Stage<L> for Planted<L> {
                type In = In<L>;
                type Out = Out<L>;
                fn input_shape(&self) -> In<Shape> { In { a: bits(8), b: bits(8) } }
                fn outputs(&self) -> Out<L> { Out { q: self.q.get() } }
                fn clock(&self, input: &In<L>) { let ($me, $input) = (self, input); $clock }
            }
        };
    };
}

fn problems<D: Design>(design: &D) -> Vec<Problem> {
    match elaborate(design) {
        Ok(_) => Vec::new(),
        Err(Report { problems }) => problems,
    }
}

/// The marks of the lines that a problem names, with what it says of them.
fn marks(problem: &Problem) -> Vec<String> {
    let source: Vec<&str> = include_str!("problems.rs").lines().collect();
    let mark = |(what, site): &(&'static str, netlist::circuit::Site)| {
        assert!(site.file().ends_with("problems.rs"), "{problem}");
        let line = source[site.line() as usize - 1];
        format!("{what} @{}", line.split("// @").nth(1).unwrap_or(line.trim()))
    };
    problem.sites.iter().map(mark).collect()
}

/// One problem is reported, with this text, these marked lines and this remedy.
#[track_caller]
fn reports<D: Design>(design: &D, text: &str, lines: &[&str], help: &str) {
    let problems = problems(design);
    assert_eq!(problems.len(), 1, "{problems:#?}");
    let problem = &problems[0];
    let shown = problem.to_string();
    assert_eq!(shown.lines().next(), Some(text), "{shown}");
    assert_eq!(marks(problem), lines, "{shown}");
    assert_eq!(problem.help, help);
    assert!(shown.ends_with(&format!("help: {help}")));
}

const SUMS: Pipeline = Pipeline::new("sums");

planted!(AddsAcross { r: Reg<Bits<L>> = Reg::named("r", &bits(8)), } |me, input| {
    let early = SUMS.at(2, me.r.get()); // @early
    let late = SUMS.at(3, me.q.get()); // @late
    me.q.set(late ^ early); // @used
    me.r.set(input.a + input.b);
});

planted!(SetsAcross { r: Reg<Bits<L>> = Reg::named("r", &bits(8)), } |me, input| {
    let early = SUMS.at(2, me.r.get()); // @early
    let late = SUMS.at(3, me.q.get()); // @late
    when(early.any(), || {
        me.q.set(late + 1); // @assigned
    });
    me.r.set(input.a + input.b);
});

planted!(Skips { r: Reg<Bits<L>> = Reg::named("r", &bits(8)), } |me, input| {
    let early = SUMS.at(2, me.r.get()); // @early
    SUMS.enters(4, early + 1); // @enters
    me.q.set(early);
    me.r.set(input.a + input.b);
});

planted!(StepsMeet { r: Reg<Bits<L>> = Reg::named("r", &bits(8)), } |me, input| {
    let (early, late) = (SUMS.at(2, me.r.get()), SUMS.at(3, me.q.get()));
    let other = Pipeline::new("others").at(7, input.b);
    SUMS.enters(4, late + across(early));
    SUMS.enters(3, early + other);
    me.q.set(late + across(early));
    me.r.set(select(early.any(), early + 1, input.a) + other);
});

#[test]
fn values_of_two_steps_do_not_meet() {
    let help = "take one of them through PipelineRegs, or say across() of what belongs to another operation";
    let text = "STEP MISMATCH in addsacross: steps 3 and 2 of `sums`";
    reports(&AddsAcross, text, &["first step @late", "second step @early", "used @used"], help);
    let text = "STEP MISMATCH in setsacross: steps 2 and 3 of `sums`";
    reports(&SetsAcross, text, &["first step @early", "second step @late", "used @assigned"], help);
    let text = "STEP MISMATCH in skips: a value of step 2 of `sums` enters step 4";
    reports(&Skips, text, &["in its step @early", "enters @enters"], "take it through PipelineRegs");
    assert_eq!(problems(&StepsMeet), []);
}

planted!(ReadsLate { r: Reg<Bits<L>> = Reg::named("r", &bits(8)), } |me, input| {
    me.r.set(input.a); // @set
    me.q.set(me.r.get() + input.b); // @get
});

#[test]
fn read_after_assign() {
    reports(
        &ReadsLate,
        "READ AFTER ASSIGN in readslate: register `r` is read after it was assigned",
        &["assigned @set", "read @get"],
        "write the last pipeline step first, or keep the value in a Var",
    );
}

planted!(ReadsInOtherArm { r: Reg<Bits<L>> = Reg::named("r", &bits(8)), } |me, input| {
    when(input.a.any(), || me.r.set(input.b)).otherwise(|| me.q.set(me.r.get()));
});

#[test]
fn arms_exclude_each_other() {
    assert_eq!(problems(&ReadsInOtherArm), []);
}

planted!(ReadsBehindArm { r: Reg<Bits<L>> = Reg::named("r", &bits(8)), } |me, input| {
    when(input.a.any(), || me.r.set(input.b)); // @arm
    me.q.set(me.r.get()); // @behind
});

#[test]
fn an_assignment_in_an_arm_counts_behind_it() {
    let text = "READ AFTER ASSIGN in readsbehindarm: register `r` is read after it was assigned";
    let help = "write the last pipeline step first, or keep the value in a Var";
    reports(&ReadsBehindArm, text, &["assigned @arm", "read @behind"], help);
}

planted!(
    AddsUnequal {} | me,
    input | {
        let nibble = input.a.slice(0, 4); // @nibble
        me.q.set(input.b);
        me.q.set(nibble + input.b.slice(0, 5)); // @sum
    }
);

#[test]
fn width_mismatch_names_both_operands() {
    let problems = problems(&AddsUnequal);
    let shown = problems[0].to_string();
    assert_eq!(shown.lines().next(), Some("WIDTH MISMATCH in addsunequal: add: 4 and 5 bits"));
    assert_eq!(marks(&problems[0]), ["left operand made @nibble", "right operand made @sum", "used @sum"]);
    assert_eq!(problems[1].text, "`q` of 8 bits is assigned 4 bits", "all problems are collected");
}

planted!(
    LiteralTooWide {} | me,
    input | {
        input.b.ignore();
        me.q.set(input.a + 256); // @literal
    }
);

#[test]
fn literal_too_wide() {
    reports(
        &LiteralTooWide,
        "WIDTH MISMATCH in literaltoowide: literal 0x100 does not fit 8 bits",
        &["used @literal"],
        "widen the left side first",
    );
}

planted!(
    SlicesBeyond {} | me,
    input | {
        input.b.ignore();
        me.q.set(input.a.slice(4, 5).extend(8)); // @slice
    }
);

#[test]
fn slice_beyond() {
    reports(
        &SlicesBeyond,
        "WIDTH MISMATCH in slicesbeyond: slice of 5 bits from bit 4 of 8 bits",
        &["used @slice"],
        "a slice has at least one bit (a narrow one at most 64) and stays inside",
    );
}

planted!(
    WideCondition {} | me,
    input | {
        when(input.a, || me.q.set(input.b)); // @when
    }
);

#[test]
fn condition_of_more_than_one_bit() {
    reports(
        &WideCondition,
        "WIDTH MISMATCH in widecondition: condition of 8 bits",
        &["used @when"],
        "compare it, or use any()",
    );
}

planted!(Loops { v: Var<Bits<L>> = Var::new("v", Bits::lit(8, 0)), } |me, input| {
    input.b.ignore();
    let next = me.v.get() + input.a; // @loop read
    me.v.set(next); // @loop assign
    me.q.set(next);
});

#[test]
fn combinational_loop() {
    reports(
        &Loops,
        "COMBINATIONAL LOOP in loops: variable `v` depends on itself within one clock",
        &["read @loop read", "assigned @loop assign"],
        "keep the value in a Reg between clocks",
    );
}

planted!(KeepsVariable { v: Var<Bits<L>> = Var::new("v", Bits::lit(8, 0)), } |me, input| { // @made
    me.q.set(me.v.get() + input.b); // @kept read
    me.v.set(input.a); // @kept assign
});

#[test]
fn variable_in_state() {
    let problems = problems(&KeepsVariable);
    assert_eq!(problems[0].title.to_string(), "VARIABLE IN STATE");
    assert_eq!(marks(&problems[0]), ["made @made", "read @kept read", "assigned @kept assign"]);
}

planted!(NeverAssigned { r: Reg<Bits<L>> = Reg::named("r", &bits(8)), } |me, input| { // @idle
    me.q.set(me.r.get() + input.a + input.b);
});

#[test]
fn no_driver() {
    reports(
        &NeverAssigned,
        "NO DRIVER in neverassigned: register `r` is read but never assigned",
        &["made @idle"],
        "set() it in clock(), or use a constant",
    );
}

planted!(NeverClocked { m: Ram<Bits<L>> = Ram::named("m", RamShape::new(256), &bits(8)), } |me, input| { // @memory
    me.m.write(input.a, input.b);
    me.m.read(input.b);
    me.q.set(me.m.data());
});

#[test]
fn memory_without_clock() {
    reports(
        &NeverClocked,
        "NO DRIVER in neverclocked: memory `m` is never clocked",
        &["made @memory"],
        "call its clock() at the end of the stage's",
    );
}

planted!(ClockedTwice { m: Ram<Bits<L>> = Ram::named("m", RamShape::new(256), &bits(8)), } |me, input| {
    me.q.set(me.m.data());
    me.m.write(input.a, input.b);
    me.m.read(input.b);
    me.m.clock(); // @once
    me.m.clock(); // @twice
});

#[test]
fn memory_clocked_twice() {
    reports(
        &ClockedTwice,
        "MULTIPLE DRIVERS in clockedtwice: `m` is clocked twice",
        &["first @once", "again @twice"],
        "once in every clock",
    );
}

planted!(ClockedSometimes { m: Ram<Bits<L>> = Ram::named("m", RamShape::new(256), &bits(8)), } |me, input| {
    me.q.set(me.m.data());
    me.m.write(input.a, input.b);
    me.m.read(input.b);
    when(input.a.any(), || me.m.clock()); // @sometimes
});

#[test]
fn memory_clocked_under_a_condition() {
    reports(
        &ClockedSometimes,
        "MULTIPLE DRIVERS in clockedsometimes: `m` is clocked under a condition",
        &["clocked @sometimes"],
        "call its clock() outside of any when",
    );
}

planted!(SameName { r: Reg<Bits<L>> = Reg::named("twin", &bits(8)), s: Reg<Bits<L>> = Reg::named("twin", &bits(8)), }
    |me, input| {
        me.q.set(me.r.get() ^ me.s.get());
        me.r.set(input.a);
        me.s.set(input.b);
    }
);

#[test]
fn name_clash() {
    let problems = problems(&SameName);
    assert_eq!(problems[0].to_string().lines().next(), Some("NAME CLASH in samename: two things are called `twin`"));
    assert_eq!(problems[0].sites.len(), 2);
}

planted!(Keyword { r: Reg<Bits<L>> = Reg::named("signed", &bits(8)), } |me, input| { // @keyword
    me.q.set(me.r.get() + input.b);
    me.r.set(input.a);
});

#[test]
fn reserved_word() {
    reports(
        &Keyword,
        "RESERVED WORD in keyword: `signed` is a Verilog keyword",
        &["named @keyword"],
        "choose another name",
    );
}

planted!(NoName { r: Reg<Bits<L>> = Reg::named("two words", &bits(8)), } |me, input| { // @no name
    me.q.set(me.r.get() + input.b);
    me.r.set(input.a);
});

#[test]
fn not_a_name() {
    reports(
        &NoName,
        "RESERVED WORD in noname: `two words` is not a Verilog name",
        &["named @no name"],
        "letters, digits and _, not starting with a digit",
    );
}

planted!(
    Deaf {} | me,
    input | {
        me.q.set(input.a);
    }
);

#[test]
fn unused_input() {
    let problems = problems(&Deaf);
    assert_eq!(problems[0].to_string().lines().next(), Some("UNUSED INPUT in deaf: input `b` is never read"));
}

planted!(Mixed { r: Reg<[Option<Bits<L>>; 2]> = Reg::named("r", &[Some(bits(8)), None]), } |me, input| {
    me.q.set(me.r.get()[0].unwrap_or(input.b) + input.b);
    me.r.set([Some(input.a), None]);
    me.r.set([None, Some(input.a)]); // @mixed
});

#[test]
fn a_signal_that_is_left_out_is_assigned() {
    reports(
        &Mixed,
        "WIDTH MISMATCH in mixed: the record that begins with `r_0` is assigned one that has other signals",
        &["used @mixed"],
        "leave out (None) what its shape leaves out, and nothing else",
    );
}

planted!(
    SameCase {} | me,
    input | {
        switch(input.a).case(3, || me.q.set(input.b)).case(3, || me.q.set(input.a)); // @cases
    }
);

#[test]
fn duplicate_case() {
    reports(
        &SameCase,
        "DUPLICATE CASE in samecase: value 0x3 twice in one switch",
        &["second @cases"],
        "merge the two bodies",
    );
}

planted!(
    Unmarked { r: Reg<Out<L>> = Reg::named("r", &Out { q: bits(8) }).with_reset(), } // @unmarked
    |me, input| {
        me.q.set(me.r.get().q + input.b);
        me.r.set(Out { q: input.a });
    }
);

#[test]
fn a_reset_without_a_marked_field() {
    reports(
        &Unmarked,
        "NOTHING RESET in unmarked: the reset acts on no field of this record",
        &["made @unmarked"],
        "mark fields with #[reset]",
    );
}

planted!(ReadsChildLate { child: Child<L, Deaf2> = Child::named("child", &Deaf2), } |me, input| {
    me.child.clock(input); // @child clock
    me.q.set(me.child.outputs().q); // @child read
});

planted!(
    Deaf2 {} | me,
    input | {
        me.q.set(input.a ^ input.b);
    }
);

#[test]
fn child_read_after_clock() {
    reports(
        &ReadsChildLate,
        "READ AFTER ASSIGN in readschildlate: `child` is read after its clock()",
        &["clocked @child clock", "read @child read"],
        "read it first",
    );
}

planted!(Twins { one: Child<L, Deaf2> = Child::named("one", &Deaf2), two: Child<L, Deaf2> = Child::named("two", &Deaf2), }
    |me, input| {
        me.q.set(me.one.outputs().q + me.two.outputs().q);
        me.one.clock(input);
        me.two.clock(input);
    }
);

#[test]
fn equal_children_share_a_module() {
    let circuit = elaborate(&Twins).unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(circuit.modules.iter().map(|m| m.name.as_str()).collect::<Vec<_>>(), ["deaf2", "twins"]);
}

#[test]
#[should_panic(expected = "WIDTH MISMATCH: operator: 4 and 5 bits")]
fn the_model_checks_widths_too() {
    let _ = Bits::<Model>::lit(4, 0) + Bits::lit(5, 0);
}
