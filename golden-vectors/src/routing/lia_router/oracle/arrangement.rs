// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which global link leads where (L04). Link *L* = *m h* + *j* is link *j* of switch *m*.

use super::Shape;

/// The arrangement of the global links, the same in all groups: links are assigned to offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrangement {
    shape: Shape,
    /// The first of the *t* links that lead to offset *n* + 1.
    first: Box<[u64]>,
    /// The offset to which a link leads.
    offset: Box<[u64]>,
    /// The switch of a link, and the one at which it arrives.
    switch: Box<[u64]>,
    arrival: Box<[u64]>,
}

impl Arrangement {
    /// The palmtree: links lead to the next groups in their order.
    #[must_use]
    pub fn palmtree(shape: Shape) -> Self {
        let blocks: Vec<u64> = (0..shape.groups() - 1).collect();
        Self::of(shape, &blocks).expect("the palmtree is an arrangement")
    }

    /// Another arrangement: block *n* of *t* consecutive links leads to the offset that is `n`-th here, less 1. `None`
    /// if some offset has no links.
    #[must_use]
    pub fn of(shape: Shape, offsets: &[u64]) -> Option<Self> {
        let (offsets_of, t) = (shape.groups() - 1, shape.trunks);
        let mut first = vec![u64::MAX; offsets_of as usize];
        for (block, &offset) in (0..).zip(offsets) {
            *first.get_mut(usize::try_from(offset).ok()?)? = block * t;
        }
        let whole = offsets.len() as u64 == offsets_of && !first.contains(&u64::MAX);
        if !whole {
            return None;
        }
        let (mut offset, mut arrival) = (Vec::new(), Vec::new());
        for &there in offsets {
            let back = first[(offsets_of - 1 - there) as usize];
            for trunk in 0..t {
                offset.push(there + 1);
                arrival.push((back + t - 1 - trunk) / shape.global_ports);
            }
        }
        let switch = (0..shape.links()).map(|link| link / shape.global_ports).collect();
        Some(Arrangement { shape, first: first.into(), offset: offset.into(), switch, arrival: arrival.into() })
    }

    /// The size.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// The first link to an offset, which is not 0.
    #[must_use]
    pub fn first(&self, offset: u64) -> u64 {
        self.first[offset as usize - 1]
    }

    /// The offset to which a link leads.
    #[must_use]
    pub fn offset(&self, link: u64) -> u64 {
        self.offset[link as usize]
    }

    /// The switch of a link.
    #[must_use]
    pub fn switch(&self, link: u64) -> u64 {
        self.switch[link as usize]
    }

    /// The switch of the other group at which a link arrives: trunk *n* of *t* is trunk *t* - 1 - *n* of the other group. In
    /// the palmtree link *L* arrives at link *a h* - 1 - *L*.
    #[must_use]
    pub fn arrival(&self, link: u64) -> u64 {
        self.arrival[link as usize]
    }
}
