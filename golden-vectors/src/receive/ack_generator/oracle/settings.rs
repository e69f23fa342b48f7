// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings.

use super::Protocol;

/// The settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Settings {
    /// Units of 128 ns per clock cycle, with 16 fraction bits.
    pub tick: u64,
    /// RoCE: packets per ACK, multipath off.
    pub count: u64,
    /// RoCE: packets per ACK, multipath on.
    pub count_multipath: u64,
    /// The time after which a packet is acknowledged; 0 for never.
    pub time: u64,
    /// A marked packet is acknowledged at once.
    pub on_ecn: bool,
    /// RoCE: the timer code of an RNR NAK of a connection that has none of its own.
    pub rnr: u64,
    /// UET: the time after a NACK 0x07 in which the connection has no other one; 0 for none.
    pub no_buffer_time: u64,
    /// RoCE: the credit count of an ACK.
    pub credits: u64,
    /// RoCE: what is added to the time of arrival.
    pub offset: u64,
    /// UET: bytes per ACK.
    pub trigger: u64,
    /// UET: bytes that a packet counts at least.
    pub min: u64,
    /// UET: every packet is acknowledged at once.
    pub per_packet: bool,
    /// UET: a retransmission is acknowledged at once.
    pub on_retx: bool,
    /// UET: every ACK is an ACK_CC.
    pub cc: bool,
    /// UET: the MPR that is announced.
    pub mpr: u64,
    /// UET: what is added to the service time.
    pub added: u64,
    /// UET: the flag *rc*.
    pub restore: bool,
}

impl Settings {
    /// The defaults, those of a stage whose clock has 322.265625 MHz.
    #[must_use]
    pub const fn reset(protocol: Protocol, window: u64) -> Self {
        let none = Settings {
            tick: 1589,
            count: 0,
            count_multipath: 0,
            time: 0,
            on_ecn: true,
            rnr: 0,
            no_buffer_time: 0,
            credits: 0,
            offset: 0,
            trigger: 0,
            min: 0,
            per_packet: false,
            on_retx: false,
            cc: false,
            mpr: 0,
            added: 0,
            restore: false,
        };
        match protocol {
            Protocol::Roce => Settings { count: 4, count_multipath: 1, time: 16, rnr: 12, credits: 31, ..none },
            Protocol::Uet => Settings {
                no_buffer_time: 94,
                trigger: 16_384,
                min: 1024,
                on_retx: true,
                cc: true,
                mpr: if window < 128 { 1 } else { window / 128 },
                added: 1,
                restore: true,
                ..none
            },
        }
    }
}
