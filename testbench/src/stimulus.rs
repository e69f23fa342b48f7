// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows of inputs in one flat buffer, and the digest of the outputs they give.

/// Inputs for a number of cycles. A row is a limb for `rst` and then the input limbs.
#[derive(Clone, Debug)]
pub struct Stimulus {
    inputs: usize,
    every: u64,
    data: Vec<u64>,
}

impl Stimulus {
    /// Empty, for rows of `inputs` limbs.
    pub fn new(inputs: usize) -> Self {
        Stimulus { inputs, every: 1, data: Vec::new() }
    }

    /// Has the digest look at the outputs of every `n`th cycle only (at least 1), so that it costs less.
    pub fn digest_every(mut self, n: u64) -> Self {
        self.every = n.max(1);
        self
    }

    /// See [`digest_every`](Self::digest_every).
    pub fn every(&self) -> u64 {
        self.every
    }

    /// Adds a cycle. What is missing in `input` is 0.
    pub fn push(&mut self, reset: bool, input: &[u64]) {
        self.data.push(reset as u64);
        self.data.extend(input.iter().copied().chain(std::iter::repeat(0)).take(self.inputs));
    }

    /// Number of cycles.
    pub fn cycles(&self) -> usize {
        self.data.len() / self.stride()
    }

    /// Limbs of a row, `rst` included.
    pub fn stride(&self) -> usize {
        self.inputs + 1
    }

    /// All rows.
    pub fn data(&self) -> &[u64] {
        &self.data
    }

    /// `rst` and inputs of every cycle.
    pub fn rows(&self) -> impl Iterator<Item = (bool, &[u64])> {
        self.data.chunks_exact(self.stride()).map(|row| (row[0] != 0, &row[1..]))
    }
}

/// A cheap mix of the outputs of every cycle. It stands beside the design in benches, so it must cost little: one
/// multiplication a limb, none of which waits for another, and one a cycle. `shim.cpp` has the same.
#[derive(Clone, Copy, Default, Debug)]
pub struct Digest(u64);

impl Digest {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

    /// Takes in one cycle.
    #[inline(always)]
    pub fn add(&mut self, outputs: &[u64]) {
        let mut cycle = self.cycle();
        outputs.iter().for_each(|&limb| cycle.add(limb));
        cycle.end();
    }

    /// Takes in one cycle, limb by limb.
    #[inline(always)]
    pub fn cycle(&mut self) -> DigestCycle<'_> {
        DigestCycle { digest: self, factor: Self::ODD, sum: 0 }
    }

    /// The digest of all cycles so far.
    pub fn finish(self) -> u64 {
        self.0
    }
}

/// The outputs of one cycle on their way into a digest.
#[derive(Debug)]
pub struct DigestCycle<'a> {
    digest: &'a mut Digest,
    factor: u64,
    sum: u64,
}

impl DigestCycle<'_> {
    /// The next limb.
    #[inline(always)]
    pub fn add(&mut self, limb: u64) {
        self.sum = self.sum.wrapping_add(limb.wrapping_mul(self.factor));
        self.factor = self.factor.wrapping_add(2 * (Digest::ODD >> 2));
    }

    /// That was all.
    #[inline(always)]
    pub fn end(self) {
        self.digest.0 = (self.digest.0 ^ self.sum).wrapping_mul(Digest::ODD).rotate_left(29);
    }
}
