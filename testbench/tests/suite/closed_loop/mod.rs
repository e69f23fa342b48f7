// SPDX-License-Identifier: MIT OR Apache-2.0
//! Closed loops of NICs over a network: what is sent is delivered once, in order and intact, whatever the network does,
//! and windows do what is published of them. 512 bits at 195.3125 MHz are 100 Gb/s; an RTT of 12 us is 2344 clock cycles.

mod both;
mod both_ways;
mod contexts;
mod crc;
mod dead_path;
mod faulty;
mod foreign;
mod gaps;
mod harness;
mod incast;
mod lossy;
mod many;
mod no_room;
mod open_messages;
mod own;
mod plain_peer;
mod pool;
mod rccc;
mod rocev2;
mod setup;
mod sharing;
mod single_flow;
mod tail;
mod transport;
mod trimmed;
mod unequal;
mod unknown;
mod verilated;
