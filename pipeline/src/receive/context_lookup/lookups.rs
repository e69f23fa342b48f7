// SPDX-License-Identifier: MIT OR Apache-2.0
//! Look-ups, one per clock cycle. With memories of latency `l`:
//!
//! ```text
//!  step 0      rows of the key computed
//!       1      rows read                              the table is that of
//!       2      stash, hand and victim compared        this clock edge, between steps 1 and 2
//!       l + 1  rows compared
//!       l + 2  index of the match selected
//!       l + 3  answer
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
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets};

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
    /// Steps 1 to `l` + 3.
    requests: PipelineRegs<Request<L>>,
    /// Steps 1 to `l` + 1.
    keys: PipelineRegs<Key<L>>,
    /// Step 1.
    rows: [Reg<Bits<L>>; SUB_TABLES],
    /// Step 3: one bit for each register that was compared.
    held_matches: Reg<Bits<L>>,
    held_indexes: Vec<Reg<Bits<L>>>,
    /// Steps 4 to `l` + 2.
    held: PipelineRegs<Held<L>>,
    /// Step `l` + 2: one bit for each sub-table.
    matches: Reg<Bits<L>>,
    indexes: Vec<Reg<Bits<L>>>,
    answer: Reg<Answer<L>>,
    unknown: Unknown<L>,
}

#[name_nets]
impl<L: Logic> Lookups<L> {
    /// `registers` is the number of registers outside of the sub-tables that hold keys.
    pub fn new(config: ContextLookupConfig, registers: usize) -> Self {
        let (flag, index, l) = (bits(1), config.index(), config.ram_latency);
        let request = Request::shape();
        Lookups {
            config,
            requests: PipelineRegs::new(1..=l + 3, &request),
            keys: PipelineRegs::new(1..=l + 1, &Key::shape(config)),
            rows: [0, 1, 2, 3].map(|table| Reg::numbered(table, &config.row())),
            held_matches: Reg::new(&bits(registers as u32)),
            held_indexes: (0..registers as u32).map(|place| Reg::numbered(place, &index)).collect(),
            held: PipelineRegs::new(4..=l + 2, &Held::shape(config)),
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

    /// The rows of the look-up in step 1, which are to be read.
    pub fn reads(&self) -> [Bits<L>; SUB_TABLES] {
        Reg::get_all(&self.rows)
    }

    /// One clock cycle: `looked_up` are the rows for step `l` + 1, `registers` the other places of keys.
    pub fn clock(
        &self,
        lookup: Lookup<L>,
        sweeping: Bits<L>,
        hash: &RowHash,
        looked_up: [Entry<L>; SUB_TABLES],
        registers: &[Entry<L>],
    ) {
        let l = self.config.ram_latency;
        let (answer, answered, selecting) = (self.answer.get(), self.requests.at(l + 3), self.requests.at(l + 2));
        let (compared, beside) = (self.keys.at(l + 1), self.keys.at(2));

        // l + 3
        self.unknown.clock(answered.valid & !answer.found, answered.kind);

        // l + 2
        let (matches, indexes) = (self.matches.get(), self.indexes.iter().map(Reg::get).collect::<Vec<_>>());
        let held_indexes: Vec<_> = self.held_indexes.iter().map(Reg::get).collect();
        let held_matches = self.held_matches.get();
        let held = Held { found: held_matches.any(), index: chosen(held_matches, &held_indexes) };
        let held_now = if l == 1 { held } else { self.held.last() };
        let found = (matches.any() | held_now.found) & selecting.known;
        let index = (chosen(matches, &indexes) | held_now.index).gate(selecting.known);
        self.answer.set(Answer { valid: selecting.valid, found, index });

        // l + 1
        let row_matches = looked_up.map(|entry| entry.holds(compared));
        self.matches.set(each(&row_matches));
        for (register, entry) in self.indexes.iter().zip(looked_up) {
            register.set(entry.index);
        }

        // 2 and 3
        self.held.shift(held);
        let register_matches: Vec<_> = registers.iter().map(|entry| entry.holds(beside)).collect();
        self.held_matches.set(each(&register_matches));
        for (register, entry) in self.held_indexes.iter().zip(registers) {
            register.set(entry.index);
        }

        // 0 and 1
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
