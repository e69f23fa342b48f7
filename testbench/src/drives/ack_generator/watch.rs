// SPDX-License-Identifier: MIT OR Apache-2.0
//! What happens, seen from the ports.

use super::OUTCOMES;
use crate::device::ports::Port;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// What the traffic brings about sooner or later with RoCEv2.
pub const ROCE: [&str; 43] = [
    "G1 arrivals back to back on one connection",
    "G2 in order",
    "G2 held",
    "G2 duplicate",
    "G2 below",
    "G2 above",
    "G2 no buffer",
    "G2 unknown",
    "G2 probe",
    "G2 in the sweep",
    "G7 merged while stalled",
    "G8 an MSN jumps by more than 8",
    "G11 sequence error",
    "G11 not ready",
    "G11 invalid request",
    "G12 void",
    "G12 filled meanwhile",
    "G14 reply",
    "G15 no room",
    "G16 a reply, then a connection",
    "G16 a connection, then a reply",
    "G18 merged in the cycle of the take",
    "G18 one cycle after the take",
    "G18 R",
    "G18 L",
    "G18 marked",
    "G18 a delay",
    "G18 no delay",
    "G18 no multipath",
    "G18 the PSN wraps",
    "G18 stalled",
    "G20 expired",
    "G20 expired between two arrivals",
    "G21 opened",
    "G21 not opened",
    "G21 not opened, as it owes",
    "G21 closed",
    "G21 closed while it owes",
    "G21 not closed",
    "G21 code 3",
    "G4 refused",
    "G1 a command waits",
    "G26 busy again",
];

/// The same with UET.
pub const UET: [&str; 51] = [
    "G1 arrivals back to back on one connection",
    "G2 in order",
    "G2 held",
    "G2 duplicate",
    "G2 below",
    "G2 above",
    "G2 no buffer",
    "G2 unknown",
    "G2 probe",
    "G2 in the sweep",
    "G4 code 1",
    "G4 code 2",
    "G4 code 4",
    "G4 code 7",
    "G4 code 11",
    "G4 code 14",
    "G4 code 21",
    "G7 merged while stalled",
    "G12 void",
    "G12 filled meanwhile",
    "G13 code 26",
    "G14 reply",
    "G15 no room",
    "G16 a reply, then a connection",
    "G16 a connection, then a reply",
    "G18 merged in the cycle of the take",
    "G18 one cycle after the take",
    "G18 ACK",
    "G18 ACK_CC",
    "G18 p",
    "G18 m",
    "G18 retx",
    "G18 the trigger is behind",
    "G18 the trigger is ahead",
    "G18 the SACK word is ahead",
    "G18 the SACK word is behind",
    "G18 service time of 1",
    "G18 service time of more",
    "G18 packets held",
    "G18 the PSN wraps",
    "G18 stalled",
    "G20 expired",
    "G20 expired between two arrivals",
    "G21 opened",
    "G21 not opened",
    "G21 not opened, as it owes",
    "G21 closed",
    "G21 closed while it owes",
    "G21 not closed",
    "G1 a command waits",
    "G26 busy again",
];

/// One clock cycle.
pub struct Seen<'a> {
    pub outputs: &'a [u64],
    pub ports: &'a HashMap<String, Port>,
    pub ready: bool,
    /// Connection, outcome and expected PSN.
    pub arrival: Option<[u64; 3]>,
    /// An event that is accepted: connection and last PSN.
    pub event: Option<[u64; 2]>,
}

impl Seen<'_> {
    fn get(&self, name: &str) -> u64 {
        self.option(name).unwrap_or_else(|| panic!("the stage has no output {name}"))
    }

    fn option(&self, name: &str) -> Option<u64> {
        self.ports.get(name).map(|port| self.outputs[port.offset])
    }
}

/// What was seen before.
#[derive(Clone, Debug, Default)]
pub struct Past {
    latency: u64,
    pub cycle: u64,
    /// Cycle and connection of arrivals, and of clock cycles in which none was taken.
    pub arrivals: VecDeque<(u64, Option<u64>)>,
    /// The event in progress, and whether its gap has been filled since.
    pub event: Option<([u64; 2], bool)>,
    counters: BTreeMap<&'static str, u64>,
    /// The ACK was on the ports and not transferred.
    waited: bool,
    last_was_reply: Option<bool>,
    command_accepted: Option<u64>,
    msn: HashMap<u64, u64>,
}

