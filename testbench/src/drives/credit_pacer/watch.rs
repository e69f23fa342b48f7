// SPDX-License-Identifier: MIT OR Apache-2.0
//! What happens, seen from the ports.

use crate::device::named::Named;
use std::collections::BTreeMap;

/// What the traffic brings about sooner or later at any size.
pub const EXPECTED: [&str; 34] = [
    "PC2 demand back to back on one source",
    "PC2 demand waits",
    "PC3 closed_demands",
    "PC3 stale_demands",
    "PC3 demand with repeat",
    "PC4 credit and target are half of all numbers apart",
    "PC5 level at the cap",
    "PC5 level below 0",
    "PC5 no level at all",
    "PC6 takes as close as may be",
    "PC7 credits",
    "PC7 void_turns",
    "PC7 whole quota",
    "PC7 less than a quota",
    "PC7 ahead, whole quota",
    "PC7 ahead, less than a quota",
    "PC7 credit number again",
    "PC7 a source again",
    "PC7 demand after ahead",
    "PC8 grant stalled",
    "PC8 grant stalled for long",
    "PC9 response at once",
    "PC9 a command waits for a take",
    "PC10 code 0 done",
    "PC10 code 1 done",
    "PC10 code 1 not done",
    "PC10 code 2 done",
    "PC10 code 2 not done",
    "PC10 code 3 not done",
    "PC10 queued",
    "PC10 ahead",
    "PC10 in both queues",
    "PC10 opened while it is queued",
    "PC11 quota of 0",
];

/// With more than one source also these.
pub const MANY: [&str; 2] = ["PC7 another source", "PC12 busy again"];

/// The settings in force, as the traffic has given them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    pub rate: u64,
    pub quota: u64,
    pub burst: u64,
    pub advance: u64,
}

impl Default for Given {
    /// Those after reset.
    fn default() -> Self {
        Given { rate: 9830, quota: 64, burst: 64, advance: 879 }
    }
}

/// A grant that was seen.
#[derive(Clone, Copy, Debug)]
struct Granted {
    cycle: u64,
    source: u64,
    ahead: bool,
}

/// What was seen before.
#[derive(Clone, Debug)]
pub struct Past {
    pub cycle: u64,
    latency: u64,
    settings: Given,
    level: i64,
    counters: BTreeMap<&'static str, u64>,
    /// The source of a transfer of `demand` in the clock cycle before.
    demanded: Option<u64>,
    /// Clock cycles for which a grant has been on the ports.
    offered: u64,
    /// Whether the grant was transferred in the clock cycle before.
    transferred: bool,
    last: Option<Granted>,
    /// The clock cycle of the last command.
    commanded: u64,
}

impl Past {
    /// Nothing was seen; memories of this latency.
    pub fn new(latency: u64) -> Self {
        Past {
            cycle: 0,
            latency,
            settings: Given::default(),
            level: 0,
            counters: BTreeMap::new(),
            demanded: None,
            offered: 0,
            transferred: false,
            last: None,
            commanded: 0,
        }
    }

    /// After a reset.
    pub fn forget(&mut self) {
        *self = Past { cycle: self.cycle, ..Past::new(self.latency) };
    }

