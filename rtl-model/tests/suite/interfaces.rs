// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interfaces of a stage: from its records and their attributes.

use rtl_model::netlist::interfaces::{Direction, Handshake, Interface};
use rtl_model::stream::{Axis, Ready, Side};
use rtl_model::*;

/// A stage that reads nothing and says nothing but zeros: there is nothing to it but its ports.
macro_rules! ports {
    ($name:ident: $in:ident $in_shape:expr => $out:ident $out_shape:expr) => {
        struct $name;
        const _: () = {
            pub struct Ports<L: Logic>(std::marker::PhantomData<L>);
            impl Design for $name {
                type Stage<L: Logic> = Ports<L>;
                fn module_name(&self) -> String {
                    stringify!($name).to_lowercase()
                }
                fn build<L: Logic>(&self) -> Ports<L> {
                    Ports(std::marker::PhantomData)
                }
            }
            impl<L: Logic> Stage<L> for Ports<L> {
                type In = $in<L>;
                type Out = $out<L>;
                fn input_shape(&self) -> $in<Shape> {
                    $in_shape
                }
                fn outputs(&self) -> $out<L> {
                    Signal::zero(&$out_shape)
                }
                fn clock(&self, input: &$in<L>) {
                    input.visit(&mut |leaf| match leaf {
                        Leaf::Narrow(net) => L::ignore(net),
                        Leaf::Wide(net) => L::ignore_wide(net),
                    });
                }
            }
        };
    };
}

#[derive(Bundle)]
pub struct Job<L: Reading> {
    /// There is a job.
    valid: Bits<L>,
    /// What it is about.
    row: Bits<L>,
}

#[derive(Bundle)]
pub struct Note<L: Reading> {
    /// The note.
    words: [Bits<L>; 2],
    /// It is the last one.
    last: Bits<L>,
}

/// A record without a handshake, with one inside that has one.
#[derive(Bundle)]
pub struct Around<L: Reading> {
    /// A level.
    level: Bits<L>,
    /// What is inside.
    inner: Job<L>,
}

#[derive(Bundle)]
pub struct AllIn<L: Reading> {
    /// Jobs.
    job: Job<L>,
    /// Frames.
    s_axis: Axis<L>,
    /// The consumer is ready.
    m_axis: Ready<L>,
    /// There is a note.
    #[valid(note)]
    note_valid: Bits<L>,
    /// Notes.
    note: Note<L>,
    /// Of which kind it is.
    #[with(note)]
    note_kind: Bits<L>,
    /// Around it.
    around: Around<L>,
    /// Both of them.
    pair: [Job<L>; 2],
}

#[derive(Bundle)]
pub struct AllOut<L: Reading> {
    /// The job is taken.
    #[ready(job)]
    taken: Bits<L>,
    /// A beat is taken.
    s_axis: Ready<L>,
    /// Frames again.
    m_axis: Axis<L>,
    /// What came of a job.
    job: Note<L>,
    /// What stands in the table.
    level: Note<L>,
    /// It works.
    busy: Bits<L>,
    /// No handshake, but called so.
    ready: Bits<L>,
}

fn job() -> Job<Shape> {
    Job { valid: bits(1), row: bits(4) }
}

fn note() -> Note<Shape> {
    Note { words: [bits(8); 2], last: bits(1) }
}

fn axis() -> Axis<Shape> {
    Axis::shape(64, 1, Side::NONE)
}

ports!(All: AllIn AllIn {
    job: job(), s_axis: axis(), m_axis: Ready::shape(), note_valid: bits(1), note: note(), note_kind: bits(2),
    around: Around { level: bits(3), inner: job() }, pair: [job(); 2],
} => AllOut AllOut {
    taken: bits(1), s_axis: Ready::shape(), m_axis: axis(), job: note(), level: note(), busy: bits(1), ready: bits(1),
});

/// What a part counts.
#[derive(Bundle)]
pub struct Counts<L: Reading> {
    /// Jobs that were taken.
    taken: Bits<L>,
    /// Jobs that were late.
    late: Option<Bits<L>>,
}

/// A job and what else is known of it.
#[derive(Bundle)]
pub struct Known<L: Reading> {
    /// The time.
    time: Bits<L>,
    /// The job.
    #[flatten]
    job: Job<L>,
    /// It is the last one.
    last: Bits<L>,
}

#[derive(Bundle)]
pub struct FlatIn<L: Reading> {
    /// Jobs with their times.
    known: Known<L>,
}

#[derive(Bundle)]
pub struct FlatOut<L: Reading> {
    /// It works.
    busy: Bits<L>,
    /// Since reset.
    #[flatten]
    counts: Counts<L>,
    /// Since reset, of the part.
    part: Counts<L>,
    /// Those of a part that is not there.
    #[flatten]
    absent: Option<Note<L>>,
    /// The word that stands alone.
    idle: Bits<L>,
}

ports!(Flat: FlatIn FlatIn { known: Known { time: bits(5), job: job(), last: bits(1) } } => FlatOut FlatOut {
    busy: bits(1), counts: Counts { taken: bits(32), late: Some(bits(16)) }, part: Counts { taken: bits(32), late: None },
    absent: None, idle: bits(1),
});

/// The fields of the record inside are called as those of the record around it, and have their own comments.
#[test]
fn a_flattened_record_is_part_of_the_one_around_it() {
    let all = interfaces(&Flat);
    let lines: Vec<_> = all.iter().map(line).collect();
    assert_eq!(
        lines,
        [
            "known in | known_valid | time:5 row:4 last:1",
            "busy out | - | busy:1",
            "taken out | - | taken:32",
            "late out | - | late:16",
            "part out | - | taken:32",
            "idle out | - | idle:1",
        ]
    );
    let docs: Vec<_> = all.iter().map(|interface| interface.doc.as_str()).collect();
    let alone = ["Jobs with their times.", "It works.", "Jobs that were taken.", "Jobs that were late."];
    assert_eq!(docs, [&alone[..], &["Since reset, of the part.", "The word that stands alone."]].concat());
}

