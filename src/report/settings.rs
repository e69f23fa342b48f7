// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings: as configured, and as registers hold them after reset.

use super::figure::{whole, word};
use super::table;
use crate::summary::Summary;
use maud::{Markup, html};

pub fn section(summary: &Summary) -> Markup {
    if summary.stages.iter().all(|stage| stage.settings.is_empty()) {
        return html! { p { "No stage has settings." } };
    }
    let settings = html! {
        caption { "Settings after reset, as configured and as in the registers" }
        thead { tr {
            th scope="col" { "port" } th scope="col" { "[settings]" } th scope="col" { "from" }
            th.n scope="col" { "register" } th scope="col" { "counts" } th scope="col" { "that is" }
        } }
        @for (i, stage) in summary.stages.iter().enumerate().filter(|(_, stage)| !stage.settings.is_empty()) {
            tbody {
                @if summary.stages.len() > 1 {
                    tr.group { th colspan="6" scope="rowgroup" { (stage.stage) } }
                }
                @for (j, setting) in stage.settings.iter().enumerate() {
                    @let at = |field: &str| format!("/stages/{i}/settings/{j}/{field}");
                    tr {
                        th scope="row" { (super::name(&at("port"), &setting.port)) }
                        td { (word(&at("configured"), &setting.configured)) }
                        td { (word(&at("row"), setting.row)) }
                        td.n { (whole(&at("value"), setting.value)) }
                        td { (word(&at("unit"), setting.unit)) }
                        td { (word(&at("means"), &setting.means)) }
                    }
                }
            }
        }
    };
    html! {
        p.lead {
            "A transfer on the interface " code { "settings" } " of a stage replaces them; with " code { "settings_valid" }
            " low they stay."
        }
        (table("Settings after reset", settings))
    }
}
