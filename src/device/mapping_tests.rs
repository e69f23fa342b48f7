// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares the mapping with yosys, on printed Verilog with one to three read ports, and checks properties of every
//! mapping.

use super::*;
use crate::device::DEVICES;
use hdl::{Header, print};
use rtl_model::netlist::circuit::Circuit;
use rtl_model::{
    Bits, Bundle, Design, Logic, Ram, RamShape, Reading, Shape, Stage, Wide, bits, elaborate, index_width, when, wide,
};
use std::collections::BTreeMap;
use std::process::Command;
use tier::pick;

/// A module that consists of a memory.
#[derive(Clone, Copy)]
struct Table {
    width: u32,
    ram: RamShape,
    /// Large blocks are asked for.
    large: bool,
}

#[derive(Bundle)]
struct Access<L: Reading> {
    valid: Bits<L>,
    row: Bits<L>,
}

/// Further read ports read the next rows.
#[derive(Bundle)]
struct TableIn<L: Reading> {
    write: Access<L>,
    data: Wide<L>,
    read: Access<L>,
}

#[derive(Bundle)]
struct TableOut<L: Reading> {
    first: Wide<L>,
    second: Wide<L>,
    third: Wide<L>,
}

struct TableStage<L: Logic> {
    table: Table,
    rows: Ram<Wide<L>>,
}

impl Design for Table {
    type Stage<L: Logic> = TableStage<L>;

    fn module_name(&self) -> String {
        let RamShape { depth, latency, collision, reads, .. } = self.ram;
        format!(
            "table_d{depth}w{}l{latency}r{reads}{}",
            self.width,
            if collision == Collision::Hold { "h" } else { "o" }
        )
    }

    fn build<L: Logic>(&self) -> TableStage<L> {
        TableStage { table: *self, rows: Ram::named("rows", self.ram, &wide(self.width)) }
    }
}

impl<L: Logic> Stage<L> for TableStage<L> {
    type In = TableIn<L>;
    type Out = TableOut<L>;

    fn input_shape(&self) -> TableIn<Shape> {
        let access = || Access { valid: bits(1), row: bits(index_width(self.table.ram.depth)) };
        let data = wide(self.table.width);
        TableIn { write: access(), data, read: access() }
    }

    fn outputs(&self) -> TableOut<L> {
        let data = |port: usize| self.rows.data_port(port.min(self.table.ram.reads - 1));
        TableOut { first: data(0), second: data(1), third: data(2) }
    }

    fn clock(&self, input: &TableIn<L>) {
        when(input.write.valid, || self.rows.write(input.write.row, input.data));
        for port in 0..self.table.ram.reads {
            when(input.read.valid, || self.rows.read_port(port, input.read.row + port as u64));
        }
        self.rows.clock();
    }
}

const fn table(depth: u64, width: u32, reads: usize) -> Table {
    Table { width, ram: RamShape { latency: 1, reads, ..RamShape::new(depth) }, large: false }
}

/// Memories with an output register, like those that are sliced.
const fn deep(depth: u64, width: u32, reads: usize) -> Table {
    Table { width, ram: RamShape { latency: 2, reads, ..RamShape::new(depth) }, large: false }
}

fn circuit(table: &Table, device: &Device) -> Circuit {
    let mut circuit = elaborate(table).unwrap_or_else(|report| panic!("{report}"));
    if let Some(block_bits) = device.sliced {
        circuit.slice_memories(block_bits);
    }
    if table.large {
        circuit.use_large_blocks(1);
    }
    circuit
}

fn measure(table: &Table, device: &Device) -> MemoryMeasure {
    circuit(table, device).top().measure().memories.remove(0)
}

/// Number of memory cells of each table after `synth` has mapped memories, as yosys counts them.
fn cells(tables: &[Table], device: &Device, synth: &str) -> BTreeMap<String, BTreeMap<String, u64>> {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let mut script = String::new();
    let mut top = String::from("module every_table ();\n");
    for table in tables {
        let circuit = circuit(table, device);
        let header = Header { tool: "mpnic".into(), ..Header::default() };
        for file in print(&circuit, &header).expect("it prints") {
            std::fs::write(dir.path().join(&file.name), file.text).expect("written");
            script += &format!("read_verilog {}; ", file.name);
        }
        let name = table.module_name();
        top += &format!("    {name} the_{name} ();\n");
    }
    std::fs::write(dir.path().join("top.v"), top + "endmodule\n").expect("written");
    script += &format!("read_verilog top.v; {synth}; tee -q -o stat.txt stat");
    let ran = Command::new("yosys").args(["-q", "-p", &script]).current_dir(dir.path()).output();
    let ran = ran.expect("yosys does not run; it is in the Debian package yosys");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let stat = std::fs::read_to_string(dir.path().join("stat.txt")).expect("yosys wrote it");
    let mut all = BTreeMap::new();
    for section in stat.split("=== ").skip(1) {
        let (module, lines) = section.split_once(" ===").expect("a section of a module");
        let counts: &mut BTreeMap<String, u64> = all.entry(module.to_owned()).or_default();
        for (kind, count) in lines.lines().filter_map(|line| line.trim().split_once(' ')) {
            if ["RAM", "URAM", "DP16K", "TRELLIS_DPR"].iter().any(|memory| kind.starts_with(memory)) {
                counts.insert(kind.to_owned(), count.trim().parse().expect("a number"));
            }
        }
    }
    all
}

