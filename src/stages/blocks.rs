// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocks as stages: `fifo`, `skid_buffer` and `arbiter`. They are in no pipeline.

use super::narrow;
use super::spec::{Carries, Judge, StageSpec, TimedJudge};
use crate::config::Config;
use crate::config::recorded::{Parameter, RAM_LATENCY};
use crate::latency;
use golden_vectors::blocks::arbiter;
use golden_vectors::blocks::fifo;
use golden_vectors::blocks::queue::Size;
use golden_vectors::blocks::skid_buffer;
use pipeline::blocks::arbiter::Policy;
use pipeline::blocks::designs::{ArbiterConfig, FifoConfig, SkidBufferConfig};

pub const FIFO: StageSpec = StageSpec {
    name: "fifo",
    description: "A block: items in a block RAM, first in, first out",
    place: None,
    carries: Carries::Events,
    header_records: false,
    sections: &["fifo"],
    only: &[],
    except: &[],
    ram_latency: true,
    settings: &[],
    contexts: None,
    design: |config| fifo_config(config).into(),
    judge: Judge::Timed(TimedJudge {
        parameters: &[Parameter::key("fifo", "depth"), Parameter::key("fifo", "width"), RAM_LATENCY],
        size: |config| fifo_shape(config).configuration(),
        load: |config| fifo::load_vectors(fifo_shape(config)),
    }),
    latency: |stage| latency::answers(stage, Some("push"), &[("push", "pop")]),
};

pub const SKID_BUFFER: StageSpec = StageSpec {
    name: "skid_buffer",
    description: "A block: two items, so that ready is a register",
    place: None,
    carries: Carries::Events,
    header_records: false,
    sections: &["skid_buffer"],
    only: &[],
    except: &[],
    ram_latency: false,
    settings: &[],
    contexts: None,
    design: |config| SkidBufferConfig { width: narrow(config.skid_buffer.width) }.into(),
    judge: Judge::Timed(TimedJudge {
        parameters: &[Parameter::key("skid_buffer", "width")],
        size: |config| skid_buffer_shape(config).configuration(),
        load: |config| skid_buffer::load_vectors(skid_buffer_shape(config)),
    }),
    latency: |stage| latency::answers(stage, Some("push"), &[("push", "pop")]),
};

pub const ARBITER: StageSpec = StageSpec {
    name: "arbiter",
    description: "A block: grants one of several requests, the lowest or the next in turn",
    place: None,
    carries: Carries::Events,
    header_records: false,
    sections: &["arbiter"],
    only: &[],
    except: &[],
    ram_latency: false,
    settings: &[],
    contexts: None,
    design: |config| arbiter_config(config).into(),
    judge: Judge::Timed(TimedJudge {
        parameters: &[Parameter::key("arbiter", "requests"), Parameter::key("arbiter", "policy")],
        size: |config| arbiter_shape(config).configuration(),
        load: |config| arbiter::load_vectors(arbiter_shape(config)),
    }),
    latency: |stage| latency::answers(stage, None, &[("requests", "grant")]),
};

fn fifo_config(config: &Config) -> FifoConfig {
    let crate::config::Fifo { depth, width } = config.fifo;
    FifoConfig { depth, width: narrow(width), ram_latency: config.ram_latency() }
}

fn fifo_shape(config: &Config) -> fifo::oracle::Shape {
    let FifoConfig { depth, width, ram_latency } = fifo_config(config);
    fifo::oracle::Shape::new(depth, width.into(), ram_latency.into())
}

fn skid_buffer_shape(config: &Config) -> skid_buffer::oracle::Shape {
    skid_buffer::oracle::Shape { width: config.skid_buffer.width }
}

fn arbiter_config(config: &Config) -> ArbiterConfig {
    let crate::config::Arbiter { requests, policy } = config.arbiter;
    ArbiterConfig { requests: narrow(requests), policy }
}

fn arbiter_shape(config: &Config) -> arbiter::oracle::Shape {
    let ArbiterConfig { requests, policy } = arbiter_config(config);
    arbiter::oracle::Shape::new(requests.into(), policy == Policy::RoundRobin)
}
