// SPDX-License-Identifier: MIT OR Apache-2.0
//! A host to which packets come, and which sends nothing back but now and then a packet and those that are asked for.

use pipeline::elab::feedback::ElabFeedbackConfig;
use std::collections::{BTreeMap, HashMap, VecDeque};
use testbench::device::drive::Drive;
use testbench::device::random::Random;
use testbench::{Error, Port, Ports};

/// Clock cycles of a round in which packets arrive.
const ARRIVALS: u64 = 3000;
/// Number of rounds.
const ROUNDS: u64 = 3;

/// The packets of a VP.
#[derive(Clone, Copy, Debug, Default)]
struct Vp {
    arrived: u64,
    reported: u64,
    /// Number of reports since the last packet of the pair.
    reports: u64,
}

/// A pair of hosts.
#[derive(Clone, Debug, Default)]
struct Pair {
    vps: BTreeMap<u64, Vp>,
    /// Clock cycle of the last packet.
    last: u64,
    /// Number of reports for queries that no visit can have seen together with that packet.
    late: u64,
}

/// Packets arrive in rounds, with a long silence after each.
pub struct Host {
    config: ElabFeedbackConfig,
    inputs: HashMap<String, Port>,
    outputs: HashMap<String, Port>,
    random: Random,
    first: bool,
    cycle: u64,
    /// Clock cycle of the round.
    at: u64,
    rounds: u64,
    /// Clock cycles from which on a packet is sent, and its pair.
    sends: VecDeque<(u64, u64)>,
    /// Clock cycles of queries without a report so far.
    asked: VecDeque<u64>,
    pairs: Vec<Pair>,
}

impl Host {
    pub fn new(ports: &Ports, config: ElabFeedbackConfig, random: Random) -> Self {
        let by_name = |ports: &[Port]| ports.iter().map(|port| (port.name.clone(), port.clone())).collect();
        Host {
            config,
            inputs: by_name(&ports.inputs),
            outputs: by_name(&ports.outputs),
            random,
            first: true,
            cycle: 0,
            at: 0,
            rounds: 0,
            sends: VecDeque::new(),
            asked: VecDeque::new(),
            pairs: vec![Pair::default(); config.sizes.pairs as usize],
        }
    }

    /// The length of a round: the silence is long enough for all VPs of all pairs.
    fn round(config: ElabFeedbackConfig) -> u64 {
        ARRIVALS + (config.sizes.vps + 4) * (config.settings.report_time + 4 * config.sizes.pairs + 50)
    }

    /// The clock cycles of a run.
    pub fn cycles(config: ElabFeedbackConfig) -> u64 {
        config.sizes.pairs * config.sizes.vps + 40 + ROUNDS * Host::round(config)
    }

    /// At the end of a round.
    fn check(&self) {
        let mut known = 0;
        for (number, pair) in self.pairs.iter().enumerate() {
            let what = format!("{:?}, pair {number}: {pair:?}", self.config.sizes);
            assert!(pair.vps.values().all(|vp| vp.reported == vp.arrived && vp.reports > 0), "{what}");
            // The last VP of a turn may be twice (W5).
            assert!(pair.late <= pair.vps.len() as u64 + 1, "{what}");
            known += pair.vps.len() as u64;
        }
        assert!(known * 2 > self.config.sizes.pairs * self.config.sizes.vps, "{known} VPs are few");
    }
}

impl Drive for Host {
    fn drive(&mut self, outputs: &[u64], input: &mut [u64]) -> bool {
        if std::mem::take(&mut self.first) {
            return true;
        }
        let sizes = self.config.sizes;
        let got = |name: &str| outputs[self.outputs[name].offset];
        let mut put = |name: &str, value: u64| input[self.inputs[name].offset] = value;
        let random = &mut self.random;
        self.cycle += 1;
        let now = self.cycle;
        let busy = got("busy") == 1;
        let arrives = !busy && self.at < ARRIVALS && random.chance(0.3);
        let (number, vp) = (random.below(sizes.pairs), random.below(sizes.vps));
        put("arrival_valid", arrives.into());
        put("arrival_pair", number);
        put("arrival_sport", 0xC000 | vp);
        if arrives {
            let pair = &mut self.pairs[number as usize];
            (pair.last, pair.late) = (now, 0);
            pair.vps.values_mut().for_each(|vp| vp.reports = 0);
            pair.vps.entry(vp).or_default().arrived += 1;
        }

        if got("report_valid") == 1 {
            let asked = self.asked.pop_front().expect("a query for each report");
            let pair = &mut self.pairs[got("report_pair") as usize];
            if got("report_ok") == 1 {
                let vp = pair.vps.get_mut(&(got("report_vp") % sizes.vps)).expect("a VP with packets");
                vp.reported += got("report_count");
                vp.reports += u64::from(asked >= pair.last);
                pair.late += u64::from(asked > pair.last + sizes.pairs + u64::from(sizes.ram_latency));
            }
        }

        let ready = random.chance(0.3);
        put("due_ready", ready.into());
        if got("due_valid") == 1 && ready {
            self.sends.push_back((now + random.below(30), got("due_pair")));
        }
        let of_itself = !busy && self.at < ARRIVALS && random.chance(0.02);
        let sends = self.sends.front().filter(|(from, _)| *from <= now).map(|(_, pair)| *pair);
        if sends.is_some() {
            self.sends.pop_front();
        }
        let query = sends.or(of_itself.then(|| random.below(sizes.pairs)));
        put("query_valid", query.is_some().into());
        put("query_pair", query.unwrap_or_default());
        if query.is_some() {
            self.asked.push_back(now);
        }

        self.at += u64::from(!busy);
        if self.at == Host::round(self.config) {
            self.check();
            (self.at, self.rounds) = (0, self.rounds + 1);
        }
        false
    }

    fn finish(&mut self) -> Result<(), Error> {
        assert_eq!(self.rounds, ROUNDS, "{:?}", self.config.sizes);
        Ok(())
    }
}
