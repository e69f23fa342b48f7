// SPDX-License-Identifier: MIT OR Apache-2.0
//! The experiments that come with the program.

/// Names and texts, from `experiments/`.
pub const EXPERIMENTS: [(&str, &str); 19] = [
    ("u1", include_str!("../../experiments/u1.toml")),
    ("u2", include_str!("../../experiments/u2.toml")),
    ("u3", include_str!("../../experiments/u3.toml")),
    ("u4", include_str!("../../experiments/u4.toml")),
    ("u5", include_str!("../../experiments/u5.toml")),
    ("u6", include_str!("../../experiments/u6.toml")),
    ("load", include_str!("../../experiments/load.toml")),
    ("single", include_str!("../../experiments/single.toml")),
    ("incast16", include_str!("../../experiments/incast16.toml")),
    ("incast128", include_str!("../../experiments/incast128.toml")),
    ("permutation1024", include_str!("../../experiments/permutation1024.toml")),
    ("dragonfly-bounds", include_str!("../../experiments/dragonfly-bounds.toml")),
    ("dragonfly-latency", include_str!("../../experiments/dragonfly-latency.toml")),
    ("dragonfly-saturation", include_str!("../../experiments/dragonfly-saturation.toml")),
    ("dragonfly-load", include_str!("../../experiments/dragonfly-load.toml")),
    ("dragonfly-sizes", include_str!("../../experiments/dragonfly-sizes.toml")),
    ("dragonfly-transient", include_str!("../../experiments/dragonfly-transient.toml")),
    ("dragonfly-trunks", include_str!("../../experiments/dragonfly-trunks.toml")),
    ("dragonfly-variants", include_str!("../../experiments/dragonfly-variants.toml")),
];

/// The text of an experiment.
#[must_use]
pub fn text(name: &str) -> Option<&'static str> {
    EXPERIMENTS.iter().find(|(known, _)| *known == name).map(|&(_, text)| text)
}
