// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line as it is typed.

use crate::stages::StageName;
use clap::builder::PossibleValue;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Multipath NIC pipelines from one configuration: Verilog, a bit-exact model, golden vectors, the budget.
#[derive(Debug, Parser)]
#[command(name = "mpnic", version, propagate_version = true, arg_required_else_help = true)]
#[command(
    after_help = "Exit status: 0 good, 1 a check failed, 2 wrong usage or something is missing, 70 a defect of mpnic.
Configurations: a TOML file, or uet-400g, mp-rdma-100g, elab-100g, dragonfly-switch, ecp5-10g."
)]
pub struct Cli {
    /// A TOML file or the name of a ready-made configuration.
    #[arg(long, value_name = "FILE|NAME", global = true)]
    pub config: Option<String>,
    /// Print the effective configuration, commented, and end.
    #[arg(long, global = true)]
    pub print_config: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Everything about one configuration in one directory: RTL, HDL tests, conformance, budget, a replayed capture.
    #[command(after_help = "Examples:
  mpnic prototype
  mpnic prototype --config ecp5-10g --out nic
  mpnic prototype --stage header_parser,tally")]
    Prototype(Prototype),
    /// Verilog of the pipeline or of some stages, with self-checking HDL tests, file list, FuseSoC core, yosys script.
    #[command(after_help = "Examples:
  mpnic rtl --config uet-400g --out nic
  mpnic rtl --stage tally --out -
  mpnic rtl --stage header_parser --name my_parser --out parser")]
    Rtl(Rtl),
    /// The fast model of the pipeline or of some stages in C, with golden vectors, for Python, and for simulators (DPI-C).
    #[command(after_help = "Examples:
  mpnic model --config uet-400g --out models
  mpnic model --stage entropy_selector --out selector
  mpnic model --stage header_parser --name my_parser --out parser")]
    Model(Model),
    /// Runs the golden vectors.
    #[command(after_help = "Examples:
  mpnic conform
  mpnic conform --backend all --json
  mpnic conform --filter checksum
  mpnic conform --vectors changed.json
  mpnic conform --vectors golden-vectors/vectors.zip
  mpnic conform --filter header_parser/link/type-0806 --trace out.fst")]
    Conform(Conform),
    /// The golden vectors as text: lists them, prints one file, or writes all.
    #[command(after_help = "Examples:
  mpnic vectors
  mpnic vectors header_parser.json | jq '.groups[0].tests[0]'
  mpnic vectors --out vectors")]
    Vectors(Vectors),
    /// Sends the frames of a capture through the pipeline.
    #[command(after_help = "Examples:
  mpnic replay in.pcap
  mpnic replay in.pcap --json | jq .bth.psn
  mpnic replay in.pcap --backend verilator --stall 50 --trace out.vcd
  mpnic replay in.pcap --out answers.pcap --connections qps.csv")]
    Replay(Replay),
    /// Memory, registers, logic depth, latency and packet rate, against the device and the link.
    #[command(after_help = "Examples:
  mpnic budget
  mpnic budget --config ecp5-10g --json
  mpnic budget --device u250
  mpnic budget --stage entropy_selector --max")]
    Budget(Budget),
    /// The settings after reset of the stages that choose paths: as configured, and as registers hold them.
    #[command(after_help = "Examples:
  mpnic settings --config uet-400g
  mpnic settings --stage entropy_selector --json")]
    Settings(Settings),
    /// A dissector in Lua for Wireshark and tshark: MPEH, UET, ELAB.
    #[command(after_help = "Examples:
  mpnic dissector > ~/.local/lib/wireshark/plugins/mpnic.lua
  mpnic dissector > mpnic.lua; tshark -X lua_script:mpnic.lua -r in.pcap -Y mpnic.mpeh")]
    Dissector,
    /// Two NICs with an imperfect network between them: goodput, completion times, retransmissions, what each path carries.
    #[command(allow_negative_numbers = true)]
    #[command(after_help = "Examples:
  mpnic link
  mpnic link --config mp-rdma-100g --path 50,25:26 --loss 0.1
  mpnic link --config uet-400g --fail-path 1@200 --json
  mpnic link --messages 1 --bytes 65536 --backend verilator")]
    Link(Link),
    /// Experiments in a network of NICs by events: path selection and congestion control, against figures that are known.
    #[command(
        arg_required_else_help = true,
        after_help = "Examples:
  mpnic fabric list
  mpnic fabric run u2 --out u2
  mpnic fabric report u2"
    )]
    Fabric(Fabric),
}

