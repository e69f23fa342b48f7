// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints a header with the ports and the state, and a source with the functions.

mod expression;
mod names;
mod state;
mod statements;
mod tables;
#[cfg(test)]
mod tests;

use crate::place::{Form, Line, Placed};
use crate::program::Program;
use crate::window::{MOVES, Window};
use crate::words::{Op, WordId};
pub use names::TAKEN;
use state::State;
pub use state::field;
use statements::put;
use std::collections::HashMap;
use std::fmt::Write;

/// The input for printing one function.
struct Body<'a> {
    placed: &'a Placed,
    names: &'a State<'a>,
    locals: HashMap<WordId, String>,
    variables: Vec<String>,
}

impl<'a> Body<'a> {
    fn new(placed: &'a Placed, names: &'a State<'a>) -> Self {
        // A word with the name of a table would hide it.
        let mut taken = names.constants();
        let variables = placed.program.variables.iter().map(|variable| taken.unique(&variable.name)).collect();
        let mut locals = HashMap::new();
        for line in placed.lines.iter().flatten() {
            // A word may be defined in several arms of a branch.
            if let Line::Define(word) = *line
                && !locals.contains_key(&word)
            {
                let saved = match placed.program.words.word(word).op {
                    Op::Cell(cell) => Some(format!("{}_before", placed.program.cells[cell].name)),
                    _ => None,
                };
                let name = placed.program.words.name(word).map(str::to_owned).or(saved);
                let name = taken.unique(&name.unwrap_or_else(|| format!("n{}", word.0)));
                locals.insert(word, name);
            }
        }
        assert!(
            placed.forms.iter().all(|form| !matches!(form, Form::Chosen(v) if *v >= placed.program.variables.len()))
        );
        Body { placed, names, locals, variables }
    }
}

/// Header and source of a model called `name`; `comment` is put at the top of both.
pub fn print(name: &str, comment: &str, edge: &Placed, outputs: &Placed, window: &Window) -> (String, String) {
    let state = State::new(&edge.program, &outputs.program, window);
    (header(name, comment, &edge.program, &state), source(name, comment, edge, outputs, &state, window))
}

fn ports<'a>(list: impl Iterator<Item = (&'a str, u32)>) -> String {
    let mut text = String::new();
    for (name, width) in list {
        let array = if width > 64 { format!("[{}]", width.div_ceil(64)) } else { String::new() };
        let _ = writeln!(text, "    uint64_t {}{array}; /* {width} */", field(name));
    }
    text
}

fn header(name: &str, comment: &str, program: &Program, state: &State) -> String {
    let guard = format!("{}_H", name.to_uppercase());
    let inputs = ports(program.inputs.iter().map(|(name, width)| (name.as_str(), *width)));
    let width = |limbs: &[WordId]| limbs.iter().map(|&limb| program.words.width(limb)).sum();
    let outputs = ports(program.outputs.iter().map(|(name, limbs)| (name.as_str(), width(limbs))));
    let none = "    uint64_t none;\n";
    let or_none = |text: String| if text.is_empty() { none.to_owned() } else { text };
    let (inputs, outputs, fields) = (or_none(inputs), or_none(outputs), or_none(state.fields()));
    format!(
        "{comment}
#ifndef {guard}
#define {guard}

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern \"C\" {{
#endif

/* Inputs of a clock edge: 64 bits an element, the lowest first; bits above the width are ignored. */
typedef struct {{
{inputs}}} {name}_inputs;

/* Outputs: bits above the width are 0. */
typedef struct {{
{outputs}}} {name}_outputs;

/* All that one instance keeps. A copy is a snapshot. */
typedef struct {{
{fields}}} {name};

/* Power-up. */
void {name}_init({name} *self);

/* One rising edge. `reset` is the level of `rst` at it. */
void {name}_clock({name} *self, int reset, const {name}_inputs *in);

/* What the outputs are now: they depend on what is kept alone. */
void {name}_read(const {name} *self, {name}_outputs *out);

/* Bytes of an instance, for languages that do not read this file. */
size_t {name}_size(void);

#ifdef __cplusplus
}}
#endif

#endif
"
    )
}

/// Is replaced by the tables when it is known which of them are used.
const TABLES: &str = "/* tables */";

