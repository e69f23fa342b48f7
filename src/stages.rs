// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stages by name, elaborated from a configuration.

use crate::config::table::Table;
use crate::config::{Config, Elab, EntropySelector, FrameGate, KEYS, Key, Kind, PathScheduler, Value, table};
use crate::device::Device;
use crate::failure::{Failure, Outcome};
use crate::latency;
use crate::latency::Latency;
use clap::ValueEnum;
use devices::AnyStage;
use golden_vectors::Vectors;
use hdl::package::Family;
use hdl::testbench::TestbenchFiles;
use hdl::{Header, VerilogFile};
use pipeline::elab::ElabSizes;
use pipeline::elab_feedback::ElabFeedbackConfig;
use pipeline::elab_scheduler::ElabSchedulerConfig;
use pipeline::entropy_selector::EntropySelectorConfig;
use pipeline::frame_gate::FrameGateConfig;
use pipeline::header_builder::HeaderBuilderConfig;
use pipeline::header_parser::HeaderParserConfig;
use pipeline::icrc::{IcrcConfig, IcrcMode};
use pipeline::path_scheduler::PathSchedulerConfig;
use pipeline::protocols::Protocols;
use pipeline::tally::TallyConfig;
use rtl_model::netlist::circuit::Circuit;
use testbench::selfcheck::{builder_testbench, parser_testbench, timed_testbench};

/// A stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum StageName {
    /// Reads the headers of every frame and says what it is.
    HeaderParser,
    /// The header parser without record buffer and reason counters: what is compared with other parsers.
    HeaderParserCore,
    /// Makes frames from header records and payloads.
    HeaderBuilder,
    /// Checks the ICRC of RoCEv2 frames that are received.
    Icrc,
    /// Drops frames whose verdict is drop, with their records.
    FrameGate,
    /// Puts the ICRC into RoCEv2 frames that are sent.
    IcrcInsert,
    /// Chooses the path of every packet of a connection, away from congestion.
    EntropySelector,
    /// Chooses the sub-path of every packet of a queue pair, by weights.
    PathScheduler,
    /// Chooses the virtual path of every packet of ELAB, by the bandwidth that is left.
    ElabScheduler,
    /// Counts and reports what arrives on the virtual paths of ELAB.
    ElabFeedback,
    /// A table of counters, the example of how a stage is written.
    Tally,
}

impl StageName {
    /// What the configuration describes as a whole: the way of a received frame, then that of one to be sent, each with
    /// the stages of its protocols.
    pub fn pipeline(config: &Config) -> Vec<Self> {
        use StageName::{ElabFeedback, ElabScheduler, FrameGate, HeaderBuilder, HeaderParser};
        use StageName::{Icrc, IcrcInsert, PathScheduler};
        let Protocols { rocev2, uet, elab, .. } = config.protocols;
        let all = [
            (true, HeaderParser),
            (rocev2, Icrc),
            (true, FrameGate),
            (elab, ElabFeedback),
            (uet, StageName::EntropySelector),
            (rocev2, PathScheduler),
            (elab, ElabScheduler),
            (true, HeaderBuilder),
            (rocev2, IcrcInsert),
        ];
        all.into_iter().filter(|(has_part, _)| *has_part).map(|(_, stage)| stage).collect()
    }

    /// The stages that the command line names, else the whole pipeline.
    pub fn chosen(given: &[Self], config: &Config) -> Vec<Self> {
        if given.is_empty() { Self::pipeline(config) } else { given.to_vec() }
    }

    /// The same with what their modules are called: `name`, which is for one stage, or as always.
    pub fn named(given: &[Self], name: Option<&str>, config: &Config) -> Outcome<Vec<(Self, String)>> {
        let chosen = Self::chosen(given, config);
        if name.is_some() && chosen.len() > 1 {
            return Err(Failure::with_help("--name is for one stage", "target.prefix is for all: PREFIX_STAGE"));
        }
        let module = |stage: Self| (stage, name.map_or_else(|| stage.module(config), str::to_owned));
        Ok(chosen.into_iter().map(module).collect())
    }

