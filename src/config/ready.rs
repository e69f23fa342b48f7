// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ready-made configurations, which `--config` takes by name.

/// Pairs of name and text.
pub const READY: &[(&str, &str)] = &[
    ("uet-400g", include_str!("../../configs/uet-400g.toml")),
    ("mp-rdma-100g", include_str!("../../configs/mp-rdma-100g.toml")),
    ("elab-100g", include_str!("../../configs/elab-100g.toml")),
    ("dragonfly-switch", include_str!("../../configs/dragonfly-switch.toml")),
    ("ecp5-10g", include_str!("../../configs/ecp5-10g.toml")),
];