const HELPERS: &str = "\
typedef uint64_t u64;

/* Verilator compiles C as C++. */
#if defined(__cplusplus)
#define restrict __restrict
#endif

#if defined(__GNUC__)
#define count_ones(x) ((u64)__builtin_popcountll(x))
#define first_set(x) ((u64)__builtin_ctzll((x) | 1ull << 63))
#else
static inline u64 count_ones(u64 x) {
    u64 n = 0;
    for (; x != 0; x &= x - 1) n++;
    return n;
}
static inline u64 first_set(u64 x) {
    return count_ones((x & (0 - x)) - 1);
}
#endif
";

fn source(name: &str, comment: &str, edge: &Placed, outputs: &Placed, state: &State, window: &Window) -> String {
    let mut text =
        format!("{comment}\n#include \"{name}.h\"\n\n#include <string.h>\n\n{HELPERS}\n{TABLES}{}", state.places());
    let slides = !window.is_empty();
    let moves = |pointer: &str| if slides { format!(", {pointer}") } else { String::new() };

    // The clock edge.
    let body = Body::new(edge, state);
    let _ = writeln!(
        text,
        "static inline void edge({name} *restrict s{}, const {name}_inputs *restrict in) {{",
        moves("u64 *restrict w")
    );
    let mut lines = String::new();
    body.block(&mut lines, 0, 1);
    for (used, what) in [(lines.contains("in->"), "in"), (lines.contains("s->"), "s")] {
        if !used {
            put(&mut text, 1, &format!("(void){what};"));
        }
    }
    text += &lines;
    text += "}\n\n";
    let _ = writeln!(text, "void {name}_clock({name} *s, int reset, const {name}_inputs *in) {{");
    put(&mut text, 1, &format!("edge(s{}, in);", moves("s->window + s->at")));
    if slides {
        put(&mut text, 1, "if (--s->at == 0) {");
        put(&mut text, 2, &format!("memmove(s->window + {MOVES}, s->window, {} * sizeof(u64));", window.size + 1));
        put(&mut text, 2, &format!("s->at = {MOVES};"));
        put(&mut text, 1, "}");
    }
    reset(&mut text, state, slides, true);
    text += "}\n\n";
    let _ = writeln!(text, "void {name}_init({name} *s) {{");
    put(&mut text, 1, "memset(s, 0, sizeof *s);");
    if slides {
        put(&mut text, 1, &format!("s->at = {MOVES};"));
    }
    reset(&mut text, state, slides, false);
    text += "}\n\n";

    // The outputs.
    let body = Body::new(outputs, state);
    let _ = writeln!(text, "void {name}_read(const {name} *s, {name}_outputs *out) {{");
    let mut lines = String::new();
    body.block(&mut lines, 0, 1);
    for (port, limbs) in &outputs.program.outputs {
        for (i, &limb) in limbs.iter().enumerate() {
            let element = if limbs.len() > 1 { format!("[{i}]") } else { String::new() };
            put(&mut lines, 1, &format!("out->{}{element} = {};", field(port), body.bare(limb)));
        }
    }
    if lines.contains("w[AT_") {
        put(&mut text, 1, "const u64 *w = s->window + s->at;");
    }
    if !lines.contains("s->") && !lines.contains("w[AT_") {
        put(&mut text, 1, "(void)s;");
    }
    text += &lines;
    text += &format!("}}\n\nsize_t {name}_size(void) {{\n    return sizeof({name});\n}}\n");
    let tables = tables::print(&edge.program, state, &text);
    text.replace(TABLES, &tables)
}

/// The assignments at power-up or reset.
fn reset(text: &mut String, state: &State, slides: bool, at_reset: bool) {
    let lines = state.initial(at_reset);
    let depth = if at_reset { 2 } else { 1 };
    if at_reset && lines.is_empty() {
        return put(text, 1, "(void)reset;");
    }
    if at_reset {
        put(text, 1, "if (reset) {");
    }
    if slides && lines.iter().any(|line| line.starts_with("w[")) {
        put(text, depth, "u64 *w = s->window + s->at;");
    }
    lines.iter().for_each(|line| put(text, depth, line));
    if at_reset {
        put(text, 1, "}");
    }
}