    /// As on the command line and in golden vectors.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// What it does, in one line.
    pub fn description(self) -> String {
        let help = self.to_possible_value().and_then(|value| value.get_help().cloned());
        help.map_or_else(String::new, |help| help.to_string())
    }

    /// The stage as the configuration wants it.
    pub fn of(self, config: &Config) -> AnyStage {
        match self {
            StageName::HeaderParser => header_parser(config).into(),
            StageName::HeaderParserCore => header_parser_core(config).into(),
            StageName::HeaderBuilder => header_builder(config).into(),
            StageName::Icrc => icrc(config, IcrcMode::Check).into(),
            StageName::FrameGate => frame_gate(config).into(),
            StageName::IcrcInsert => icrc(config, IcrcMode::Insert).into(),
            StageName::EntropySelector => entropy_selector(config).into(),
            StageName::PathScheduler => path_scheduler(config).into(),
            StageName::ElabScheduler => ElabSchedulerConfig(elab(config)).into(),
            StageName::ElabFeedback => ElabFeedbackConfig(elab(config)).into(),
            StageName::Tally => tally(config).into(),
        }
    }

    /// What its module is called: the same in every configuration, so that an instance of it survives a changed key.
    pub fn module(self, config: &Config) -> String {
        format!("{}_{}", config.target.prefix, self.name())
    }

