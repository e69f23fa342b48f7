// SPDX-License-Identifier: MIT OR Apache-2.0
//! Look-ups, one per clock cycle. With memories of latency `l`:
//!
//! ```text
//!  step 0      hashes    rows of the key computed
//!       1      reads     rows read                              the table is that of
//!       2      beside    stash, hand and victim compared        this clock edge, between steps 1 and 2
//!       l + 1  compares  rows compared
//!       l + 2  selects   index of the match selected
//!       l + 3  answers   answer
//! ```
//!
//! A key is in one place at any clock edge: a row, the stash, the hand or the victim register. So at most one comparison
//! is a match.

use super::config::{ContextLookupConfig, SUB_TABLES};
use super::hash::RowHash;
use super::kinds::{KeyKinds, kind};
use super::ports::{Answer, KIND_WIDTH, Lookup};
use super::records::{Entry, Key};
use super::sub_tables::{chosen, each};
use crate::blocks::counter::Counter;
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Bundle, Logic, Pipeline, Reading, Reg, bits, name_nets};

/// The pipeline of look-ups.
const LOOK_UP: Pipeline = Pipeline::new("look-up");

/// Its steps.
#[derive(Clone, Copy)]
struct Steps {
    reads: u32,
    beside: u32,
    compares: u32,
    selects: u32,
    answers: u32,
}

impl Steps {
    fn of(config: ContextLookupConfig) -> Self {
        let l = config.ram_latency;
        Steps { reads: 1, beside: 2, compares: l + 1, selects: l + 2, answers: l + 3 }
    }
}

/// A look-up on its way.
#[derive(Bundle)]
#[shape]
struct Request<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[width(KIND_WIDTH)]
    kind: Bits<L>,
    /// The kind is included, and the sweep is over.
    known: Bits<L>,
}

/// The matches in registers outside of the sub-tables.
#[derive(Bundle)]
#[shape(config: ContextLookupConfig)]
struct Held<L: Reading> {
    found: Bits<L>,
    #[shape(config.index())]
    index: Bits<L>,
}

/// The pipeline of look-ups.
#[name_nets]
pub struct Lookups<L: Logic> {
    config: ContextLookupConfig,
    /// From *reads* to *answers*.
    requests: PipelineRegs<Request<L>>,
    /// From *reads* to *compares*.
    keys: PipelineRegs<Key<L>>,
    /// *Reads*.
    rows: [Reg<Bits<L>>; SUB_TABLES],
    /// After *beside*: one bit for each register that was compared.
    held_matches: Reg<Bits<L>>,
    held_indexes: Vec<Reg<Bits<L>>>,
    /// From two steps after *beside* to *selects*.
    held: PipelineRegs<Held<L>>,
    /// *Selects*: one bit for each sub-table.
    matches: Reg<Bits<L>>,
    indexes: Vec<Reg<Bits<L>>>,
    answer: Reg<Answer<L>>,
    unknown: Unknown<L>,
}

#[name_nets]
impl<L: Logic> Lookups<L> {
    /// `registers` is the number of registers outside of the sub-tables that hold keys.
    pub fn new(config: ContextLookupConfig, registers: usize) -> Self {
        let (index, request) = (config.index(), Request::shape());
        let Steps { reads, beside, compares, selects, answers } = Steps::of(config);
        Lookups {
            config,
            requests: PipelineRegs::new(reads..=answers, &request).checked(LOOK_UP),
            keys: PipelineRegs::new(reads..=compares, &Key::shape(config)).checked(LOOK_UP),
            rows: [0, 1, 2, 3].map(|table| Reg::numbered(table, &config.row())),
            held_matches: Reg::new(&bits(registers as u32)),
            held_indexes: (0..registers as u32).map(|place| Reg::numbered(place, &index)).collect(),
            held: PipelineRegs::new(beside + 2..=selects, &Held::shape(config)).checked(LOOK_UP),
            matches: Reg::new(&bits(SUB_TABLES as u32)),
            indexes: (0..SUB_TABLES as u32).map(|table| Reg::numbered(table, &index)).collect(),
            answer: Reg::new(&Answer::shape(config)),
            unknown: Unknown::new(config.kinds),
        }
    }

    pub fn answer(&self) -> Answer<L> {
        self.answer.get()
    }

    /// Look-ups without a match, by the code of their kind, and those of a kind that is not included.
    pub fn unknown(&self) -> ([Option<Bits<L>>; 3], Bits<L>) {
        self.unknown.get()
    }

