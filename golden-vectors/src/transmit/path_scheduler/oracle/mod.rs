// SPDX-License-Identifier: MIT OR Apache-2.0
//! The required outputs of the path scheduler: the contract row by row, over a list of events, untimed.
//!
//! "Tn" is row n of the table in `docs/stages/path_scheduler.md`. Feedback and commands take effect one after the
//! other; requests come between them as the rows define what they see. The packets in flight are computed from the list
//! of all packets ever granted.

mod command;
mod entropies;
mod events;
mod follow;
mod hold;
mod load;
mod operations;
mod queue;
mod scheduler;
mod selection;
mod settings;
mod shape;
mod stream;
mod sub_path;
mod timeline;

pub use command::{Command, Granularity, Op};
pub use events::*;
pub use settings::Settings;
pub use shape::{Entropy, Shape};

use queue::Consumer;
use scheduler::{Effect, Scheduler};
use timeline::Timeline;

/// Computes the outputs for the events, which are in the order of their cycles, with at most one of each kind per
/// cycle. The settings ports have `first` before the first [`Event::Settings`]; `None` if `settings_valid` is 0.
#[must_use]
pub fn answer(shape: Shape, first: impl Into<Option<Settings>>, events: &[(u64, Event)]) -> Answer {
    let mut scheduler = Scheduler::new(shape, Timeline::new(shape.reset, first.into(), events), effects(shape, events));
    for &(cycle, event) in events {
        if let Event::Request(request) = event {
            scheduler.request(cycle, request);
        }
    }
    let of_events = events.iter().filter_map(|&(cycle, event)| match event {
        Event::Ready(ready) => Some((cycle, ready)),
        _ => None,
    });
    let of_lost = events.iter().filter_map(|&(cycle, event)| match event {
        Event::LostReady(ready) => Some((cycle, ready)),
        _ => None,
    });
    scheduler.finish(&Consumer::new(of_events), &Consumer::new(of_lost))
}

/// T12, T16 and T18: accepted inputs with the cycle in which they take effect, in this order.
fn effects(shape: Shape, events: &[(u64, Event)]) -> Vec<(u64, Effect)> {
    let mut effects: Vec<(u64, Effect)> = Vec::new();
    let mut free = shape.sweep();
    // The cycle in which the last command takes effect.
    let mut busy = None;
    for &(cycle, event) in events {
        match event {
            Event::Command(command) if cycle >= free => {
                free = cycle + shape.operations();
                busy = Some(cycle + 1);
                effects.push((cycle + 1, Effect::Command(command)));
            }
            Event::Feedback(feedback) if cycle >= shape.sweep() && busy != Some(cycle) => {
                effects.push((cycle, Effect::Feedback(feedback)));
            }
            _ => {}
        }
    }
    // Feedback of the cycle in which a command is accepted comes before the command.
    effects.sort_by_key(|&(effect, _)| effect);
    effects
}
