// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stages `icrc` and `icrc_insert`: the two modes of one design.

use super::spec::{Carries, FrameJudge, Judge, Part, Place, StageSpec};
use super::{narrow, presence};
use crate::config::Config;
use crate::latency;
use golden_vectors::frame::icrc;
use pipeline::frame::icrc::{IcrcConfig, IcrcMode};
use pipeline::headers::protocols::Protocols;

pub const ICRC: StageSpec = StageSpec {
    name: "icrc",
    description: "Checks the ICRC of RoCEv2 frames that are received",
    place: Some(Place::of(Part::Receive, |config| config.protocols.rocev2)),
    carries: Carries::Frames,
    header_records: false,
    sections: &["", "protocols", "side_band"],
    // It recognizes RoCEv2 by its port and does not depend on the other protocols.
    only: &[("protocols", "rocev2_port")],
    except: &[],
    ram_latency: false,
    settings: &[],
    contexts: None,
    design: |config| design(config, IcrcMode::Check).into(),
    judge: Judge::Frames(FrameJudge::of_verdicts(|config| {
        Ok(vec![icrc::check_vectors_at(config.protocols.rocev2_port)])
    })),
    latency: |stage| latency::of_frame(stage, "s_axis", &["m_axis"]),
};

pub const ICRC_INSERT: StageSpec = StageSpec {
    name: "icrc_insert",
    description: "Puts the ICRC into RoCEv2 frames that are sent",
    place: Some(Place {
        // A NIC has it in `rx` and `tx`.
        beside: Some(|config| config.protocols.rocev2 && !presence::is_nic(config)),
        ..Place::of(Part::Send, |config| config.protocols.rocev2)
    }),
    design: |config| design(config, IcrcMode::Insert).into(),
    judge: Judge::Frames(FrameJudge::of_verdicts(|config| {
        Ok(vec![icrc::insert_vectors_at(config.protocols.rocev2_port)])
    })),
    ..ICRC
};

pub(super) fn design(config: &Config, mode: IcrcMode) -> IcrcConfig {
    let (Protocols { rocev2_port, trimming, .. }, side_band) = (config.protocols, config.side_band);
    let trimming = trimming && mode == IcrcMode::Check;
    IcrcConfig { rocev2_port, trimming, side_band, ..IcrcConfig::new(narrow(config.data_width), mode) }
}
