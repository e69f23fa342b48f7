// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors on a device under test.

use crate::parser_bench::{Outcome, Traffic, parse};
use crate::replay::reason;
use crate::stream::Frame;
use crate::{Dut, Error};
use golden_vectors::{Case, Reason, Verdict};

/// What came of one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseResult {
    /// The case.
    pub id: String,
    /// What is not as expected; empty if all is.
    pub problems: Vec<String>,
}

impl CaseResult {
    /// All is as expected.
    pub fn passed(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Sends the frames of all cases, one behind the other, and compares what comes of each: verdict, reason, the promised
/// fields of the record, and the frame itself.
pub fn run<'a>(
    dut: &mut dyn Dut,
    cases: impl IntoIterator<Item = &'a Case>,
    traffic: Traffic,
) -> Result<Vec<CaseResult>, Error> {
    let cases: Vec<_> = cases.into_iter().collect();
    let frame = |case: &&Case| Frame { bytes: case.frame.clone(), user: case.bad_frame as u64 };
    let frames: Vec<_> = cases.iter().map(frame).collect();
    let outcomes = parse(dut, &frames, traffic)?;
    let compare =
        |(case, outcome): (&&Case, &Outcome)| CaseResult { id: case.id.clone(), problems: check(case, outcome) };
    Ok(cases.iter().zip(&outcomes).map(compare).collect())
}

/// Compares the counters of a device that has seen these cases since power-up: `count_REASON`, `count_none` for the
/// good ones. `None` if it has none.
pub fn counters<'a>(dut: &mut dyn Dut, cases: impl IntoIterator<Item = &'a Case>) -> Option<CaseResult> {
    let ports = dut.ports().clone();
    let mut outputs = vec![0; ports.output_limbs()];
    dut.outputs(&mut outputs);
    let mut expected = [0u64; Reason::ALL.len()];
    for case in cases {
        expected[case.expect.reason.unwrap_or(Reason::None) as usize] += 1;
    }
    let mut problems = Vec::new();
    for reason in Reason::ALL {
        let port = ports.output(&format!("count_{}", reason.name()))?;
        let (got, expected) = (outputs[port.offset], expected[reason as usize]);
        if got != expected {
            problems.push(format!("{}: {got}, expected {expected}", port.name));
        }
    }
    Some(CaseResult { id: "counters".into(), problems })
}

/// What is not as the case expects.
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
    if outcome.bytes != case.frame {
        problems.push(difference(&case.frame, &outcome.bytes));
    }
    problems
}

fn difference(sent: &[u8], got: &[u8]) -> String {
    if sent.len() != got.len() {
        return format!("frame: {} bytes, expected {}", got.len(), sent.len());
    }
    let at = sent.iter().zip(got).position(|(a, b)| a != b).unwrap_or(0);
    format!("frame: byte {at} is {:#04x}, expected {:#04x}", got[at], sent[at])
}
