// SPDX-License-Identifier: MIT OR Apache-2.0
//! The entropy selector's model against the oracle, under random traffic at up to one request and one feedback per
//! clock cycle.

use golden_vectors::transmit::entropy_selector::oracle::{Command, Ev, Event, Kind, Op, Settings, Shape, answer};
use pipeline::transmit::entropy_selector::{EntropySelectorConfig, Modes, mode};
use testbench::Dut;
use testbench::device::model::model_of;
use testbench::device::random::Random;
use tier::pick;

/// Feedback is for EVs below `spread`: where that is less than `evs`, the rest are never marked.
fn run(config: EntropySelectorConfig, seed: u64, cycles: u64, spread: u64) {
    let EntropySelectorConfig { cccs, evs, ram_latency, modes, ports: egress, wire_base, wire_range, .. } = config;
    let mut dut = model_of(&config).expect("it elaborates");
    let mut random = Random::new(seed);
    let ports = dut.ports().clone();
    let pipeline = random.below(16);
    let settings = Settings::new(64 + random.below(100), random.below(300))
        .seed(random.below(1 << 32))
        .reps(random.below(12), random.below(12))
        .path(random.below(4), random.below(6));
    // What was granted last to each CCC: its upper bits are those of feedback.
    let mut granted = vec![0; cccs as usize];
    let (mut input, mut output) = (vec![0; ports.input_limbs()], vec![0; ports.output_limbs()]);
    let set = |input: &mut [u64], name: &str, value: u64| input[ports.input(name).expect(name).offset] = value;
    let get = |output: &[u64], name: &str| output[ports.output(name).expect(name).offset];
    let mut events = Vec::new();
    let mut grants = Vec::new();
    let mut responses = Vec::new();
    let (mut load, mut fb, mut focus, mut operate, mut reroute) = (1.0, 1.0, 1, 0.0, 0.0);
    for t in 0..cycles {
        dut.outputs(&mut output);
        if get(&output, "grant_valid") == 1 {
            let g = ["ccc", "open", "blocked", "ev", "saturated", "port"].map(|n| get(&output, &format!("grant_{n}")));
            if g[1] == 1 {
                granted[g[0] as usize] = g[3];
            }
            grants.push((t, g));
        }
        if get(&output, "response_valid") == 1 {
            let g = ["op", "ccc", "done", "open", "last", "marked", "mode", "space", "rtt_class"]
                .map(|n| get(&output, &format!("response_{n}")));
            responses.push((t, g));
        }
        if t % 300 == 0 {
            load = [0.2, 0.9, 1.0][random.below(3) as usize];
            fb = [0.0, 0.1, 0.5, 1.0][random.below(4) as usize];
            focus = 1 + random.below(cccs);
            operate = [0.0, 0.05, 1.0][random.below(3) as usize];
            reroute = [0.0, 0.05, 1.0][random.below(3) as usize];
        }
        input.fill(0);
        set(&mut input, "pipeline", pipeline);
        set(&mut input, "settings_valid", 1);
        set(&mut input, "settings_rtt", settings.rtt);
        set(&mut input, "settings_saturation", settings.saturation);
        set(&mut input, "settings_seed", settings.seed);
        set(&mut input, "settings_explore", settings.explore);
        set(&mut input, "settings_freeze", settings.freeze);
        set(&mut input, "settings_idle", settings.idle);
        set(&mut input, "settings_reroute", settings.reroute);
        let busy = t < cycles - 40;
        if busy && get(&output, "command_ready") == 1 && random.chance(if t < 2000 { 1.0 } else { operate }) {
            let ccc = random.below(cccs);
            let op = if t < 2000 { 1 } else { [0, 0, 0, 1, 2, 3, 3, 3, 4, 4, 5][random.below(11) as usize] };
            let start = random.below(evs);
            // With one mode beside the bitmap mostly that one.
            let only = modes.mask() & !1;
            let mode = match random.below(8) {
                _ if only == 0 => 0,
                0..=5 if only.is_power_of_two() => only.ilog2().into(),
                code => code,
            };
            let rod = random.chance(0.1);
            let space = if random.chance(0.3) { 0 } else { random.below(12) };
            let fixed = random.chance(0.5);
            let stride = if random.chance(0.6) { 0 } else { random.below(5) };
            let class = if random.chance(0.6) { 0 } else { random.below(8) };
            set(&mut input, "command_mode", mode);
            set(&mut input, "command_rod", rod.into());
            set(&mut input, "command_space", space);
            set(&mut input, "command_fixed", fixed.into());
            set(&mut input, "command_stride", stride);
            set(&mut input, "command_rtt_class", class);
            set(&mut input, "command_valid", 1);
            set(&mut input, "command_op", op);
            set(&mut input, "command_ccc", ccc);
            set(&mut input, "command_start", start);
            let command = Command { op: Op::of(op), ccc, start, fixed, stride, mode, rod, space, class };
            events.push((t, Event::Command(command)));
        }
        if busy && random.chance(fb) {
            let (ccc, kind) =
                (random.below(focus), if random.chance(0.05) { random.below(8) } else { random.below(4) });
            let last = granted[ccc as usize];
            let ev = match random.below(20) {
                0 => random.bits() & 0xffff,
                1..=5 => last,
                _ => (last & !(evs - 1)) + random.below(spread),
            };
            set(&mut input, "feedback_valid", 1);
            set(&mut input, "feedback_ccc", ccc);
            set(&mut input, "feedback_ev", ev);
            set(&mut input, "feedback_kind", kind);
            events.push((t, Event::Feedback(ccc, Ev::Wire(ev), Kind::of(kind))));
        }
        if busy && get(&output, "reroute_ready") == 1 && random.chance(reroute) {
            let ccc = random.below(focus);
            set(&mut input, "reroute_valid", 1);
            set(&mut input, "reroute_ccc", ccc);
            events.push((t, Event::Reroute(ccc)));
        }
        if busy && random.chance(load) {
            let ccc = random.below(focus);
            let free = if random.chance(0.7) { (1 << egress) - 1 } else { random.below(1 << egress) };
            set(&mut input, "request_valid", 1);
            set(&mut input, "request_ccc", ccc);
            set(&mut input, "request_free_ports", free);
            events.push((t, Event::Request(ccc, free)));
        }
        dut.clock(false, &input);
    }
    let shape = Shape::new(cccs, evs).ram_latency(ram_latency.into()).modes(modes.mask());
    let shape = shape.ports(egress).wire(wire_base, wire_range);
    let expected = answer(shape, settings.pipeline(pipeline), &events);
    for (got, want) in grants.iter().zip(&expected.grants) {
        let (open, blocked) = (want.open as u64, want.blocked as u64);
        let want = (want.cycle, [want.ccc, open, blocked, want.ev, want.saturated as u64, want.port]);
        assert_eq!(*got, want, "{config:?} seed {seed}: grants");
    }
    assert_eq!(grants.len(), expected.grants.len());
    for (got, want) in responses.iter().zip(&expected.responses) {
        let op = want.op.code();
        let (done, open) = (want.done as u64, want.open as u64);
        let want = (want.cycle, [op, want.ccc, done, open, want.last, want.marked, want.mode, want.space, want.class]);
        assert_eq!(*got, want, "{config:?} seed {seed}: responses");
    }
    assert_eq!(responses.len(), expected.responses.len());
    dut.outputs(&mut output);
    assert_eq!(get(&output, "refused_requests"), expected.refused_requests);
    assert_eq!(get(&output, "blocked_requests"), expected.blocked_requests);
    assert_eq!(get(&output, "feedback_closed"), expected.feedback_closed);
    assert_eq!(get(&output, "feedback_range"), expected.feedback_range);
}