/// The differences between the two.
fn differences(tables: &[Table], device: &str, synth: &str) -> Vec<String> {
    let device = Device::find(device).expect("a device");
    let counted = cells(tables, device, synth);
    let one = |table: &Table| {
        let mapping = Mapping::of(&measure(table, device), device);
        let expected: BTreeMap<_, _> =
            mapping.primitive.map(|primitive| (primitive.name.to_owned(), mapping.count)).into_iter().collect();
        let found = &counted[&table.module_name()];
        (*found != expected).then(|| format!("{}: predicted {expected:?}, yosys {found:?}", table.module_name()))
    };
    tables.iter().filter_map(one).collect()
}

const ECP5: (&str, &str) = ("lfe5u-85f", "synth_ecp5 -noflatten -top every_table -run begin:map_gates");
const XCUP: (&str, &str) = ("xcvu37p", "synth_xilinx -family xcup -noiopad -noclkbuf -top every_table -run begin:fine");

/// Sizes at which the rules change: logic, distributed memory or blocks; halves or whole blocks; rows that share a
/// block; a word that is one bit too wide; several read ports; reads of the old row.
fn tables() -> Vec<Table> {
    let one = [
        (2, 1),
        (3, 4),
        (4, 5),
        (16, 1),
        (17, 9),
        (32, 14),
        (64, 8),
        (100, 40),
        (128, 18),
        (300, 73),
        (512, 36),
        (513, 37),
        (700, 9),
        (1024, 33),
        (1025, 18),
        (2049, 5),
        (3000, 40),
    ];
    let mut all: Vec<_> = one.into_iter().map(|(depth, width)| table(depth, width, 1)).collect();
    all.extend([table(512, 36, 2), table(700, 20, 3), table(16, 9, 2), table(64, 20, 3)]);
    for (depth, width) in [(16, 9), (300, 9), (1024, 18)] {
        let ram = RamShape::new(depth).read_first();
        all.push(Table { width, ram, large: false });
    }
    all.extend([deep(2048, 40, 1), deep(3000, 9, 2), deep(8192, 33, 1), deep(16_384, 5, 1), deep(20_000, 3, 1)]);
    all
}

#[test]
fn yosys_on_ecp5() {
    assert_eq!(differences(&tables(), ECP5.0, ECP5.1), Vec::<String>::new());
}

#[test]
fn yosys_on_ultrascale_plus() {
    assert_eq!(differences(&pick(tables(), 3), XCUP.0, XCUP.1), Vec::<String>::new());
}

/// On request, whatever the size and the collision are. Of rows that leave half of a block unused yosys puts two into one,
/// which is not counted on.
#[test]
fn yosys_on_ultra_ram() {
    let large = |table| Table { large: true, ..table };
    let mut tables: Vec<_> = [deep(4096, 72, 1), deep(512, 256, 2), deep(9000, 60, 1)].map(large).into();
    tables.push(Table { width: 40, ram: RamShape { latency: 2, ..RamShape::new(8192).read_first() }, large: true });
    assert_eq!(differences(&tables, XCUP.0, XCUP.1), Vec::<String>::new());
}

fn memory(depth: u64, width: u32, reads: usize) -> MemoryMeasure {
    MemoryMeasure {
        name: "m".to_owned(),
        depth,
        width,
        reads,
        latency: 1,
        lanes: 1,
        slice: width,
        large: false,
        collision: Collision::Hold,
    }
}

