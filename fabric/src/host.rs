// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a host is to the network: packets in, packets out when its link is free, and a time at which it wants to be called.

use crate::event::Time;
use crate::packet::Packet;
use std::fmt::Debug;

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// This flow may be sent from now on.
    Started(u32),
    /// The last packet of this flow has arrived.
    Delivered(u32),
    /// The sender of this flow knows that all has arrived.
    Completed(u32),
    /// The sender has given up this flow.
    Failed(u32),
}

/// An end point.
pub trait EndPoint: Debug + Send {
    /// The message of a connection may be sent from now on.
    fn start(&mut self, now: Time, context: u32);

    /// A packet has come.
    fn receive(&mut self, now: Time, packet: &Packet);

    /// The packet that goes on the link now, if there is one.
    fn next(&mut self, now: Time) -> Option<Packet>;

    /// When [`EndPoint::wake`] is to be called, if nothing else happens before.
    fn wake_up(&self) -> Option<Time>;

    /// The time has come.
    fn wake(&mut self, now: Time);

    /// What has become of messages since the last call.
    fn take_done(&mut self) -> Option<Done>;

    /// What it has counted, by name.
    fn counters(&self) -> Vec<(&'static str, u64)>;
}
