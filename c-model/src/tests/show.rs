// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs as text, for exact expectations: `a := (add a 1)`.

use crate::program::{BlockId, Program, Statement, Target};
use crate::words::{Op, WordId};

/// A word; leaves are shown by their names.
pub fn word(program: &Program, id: WordId) -> String {
    let it = program.words.word(id);
    let limb = |name: &str, limb: usize, many: bool| if many { format!("{name}.{limb}") } else { name.to_owned() };
    let name = match it.op {
        Op::Constant(value) => return value.to_string(),
        Op::Input(port, at) => return limb(&program.inputs[port].0, at, program.inputs[port].1 > 64),
        Op::Cell(cell) => return limb(&program.cells[cell].name, program.cells[cell].limb, program.cells[cell].wide),
        Op::Variable(variable) => return program.variables[variable].name.clone(),
        Op::Shl(by) => format!("shl{by}"),
        Op::Shr(by) => format!("shr{by}"),
        Op::Low => format!("low{}", it.width),
        Op::Wider => format!("wider{}", it.width),
        Op::Fill => format!("fill{}", it.width),
        Op::Table(table) => format!("table{table}"),
        Op::Linear(map) => format!("linear{map}"),
        ref op => format!("{op:?}").to_lowercase(),
    };
    let mut args: Vec<_> = it.args.iter().map(|&arg| word(program, arg)).collect();
    if matches!(it.op, Op::And | Op::Or | Op::Xor | Op::Add | Op::Eq) {
        // Operands that can be exchanged are in the order in which they were made.
        args.sort();
    }
    format!("({name} {})", args.join(" "))
}

/// The statements of a block.
pub fn block(program: &Program, block: BlockId) -> Vec<String> {
    program.blocks[block].statements.iter().map(|inner| statement(program, inner)).collect()
}

/// The outermost statements.
pub fn all(program: &Program) -> Vec<String> {
    block(program, 0)
}

/// A statement with all statements inside it.
pub fn statement(program: &Program, it: &Statement) -> String {
    let word = |id: WordId| word(program, id);
    let inside = |id: BlockId| block(program, id).join("; ");
    match it {
        Statement::Assign { to: Target::Cell(cell), value } => {
            let leaf = &program.cells[*cell];
            let limb = if leaf.wide { format!(".{}", leaf.limb) } else { String::new() };
            format!("{}{limb} := {}", leaf.name, word(*value))
        }
        Statement::Assign { to: Target::Variable(variable), value } => {
            format!("{} = {}", program.variables[*variable].name, word(*value))
        }
        Statement::If { condition, arms: [yes, no] } => {
            format!("if {} {{ {} }} else {{ {} }}", word(*condition), inside(*yes), inside(*no))
        }
        Statement::Case { subject, arms, otherwise } => {
            let arms: String = arms.iter().map(|(value, arm)| format!("{value} {{ {} }} ", inside(*arm))).collect();
            format!("case {} {arm}else {{ {} }}", word(*subject), inside(*otherwise), arm = arms)
        }
        Statement::Read { memory, to, address, hold } => {
            let to: Vec<_> = to.iter().map(|cell| cell.map_or("-".to_owned(), |cell| cell.to_string())).collect();
            let hold = hold.map_or(String::new(), |(lane, on)| format!(" holding {} if {}", word(lane), word(on)));
            format!("{} := {}[{}]{hold}", to.join(","), program.memories[*memory].name, word(*address))
        }
        Statement::Write { memory, address, lane, data } => {
            let data: Vec<_> = data.iter().map(|&limb| word(limb)).collect();
            let lane = lane.map_or(String::new(), |lane| format!(" lane {}", word(lane)));
            format!("{}[{}]{lane} := {}", program.memories[*memory].name, word(*address), data.join(","))
        }
    }
}