    /// The keys on which its Verilog depends.
    fn keys(self) -> impl Iterator<Item = &'static Key> {
        use StageName::{ElabFeedback, ElabScheduler, EntropySelector, FrameGate, HeaderBuilder, PathScheduler, Tally};
        let section = match self {
            HeaderBuilder => "header_builder",
            FrameGate => "frame_gate",
            EntropySelector => "entropy_selector",
            PathScheduler => "path_scheduler",
            ElabScheduler | ElabFeedback => "elab",
            Tally => "tally",
            _ => "",
        };
        let frames = self.carries_frames();
        let memories = ["device", "ram_latency"];
        KEYS.iter().filter(move |key| match key.section {
            "" | "side_band" => frames,
            "protocols" => frames && self != FrameGate,
            "target" => self.has_ram_latency() && memories.contains(&key.name),
            other => other == section,
        })
    }

    /// The stage as a netlist for the configured device.
    pub fn circuit(self, config: &Config) -> Outcome<Circuit> {
        self.circuit_called(&self.module(config), config)
    }

    /// The same, its module called `name`.
    pub fn circuit_called(self, name: &str, config: &Config) -> Outcome<Circuit> {
        let mut circuit = self.of(config).circuit()?;
        circuit.rename(name);
        if let Some(block_bits) = Device::find(&config.target.device).and_then(|device| device.sliced) {
            circuit.slice_memories(block_bits);
        }
        Ok(circuit)
    }

    /// What it keeps a row of state for, if it does.
    pub fn contexts(self) -> Option<Contexts> {
        match self {
            StageName::HeaderParser | StageName::HeaderParserCore | StageName::HeaderBuilder => None,
            StageName::Icrc | StageName::IcrcInsert | StageName::FrameGate => None,
            StageName::EntropySelector => Some(Contexts { name: "CCCs", section: "entropy_selector", key: "cccs" }),
            StageName::PathScheduler => Some(Contexts { name: "QPs", section: "path_scheduler", key: "qps" }),
            StageName::ElabScheduler | StageName::ElabFeedback => {
                Some(Contexts { name: "pairs", section: "elab", key: "pairs" })
            }
            StageName::Tally => Some(Contexts { name: "counters", section: "tally", key: "rows" }),
        }
    }

    /// Whether a key of the configuration changes its hardware on one device.
    pub fn has_key(self, key: &Key) -> bool {
        let icrc = matches!(self, StageName::Icrc | StageName::IcrcInsert);
        match (key.section, key.name) {
            ("target", "device") => false,
            // The ICRC knows RoCEv2 by its port and nothing of the others.
            ("protocols", name) if icrc => name == "rocev2_port",
            _ => self.keys().any(|own| (own.section, own.name) == (key.section, key.name)),
        }
    }

    /// Names of the stages that keep contexts.
    pub fn with_contexts() -> Vec<String> {
        Self::value_variants().iter().filter(|stage| stage.contexts().is_some()).map(|stage| stage.name()).collect()
    }

    /// Whether `target.ram_latency` changes it.
    pub fn has_ram_latency(self) -> bool {
        !self.carries_frames() || self == StageName::FrameGate
    }

    /// Whether frames pass through it. Through others pass events, one a clock.
    pub fn carries_frames(self) -> bool {
        use StageName::{FrameGate, HeaderBuilder, HeaderParser, HeaderParserCore, Icrc, IcrcInsert};
        matches!(self, HeaderParser | HeaderParserCore | HeaderBuilder | Icrc | IcrcInsert | FrameGate)
    }

    /// The self-checking testbench with the golden vectors of the stage as it is configured, if the stage has any.
    /// These are `files`.
    pub fn testbench(self, circuit: &Circuit, files: &[Vectors], config: &Config) -> Outcome<Option<TestbenchFiles>> {
        let header = self.header(config);
        if let [Vectors::Timed(file)] = files {
            return Ok(Some(timed_testbench(circuit, &header, &file.groups)?));
        }
        let frames = files.iter().filter_map(|file| match file {
            Vectors::Frames(file) => Some(file),
            Vectors::Timed(_) => None,
        });
        let cases: Vec<_> = frames.flat_map(|file| file.grouped_cases().map(|(_, case)| case)).collect();
        Ok(match self {
            _ if files.is_empty() => None,
            StageName::HeaderBuilder => Some(builder_testbench(circuit, &header, cases, config.udp_checksum)?),
            _ => Some(parser_testbench(circuit, &header, cases)?),
        })
    }

    /// What stands at the head of each of its files.
    pub fn header(self, config: &Config) -> Header {
        let setting = |key: &Key| {
            let table = if key.section.is_empty() { String::new() } else { format!("{}.", key.section) };
            let value = match key.name {
                // What "auto" comes to.
                "ram_latency" => Value::Whole(config.ram_latency().into()),
                _ => (key.get)(config),
            };
            format!("{table}{} = {value}", key.name)
        };
        Header { settings: self.keys().map(setting).collect(), ..origin(config) }
    }

    /// Whether the stage is the same with the protocols of this table as with those of the configuration.
    pub fn is_as_in(self, table: &Table, config: &Config) -> Outcome<bool> {
        let protocols = table::protocols(table)?;
        Ok(match self {
            StageName::Icrc | StageName::IcrcInsert => protocols.rocev2_port == config.protocols.rocev2_port,
            StageName::HeaderBuilder => *table == table::of_builder(config),
            _ => *table == table::of(&config.protocols),
        })
    }

    /// Clocks through the stage, counted on the model.
    pub fn latency(self, config: &Config) -> Outcome<Vec<Latency>> {
        // The number of contexts plays no part but in the sweep after reset.
        let smallest = self.contexts().map(|contexts| contexts.with(config, contexts.limits().0));
        let stage = self.of(smallest.as_ref().unwrap_or(config));
        match self {
            StageName::HeaderParser | StageName::HeaderParserCore => latency::parser(&stage),
            StageName::HeaderBuilder => latency::header_builder(&stage),
            StageName::Icrc | StageName::IcrcInsert => latency::icrc(&stage),
            StageName::FrameGate => latency::frame_gate(&stage),
            StageName::EntropySelector | StageName::PathScheduler | StageName::ElabScheduler => {
                latency::contexts(&stage)
            }
            StageName::ElabFeedback => latency::asks(&stage),
            StageName::Tally => latency::tally(&stage),
        }
    }
}

/// What a stage keeps a row of state for, each.
#[derive(Clone, Copy, Debug)]
pub struct Contexts {
    /// What they are called.
    pub name: &'static str,
    /// The table of the key that is their number.
    pub section: &'static str,
    /// The key.
    pub key: &'static str,
}