fn answers_as_the_contract_says(ram_latency: u32) {
    let sizes = [(1, 16), (3, 32), (4, 64), (5, 128), (7, 256), (2, 1024)];
    for (seed, (cccs, evs)) in pick((0..24).flat_map(|seed| sizes.map(|size| (seed, size))), 7) {
        let spread = [evs, evs / 2, evs + 2][seed as usize % 3];
        run(EntropySelectorConfig::new(cccs, evs).ram_latency(ram_latency), seed, 6000, spread);
    }
}

/// Latency, seed and size of 120 runs of each size.
fn runs(sizes: [(u64, u64); 3]) -> impl Iterator<Item = (u32, u64, (u64, u64))> {
    let of_seed = move |(latency, seed)| sizes.map(|size| (latency, seed, size));
    (1..=3).flat_map(|latency| (0..40).map(move |seed| (latency, seed))).flat_map(of_seed)
}

/// One CCC, a few, and many, with every mode; most feedback is GOOD, or most is not.
#[test]
fn every_mode_answers_as_the_contract_says() {
    for (ram_latency, seed, (cccs, evs)) in pick(runs([(1, 16), (3, 32), (12, 256)]), 7) {
        let config = EntropySelectorConfig::new(cccs, evs).ram_latency(ram_latency).modes(Modes::ALL);
        let config = config.ports([1, 2, 8][seed as usize % 3]);
        run(config, seed, 6000, [evs, 5, evs + 2][seed as usize % 3]);
    }
}

/// Penalties that come and go: in small spaces the walk comes round before it has seen its own effects.
#[test]
fn penalties_are_counted_as_the_contract_says() {
    let modes = Modes::of_mask(1 << mode::BITMAP | 1 << mode::PENALTY).expect("there are such modes");
    for (ram_latency, seed, (cccs, evs)) in pick(runs([(1, 16), (2, 32), (5, 256)]), 7) {
        let config = EntropySelectorConfig::new(cccs, evs).ram_latency(ram_latency).modes(modes);
        run(config, seed, 6000, [evs, 5, evs + 2, 2][seed as usize % 4]);
    }
}

#[test]
fn random_traffic_is_answered_as_the_contract_says() {
    answers_as_the_contract_says(2);
}

#[test]
fn it_is_without_output_registers_of_memories() {
    answers_as_the_contract_says(1);
}

#[test]
fn it_is_with_a_register_behind_those() {
    answers_as_the_contract_says(3);
}
