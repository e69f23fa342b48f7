// SPDX-License-Identifier: MIT OR Apache-2.0
//! `reorder` with check bits (rows R22 to R25), with handles and with frames in a pool: every bit of its memories flips under
//! traffic, and nothing but the counter tells; pairs are reported; model and Verilated RTL agree meanwhile.

use crate::common::soak;
use crate::common::upsets::Pair;
use pipeline::blocks::secded::Protection;
use pipeline::receive::reorder::{Hold, PayloadConfig, Reorder, ReorderConfig};
use rtl_model::model::Instance;
use rtl_model::{Design, Model, elaborate};
use testbench::device::drive::{Drive, RandomDrive};
use testbench::device::model::ModelDut;
use testbench::device::random::Random;
use testbench::drives::reorder::{Counts, ReorderDrive};
use testbench::drives::reorder_frames::FrameDrive;
use testbench::lockstep::readings::Readings;
use testbench::{Dut, Port, Ports};
use tier::{is_all, pick};

/// A pool of 32 cells of 16 beats.
const CELLS: u64 = 32;
const CELL: u64 = 16;

/// Two connections, so that all rows are in use.
fn config(hold: Hold, ram_latency: u32, sram_protection: Protection) -> ReorderConfig {
    ReorderConfig { paths: 2, handle_bits: 4, hold, ram_latency, sram_protection, ..ReorderConfig::new(2, 64) }
}

/// Each way to hold with memories of each latency.
fn configs(sram_protection: Protection) -> impl Iterator<Item = ReorderConfig> {
    of_cells(CELLS, CELL, sram_protection)
}

/// The same with a pool of so many cells of so many beats.
fn of_cells(cells: u64, beats: u64, sram_protection: Protection) -> impl Iterator<Item = ReorderConfig> {
    let pool = PayloadConfig { cell_bytes: 8 * beats, quota: cells, reserve: 0, ..PayloadConfig::new(64, cells) };
    let holds = [Hold::Descriptor, Hold::Payload(pool)];
    holds.into_iter().flat_map(move |hold| [2, 3].map(|ram_latency| config(hold, ram_latency, sram_protection)))
}

fn drive(ports: &Ports, config: &ReorderConfig, seed: u64) -> Box<dyn Drive> {
    let (random, counts) = (Random::new(seed), Counts::default());
    match config.hold {
        Hold::Descriptor => Box::new(ReorderDrive::new(ports, config.window, random, counts).expect("the ports")),
        Hold::Payload(pool) => {
            let beats = pool.cell_bytes * 8 / u64::from(pool.data_width);
            Box::new(FrameDrive::new(ports, pool.cells, beats, random, counts).expect("the ports").dense())
        }
    }
}

/// A stage under traffic.
struct Running {
    model: ModelDut<Reorder<Model>>,
    memories: Vec<&'static str>,
    ports: Ports,
    out: Vec<u64>,
}

impl Running {
    fn new(config: ReorderConfig) -> Running {
        let circuit = elaborate(&config).expect("it elaborates");
        let ports = Ports::of_module(circuit.top());
        let model = ModelDut::new(Instance::new(|| config.build::<Model>()), ports.clone());
        Running { model, memories: config.memories(), out: vec![0; ports.output_limbs()], ports }
    }

    /// An output in this clock cycle.
    fn output(&self, name: &str) -> u64 {
        self.out[self.ports.output(name).expect("an output").offset]
    }

    fn clock(&mut self, reset: bool, input: &[u64]) {
        self.model.clock(reset, input);
        self.model.outputs(&mut self.out);
    }

    /// Number of its bit of `sram_faulty`, by the array.
    fn memory_of(&self, array: usize) -> usize {
        let stored = &self.model.memories()[array];
        let parts: Vec<_> = stored.scope.iter().chain([&stored.name]).map(ToString::to_string).collect();
        let path = format!("_{}_", parts.join("_"));
        let named = self.memories.iter().enumerate().filter(|(_, name)| path.contains(&format!("_{name}_")));
        // `rows` is also what tables call their memory, and the sums of cells have the names of lists in theirs.
        let narrowest = named.max_by_key(|(_, name)| if **name == "rows" { 0 } else { name.len() });
        narrowest.unwrap_or_else(|| panic!("{path} is none of the memories")).0
    }
}

