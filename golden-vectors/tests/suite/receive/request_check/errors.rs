// SPDX-License-Identifier: MIT OR Apache-2.0
//! RQ1, RQ3 and RQ7 to RQ14 by examples, with numbers written by hand.

use super::help::{arrival, delivery, of, verdict};
use golden_vectors::receive::request_check::oracle::{Oracle, Packet, Refused, Status};

fn good() -> Packet {
    of("so", 9, 0)
}

fn bad() -> Packet {
    of("so", 257, 0)
}

/// Packets 20 and 21 have passed, 22 was refused.
fn in_error() -> Oracle {
    let mut oracle = Oracle::new();
    oracle.open(3, 20, 256);
    oracle.arrive(&arrival(0, 20, 21, good()));
    oracle.arrive(&arrival(0, 21, 22, good()));
    assert_eq!(oracle.arrive(&arrival(0, 22, 23, bad())), [verdict(7, 22, 22, true, true)]);
    oracle
}

/// RQ7: without an error the verdict is the arrival.
#[test]
fn verdicts_repeat_arrivals() {
    let mut oracle = Oracle::new();
    oracle.open(3, 20, 256);
    let arrivals =
        [(1, 22, 20), (1, 21, 20), (2, 22, 20), (0, 20, 23), (3, 19, 23), (4, 87, 23), (5, 86, 23), (6, 5, 0)];
    for (outcome, psn, expected) in arrivals {
        let found = oracle.arrive(&arrival(outcome, psn, expected, good()));
        assert_eq!(found, [verdict(outcome, psn, expected, false, true)]);
    }
    // A probe has outcome 7 and is not invalid.
    assert_eq!(oracle.arrive(&arrival(7, 1, 23, bad())), [verdict(7, 1, 23, false, true)]);
    assert_eq!((oracle.status(3), oracle.invalid_requests()), (Status { cause: 0, psn: 0 }, 0));
}

/// RQ3, RQ8: packets 21 to 24 wait for 20, and 23 is bad. 20 to 22 are acknowledged, then 23 is refused.
#[test]
fn a_bad_packet_in_a_run() {
    let mut oracle = Oracle::new();
    oracle.open(3, 20, 256);
    for (psn, packet) in [(24, bad()), (23, of("sl", 9, 0)), (22, good()), (21, good())] {
        assert_eq!(oracle.arrive(&arrival(1, psn, 20, packet)), [verdict(1, psn, 20, false, true)]);
    }
    assert_eq!(oracle.status(3), Status { cause: 0, psn: 0 });
    let found = oracle.arrive(&arrival(0, 20, 25, good()));
    assert_eq!(found, [verdict(0, 20, 23, false, false), verdict(7, 23, 23, true, true)]);
    // RQ13, RQ14: 24 is behind it, so it is not counted.
    assert_eq!((oracle.status(3), oracle.invalid_requests()), (Status { cause: 1, psn: 23 }, 1));
}

/// RQ8: the packet that fills the gap is the bad one, so nothing has passed and there is one verdict.
#[test]
fn a_bad_packet_before_a_run() {
    let mut oracle = Oracle::new();
    oracle.open(3, 20, 256);
    oracle.arrive(&arrival(1, 21, 20, good()));
    assert_eq!(oracle.arrive(&arrival(0, 20, 22, bad())), [verdict(7, 20, 20, true, true)]);
    assert_eq!(oracle.status(3), Status { cause: 2, psn: 20 });
}

/// A run over the end of the PSNs: 2^24 - 1 is 16777215.
#[test]
fn psns_wrap() {
    let mut oracle = Oracle::new();
    oracle.open(3, 16_777_214, 256);
    oracle.arrive(&arrival(1, 1, 16_777_214, bad()));
    oracle.arrive(&arrival(1, 0, 16_777_214, of("wl", 44, 0)));
    oracle.arrive(&arrival(1, 16_777_215, 16_777_214, of("wf", 256, 300)));
    let found = oracle.arrive(&arrival(0, 16_777_214, 2, good()));
    assert_eq!(found, [verdict(0, 16_777_214, 1, false, false), verdict(7, 1, 1, true, true)]);
    for psn in [16_777_214, 16_777_215, 0] {
        assert_eq!(oracle.deliver(&delivery(psn, 5)), Ok(()));
    }
    assert_eq!(oracle.deliver(&delivery(1, 5)), Err(Refused { connection: 3, handle: 5, behind: false }));
    assert_eq!(oracle.deliver(&delivery(2, 6)), Err(Refused { connection: 3, handle: 6, behind: true }));
}

/// RQ9: what may have been sent again is answered by the same NAK.
#[test]
fn repeats_in_error() {
    let mut oracle = in_error();
    for _ in 0..2 {
        for (outcome, psn) in [(2, 25), (3, 22), (3, 19), (5, 80)] {
            assert_eq!(oracle.arrive(&arrival(outcome, psn, 23, good())), [verdict(7, 22, 22, true, true)]);
        }
    }
    assert_eq!((oracle.status(3), oracle.invalid_requests()), (Status { cause: 2, psn: 22 }, 1));
}

/// RQ10: all else is not answered.
#[test]
fn others_in_error() {
    let mut oracle = in_error();
    for (outcome, psn, expected) in [(0, 23, 24), (1, 26, 24), (4, 500, 24), (7, 77, 24)] {
        assert_eq!(oracle.arrive(&arrival(outcome, psn, expected, bad())), [verdict(6, psn, expected, false, true)]);
    }
    assert_eq!(oracle.arrive(&arrival(6, 22, 0, bad())), [verdict(6, 22, 0, false, true)]);
    assert_eq!((oracle.status(3), oracle.invalid_requests()), (Status { cause: 2, psn: 22 }, 1));
}

/// RQ11: before, at and behind the packet that was refused.
#[test]
fn deliveries() {
    let mut oracle = in_error();
    oracle.arrive(&arrival(0, 23, 24, good()));
    let refused = |handle, behind| Err(Refused { connection: 3, handle, behind });
    let expected =
        [(20, 100, Ok(())), (21, 101, Ok(())), (22, 102, refused(102, false)), (23, 103, refused(103, true))];
    for (psn, handle, result) in expected {
        assert_eq!(oracle.deliver(&delivery(psn, handle)), result);
    }
}

/// RQ1: a connection is opened anew, and another one has never been in error.
#[test]
fn anew() {
    let mut oracle = in_error();
    assert_eq!(oracle.status(4), Status { cause: 0, psn: 0 });
    // A SEND first was held behind a gap; it is forgotten.
    oracle.arrive(&arrival(1, 25, 23, of("sf", 256, 0)));
    oracle.open(3, 22, 512);
    assert_eq!(oracle.status(3), Status { cause: 0, psn: 0 });
    for psn in 22..26 {
        let found = oracle.arrive(&arrival(0, psn, psn + 1, bad()));
        assert_eq!(found, [verdict(0, psn, psn + 1, false, true)]);
        assert_eq!(oracle.deliver(&delivery(psn, 0)), Ok(()));
    }
    assert_eq!(oracle.arrive(&arrival(0, 26, 27, of("so", 513, 0))), [verdict(7, 26, 26, true, true)]);
    assert_eq!((oracle.status(3), oracle.invalid_requests()), (Status { cause: 2, psn: 26 }, 2));
}