/// Each lane is an array of its own in the Verilog.
#[test]
fn lanes_are_mapped_one_by_one() {
    for device in DEVICES {
        let one = Mapping::of(&memory(4096, 16, 2), device);
        let whole = MemoryMeasure { lanes: 16, slice: 16, ..memory(4096, 256, 2) };
        let all = Mapping::of(&whole, device);
        assert_eq!((all.primitive, all.arrangement), (one.primitive, one.arrangement), "{}", device.name);
        assert_eq!((all.count, all.allocated_bits), (16 * one.count, 16 * one.allocated_bits), "{}", device.name);
        assert_eq!(all.flip_flops, 16 * one.flip_flops, "{}", device.name);
        assert_eq!(ultra(&whole), 16 * ultra(&memory(4096, 16, 2)));
    }
}

#[test]
fn known_mappings() {
    let one = |device: &str, memory: &MemoryMeasure| {
        let mapping = Mapping::of(memory, Device::find(device).expect("a device"));
        (mapping.primitive.map(|primitive| primitive.name), mapping.count)
    };
    assert_eq!(one("lfe5u-85f", &memory(1024, 32, 1)), (Some("DP16KD"), 2));
    // A memory that yosys recognized as a FIFO.
    assert_eq!(one("lfe5u-85f", &memory(512, 577, 1)), (Some("DP16KD"), 17));
    // Three groups of 1024 rows of 45 bits side by side: 135 bits take four blocks of 36, not six.
    assert_eq!(one("xcvu9p", &memory(3000, 40, 1)), (Some("RAMB36E2"), 4));
    // 160 bits take nine halves of 18, twice: four and a half blocks, not five.
    assert_eq!(one("u50", &memory(1024, 160, 2)), (Some("RAMB18E2"), 18));
    assert_eq!(one("agi027", &memory(1, 1, 1)), (Some("MLAB"), 1));
    assert_eq!(one("agi027", &memory(1025, 20, 2)), (Some("M20K"), 4));
    assert_eq!(one("u250", &memory(1, 1, 1)), (None, 0));
    let large = |memory: MemoryMeasure| MemoryMeasure { large: true, ..memory };
    assert_eq!(one("u50", &large(memory(4097, 73, 2))), (Some("URAM288"), 8));
    // Devices without it take what they have.
    assert_eq!(one("lfe5u-85f", &large(memory(1024, 32, 1))), (Some("DP16KD"), 2));
    // One bit more than a row has makes a second column.
    assert_eq!((ultra(&memory(4096, 72, 1)), ultra(&memory(4097, 73, 1))), (1, 4));
}

#[test]
fn no_mapping_has_fewer_bits_than_are_stored() {
    for device in DEVICES {
        for memory in some_memories() {
            let mapping = Mapping::of(&memory, device);
            let stored = memory.bits() * memory.reads as u64;
            assert!(mapping.allocated_bits >= stored, "{}: {memory:?} {mapping:?}", device.name);
            if let Some(primitive) = mapping.primitive {
                assert!(mapping.count >= stored.div_ceil(primitive.bits), "{}: {memory:?} {mapping:?}", device.name);
                assert!(u64::from(mapping.arrangement.1) * mapping.arrangement.0 <= primitive.bits, "{mapping:?}");
            }
        }
    }
}

/// The price never falls with the size. The number of blocks may fall if another arrangement saves logic, but not
/// within one mode.
#[test]
fn more_rows_or_bits_never_cost_less() {
    for device in DEVICES.iter().filter(|device| device.family.synthesis().is_some()) {
        for memory in some_memories() {
            for mode in device.modes {
                let price = |memory: &MemoryMeasure, arrangement| {
                    let candidate = candidate(memory, mode, arrangement);
                    (candidate.cost, candidate.count)
                };
                let (deeper, wider) = (
                    MemoryMeasure { depth: memory.depth + 1, ..memory.clone() },
                    MemoryMeasure { width: memory.width + 1, ..memory.clone() },
                );
                for &arrangement in mode.arrangements {
                    let (cost, count) = price(&memory, arrangement);
                    for larger in [&deeper, &wider] {
                        let (more, counted) = price(larger, arrangement);
                        assert!(more >= cost && counted >= count, "{}: {memory:?} {arrangement:?}", device.name);
                    }
                }
            }
        }
    }
}

fn some_memories() -> Vec<MemoryMeasure> {
    let mut all = Vec::new();
    for depth in [1, 2, 15, 16, 17, 31, 64, 65, 511, 512, 513, 1000, 1024, 3000, 4096, 16_384, 16_385, 1 << 20] {
        for width in [1, 2, 4, 5, 9, 10, 18, 20, 35, 36, 37, 64, 72, 73, 512, 1024] {
            all.extend([memory(depth, width, 1), memory(depth, width, 3)]);
        }
    }
    all
}
