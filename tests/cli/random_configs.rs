// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configurations at random: some keys have values from all that their comments allow. A command does what it is asked
//! for (0), finds that something does not fit (1), or says what is wrong (2). Anything else is a defect.

use crate::Place;
use tier::is_all;

/// A key with its table and what its comment allows.
struct Key {
    table: String,
    name: String,
    allowed: String,
    default: String,
}

/// The keys of the printed configuration.
fn keys(place: &Place) -> Vec<Key> {
    let text = place.run("--print-config").good();
    let (mut keys, mut table, mut allowed) = (Vec::new(), String::new(), "");
    // Without --config, what is printed are the defaults.
    for line in text.lines() {
        if let Some(comment) = line.strip_prefix("# ") {
            // The last line of the comment ends in `(default VALUE)`.
            allowed = comment.split(" (default ").next().unwrap_or_default();
        } else if let Some(name) = line.strip_prefix('[') {
            name.trim_end_matches(']').clone_into(&mut table);
        } else if let Some((name, value)) = line.split_once(" = ") {
            keys.push(Key {
                table: table.clone(),
                name: name.to_owned(),
                allowed: allowed.to_owned(),
                default: value.to_owned(),
            });
        }
    }
    assert!(keys.len() > 100, "{} keys", keys.len());
    keys
}

struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }

    /// A value of the key; `None` for names.
    fn value(&mut self, allowed: &str) -> Option<String> {
        if let Some((before, range)) = allowed.split_once("number from ") {
            if before.contains("auto") && self.below(3) == 0 {
                return Some("\"auto\"".to_owned());
            }
            let (low, high) = range.split_once(" to ")?;
            return Some(match self.below(4) {
                0 => low.to_owned(),
                1 => high.to_owned(),
                _ => self.between(low.parse().ok()?, high.parse().ok()?, before.contains("whole")),
            });
        }
        let choices: Vec<_> = allowed.split(", ").flat_map(|part| part.split(" or ")).collect();
        (choices.len() > 1 && !allowed.starts_with("a name")).then(|| choices[self.below(choices.len())].to_owned())
    }

    /// A number between these, small ones as often as large ones.
    fn between(&mut self, low: f64, high: f64, is_whole: bool) -> String {
        let part = self.below(1001) as f64 / 1000.0;
        let value = low + ((high - low + 1.0).powf(part) - 1.0);
        if is_whole {
            format!("{:.0}", value.floor().clamp(low, high))
        } else {
            format!("{:.3}", value.clamp(low, high))
        }
    }
}

/// A configuration in which some keys have a value. Names decide which, not places: a new key leaves most configurations as they are.
fn config(keys: &[Key], random: &mut Random) -> String {
    let (count, seed) = (1 + random.below(10), random.below(1 << 30) as u64);
    let order = |at: &usize| {
        let name = keys[*at].table.bytes().chain(keys[*at].name.bytes());
        name.fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(6_364_136_223_846_793_005))
    };
    let mut chosen: Vec<_> = (0..keys.len()).collect();
    chosen.sort_by_key(order);
    chosen.truncate(count);
    chosen.sort_unstable();
    let (mut text, mut table) = (String::new(), "");
    for key in chosen.into_iter().map(|at| &keys[at]) {
        let Some(value) = random.value(&key.allowed) else { continue };
        if key.table != table {
            table = &key.table;
            text += &format!("[{table}]\n");
        }
        text += &format!("{} = {value}\n", key.name);
    }
    text
}

const STAGES: [&str; 17] = [
    "header_parser",
    "header_builder",
    "icrc",
    "frame_gate",
    "context_lookup",
    "reorder",
    "ack_generator",
    "entropy_selector",
    "path_scheduler",
    "ccc_table",
    "packet_tracker",
    "credit_pacer",
    "lia_router",
    "rx",
    "tx",
    "nic",
    "elab_host",
];

#[test]
fn no_configuration_is_a_defect() {
    let place = Place::fresh();
    let keys = keys(&place);
    let (mut statuses, mut told) = ([0; 3], 0);
    for seed in 0..if is_all() { 2000 } else { 32 } {
        let mut random = Random(seed);
        place.write("nic.toml", config(&keys, &mut random));
        let stage = STAGES[random.below(STAGES.len())];
        // The last two make vectors, which takes its time.
        let commands = ["settings", "budget --stage", "rtl --out o --force --stage", "model --out o --force --stage"];
        let command = commands[random.below(if is_all() { 4 } else { 2 })];
        let line = if command == "settings" { command.to_owned() } else { format!("{command} {stage}") };
        let ran = place.run(&format!("{line} --config nic.toml"));
        let known = usize::try_from(ran.status).ok().filter(|status| *status < 3);
        let Some(status) = known else { panic!("seed {seed}, {line}:\n{}{}", place.read("nic.toml"), ran.err) };
        assert!(status != 2 || !ran.err.is_empty(), "seed {seed}, {line}: nothing is said");
        statuses[status] += 1;
        if status != 2 {
            let unused = in_vain(&place.read("nic.toml"), &keys, command);
            let silent: Vec<_> = unused.iter().filter(|key| !ran.err.contains(&format!("`{key}` = "))).collect();
            assert!(silent.is_empty(), "seed {seed}, {line}: {silent:?}\n{}{}", place.read("nic.toml"), ran.err);
            told += unused.len();
        }
    }
    assert!(statuses.iter().all(|count| *count > 0) || !is_all(), "{statuses:?}");
    assert!(told > 5, "{told}");
}

/// The keys of a configuration that are of stages and blocks in no pipeline and of none that is asked for, and have not
/// their defaults.
fn in_vain(text: &str, keys: &[Key], command: &str) -> Vec<String> {
    let (mut unused, mut table) = (Vec::new(), "");
    for line in text.lines() {
        if let Some(name) = line.strip_prefix('[') {
            table = name.trim_end_matches(']');
        } else if let Some((name, value)) = line.split_once(" = ") {
            let key = keys.iter().find(|key| key.table == table && key.name == name).expect("a key");
            let apart = ["tally", "fifo", "skid_buffer", "arbiter", "mark_monitor"].contains(&table);
            if apart && !command.ends_with(table) && key.default != value {
                unused.push(format!("{table}.{name}"));
            }
        }
    }
    unused
}
