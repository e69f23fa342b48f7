// SPDX-License-Identifier: MIT OR Apache-2.0
//! How often and when the packets of a peer that never answers are sent (rows TX21, D20 to D24).

use super::bench::Fetch;
use pipeline::transmit::packet_tracker::PacketTrackerSettings;

/// Clock cycles for which a packet that is lost may wait for its turn amid the traffic of others.
const TURN: u64 = 800;

/// The first time-out in clock cycles.
pub fn first_timeout(settings: &PacketTrackerSettings) -> u64 {
    settings.rto * 65_536 / settings.tick
}

/// Each time-out is twice as long as the one before, all packets are sent once for each but the last one, and that is the
/// failure. `fetches` are those of the PDC, with their clock cycles. The number of packets sent again.
pub fn doubles(fetches: &[(u64, Fetch)], failed: u64, settings: &PacketTrackerSettings) -> u64 {
    let packets: Vec<_> = fetches.iter().filter(|(_, fetch)| !fetch.retransmission).map(|(_, it)| it.psn).collect();
    assert!(!packets.is_empty());
    let again = fetches.len() - packets.len();
    assert_eq!(again as u64, settings.retries * packets.len() as u64, "packets sent again");
    for psn in &packets {
        let of = fetches.iter().filter(|(_, fetch)| fetch.psn == *psn);
        let at: Vec<_> = of.map(|(at, _)| *at).chain([failed]).collect();
        assert_eq!(at.len() as u64, 2 + settings.retries, "PSN {psn:#x}: {at:?}");
        for (i, pair) in at.windows(2).enumerate() {
            let (timeout, waited) = (first_timeout(settings) << i, pair[1] - pair[0]);
            // Neither end is the time of the scan, but its packet leaves soon after.
            assert!(waited + TURN >= timeout && waited <= timeout + TURN, "{waited} in place of {timeout}: {at:?}");
        }
    }
    again as u64
}
