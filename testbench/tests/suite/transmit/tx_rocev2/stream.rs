// SPDX-License-Identifier: MIT OR Apache-2.0
//! What MPEH and entropy of the packets of a QP say, one after the other (rows TX28, TX31, TX32; T3, T7 to T10, T21 of
//! `path_scheduler`): each is held against what the host knows of the sub-paths, and against the packet before.

use super::paths::{FLOWLET, PACKET, PATHS, Qp};
use super::wire::Route;

/// Flags of the MPEH.
const F: u64 = 1;
const S: u64 = 2;
const C: u64 = 8;

/// A packet as its fetch sees the QP.
#[derive(Clone, Debug)]
pub struct Granted {
    /// How often the QP has been opened here, and in `path_scheduler`.
    pub lives: [u64; 2],
    /// It was granted in these clock cycles: turns have one packet at a time, so behind the fetch of the packet before it.
    pub since: u64,
    pub at: u64,
    /// The states that the QP can have had then.
    pub states: Vec<Qp>,
    /// Packets that were granted and not sent, up to the fetch, of all QPs.
    pub returned: u64,
}

/// What does not happen in a run, so that more can be said of its packets.
#[derive(Clone, Copy, Debug)]
pub struct Calm {
    /// Sub-paths fail by time-outs: those that the host takes for active may be fewer.
    pub may_fail: bool,
    /// There are marks, losses, or sub-paths that are full.
    pub may_fill: bool,
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Packets of each sub-path, and those of them with flag C.
    pub packets: [u64; PATHS],
    pub congested: [u64; PATHS],
    /// Flags F and S.
    pub flowlets: u64,
    pub switches: u64,
    /// Packets of which all was known that their flags depend on.
    pub exact: u64,
}

/// The packet before.
#[derive(Clone, Debug)]
struct Last {
    granted: Granted,
    path: u64,
    flowlet: u64,
}

/// The packets of a QP.
#[derive(Clone, Debug, Default)]
pub struct Stream {
    last: Option<Last>,
    /// Packets that had been granted and not sent when the QP was opened in `path_scheduler`.
    pub returned: u64,
    /// The weight of each sub-path, as its last packet says.
    weights: [u64; PATHS],
    pub tally: Tally,
}

impl Stream {
    /// The next packet; `returned` as its frame leaves.
    pub fn packet(&mut self, route: &Route, is_wide: bool, granted: Granted, returned: u64, calm: Calm) {
        let Route { path, flags, flowlet, .. } = *route;
        assert!(path < PATHS as u64, "{route:?}");
        // What the host knows of it is one of these.
        let granted = Granted { states: fitting(route, is_wide, &granted), ..granted };
        assert!(flags & !(F | S | C) == 0, "neither a probe nor reserved: {route:x?}");
        let is_flowlet = |states: &[Qp]| states.iter().any(|qp| qp.granularity == FLOWLET);
        assert!(flowlet == 0 || is_flowlet(&granted.states), "{route:?} of no flowlet");
        if !calm.may_fill {
            assert_eq!(flags & C, 0, "{route:?} of a sub-path without marks");
        }
        let last = self.last.take().filter(|last| last.granted.lives[1] == granted.lives[1]);
        match &last {
            Some(last) => self.behind(last, route, &granted, returned, calm),
            None => first(route, &granted, returned == self.returned),
        }
        self.weigh(route, &granted, last.is_none(), calm);
        let of = path as usize;
        self.tally.packets[of] += 1;
        self.tally.congested[of] += u64::from(flags & C != 0);
        self.tally.flowlets += flags & F;
        self.tally.switches += (flags & S) / S;
        self.last = Some(Last { granted, path, flowlet });
    }

    /// Without marks a weight does not fall.
    fn weigh(&mut self, route: &Route, granted: &Granted, is_first: bool, calm: Calm) {
        let (path, weight) = (route.path as usize, route.tag >> 2);
        if is_first {
            self.weights = [0; PATHS];
        }
        let of = &mut self.weights[path];
        let set = granted.states.iter().map(|qp| qp.paths[path].weight).min();
        let least = set.map_or(*of, |set| set.max(*of));
        assert!(calm.may_fill || weight >= least, "the weight of {route:?} was {least}");
        *of = weight;
    }

