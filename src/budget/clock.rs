// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clock that the link needs, and whether it closes, judged by measurements of the stage after place and route.

use super::Rate;
use crate::measured::{Measured, Relation};
use serde::Serialize;

/// The clock of a stage. All stages of a pipeline share one clock, and the stage with frames needs the highest: a stage
/// with events takes one per clock cycle, and no frame is shorter than a beat.
#[derive(Clone, Debug, Serialize)]
pub struct Clock {
    /// The clock at which the pipeline just keeps up with the link, at the worst frame length, in MHz.
    pub needed_mhz: f64,
    /// The clock at which one event per frame keeps up, at the shortest length, in MHz.
    pub one_event_a_frame_mhz: f64,
    /// The clock of the configuration, in MHz.
    pub configured_mhz: f64,
    /// Whether the needed clock closes.
    pub closes: Closes,
    /// How far the measured clock is above the needed one, in per cent, if the measurement decides.
    pub margin_percent: Option<f64>,
    /// The measurement or estimate: of this configuration if there is one, otherwise of the fastest larger one.
    pub measured: Option<Figure>,
}

/// Whether a clock closes after place and route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Closes {
    /// This configuration was measured below the need.
    No,
    /// There is no decisive measurement: only an estimate, a measurement before a change of the stage, or one of a
    /// larger configuration that is too low.
    NotMeasured,
    /// A larger configuration was measured above the need.
    Larger,
    /// This configuration was measured above the need.
    Yes,
}

/// An entry of the table of measurements.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// Its relation to this configuration.
    pub relation: Relation,
    /// The entry of the table.
    #[serde(flatten)]
    pub entry: Measured,
}

impl Clock {
    /// The clock of a stage with these entries of the table.
    pub(crate) fn of(found: Vec<(Relation, Measured)>, rate: &Rate) -> Self {
        let needed_mhz = rate.clock_needed_mhz;
        let mut figures: Vec<_> = found.into_iter().map(|(relation, entry)| Figure { relation, entry }).collect();
        let decides = figures.iter().position(|figure| figure.closes(needed_mhz) != Closes::NotMeasured);
        let measured = if figures.is_empty() { None } else { Some(figures.swap_remove(decides.unwrap_or(0))) };
        let closes = measured.as_ref().map_or(Closes::NotMeasured, |figure| figure.closes(needed_mhz));
        let mhz = measured.as_ref().and_then(|figure| figure.entry.mhz);
        Clock {
            needed_mhz,
            one_event_a_frame_mhz: rate.one_event_a_frame_mhz(),
            configured_mhz: rate.clock_mhz,
            closes,
            margin_percent: mhz
                .filter(|_| closes != Closes::NotMeasured)
                .map(|mhz| 100.0 * (mhz - needed_mhz) / needed_mhz),
            measured,
        }
    }

    /// The reason why the clock is not good enough, if there is one.
    pub fn problem(&self) -> Option<String> {
        let entry = &self.measured.as_ref().filter(|_| self.closes == Closes::No)?.entry;
        let (needed, mhz) = (self.needed_mhz, entry.mhz?);
        Some(format!("{needed:.1} MHz do not close: {mhz:.1} MHz after place and route ({})", entry.tool))
    }

    /// The clock of the stage in one line.
    pub fn text(&self) -> String {
        let closes = match self.closes {
            Closes::Yes => "closes",
            Closes::Larger => "closes (measured larger)",
            Closes::No => "does not close",
            Closes::NotMeasured => "not measured",
        };
        let margin = self.margin_percent.map_or_else(String::new, |margin| format!(", margin {margin:.1} %"));
        let figure = self.measured.as_ref().map_or_else(String::new, |figure| format!("; {}", figure.text()));
        format!("{:.1} MHz needed of {}: {closes}{margin}{figure}", self.needed_mhz, self.configured_mhz)
    }
}

impl Figure {
    fn closes(&self, needed_mhz: f64) -> Closes {
        match (self.relation, self.entry.mhz) {
            (Relation::Same, Some(mhz)) if mhz < needed_mhz => Closes::No,
            (Relation::Same, Some(_)) => Closes::Yes,
            (Relation::Larger, Some(mhz)) if mhz >= needed_mhz => Closes::Larger,
            _ => Closes::NotMeasured,
        }
    }

    /// The clock in MHz, what it was measured for, and the tool.
    fn text(&self) -> String {
        let Measured { mhz, estimate_ns, seeds, tool, .. } = &self.entry;
        let of = match self.relation {
            Relation::Same => "",
            Relation::Changed => " of an earlier design",
            Relation::Larger => " of a larger configuration",
        };
        let seeds = seeds.map_or_else(String::new, |seeds| format!(", {seeds} seed(s)"));
        match (mhz, estimate_ns) {
            (Some(mhz), _) => format!("{mhz:.1} MHz after place and route{of} ({tool}{seeds})"),
            (None, Some(ns)) => format!(
                "estimate{of} before placement {ns:.2} ns, {:.1} MHz, with cell delays of Artix-7 ({tool})",
                1e3 / ns
            ),
            (None, None) => String::new(),
        }
    }

    /// Number of look-up tables and carry cells, if they were measured for this configuration.
    pub fn tables(&self) -> Option<Tables> {
        let kind = |name: &str| self.entry.cells(name).filter(|_| self.relation == Relation::Same);
        let (lut4, lut6) = (kind("lut4"), kind("lut6"));
        Some(Tables { luts: lut4.or(lut6)? as u64, carries: kind("ccu2c").unwrap_or(0.0) as u64 })
    }
}

/// Look-up tables and, on ECP5, the carry cells, each of which takes the place of two tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Tables {
    /// Number of LUT4, or of LUT1 to LUT6.
    pub luts: u64,
    /// Number of CCU2C.
    pub carries: u64,
}

impl std::iter::Sum for Tables {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Tables::default(), |sum, next| Tables {
            luts: sum.luts + next.luts,
            carries: sum.carries + next.carries,
        })
    }
}

impl Tables {
    /// Number of look-up tables in total, carry cells included.
    pub fn places(self) -> u64 {
        self.luts + 2 * self.carries
    }

    /// The numbers as text.
    pub fn text(self, lut: &str) -> String {
        let carries = if self.carries > 0 { format!(" and {} CCU2C of two each", self.carries) } else { String::new() };
        format!("{} {lut}{carries}", self.luts)
    }
}