    /// The rows of the look-up that reads.
    pub fn reads(&self) -> [Bits<L>; SUB_TABLES] {
        Reg::get_all(&self.rows)
    }

    /// One clock cycle: `looked_up` are the rows that are compared, `registers` the other places of keys.
    pub fn clock(
        &self,
        lookup: Lookup<L>,
        sweeping: Bits<L>,
        hash: &RowHash,
        looked_up: [Entry<L>; SUB_TABLES],
        registers: &[Entry<L>],
    ) {
        let at = Steps::of(self.config);
        let (answer, answered) = (LOOK_UP.at(at.answers, self.answer.get()), self.requests.at(at.answers));
        let (selecting, compared, beside) =
            (self.requests.at(at.selects), self.keys.at(at.compares), self.keys.at(at.beside));

        // answers
        self.unknown.clock(answered.valid & !answer.found, answered.kind);

        // selects
        let (matches, indexes) = (self.matches.get(), self.indexes.iter().map(Reg::get).collect::<Vec<_>>());
        let held_indexes: Vec<_> = self.held_indexes.iter().map(Reg::get).collect();
        let held_matches = LOOK_UP.at(at.beside + 1, self.held_matches.get());
        let held = Held { found: held_matches.any(), index: chosen(held_matches, &held_indexes) };
        let held_now = if at.beside + 1 == at.selects { held } else { self.held.last() };
        let found = (matches.any() | held_now.found) & selecting.known;
        let index = (chosen(matches, &indexes) | held_now.index).gate(selecting.known);
        self.answer.set(Answer { valid: selecting.valid, found, index });

        // compares
        let row_matches = looked_up.map(|entry| entry.holds(compared));
        self.matches.set(each(&row_matches));
        for (register, entry) in self.indexes.iter().zip(looked_up) {
            register.set(entry.index);
        }

        // beside, and after it
        self.held.shift(held);
        let register_matches: Vec<_> = registers.iter().map(|entry| entry.holds(beside)).collect();
        self.held_matches.set(each(&register_matches));
        for (register, entry) in self.held_indexes.iter().zip(registers) {
            register.set(entry.index);
        }

        // hashes
        let ports = lookup.key_ports();
        let key = Key::of_ports(self.config.kinds, ports);
        self.keys.shift(key);
        for (register, row) in self.rows.iter().zip(hash.rows(key)) {
            register.set(row);
        }
        let known = included(self.config.kinds, ports.kind) & !sweeping;
        self.requests.shift(Request { valid: lookup.valid, kind: ports.kind, known });
    }
}

/// 1 if this kind is included.
#[name_nets]
pub fn included<L: Logic>(kinds: KeyKinds, kind: Bits<L>) -> Bits<L> {
    let codes = kinds.codes();
    codes[1..].iter().fold(kind.equals(codes[0]), |any, code| any | kind.equals(*code))
}

/// Counters of look-ups without a match.
#[name_nets]
struct Unknown<L: Logic> {
    kinds: KeyKinds,
    rocev2: Option<Counter<L>>,
    uet: Option<Counter<L>>,
    elab: Option<Counter<L>>,
    other_kinds: Counter<L>,
}

#[name_nets]
impl<L: Logic> Unknown<L> {
    fn new(kinds: KeyKinds) -> Self {
        Unknown {
            kinds,
            rocev2: kinds.rocev2.then(|| Counter::new(32)),
            uet: kinds.uet.then(|| Counter::new(32)),
            elab: kinds.elab.then(|| Counter::new(32)),
            other_kinds: Counter::new(32),
        }
    }

    fn get(&self) -> ([Option<Bits<L>>; 3], Bits<L>) {
        let counts = [&self.rocev2, &self.uet, &self.elab].map(|counter| counter.as_ref().map(Counter::get));
        (counts, self.other_kinds.get())
    }

    /// One clock cycle with a look-up that has no match, if `valid` is 1.
    fn clock(&self, valid: Bits<L>, code: Bits<L>) {
        for (counter, kind) in [(&self.rocev2, kind::ROCEV2), (&self.uet, kind::UET), (&self.elab, kind::ELAB)] {
            if let Some(counter) = counter {
                counter.count(valid & code.equals(kind));
            }
        }
        self.other_kinds.count(valid & !included(self.kinds, code));
    }
}
