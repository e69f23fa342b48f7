// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests the text of each operation and statement, and that compiled C computes the right values.

mod compiled;

use super::*;
use crate::place::place;
use crate::program::{Cell, Memory, Statement};
use crate::tests::Make;
use crate::words::Words;
use rtl_model::{Linear, Table};

fn texts(make: Make) -> (String, String) {
    let (mut outputs, window) = (make.0.clone(), Window::default());
    outputs.blocks[0].statements.clear();
    outputs.roots = outputs.outputs.iter().flat_map(|(_, limbs)| limbs.clone()).collect();
    print("m", "/* By hand. */", &place(make.0, &window), &place(outputs, &window), &window)
}

/// The lines of a function, without indentation.
fn function(source: &str, head: &str) -> Vec<String> {
    let body = source.lines().skip_while(|line| !line.contains(head)).skip(1).take_while(|line| *line != "}");
    body.map(|line| line.trim().to_owned()).collect()
}

/// The right side of an assignment of the word that `of` makes from inputs a and b of `width` bits and c of one.
fn expression(width: u32, of: impl Fn(&mut Words, WordId, WordId, WordId) -> WordId) -> String {
    let mut make = Make::new();
    let (a, b, c) = (make.input("a", width), make.input("b", width), make.input("c", 1));
    let word = of(&mut make.0.words, a, b, c);
    let (cell, was) = make.cell("kept", make.0.words.width(word));
    make.run(Make::set(cell, word));
    make.output("out", was);
    let lines = function(&texts(make).1, "static inline void edge");
    let line = lines.iter().find_map(|line| line.strip_prefix("s->kept = ")).expect("an assignment");
    let line = line.strip_suffix(';').expect("a statement");
    // Removes the type of the field, which is not tested here.
    match line.split_once("_t)(") {
        Some((kind, rest)) if kind.starts_with("(uint") => rest.strip_suffix(')').expect("a cast").to_owned(),
        _ => line.to_owned(),
    }
}

#[test]
fn what_may_have_bits_above_its_width_is_masked() {
    let mask =
        |width| ["1ull", "0x7fffffffffffffffull", ""][[1, 63, 64].iter().position(|&w| w == width).expect("one")];
    for width in [63, 64] {
        let (all, a, b) = match width {
            64 => (String::new(), "in->a".to_owned(), "in->b".to_owned()),
            _ => (
                format!(" & {}", mask(width)),
                format!("(in->a & {})", mask(width)),
                format!("(in->b & {})", mask(width)),
            ),
        };
        let cut = |text: String| if width == 64 { text } else { format!("({text}){all}") };
        assert_eq!(expression(width, |w, a, b, _| w.add(a, b)), cut(format!("{a} + {b}")));
        assert_eq!(expression(width, |w, a, b, _| w.sub(a, b)), cut(format!("{a} - {b}")));
        assert_eq!(expression(width, |w, a, b, _| w.mul(a, b, width)), cut(format!("{a} * {b}")));
        assert_eq!(expression(width, |w, a, b, _| w.and(a, b)), format!("{a} & {b}"));
        assert_eq!(expression(width, |w, _, _, c| w.fill(c, width)), cut("0ull - (in->c & 1ull)".replace("0ull", "0")));
        let ones = if width == 64 { "0xffffffffffffffffull" } else { mask(width) };
        assert_eq!(expression(width, |w, a, _, _| w.not(a)), format!("{a} ^ {ones}"));
        let shift = |w: &mut Words, a, b| {
            let by = w.low(b, 6);
            w.shift_by(Op::ShlBy, a, by)
        };
        assert_eq!(expression(width, |w, a, b, _| shift(w, a, b)), cut(format!("{a} << ({b} & 0x3full)")));
    }
    assert_eq!(expression(1, |w, a, b, _| w.and(a, b)), "(in->a & 1ull) & (in->b & 1ull)");
    assert_eq!(expression(1, |w, a, _, _| w.not(a)), "(in->a & 1ull) ^ 1");
    assert_eq!(expression(64, |w, a, _, _| w.low(a, 63)), "in->a & 0x7fffffffffffffffull");
}

#[test]
fn signs_stand_in_the_highest_bit_of_what_is_compared() {
    let less = |width| expression(width, |w, a, b, _| w.lt_signed(a, b));
    assert_eq!(less(64), "(int64_t)(in->a << 0) < (int64_t)(in->b << 0)");
    assert_eq!(
        less(63),
        "(int64_t)((in->a & 0x7fffffffffffffffull) << 1) < (int64_t)((in->b & 0x7fffffffffffffffull) << 1)"
    );
}

#[test]
fn comparisons_are_values_of_64_bits_where_one_is_wanted() {
    let wider = expression(64, |w, a, b, _| {
        let equal = w.eq(a, b);
        w.resize(equal, 33)
    });
    assert_eq!(wider, "(u64)(in->a == in->b)");
    let chosen = expression(64, |w, a, b, _| {
        let less = w.lt(a, b);
        w.select(less, a, b)
    });
    assert_eq!(chosen, "(in->a < in->b) ? in->a : in->b");
}