/// `mpnic prototype`.
#[derive(Debug, Args)]
pub struct Prototype {
    /// These stages instead of the whole pipeline, separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub stage: Vec<StageName>,
    /// The directory to write.
    #[arg(long, value_name = "DIR", default_value = "prototype")]
    pub out: PathBuf,
    /// Write even where something else stands; that is kept as DIR.old.
    #[arg(long)]
    pub force: bool,
    /// Print the summary as JSON.
    #[arg(long)]
    pub json: bool,
}

/// `mpnic rtl`.
#[derive(Debug, Args)]
pub struct Rtl {
    /// These stages instead of the whole pipeline, separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub stage: Vec<StageName>,
    /// What the module of the one stage is called, in place of PREFIX_STAGE.
    #[arg(long, value_name = "MODULE", requires = "stage", value_parser = module_name)]
    pub name: Option<String>,
    /// The directory to write; `-` prints the Verilog.
    #[arg(long, value_name = "DIR", default_value = "rtl")]
    pub out: PathBuf,
    /// Write even where something else stands; that is kept as DIR.old.
    #[arg(long)]
    pub force: bool,
}

/// `mpnic model`.
#[derive(Debug, Args)]
pub struct Model {
    /// These stages instead of the whole pipeline, separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub stage: Vec<StageName>,
    /// What the model of the one stage is called, in place of PREFIX_STAGE.
    #[arg(long, value_name = "NAME", requires = "stage", value_parser = module_name)]
    pub name: Option<String>,
    /// The directory to write.
    #[arg(long, value_name = "DIR", default_value = "model")]
    pub out: PathBuf,
    /// Write even where something else stands; that is kept as DIR.old.
    #[arg(long)]
    pub force: bool,
}

/// `mpnic settings`.
#[derive(Debug, Args)]
pub struct Settings {
    /// These stages instead of the whole pipeline, separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub stage: Vec<StageName>,
    /// Print as JSON.
    #[arg(long)]
    pub json: bool,
}

impl ValueEnum for StageName {
    fn value_variants<'a>() -> &'a [Self] {
        Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.spec().name).help(self.description()))
    }
}

fn module_name(text: &str) -> Result<String, String> {
    hdl::is_module_name(text).then(|| text.to_owned()).ok_or_else(|| {
        let most = hdl::MOST_LETTERS;
        format!("a module is called by at most {most} letters, digits and _, no digit first, and by no reserved word")
    })
}

/// What runs the design.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    /// The software model.
    Model,
    /// The Verilog, compiled by Verilator.
    Verilator,
    /// The Verilog, interpreted by Icarus.
    Iverilog,
}

/// What runs the design in `conform`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backends {
    /// The software model.
    Model,
    /// The Verilog, compiled by Verilator.
    Verilator,
    /// The Verilog, interpreted by Icarus.
    Iverilog,
    /// All of them.
    All,
}

/// `mpnic conform`.
#[derive(Debug, Args)]
pub struct Conform {
    /// What runs the vectors.
    #[arg(long, default_value = "model")]
    pub backend: Backends,
    /// Only vectors whose id contains this; STAGE for those of a stage, STAGE/TEXT for some of them. May be given again for
    /// others.
    #[arg(long, value_name = "TEXT")]
    pub filter: Vec<String>,
    /// A vector file, or an archive of them, in place of the embedded ones.
    #[arg(long, value_name = "FILE")]
    pub vectors: Option<PathBuf>,
    /// Bits of a beat, or all; overrides the configuration.
    #[arg(long, value_name = "N|all", value_parser = ["64", "128", "256", "512", "1024", "all"])]
    pub data_width: Option<String>,
    /// Percentage of cycles in which each stream pauses; overrides the configuration.
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u64).range(0..=95))]
    pub stall: Option<u64>,
    /// Seed of the pauses; overrides the configuration.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Write a waveform of ports and registers; meant with --filter, as the whole set makes a large file.
    #[arg(long, value_name = "F.vcd|F.fst")]
    pub trace: Option<PathBuf>,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// `mpnic vectors`.
#[derive(Debug, Args)]
pub struct Vectors {
    /// Print this file.
    #[arg(value_name = "FILE", conflicts_with = "out")]
    pub file: Option<String>,
    /// Write all files to this directory.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write even where something else stands; that is kept as DIR.old.
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Print the list as JSON.
    #[arg(long, conflicts_with_all = ["file", "out"])]
    pub json: bool,
}