impl Contexts {
    fn of_config(&self) -> Option<&'static Key> {
        KEYS.iter().find(|key| key.section == self.section && key.name == self.key)
    }

    /// How many there are.
    pub fn count(&self, config: &Config) -> u64 {
        match self.of_config().map(|key| (key.get)(config)) {
            Some(Value::Whole(count)) => count,
            _ => 0,
        }
    }

    /// Fewest and most that the configuration takes.
    pub fn limits(&self) -> (u64, u64) {
        match self.of_config().map(|key| &key.kind) {
            Some(Kind::Whole(low, high)) => (*low, *high),
            _ => (0, 0),
        }
    }

    /// The configuration with another number of them.
    pub fn with(&self, config: &Config, count: u64) -> Config {
        let mut config = config.clone();
        if let Some(key) = self.of_config() {
            (key.set)(&mut config, Value::Whole(count));
        }
        config
    }
}

/// What stands at the head of files that are of all stages: where they come from.
pub fn origin(config: &Config) -> Header {
    Header {
        tool: concat!("mpnic ", env!("CARGO_PKG_VERSION")).to_owned(),
        config_hash: config.hash(),
        settings: Vec::new(),
    }
}

/// The design of the stage `header_parser`.
pub fn header_parser(config: &Config) -> HeaderParserConfig {
    let Config { protocols, side_band, .. } = *config;
    HeaderParserConfig { protocols, side_band, ..HeaderParserConfig::new(narrow(config.data_width)) }
}

/// The design of the stage `header_parser_core`.
pub fn header_parser_core(config: &Config) -> HeaderParserConfig {
    HeaderParserConfig { record_buffer: false, counters: false, ..header_parser(config) }
}

/// The design of the stage `header_builder`.
pub fn header_builder(config: &Config) -> HeaderBuilderConfig {
    HeaderBuilderConfig {
        data_width: narrow(config.data_width),
        udp_checksum: config.udp_checksum,
        protocols: config.protocols,
        side_band: config.side_band,
    }
}

/// The design of the stages `icrc` and `icrc_insert`.
pub fn icrc(config: &Config, mode: IcrcMode) -> IcrcConfig {
    let (rocev2_port, side_band) = (config.protocols.rocev2_port, config.side_band);
    IcrcConfig { rocev2_port, side_band, ..IcrcConfig::new(narrow(config.data_width), mode) }
}

/// The design of the stage `frame_gate`.
pub fn frame_gate(config: &Config) -> FrameGateConfig {
    let FrameGate { depth, frames, drop, records } = config.frame_gate;
    let sized = FrameGateConfig::new(narrow(config.data_width), depth, frames);
    FrameGateConfig { drop, records, ram_latency: config.ram_latency(), side_band: config.side_band, ..sized }
}

/// The design of the stage `entropy_selector`.
pub fn entropy_selector(config: &Config) -> EntropySelectorConfig {
    let EntropySelector { cccs, evs, modes, ports } = config.entropy_selector;
    EntropySelectorConfig::new(cccs, evs).ram_latency(config.ram_latency()).modes(modes).ports(ports)
}

/// The design of the stage `path_scheduler`.
pub fn path_scheduler(config: &Config) -> PathSchedulerConfig {
    let PathScheduler { qps, paths } = config.path_scheduler;
    PathSchedulerConfig::new(qps, paths).ram_latency(config.ram_latency())
}

/// The sizes of the stages `elab_scheduler` and `elab_feedback`.
pub fn elab(config: &Config) -> ElabSizes {
    let Elab { pairs, vps, unit } = config.elab;
    ElabSizes { ram_latency: config.ram_latency(), ..ElabSizes::new(pairs, vps, unit) }
}

/// The design of the stage `tally`.
pub fn tally(config: &Config) -> TallyConfig {
    TallyConfig {
        rows: config.tally.rows,
        width: narrow(config.tally.width),
        amount_width: narrow(config.tally.amount_width),
        ram_latency: config.ram_latency(),
    }
}

/// The configuration has checked the range.
fn narrow(x: u64) -> u32 {
    u32::try_from(x).unwrap_or(u32::MAX)
}

/// The Verilog of a netlist, children before parents.
pub fn verilog(circuit: &Circuit, header: &Header) -> Outcome<Vec<VerilogFile>> {
    hdl::print(circuit, header).map_err(Failure::message)
}

/// What the configured device is synthesized like.
pub fn family(config: &Config) -> Family {
    Device::find(&config.target.device).map_or(Family::UltraScalePlus, |device| device.family)
}
