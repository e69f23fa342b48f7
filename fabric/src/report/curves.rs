// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plots of a Dragonfly: figures against the load, loads of switches, latency over time.

use super::plot::{FONT, SIZE, colour, text};
use crate::result::{CaseResult, Report};
use plotters::prelude::*;

/// A line.
#[derive(Clone, Debug)]
struct Line {
    /// Its name; without one it has no legend.
    name: String,
    /// The number of its colour.
    colour: usize,
    /// Its points.
    points: Vec<(f64, f64)>,
}

/// The latency above which a plot does not go: a saturated network has any.
const HIGHEST: f64 = 1000.0;

/// The name of a case without its load.
fn stem(name: &str) -> String {
    let swept = name.split("; ").filter(|part| !part.starts_with("traffic.load=")).collect::<Vec<_>>().join("; ");
    match swept.rsplit_once(' ') {
        Some((stem, last)) if last.parse::<f64>().is_ok() => stem.to_owned(),
        _ => swept,
    }
}

/// Cases that differ in their load only, and the mean of a figure of each. Cases that are called alike but for the pattern have the same
/// colour.
fn lines(cases: &[CaseResult], figure: &str) -> Vec<Line> {
    let (mut lines, mut kinds): (Vec<Line>, Vec<String>) = (Vec::new(), Vec::new());
    for case in cases {
        let (Some(load), Some(value)) = (case.figures.get("load"), case.figures.get(figure)) else { continue };
        let name = stem(&case.name);
        let point = (load.mean, value.mean);
        if let Some(line) = lines.iter_mut().find(|line| line.name == name) {
            line.points.push(point);
            continue;
        }
        let kind = name.strip_suffix(pattern(&name)).unwrap_or(&name).to_owned();
        let colour = kinds.iter().position(|known| *known == kind).unwrap_or_else(|| {
            kinds.push(kind);
            kinds.len() - 1
        });
        lines.push(Line { name, colour, points: vec![point] });
    }
    lines.retain(|line| line.points.len() > 1);
    lines.iter_mut().for_each(|line| line.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    lines
}

/// The last word of a name: plots are of one pattern each if cases are called `lia ADV+1`.
fn pattern(name: &str) -> &str {
    name.rsplit_once(' ').map_or(name, |(_, last)| last)
}

/// A plot of lines with the names of both axes.
fn plot(lines: &[Line], x: &str, y: &str, most: Option<f64>) -> Result<String, String> {
    let points = || lines.iter().flat_map(|line| &line.points);
    let right = points().map(|point| point.0).fold(0.0, f64::max);
    let highest = points().map(|point| point.1).fold(0.0, f64::max);
    let top = most.map_or(highest, |most| highest.min(most)).max(1e-6) * 1.05;
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .x_label_area_size(42)
            .y_label_area_size(64)
            .build_cartesian_2d(0.0..right * 1.02, 0.0..top)
            .map_err(text)?;
        chart.configure_mesh().max_light_lines(0).x_desc(x).y_desc(y).label_style(FONT).draw().map_err(text)?;
        for Line { name, colour: at, points } in lines {
            // What is higher ends at the top.
            let shown = points.iter().map(|&(x, y)| (x, y.min(top)));
            let style = colour(*at).stroke_width(2);
            let series = chart.draw_series(LineSeries::new(shown, style)).map_err(text)?;
            if !name.is_empty() {
                series.label(name).legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
            }
        }
        let mut labels = chart.configure_series_labels();
        labels.position(SeriesLabelPosition::UpperLeft).background_style(WHITE.mix(0.8)).label_font(FONT);
        labels.draw().map_err(text)?;
        area.present().map_err(text)?;
    }
    Ok(svg)
}

/// All plots, each with its caption.
pub fn all(report: &Report) -> Result<Vec<(String, String)>, String> {
    let mut plots = Vec::new();
    let kinds = [
        ("mean", "mean latency, cycles", Some(HIGHEST)),
        ("p99", "P99 of latency, cycles", Some(HIGHEST)),
        ("accepted", "accepted, flits of a host and cycle", None),
    ];
    let mut patterns: Vec<String> = Vec::new();
    for line in lines(&report.cases, "mean") {
        let pattern = pattern(&line.name).to_owned();
        if !patterns.contains(&pattern) {
            patterns.push(pattern);
        }
    }
    for of in &patterns {
        for (figure, y, most) in kinds {
            let mut lines = lines(&report.cases, figure);
            lines.retain(|line| pattern(&line.name) == of);
            let what = if figure == "accepted" { "Accepted load".to_owned() } else { format!("Latency ({figure})") };
            plots.push((
                format!("{what} against the offered load: {of}."),
                plot(&lines, "load, flits of a host and cycle", y, most)?,
            ));
        }
        let mut ends = Vec::new();
        for figure in ["least switch", "most switch"] {
            let mut lines = lines(&report.cases, figure);
            lines.retain(|line| pattern(&line.name) == of);
            if figure == "most switch" {
                lines.iter_mut().for_each(|line| line.name.clear());
            }
            ends.extend(lines);
        }
        let caption = format!("What the hosts of the switch with the least and with the most could inject: {of}.");
        plots.push((
            caption,
            plot(&ends, "load, flits of a host and cycle", "injected, flits of a host and cycle", None)?,
        ));
    }
    let over_time: Vec<Line> = report.cases.iter().enumerate().filter_map(over_time).collect();
    if !over_time.is_empty() {
        plots.push((
            "Mean latency over time, of the first seed.".to_owned(),
            plot(&over_time, "cycle", "mean latency, cycles", Some(HIGHEST))?,
        ));
    }
    Ok(plots)
}

/// The latency of the first run of a case over time, if its traffic changes.
fn over_time((colour, case): (usize, &CaseResult)) -> Option<Line> {
    let series = &case.runs.first()?.series;
    let points: Vec<_> =
        series.iter().filter(|step| step.packets > 0).map(|step| (f64::from(step.cycle), step.latency)).collect();
    (!points.is_empty()).then(|| Line { name: case.name.clone(), colour, points })
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn a_case_without_its_load() {
        assert_eq!(stem("lia ADV+1; traffic.load=0.3"), "lia ADV+1");
        assert_eq!(stem("lia ADV+1 0.3"), "lia ADV+1");
        assert_eq!(stem("lia ADV+1"), "lia ADV+1");
        assert_eq!(stem("x; routing.weight=1; traffic.load=0.3"), "x; routing.weight=1");
    }
}
