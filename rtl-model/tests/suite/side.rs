// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals that a configuration leaves out, and what goes along with the beats of a stream.

use rtl_model::stream::{Axis, Beat, Side};
use rtl_model::*;

/// `[tid, tdest, tuser]`, bits; and the bits of `tuser` that are the channel's own.
const SHAPES: [([u32; 3], u32); 4] = [([0, 0, 0], 1), ([8, 4, 0], 5), ([8, 8, 97], 5), ([0, 0, 128], 1)];

fn side([tid, tdest, tuser]: [u32; 3]) -> Side<Shape> {
    Side::<Shape>::new(tid, tdest, tuser)
}

#[test]
fn what_has_no_width_has_no_port() {
    let ports = |widths, own| {
        let shape = Axis::shape(64, own, side(widths));
        let leaves = Axis::<Model>::leaves_of(&shape, "s_axis").into_iter().skip(4);
        leaves.map(|leaf| format!("{} {}", leaf.name, leaf.width)).collect::<Vec<_>>()
    };
    let expected = [
        vec!["s_axis_tuser 1"],
        vec!["s_axis_tid 8", "s_axis_tdest 4", "s_axis_tuser 5"],
        vec!["s_axis_tid 8", "s_axis_tdest 8", "s_axis_tuser 102"],
        vec!["s_axis_tuser 129"],
    ];
    for ((widths, own), expected) in SHAPES.into_iter().zip(expected) {
        assert_eq!(ports(widths, own), expected);
    }
}

/// Limbs of a record, each a value of its own.
fn limbs<T: Signal<Logic = Model>>(shape: &T::Shape) -> Vec<u64> {
    let leaves = T::leaves_of(shape, "").into_iter();
    let ones = |width: u32| (0..width.div_ceil(64)).map(move |i| u64::MAX >> (64 - (width - 64 * i).min(64)));
    let ones: Vec<_> = leaves.flat_map(|leaf| ones(leaf.width)).collect();
    ones.iter().zip(1_u64..).map(|(ones, i)| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) & ones).collect()
}

#[test]
fn a_channel_is_its_beat_and_back() {
    for (widths, own) in SHAPES {
        let shape = Axis::shape(64, own, side(widths));
        let input = limbs::<Axis<Model>>(&shape);
        let axis: Axis<Model> = read_limbs(&shape, &input);
        let beat = axis.beat(own);
        assert!(beat.fits(&Beat::shape(64, own, side(widths))), "{widths:?}");
        let mut output = vec![0; input.len()];
        write_limbs(&Axis::offer(axis.tvalid, beat), &mut output);
        assert_eq!(output, input, "{widths:?}");
    }
}

#[test]
fn the_users_bits_stand_above_those_of_the_channel() {
    let shape = Axis::shape(64, 5, side([0, 0, 4]));
    let axis: Axis<Model> = read_limbs(&shape, &[1, 0, 0, 1, 0b1010_00011]);
    let beat = axis.beat(5);
    assert_eq!((beat.tuser.value(), beat.side.tuser.map(|user| user.value().low())), (0b00011, Some(0b1010)));
}

#[test]
fn registers_hold_what_there_is() {
    for (widths, own) in SHAPES {
        let shape = Beat::shape(64, own, side(widths));
        let register = Reg::<Beat<Model>>::named("beat", &shape);
        let line = Delay::<Beat<Model>>::named("line", &shape, 2);
        let value = || read_limbs::<Beat<Model>>(&shape, &limbs::<Beat<Model>>(&shape));
        register.set(value());
        line.shift(value());
        line.shift(Beat::zero(&shape));
        let chosen = Beat::select(Bits::lit(1, 1), line.get(), Beat::zero(&shape));
        for held in [register.get(), line.get(), chosen] {
            let mut output = limbs::<Beat<Model>>(&shape);
            output.fill(0);
            write_limbs(&held, &mut output);
            assert_eq!(output, limbs::<Beat<Model>>(&shape), "{widths:?}");
        }
    }
}

#[test]
fn a_gate_passes_a_signal_or_nothing() {
    let lit = |width, value| Bits::<Model>::lit(width, value);
    assert_eq!([0, 1].map(|open| lit(8, 0xa5).gate(lit(1, open)).value()), [0, 0xa5]);
    // In a record every signal that is there.
    let shape = Axis::shape(64, 5, side([8, 0, 97]));
    let ones = limbs::<Axis<Model>>(&shape);
    let axis: Axis<Model> = read_limbs(&shape, &ones);
    for (open, expected) in [(0, vec![0; ones.len()]), (1, ones.clone())] {
        let gated = axis.gate(lit(1, open));
        let mut found = vec![u64::MAX; ones.len()];
        write_limbs(&gated, &mut found);
        assert!(gated.fits(&shape));
        assert_eq!(found, expected, "{open}");
    }
}
