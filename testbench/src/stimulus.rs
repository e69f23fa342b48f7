// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows of inputs in one flat buffer, and the digest of the outputs they give.

/// Inputs for a number of cycles. A row is a limb for `rst` and then the input limbs.
#[derive(Clone, Debug)]
pub struct Stimulus {
    inputs: usize,
    data: Vec<u64>,
}

impl Stimulus {
    /// Empty, for rows of `inputs` limbs.
    pub fn new(inputs: usize) -> Self {
        Stimulus { inputs, data: Vec::new() }
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
        let mut factor = Self::ODD;
        let mut sum = 0u64;
        for &limb in outputs {
            sum = sum.wrapping_add(limb.wrapping_mul(factor));
            factor = factor.wrapping_add(2 * (Self::ODD >> 2));
        }
        self.0 = (self.0 ^ sum).wrapping_mul(Self::ODD).rotate_left(29);
    }

    /// The digest of all cycles so far.
    pub fn finish(self) -> u64 {
        self.0
    }
}
