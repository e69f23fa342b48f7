// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statements of the `always` blocks.

use super::expression::Printer;
use super::literal::literal;
use super::wrap::wrap;
use rtl_model::netlist::circuit::{NodeId, Op, Statement, Target, Value};
use std::collections::BTreeSet;

const INDENT: &str = "    ";
/// Longer lines are broken where possible.
const WIDE: usize = 110;

/// `left = value;`, a long concatenation with one part per line.
pub fn assign(printer: &Printer, left: &str, value: NodeId, driver: bool, indent: usize) -> String {
    let pad = INDENT.repeat(indent);
    let text = if driver { printer.driver(value) } else { printer.text(value) };
    let line = format!("{pad}{left} = {text};\n");
    if line.len() <= WIDE + 1 {
        return line;
    }
    let parts = printer.parts(value).filter(|_| text.starts_with('{'));
    let inside = format!("{pad}{INDENT}");
    let Some(parts) = parts else {
        let text = wrap(&text, &format!("{inside}{INDENT}"), WIDE - inside.len());
        return format!("{pad}{left} =\n{inside}{text};\n");
    };
    let parts: Vec<String> = parts.iter().map(|part| format!("{pad}{INDENT}{part}")).collect();
    format!("{pad}{left} = {{\n{}\n{pad}}};\n", parts.join(",\n"))
}

/// The statements, indented.
pub fn body(printer: &Printer, statements: &[Statement], indent: usize) -> String {
    let pad = INDENT.repeat(indent);
    let mut text = String::new();
    for statement in statements {
        match statement {
            Statement::Assign { target, value, .. } => {
                let left = match *target {
                    Target::Register(i) => format!("{}_next", printer.nets.registers[i]),
                    Target::Variable(i) => printer.nets.variables[i].clone(),
                };
                text.push_str(&assign(printer, &left, *value, false, indent));
            }
            Statement::If { arms, otherwise } => {
                text.push_str(&pad);
                for (i, (condition, inner)) in arms.iter().enumerate() {
                    let start = if i == 0 { "if" } else { " else if" };
                    let room = WIDE - pad.len() - start.len() - "( ) begin".len();
                    let condition = wrap(&printer.text(*condition), &format!("{pad}{INDENT}{INDENT}"), room);
                    text.push_str(&format!("{start} ({condition}) begin\n"));
                    text.push_str(&body(printer, inner, indent + 1));
                    text.push_str(&format!("{pad}end"));
                }
                if !otherwise.is_empty() {
                    text.push_str(" else begin\n");
                    text.push_str(&body(printer, otherwise, indent + 1));
                    text.push_str(&format!("{pad}end"));
                }
                text.push('\n');
            }
            Statement::Case { subject, arms, otherwise } => {
                text.push_str(&format!("{pad}case ({})\n", printer.text(*subject)));
                let inside = format!("{pad}{INDENT}");
                for (value, inner) in arms {
                    let label = state(printer, *subject, *value).map_or_else(|| literal(value), str::to_owned);
                    text.push_str(&arm(printer, &inside, &label, inner, indent));
                }
                let width = printer.width(*subject);
                if !otherwise.is_empty() || width >= 32 || (arms.len() as u64) < 1 << width {
                    text.push_str(&arm(printer, &inside, "default", otherwise, indent));
                }
                text.push_str(&format!("{pad}endcase\n"));
            }
        }
    }
    text
}

/// The name of a value of a register, if it has one.
fn state<'a>(printer: &'a Printer, subject: NodeId, value: Value) -> Option<&'a str> {
    let Op::Register(i) = printer.simple.module.node(subject).op else { return None };
    let (_, source) = printer.simple.module.registers[i].states.iter().find(|(known, _)| *known == value)?;
    printer.nets.state(source, value).map(|state| state.name.as_str())
}

/// The names of states that stand before the branches of `case` statements.
pub fn labels<'a>(printer: &'a Printer, body: &[Statement], all: &mut BTreeSet<&'a str>) {
    for statement in body {
        match statement {
            Statement::Assign { .. } => {}
            Statement::If { arms, otherwise } => {
                arms.iter().for_each(|(_, inner)| labels(printer, inner, all));
                labels(printer, otherwise, all);
            }
            Statement::Case { subject, arms, otherwise } => {
                for (value, inner) in arms {
                    all.extend(state(printer, *subject, *value));
                    labels(printer, inner, all);
                }
                labels(printer, otherwise, all);
            }
        }
    }
}

fn arm(printer: &Printer, pad: &str, label: &str, inner: &[Statement], indent: usize) -> String {
    if inner.is_empty() {
        return format!("{pad}{label}: begin end\n");
    }
    format!("{pad}{label}: begin\n{}{pad}end\n", body(printer, inner, indent + 2))
}