/// Without a reset, which would clear the counters, and the same for stages of either protection.
struct Unbroken(Box<dyn Drive>, u64);

impl Unbroken {
    fn next(&mut self, outputs: &[u64], input: &mut [u64]) -> bool {
        self.0.drive(outputs, input);
        self.1 += 1;
        self.1 == 1
    }
}

/// `scripts/soak` asks for every bit; a sample of them is quick.
fn every_bit() -> bool {
    std::env::var_os("MPNIC_EVERY_BIT").is_some()
}

/// Two stages under the same traffic, of which bits of one flip.
struct Twins {
    clean: Running,
    disturbed: Running,
    drive: Unbroken,
    input: Vec<u64>,
    /// All outputs but those that tell of flipped bits.
    others: Vec<Port>,
}

impl Twins {
    /// Under traffic for a while.
    fn new(config: ReorderConfig) -> Twins {
        let (clean, disturbed) = (Running::new(config), Running::new(config));
        let drive = Unbroken(drive(&clean.ports, &config, 7), 0);
        let others = clean.ports.outputs.iter().filter(|port| !port.name.starts_with("sram_")).cloned().collect();
        let mut twins = Twins { input: vec![0; clean.ports.input_limbs()], clean, disturbed, drive, others };
        (0..3000).for_each(|_| twins.clock());
        twins
    }

    /// A clock cycle: R22.
    fn clock(&mut self) {
        let (clean, disturbed) = (&mut self.clean, &mut self.disturbed);
        let reset = self.drive.next(&clean.out, &mut self.input);
        clean.clock(reset, &self.input);
        disturbed.clock(reset, &self.input);
        for port in &self.others {
            assert_eq!(port.of(&clean.out), port.of(&disturbed.out), "`{}`", port.name);
        }
        assert_eq!(disturbed.output("sram_uncorrectable") | disturbed.output("sram_faulty"), 0);
        assert_eq!(clean.output("sram_corrected"), 0, "nothing has flipped");
    }

    fn corrected(&self) -> u64 {
        self.disturbed.output("sram_corrected")
    }

    fn flip(&self, array: usize, row: u64, bit: u32) {
        self.disturbed.model.memories()[array].flip(row, bit);
    }

    /// The row of both is the same.
    fn same(&self, array: usize, row: u64) -> bool {
        self.clean.model.memories()[array].row(row) == self.disturbed.model.memories()[array].row(row)
    }

    /// Flips a bit that is still flipped back: nothing but that bit differs.
    fn restore(&self, array: usize, row: u64, bit: u32) {
        if !self.same(array, row) {
            self.flip(array, row, bit);
            assert!(self.same(array, row), "nothing but the flipped bit differs");
        }
    }

    /// Flips one bit alone until its row has been read or written, or for some clock cycles. Whether it has been counted: what
    /// is written before it is read is not.
    fn flips_alone(&mut self, array: usize, row: u64, bit: u32) -> bool {
        let before = self.corrected();
        self.flip(array, row, bit);
        let mut left = if every_bit() { 150 } else { 24 };
        while left > 0 && self.corrected() == before && !self.same(array, row) {
            self.clock();
            left -= 1;
        }
        self.restore(array, row, bit);
        // The count follows the read of the row. Not always the same number of cycles, so that traffic is at any point.
        for _ in 0..6 + (row + u64::from(bit)) % 5 {
            self.clock();
        }
        self.corrected() != before
    }
}

