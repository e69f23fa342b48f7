// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page `report.html` with all results. It is self-contained: no network, no script, no other file.
//!
//! Drawings are SVG with horizontal positions in per cent and a fixed font size, so that one drawing works on a phone
//! and on paper. Every number is one of `summary.json` (see `figure`).

mod cost;
mod directory;
mod figure;
mod pipeline;
mod rate;
mod results;
mod settings;
#[cfg(test)]
mod tests;
mod verdict;
mod wiring;

use crate::summary::Summary;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The name of the page in the directory.
pub const FILE: &str = "report.html";

const STYLE: &str = include_str!("style.css");
/// The browser refuses anything that loads or runs, in case it ever gets into the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Makes the page from the results, the configuration as printed, and the paths of all files.
pub fn page(summary: &Summary, configuration: &str, files: &[String]) -> String {
    let tops: Vec<_> = summary.stages.iter().map(|stage| stage.top.as_str()).collect();
    let title = tops.join(" + ");
    let sections = [
        ("pipeline", "Pipeline", pipeline::section(summary)),
        ("memory", "Memory", cost::memory(summary)),
        ("logic", "Registers and logic", cost::logic(summary)),
        ("rate", "Packet rate", rate::section(summary)),
        ("conformance", "Conformance", results::conformance(summary)),
        ("replay", "Replay", results::replay(summary)),
        ("settings", "Settings", settings::section(summary)),
        ("configuration", "Configuration", directory::configuration(configuration)),
        ("files", "Files", directory::files(files)),
    ];
    let page = html! {
        (DOCTYPE)
        // The licence line is that of all generated files.
        (PreEscaped("<!-- SPDX-License-Identifier: MIT OR Apache-2.0 -->\n"))
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(style())) }
            }
            body {
                header {
                    p.kind { "Pipeline report" }
                    h1 {
                        @for (i, top) in tops.iter().enumerate() {
                            @if i > 0 { " + " }
                            (name(&format!("/stages/{i}/top"), top))
                        }
                    }
                    (verdict::section(summary))
                    nav aria-label="Sections" {
                        @for (id, title, _) in &sections { a href=(format!("#{id}")) { (title) } " " }
                    }
                }
                main {
                    @for (id, title, body) in &sections {
                        section id=(id) aria-labelledby=(format!("{id}-title")) {
                            h2 id=(format!("{id}-title")) { (title) }
                            div { (body) }
                        }
                    }
                }
                footer {
                    p {
                        "Made by " (figure::word("/tool", summary.tool)) " from configuration "
                        code { (figure::word("/config", &summary.config)) } ". Every number is one of "
                        a href="summary.json" { "summary.json" } "."
                    }
                }
            }
        }
    };
    page.into_string() + "\n"
}

/// The style sheet without its licence line, which the page already has.
fn style() -> &'static str {
    STYLE.split_once('\n').map_or(STYLE, |(_, rest)| rest)
}

/// A name that may break after its underscores.
fn name(at: &str, text: &str) -> Markup {
    html! {
        span data-json=(at) {
            @for (i, part) in text.split('_').enumerate() {
                @if i > 0 { "_" wbr; }
                (part)
            }
        }
    }
}

/// A table that scrolls if it is wider than the page.
fn table(label: &str, content: Markup) -> Markup {
    html! { div.scroll role="region" aria-label=(label) tabindex="0" { table { (content) } } }
}

/// A bar of `part` in `whole`, next to the number.
fn bar(part: f64, whole: f64) -> Markup {
    let width = if whole > 0.0 { (100.0 * part / whole).clamp(0.0, 100.0) } else { 0.0 };
    html! {
        svg.bar width="100%" height="5" aria-hidden="true" {
            rect.track width="100%" height="5" {}
            rect.fill width=(format!("{width:.2}%")) height="5" {}
        }
    }
}
