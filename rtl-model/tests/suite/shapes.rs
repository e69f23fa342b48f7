// SPDX-License-Identifier: MIT OR Apache-2.0
//! Widths that stand at the fields of bundles.

use rtl_model::{Bits, Bundle, Model, Reading, Shape, Signal, Wide, bits};

#[derive(Clone, Copy)]
struct Config {
    rows: u32,
    tagged: bool,
}

impl Config {
    fn row(self) -> Bits<Shape> {
        bits(self.rows.ilog2())
    }

    fn tagged<T>(self, value: T) -> Option<T> {
        self.tagged.then_some(value)
    }
}

#[derive(Bundle)]
#[shape]
struct Flags<L: Reading> {
    first: Bits<L>,
    last: Bits<L>,
}

#[derive(Bundle)]
#[shape(config: Config)]
struct Key<L: Reading> {
    #[shape(config.row())]
    row: Bits<L>,
}

#[derive(Bundle)]
#[shape(config: Config, data: u32)]
struct Item<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[width(data)]
    data: Wide<L>,
    #[width(config.tagged(5))]
    tag: Option<Bits<L>>,
    #[width(config.tagged(2 * data))]
    side: Option<Wide<L>>,
    #[width(data / 2)]
    halves: [Wide<L>; 2],
    #[shape([config.row(); 2])]
    rows: [Bits<L>; 2],
    #[shape(Key::shape(config))]
    key: Key<L>,
    marks: Flags<L>,
    #[shape(config.tagged(Flags::shape()))]
    flags: Option<Flags<L>>,
}

/// A bundle in a bundle has the same parameters, or none.
#[derive(Bundle)]
#[shape(config: Config, data: u32)]
struct Outer<L: Reading> {
    inner: Item<L>,
}

fn leaves(shape: &Outer<Shape>) -> Vec<(String, u32, bool, bool)> {
    let leaves = Outer::<Model>::leaves_of(shape, "");
    leaves.into_iter().map(|leaf| (leaf.name, leaf.width, leaf.wide, leaf.reset)).collect()
}

#[test]
fn every_field_has_its_width() {
    let names = [
        "valid",
        "data",
        "tag",
        "side",
        "halves_0",
        "halves_1",
        "rows_0",
        "rows_1",
        "key_row",
        "marks_first",
        "marks_last",
        "flags_first",
        "flags_last",
    ];
    let widths = [1, 128, 5, 256, 64, 64, 10, 10, 10, 1, 1, 1, 1];
    let leaf = |(name, width): (&str, u32)| {
        (format!("inner_{name}"), width, ["data", "side", "halves_0", "halves_1"].contains(&name), name == "valid")
    };
    let expected: Vec<_> = names.into_iter().zip(widths).map(leaf).collect();
    assert_eq!(leaves(&Outer::shape(Config { rows: 1024, tagged: true }, 128)), expected);
}

#[test]
fn what_is_left_out_has_no_leaves() {
    let names: Vec<_> =
        leaves(&Outer::shape(Config { rows: 16, tagged: false }, 64)).into_iter().map(|leaf| leaf.0).collect();
    let expected =
        ["valid", "data", "halves_0", "halves_1", "rows_0", "rows_1", "key_row", "marks_first", "marks_last"];
    assert_eq!(names, expected.map(|name| format!("inner_{name}")));
}

#[test]
fn the_trait_has_a_method_of_the_same_name() {
    let shape = Flags::shape();
    assert!(Flags::<Model>::zero(&shape).shape().first.bits() == 1);
}
