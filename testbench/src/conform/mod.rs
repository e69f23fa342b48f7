// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs the golden vectors on a device under test: those of frames through the parser here, of records through the
//! [`builder`], of events with cycles in [`timed_bench`]. [`selfcheck`] writes them into testbenches that check
//! themselves.

pub mod builder;
pub mod selfcheck;
pub mod timed_bench;

use crate::benches::parser_bench::{Outcome, Traffic, parse};
use crate::benches::replay::reason;
use crate::device::{Dut, Error, Ports};
use crate::streams::Frame;
use crate::streams::side_band;
use golden_vectors::{Case, Reason, Verdict};
use rtl_model::netlist::interfaces::Direction;
use std::collections::BTreeMap;

/// The result of one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseResult {
    /// The id of the case.
    pub id: String,
    /// The differences from the expectation; empty if there are none.
    pub problems: Vec<String>,
}

impl CaseResult {
    /// Whether there are no differences.
    pub fn passed(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Sends the frames of all cases, one after the other, and compares the outputs of each: verdict, reason, the defined
/// fields of the record, and the frame itself.
pub fn run<'a>(
    dut: &mut dyn Dut,
    cases: impl IntoIterator<Item = &'a Case>,
    traffic: Traffic,
) -> Result<Vec<CaseResult>, Error> {
    let cases: Vec<_> = cases.into_iter().collect();
    let mark = mark(dut.ports());
    let frame = |case: &&Case| Frame { bytes: case.frame.clone(), user: if case.bad_frame { mark } else { 0 } };
    let frames: Vec<_> = cases.iter().map(frame).collect();
    let outcomes = parse(dut, &frames, traffic)?;
    let compare =
        |(case, outcome): (&&Case, &Outcome)| CaseResult { id: case.id.clone(), problems: check(case, outcome) };
    Ok(cases.iter().zip(&outcomes).map(compare).collect())
}

/// The `tuser` of a frame that arrives marked as bad: one bit if a MAC marks it, that bit and the reason if an earlier
/// stage does.
pub(crate) fn mark(ports: &Ports) -> u64 {
    match ports.field("s_axis", Direction::In, "tuser") {
        Some(port) if port.width - side_band::of_ports(ports).tuser > 1 => (Reason::BadFrame.code() as u64) << 1 | 1,
        _ => 1,
    }
}

/// Compares the counters of a device that has run these cases since power-up: the interface `count` has a counter per
/// reason and `none` for the good frames, or `good`, `bad` and `other` in the stage `icrc`. `None` if there are none.
pub fn counters<'a>(dut: &mut dyn Dut, cases: impl IntoIterator<Item = &'a Case>) -> Option<CaseResult> {
    let ports = dut.ports().clone();
    let mut outputs = vec![0; ports.output_limbs()];
    dut.outputs(&mut outputs);
    let by_reason = ports.field("count", Direction::Out, "none").is_some();
    let mut expected: BTreeMap<&str, u64> = match by_reason {
        true => {
            // A parser without trimming has no counter of it.
            let trims = ports.field("count", Direction::Out, Reason::Trimmed.name()).is_some();
            let has = |reason: &Reason| *reason != Reason::Icrc && (*reason != Reason::Trimmed || trims);
            Reason::ALL.into_iter().filter(has).map(|r| (r.name(), 0)).collect()
        }
        false => ["good", "bad", "other"].map(|name| (name, 0)).into(),
    };
    for case in cases {
        let reason = case.expect.reason.unwrap_or(Reason::None);
        // The last row of the contract of `icrc` is that of frames with a right ICRC.
        let good = case.rows.first().is_some_and(|row| row == "R10");
        let name = match reason {
            _ if by_reason => reason.name(),
            Reason::Icrc => "bad",
            _ if good => "good",
            _ => "other",
        };
        *expected.entry(name).or_default() += 1;
    }
    let mut problems = Vec::new();
    for (name, expected) in expected {
        let port = ports.field("count", Direction::Out, name)?;
        let got = outputs[port.offset];
        if got != expected {
            problems.push(format!("{}: {got}, expected {expected}", port.name));
        }
    }
    Some(CaseResult { id: "counters".into(), problems })
}

/// Returns the differences between a case and an outcome.
fn check(case: &Case, outcome: &Outcome) -> Vec<String> {
    let mut problems = Vec::new();
    let expect = &case.expect;
    let (drop, why) = (expect.verdict == Verdict::Drop, expect.reason.unwrap_or(Reason::None));
    if (outcome.drop, outcome.reason) != (drop, why.code()) {
        let verdict = |drop: bool, reason: &str| if drop { format!("drop {reason}") } else { format!("ok {reason}") };
        let (got, wanted) = (verdict(outcome.drop, reason(outcome.reason)), verdict(drop, why.name()));
        problems.push(format!("verdict: {got}, expected {wanted}"));
    }
    for (name, field) in &expect.fields {
        match outcome.record.field(name) {
            None => problems.push(format!("{name}: the record has no such field")),
            Some(got) if !field.matches(got) => {
                let mask = if field.mask == u128::MAX { String::new() } else { format!(" (mask {:#x})", field.mask) };
                problems.push(format!("{name}: {got:#x}, expected {:#x}{mask}", field.value));
            }
            Some(_) => {}
        }
    }
    let wanted = expect.frame.as_ref().unwrap_or(&case.frame);
    if outcome.bytes != *wanted {
        problems.push(difference(wanted, &outcome.bytes));
    }
    problems.extend(outcome.stray.clone());
    problems
}

fn difference(wanted: &[u8], got: &[u8]) -> String {
    if wanted.len() != got.len() {
        return format!("frame: {} bytes, expected {}", got.len(), wanted.len());
    }
    let at = wanted.iter().zip(got).position(|(a, b)| a != b).unwrap_or(0);
    format!("frame: byte {at} is {:#04x}, expected {:#04x}", got[at], wanted[at])
}
