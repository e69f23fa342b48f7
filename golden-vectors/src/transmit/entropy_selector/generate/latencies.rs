// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memories of latency 1 and 3: the cases for every rule that counts cycles, and for every distance in the pipeline,
//! which is shorter or longer by a step.

use super::shapes::shape;
use super::{command, epochs, hazards, load, settings, visibility};
use crate::rng::SplitMix64;
use crate::transmit::entropy_selector::suite::Suite;

/// Repeats groups that exist for latency 2.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for latency in [1, 3] {
        let [one, few, many] = [shape(1, 16), shape(3, 16), shape(4, 256)].map(|shape| shape.ram_latency(latency));
        visibility::seen(suite, one);
        hazards::requests(suite, few);
        hazards::marking(suite, few);
        epochs::expiry(suite, one, 64);
        command::operations(suite, few, rng);
        command::edge(suite, few);
        settings::group(suite, one);
        settings::saturation(suite, one);
        for shape in [one, many] {
            load::of_shape(suite, shape, rng);
        }
    }
}
