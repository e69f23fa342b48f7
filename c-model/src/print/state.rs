// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state as a struct: the meaning of each field, and how it is read and written.

use super::names::Names;
use crate::program::{Memory, Program, Target};
use crate::window::{MOVES, Window};
use crate::words::Op;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The names of all state.
pub struct State<'a> {
    program: &'a Program,
    window: &'a Window,
    /// The place of each cell: the field of its register, or its place in the window.
    cells: Vec<String>,
    memories: Vec<String>,
    tables: Vec<String>,
    maps: Vec<String>,
    /// The cells and memories that are used.
    used: BTreeSet<usize>,
    kept: BTreeSet<usize>,
}

/// The C type for this number of bits.
pub fn holder(width: u32) -> &'static str {
    match width {
        0..=8 => "uint8_t",
        9..=16 => "uint16_t",
        17..=32 => "uint32_t",
        _ => "uint64_t",
    }
}

impl<'a> State<'a> {
    /// Makes the names for the programs of the edge and of the outputs, which have the same cells.
    pub fn new(program: &'a Program, outputs: &Program, window: &'a Window) -> Self {
        let (mut used, mut kept) = (BTreeSet::new(), BTreeSet::new());
        for program in [program, outputs] {
            for block in &program.blocks {
                for statement in &block.statements {
                    for target in statement.targets() {
                        if let Target::Cell(cell) = target {
                            used.insert(cell);
                        }
                    }
                    if let crate::program::Statement::Read { memory, .. } = statement {
                        kept.insert(*memory);
                    }
                }
            }
        }
        // A cell that is never assigned keeps its initial value.
        used.extend((0..program.cells.len()).filter(|&cell| window.place(cell).is_some()));
        for id in (0..outputs.words.len()).map(|i| crate::words::WordId(i as u32)) {
            if let Op::Cell(cell) = outputs.words.word(id).op {
                used.insert(cell);
            }
        }
        let mut names = Names::default();
        let mut cells: Vec<String> = Vec::new();
        for (i, cell) in program.cells.iter().enumerate() {
            let name = match i.checked_sub(1).map(|before| &program.cells[before]) {
                Some(before) if before.register == cell.register => cells[i - cell.limb].clone(),
                _ => names.unique(&cell.name),
            };
            cells.push(name);
        }
        let memories = program.memories.iter().map(|memory| names.unique(&memory.name)).collect();
        let named = |names: &mut Names, name: Option<&str>, otherwise: &str| names.unique(name.unwrap_or(otherwise));
        let tables = program.tables.iter().map(|table| named(&mut names, table.name(), "table")).collect();
        let maps = program.maps.iter().map(|map| named(&mut names, map.name(), "linear")).collect();
        State { program, window, cells, memories, tables, maps, used, kept }
    }

    /// The expression for a cell's place in the window.
    fn place(&self, cell: usize) -> Option<String> {
        self.window.place(cell)?;
        let limb =
            if self.program.cells[cell].wide { format!("_{}", self.program.cells[cell].limb) } else { String::new() };
        Some(format!("AT_{}{limb}", self.cells[cell]))
    }

    /// The expression for a cell in the struct or in the window.
    pub fn cell(&self, cell: usize) -> String {
        match self.place(cell) {
            Some(place) => format!("w[{place}]"),
            None if self.program.cells[cell].wide => {
                format!("s->{}[{}]", self.cells[cell], self.program.cells[cell].limb)
            }
            None => format!("s->{}", self.cells[cell]),
        }
    }

    /// Whether a cell is in the window.
    pub fn moves(&self, cell: usize) -> bool {
        self.window.place(cell).is_some()
    }

    /// The array of all cells of a wide register.
    pub fn register(&self, cell: usize) -> String {
        format!("s->{}", self.cells[cell])
    }

    /// Reads a cell.
    pub fn load(&self, cell: usize) -> String {
        let it = &self.program.cells[cell];
        let text = self.cell(cell);
        if it.wide || it.width > 32 || self.place(cell).is_some() { text } else { format!("(u64){text}") }
    }

    /// Assigns a new value to a cell.
    pub fn store(&self, cell: usize, value: &str) -> String {
        let it = &self.program.cells[cell];
        match self.place(cell) {
            Some(place) => format!("w[{place} - 1] = {value};"),
            None if it.wide => format!("{} = {value};", self.cell(cell)),
            None => self.narrow(&self.cell(cell), it.width, value),
        }
    }

