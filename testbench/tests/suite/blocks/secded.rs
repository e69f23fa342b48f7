// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memories with check bits against the oracle of their code: every flipped bit, all or many pairs, and some triples; then
//! model and Verilated RTL in lock-step while bits of both flip.

use crate::common::upsets::Pair;
use golden_vectors::blocks::secded::{Decoded, Secded};
use pipeline::blocks::designs::{RowWrite, WriteFirstConfig, WriteFirstIn, WriteFirstStage};
use pipeline::blocks::secded::{Code, Protection, RamKind};
use pipeline::blocks::table::Access;
use rtl_model::model::{Instance, read_limbs, write_limbs};
use rtl_model::{Bits, Design, Model, Stage, Wide, wide};
use testbench::device::drive::RandomDrive;
use testbench::device::random::Random;
use tier::pick;

const WIDTHS: [u32; 22] = [1, 2, 4, 5, 7, 8, 11, 12, 16, 26, 27, 41, 57, 58, 61, 64, 65, 120, 128, 216, 256, 1024];
const ROWS: u64 = 4;
/// Up to this width of a word all pairs are tried.
const ALL_PAIRS: u32 = 26;
const PAIRS: u64 = 3000;

fn config(width: u32, latency: u32) -> WriteFirstConfig {
    WriteFirstConfig { depth: ROWS, width, ram: RamKind { latency, protection: Protection::Secded } }
}

/// A memory of random rows.
struct Memory {
    stage: Instance<WriteFirstStage<Model>>,
    config: WriteFirstConfig,
    rows: Vec<Vec<u64>>,
    codes: Vec<Secded>,
}

/// What a read gives: the row, whether it was corrected, and whether it could not be.
type Read = (Vec<u64>, bool, bool);

impl Memory {
    fn new(width: u32, latency: u32, random: &mut Random) -> Memory {
        let config = config(width, latency);
        let stage = Instance::new(|| config.build::<Model>());
        let codes = (0..width.div_ceil(64)).map(|word| Secded::new((width - 64 * word).min(64))).collect();
        let mut memory = Memory { stage, config, rows: Vec::new(), codes };
        for row in 0..ROWS {
            let mut data: Vec<u64> = (0..width.div_ceil(64)).map(|_| random.bits()).collect();
            if !width.is_multiple_of(64) {
                *data.last_mut().expect("a word") &= (1 << (width % 64)) - 1;
            }
            memory.clock(Some((row, &data)), None);
            memory.rows.push(data);
        }
        // The last row is written a clock cycle late; until then reads take it from a bypass register.
        memory.clock(None, None);
        memory
    }

    fn clock(&self, write: Option<(u64, &[u64])>, read: Option<u64>) {
        let access = |row: Option<u64>| (Bits::lit(1, row.is_some().into()), Bits::lit(2, row.unwrap_or(0)));
        let ((valid, index), (reads, row)) = (access(write.map(|(row, _)| row)), access(read));
        let limbs = write.map_or(vec![0; self.config.width.div_ceil(64) as usize], |(_, data)| data.to_vec());
        let data: Wide<Model> = read_limbs(&wide(self.config.width), &limbs);
        let write = RowWrite { valid, index, data };
        self.stage.clock(&WriteFirstIn { write, read: Access { valid: reads, index: row } });
    }

    /// Reads a row. It is the only read, so nothing is reported before and after it.
    fn read(&self, row: u64) -> Read {
        let upsets = || {
            let upsets = self.stage.outputs().upsets.expect("the memory is protected");
            (upsets.corrected.value() == 1, upsets.uncorrectable.value() == 1)
        };
        for cycle in 0..self.config.ram.latency {
            self.clock(None, (cycle == 0).then_some(row));
            assert_eq!(upsets(), (false, false), "before the row is there");
        }
        let out = self.stage.outputs();
        assert_eq!(out.valid.value(), 1);
        let mut data = vec![0; self.config.width.div_ceil(64) as usize];
        write_limbs(&out.data, &mut data);
        self.clock(None, None);
        let (corrected, uncorrectable) = upsets();
        self.clock(None, None);
        assert_eq!(upsets(), (false, false), "one read is reported once");
        (data, corrected, uncorrectable)
    }

    /// What the oracle says of a row with these flipped bits, each a word and a bit in it.
    fn expected(&self, row: u64, flips: &[(usize, u32)]) -> Read {
        let (mut data, mut corrected, mut uncorrectable) = (Vec::new(), false, false);
        for (number, (code, written)) in self.codes.iter().zip(&self.rows[row as usize]).enumerate() {
            let here = flips.iter().filter(|(word, _)| *word == number);
            let word = here.fold(code.word(*written), |word, (_, bit)| word ^ 1 << bit);
            let (read, fixed, bad) = match code.decode(word) {
                Decoded::Clean(read) => (read, false, false),
                Decoded::Corrected(read) => (read, true, false),
                Decoded::Uncorrectable(read) => (read, false, true),
            };
            data.push(read);
            corrected |= fixed;
            uncorrectable |= bad;
        }
        (data, corrected, uncorrectable)
    }

    /// A read with these flipped bits, which are flipped back afterwards.
    fn disturbed(&self, row: u64, flips: &[(usize, u32)]) -> Read {
        flips.iter().for_each(|&(word, bit)| self.stage.memories()[word].flip(row, bit));
        let read = self.read(row);
        flips.iter().for_each(|&(word, bit)| self.stage.memories()[word].flip(row, bit));
        read
    }

