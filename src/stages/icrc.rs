// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stages `icrc` and `icrc_insert`: the two modes of one design.

use super::spec::{Carries, FrameJudge, Judge, Part, Place, StageSpec};
use super::{narrow, presence};
use crate::config::{Config, table};
use crate::failure::Failure;
use crate::latency;
use golden_vectors::frame::icrc;
use pipeline::frame::icrc::{IcrcConfig, IcrcMode};
use pipeline::headers::protocols::Protocols;

pub const ICRC: StageSpec = StageSpec {
    name: "icrc",
    description: "Checks the ICRC of RoCEv2 and the CRC of UET in frames that are received",
    place: Some(Place::of(Part::Receive, has_crc)),
    carries: Carries::Frames,
    header_records: false,
    sections: &["", "protocols", "side_band"],
    // It recognizes RoCEv2 and UET and does not depend on the headers behind.
    only: &[
        ("protocols", "rocev2"),
        ("protocols", "rocev2_port"),
        ("protocols", "uet"),
        ("protocols", "uet_crc"),
        ("protocols", "uet_port"),
        ("protocols", "uet_protocol"),
    ],
    except: &[],
    ram_latency: false,
    settings: &[],
    contexts: None,
    design: |config| design(config, IcrcMode::Check).into(),
    judge: Judge::Frames(FrameJudge::of_verdicts(|config| {
        icrc::check_vectors_for(&table::of(&config.protocols)).map(|file| vec![file]).map_err(Failure::defect)
    })),
    latency: |stage| latency::of_frame(stage, "s_axis", &["m_axis"]),
};

pub const ICRC_INSERT: StageSpec = StageSpec {
    name: "icrc_insert",
    description: "Puts the ICRC of RoCEv2 and the CRC of UET into frames that are sent",
    place: Some(Place {
        // A NIC has it in `rx` and `tx`.
        beside: Some(|config| has_crc(config) && !presence::is_nic(config)),
        ..Place::of(Part::Send, has_crc)
    }),
    design: |config| design(config, IcrcMode::Insert).into(),
    judge: Judge::Frames(FrameJudge::of_verdicts(|config| {
        icrc::insert_vectors_for(&table::of(&config.protocols)).map(|file| vec![file]).map_err(Failure::defect)
    })),
    ..ICRC
};

/// There are frames with a CRC.
pub fn has_crc(config: &Config) -> bool {
    config.protocols.rocev2 || config.protocols.has_uet_crc()
}

/// Without a protocol that has a CRC, the stage is that of RoCEv2.
pub(super) fn design(config: &Config, mode: IcrcMode) -> IcrcConfig {
    let protocols = Protocols { rocev2: config.protocols.rocev2 || !has_crc(config), ..config.protocols };
    IcrcConfig { side_band: config.side_band, ..IcrcConfig::of(narrow(config.data_width), mode, &protocols) }
}
