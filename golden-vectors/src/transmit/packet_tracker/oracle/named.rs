// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an ACK names, and the blocks that are visited for it (D11, D12, D30).

use super::pdc::Pdc;
use super::shape::Time;
use super::{Ack, Shape};

/// What an ACK names, as distances from *B* (D11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// *a*: so many PSNs are acknowledged cumulatively.
    pub cumulative: u64,
    /// Number of PSNs up to and with the highest one.
    pub reach: u64,
    /// Those that only the bitmap names. Bit 0 is for the PSN at this distance, which may be before *B*.
    selective: u64,
    first: i64,
}

/// The bits below this one.
fn below(bit: i64) -> u64 {
    u64::MAX.checked_shr((64 - bit.clamp(0, 64)) as u32).unwrap_or(0)
}

impl Named {
    /// What an ACK names; `None` if it is outside.
    pub fn by(shape: Shape, pdc: &Pdc, ack: &Ack) -> Option<Self> {
        let cumulative = match shape.psn(pdc.offset(shape, ack.psn) + 1) {
            a if a <= pdc.length => a,
            // It is old.
            a if a >= (1 << shape.psn_bits) - shape.window => 0,
            _ => return None,
        };
        // Bit *b* is at `first` + *b*, as a signed number of *n* bits.
        let unused = 64 - shape.psn_bits;
        let first = pdc.offset(shape, ack.psn.wrapping_add_signed(ack.sack_offset.into()));
        let first = (first << unused) as i64 >> unused;
        let half = 1_i64 << (shape.psn_bits - 1);
        let before = below(-first);
        let inside = below(pdc.length as i64 - first) & !before;
        let meaningless = before | !below(half - first);
        if ack.sack & !(inside | meaningless) != 0 {
            return None;
        }
        let selective = ack.sack & inside & !below(cumulative as i64 - first);
        let behind = i64::from(64 - selective.leading_zeros());
        let reach = if selective == 0 { cumulative } else { (first + behind) as u64 };
        Some(Named { cumulative, reach, selective, first })
    }
}

impl Pdc {
    /// D14, D37: the base moves; packets were released or not.
    pub(super) fn acknowledge(&mut self, shape: Shape, named: &Named, time: Time, ack: &Ack, released: bool) {
        let a = named.cumulative;
        self.base = shape.psn(self.base + a);
        self.length -= a;
        self.first = self.first.saturating_sub(a);
        self.top = self.top.max(named.reach).saturating_sub(a);
        self.backoff.acknowledge(released, self.length == 0);
        if a > 0 {
            self.starts_timer(time);
            self.examined = self.examined.saturating_sub(a);
            if ack.mpr != 0 {
                self.mpr = ack.mpr;
            }
        }
    }
}

/// PSNs of one block that a visit finds not acknowledged, in ascending order, as distances from *B*.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    /// The distance of bit 0, which may be before *B*.
    start: u64,
    released: u64,
}

impl Visit {
    /// Whether none is left.
    pub const fn is_empty(&self) -> bool {
        self.released == 0
    }
}

impl Iterator for Visit {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        if self.released == 0 {
            return None;
        }
        let offset = self.start.wrapping_add(self.released.trailing_zeros().into());
        self.released &= self.released - 1;
        Some(offset)
    }
}

/// The visits of a walk (D12).
#[derive(Clone, Copy, Debug)]
pub struct Visits {
    /// The next PSN of the cumulative part, and its end.
    next: u64,
    cumulative: u64,
    /// The blocks of the second part: distances of their bits 0 from *B*, and what the ACK names in them.
    second: [(u64, u64); 2],
}

impl Visits {
    /// Those for what an ACK names.
    pub const fn new(pdc: &Pdc, named: &Named) -> Self {
        let bit = pdc.base.wrapping_add_signed(named.first) % 64;
        let start = (named.first as u64).wrapping_sub(bit);
        let upper = named.selective >> 1 >> (63 - bit);
        let second = [(start, named.selective << bit), (start.wrapping_add(64), upper)];
        Visits { next: 0, cumulative: named.cumulative, second }
    }

    /// Those of a *close*: all blocks of the window, as for an ACK of *N* - 1 (D30).
    pub const fn all(pdc: &Pdc) -> Self {
        Visits { next: 0, cumulative: pdc.length, second: [(0, 0); 2] }
    }

    /// The next visit. Nothing but the packets of visits before it has changed since the first one.
    pub fn next(&mut self, pdc: &Pdc) -> Option<Visit> {
        let (start, named) = if self.next < self.cumulative {
            let bit = (pdc.base + self.next) % 64;
            let named = below((bit + self.cumulative - self.next) as i64) & !below(bit as i64);
            let start = self.next.wrapping_sub(bit);
            self.next += 64 - bit;
            (start, named)
        } else {
            let part = self.second.iter_mut().find(|(_, named)| *named != 0)?;
            std::mem::take(part)
        };
        let acknowledged = pdc.packets.acknowledged(pdc.base.wrapping_add(start));
        Some(Visit { start, released: named & !acknowledged })
    }
}