const COUNTERS: [&str; 6] =
    ["merged_causes", "expired", "dropped_replies", "refused_arrivals", "busy_arrivals", "void_events"];

impl Past {
    /// Of a stage with memories of this latency.
    pub fn of_latency(latency: u64) -> Self {
        Past { latency, ..Past::default() }
    }

    fn arrived(&self, cycle: u64, connection: Option<u64>) -> bool {
        let found = self.arrivals.iter().find(|(at, _)| *at == cycle);
        found.is_some_and(|(_, arrived)| arrived.is_some() && (connection.is_none() || *arrived == connection))
    }

    /// Looks at a clock cycle. The result is a connection that was opened, with its PSN.
    pub fn watch(&mut self, seen: &Seen, counts: &mut BTreeMap<String, u64>) -> Option<(u64, u64)> {
        let mut note = |what: &str, happens: bool| {
            if happens {
                *counts.entry(what.to_owned()).or_insert(0) += 1;
            }
        };
        self.cycle += 1;
        let busy = seen.get("busy") == 1;
        note("G26 busy again", busy && self.cycle > 3000);
        let connection = seen.arrival.map(|[connection, ..]| connection);
        if let Some([connection, outcome, expected]) = seen.arrival.filter(|_| !busy) {
            note(&format!("G2 {}", OUTCOMES[outcome as usize]), true);
            note("G1 arrivals back to back on one connection", self.arrived(self.cycle - 1, Some(connection)));
            if let Some(([of, last], filled)) = &mut self.event {
                *filled |= *of == connection && outcome == 0 && expected == (*last + 1);
            }
        }
        self.arrivals.push_back((self.cycle, connection.filter(|_| !busy)));
        if self.arrivals.len() > 40 {
            self.arrivals.pop_front();
        }
        let before = self.counters.clone();
        for name in COUNTERS {
            self.counters.insert(name, seen.option(name).unwrap_or(0));
        }
        let risen = |past: &Past, name: &str| past.counters[name] > before.get(name).copied().unwrap_or(0);
        note("G2 in the sweep", risen(self, "busy_arrivals"));
        note("G4 refused", risen(self, "refused_arrivals"));
        note("G7 merged while stalled", risen(self, "merged_causes") && self.waited);
        note("G15 no room", risen(self, "dropped_replies"));
        note("G12 void", risen(self, "void_events"));
        note("G12 filled meanwhile", risen(self, "void_events") && self.event.is_some_and(|(_, filled)| filled));
        note("G20 expired", risen(self, "expired"));
        // The counter rises two cycles after the effect.
        let entered = self.cycle.wrapping_sub(self.latency + 8);
        let between = self.arrived(entered.wrapping_sub(1), None) && self.arrived(entered.wrapping_add(1), None);
        note("G20 expired between two arrivals", risen(self, "expired") && between);
        if let Some(event) = seen.event {
            self.event = Some((event, false));
        }
        self.ack(seen, &mut note);
        self.response(seen, &mut note)
    }

    fn ack(&mut self, seen: &Seen, note: &mut impl FnMut(&str, bool)) {
        let valid = seen.get("ack_valid") == 1;
        note("G18 stalled", valid && self.waited);
        let appears = valid && !self.waited;
        self.waited = valid && !seen.ready;
        if !appears {
            return;
        }
        let (connection, flags) = (seen.get("ack_connection"), seen.get("ack_flags"));
        let uet = seen.option("ack_code");
        let reply = uet.map_or(flags & 4 != 0, |code| code != 0 || flags & 8 != 0);
        note("G14 reply", reply);
        note("G16 a reply, then a connection", self.last_was_reply == Some(true) && !reply);
        note("G16 a connection, then a reply", self.last_was_reply == Some(false) && reply);
        self.last_was_reply = Some(reply);
        let taken = self.cycle.wrapping_sub(self.latency + 4);
        let entered = taken.wrapping_sub(self.latency + 6);
        note("G18 merged in the cycle of the take", !reply && self.arrived(entered, Some(connection)));
        note("G18 one cycle after the take", !reply && self.arrived(entered.wrapping_add(1), Some(connection)));
        let psn = &seen.ports["ack_psn"];
        note("G18 the PSN wraps", seen.get("ack_psn") == psn.mask(0));
        match uet {
            Some(code) => uet_ack(seen, code, note),
            None => self.roce_ack(seen, connection, note),
        }
    }

