// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clock that the link needs, and whether it closes: what was measured of the stage after place and route.

use super::Rate;
use crate::failure::Outcome;
use crate::measured::{self, Measured, NetlistSize, Parameters, Relation};
use crate::stages::StageName;
use serde::Serialize;

/// The clock of a stage. All stages of a pipeline have one, and the one with frames asks most of it: a stage with events
/// takes one a clock, and no frame is shorter than a beat.
#[derive(Clone, Debug, Serialize)]
pub struct Clock {
    /// With which the pipeline just keeps up with the link, at the frame length that is worst.
    pub needed_mhz: f64,
    /// With which one event a frame keeps up, at the shortest length.
    pub one_event_a_frame_mhz: f64,
    /// That of the configuration.
    pub configured_mhz: f64,
    /// Whether the clock that is needed closes.
    pub closes: Closes,
    /// How much more was measured than is needed, where that decides.
    pub margin_percent: Option<f64>,
    /// What was measured, or else estimated: of this configuration if that is known, else of the fastest larger one.
    pub measured: Option<Figure>,
}

/// Whether a clock closes after place and route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Closes {
    /// This configuration was measured below the need.
    No,
    /// Nothing was measured, or what was decides nothing: an estimate, the stage before a change of it, or too little of a
    /// larger configuration.
    NotMeasured,
    /// A larger configuration was measured above the need.
    Larger,
    /// This configuration was measured above the need.
    Yes,
}

/// An entry of the table.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// How it stands to this configuration.
    pub relation: Relation,
    /// The entry.
    #[serde(flatten)]
    pub entry: Measured,
}

impl Clock {
    /// Of a stage with these parameters.
    pub fn of(
        stage: StageName,
        family: &str,
        wanted: &Parameters,
        netlist: &NetlistSize,
        rate: &Rate,
    ) -> Outcome<Self> {
        let found = measured::find(stage, family, wanted, netlist)?;
        let needed_mhz = rate.clock_needed_mhz;
        let mut figures: Vec<_> = found.into_iter().map(|(relation, entry)| Figure { relation, entry }).collect();
        let decides = figures.iter().position(|figure| figure.closes(needed_mhz) != Closes::NotMeasured);
        let measured = if figures.is_empty() { None } else { Some(figures.swap_remove(decides.unwrap_or(0))) };
        let closes = measured.as_ref().map_or(Closes::NotMeasured, |figure| figure.closes(needed_mhz));
        let mhz = measured.as_ref().and_then(|figure| figure.entry.mhz);
        Ok(Clock {
            needed_mhz,
            one_event_a_frame_mhz: rate.one_event_a_frame_mhz(),
            configured_mhz: rate.clock_mhz,
            closes,
            margin_percent: mhz
                .filter(|_| closes != Closes::NotMeasured)
                .map(|mhz| 100.0 * (mhz - needed_mhz) / needed_mhz),
            measured,
        })
    }

    /// What is wrong.
    pub fn problem(&self) -> Option<String> {
        let entry = &self.measured.as_ref().filter(|_| self.closes == Closes::No)?.entry;
        let (needed, mhz) = (self.needed_mhz, entry.mhz?);
        Some(format!("{needed:.1} MHz do not close: {mhz:.1} MHz after place and route ({})", entry.tool))
    }

    /// The stage's clock in one line.
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

    /// The figure, what it is of, and the tool.
    fn text(&self) -> String {
        let Measured { mhz, estimate_ns, seeds, tool, .. } = &self.entry;
        let of = match self.relation {
            Relation::Same => "",
            Relation::Changed => " before a change of the stage",
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

    /// Look-up tables and carry cells, if they are of this configuration.
    pub fn tables(&self) -> Option<Tables> {
        let kind = |name: &str| self.entry.cells(name).filter(|_| self.relation == Relation::Same);
        let (lut4, lut6) = (kind("lut4"), kind("lut6"));
        Some(Tables { luts: lut4.or(lut6)? as u64, carries: kind("ccu2c").unwrap_or(0.0) as u64 })
    }
}

/// Look-up tables, and on ECP5 the carry cells, each in the place of two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Tables {
    /// LUT4 or LUT1 to LUT6.
    pub luts: u64,
    /// CCU2C.
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
    /// In places of tables.
    pub fn places(self) -> u64 {
        self.luts + 2 * self.carries
    }

    /// In words.
    pub fn text(self, lut: &str) -> String {
        let carries = if self.carries > 0 { format!(" and {} CCU2C of two each", self.carries) } else { String::new() };
        format!("{} {lut}{carries}", self.luts)
    }
}
