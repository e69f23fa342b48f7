// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a model holds, by name.
//!
//! The cells of a model have no names, and it would cost every model something to keep them. So a model is built to be
//! watched: inside [`watched`] each register gets a mirror, which it writes whenever it is assigned. Only a checked model
//! can have mirrors; the fast one has no code for them.

use crate::model::Model;
use crate::signal::{Leaf, Signal};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

type Limbs = Rc<[Cell<u64>]>;

/// A register, a stage of a delay line, or a data register of a memory.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The child stages that it lies in, from the outside in.
    pub scope: Vec<String>,
    /// As in the source; fields of records behind their register, joined by `_`.
    pub name: String,
    /// Width in bits.
    pub width: u32,
    limbs: Limbs,
}

impl Watched {
    /// Writes its value, `ceil(width / 64)` limbs, lowest first.
    pub fn read(&self, to: &mut [u64]) {
        to.iter_mut().zip(&*self.limbs).for_each(|(to, limb)| *to = limb.get());
    }
}

#[derive(Default)]
struct Watch {
    scope: Vec<String>,
    found: Vec<Watched>,
}

thread_local! {
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
}

/// Runs `build` and returns all registers of the checked models that it has built, in order of their creation.
pub fn watched<R>(build: impl FnOnce() -> R) -> (R, Vec<Watched>) {
    let outer = WATCH.replace(Some(Watch::default()));
    let built = build();
    let watch = WATCH.replace(outer);
    (built, watch.map(|watch| watch.found).unwrap_or_default())
}

/// Builds a child.
pub(super) fn inside<R>(name: &str, build: impl FnOnce() -> R) -> R {
    let with = |f: fn(&mut Watch, &str)| WATCH.with_borrow_mut(|watch| watch.iter_mut().for_each(|w| f(w, name)));
    with(|watch, name| watch.scope.push(name.to_owned()));
    let built = build();
    with(|watch, _| {
        watch.scope.pop();
    });
    built
}

fn announce(name: String, width: u32) -> Option<Limbs> {
    WATCH.with_borrow_mut(|watch| {
        let watch = watch.as_mut()?;
        let limbs: Limbs = (0..width.div_ceil(64)).map(|_| Cell::new(0)).collect();
        watch.found.push(Watched { scope: watch.scope.clone(), name, width, limbs: limbs.clone() });
        Some(limbs)
    })
}

/// Where a record shows its value: one piece a leaf, or all leaves packed into one. Nothing if nobody watches.
pub(super) struct Mirror(Option<Box<[Limbs]>>);

impl Mirror {
    /// One piece a leaf, called after the leaf.
    pub(super) fn of_leaves<const N: usize, const CHECKED: bool, T: Signal<Logic = Model<N, CHECKED>>>(
        name: &str,
        shape: &T::Shape,
    ) -> Self {
        let leaves = || T::leaves_of(shape, name).into_iter();
        Mirror(CHECKED.then(|| leaves().map(|leaf| announce(leaf.name, leaf.width)).collect()).flatten())
    }

    /// All leaves side by side, the first in the highest bits: the row of a memory.
    pub(super) fn of_row<const N: usize, const CHECKED: bool, T: Signal<Logic = Model<N, CHECKED>>>(
        name: String,
        shape: &T::Shape,
    ) -> Self {
        let width = T::leaves_of(shape, "").iter().map(|leaf| leaf.width).sum();
        Mirror(CHECKED.then(|| announce(name, width).map(|limbs| [limbs].into())).flatten())
    }

    /// Whether anybody watches.
    pub(super) fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Shows a value, leaf by leaf.
    #[inline(always)]
    pub(super) fn show<const N: usize, const CHECKED: bool, T: Signal<Logic = Model<N, CHECKED>>>(&self, value: &T) {
        if CHECKED && let Some(pieces) = &self.0 {
            let mut pieces = pieces.iter();
            value.visit(&mut |leaf| {
                let piece = pieces.next().expect("a piece for every leaf");
                limbs(&leaf).zip(&**piece).for_each(|(limb, to)| to.set(limb));
            });
        }
    }

    /// Shows a row.
    #[inline(always)]
    pub(super) fn show_row<const N: usize, const CHECKED: bool, T: Signal<Logic = Model<N, CHECKED>>>(
        &self,
        value: &T,
    ) {
        if CHECKED && let Some([row]) = self.0.as_deref() {
            let mut leaves = Vec::new();
            value.visit(&mut |leaf| leaves.push(leaf));
            pack(leaves.iter().rev(), row);
        }
    }
}

fn width<const N: usize, const CHECKED: bool>(leaf: &Leaf<Model<N, CHECKED>>) -> u32 {
    match leaf {
        Leaf::Narrow(x) => x.width(),
        Leaf::Wide(x) => x.width(),
    }
}

fn limbs<const N: usize, const CHECKED: bool>(leaf: &Leaf<Model<N, CHECKED>>) -> impl Iterator<Item = u64> + '_ {
    let narrow = match leaf {
        Leaf::Narrow(x) => Some(x.value()),
        Leaf::Wide(_) => None,
    };
    let wide: &[u64] = match leaf {
        Leaf::Narrow(_) => &[],
        Leaf::Wide(x) => &x.limbs()[..x.width().div_ceil(64) as usize],
    };
    narrow.into_iter().chain(wide.iter().copied())
}

