// SPDX-License-Identifier: MIT OR Apache-2.0
//! A row as a memory stores it, with check bits or without, and a register for one.

use super::code::Code;
use super::kind::Protection;
use super::ram::Word;
use super::row;
use rtl_model::{Logic, Reg, Signal};

/// A row as it is stored.
pub enum StoredRow<L: Logic, T: Signal<Logic = L>> {
    /// Without check bits.
    Plain(T),
    /// In words with check bits.
    Secded(Vec<Word<L>>),
}

/// A register between a memory and the correction of its rows.
pub enum StoredReg<L: Logic, T: Signal<Logic = L>> {
    /// Without check bits.
    Plain(Reg<T>),
    /// A register for each word.
    Secded(Vec<Reg<Word<L>>>),
}

impl<L: Logic, T: Signal<Logic = L>> StoredReg<L, T> {
    /// A register for the rows of a memory with this protection.
    #[track_caller]
    pub fn new(protection: Protection, row: &T::Shape) -> Self {
        let word = |(number, width)| Reg::numbered(number, &Word::shape(&Code::new(width)));
        match protection {
            Protection::None => StoredReg::Plain(Reg::new(row)),
            Protection::Secded => StoredReg::Secded((0..).zip(row::widths(row)).map(word).collect()),
        }
    }

    /// The row in the register.
    #[track_caller]
    pub fn get(&self) -> StoredRow<L, T> {
        match self {
            StoredReg::Plain(row) => StoredRow::Plain(row.get()),
            StoredReg::Secded(words) => StoredRow::Secded(words.iter().map(Reg::get).collect()),
        }
    }

    /// Sets it to a row of the same memory.
    #[track_caller]
    pub fn set(&self, row: StoredRow<L, T>) {
        match (self, row) {
            (StoredReg::Plain(register), StoredRow::Plain(row)) => register.set(row),
            (StoredReg::Secded(registers), StoredRow::Secded(words)) => {
                registers.iter().zip(words).for_each(|(register, word)| register.set(word));
            }
            _ => unreachable!("a memory stores all of its rows in the same way"),
        }
    }
}
