// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tally` against a plain table of counters.

use pipeline::examples::tally::{TallyConfig, TallyEvent, TallyIn};
use rtl_model::model::Instance;
use rtl_model::{Bits, Design, Model, Stage, elaborate};
use std::collections::VecDeque;

const CONFIG: TallyConfig = TallyConfig { rows: 8, width: 12, amount_width: 5, ram_latency: 2 };

#[test]
fn counts_like_a_table_one_event_a_clock() {
    counts(CONFIG);
}

#[test]
fn counts_without_the_output_register_of_the_memory() {
    counts(TallyConfig { ram_latency: 1, ..CONFIG });
}

#[test]
fn counts_with_a_register_behind_the_output_register() {
    counts(TallyConfig { ram_latency: 3, ..CONFIG });
}

fn counts(config: TallyConfig) {
    let stage = Instance::new(|| config.build::<Model>());
    let mut table = [0u64; 8];
    let mut expected = VecDeque::new();
    let mut random = 1u64;
    let mut seen = 0;
    for cycle in 0..100_000 {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let out = stage.outputs();
        if out.done.valid.value() == 1 {
            assert_eq!(Some((out.done.row.value(), out.done.value.value())), expected.pop_front(), "cycle {cycle}");
            seen += 1;
        }
        let (valid, row, amount) = ((random >> 33) & 7 > 0, (random >> 40) % 3, (random >> 50) & 31);
        if valid && out.ready.value() == 1 {
            table[row as usize] = (table[row as usize] + amount) & 0xFFF;
            expected.push_back((row, table[row as usize]));
        }
        let event =
            TallyEvent { valid: Bits::lit(1, valid as u64), row: Bits::lit(3, row), amount: Bits::lit(5, amount) };
        stage.clock(&TallyIn { event });
        if cycle % 10_000 == 9_999 {
            stage.reset();
            table = [0; 8];
            expected.clear();
        }
    }
    assert!(seen > 80_000);
}

#[test]
fn elaborates() {
    let circuit = elaborate(&CONFIG).unwrap_or_else(|report| panic!("{report}"));
    let size = circuit.top().measure();
    assert_eq!(size.memories[0].bits(), 8 * 12);
    assert_eq!(circuit.modules.len(), 1);
}
