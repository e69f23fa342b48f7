// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bytes of messages: a function of who sends, PDC, message and offset, so that a receiver can check each of them. In front
//! of the payload of each packet stands a header of 44 bytes, in the place of the SES header, which says what it is.

/// Bytes of that header.
pub const HEADER: usize = 44;

/// A part of a message, as its header says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The host that sends.
    pub source: u16,
    /// The number of its PDC.
    pub pdc: u16,
    /// The number of the message among those of the PDC.
    pub message: u32,
    /// Where the part begins.
    pub offset: u32,
    /// Its bytes.
    pub length: u32,
}

pub fn mix(word: u64) -> u64 {
    let z = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ (z >> 29)
}

impl Part {
    /// Byte `at` of the message is byte `at` modulo 8 of word `at` / 8.
    fn word(&self, index: u64) -> [u8; 8] {
        let seed = (self.source as u64) << 48 | (self.pdc as u64) << 32 | self.message as u64;
        mix(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(index)).to_le_bytes()
    }

    /// The payload alone.
    pub fn payload(&self) -> Vec<u8> {
        let (from, to) = (self.offset as u64, self.offset as u64 + self.length as u64);
        let words = (from / 8..to.div_ceil(8)).flat_map(|index| self.word(index));
        words.skip((from % 8) as usize).take(self.length as usize).collect()
    }

    /// Header and payload.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER + self.length as usize);
        bytes.extend(self.source.to_be_bytes());
        bytes.extend(self.pdc.to_be_bytes());
        for field in [self.message, self.offset, self.length] {
            bytes.extend(field.to_be_bytes());
        }
        // The rest is a function of these fields, so that a wrong one is found in a message without bytes too.
        let seed = mix((self.length as u64) << 32 | self.offset as u64);
        bytes.extend((0..4).flat_map(|index| self.word(seed.wrapping_add(index))));
        bytes.truncate(HEADER);
        bytes.extend(self.payload());
        bytes
    }

    /// Reads what a packet carries. `None` if its header or a byte of its payload is not as it was sent.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let word = |at: usize| bytes.get(at..at + 4).map(|word| u32::from_be_bytes(word.try_into().expect("four")));
        let first = word(0)?;
        let part = Part {
            source: (first >> 16) as u16,
            pdc: first as u16,
            message: word(4)?,
            offset: word(8)?,
            length: word(12)?,
        };
        // What is compared with is never larger than what has come.
        (HEADER + part.length as usize == bytes.len() && part.bytes() == bytes).then_some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_checked() {
        for (offset, length) in [(0, 0), (0, 100), (4096, 1), (13, 50)] {
            let part = Part { source: 3, pdc: 7, message: 100_000, offset, length };
            let bytes = part.bytes();
            assert_eq!((bytes.len(), Part::read(&bytes)), (44 + length as usize, Some(part)));
            for at in 0..bytes.len() {
                let mut wrong = bytes.clone();
                wrong[at] ^= 0x10;
                assert_eq!(Part::read(&wrong), None, "byte {at}");
            }
            assert_eq!(Part::read(&bytes[..bytes.len() - 1]), None);
        }
    }

    #[test]
    fn parts_fit_together() {
        let whole = Part { source: 1, pdc: 2, message: 3, offset: 0, length: 300 };
        let parts = [(0, 97), (97, 103), (200, 100)].map(|(offset, length)| Part { offset, length, ..whole }.payload());
        assert_eq!(parts.concat(), whole.payload());
        assert_ne!(whole.payload(), Part { message: 4, ..whole }.payload());
    }
}