#[test]
fn numbers_read_as_people_write_them() {
    let numbers = [0, 9, 10, 1023, 1024, u64::MAX].map(expression::number);
    assert_eq!(numbers, ["0ull", "9ull", "10ull", "1023ull", "0x400ull", "0xffffffffffffffffull"]);
}

#[test]
fn fields_are_as_small_as_their_registers() {
    let mut make = Make::new();
    for width in [1, 8, 9, 16, 17, 32, 33, 64] {
        let (_, was) = make.cell(&format!("r{width}"), width);
        make.output(&format!("o{width}"), was);
    }
    let register = make.0.cells.len();
    for (limb, width) in [(0, 64), (1, 6)] {
        make.0.cells.push(Cell { register, limb, width, init: 0, reset: false, name: "broad".into(), wide: true });
    }
    let limbs = [(8, 64), (9, 6)].map(|(cell, width)| make.0.words.leaf(Op::Cell(cell), width));
    make.0.outputs.push(("broad".into(), limbs.to_vec()));
    make.0.cells.push(Cell {
        register: register + 1,
        limb: 0,
        width: 8,
        init: 0,
        reset: false,
        name: "unused".into(),
        wide: false,
    });
    let (header, _) = texts(make);
    let fields: Vec<_> = header
        .lines()
        .skip_while(|line| !line.contains("All that one"))
        .skip(2)
        .take_while(|line| !line.contains('}'))
        .collect();
    let expected =
        ["8_t r1", "8_t r8", "16_t r9", "16_t r16", "32_t r17", "32_t r32", "64_t r33", "64_t r64", "64_t broad[2]"];
    assert_eq!(
        fields.iter().map(|line| line.trim()).collect::<Vec<_>>(),
        expected.map(|field| format!("uint{field};"))
    );
}

#[test]
fn names_are_distinct_and_none_of_the_languages() {
    let mut make = Make::new();
    let word = make.input("int", 8);
    for _ in 0..2 {
        let (cell, was) = make.cell("register", 8);
        make.run(Make::set(cell, word));
        make.output(&format!("out{cell}"), was);
    }
    let (header, source) = texts(make);
    assert!(header.contains("uint64_t int_2; /* 8 */"), "{header}");
    let edge = function(&source, "static inline void edge");
    assert_eq!(
        edge,
        ["s->register_2 = (uint8_t)(in->int_2 & 0xffull);", "s->register_3 = (uint8_t)(in->int_2 & 0xffull);"]
    );
}

/// A word with the name of a table that it is read from.
#[test]
fn a_word_does_not_hide_a_table() {
    let mut make = Make::new();
    let (x, (cell, _)) = (make.input("x", 2), make.cell("out", 8));
    make.0.tables.push(Table::new(8, [1, 2, 3, 4]).named("square"));
    let looked = make.0.words.look_up(Op::Table(0), x, 8);
    make.0.words.set_name(looked, "square".into());
    let sum = make.0.words.add(looked, looked);
    make.run(Make::set(cell, sum));
    let (_, source) = texts(make);
    let edge = function(&source, "static inline void edge").join("\n");
    assert!(edge.contains("const u64 square_2 = (u64)square[in->x & 3ull];"), "{edge}");
}

#[test]
fn branches_rows_tables_and_maps() {
    let mut make = Make::new();
    let (x, at) = (make.input("x", 2), make.input("index", 2));
    let [(a, was_a), (b, was_b), (d, was_d)] = ["a", "b", "d"].map(|name| make.cell(name, 8));
    make.0.tables.push(Table::new(8, [1, 2, 3, 4]).named("square"));
    make.0.maps.push(Linear::new(&[1, 3]));
    make.0.memories.push(Memory { name: "rows".into(), depth: 4, width: 8, lanes: 1 });
    let looked = make.0.words.look_up(Op::Table(0), x, 8);
    let image = make.0.words.look_up(Op::Linear(0), at, 32);
    let image = make.0.words.low(image, 8);
    let two = make.block(vec![Make::set(a, looked)]);
    let others = make.block(vec![Make::set(b, image)]);
    make.run(Statement::Case { subject: x, arms: vec![(2, two)], otherwise: others });
    make.run(Statement::Read { memory: 0, to: vec![Some(d)], address: at, hold: None });
    make.run(Statement::Write { memory: 0, address: at, lane: None, data: vec![was_a] });
    [("oa", was_a), ("ob", was_b), ("od", was_d)].into_iter().for_each(|(name, word)| make.output(name, word));
    let (header, source) = texts(make);
    assert!(header.contains("uint8_t rows[4];"), "{header}");
    assert!(source.contains("static const uint8_t square[4] = {\n    0x1, 0x2, 0x3, 0x4,\n};"), "{source}");
    assert!(source.contains("return linear_bytes[0][x & 255];"), "{source}");
    let edge = function(&source, "static inline void edge").join("\n");
    assert!(
        edge.contains("case 2ull: {\ns->a = (uint8_t)((u64)square[in->x & 3ull]);\nbreak;\n}\ndefault: {"),
        "{edge}"
    );
    assert!(edge.contains("s->b = (uint8_t)(linear(in->index & 3ull) & 0xffull);"), "{edge}");
    assert!(edge.contains("s->d = (uint8_t)(s->rows[in->index & 3ull]);"), "{edge}");
}
