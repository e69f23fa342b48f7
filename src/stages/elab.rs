// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stages `elab_scheduler` and `elab_feedback`, which have the same size.

use super::StageName;
use super::settings::reset;
use super::spec::{Carries, Contexts, Judge, Part, Place, StageSpec, TimedJudge};
use crate::config::recorded::{Parameter, RAM_LATENCY};
use crate::config::{Config, Elab};
use crate::latency;
use crate::settings;
use golden_vectors::elab::feedback;
use golden_vectors::elab::feedback::oracle::Shape as FeedbackShape;
use golden_vectors::elab::scheduler;
use golden_vectors::elab::scheduler::oracle::Shape as SchedulerShape;
use pipeline::elab::ElabSizes;
use pipeline::elab::feedback::{ElabFeedbackConfig, ElabFeedbackSettings};
use pipeline::elab::scheduler::{ElabSchedulerConfig, ElabSchedulerSettings};

pub const ELAB_SCHEDULER: StageSpec = StageSpec {
    name: "elab_scheduler",
    description: "Chooses the virtual path of every packet of ELAB, by the bandwidth that is left",
    place: Some(Place::of(Part::Choose, |config| config.protocols.elab)),
    carries: Carries::Events,
    header_records: false,
    sections: &["elab"],
    only: &[],
    except: &[("elab", "report_dscp")],
    ram_latency: true,
    settings: settings::elab::SCHEDULER,
    contexts: Some(Contexts { name: "pairs", section: "elab", key: "pairs", window: None }),
    design: |config| scheduler(config).into(),
    judge: Judge::Timed(TimedJudge {
        parameters: PARAMETERS,
        size: |config| scheduler_shape(config).configuration(),
        load: |config| scheduler::load_vectors(scheduler_shape(config)),
    }),
    latency: |stage| latency::answers(stage, Some("command"), &[("request", "grant"), ("command", "response")]),
};

pub const ELAB_FEEDBACK: StageSpec = StageSpec {
    name: "elab_feedback",
    description: "Counts and reports what arrives on the virtual paths of ELAB",
    place: Some(Place::of(Part::Receive, |config| config.protocols.elab)),
    settings: settings::elab::FEEDBACK,
    design: |config| feedback(config).into(),
    judge: Judge::Timed(TimedJudge {
        parameters: PARAMETERS,
        size: |config| feedback_shape(config).configuration(),
        load: |config| feedback::load_vectors(feedback_shape(config)),
    }),
    latency: |stage| latency::answers(stage, Some("command"), &[("query", "report")]),
    ..ELAB_SCHEDULER
};

const PARAMETERS: &[Parameter] =
    &[Parameter::key("elab", "pairs"), Parameter::key("elab", "vps"), Parameter::key("elab", "unit"), RAM_LATENCY];

fn sizes(config: &Config) -> ElabSizes {
    let Elab { pairs, vps, unit, .. } = config.elab;
    ElabSizes { ram_latency: config.ram_latency(), ..ElabSizes::new(pairs, vps, unit) }
}

pub(super) fn scheduler(config: &Config) -> ElabSchedulerConfig {
    let reset = |port| reset(StageName::ElabScheduler, port, config);
    let settings = ElabSchedulerSettings {
        alpha: reset("alpha"),
        window: reset("window"),
        explore: reset("explore"),
        burst: reset("burst"),
        silence: reset("silence"),
    };
    ElabSchedulerConfig { sizes: sizes(config), settings }
}

pub(super) fn feedback(config: &Config) -> ElabFeedbackConfig {
    let reset = |port| reset(StageName::ElabFeedback, port, config);
    let settings = ElabFeedbackSettings { burst: reset("burst"), report_time: reset("report_time") };
    ElabFeedbackConfig { sizes: sizes(config), settings }
}

fn scheduler_shape(config: &Config) -> SchedulerShape {
    let ElabSchedulerConfig { sizes, settings } = scheduler(config);
    let ElabSizes { pairs, vps, unit, ram_latency } = sizes;
    let ElabSchedulerSettings { alpha, window, explore, burst, silence } = settings;
    let settings = scheduler::oracle::Settings::new(alpha, window, explore, burst).silence(silence);
    SchedulerShape::new(pairs, vps, unit).ram_latency(ram_latency.into()).reset_to(settings)
}

fn feedback_shape(config: &Config) -> FeedbackShape {
    let ElabFeedbackConfig { sizes, settings: ElabFeedbackSettings { burst, report_time } } = feedback(config);
    let ElabSizes { pairs, vps, unit, ram_latency } = sizes;
    let settings = feedback::oracle::Settings::new(burst).report_time(report_time);
    FeedbackShape::new(pairs, vps, unit).ram_latency(ram_latency.into()).reset_to(settings)
}
