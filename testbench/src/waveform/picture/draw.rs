// SPDX-License-Identifier: MIT OR Apache-2.0
//! Draws values as lines and hexagons. Colours follow the reader's choice of light or dark mode.

use super::shapes::{Row, Stretch};
use std::fmt::Write;
use std::ops::Range;

/// Sizes, in pixels. A signal changes between the x of a clock edge and `SLANT` after it.
const CELL: f64 = 58.0;
const ROW: f64 = 28.0;
const GAP: f64 = 12.0;
const HIGH: f64 = 18.0;
const SLANT: f64 = 6.0;
const MARGIN: f64 = 16.0;
const CHAR: f64 = 7.25;

const STYLE: &str = "\
svg{--paper:#fff;--ink:#1f2328;--soft:#656d76;--grid:#dfe4ea;--line:#4b5661;--bus:#f3f5f8;\
--t1:#0969da;--f1:#dbedff;--t2:#bc4c00;--f2:#ffe8d1;--t3:#1a7f37;--f3:#d8f5df}
@media(prefers-color-scheme:dark){svg{--paper:#0d1117;--ink:#e6edf3;--soft:#929ba6;--grid:#2a313a;--line:#a3aeba;\
--bus:#1b222b;--t1:#6cb1ff;--f1:#11305a;--t2:#f69d50;--f2:#4d2a0b;--t3:#57c26a;--f3:#12401f}}
text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:var(--ink)}
.soft{fill:var(--soft)}.name{text-anchor:end}.mid{text-anchor:middle}
.paper{fill:var(--paper);stroke:var(--grid)}
.grid{stroke:var(--grid);stroke-dasharray:2 3;fill:none}
.none{stroke:var(--grid);stroke-width:1.5;fill:none}
.t0,.t1,.t2,.t3{stroke:var(--line);stroke-width:1.5;stroke-linejoin:round;fill:var(--bus)}
.t1{stroke:var(--t1);fill:var(--f1)}.t2{stroke:var(--t2);fill:var(--f2)}.t3{stroke:var(--t3);fill:var(--f3)}
.bit{stroke:var(--line);stroke-width:1.5;stroke-linejoin:round;fill:none}
.area{stroke:none}
";

/// Draws the picture.
pub fn svg(title: &str, window: &Range<u64>, rows: &[Row]) -> String {
    let label = |row: &Row| row.name.as_ref().map_or(0, |name| name.len() + range(row.width).len());
    let longest = rows.iter().map(label).max().unwrap_or(0).max("cycle".len());
    let sheet = Sheet { left: (MARGIN + longest as f64 * CHAR + 12.0).round(), window: window.clone() };
    let mut body = String::new();
    let mut y = MARGIN + 16.0;
    for cycle in window.clone() {
        let x = sheet.x(cycle) + CELL / 2.0 + SLANT / 2.0;
        let _ = writeln!(body, "<text class=\"soft mid\" x=\"{x}\" y=\"{}\">{cycle}</text>", y - 4.0);
    }
    let _ = writeln!(body, "<text class=\"soft name\" x=\"{}\" y=\"{}\">cycle</text>", sheet.left - 10.0, y - 4.0);
    y += 9.0;
    let grid_top = y;
    let mut lines = sheet.name(y, "clk", 1) + &sheet.clock(y);
    y += ROW;
    for row in rows {
        let Some(name) = &row.name else {
            y += GAP;
            continue;
        };
        lines += &sheet.name(y, name, row.width);
        lines += &if row.width == 1 { sheet.bit(y, row) } else { sheet.bus(y, row) };
        y += ROW;
    }
    for cycle in window.clone() {
        let x = sheet.x(cycle);
        let _ = writeln!(body, "<path class=\"grid\" d=\"M{x} {grid_top}V{}\"/>", y - ROW + HIGH + 8.0);
    }
    let (width, height) = (sheet.x(window.end) + MARGIN, y - ROW + HIGH + 8.0 + MARGIN);
    let title = escape(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n<rect class=\"paper\" x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"8\"/>\n\
         {body}{lines}</svg>\n",
        width - 1.0,
        height - 1.0,
    )
}

struct Sheet {
    left: f64,
    window: Range<u64>,
}

impl Sheet {
    /// The x at which a cycle begins.
    fn x(&self, cycle: u64) -> f64 {
        self.left + (cycle - self.window.start) as f64 * CELL
    }

    fn name(&self, y: f64, name: &str, width: u32) -> String {
        let (x, y) = (self.left - 10.0, y + HIGH / 2.0 + 4.0);
        let range = range(width);
        let range = if range.is_empty() { range } else { format!("<tspan class=\"soft\">{range}</tspan>") };
        format!("<text class=\"name\" x=\"{x}\" y=\"{y}\">{}{range}</text>\n", escape(name))
    }

    fn clock(&self, y: f64) -> String {
        let mut path = format!("M{} {}", self.left, y + HIGH);
        for cycle in self.window.clone() {
            let x = self.x(cycle);
            let _ = write!(path, "H{x}V{y}H{}V{}", x + CELL / 2.0, y + HIGH);
        }
        format!("<path class=\"bit\" d=\"{path}H{}\"/>\n", self.x(self.window.end))
    }

    /// Draws a line that is high or low; high spans with a colour are filled.
    fn bit(&self, y: f64, row: &Row) -> String {
        let mut text = String::new();
        let mut lines = String::new();
        let mut before: Option<f64> = None;
        for (i, stretch) in row.stretches.iter().enumerate() {
            let (x, end) = (self.x(stretch.cycles.start), self.x(stretch.cycles.end));
            let Some(value) = &stretch.value else {
                lines += &self.nothing(y, stretch);
                before = None;
                continue;
            };
            let (low, level) = (y + HIGH, if value == "0" { y + HIGH } else { y });
            let from = before.unwrap_or(level);
            let start = if before.is_some() { x + SLANT } else { x };
            if value != "0" && stretch.tone > 0 {
                // Two colours meet at a vertical line in the middle of the slant.
                let left = if from == y {
                    format!("M{} {low}V{y}", (x + start) / 2.0)
                } else {
                    format!("M{x} {low}L{start} {y}")
                };
                let right = match row.stretches.get(i + 1).map(|next| next.value.as_deref()) {
                    None => format!("H{end}V{low}"),
                    Some(Some("0")) => format!("H{end}L{} {low}", end + SLANT),
                    Some(_) => format!("H{}V{low}", end + SLANT / 2.0),
                };
                let _ = writeln!(text, "<path class=\"t{} area\" d=\"{left}{right}Z\"/>", stretch.tone);
            }
            let _ = writeln!(lines, "<path class=\"bit\" d=\"M{x} {from}L{start} {level}H{end}\"/>");
            before = Some(level);
        }
        text + &lines
    }

    /// Draws hexagons, which are cut straight at both ends of the picture.
    fn bus(&self, y: f64, row: &Row) -> String {
        let mut text = String::new();
        for stretch in &row.stretches {
            let Some(value) = &stretch.value else {
                text += &self.nothing(y, stretch);
                continue;
            };
            let (x, end) = (self.x(stretch.cycles.start), self.x(stretch.cycles.end));
            let (low, mid) = (y + HIGH, y + HIGH / 2.0);
            let left = match stretch.cycles.start == self.window.start {
                true => format!("M{x} {low}V{y}"),
                false => format!("M{} {low}L{} {mid}L{} {y}", x + SLANT, x + SLANT / 2.0, x + SLANT),
            };
            let right = match stretch.cycles.end == self.window.end {
                true => format!("H{end}V{low}"),
                false => format!("H{end}L{} {mid}L{end} {low}", end + SLANT / 2.0),
            };
            let close = if stretch.cycles.start == self.window.start { "" } else { "Z" };
            let _ = writeln!(text, "<path class=\"t{}\" d=\"{left}{right}{close}\"/>", stretch.tone);
            let room = ((end - x - SLANT - 4.0) / CHAR) as usize;
            let (x, y) = ((x + end + SLANT) / 2.0, mid + 4.0);
            let _ = writeln!(text, "<text class=\"mid\" x=\"{x}\" y=\"{y}\">{}</text>", cut(value, room));
        }
        text
    }

    /// Draws a span in which a value has no meaning.
    fn nothing(&self, y: f64, stretch: &Stretch) -> String {
        let (x, end) = (self.x(stretch.cycles.start), self.x(stretch.cycles.end));
        let first = stretch.cycles.start == self.window.start;
        let last = stretch.cycles.end == self.window.end;
        let (x, end) = (if first { x } else { x + SLANT / 2.0 }, if last { end } else { end + SLANT / 2.0 });
        format!("<path class=\"none\" d=\"M{x} {}H{end}\"/>\n", y + HIGH / 2.0)
    }
}

/// The bit range of a bus in Verilog notation.
fn range(width: u32) -> String {
    if width > 1 { format!("[{}:0]", width - 1) } else { String::new() }
}

fn cut(value: &str, room: usize) -> String {
    if value.len() <= room { value.to_owned() } else { format!("{}\u{2026}", &value[..room.saturating_sub(1)]) }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