    /// The flags of a packet that is not the first one of its QP.
    fn behind(&mut self, last: &Last, route: &Route, granted: &Granted, returned: u64, calm: Calm) {
        let Route { path, flags, flowlet, .. } = *route;
        let (starts, switches) = (flags & F != 0, flags & S != 0);
        // A host that opens its QP again starts anew, and need not be told of what was before.
        if last.granted.lives[0] != granted.lives[0] {
            return;
        }
        let one = |states: &[Qp]| match states {
            [qp] => Some(*qp),
            _ => None,
        };
        let (Some(before), Some(qp)) = (one(&last.granted.states), one(&granted.states)) else { return };
        // Of sub-paths that fail the host learns later.
        let is_other_set = !calm.may_fail && before.active() != qp.active();
        assert!(!is_other_set || switches, "{route:?} without S, {before:?} became {qp:?}");
        if before.granularity != qp.granularity {
            return;
        }
        // What is lost goes over another sub-path than its flow, which stays where it is.
        let may_detour = calm.may_fill && qp.granularity != PACKET && qp.granularity != FLOWLET;
        // A packet that was granted and not sent leaves its flags, its number and its turn to this one.
        let is_exact = returned == last.granted.returned && !calm.may_fail && !may_detour;
        self.tally.exact += u64::from(is_exact);
        let is_other_path = path != last.path;
        let expected = is_other_set || is_other_path && qp.granularity != PACKET && !may_detour;
        assert!(switches || !expected, "{route:?} without S behind {last:?}");
        assert!(!is_exact || switches == expected, "{route:?} behind {last:?}");
        if qp.granularity != FLOWLET {
            assert!(!starts, "{route:?} of no flowlet");
        } else {
            let is_next = flowlet != last.flowlet;
            assert!(starts || !is_next, "flowlet {} became that of {route:?} without F", last.flowlet);
            assert!(is_next || !is_other_path, "{route:?} leaves the sub-path of its flowlet, {}", last.path);
            if is_exact {
                let number = (last.flowlet + u64::from(starts)) & 0xFFFF;
                assert_eq!(flowlet, number, "{route:?} behind {last:?}");
            }
        }
        if is_exact && !calm.may_fill && !is_other_set && before == qp {
            undisturbed(last, route, granted, &qp);
        }
    }
}

/// The states in which the packet can have been granted.
fn fitting(route: &Route, is_wide: bool, granted: &Granted) -> Vec<Qp> {
    let Route { entropy, path, tag, .. } = *route;
    let (granularity, weight) = (tag & 3, tag >> 2);
    let mask = if is_wide { 0xF_FFFF } else { 0xFFFF };
    let fits = |qp: &&Qp| {
        let of = qp.paths[path as usize];
        let is_there = qp.open && of.active && of.entropy & mask == entropy;
        is_there && qp.granularity == granularity && (1..=of.limit).contains(&weight)
    };
    let mut states: Vec<Qp> = granted.states.iter().filter(fits).copied().collect();
    states.dedup();
    assert!(!states.is_empty(), "no such sub-path: {route:x?}, {granted:x?}");
    states
}

/// The first packet since the QP was opened in `path_scheduler`; `is_exact` if no other one was granted before.
fn first(route: &Route, granted: &Granted, is_exact: bool) {
    let (starts, switches) = (route.flags & F != 0, route.flags & S != 0);
    if let [qp] = granted.states[..] {
        assert_eq!(starts, qp.granularity == FLOWLET, "{route:?}, the first one");
    }
    assert!(!is_exact || !switches && route.flowlet == 0, "{route:?}, the first one");
}

/// A packet behind another one, with the same sub-paths, none of which is full or avoided.
fn undisturbed(last: &Last, route: &Route, granted: &Granted, qp: &Qp) {
    let starts = route.flags & F != 0;
    match qp.granularity {
        PACKET if qp.is_even() => assert_eq!(route.path, qp.behind(last.path), "{route:?}: they take turns"),
        PACKET => {}
        FLOWLET => {
            let time = 64 * qp.flowlet;
            let (least, most) = (granted.since.saturating_sub(last.granted.at), granted.at - last.granted.since);
            assert!(!starts || most > time, "{route:?} too early, {most} clock cycles behind");
            assert!(starts || least < time + 128, "{route:?} of the same flowlet, {least} clock cycles behind");
        }
        _ => assert_eq!(route.path, last.path, "{route:?} leaves the sub-path of its flow"),
    }
}
