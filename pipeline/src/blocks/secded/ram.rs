// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`SecdedRam`]: a memory whose rows have check bits. From latency `l` = 2 on:
//!
//! ```text
//!  cycle n          read(port, address)              write(address, row): with its check bits to the memory
//!        n + l - 1  words in the memory's last register: syndromes, and the flipped bit corrected
//!        n + l      data(port): the corrected row, a register; its syndromes, which check(port, used) judges
//!        n + l + 1  upsets(): registers
//! ```
//!
//! So the memory inside has one clock cycle less, and the register behind the correction is what the memory's output
//! register was: with `l` = 3 a block RAM keeps its own. With latency 1 the correction is between the memory's only register
//! and the user, who has a register behind it; the syndromes are judged in the same clock cycle.
//!
//! A row is cut into words of at most 64 data bits, each with its own check bits and in an array of its own. A wider
//! word takes fewer check bits, but no fewer block RAMs: a word of 72 bits fills two of 36 bits, and the code stays the same
//! for every row. Each word of a row can have a flipped bit of its own.
//!
//! The row of zeros has check bits 0, so a memory at power-up holds valid words. Nothing is written back: tables do that with
//! the row that they modify.

use super::code::Code;
use super::row;
use rtl_model::{Bits, Bundle, Logic, Ram, RamShape, Reading, Reg, Signal, bits, name_nets};

/// A word as it is stored.
#[derive(Bundle)]
#[shape(code: &Code)]
pub struct Word<L: Reading> {
    #[width(code.check_bits())]
    check: Bits<L>,
    #[width(code.data_bits())]
    data: Bits<L>,
}

/// What was wrong with a row that has been used.
#[derive(Bundle)]
#[shape]
pub struct Upsets<L: Reading> {
    /// A flipped bit has been corrected.
    #[reset]
    pub corrected: Bits<L>,
    /// Two bits of a word have flipped: the row is not what was written.
    #[reset]
    pub uncorrectable: Bits<L>,
}

/// A memory that corrects one flipped bit per word of a row and detects two.
#[name_nets]
pub struct SecdedRam<L: Logic, T: Signal<Logic = L>> {
    shape: T::Shape,
    codes: Vec<Code>,
    /// An array for each word of a row.
    word: Vec<Ram<Word<L>>>,
    /// From latency 2 on, for each read port: the corrected row.
    corrected: Vec<Reg<T>>,
    /// Beside it the syndromes of its words; those of port 0 first.
    syndrome: Vec<Reg<Bits<L>>>,
    /// For each read port.
    upsets: Vec<Reg<Upsets<L>>>,
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>> SecdedRam<L, T> {
    /// A memory of this depth, latency, number of read ports and collision mode. Rows are written whole.
    #[track_caller]
    pub fn new(ram: RamShape, shape: &T::Shape) -> Self {
        assert_eq!(ram.lanes, 1, "rows with check bits are written whole");
        let codes: Vec<Code> = row::widths(shape).into_iter().map(Code::new).collect();
        let inner = ram.latency(ram.latency.saturating_sub(1).max(1));
        let behind = if ram.latency > 1 { ram.reads } else { 0 };
        SecdedRam {
            shape: *shape,
            word: words(&codes, inner),
            corrected: numbered(behind, |port| Reg::numbered(port, shape)),
            syndrome: syndromes(&codes, behind),
            upsets: upsets(ram.reads),
            codes,
        }
    }

    /// Reads a row on a port.
    pub fn read(&self, port: usize, address: Bits<L>) {
        read(&self.word, port, address);
    }

    /// Writes a row.
    pub fn write(&self, address: Bits<L>, row: T) {
        write(&self.word, &self.codes, address, row::words(&row));
    }

    /// The row that a port read as many clock cycles ago as the latency.
    pub fn data(&self, port: usize) -> T {
        match self.corrected.get(port) {
            Some(corrected) => corrected.get(),
            None => self.decode(port).0,
        }
    }

    /// Says whether the data of a port are used in this clock cycle: if so, their upsets are shown in the next one. Called
    /// once per clock cycle and port, outside of any `when`, before `clock`. Data of a read that met a write of its row must
    /// not be used.
    pub fn check(&self, port: usize, used: Bits<L>) {
        let syndromes = match self.corrected.is_empty() {
            true => self.decode(port).1,
            false => all(self.syndromes(port)),
        };
        judge(&self.upsets[port], &self.codes, syndromes, used);
    }

    /// The same of words that a port has read at any time, in place of [`Self::check`].
    pub(super) fn check_words(&self, port: usize, words: &[Word<L>], used: Bits<L>) {
        judge(&self.upsets[port], &self.codes, self.decode_words(words).1, used);
    }

    /// For each read port, what was wrong with the row used one clock cycle ago: registers.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        all(&self.upsets)
    }

