// SPDX-License-Identifier: MIT OR Apache-2.0
//! What happens, seen from the ports.

use crate::device::named::Named;
use std::collections::BTreeMap;

/// What the traffic brings about sooner or later at any size.
pub const EXPECTED: [&str; 49] = [
    "D2 ack back to back on one PDC",
    "D2 send back to back on one PDC",
    "D2 ack waits",
    "D2 send waits",
    "D6 new",
    "D6 refused",
    "D6 refused_sends",
    "D7 again",
    "D7 empty_sends",
    "D8 sent again more often than twice",
    "D9 send of a packet",
    "D9 the end of a turn alone",
    "D11 outside_acks",
    "D11 closed_events",
    "D13 late_acks",
    "D15 old_totals",
    "D15 quanta",
    "D16 bad_times",
    "D17 an ACK releases nothing",
    "D17 an ACK releases several",
    "D17 an ACK of marked packets",
    "D17 a sample",
    "D17 a sample of a retransmission",
    "D18 NACK",
    "D18 void_nacks",
    "D19 credit",
    "D22 timeouts",
    "D22 inferred_losses",
    "D22 loss",
    "D23 failure",
    "D23 failure stalled",
    "D24 failed",
    "D25 declared_losses",
    "D26 event stalled",
    "D26 event back to back",
    "D27 outcome stalled",
    "D27 outcome back to back",
    "D27 outcome 0",
    "D27 outcome 1",
    "D27 outcome 2",
    "D27 outcome 3",
    "D27 outcome 4",
    "D27 outcome 5",
    "D27 outcome of a trigger",
    "D29 opened",
    "D29 changed",
    "D30 closed",
    "D30 not closed",
    "D33 quiet",
];

/// With more than one PDC also these.
pub const MANY: [&str; 2] = ["D29 not opened", "D33 busy again"];

const COUNTERS: [(&str, &str); 11] = [
    ("D6", "refused_sends"),
    ("D7", "empty_sends"),
    ("D11", "closed_events"),
    ("D11", "outside_acks"),
    ("D13", "late_acks"),
    ("D15", "old_totals"),
    ("D16", "bad_times"),
    ("D18", "void_nacks"),
    ("D22", "timeouts"),
    ("D22", "inferred_losses"),
    ("D25", "declared_losses"),
];

/// What was seen before.
#[derive(Clone, Debug, Default)]
pub struct Past {
    pub cycle: u64,
    counters: BTreeMap<&'static str, u64>,
    /// The PDC of the transfer of `ack` and `send` in the clock cycle before.
    accepted: [Option<u64>; 2],
    /// Whether there was a transfer of `event` and `outcome` in the clock cycle before, and whether they and `failure` wait.
    transferred: [bool; 2],
    stalled: [bool; 3],
}

impl Past {
    /// After a reset.
    pub fn forget(&mut self) {
        *self = Past { cycle: self.cycle, ..Past::default() };
    }

    /// Looks at a clock cycle.
    pub fn watch(&mut self, ports: &Named, outputs: &[u64], input: &[u64], counts: &mut BTreeMap<String, u64>) {
        let mut note = |what: &str, happens: bool| {
            if happens {
                *counts.entry(what.to_owned()).or_insert(0) += 1;
            }
        };
        let get = |name: &str| ports.get(outputs, name);
        let is = |name: &str| get(name) == 1;
        let given = |name: &str| ports.given(input, name);
        self.cycle += 1;
        note("D33 busy again", is("busy") && self.cycle > 3000);
        note("D33 quiet", is("quiet"));
        for (row, name) in COUNTERS {
            let value = get(name);
            note(&format!("{row} {name}"), value > self.counters.insert(name, value).unwrap_or(0));
        }
        for (last, stream) in self.accepted.iter_mut().zip(["ack", "send"]) {
            let (valid, ready) = (given(&format!("{stream}_valid")) == 1, is(&format!("{stream}_ready")));
            let pdc = (valid && ready).then(|| given(&format!("{stream}_pdc")));
            note(&format!("D2 {stream} waits"), valid && !ready && !is("busy"));
            note(&format!("D2 {stream} back to back on one PDC"), pdc.is_some() && pdc == *last);
            *last = pdc;
        }
        let mut transfers = [false; 3];
        for (i, (row, stream)) in [("D26", "event"), ("D27", "outcome"), ("D23", "failure")].into_iter().enumerate() {
            let (valid, ready) = (is(&format!("{stream}_valid")), given(&format!("{stream}_ready")) == 1);
            note(&format!("{row} {stream} stalled"), valid && self.stalled[i]);
            note(&format!("{row} {stream}"), valid && ready && stream == "failure");
            (self.stalled[i], transfers[i]) = (valid && !ready, valid && ready);
            if let Some(before) = self.transferred.get_mut(i) {
                note(&format!("{row} {stream} back to back"), transfers[i] && *before);
                *before = transfers[i];
            }
        }
        if transfers[0] {
            event(&get, &mut note);
        }
        if transfers[1] {
            note(&format!("D27 outcome {}", get("outcome_kind")), true);
            note("D27 outcome of a trigger", is("outcome_trigger"));
            note("D8 sent again more often than twice", get("outcome_rtx_count") == 3);
        }
        if is("sent_valid") {
            note("D6 new", get("sent_op") == 1 && is("sent_ok"));
            note("D6 refused", get("sent_op") == 1 && !is("sent_ok"));
            note("D7 again", get("sent_op") == 2 && is("sent_ok"));
        }
        if is("response_valid") {
            let (op, done) = (get("response_op"), is("response_done"));
            note("D24 failed", is("response_failed"));
            note("D29 opened", op == 1 && done);
            note("D29 not opened", op == 1 && !done);
            note("D29 changed", op == 3 && done);
            note("D30 closed", op == 2 && done);
            note("D30 not closed", op == 2 && !done && is("response_open"));
        }
    }
}

fn event(get: &impl Fn(&str) -> u64, note: &mut impl FnMut(&str, bool)) {
    let kind = get("event_kind");
    let packets = get("event_packets");
    note("D15 quanta", get("event_quanta") != 0);
    note("D17 an ACK releases nothing", kind == 0 && packets == 0 && get("event_rtx_packets") == 0);
    note("D17 an ACK releases several", kind == 0 && packets > 1);
    note("D17 an ACK of marked packets", kind == 0 && get("event_rtx_packets") != 0);
    note("D17 a sample", kind == 0 && get("event_timed") == 1);
    note("D17 a sample of a retransmission", get("event_timed") == 1 && get("event_rtx_count") != 0);
    note("D18 NACK", kind == 1);
    note("D19 credit", kind == 2);
    note("D9 send of a packet", kind == 3 && get("event_packet") == 1);
    note("D9 the end of a turn alone", kind == 3 && get("event_packet") == 0);
    note("D22 loss", kind == 4);
}