    /// Looks at a clock cycle.
    pub fn watch(&mut self, ports: &Named, outputs: &[u64], input: &[u64], counts: &mut BTreeMap<String, u64>) {
        let mut note = |what: &str, happens: bool| {
            if happens {
                *counts.entry(what.to_owned()).or_insert(0) += 1;
            }
        };
        let is = |name: &str| ports.is_one(outputs, name);
        let given = |name: &str| ports.given(input, name);
        self.cycle += 1;
        note("PC12 busy again", is("busy") && self.cycle > 20_000);
        for (row, name) in
            [("PC3", "closed_demands"), ("PC3", "stale_demands"), ("PC7", "credits"), ("PC7", "void_turns")]
        {
            let value = ports.get(outputs, name);
            note(&format!("{row} {name}"), value > self.counters.insert(name, value).unwrap_or(0));
        }
        let (valid, ready) = (given("demand_valid") == 1, is("demand_ready"));
        let source = (valid && ready).then(|| given("demand_source"));
        note("PC2 demand waits", valid && !ready && !is("busy"));
        note("PC3 demand with repeat", valid && ready && given("demand_repeat") == 1);
        note("PC2 demand back to back on one source", source.is_some() && source == self.demanded);
        self.demanded = source;
        self.watch_grant(ports, outputs, given("grant_ready") == 1, &mut note);
        if is("response_valid") {
            self.watch_response(ports, outputs, &mut note);
        }
        if given("command_valid") == 1 && is("command_ready") {
            self.commanded = self.cycle;
        }
        if given("settings_valid") == 1 {
            let [rate, quota, burst, advance] =
                ["rate", "quota", "burst", "advance"].map(|name| given(&format!("settings_{name}")));
            self.settings = Given { rate, quota, burst, advance };
        }
    }

    fn watch_grant(&mut self, ports: &Named, outputs: &[u64], ready: bool, note: &mut impl FnMut(&str, bool)) {
        let get = |name: &str| ports.get(outputs, name);
        let Given { rate, quota, burst, .. } = self.settings;
        let valid = get("grant_valid") == 1;
        let is_new = valid && (self.offered == 0 || self.transferred);
        self.offered = if is_new { 1 } else { (self.offered + 1) * u64::from(valid) };
        self.transferred = valid && ready;
        note("PC8 grant stalled", self.offered == 2);
        note("PC8 grant stalled for long", self.offered == 200);
        // One clock cycle late, which is no matter here.
        let grown = if get("busy") == 1 { 0 } else { self.level + rate as i64 };
        let cap = (burst << 16) as i64;
        note("PC5 level at the cap", grown > cap && cap > 0);
        note("PC5 no level at all", cap == 0);
        self.level = grown.min(cap);
        if !is_new {
            return;
        }
        let (quanta, ahead, source) = (get("grant_quanta"), get("grant_ahead") == 1, get("grant_source"));
        self.level -= (quanta << 16) as i64;
        note("PC5 level below 0", self.level < 0);
        let (whole, kind) = (quanta == quota.max(1), if ahead { "ahead, " } else { "" });
        note(&format!("PC7 {kind}whole quota"), whole);
        note(&format!("PC7 {kind}less than a quota"), quanta > 0 && quanta < quota);
        note("PC7 credit number again", quanta == 0 && !ahead);
        note("PC11 quota of 0", quota == 0 && quanta == 1);
        if let Some(last) = self.last {
            note("PC6 takes as close as may be", self.cycle - last.cycle == 2 * self.latency + 16);
            note("PC7 a source again", source == last.source);
            note("PC7 another source", source != last.source);
            note("PC7 demand after ahead", !ahead && last.ahead);
        }
        self.last = Some(Granted { cycle: self.cycle, source, ahead });
    }

    fn watch_response(&self, ports: &Named, outputs: &[u64], note: &mut impl FnMut(&str, bool)) {
        let get = |name: &str| ports.get(outputs, &format!("response_{name}"));
        let is = |name: &str| get(name) == 1;
        let done = if is("done") { "done" } else { "not done" };
        note(&format!("PC10 code {} {done}", get("op")), true);
        note("PC10 queued", is("queued"));
        note("PC10 ahead", is("ahead"));
        note("PC10 in both queues", is("queued") && is("ahead"));
        note("PC10 opened while it is queued", is("queued") && is("done") && get("op") == 1);
        let apart = get("target").wrapping_sub(get("credit")) & 0xFF_FFFF;
        note("PC4 credit and target are half of all numbers apart", (0x7F_FF00..0x80_0100).contains(&apart));
        let waited = self.cycle - self.commanded;
        note("PC9 response at once", waited == self.latency + 6);
        note("PC9 a command waits for a take", waited > self.latency + 6);
    }
}
