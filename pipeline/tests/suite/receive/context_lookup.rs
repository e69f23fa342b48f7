// SPDX-License-Identifier: MIT OR Apache-2.0
//! `context_lookup` against a plain map, with a look-up in every clock cycle.

use pipeline::receive::context_lookup::{Command, ContextLookupConfig, ContextLookupIn, KeyKinds, Lookup, op};
use rtl_model::model::Instance;
use rtl_model::{Bits, Design, Model, Stage, elaborate};
use std::collections::{HashMap, VecDeque};
use tier::pick;

/// A PDC identifier of UET; the table has 32 rows.
const SMALL: ContextLookupConfig =
    ContextLookupConfig { entries: 16, kinds: KeyKinds { rocev2: false, uet: true, elab: false }, ram_latency: 2 };
/// All kinds of key.
const WIDE: ContextLookupConfig =
    ContextLookupConfig { kinds: KeyKinds { rocev2: true, uet: true, elab: true }, ..SMALL };

#[test]
fn finds_what_a_map_finds_one_look_up_a_clock() {
    for (ram_latency, config, seed) in
        pick([1, 2, 3].into_iter().flat_map(|l| [(l, SMALL, 0x9E37), (l, WIDE, 0x79B9)]), 2)
    {
        run(ContextLookupConfig { ram_latency, ..config }, seed);
    }
}

/// A kind, and the four words of a key.
type Key = (u64, [u64; 4]);

/// A command that has been accepted.
struct Pending {
    /// The first clock cycle of look-ups that see it.
    effect: u64,
    op: u64,
    key: Key,
    index: u64,
    /// What the response says; it comes before the first answer that depends on it.
    done: bool,
}

/// Random commands on so many keys that the table is full much of the time.
fn run(config: ContextLookupConfig, seed: u64) {
    let stage = Instance::new(|| config.build::<Model>());
    let l = u64::from(config.ram_latency);
    let keys = keys(config);
    let mut random = seed;
    let mut draw = move |below: u64| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) % below
    };
    let mut table: HashMap<Key, u64> = HashMap::new();
    let (mut pending, mut asked) = (VecDeque::<Pending>::new(), VecDeque::new());
    let (mut found, mut unknown, mut full, mut most) = (0, [0; 4], 0, 0);
    for cycle in 0..60_000_u64 {
        let out = stage.outputs();
        if out.response.valid.value() == 1 {
            let command = pending.back_mut().expect("a command");
            assert_eq!(cycle, command.effect + 1);
            // The map lags behind: no answer has needed it yet.
            let before = table.get(&command.key).copied();
            let is_full = out.response.full.value() == 1;
            command.done = match command.op {
                op::INSERT => before.is_none() && !is_full && included(config, command.key.0),
                op::REMOVE => before.is_some(),
                op => op == op::READ && included(config, command.key.0),
            };
            assert_eq!(out.response.done.value(), u64::from(command.done), "cycle {cycle}");
            assert_eq!(out.response.present.value(), u64::from(before.is_some()), "cycle {cycle}");
            assert_eq!(out.response.index.value(), before.unwrap_or(0), "cycle {cycle}");
            assert!(!is_full || table.len() >= 24, "full with {} keys", table.len());
            full += u64::from(is_full);
        }
        if out.answer.valid.value() == 1 {
            let (at, key) = asked.pop_front().expect("a look-up");
            assert_eq!(cycle, at + l + 3);
            while pending.front().is_some_and(|command| command.effect <= at) {
                let command = pending.pop_front().expect("the one in front");
                match command.op {
                    op::INSERT if command.done => drop(table.insert(command.key, command.index)),
                    op::REMOVE if command.done => drop(table.remove(&command.key)),
                    _ => {}
                }
            }
            let index = table.get(&key);
            most = most.max(table.len());
            assert_eq!(out.answer.found.value(), u64::from(index.is_some()), "cycle {cycle}, {key:?}");
            assert_eq!(out.answer.index.value(), index.copied().unwrap_or(0), "cycle {cycle}, {key:?}");
            found += u64::from(index.is_some());
            let counter = if included(config, key.0) { key.0 as usize } else { 3 };
            unknown[counter] += u64::from(index.is_none());
        }
        let [key, other] = [0, 0].map(|_| keys[draw(keys.len() as u64) as usize]);
        asked.push_back((cycle, key));
        // More inserts than removes at first, and the reverse later.
        let code = if draw(8) < 1 + cycle / 15_000 { draw(4) } else { op::INSERT };
        let command = Pending { effect: cycle + l + 3, op: code, key: other, index: draw(16), done: false };
        let offered = draw(4) > 0;
        stage.clock(&input(config, key, offered, &command));
        if offered && out.command_ready.value() == 1 {
            pending.push_back(command);
        }
        if cycle == 30_000 {
            stage.reset();
            (table, pending, asked, unknown) = Default::default();
        }
    }
    for _ in 0..l + 5 {
        let command = Pending { effect: 0, op: 0, key: keys[0], index: 0, done: false };
        let mut idle = input(config, keys[0], false, &command);
        idle.lookup.valid = Bits::lit(1, 0);
        let out = stage.outputs();
        if out.answer.valid.value() == 1 && out.answer.found.value() == 0 {
            let (_, (kind, _)) = asked.pop_front().expect("a look-up");
            unknown[if included(config, kind) { kind as usize } else { 3 }] += 1;
        } else if out.answer.valid.value() == 1 {
            asked.pop_front();
        }
        stage.clock(&idle);
    }
    let out = stage.outputs();
    let counted = [out.unknown_rocev2, out.unknown_uet, out.unknown_elab, Some(out.unknown_kinds)];
    assert_eq!(counted.map(|count| count.map_or(0, Bits::value)), unknown);
    assert!(found > 20_000 && full > 20 && most >= 30, "{found} found, {full} full, {most} at most");
}

