// SPDX-License-Identifier: MIT OR Apache-2.0
//! The class of an arrival (G4): each line of the two tables, on a connection that owes nothing, twice in consecutive
//! cycles, and while an ACK is due.

use super::shapes;
use crate::collect::aim;
use crate::receive::ack_generator::oracle::{Arrival, Outcome, Shape};
use crate::receive::ack_generator::script::Script;
use crate::receive::ack_generator::suite::Suite;

/// A line: its name, the arrival, and the rows that it is about.
type Line = (&'static str, fn(&mut Script) -> Arrival, &'static [&'static str]);

const MULTIPATH: &[Line] = &[
    ("unknown", |s| s.refused(0, 0, Outcome::Unknown), &["G4", "G5"]),
    ("closed", |s| s.ahead(3, 0), &["G4", "G5"]),
    ("in-order", |s| s.ahead(0, 0), &["G4", "G6", "G7"]),
    ("probe", |s| s.probe(0), &["G4", "G5", "G14", "M18", "M29"]),
    ("below", |s| s.ahead(0, u64::MAX), &["G4", "G6", "G7"]),
    ("no-buffer-expected", |s| s.refused(0, 0, Outcome::NoBuffer), &["G4", "G11"]),
    ("held", |s| s.ahead(0, 5), &["G4", "G6", "M27"]),
    ("duplicate", |s| s.ahead(0, 2), &["G4", "G6"]),
    ("no-buffer", |s| s.refused(0, 9, Outcome::NoBuffer), &["G4", "G11"]),
    ("above", |s| s.ahead(0, 1024), &["G4", "G5"]),
    ("unserved-expected", |s| s.unserved(0, 0), &["G4", "G11"]),
    ("unserved", |s| s.unserved(0, 4), &["G4", "G5"]),
    ("no-room-expected", |s| s.no_room(0, 0), &["G4", "G11"]),
    ("no-room", |s| s.no_room(0, 9), &["G4", "G11"]),
    ("no-room-below", |s| s.no_room(0, u64::MAX), &["G4", "G6"]),
    ("no-room-unserved", |s| Arrival { unserved: true, ..s.no_room(0, 4) }, &["G4", "G5"]),
    ("no-room-trimmed", |s| Arrival { trimmed: true, ..s.no_room(0, 0) }, &["G4", "G11"]),
    ("trimmed-expected", |s| s.trimmed(0, 0), &["G4", "G14", "G18"]),
    ("trimmed", |s| s.trimmed(0, 4), &["G4", "G5", "G14", "G18"]),
    ("trimmed-below", |s| s.trimmed(0, u64::MAX - 2), &["G4", "G14", "G18"]),
    ("trimmed-unserved", |s| Arrival { unserved: true, ..s.trimmed(0, 4) }, &["G4", "G5"]),
];

const SINGLE: &[Line] = &[
    ("in-order", |s| s.ahead(0, 0), &["G4", "G6", "M12"]),
    ("below", |s| s.ahead(0, u64::MAX), &["G4", "M41"]),
    ("probe", |s| s.probe(0), &["G4", "M41"]),
    ("no-buffer-expected", |s| s.refused(0, 0, Outcome::NoBuffer), &["G4", "G11", "M12"]),
    ("held", |s| s.ahead(0, 4), &["G4", "G11", "M12"]),
    ("duplicate", |s| s.refused(0, 2, Outcome::Duplicate), &["G4", "G11"]),
    ("above", |s| s.ahead(0, 1024), &["G4", "G11"]),
    ("no-buffer", |s| s.refused(0, 9, Outcome::NoBuffer), &["G4", "G11"]),
    ("unserved-expected", |s| s.unserved(0, 0), &["G4", "G11"]),
    ("unserved", |s| s.unserved(0, 4), &["G4", "G11"]),
    ("no-room-expected", |s| s.no_room(0, 0), &["G4", "G11"]),
    ("no-room", |s| s.no_room(0, 9), &["G4", "G11"]),
    ("no-room-below", |s| s.no_room(0, u64::MAX), &["G4", "G6"]),
    ("no-room-trimmed", |s| Arrival { trimmed: true, ..s.no_room(0, 4) }, &["G4", "G11"]),
    ("trimmed-expected", |s| s.trimmed(0, 0), &["G4", "G11"]),
    ("trimmed", |s| s.trimmed(0, 4), &["G4", "G11"]),
];

const UET: &[Line] = &[
    ("unknown-syn", |s| Arrival { syn: true, ..s.refused(0, 0, Outcome::Unknown) }, &["G4", "G5", "G14"]),
    ("unknown", |s| s.refused(0, 0, Outcome::Unknown), &["G4", "G5", "G14"]),
    ("closed", |s| s.ahead(3, 0), &["G4", "G14"]),
    ("closed-syn", |s| Arrival { syn: true, ..s.ahead(3, 0) }, &["G4", "G14"]),
    ("in-order", |s| s.ahead(0, 0), &["G4", "G6", "G7"]),
    ("held", |s| s.ahead(0, 5), &["G4", "G6"]),
    ("duplicate", |s| s.ahead(0, 2), &["G4", "G6"]),
    ("below", |s| s.ahead(0, u64::MAX), &["G4", "G6"]),
    ("probe", |s| s.probe(0), &["G4", "G14"]),
    ("above-syn", |s| Arrival { syn: true, ..s.ahead(0, 1024) }, &["G4", "G14"]),
    ("above", |s| s.ahead(0, 1024), &["G4", "G14"]),
    ("no-buffer", |s| s.refused(0, 9, Outcome::NoBuffer), &["G4", "G14"]),
    ("no-room-expected", |s| s.no_room(0, 0), &["G4", "G14", "G27"]),
    ("no-room", |s| s.no_room(0, 9), &["G4", "G14", "G27"]),
    ("no-room-below", |s| s.no_room(0, u64::MAX), &["G4", "G6"]),
    ("no-room-trimmed", |s| Arrival { trimmed: true, ..s.no_room(0, 4) }, &["G4", "G14"]),
    ("no-buffer-syn", |s| Arrival { syn: true, ..s.refused(0, 9, Outcome::NoBuffer) }, &["G4", "G14"]),
];

pub fn add(suite: &mut Suite) {
    let [roce, uet] = shapes::USUAL;
    suite.group("class", "each line of the table of classes, multipath on", roce, None);
    table(suite, roce, "multipath", true, MULTIPATH);
    suite.group("class-single", "each line of the table of classes, multipath off", roce, None);
    table(suite, roce, "single", false, SINGLE);
    gaps(suite, roce);
    suite.group("class", "each line of the table of classes", uet, None);
    table(suite, uet, "uet", true, UET);
    trimmed(suite, uet);
}

fn table(suite: &mut Suite, shape: Shape, protocol: &str, multipath: bool, lines: &[Line]) {
    for &(name, arrival, rows) in lines {
        let mut script = Script::new(shape);
        let first = shape.psns() - 2;
        for connection in 0..2 {
            if multipath { script.open(connection, first) } else { script.open_single(connection, first) }
        }
        script.send(0, 1);
        script.drain();
        if multipath {
            // 0 and 1 have been received, and *E* is before them.
            script.gap(0, 1);
            script.gap(0, 2);
        }
        for marked in [false, true] {
            let this = arrival(&mut script);
            script.arrive(Arrival { ecn: marked, ..this });
            script.drain();
            script.read(0);
        }
        // On a connection that owes an ACK which is due, and in two consecutive cycles.
        script.block(1);
        script.urgent(0);
        for _ in 0..2 {
            let this = arrival(&mut script);
            script.arrive(this);
        }
        script.read(0);
        script.drain();
        script.send(0, 1);
        script.read(0);
        script.close(0);
        let aim = aim(&["Class", "Stall"], rows);
        suite.add(format!("{protocol}-{name}"), "a line of the table, idle, and while an ACK is due", aim, script);
    }
}

/// One NAK per gap, from one gap to the next (G11).
fn gaps(suite: &mut Suite, shape: Shape) {
    for stall in [false, true] {
        let mut script = Script::single(shape, shape.psns() - 1);
        script.open(1, 0);
        for outcome in [Outcome::Held, Outcome::Above, Outcome::NoBuffer, Outcome::Duplicate] {
            if stall {
                script.block(1);
            }
            for ahead in [1, 3] {
                let this = script.refused(0, ahead, outcome);
                script.arrive(Arrival { ack_request: true, ecn: ahead == 3, ..this });
            }
            // The NAK is still owed, if the output is stalled. The expected packet has no room, then it comes.
            let full = script.refused(0, 0, Outcome::NoBuffer);
            script.arrive(full);
            script.idle(30);
            // Then it is a request that is not served, twice, and a packet behind it; in the end one that is.
            for ahead in [0, 0, 1] {
                let this = script.unserved(0, ahead);
                script.arrive(this);
                script.idle(if ahead == 0 { 30 } else { 0 });
            }
            script.send(0, 1);
            let again = script.refused(0, 2, outcome);
            script.arrive(again);
            script.send(0, 1);
            script.drain();
            script.read(0);
        }
        let aim = aim(&["Nak", "Stall"], &["G6", "G11", "M12", "M41"]);
        suite.add(
            format!("gap-{stall}"),
            "one NAK per gap, and in it those of a receiver that is not ready and of invalid requests",
            aim,
            script,
        );
    }
}

/// A trimmed packet is answered by a NACK, whatever its outcome.
fn trimmed(suite: &mut Suite, shape: Shape) {
    for last_hop in [false, true] {
        let mut script = Script::opened(shape, shape.psns() - 66);
        script.send(0, 1);
        script.gap(0, 2);
        script.drain();
        for outcome in Outcome::ALL {
            for syn in [false, true] {
                let this = script.refused(0, 70, outcome);
                script.arrive(Arrival { trimmed: true, last_hop, syn, ecn: syn, retx: !syn, ..this });
                script.drain();
            }
            // The SACK word is not that of the trimmed one.
            script.urgent(0);
            script.drain();
        }
        let aim = aim(&["Class", "Trimmed"], &["G4", "G5", "G14", "U29"]);
        suite.add(format!("uet-trimmed-{last_hop}"), "trimmed packets of every outcome", aim, script);
    }
}