/// R22 and R23, for each bit of each row of every memory, one at a time: with handles and memories of latency 2, and, if
/// `scripts/soak` asks for every bit, with each latency and with a pool of 16 cells of 8 beats.
#[test]
fn each_bit_of_each_row_flips_alone() {
    let mut checked = 0;
    for config in of_cells(16, 8, Protection::Secded) {
        if !every_bit() && (config.hold != Hold::Descriptor || config.ram_latency != 2) {
            continue;
        }
        let mut twins = Twins::new(config);
        let sizes: Vec<_> = twins.disturbed.model.memories().iter().map(|it| (it.depth, it.width)).collect();
        let (mut bits, mut counted) = (0, 0);
        for (array, (depth, width)) in sizes.iter().copied().enumerate() {
            let all = (0..depth).flat_map(|row| (0..width).map(move |bit| (row, bit)));
            // In `./test` every 32nd.
            for (row, bit) in pick(all, (depth * u64::from(width)).div_ceil(32) as usize) {
                counted += u64::from(twins.flips_alone(array, row, bit));
                bits += 1;
            }
        }
        let all = sizes.iter().map(|(depth, width)| depth * u64::from(*width)).sum::<u64>();
        assert!(if is_all() { bits == all } else { bits >= all / 32 }, "{bits} of {all} bits");
        println!("l = {}: {bits} bits flipped, {counted} counted", config.ram_latency);
        assert!(counted > bits / 40, "{counted} of {bits} bits");
        checked += 1;
    }
    assert_eq!(checked, if every_bit() { 4 } else { 1 });
}

/// R22 and R23: outputs are those of a stage in which no bit flips, whatever bit does, of many rows at once.
#[test]
fn every_flipped_bit_is_corrected_and_nothing_else_changes() {
    for config in pick(configs(Protection::Secded), 1) {
        let ram_latency = config.ram_latency;
        let mut twins = Twins::new(config);
        // Some memories of the pool are seldom read.
        let stride = match config.hold {
            _ if every_bit() => 1,
            Hold::Descriptor | Hold::Payload(_) => 64,
        };
        let (mut bits, mut tries) = (0_u64, 0_u64);
        let mut random = Random::new(ram_latency.into());
        for array in 0..twins.disturbed.model.memories().len() {
            let memory = &twins.disturbed.model.memories()[array];
            let (depth, width) = (memory.depth, memory.width);
            // Some bits of each memory.
            let first = array as u32 % stride.min(width);
            for bit in (first..width).step_by(stride as usize) {
                // Until it has been counted in two rows (in its only one, if there is one).
                let mut counted = 0;
                while counted < depth.min(2) {
                    tries += 1;
                    assert!(tries < 400 * (bits + 10), "array {array}, bit {bit} is never read");
                    // In one row, or in every second one of a large memory, most rows of which are not read soon.
                    let (first, step) = if depth > 16 { (random.below(2), 2) } else { (random.below(depth), depth) };
                    let rows = || (first..depth).step_by(step as usize);
                    let before = twins.corrected();
                    rows().for_each(|row| twins.flip(array, row, bit));
                    // The count follows the read of the row.
                    (0..24).for_each(|_| twins.clock());
                    rows().for_each(|row| twins.restore(array, row, bit));
                    (0..8).for_each(|_| twins.clock());
                    counted += u64::from(twins.corrected() != before);
                }
                bits += 1;
            }
        }
        assert!(bits > 500 / u64::from(stride), "{bits}");
    }
}