fn included(config: ContextLookupConfig, kind: u64) -> bool {
    config.kinds.codes().contains(&kind)
}

/// Keys of all kinds; some differ from each other in one bit only, or in their kind.
fn keys(config: ContextLookupConfig) -> Vec<Key> {
    let narrow = (0..20).map(|at| [(at * 0x1111) & 0x1FFFF, 0, 0, 0]);
    let wide = (0..20).map(|at| [0xFE, 1 << 63, at << 58, at & 1]);
    let kinds = config.kinds.codes();
    let mut keys: Vec<Key> = narrow.map(|words| (kinds[0], words)).collect();
    if config.kinds.elab {
        keys.extend(wide.map(|words| (2, words)));
        keys.extend((0..4).map(|at| (1, [at * 0x1111, 0, 0, 0])));
    } else {
        keys.extend((20..40).map(|at| (1, [(at * 0x0A1B) & 0x1FFFF, 0, 0, 0])));
    }
    keys.push((3, keys[0].1));
    keys
}

fn input(config: ContextLookupConfig, asked: Key, offered: bool, command: &Pending) -> ContextLookupIn<Model> {
    let low = config.kinds.key_width().min(64);
    let words = |key: Key| key.1.map(|word| Bits::lit(64, word));
    let high = |key: Key, at: usize| config.kinds.elab.then(|| words(key)[at]);
    ContextLookupIn {
        lookup: Lookup {
            valid: Bits::lit(1, 1),
            kind: Bits::lit(2, asked.0),
            key: words(asked)[0].truncate(low),
            key_1: high(asked, 1),
            key_2: high(asked, 2),
            key_3: high(asked, 3),
        },
        command: Command {
            valid: Bits::lit(1, offered.into()),
            op: Bits::lit(2, command.op),
            kind: Bits::lit(2, command.key.0),
            key: words(command.key)[0].truncate(low),
            key_1: high(command.key, 1),
            key_2: high(command.key, 2),
            key_3: high(command.key, 3),
            index: Bits::lit(4, command.index),
        },
    }
}

#[test]
fn elaborates_with_keys_of_the_included_kinds_only() {
    let row = |rocev2, uet, elab| {
        let kinds = KeyKinds { rocev2, uet, elab };
        let config = ContextLookupConfig { entries: 256, kinds, ram_latency: 2 };
        let circuit = elaborate(&config).unwrap_or_else(|report| panic!("{report}"));
        let memories = circuit.top().measure().memories;
        assert_eq!(memories.len(), 4);
        memories[0].bits() / config.rows()
    };
    assert_eq!(row(true, false, false), 1 + 24 + 8);
    assert_eq!(row(true, true, false), 1 + 1 + 24 + 8);
    assert_eq!(row(true, true, true), 1 + 2 + 256 + 8);
}
