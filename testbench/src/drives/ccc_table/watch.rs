// SPDX-License-Identifier: MIT OR Apache-2.0
//! What happens, seen from the ports.

use crate::device::ports::Port;
use std::collections::{BTreeMap, HashMap};

/// What the traffic brings about sooner or later with any algorithm.
pub const ALWAYS: [&str; 34] = [
    "C2 ack back to back on one CCC",
    "C2 send back to back on one CCC",
    "C2 data back to back on one CCC",
    "C2 loss back to back on one CCC",
    "C2 all streams at once",
    "C2 ack waits",
    "C4 closed_events",
    "C6 excess_acks",
    "C11 short_backlogs",
    "C9 refused_data",
    "C29 unready_turns",
    "C28 grants of several CCCs",
    "C30 grant back to back",
    "C30 grant stalled",
    "C30 retransmission",
    "C30 weight 15",
    "C32 opened",
    "C32 not opened",
    "C32 closed",
    "C32 not closed",
    "C32 not closed as it is in turn",
    "C32 changed",
    "C32 not changed",
    "C32 read of a closed CCC",
    "C32 code 4",
    "C26 IDLE",
    "C26 PENDING",
    "C26 READY",
    "C26 in turn",
    "C33 settings",
    "C33 an event waits in a pause",
    "C34 busy again",
    "C35 a turn ends blocked",
    "C35 no longer blocked",
];

/// With NSCC also these.
pub const NSCC: [&str; 15] = [
    "C7 excess_sends",
    "C12 bad_times",
    "C24 adjustments",
    "C24 adjustments back to back",
    "C20 void_adjustments",
    "C16 quick_adapts",
    "C26 ACTIVE",
    "C5 inflight at its bound",
    "C11 less than nothing in flight",
    "C13 base_rtt below that of the settings",
    "C14 a filtered delay",
    "C18 cwnd is max_wnd",
    "C18 cwnd is small",
    "C18 cwnd has grown",
    "C27 asks for ACKs",
];

/// With RCCC also these.
pub const RCCC: [&str; 4] =
    ["C10 stale_credits", "C25 credit", "C25 negative credit", "C27 a credit target in a grant"];

const COUNTERS: [(&str, &str); 11] = [
    ("C4", "closed_events"),
    ("C6", "excess_acks"),
    ("C7", "excess_sends"),
    ("C11", "short_backlogs"),
    ("C9", "refused_data"),
    ("C10", "stale_credits"),
    ("C12", "bad_times"),
    ("C24", "adjustments"),
    ("C20", "void_adjustments"),
    ("C16", "quick_adapts"),
    ("C29", "unready_turns"),
];
const STREAMS: [&str; 4] = ["ack", "send", "loss", "data"];

/// One clock cycle.
pub struct Seen<'a> {
    pub outputs: &'a [u64],
    pub input: &'a [u64],
    pub outputs_by_name: &'a HashMap<String, Port>,
    pub inputs_by_name: &'a HashMap<String, Port>,
}

impl Seen<'_> {
    fn get(&self, name: &str) -> u64 {
        self.outputs[self.outputs_by_name[name].offset]
    }

    fn put(&self, name: &str) -> u64 {
        self.input[self.inputs_by_name[name].offset]
    }
}

/// What was seen before.
#[derive(Clone, Debug, Default)]
pub struct Past {
    pub cycle: u64,
    counters: BTreeMap<&'static str, u64>,
    /// The CCC of the event of each stream in the clock cycle before.
    accepted: [Option<u64>; 4],
    /// The grant that was transferred in the clock cycle before.
    granted: Option<u64>,
    stalled: bool,
    adjusted: bool,
    /// Clock cycles that the settings pause still takes.
    pause: u64,
    first_cwnd: Option<u64>,
}

impl Past {
    /// After a reset.
    pub fn forget(&mut self) {
        *self = Past { cycle: self.cycle, ..Past::default() };
    }