/// `mpnic replay`.
#[derive(Debug, Args)]
pub struct Replay {
    /// A pcap or pcapng file with Ethernet frames.
    #[arg(value_name = "IN.pcap")]
    pub capture: PathBuf,
    /// What runs the design.
    #[arg(long, default_value = "model")]
    pub backend: Backend,
    /// Bits of a beat; overrides the configuration.
    #[arg(long, value_name = "N", value_parser = ["64", "128", "256", "512", "1024"])]
    pub data_width: Option<String>,
    /// Percentage of cycles in which each stream pauses.
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=95))]
    pub stall: u64,
    /// Seed of the pauses.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Build every frame of our transports anew from its header record, and write the capture with these.
    #[arg(long, value_name = "OUT.pcap")]
    pub rebuild: Option<PathBuf>,
    /// Send the frames through the receive path `rx`, write its answers as a capture, and print these.
    #[arg(long, value_name = "OUT.pcap", conflicts_with = "rebuild")]
    pub out: Option<PathBuf>,
    /// With --out: write the frames of the packets that are delivered, in the order of delivery, as a capture.
    #[arg(long, value_name = "OUT.pcap", requires = "out")]
    pub delivered: Option<PathBuf>,
    /// With --out: the connections to open, as CSV; one for each key in the capture if it is not given.
    #[arg(long, value_name = "FILE.csv", requires = "out")]
    pub connections: Option<PathBuf>,
    /// One JSON line a frame instead of a table.
    #[arg(long)]
    pub json: bool,
    /// Write a waveform of ports and registers.
    #[arg(long, value_name = "F.vcd|F.fst")]
    pub trace: Option<PathBuf>,
}

/// What `mpnic budget --max` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Max {
    /// What the stage keeps a row of state for, each.
    Contexts,
}

/// `mpnic budget`.
#[derive(Debug, Args)]
pub struct Budget {
    /// Another device than that of the configuration.
    #[arg(long, value_name = "NAME")]
    pub device: Option<String>,
    /// These stages instead of the whole pipeline, separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub stage: Vec<StageName>,
    /// The largest number of contexts of one stage that the device holds, and what limits it.
    #[arg(long, value_name = "WHAT", num_args = 0..=1, default_missing_value = "contexts")]
    pub max: Option<Max>,
    /// Print as JSON.
    #[arg(long)]
    pub json: bool,
}

/// `mpnic link`.
#[derive(Debug, Args)]
pub struct Link {
    /// So many messages.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub messages: u64,
    /// The length of each.
    #[arg(long, value_name = "BYTES", default_value_t = 262_144, value_parser = clap::value_parser!(u32).range(1..=0x7FFF_FFFF))]
    pub bytes: u32,
    /// Paths by rate and, if it is not `settings.rtt_us`, round trip in microseconds, separated by commas; four that have the rate of the
    /// link together if there are none.
    #[arg(long, value_name = "GBPS[:US]", value_delimiter = ',', value_parser = path_given)]
    pub path: Vec<PathGiven>,
    /// The frames in a hundred that each path loses, on either way.
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = percent)]
    pub loss: f64,
    /// The path with this number, counted from 0, loses all from a time in microseconds on.
    #[arg(long, value_name = "PATH@US", value_parser = failed_path)]
    pub fail_path: Option<FailedPath>,
    /// UET: how paths are chosen; REPS if the configuration has it.
    #[arg(long, value_name = "MODE")]
    pub mode: Option<Mode>,
    /// The number from which losses and the choices of switches follow.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Give up after this time in microseconds.
    #[arg(long, value_name = "US", default_value_t = 100_000.0, value_parser = positive)]
    pub limit_us: f64,
    /// What runs the NICs.
    #[arg(long, default_value = "model")]
    pub backend: Backend,
    /// Write a waveform of ports and registers of the NIC that sends.
    #[arg(long, value_name = "F.vcd|F.fst")]
    pub trace: Option<PathBuf>,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// A mode of `entropy_selector`, in the order of their codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Every EV in turn, except those that are marked.
    Bitmap,
    /// Every EV once per round, in an order that changes.
    Oblivious,
    /// Every EV in turn.
    RoundRobin,
    /// One EV at a time.
    SinglePath,
    /// EVs that came back without a mark, once more.
    Reps,
    /// EVs that came back without a mark, otherwise the bitmap.
    Mixed,
    /// Every EV in turn, except those with a penalty.
    Penalty,
}

/// A path of `mpnic link`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathGiven {
    /// Its rate in Gb/s.
    pub gbps: f64,
    /// Its round trip in microseconds.
    pub rtt_us: Option<f64>,
}

/// A path of `mpnic link` that dies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FailedPath {
    /// Its number.
    pub path: usize,
    /// The time in microseconds.
    pub us: f64,
}