    /// Assigns to a field of its own type.
    pub fn narrow(&self, to: &str, width: u32, value: &str) -> String {
        match holder(width) {
            "uint64_t" => format!("{to} = {value};"),
            narrow => format!("{to} = ({narrow})({value});"),
        }
    }

    /// A limb of a row.
    pub fn row(&self, memory: usize, it: &Memory, address: &str, limb: usize) -> String {
        self.row_at(memory, it, address, &limb.to_string())
    }

    /// A limb of a row whose address is an expression.
    pub fn row_at(&self, memory: usize, it: &Memory, address: &str, limb: &str) -> String {
        let row = format!("s->{}[{address}]", self.memories[memory]);
        if it.limbs() == 1 { row } else { format!("{row}[{limb}]") }
    }

    /// A limb of an input port.
    pub fn input(&self, port: usize, limb: usize) -> String {
        let (name, width) = &self.program.inputs[port];
        let name = field(name);
        if *width > 64 { format!("in->{name}[{limb}]") } else { format!("in->{name}") }
    }

    /// The array of a table.
    pub fn table(&self, table: usize) -> String {
        self.tables[table].clone()
    }

    /// The function of a linear map.
    pub fn map(&self, map: usize) -> String {
        self.maps[map].clone()
    }

    /// The names of tables and linear maps, which no function uses for anything else.
    pub fn constants(&self) -> Names {
        let mut names = Names::default();
        self.tables.iter().chain(&self.maps).for_each(|name| {
            names.unique(name);
        });
        names
    }

    /// The fields of the struct.
    pub fn fields(&self) -> String {
        let mut text = String::new();
        for (i, cell) in self.program.cells.iter().enumerate() {
            let first = cell.limb == 0;
            let limbs = self.program.cells[i..].iter().take_while(|next| next.register == cell.register).count();
            let any = (i..i + limbs).any(|i| self.used.contains(&i) && self.window.place(i).is_none());
            if first && any {
                let array = if cell.wide { format!("[{limbs}]") } else { String::new() };
                let kind = if cell.wide { "uint64_t" } else { holder(cell.width) };
                let _ = writeln!(text, "    {kind} {}{array};", self.cells[i]);
            }
        }
        if !self.window.is_empty() {
            let _ = writeln!(text, "    /* Delays: what is at `at + n` is one place on after each clock. */");
            let _ = writeln!(text, "    uint32_t at;\n    uint64_t window[{}];", self.window.size + MOVES + 1);
        }
        for (i, memory) in self.program.memories.iter().enumerate().filter(|(i, _)| self.kept.contains(i)) {
            let limbs = if memory.limbs() > 1 { format!("[{}]", memory.limbs()) } else { String::new() };
            let kind = if memory.limbs() > 1 { "uint64_t" } else { holder(memory.width) };
            let _ = writeln!(text, "    {kind} {}[{}]{limbs};", self.memories[i], memory.depth);
        }
        text
    }

    /// Places in the window, by name.
    pub fn places(&self) -> String {
        let mut places: Vec<_> =
            (0..self.cells.len()).filter_map(|cell| Some((self.window.place(cell)?, self.place(cell)?))).collect();
        places.sort();
        let lines: Vec<_> = places.into_iter().map(|(at, name)| format!("    {name} = {at}")).collect();
        if lines.is_empty() { String::new() } else { format!("enum {{\n{}\n}};\n\n", lines.join(",\n")) }
    }

    /// Assigns the initial values that are not 0, or the values at reset.
    pub fn initial(&self, reset: bool) -> Vec<String> {
        let chosen = |(i, cell): (usize, &crate::program::Cell)| {
            let wanted = if reset { cell.reset } else { cell.init != 0 };
            if !wanted || !self.used.contains(&i) {
                return None;
            }
            let value = format!("0x{:x}ull", cell.init);
            Some(match self.place(i) {
                // At reset the window has moved already.
                Some(place) => format!("w[{place}] = {value};"),
                None if cell.wide => format!("{} = {value};", self.cell(i)),
                None => self.narrow(&self.cell(i), cell.width, &value),
            })
        };
        self.program.cells.iter().enumerate().filter_map(chosen).collect()
    }
}

/// A port as a field. The names of ports are allowed in Verilog.
pub fn field(port: &str) -> String {
    Names::default().unique(port)
}
