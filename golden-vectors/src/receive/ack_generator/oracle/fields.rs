// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fields of what is sent, as the tables of G18 have them.

use super::connection::{Code, Connection, Reply};
use super::timer::age;
use super::{Ack, Settings, Shape};

/// What has been taken: the connection as it was, and the reply, if it is one.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The cycle of the take.
    pub cycle: u64,
    /// Number of the connection.
    pub number: u64,
    /// The connection after the passes with effect up to this cycle.
    pub connection: Connection,
    /// `None` for an ACK that was due.
    pub reply: Option<Reply>,
}

impl Taken {
    /// The fields. Settings, pressure and time are those of cycle *b* + *l* + 1.
    pub fn fields(&self, shape: Shape, settings: &Settings, pressure: u64, time: u64) -> Ack {
        if shape.is_uet() { self.uet(shape, settings, pressure, time) } else { self.roce(shape, settings) }
    }

    fn roce(&self, shape: Shape, settings: &Settings) -> Ack {
        let Taken { number, connection: state, reply, .. } = self;
        // A trimmed packet is asked for again.
        let trimmed = reply.is_some_and(|reply| reply.code.is_some());
        let code = match reply {
            Some(_) if trimmed => Code::SequenceError,
            Some(_) => Code::None,
            None => state.code,
        };
        let ack = Ack {
            kind: if code == Code::None { 0 } else { 2 },
            reply: reply.is_some(),
            connection: *number,
            psn: if code == Code::None { shape.minus(state.expected, 1) } else { state.expected },
            syndrome: match code {
                Code::None => settings.credits,
                Code::SequenceError => 0x60,
                Code::InvalidRequest => 0x61,
                Code::NotReady => 0x20 + state.rnr_code.unwrap_or(settings.rnr),
            },
            msn: state.msn,
            ..Ack::default()
        };
        if !state.multipath {
            return ack;
        }
        let (packet, ecn, reordered, probe) = match reply {
            Some(reply) => (reply.packet, reply.ecn, state.held != 0, reply.names.is_none()),
            None => (state.trigger, state.marked, state.reordered, false),
        };
        let gap = reply.as_ref().and_then(|reply| missing(shape, reply, state.expected));
        let names = reply.is_some_and(|reply| reply.names.is_some());
        // L goes with a tag that names what is missing, or a probe's answer.
        let suspected = gap.is_some() || probe && state.suspected;
        Ack {
            multipath: true,
            // A packet has arrived over this one, if the reply answers none.
            path: if names { state.trigger.path } else { packet.path },
            tag: match packet.delay {
                _ if trimmed => packet.psn % (1 << 16),
                _ if names => gap.unwrap_or(ack.psn % (1 << 16)),
                Some(delay) => delay,
                // G10: the PSN of the trigger; of a probe, which has none, when it arrived.
                None if probe => packet.arrived % (1 << 16),
                None => packet.psn % (1 << 16),
            },
            ecn,
            flags: u64::from(reordered) | u64::from(suspected || trimmed) << 1 | u64::from(probe) << 2,
            flowlet: state.flowlet,
            ..ack
        }
    }

    fn uet(&self, shape: Shape, settings: &Settings, pressure: u64, time: u64) -> Ack {
        let Taken { number, connection: state, reply, .. } = self;
        let (packet, ecn) = reply.map_or((state.trigger, state.marked), |reply| (reply.packet, reply.ecn));
        let flags = u64::from(ecn) << 5 | u64::from(packet.retx) << 4;
        let before = shape.minus(state.expected, 1);
        let (connection, ev) = (*number, packet.ev);
        let ack = match reply {
            Some(Reply { code: Some(code), handle, .. }) => {
                let (code, handle) = (*code, *handle);
                return Ack {
                    kind: 2,
                    reply: true,
                    connection,
                    code,
                    flags,
                    psn: packet.psn,
                    ev,
                    handle,
                    ..Ack::default()
                };
            }
            Some(reply) => {
                let (flags, psn_offset, handle) = (flags | 0x08, reply.opaque, reply.handle);
                Ack { reply: true, connection, flags, psn: before, psn_offset, ev, handle, ..Ack::default() }
            }
            None => {
                let offset = shape.minus(packet.psn, before) as u32 as i32;
                let psn_offset = if i16::try_from(offset).is_ok() { offset as u16 } else { 0 }.into();
                Ack { connection, flags, psn: before, psn_offset, ev, ..Ack::default() }
            }
        };
        if !settings.cc && state.held == 0 {
            return ack;
        }
        Ack {
            kind: 1,
            mpr: settings.mpr,
            restore: settings.restore,
            pend: pressure,
            sack: state.sack,
            sack_offset: shape.minus(state.base, before) % (1 << 16),
            service_time: (age(packet.arrived, time) + settings.added).clamp(1, 65_535),
            rcvd_bytes: (state.total + 255) % (1 << 32) / 256,
            ooo_count: state.held,
            ..ack
        }
    }
}

/// The tag of a reply that names a gap, if PSNs of it that are not before *E* are at most 4095 behind it.
fn missing(shape: Shape, reply: &Reply, expected: u64) -> Option<u64> {
    let last = shape.minus(reply.packet.psn + reply.names? - 1, expected);
    let first = shape.minus(reply.packet.psn, expected);
    if last >= 1 << 12 {
        return None;
    }
    let first = if first > last { 0 } else { first };
    Some((last - first) << 12 | if reply.repeated { 0xFFF } else { first })
}