/// A number above 0, not too large to count with.
fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && *number <= 1e7);
    number.ok_or_else(|| "it is a number above 0 and up to 10000000".to_owned())
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| (0.0..=100.0).contains(number));
    number.ok_or_else(|| "it is a number from 0 to 100".to_owned())
}

fn path_given(text: &str) -> Result<PathGiven, String> {
    let (gbps, rtt_us) = text.split_once(':').map_or((text, None), |(gbps, us)| (gbps, Some(us)));
    let rate = positive(gbps).ok().filter(|gbps| (0.1..=1600.0).contains(gbps));
    let gbps = rate.ok_or("a path is GBPS or GBPS:US, such as 25 or 25:12.5, with 0.1 to 1600 Gb/s")?;
    let rtt_us = rtt_us.map(positive).transpose().map_err(|why| format!("the round trip behind the colon: {why}"))?;
    Ok(PathGiven { gbps, rtt_us })
}

fn failed_path(text: &str) -> Result<FailedPath, String> {
    let parts = text.split_once('@').and_then(|(path, us)| Some((path.parse().ok()?, us.parse::<f64>().ok()?)));
    let parts = parts.filter(|(_, us)| (0.0..=1e7).contains(us));
    parts.map(|(path, us)| FailedPath { path, us }).ok_or_else(|| "it is PATH@US, such as 1@200".to_owned())
}

/// `mpnic fabric`.
#[derive(Debug, Args)]
pub struct Fabric {
    /// What to do.
    #[command(subcommand)]
    pub command: FabricCommand,
}

/// What to do with experiments.
#[derive(Debug, Subcommand)]
pub enum FabricCommand {
    /// The experiments that come with the program, or the file of one of them.
    #[command(after_help = "Examples:
  mpnic fabric list
  mpnic fabric list u2 > mine.toml")]
    List(FabricList),
    /// Runs all cases and seeds of an experiment, and compares them with the figures that are known.
    #[command(after_help = "Examples:
  mpnic fabric run u2
  mpnic fabric run u2 --seeds 3 --set transport.paths=64 --out u2
  mpnic fabric run mine.toml --json")]
    Run(FabricRun),
    /// The same with a file for each run; those that have ended do not run again.
    #[command(after_help = "Examples:
  mpnic fabric sweep mine.toml --out sweep
  mpnic fabric sweep mine.toml --out sweep --slurm")]
    Sweep(FabricSweep),
    /// Puts together what has ended of a sweep, and names what is missing.
    Collect(FabricCollect),
    /// One page with plots, in the directory of a run or a sweep.
    Report(FabricReport),
}

/// `mpnic fabric list`.
#[derive(Debug, Args)]
pub struct FabricList {
    /// Print the file of this experiment.
    #[arg(value_name = "NAME", conflicts_with = "json")]
    pub name: Option<String>,
    /// Print the list as JSON.
    #[arg(long)]
    pub json: bool,
}

/// `mpnic fabric run`.
#[derive(Debug, Args)]
pub struct FabricRun {
    /// An experiment that comes with the program, or a file.
    #[arg(value_name = "NAME|FILE")]
    pub experiment: PathBuf,
    /// Write the results to this directory.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write even where something else stands; that is kept as DIR.old.
    #[arg(long, requires = "out")]
    pub force: bool,
    /// So many seeds.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub seeds: Option<u64>,
    /// So many runs at a time; one a core if it is not given.
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub jobs: Option<usize>,
    /// A value for a key of the file. May be given again for others.
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// `mpnic fabric sweep`.
#[derive(Debug, Args)]
pub struct FabricSweep {
    /// An experiment that comes with the program, or a file.
    #[arg(value_name = "NAME|FILE")]
    pub experiment: PathBuf,
    /// The directory of the sweep. If it is there, the sweep goes on.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// So many seeds.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub seeds: Option<u64>,
    /// So many runs at a time; one a core if it is not given.
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub jobs: Option<usize>,
    /// A value for a key of the file. May be given again for others.
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// Only the run with this number.
    #[arg(long, value_name = "N", conflicts_with = "slurm")]
    pub task: Option<usize>,
    /// Write a script with an array of jobs, and submit it with sbatch.
    #[arg(long, conflicts_with = "jobs")]
    pub slurm: bool,
}

/// `mpnic fabric collect`.
#[derive(Debug, Args)]
pub struct FabricCollect {
    /// The directory of a sweep.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// `mpnic fabric report`.
#[derive(Debug, Args)]
pub struct FabricReport {
    /// The directory of a run or a sweep.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

fn jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(jobs) if (1..=1024).contains(&jobs) => Ok(jobs),
        _ => Err("it is a number from 1 to 1024".to_owned()),
    }
}
