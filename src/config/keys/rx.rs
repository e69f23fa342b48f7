// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[rx]`, the receive path.

use super::Kind::Whole;

section! {
    /// What the receive path is told of packets.
    Rx: rx {
        /// RoCEv2: the Scheduling Tag of data is the time of sending in units of 128 ns, that of ACKs the one-way delay (M32). Otherwise the
        /// tag of an ACK is the low 16 bits of the PSN of a packet that has arrived, and peers have to have it so, too.
        tag_is_time: bool = false;
        /// Packets count only if they are for the MAC address of this device, which `station_address` says; otherwise the shell has to
        /// drop those that are not.
        check_mac: bool = false;
        /// RoCEv2: requests are checked in the order of their PSNs: the order of their OpCodes, and their lengths. There is no check with
        /// `reorder.hold = "payload"`.
        request_check: bool = true;
        // As in the example of uet.md 1.12.
        /// UET: the DSCP of ACKs and NACKs.
        ack_dscp: u64 = 46, Whole(0, 63);
    }
}