/// R24: two flipped bits of a word are reported as of this memory, and nothing panics, whatever follows.
#[test]
fn two_flipped_bits_are_reported_with_their_memory() {
    for config in pick(configs(Protection::Secded).filter(|config| config.ram_latency == 2), 1) {
        let (mut reported, mut memories) = (0, 0_u64);
        let arrays = pick(0..Running::new(config).model.memories().len(), 4);
        let seeds = if every_bit() { 4 } else { 1 };
        for &array in &arrays {
            for seed in 0..seeds {
                let mut stage = Running::new(config);
                let mut drive = Unbroken(drive(&stage.ports, &config, seed), 0);
                let mut input = vec![0; stage.ports.input_limbs()];
                let mut clock = |stage: &mut Running| {
                    let reset = drive.next(&stage.out.clone(), &mut input);
                    stage.clock(reset, &input);
                };
                for _ in 0..1000 {
                    clock(&mut stage);
                }
                let mut random = Random::new(seed);
                let (depth, width) = (stage.model.memories()[array].depth, stage.model.memories()[array].width);
                let memory = stage.memory_of(array);
                for attempt in 0.. {
                    assert!(attempt < 3000, "array {array}, seed {seed}: no pair has been reported");
                    let row = random.below(depth);
                    let first = random.below(width.into()) as u32;
                    let second = (first + 1 + random.below(u64::from(width) - 1) as u32) % width;
                    let flips = |stage: &Running| {
                        for bit in [first, second] {
                            stage.model.memories()[array].flip(row, bit);
                        }
                        stage.model.memories()[array].row(row)
                    };
                    let flipped = flips(&stage);
                    for _ in 0..24 {
                        clock(&mut stage);
                    }
                    if stage.output("sram_uncorrectable") > 0 {
                        break;
                    }
                    // Two more in the same row could be taken for one.
                    if stage.model.memories()[array].row(row) == flipped {
                        flips(&stage);
                    }
                }
                assert_eq!(
                    stage.output("sram_faulty"),
                    1 << memory,
                    "array {array}: {:?}",
                    stage.model.memories()[array]
                );
                reported += 1;
                memories |= 1 << memory;
                // What a wrong row leads to is not defined, but it is not a panic.
                for _ in 0..if is_all() { 2000 } else { 200 } {
                    clock(&mut stage);
                }
            }
        }
        assert_eq!(reported, seeds as usize * arrays.len());
        let all = (1 << config.memories().len()) - 1;
        assert!(memories == all || !is_all(), "every memory has been hit: {memories:#x} of {all:#x}");
    }
}

/// R22: all outputs are those of a stage without check bits, in the same clock cycles.
#[test]
fn check_bits_change_no_clock_cycle() {
    let cycles = if is_all() { 20_000 } else { 4_000 };
    for (without, with) in pick(configs(Protection::None).zip(configs(Protection::Secded)), 2) {
        let (mut plain, mut checked) = (Running::new(without), Running::new(with));
        let mut drive = drive(&plain.ports, &without, 3);
        let mut input = vec![0; plain.ports.input_limbs()];
        let mut compared = 0;
        for cycle in 0..cycles {
            let reset = drive.drive(&plain.out.clone(), &mut input);
            plain.clock(reset, &input);
            checked.clock(reset, &input);
            for port in &plain.ports.outputs {
                let other = checked.ports.output(&port.name).expect("the same outputs");
                assert_eq!(port.of(&plain.out), other.of(&checked.out), "cycle {cycle}: `{}`", port.name);
                compared += 1;
            }
            assert!(plain.ports.output("sram_corrected").is_none());
        }
        assert!(compared > 25 * cycles, "{compared}");
    }
}

#[test]
fn model_and_rtl_agree_with_check_bits() {
    for config in pick(configs(Protection::Secded), 1) {
        let random = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(5)));
        Readings::new(soak::cycles(20_000)).agree(&config, random).expect("they agree");
        Readings::new(soak::cycles(50_000)).agree(&config, |ports| Ok(drive(ports, &config, 6))).expect("they agree");
    }
}

/// One bit per row: what two of them lead to is not defined, such as a slot that is read while it is written, of which model
/// and RTL read different things.
#[test]
fn model_and_rtl_agree_while_bits_flip() {
    for config in pick(configs(Protection::Secded), 1) {
        let mut corrected = 0;
        let seeds = pick(0..4, 2);
        for &seed in &seeds {
            let mut pair = Pair::new(&config).expect("both are built");
            pair.one_per_row = true;
            let mut drive = drive(pair.ports(), &config, seed);
            let mut random = Random::new(seed);
            pair.run(10_000, &mut *drive, &mut random, 0.02, None).expect("they agree");
            assert_eq!(pair.times("sram_uncorrectable"), 0, "one bit of each row flips");
            corrected += usize::from(pair.times("sram_corrected") > 0);
        }
        assert_eq!(corrected, seeds.len());
    }
}
