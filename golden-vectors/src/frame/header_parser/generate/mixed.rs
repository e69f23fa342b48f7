// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random frames of all protocols, most of them good and some damaged, one right after the other. State left by one
//! frame changes the answer for the next.

use super::protocols::{Carrier, base, stacks};
use crate::collect::aim;
use crate::collect::frames::Suite;
use crate::headers::codec::encode::Frame;
use crate::rng::SplitMix64;

const CARRIERS: [Carrier; 4] = [Carrier::Rocev2, Carrier::Uet, Carrier::UetNative, Carrier::Elab];

/// Adds the groups `mixed` and `mixed-strict`.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    suite.group("mixed", "random frames of all protocols one behind the other, short and long, good and bad");
    frames(suite, rng, 500);
    let strict = [("mpeh", "opcode"), ("reserved", "refuse")];
    suite.configured("mixed-strict", "the same for a stage that refuses and takes the MPEH by OpCode", &strict);
    frames(suite, rng, 120);
}

fn frames(suite: &mut Suite, rng: &mut SplitMix64, count: usize) {
    let stacks = stacks();
    for at in 0..count {
        let base = base(rng.below(60) as usize);
        let payload = payload(rng);
        let (what, frame) = match rng.below(10) {
            0 => ("other UDP".to_owned(), base.with_port(rng.next_u64() as u16, payload)),
            1 => ("another protocol".to_owned(), base.with_protocol(rng.byte(), payload)),
            2 => ("no IP".to_owned(), Frame::other(rng.next_u64() as u16, payload)),
            _ => {
                let carrier = CARRIERS[rng.below(4) as usize];
                let own: Vec<_> = stacks.iter().filter(|stack| stack.carrier == carrier).collect();
                let stack = own[rng.below(own.len() as u64) as usize];
                // Half of the frames have all free bits 0, so that none is refused for a reserved bit.
                let bits = if rng.below(2) == 0 { vec![0; 80] } else { rng.bytes(80) };
                (stack.name.clone(), stack.carrier.frame(base, &stack.filled(&bits), &payload))
            }
        };
        let trailer = rng.below(4) as usize * 5;
        let mut bytes = frame.with(|frame| frame.trailer = vec![0; trailer]).bytes();
        let (id, aim) = (format!("{at}"), aim(&["Mixed", "StaleState"], &[]));
        match rng.below(16) {
            0 | 1 => {
                let place = rng.below(bytes.len().min(100) as u64) as usize;
                bytes[place] ^= 1 << rng.below(8);
                suite.add(id, format!("{what}, one bit of byte {place} changed"), aim, bytes);
            }
            2 | 3 => {
                bytes.truncate(1 + rng.below(bytes.len() as u64) as usize);
                suite.add(id, format!("{what}, cut"), aim, bytes);
            }
            4 => suite.add_bad(id, format!("{what}, marked bad"), aim, bytes),
            _ => suite.add(id, what, aim, bytes),
        }
    }
}

/// A random payload, in most cases a short one.
fn payload(rng: &mut SplitMix64) -> Vec<u8> {
    let most = [4, 20, 20, 70, 70, 200, 200, 1500][rng.below(8) as usize];
    let length = rng.below(most) as usize;
    rng.bytes(length)
}