    fn roce_ack(&mut self, seen: &Seen, connection: u64, note: &mut impl FnMut(&str, bool)) {
        let (flags, tag, nak) = (seen.get("ack_flags"), seen.get("ack_tag"), seen.get("ack_kind") == 2);
        let multipath = seen.get("ack_multipath") == 1;
        let (syndrome, msn) = (seen.get("ack_syndrome"), seen.get("ack_msn"));
        note("G11 sequence error", nak && syndrome == 0x60);
        note("G11 invalid request", nak && syndrome == 0x61);
        note("G11 not ready", nak && syndrome & 0xE0 == 0x20);
        note("G18 R", flags & 1 != 0);
        note("G18 L", flags & 2 != 0);
        note("G18 marked", seen.get("ack_ecn") == 1);
        note("G18 a delay", tag > 0);
        note("G18 no delay", multipath && tag == 0);
        note("G18 no multipath", !multipath);
        let before = self.msn.insert(connection, msn);
        note("G8 an MSN jumps by more than 8", before.is_some_and(|before| msn > before + 8));
    }

    fn response(&mut self, seen: &Seen, note: &mut impl FnMut(&str, bool)) -> Option<(u64, u64)> {
        if seen.get("command_ready") == 1 {
            self.command_accepted = Some(self.cycle);
        }
        if seen.get("response_valid") == 0 {
            return None;
        }
        let [op, done, open, draining] =
            ["op", "done", "open", "draining"].map(|name| seen.get(&format!("response_{name}")));
        let took = self.command_accepted.map_or(0, |cycle| self.cycle - cycle);
        note("G1 a command waits", took > self.latency + 9);
        note("G21 opened", op == 1 && done == 1);
        note("G21 not opened", op == 1 && done == 0);
        note("G21 not opened, as it owes", op == 1 && done == 0 && open == 0 && draining == 1);
        note("G21 closed", op == 2 && done == 1);
        note("G21 closed while it owes", op == 2 && done == 1 && draining == 1);
        note("G21 not closed", op == 2 && done == 0);
        note("G21 code 3", op == 3 && done == 0);
        (op == 1 && done == 1).then(|| (seen.get("response_connection"), seen.get("response_expected")))
    }
}

fn uet_ack(seen: &Seen, code: u64, note: &mut impl FnMut(&str, bool)) {
    let row = if code == 26 { "G13" } else { "G4" };
    note(&format!("{row} code {code}"), code != 0);
    if code != 0 {
        return;
    }
    let get = |name: &str| seen.get(&format!("ack_{name}"));
    let (kind, flags, offset, sack, service) =
        (get("kind"), get("flags"), get("psn_offset"), get("sack_offset"), get("service_time"));
    let (cc, negative) = (kind == 1, |offset: u64| offset & 0x8000 != 0);
    note("G18 ACK", kind == 0);
    note("G18 ACK_CC", cc);
    note("G18 p", flags & 8 != 0);
    note("G18 m", flags & 0x20 != 0);
    note("G18 retx", flags & 0x10 != 0);
    note("G18 the trigger is behind", flags & 8 == 0 && negative(offset));
    note("G18 the trigger is ahead", flags & 8 == 0 && offset != 0 && !negative(offset));
    note("G18 the SACK word is ahead", cc && sack != 0 && !negative(sack));
    note("G18 the SACK word is behind", cc && negative(sack));
    note("G18 service time of 1", cc && service == 1);
    note("G18 service time of more", cc && service > 1);
    note("G18 packets held", get("ooo_count") != 0);
}
