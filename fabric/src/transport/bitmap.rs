// SPDX-License-Identifier: MIT OR Apache-2.0
//! PSNs behind the next one that have arrived.

/// A bit for each PSN of a window, at its number modulo the window.
#[derive(Clone, Debug)]
pub struct Bitmap {
    words: Box<[u64]>,
}

impl Bitmap {
    /// None, in a window of so many PSNs: a power of two, and at least 64.
    pub fn new(window: u64) -> Self {
        Bitmap { words: vec![0; (window / 64).max(2) as usize].into() }
    }

    /// PSNs of the window.
    pub const fn window(&self) -> u32 {
        self.words.len() as u32 * 64
    }

    const fn place(&self, psn: u32) -> (usize, u64) {
        ((psn / 64) as usize & (self.words.len() - 1), 1 << (psn % 64))
    }

    /// Whether a PSN has arrived.
    pub const fn has(&self, psn: u32) -> bool {
        let (word, bit) = self.place(psn);
        self.words[word] & bit != 0
    }

    /// A PSN arrives.
    pub const fn set(&mut self, psn: u32) {
        let (word, bit) = self.place(psn);
        self.words[word] |= bit;
    }

    /// A PSN leaves the window.
    pub const fn clear(&mut self, psn: u32) {
        let (word, bit) = self.place(psn);
        self.words[word] &= !bit;
    }

    /// 64 PSNs from this one on, the first one in bit 0.
    pub const fn bits(&self, from: u32) -> u64 {
        let (word, shift) = (self.place(from).0, from % 64);
        let behind = self.words[(word + 1) & (self.words.len() - 1)];
        self.words[word] >> shift | behind << 1 << (63 - shift)
    }
}

#[cfg(test)]
mod tests {
    use super::Bitmap;

    #[test]
    fn bits_go_over_words_and_around() {
        let mut bitmap = Bitmap::new(128);
        for psn in [120, 127, 128, 190] {
            bitmap.set(psn);
        }
        assert_eq!(bitmap.bits(120), 1 | 1 << 7 | 1 << 8);
        assert_eq!(bitmap.bits(128), 1 | 1 << 62);
        assert!(bitmap.has(190) && !bitmap.has(189));
        bitmap.clear(128);
        assert_eq!(bitmap.bits(127), 1 | 1 << 63);
    }
}
