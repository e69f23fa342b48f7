// SPDX-License-Identifier: MIT OR Apache-2.0
//! The names of registers, memories and child stages in a module.
//!
//! State that is made for the field `chosen` of the table `times` in the component `requests` is called `times_chosen`:
//! the field, prefixed with the one around it. Where that is taken or is a word of Verilog, the next one around is
//! prefixed: `requests_times_chosen`.

use super::circuit::{Module, Register, Site};
use super::names::is_verilog_word;
use super::problem::{Problems, Title};
use crate::called::Called;
use crate::leaf::join;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What a name is for.
pub(super) enum Kept {
    /// The registers of a record.
    Registers(Range<usize>),
    /// A memory.
    Memory(usize),
    /// A child stage.
    Instance(usize),
}

/// A register, a step of a delay line, a memory, or a child stage.
struct Named {
    /// The fields around the one that it was made for.
    around: Vec<String>,
    name: String,
    /// How many of these are prefixed to its name.
    ahead: usize,
    site: Site,
    kept: Kept,
}

impl Named {
    /// The name in the module, without the signal of a record or the step of a delay line.
    fn full(&self) -> String {
        self.around[self.around.len() - self.ahead..]
            .iter()
            .rev()
            .fold(self.name.clone(), |name, field| join(field, &name))
    }

    /// All names in the module.
    fn names(&self, registers: &[Register]) -> Vec<String> {
        let full = self.full();
        match &self.kept {
            Kept::Registers(range) => registers[range.clone()].iter().map(|one| self.of(one, &full)).collect(),
            Kept::Memory(_) | Kept::Instance(_) => vec![full],
        }
    }

    /// The name of one of its registers.
    fn of(&self, register: &Register, full: &str) -> String {
        format!("{full}{}", &register.local[self.name.len()..])
    }
}

/// The names given so far, and the field for which state is being made.
#[derive(Default)]
pub(super) struct Naming {
    fields: Vec<String>,
    all: Vec<Named>,
}

impl Naming {
    pub fn enter(&mut self, field: &str) {
        self.fields.push(field.to_owned());
    }

    pub fn leave(&mut self) {
        self.fields.pop();
    }

    /// The fields that contain what is being made.
    pub fn scope(&self) -> &[String] {
        &self.fields
    }

    /// Records the name of a register, a memory or a child stage in the component that it is made for.
    pub fn add(&mut self, called: Called, site: Site, kept: Kept) -> String {
        let (around, name) = called.inside(&self.fields);
        // The next step of a delay line.
        if let (Some(last), Kept::Registers(next)) = (self.all.last_mut(), &kept)
            && let Kept::Registers(range) = &mut last.kept
            && (range.end, &last.name, &*last.around) == (next.start, &name, around)
        {
            range.end = next.end;
            return name;
        }
        // `length_sum` of `length` names it already.
        let named = around.last().is_some_and(|field| name == *field || name.starts_with(&format!("{field}_")));
        let ahead = usize::from(!around.is_empty() && !named);
        self.all.push(Named { around: around.to_vec(), name: name.clone(), ahead, site, kept });
        name
    }

    /// Gives all registers and memories their names in the module, when all have been made.
    pub fn finish(&mut self, module: &mut Module, problems: &mut Problems) {
        let mut all = std::mem::take(&mut self.all);
        make_unique(&mut all, &module.registers);
        for named in all {
            if named.name.is_empty() {
                let help = "make it for a field of a component under #[name_nets], or give it a name: Reg::named(..)";
                problems.add(Title::NameClash, "state without a name".into(), help, vec![("made", named.site)]);
            }
            let full = named.full();
            match &named.kept {
                Kept::Registers(range) => {
                    for register in &mut module.registers[range.clone()] {
                        register.name = named.of(register, &full);
                    }
                }
                Kept::Memory(i) => module.memories[*i].name = full,
                Kept::Instance(i) => module.instances[*i].name = full,
            }
        }
    }
}

/// Prefixes fields to names that are used twice or reserved in Verilog, until each is unique or there are no more
/// fields.
fn make_unique(all: &mut [Named], registers: &[Register]) {
    loop {
        let mut taken: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (i, named) in all.iter().enumerate() {
            for name in named.names(registers) {
                taken.entry(name).or_default().push(i);
            }
        }
        taken.retain(|name, by| by.len() > 1 || is_verilog_word(name));
        let shared: BTreeSet<usize> = taken.into_values().flatten().collect();
        let mut changed = false;
        for i in shared {
            let longer = all[i].ahead < all[i].around.len();
            all[i].ahead += usize::from(longer);
            changed |= longer;
        }
        if !changed {
            return;
        }
    }
}