    fn check(&self, row: u64, flips: &[(usize, u32)]) -> Read {
        let (got, expected) = (self.disturbed(row, flips), self.expected(row, flips));
        assert_eq!(got, expected, "{:?}, row {row}, flips {flips:?}", self.config);
        got
    }
}

#[test]
fn the_matrix_is_that_of_the_oracle() {
    for width in 1..=64 {
        let (code, oracle) = (Code::new(width), Secded::new(width));
        assert_eq!(code.check_bits(), oracle.check_bits());
        for (bit, column) in code.columns().iter().enumerate() {
            assert_eq!(oracle.word(1 << bit) >> width, u128::from(*column), "{width}: bit {bit}");
        }
    }
}

/// Every bit of every row.
#[test]
fn one_flipped_bit_is_corrected_and_counted() {
    let mut flips = 0;
    for (seed, width) in WIDTHS.into_iter().enumerate() {
        for latency in 1..=3 {
            let memory = Memory::new(width, latency, &mut Random::new(seed as u64));
            for row in 0..ROWS {
                assert_eq!(memory.check(row, &[]), (memory.rows[row as usize].clone(), false, false));
                for (word, stored) in memory.stage.memories().iter().enumerate() {
                    for bit in 0..stored.width {
                        let read = memory.check(row, &[(word, bit)]);
                        assert_eq!(read, (memory.rows[row as usize].clone(), true, false), "row {row}, bit {bit}");
                        flips += 1;
                    }
                }
            }
        }
    }
    let bits: u32 = WIDTHS
        .iter()
        .map(|&width| {
            (0..width.div_ceil(64))
                .map(|w| {
                    let data = (width - 64 * w).min(64);
                    data + Secded::new(data).check_bits()
                })
                .sum::<u32>()
        })
        .sum();
    assert_eq!(flips, u64::from(bits) * ROWS * 3);
}

/// All pairs of narrow words, a sample of those of wide ones; two in different words of a row are both corrected.
#[test]
fn two_flipped_bits_are_detected_and_never_taken_for_one() {
    let (mut detected, mut apart) = (0, 0);
    for (seed, width) in WIDTHS.into_iter().enumerate() {
        let mut random = Random::new(seed as u64);
        let memory = Memory::new(width, 2 + seed as u32 % 2, &mut random);
        let widths: Vec<u32> = memory.stage.memories().iter().map(|stored| stored.width).collect();
        let mut pairs: Vec<[(usize, u32); 2]> = Vec::new();
        if width <= ALL_PAIRS {
            pairs.extend((0..widths[0]).flat_map(|a| (0..a).map(move |b| [(0, a), (0, b)])));
        } else {
            let mut bit = || {
                let word = random.below(widths.len() as u64) as usize;
                (word, random.below(widths[word].into()) as u32)
            };
            pairs.extend((0..PAIRS).map(|_| [bit(), bit()]).filter(|[a, b]| a != b));
        }
        for pair in pairs {
            let row = random.below(ROWS);
            let (_, corrected, uncorrectable) = memory.check(row, &pair);
            let same = pair[0].0 == pair[1].0;
            assert_eq!((corrected, uncorrectable), (!same, same), "{width}: {pair:?}");
            if same { detected += 1 } else { apart += 1 }
        }
    }
    assert!(detected > 20_000 && apart > 5_000, "{detected} {apart}");
}

/// What is done with three and more is that of the oracle: corrected to something else, or detected.
#[test]
fn more_flipped_bits_are_judged_as_the_code_says() {
    let mut seen = [0; 2];
    for (seed, width) in WIDTHS.into_iter().enumerate() {
        let mut random = Random::new(100 + seed as u64);
        let memory = Memory::new(width, 2, &mut random);
        for _ in 0..300 {
            let word = random.below(memory.codes.len() as u64) as usize;
            let bits = memory.stage.memories()[word].width;
            let mut flips: Vec<(usize, u32)> =
                (0..3 + random.below(2)).map(|_| (word, random.below(bits.into()) as u32)).collect();
            flips.sort_unstable();
            flips.dedup();
            let (_, corrected, _) = memory.check(random.below(ROWS), &flips);
            seen[usize::from(corrected)] += 1;
        }
    }
    assert!(seen.iter().all(|&times| times > 1000), "{seen:?}");
}

/// Reads and writes at random, also of the same row in the same clock cycle, with flipped bits in the model and in the RTL.
#[test]
fn model_and_rtl_agree_while_bits_flip() {
    let (mut seen, mut sizes) = (0, 0);
    let all = [(1, 2), (8, 3), (57, 2), (64, 1), (120, 3), (216, 2)];
    for (seed, (width, latency)) in pick(all.into_iter().enumerate(), 1) {
        let mut pair = Pair::new(&config(width, latency)).expect("both are built");
        let mut drive = RandomDrive::new(pair.ports(), Random::new(seed as u64));
        let mut random = Random::new(50 + seed as u64);
        pair.run(20_000, &mut drive, &mut random, 0.2, None).expect("they agree");
        seen += pair.times("upsets_corrected").min(pair.times("upsets_uncorrectable"));
        sizes += 1;
    }
    assert!(seen > 800 * sizes, "{seen}");
}
