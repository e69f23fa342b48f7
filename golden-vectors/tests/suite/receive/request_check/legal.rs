// SPDX-License-Identifier: MIT OR Apache-2.0
//! RQ4 to RQ6 by examples: what is legal, each limit and one step beyond. All numbers are those of the page.

use super::help::{cause_of, of};

/// RQ4: by what is open, then by the packet, SEND and WRITE.
#[test]
fn order() {
    // The first packets of messages that are open. The WRITE has a middle packet and 100 bytes to come, or those alone.
    let expected = [
        ("", [["sf", "wf"], ["sm", "wm"], ["sl", "wl"], ["so", "wo"]], [[0, 0], [1, 1], [1, 1], [0, 0]]),
        ("sf", [["sf", "wf"], ["sm", "wm"], ["sl", "wl"], ["so", "wo"]], [[1, 1], [0, 1], [0, 1], [1, 1]]),
        ("wf", [["sf", "wf"], ["sm", "wm"], ["sl", "wl"], ["so", "wo"]], [[1, 1], [1, 0], [1, 0], [1, 1]]),
    ];
    let mut checks = 0;
    for (open, names, causes) in expected {
        for (name, cause) in names.iter().flatten().zip(causes.iter().flatten()) {
            for mtu in [1024, 0] {
                let (length, told, before) = match &name[1..] {
                    "f" => (1024, 5000, 1124),
                    "m" => (1024, 0, 2148),
                    "l" => (100, 0, 1124),
                    _ => (100, 100, 1124),
                };
                let mut packets = vec![of(name, length, told)];
                if !open.is_empty() {
                    packets.insert(0, of(open, 1024, before));
                }
                assert_eq!(cause_of(mtu, &packets), *cause, "{name} behind {open:?}, MTU {mtu}");
                checks += 1;
            }
        }
    }
    assert_eq!(checks, 48);
}

/// RQ5: lengths that pass, and those that do not, at an MTU of 1024.
#[test]
fn size() {
    let first = of("sf", 1024, 0);
    assert_eq!(cause_of(1024, &[of("sf", 1024, 0)]), 0);
    assert_eq!(cause_of(1024, &[of("wf", 1024, 1025)]), 0);
    assert_eq!(cause_of(1024, &[first, of("sm", 1024, 0)]), 0);
    for length in [0, 1, 1023, 1025] {
        assert_eq!(cause_of(1024, &[of("sf", length, 0)]), 2);
        assert_eq!(cause_of(1024, &[of("wf", length, 4000)]), 2);
        assert_eq!(cause_of(1024, &[first, of("sm", length, 0)]), 2);
    }
    for (length, cause) in [(0, 2), (1, 0), (1023, 0), (1024, 0), (1025, 2)] {
        assert_eq!(cause_of(1024, &[first, of("sl", length, 0)]), cause, "{length}");
        let told = 1024 + length.max(1);
        assert_eq!(cause_of(1024, &[of("wf", 1024, told), of("wl", length, 0)]), cause, "{length}");
    }
    for (length, cause) in [(0, 0), (1, 0), (1023, 0), (1024, 0), (1025, 2)] {
        assert_eq!(cause_of(1024, &[of("so", length, 0)]), cause, "{length}");
        assert_eq!(cause_of(1024, &[of("wo", length, length)]), cause, "{length}");
    }
    for mtu in [256, 512, 2048, 4096] {
        assert_eq!(cause_of(mtu, &[of("so", mtu, 0)]), 0);
        assert_eq!(cause_of(mtu, &[of("so", mtu + 1, 0)]), 2);
        assert_eq!(cause_of(mtu, &[of("sf", mtu, 0)]), 0);
        assert_eq!(cause_of(mtu, &[of("sf", mtu - 1, 0)]), 2);
    }
}

/// RQ6: lengths of WRITEs at an MTU of 1024.
#[test]
fn length() {
    for (length, told, cause) in [(0, 0, 0), (0, 1, 3), (1, 0, 3), (700, 700, 0), (700, 699, 3), (700, 701, 3)] {
        assert_eq!(cause_of(1024, &[of("wo", length, told)]), cause, "{length} {told}");
    }
    assert_eq!(cause_of(1024, &[of("wo", 1024, 1024)]), 0);
    assert_eq!(cause_of(1024, &[of("wo", 5, (1 << 31) + 5)]), 3);
    let told = [0, 1, 1023, 1024, 1025, 2_147_483_647, 2_147_483_648, 2_147_483_649, 4_294_967_295];
    for (told, cause) in told.into_iter().zip([3, 3, 3, 3, 0, 0, 0, 3, 3]) {
        assert_eq!(cause_of(1024, &[of("wf", 1024, told)]), cause, "{told}");
    }
    // A middle packet leaves a byte: 2049 are one more than two packets.
    for (told, cause) in [(1025, 3), (2047, 3), (2048, 3), (2049, 0), (3072, 0)] {
        assert_eq!(cause_of(1024, &[of("wf", 1024, told), of("wm", 1024, 0)]), cause, "{told}");
    }
    for (length, cause) in [(1, 3), (51, 3), (52, 0), (53, 3), (1024, 3)] {
        // 2100 bytes are 1024, 1024 and 52.
        let packets = [of("wf", 1024, 2100), of("wm", 1024, 7), of("wl", length, 7)];
        assert_eq!(cause_of(1024, &packets), cause, "{length}");
    }
    // A SEND announces nothing.
    assert_eq!(cause_of(1024, &[of("so", 5, 6)]), 0);
    assert_eq!(cause_of(1024, &[of("sf", 1024, 0), of("sm", 1024, 0), of("sl", 5, 0)]), 0);
}

/// The first rule that fails is the cause.
#[test]
fn precedence() {
    let first = of("wf", 1024, 1100);
    assert_eq!(cause_of(1024, &[first, of("wf", 1, 1)]), 1);
    assert_eq!(cause_of(1024, &[first, of("so", 1025, 1)]), 1);
    assert_eq!(cause_of(1024, &[of("wl", 1025, 1)]), 1);
    assert_eq!(cause_of(1024, &[of("wf", 1023, 1)]), 2);
    assert_eq!(cause_of(1024, &[first, of("wm", 1023, 1)]), 2);
    assert_eq!(cause_of(1024, &[first, of("wl", 0, 1)]), 2);
    assert_eq!(cause_of(1024, &[first, of("wm", 1024, 1)]), 3);
}

/// An MTU of 0 is not known: RQ5 and RQ6 do not apply.
#[test]
fn unknown_mtu() {
    let message =
        [of("wf", 3, 0), of("wm", 0, 0), of("wm", 9000, 0), of("wl", 0, 0), of("wo", 5, 4), of("so", 9000, 0)];
    for count in 1..=message.len() {
        assert_eq!(cause_of(0, &message[..count]), 0);
    }
    assert_eq!(cause_of(0, &[message[0], of("sl", 1, 0)]), 1);
}
