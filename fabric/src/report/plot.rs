// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plots as SVG.

use crate::result::{Check, Report};
use plotters::prelude::*;

/// Width and height of a plot.
pub const SIZE: (u32, u32) = (860, 380);
/// The font of labels.
pub const FONT: (&str, i32) = ("sans-serif", 14);

/// The colour of a case.
pub fn colour(at: usize) -> RGBColor {
    const COLOURS: [RGBColor; 8] = [
        RGBColor(0, 114, 178),
        RGBColor(213, 94, 0),
        RGBColor(0, 158, 115),
        RGBColor(204, 121, 167),
        RGBColor(86, 180, 233),
        RGBColor(120, 94, 10),
        RGBColor(230, 159, 0),
        RGBColor(90, 90, 90),
    ];
    COLOURS[at % COLOURS.len()]
}

/// What is wrong with a plot.
pub fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Times of all messages of a case, sorted.
fn times(report: &Report, case: usize) -> Vec<f64> {
    let mut times: Vec<f64> =
        report.cases[case].runs.iter().flat_map(|run| &run.completion_us).copied().flatten().collect();
    times.sort_unstable_by(f64::total_cmp);
    times
}

/// The share of messages that are completed by a time, for each case.
pub fn completion(report: &Report) -> Result<String, String> {
    let all: Vec<_> = (0..report.cases.len()).map(|case| times(report, case)).collect();
    let last = all.iter().filter_map(|times| times.last()).copied().fold(1.0, f64::max);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .x_label_area_size(42)
            .y_label_area_size(56)
            .build_cartesian_2d(0.0..last * 1.02, 0.0..1.0)
            .map_err(text)?;
        chart
            .configure_mesh()
            .max_light_lines(0)
            .x_desc("us")
            .y_desc("share of messages")
            .label_style(FONT)
            .draw()
            .map_err(text)?;
        for (at, times) in all.iter().enumerate() {
            // A step for each message, but not more than can be seen.
            let stride = (times.len() / 1000).max(1);
            let count = times.len() as f64;
            let steps = times.iter().enumerate().filter(|(rank, _)| rank % stride == 0 || rank + 1 == times.len());
            let line = steps.map(|(rank, &time)| (time, (rank + 1) as f64 / count));
            let name = &report.cases[at].name;
            let series = chart.draw_series(LineSeries::new(line, colour(at).stroke_width(2))).map_err(text)?;
            let legend = move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour(at).stroke_width(2));
            series.label(if name.is_empty() { "all" } else { name }).legend(legend);
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.8))
            .label_font(FONT)
            .draw()
            .map_err(text)?;
        area.present().map_err(text)?;
    }
    Ok(svg)
}

/// Times that are known from elsewhere, beside ours; `None` if there are none.
pub fn against_source(report: &Report) -> Result<Option<String>, String> {
    let is_time = |check: &&Check| ["largest", "mean", "p99", "p999", "delivered"].contains(&check.figure.as_str());
    let checks: Vec<_> = report.checks.iter().filter(is_time).collect();
    if checks.is_empty() {
        return Ok(None);
    }
    let names: Vec<_> = checks.iter().map(|check| format!("{} {}", check.case, check.figure)).collect();
    let highest = checks.iter().map(|check| check.ours.high.max(check.value)).fold(1.0, f64::max);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .x_label_area_size(42)
            .y_label_area_size(56)
            .build_cartesian_2d(-0.5..names.len() as f64 - 0.5, 0.0..highest * 1.1)
            .map_err(text)?;
        // A name stands at each whole number.
        let name = |x: &f64| {
            let whole = (x - x.round()).abs() < 1e-6;
            names.get(x.round() as usize).filter(|_| whole && *x > -0.1).cloned().unwrap_or_default()
        };
        let mut mesh = chart.configure_mesh();
        mesh.max_light_lines(0).disable_x_mesh().x_labels(2 * names.len()).x_label_formatter(&name);
        mesh.y_desc("us").label_style(FONT).draw().map_err(text)?;
        for (at, check) in checks.iter().enumerate() {
            let x = at as f64;
            let ours =
                ErrorBar::new_vertical(x, check.ours.low, check.ours.mean, check.ours.high, colour(0).filled(), 10);
            chart.draw_series([ours]).map_err(text)?;
            chart.draw_series([Cross::new((x, check.value), 6, colour(1).stroke_width(2))]).map_err(text)?;
        }
        area.present().map_err(text)?;
    }
    Ok(Some(svg))
}
