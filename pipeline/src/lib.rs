// SPDX-License-Identifier: MIT OR Apache-2.0
//! The design, written once in the language of `rtl-model`. Each folder is a part of the NIC, and a stage is a module in
//! it:
//!
//! | folder | contents |
//! |---|---|
//! | [`blocks`] | pieces of hardware that know nothing of any protocol |
//! | [`headers`] | the wire formats and the header record |
//! | [`frame`] | the stages that carry frames: parser, builder, ICRC, frame gate |
//! | [`receive`] | the stages of the receive path, and `rx`, which is made of them |
//! | [`transmit`] | the stages of the transmit path, and `tx`, which is made of them |
//! | [`elab`] | ELAB: scheduler, feedback, and the host, which is made of them |
//! | [`routing`] | stages of switches, not of a NIC: `lia_router` |
//! | [`nic`] | the whole NIC: `rx` and `tx` |
//! | [`examples`] | the stages that the documentation explains line by line |
//!
//! Imports run one way: [`receive`] and [`transmit`] stand side by side upon [`frame`], [`frame`] upon [`headers`], and
//! [`headers`] upon [`blocks`]. [`routing`] stands upon [`blocks`] alone. [`elab`] and [`nic`] are above them.

pub mod blocks;
pub mod elab;
pub mod examples;
pub mod frame;
pub mod headers;
pub mod nic;
pub mod receive;
pub mod routing;
pub mod transmit;