/// Leaves side by side, the first in the lowest bits.
fn pack<'a, const N: usize, const CHECKED: bool>(
    leaves: impl Iterator<Item = &'a Leaf<Model<N, CHECKED>>>,
    row: &[Cell<u64>],
) {
    row.iter().for_each(|limb| limb.set(0));
    let mut low = 0;
    for leaf in leaves {
        for (i, limb) in limbs(leaf).enumerate() {
            let (at, shift) = (low / 64 + i, low % 64);
            row[at].set(row[at].get() | limb << shift);
            // What does not fit goes on in the next limb, if there is anything of it.
            let rest = limb.checked_shr(64 - shift as u32).unwrap_or(0);
            if rest != 0 {
                row[at + 1].set(rest);
            }
        }
        low += width(leaf) as usize;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bits, Delay, Ram, RamShape, Reg, bits};

    type M = Model<2, true>;
    type Fast = Model<2, false>;

    fn find<'a>(found: &'a [Watched], name: &str) -> &'a Watched {
        found.iter().find(|one| one.name == name).unwrap_or_else(|| panic!("no {name} in {found:?}"))
    }

    fn value(one: &Watched) -> u64 {
        let mut limbs = [0; 2];
        one.read(&mut limbs);
        limbs[0]
    }

    #[test]
    fn a_register_shows_what_it_holds() {
        let start = || Reg::starting_at("q", &bits(8), Bits::<M>::lit(8, 7));
        let (register, found) = watched(start);
        assert_eq!((found.len(), value(find(&found, "q")), found[0].width), (1, 7, 8));
        register.set(Bits::lit(8, 9));
        assert_eq!(value(find(&found, "q")), 9);
        register.reset();
        assert_eq!(value(find(&found, "q")), 7);
    }

    #[test]
    fn a_delay_line_shows_the_newest_value_in_its_first_register() {
        let (line, found) = watched(|| Delay::<Bits<M>>::new("late", &bits(4), 3));
        (1..=4).for_each(|x| line.shift(Bits::lit(4, x)));
        assert_eq!(["late_1", "late_2", "late_3"].map(|name| value(find(&found, name))), [4, 3, 2]);
        line.reset();
        assert_eq!(value(find(&found, "late_2")), 0);
    }

    #[test]
    fn a_memory_shows_its_data_registers() {
        let shape = RamShape::new(4).reads(2);
        let (memory, found) = watched(|| Ram::<[Bits<M>; 2]>::new("rows", shape, &[bits(60), bits(8)]));
        memory.write(Bits::lit(2, 3), [Bits::lit(60, 5), Bits::lit(8, 0x96)]);
        memory.clock();
        memory.read_port(1, Bits::lit(2, 3));
        memory.clock();
        let names = ["rows_data_1_row", "rows_data_1", "rows_data_0"];
        assert_eq!(names.map(|name| value(find(&found, name))), [0x596, 0, 0]);
        memory.clock();
        assert_eq!(names.map(|name| value(find(&found, name))), [0x596, 0x596, 0]);
    }

    #[test]
    fn a_memory_of_latency_3_shows_each_of_its_registers() {
        let (memory, found) = watched(|| Ram::<Bits<M>>::new("rows", RamShape::new(4).latency(3), &bits(8)));
        for row in 0..4 {
            memory.write(Bits::lit(2, row), Bits::lit(8, 10 + row));
            memory.clock();
        }
        let names = ["rows_data_row", "rows_data_block", "rows_data"];
        let mut expected = [0; 3];
        // A row is read, or nothing, so that registers run and stand still in every combination.
        for pattern in 0..64_u64 {
            for clock in 0..6 {
                let reads = pattern >> clock & 1 == 1;
                expected = [if reads { 10 + (pattern + clock) % 4 } else { expected[0] }, expected[0], expected[1]];
                if reads {
                    memory.read(Bits::lit(2, (pattern + clock) % 4));
                }
                memory.clock();
                assert_eq!(names.map(|name| value(find(&found, name))), expected, "{pattern:b} {clock}");
                assert_eq!(memory.data().value(), expected[2]);
            }
        }
    }

    #[test]
    fn leaves_that_cross_a_limb_are_packed_whole() {
        let ram = RamShape::new(2);
        let (memory, found) = watched(|| Ram::<[Bits<M>; 2]>::new("rows", ram, &[bits(60), bits(10)]));
        memory.write(Bits::lit(1, 0), [Bits::lit(60, 0xabc << 48), Bits::lit(10, 0x3ff)]);
        memory.clock();
        memory.read(Bits::lit(1, 0));
        memory.clock();
        let mut limbs = [0; 2];
        find(&found, "rows_data_row").read(&mut limbs);
        assert_eq!((limbs, find(&found, "rows_data_row").width), ([0xabc << 58 | 0x3ff, 0xabc >> 6], 70));
    }

    #[test]
    fn the_fast_model_and_a_model_built_alone_have_no_mirrors() {
        let (_, found) = watched(|| Reg::<Bits<Fast>>::new("q", &bits(8)));
        assert!(found.is_empty());
        let alone = Reg::<Bits<M>>::new("q", &bits(8));
        alone.set(Bits::lit(8, 3));
        assert_eq!(alone.get().value(), 3);
    }
}