#[derive(Bundle)]
pub struct TwiceOut<L: Reading> {
    /// A level.
    taken: Bits<L>,
    /// Counts, of which one is called so too.
    #[flatten]
    counts: Counts<L>,
}

ports!(Twice: FlatIn FlatIn { known: Known { time: bits(5), job: job(), last: bits(1) } } => TwiceOut TwiceOut {
    taken: bits(1), counts: Counts { taken: bits(32), late: None },
});

#[test]
fn a_name_of_two_ports_is_reported() {
    let report = elaborate(&Twice).expect_err("a clash").to_string();
    assert!(report.contains("two things are called `taken`"), "{report}");
}

fn interfaces<D: Design>(design: &D) -> Vec<Interface> {
    elaborate(design).unwrap_or_else(|report| panic!("{report}")).top().interfaces()
}

/// Name and direction, handshake, payload.
fn line(interface: &Interface) -> String {
    let fields: Vec<_> = interface.fields.iter().map(|field| format!("{}:{}", field.name, field.width)).collect();
    let handshake = match &interface.handshake {
        Handshake::None => "-".to_owned(),
        Handshake::Valid { valid } => valid.port.clone(),
        Handshake::ValidReady { valid, ready } => format!("{} {}", valid.port, ready.port),
    };
    let direction = if interface.direction == Direction::In { "in" } else { "out" };
    format!("{} {direction} | {handshake} | {}", interface.name, fields.join(" "))
}

#[test]
fn records_and_attributes_make_interfaces() {
    let all = interfaces(&All);
    let lines: Vec<_> = all.iter().map(line).collect();
    assert_eq!(
        lines,
        [
            "job in | job_valid taken | row:4",
            "s_axis in | s_axis_tvalid s_axis_tready | tdata:64 tkeep:8 tlast:1 tuser:1",
            "m_axis out | m_axis_tvalid m_axis_tready | tdata:64 tkeep:8 tlast:1 tuser:1",
            "note in | note_valid | words_0:8 words_1:8 last:1 kind:2",
            "around in | - | level:3",
            "around_inner in | around_inner_valid | row:4",
            "pair_0 in | pair_0_valid | row:4",
            "pair_1 in | pair_1_valid | row:4",
            "job out | - | words_0:8 words_1:8 last:1",
            "level out | - | words_0:8 words_1:8 last:1",
            "busy out | - | busy:1",
            "ready out | - | ready:1",
        ]
    );
    let docs: Vec<_> = all.iter().map(|interface| interface.doc.as_str()).collect();
    assert_eq!(
        docs,
        [
            "Jobs.",
            "Frames.",
            "Frames again.",
            "Notes.",
            "Around it.",
            "What is inside.",
            "Both of them.",
            "Both of them.",
            "What came of a job.",
            "What stands in the table.",
            "It works.",
            "No handshake, but called so.",
        ]
    );
    let pins: Vec<_> = all[3].pins().map(|(pin, _)| (pin.doc.as_str(), pin.continues)).collect();
    let expected = [
        ("There is a note.", false),
        ("The note.", false),
        ("The note.", true),
        ("It is the last one.", false),
        ("Of which kind it is.", false),
    ];
    assert_eq!(pins, expected);
}

#[test]
fn every_port_is_in_one_interface() {
    let circuit = elaborate(&All).expect("it elaborates");
    let (top, all) = (circuit.top(), circuit.top().interfaces());
    let ports = top.inputs.iter().map(|port| &port.name).chain(top.outputs.iter().map(|port| &port.name));
    for port in ports {
        assert_eq!(all.iter().filter(|interface| interface.owns(port)).count(), 1, "{port}");
    }
}

/// What goes in stands ahead of what comes out.
#[test]
fn ready_stands_beside_valid() {
    let all = interfaces(&All);
    let first = |i: usize| all[i].pins().take(3).map(|(pin, _)| pin.name.clone()).collect::<Vec<_>>();
    assert_eq!(first(0), ["valid", "taken", "row"]);
    assert_eq!(first(1), ["tvalid", "tready", "tdata"]);
    assert_eq!(first(2), ["tready", "tvalid", "tdata"]);
}

#[derive(Bundle)]
pub struct BadIn<L: Reading> {
    job: Job<L>,
    m_axis: Ready<L>,
}

#[derive(Bundle)]
pub struct BadOut<L: Reading> {
    #[ready(job)]
    taken: Bits<L>,
    #[ready]
    job: Bits<L>,
    #[ready(jobs)]
    lost: Bits<L>,
}

ports!(Bad: BadIn BadIn { job: job(), m_axis: Ready::shape() } => BadOut BadOut {
    taken: bits(2), job: bits(1), lost: bits(1),
});

#[test]
fn handshakes_that_cannot_be_are_reported() {
    let report = elaborate(&Bad).map(|_| ()).expect_err("four mistakes");
    let problems: Vec<_> = report.problems.iter().map(|x| x.to_string().lines().next().unwrap().to_owned()).collect();
    assert_eq!(
        problems,
        [
            "HANDSHAKE in bad: `m_axis_tready` is the ready of `m_axis`, which has no valid in the other direction",
            "HANDSHAKE in bad: the ready `taken` has 2 bits",
            "HANDSHAKE in bad: `job` has two signals that are its ready: `taken` and `job`",
            "HANDSHAKE in bad: `lost` is the ready of `jobs`, which has no valid in the other direction",
        ]
    );
}