    /// Looks at a clock cycle. The result is a CCC that was opened or closed.
    pub fn watch(&mut self, seen: &Seen, counts: &mut BTreeMap<String, u64>) -> Option<u64> {
        let mut note = |what: &str, happens: bool| {
            if happens {
                *counts.entry(what.to_owned()).or_insert(0) += 1;
            }
        };
        self.cycle += 1;
        note("C34 busy again", seen.get("busy") == 1 && self.cycle > 3000);
        let mut adjusted = false;
        for (row, name) in COUNTERS {
            let (value, before) = (seen.get(name), self.counters.get(name).copied().unwrap_or(0));
            note(&format!("{row} {name}"), value > before);
            adjusted |= name == "adjustments" && value > before;
            self.counters.insert(name, value);
        }
        note("C24 adjustments back to back", adjusted && self.adjusted);
        self.adjusted = adjusted;
        let mut all = true;
        for (stream, last) in STREAMS.into_iter().zip(&mut self.accepted) {
            let (valid, ready) = (seen.put(&format!("{stream}_valid")) == 1, seen.get(&format!("{stream}_ready")) == 1);
            let ccc = (valid && ready).then(|| seen.put(&format!("{stream}_ccc")));
            note(&format!("C2 {stream} waits"), valid && !ready && seen.get("busy") == 0);
            note("C33 an event waits in a pause", valid && !ready && self.pause > 0);
            note(&format!("C2 {stream} back to back on one CCC"), ccc.is_some() && ccc == *last);
            all &= ccc.is_some();
            *last = ccc;
        }
        note("C2 all streams at once", all);
        let [packet, last, blocked] = ["packet", "last", "blocked"].map(|name| seen.put(&format!("send_{name}")) == 1);
        let says = self.accepted[1].is_some() && !packet;
        note("C35 a turn ends blocked", says && last && blocked);
        note("C35 no longer blocked", says && !last && !blocked);
        let sets = seen.put("settings_valid") == 1;
        note("C33 settings", sets);
        self.pause = if sets { 160 } else { self.pause.saturating_sub(1) };
        self.grant(seen, &mut note);
        self.response(seen, &mut note)
    }

    fn grant(&mut self, seen: &Seen, note: &mut impl FnMut(&str, bool)) {
        let (valid, ready) = (seen.get("grant_valid") == 1, seen.put("grant_ready") == 1);
        let ccc = seen.get("grant_ccc");
        note("C30 grant stalled", valid && self.stalled);
        self.stalled = valid && !ready;
        if valid && ready {
            note("C30 grant back to back", self.granted.is_some());
            note("C28 grants of several CCCs", self.granted.is_some_and(|before| before != ccc));
            note("C30 retransmission", seen.get("grant_retransmission") == 1);
            note("C30 weight 15", seen.get("grant_packets") == 15);
            note("C27 asks for ACKs", seen.get("grant_ack_request") == 1);
            note("C27 a credit target in a grant", seen.get("grant_credit_target") != 0);
        }
        self.granted = (valid && ready).then_some(ccc);
    }

    fn response(&mut self, seen: &Seen, note: &mut impl FnMut(&str, bool)) -> Option<u64> {
        if seen.get("response_valid") == 0 {
            return None;
        }
        let get = |name: &str| seen.get(&format!("response_{name}"));
        let (op, done, open) = (get("op"), get("done") == 1, get("open") == 1);
        note("C32 opened", op == 1 && done);
        note("C32 not opened", op == 1 && !done);
        note("C32 closed", op == 2 && done);
        note("C32 not closed", op == 2 && !done && open);
        note("C32 not closed as it is in turn", op == 2 && !done && open && get("state") == 0 && get("granted") == 1);
        note("C32 changed", op == 3 && done);
        note("C32 not changed", op == 3 && !done);
        note("C32 read of a closed CCC", op == 0 && done && !open);
        note("C32 code 4", op == 4 && !done);
        if open {
            note(["C26 IDLE", "C26 PENDING", "C26 ACTIVE", "C26 READY"][get("state") as usize], true);
            note("C26 in turn", get("granted") == 1);
            note("C5 inflight at its bound", get("inflight") == (1 << 29) - 65_536);
            note("C11 less than nothing in flight", get("inflight") >> 28 == 1);
            note("C25 negative credit", get("credit") >> 28 == 1);
            note("C25 credit", get("credit") >> 28 == 0 && get("credit") != 0);
            let (cwnd, nscc) = (get("cwnd"), get("nscc") == 1);
            note("C13 base_rtt below that of the settings", nscc && get("base_rtt") < 20);
            note("C14 a filtered delay", get("delay") != 0);
            note("C18 cwnd is max_wnd", nscc && cwnd == get("max_wnd"));
            note("C18 cwnd is small", nscc && cwnd < 5000);
            note("C18 cwnd has grown", nscc && self.first_cwnd.is_some_and(|first| first < cwnd));
            if op == 1 && done && nscc {
                self.first_cwnd = Some(cwnd);
            }
        }
        (done && (op == 1 || op == 2)).then(|| get("ccc"))
    }
}
