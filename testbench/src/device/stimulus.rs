// SPDX-License-Identifier: MIT OR Apache-2.0
//! A stimulus: rows of inputs in one flat buffer, and the digest of the outputs that they cause.

/// Inputs for a number of cycles. A row is a limb for `rst`, followed by the limbs of the inputs.
#[derive(Clone, Debug)]
pub struct Stimulus {
    inputs: usize,
    every: u64,
    data: Vec<u64>,
}

impl Stimulus {
    /// Makes an empty stimulus whose rows have `inputs` limbs.
    pub fn new(inputs: usize) -> Self {
        Stimulus { inputs, every: 1, data: Vec::new() }
    }

    /// Computes the digest from the outputs of every `n`th cycle only (at least 1), which costs less time.
    pub fn digest_every(mut self, n: u64) -> Self {
        self.every = n.max(1);
        self
    }

    /// The distance of the digested cycles: see [`digest_every`](Self::digest_every).
    pub fn every(&self) -> u64 {
        self.every
    }

    /// Adds a cycle. Limbs that are missing in `input` are 0.
    pub fn push(&mut self, reset: bool, input: &[u64]) {
        self.data.push(reset as u64);
        self.data.extend(input.iter().copied().chain(std::iter::repeat(0)).take(self.inputs));
    }

    /// Number of cycles.
    pub fn cycles(&self) -> usize {
        self.data.len() / self.stride()
    }

    /// Number of limbs of a row, including `rst`.
    pub fn stride(&self) -> usize {
        self.inputs + 1
    }

    /// All rows in one slice.
    pub fn data(&self) -> &[u64] {
        &self.data
    }

    /// `rst` and the inputs of every cycle.
    pub fn rows(&self) -> impl Iterator<Item = (bool, &[u64])> {
        self.data.chunks_exact(self.stride()).map(|row| (row[0] != 0, &row[1..]))
    }
}

/// A cheap hash of the outputs of every cycle. Benches compute it together with the design, so it must cost little: one
/// multiplication per limb, none of which waits for another, and one per cycle. `shim.cpp` computes the same hash.
#[derive(Clone, Copy, Default, Debug)]
pub struct Digest(u64);

impl Digest {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

    /// Adds the outputs of one cycle.
    #[inline(always)]
    pub fn add(&mut self, outputs: &[u64]) {
        let mut cycle = self.cycle();
        outputs.iter().for_each(|&limb| cycle.add(limb));
        cycle.end();
    }

    /// Adds the outputs of one cycle, limb by limb.
    #[inline(always)]
    pub fn cycle(&mut self) -> DigestCycle<'_> {
        DigestCycle { digest: self, factor: Self::ODD, sum: 0 }
    }

    /// Returns the digest of all cycles so far.
    pub fn finish(self) -> u64 {
        self.0
    }
}

/// The hash of one cycle while its limbs are added.
#[derive(Debug)]
pub struct DigestCycle<'a> {
    digest: &'a mut Digest,
    factor: u64,
    sum: u64,
}

impl DigestCycle<'_> {
    /// Adds the next limb.
    #[inline(always)]
    pub fn add(&mut self, limb: u64) {
        self.sum = self.sum.wrapping_add(limb.wrapping_mul(self.factor));
        self.factor = self.factor.wrapping_add(2 * (Digest::ODD >> 2));
    }

    /// Adds the finished cycle to the digest.
    #[inline(always)]
    pub fn end(self) {
        self.digest.0 = (self.digest.0 ^ self.sum).wrapping_mul(Digest::ODD).rotate_left(29);
    }
}