    /// One clock cycle.
    pub fn clock(&self) {
        for port in 0..self.corrected.len() {
            let (corrected, syndromes) = self.decode(port);
            self.corrected[port].set(corrected);
            set(self.syndromes(port), syndromes);
        }
        clock(&self.word);
    }

    /// The registers with the syndromes of a port.
    fn syndromes(&self, port: usize) -> &[Reg<Bits<L>>] {
        &self.syndrome[port * self.codes.len()..][..self.codes.len()]
    }

    /// The words in the memory's last register.
    pub(super) fn stored(&self, port: usize) -> Vec<Word<L>> {
        stored(&self.word, port)
    }

    /// The row in the memory's last register, corrected, and the syndromes of its words.
    fn decode(&self, port: usize) -> (T, Vec<Bits<L>>) {
        self.decode_words(&self.stored(port))
    }

    /// The row of these words, corrected, and their syndromes.
    pub(super) fn decode_words(&self, stored: &[Word<L>]) -> (T, Vec<Bits<L>>) {
        let (words, syndromes) = corrected(stored, &self.codes);
        (row::row(&self.shape, &words), syndromes)
    }
}

// What follows does not depend on the type of the row, so that it is compiled once.

fn words<L: Logic>(codes: &[Code], ram: RamShape) -> Vec<Ram<Word<L>>> {
    numbered(codes.len(), |word| Ram::numbered(word, ram, &Word::shape(&codes[word as usize])))
}

fn syndromes<L: Logic>(codes: &[Code], ports: usize) -> Vec<Reg<Bits<L>>> {
    numbered(ports * codes.len(), |number| {
        let word = number as usize % codes.len();
        Reg::numbered(number, &bits(codes[word].check_bits()))
    })
}

fn upsets<L: Logic>(ports: usize) -> Vec<Reg<Upsets<L>>> {
    numbered(ports, |port| Reg::numbered(port, &Upsets::shape()))
}

fn all<T: Signal>(registers: &[Reg<T>]) -> Vec<T> {
    registers.iter().map(Reg::get).collect()
}

fn set<L: Logic>(registers: &[Reg<Bits<L>>], values: Vec<Bits<L>>) {
    for (register, value) in registers.iter().zip(values) {
        register.set(value);
    }
}

fn read<L: Logic>(memories: &[Ram<Word<L>>], port: usize, address: Bits<L>) {
    for word in memories {
        word.read_port(port, address);
    }
}

fn stored<L: Logic>(memories: &[Ram<Word<L>>], port: usize) -> Vec<Word<L>> {
    memories.iter().map(|word| word.data_port(port)).collect()
}

fn clock<L: Logic>(memories: &[Ram<Word<L>>]) {
    for word in memories {
        word.clock();
    }
}

/// Writes words with their check bits.
#[name_nets]
fn write<L: Logic>(memories: &[Ram<Word<L>>], codes: &[Code], address: Bits<L>, words: Vec<Bits<L>>) {
    for ((word, code), data) in memories.iter().zip(codes).zip(words) {
        word.write(address, Word { check: code.check(data), data });
    }
}

/// These words, corrected, and their syndromes.
#[name_nets]
fn corrected<L: Logic>(stored: &[Word<L>], codes: &[Code]) -> (Vec<Bits<L>>, Vec<Bits<L>>) {
    let (mut words, mut syndromes) = (Vec::new(), Vec::new());
    for (&Word { check, data }, code) in stored.iter().zip(codes) {
        let syndrome = code.syndrome(data, check);
        words.push(code.corrected(data, syndrome));
        syndromes.push(syndrome);
    }
    (words, syndromes)
}

/// Sets the upsets of a port.
#[name_nets]
fn judge<L: Logic>(register: &Reg<Upsets<L>>, codes: &[Code], syndromes: Vec<Bits<L>>, used: Bits<L>) {
    let mut upsets: Option<Upsets<L>> = None;
    for (code, syndrome) in codes.iter().zip(syndromes) {
        let (corrected, uncorrectable) = code.kind(syndrome);
        let of_word = Upsets { corrected, uncorrectable };
        upsets = Some(upsets.map_or(of_word, |others| Upsets::or(others, of_word)));
    }
    register.set(upsets.expect("a row has a word").gate(used));
}

/// State made for a field, one for each number.
fn numbered<R>(count: usize, make: impl Fn(u32) -> R) -> Vec<R> {
    let mut made = Vec::with_capacity(count);
    // A loop, because names are given by nesting of calls.
    for number in 0..count {
        made.push(make(number as u32));
    }
    made
}
