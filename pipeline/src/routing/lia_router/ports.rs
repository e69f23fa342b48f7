// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports and their shapes. The contract, `docs/stages/lia_router.md`, defines each field.

use super::config::LiaRouterConfig;
use rtl_model::{Bits, Bundle, Reading};

/// Width of the flits of an event.
pub const FLITS_WIDTH: u32 = 8;
/// Width of an occupancy.
pub const OCCUPANCY_WIDTH: u32 = 12;
/// Width of the weight.
pub const WEIGHT_WIDTH: u32 = 8;
/// Fraction bits of the weight.
pub const WEIGHT_FRACTION: u32 = 4;
/// Width of a bias.
pub const BIAS_WIDTH: u32 = 16;
/// Width of a number of own links.
pub const LINKS_WIDTH: u32 = 5;
/// Width of the number of sweeps of an interval.
pub const INTERVAL_WIDTH: u32 = 16;
/// Width of a random number.
pub const RANDOM_WIDTH: u32 = 32;
/// Width of a number of hops.
pub const HOPS_WIDTH: u32 = 3;
/// Width of a level.
pub const LEVEL_WIDTH: u32 = 2;
/// Width of a counter.
pub const COUNT_WIDTH: u32 = 32;

/// Codes of commands.
pub mod op {
    /// Width of the code.
    pub const WIDTH: u32 = 2;
    /// Reads the counters of a group.
    pub const READ: u64 = 0;
    /// Says where the switch is, and starts anew.
    pub const PLACE: u64 = 1;
}

/// Flits that enter or leave the injection queues.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
pub struct Flits<L: Reading> {
    /// There are such flits.
    pub valid: Bits<L>,
    /// The group of their destination.
    #[shape(config.group())]
    pub group: Bits<L>,
    /// How many.
    #[width(FLITS_WIDTH)]
    pub flits: Bits<L>,
}

/// The occupancy of a port.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
pub struct Occupancy<L: Reading> {
    /// There is an occupancy.
    pub valid: Bits<L>,
    /// The port: below *a* the local one to that switch, from *a* on the global ones.
    #[shape(config.port())]
    pub port: Bits<L>,
    /// Flits that wait for the port or in the buffer behind its link, or are on their way there.
    #[width(OCCUPANCY_WIDTH)]
    pub flits: Bits<L>,
    /// Those of them that are on their way.
    #[width(OCCUPANCY_WIDTH)]
    pub in_flight: Bits<L>,
}

/// A packet to route.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
pub struct Request<L: Reading> {
    /// There is a packet.
    pub valid: Bits<L>,
    /// The group of its destination.
    #[shape(config.group())]
    pub group: Bits<L>,
    /// The switch of its destination.
    #[shape(config.switch())]
    pub switch: Bits<L>,
}

/// A command.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
pub struct Command<L: Reading> {
    /// There is a command.
    pub valid: Bits<L>,
    /// The code of the command: 0 read, 1 place.
    #[width(op::WIDTH)]
    pub op: Bits<L>,
    /// Read: how many groups behind the own one. Place: the own group.
    #[shape(config.group())]
    pub group: Bits<L>,
    /// Place: the own switch.
    #[shape(config.switch())]
    pub switch: Bits<L>,
    /// Place: the first random number; 0 counts as 1.
    #[width(RANDOM_WIDTH)]
    pub seed: Bits<L>,
}

/// Settings.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
pub struct Settings<L: Reading> {
    /// The fields are in force from the end of the present sweep on.
    pub valid: Bits<L>,
    /// Weight of queued flits, in 1/16.
    #[width(WEIGHT_WIDTH)]
    pub weight: Bits<L>,
    /// The load above which the level is at least 1, in flits per interval.
    #[shape(config.load())]
    pub limit_1: Bits<L>,
    /// The load above which the level is one more.
    #[shape(config.load())]
    pub limit_2: Bits<L>,
    /// What is added to the weighted queue of the other path at level 0, in two's complement.
    #[width(BIAS_WIDTH)]
    pub bias_0: Bits<L>,
    /// The same at level 1.
    #[width(BIAS_WIDTH)]
    pub bias_1: Bits<L>,
    /// The same at level 2.
    #[width(BIAS_WIDTH)]
    pub bias_2: Bits<L>,
    /// The load above which an own link counts as saturated.
    #[shape(config.load())]
    pub link_threshold: Bits<L>,
    /// The first local hop is kept if more own links are saturated.
    #[width(LINKS_WIDTH)]
    pub saturated_links: Bits<L>,
    /// The second local hop is kept if *h* times the load of a remote link is above.
    #[shape(config.remote())]
    pub remote_threshold: Bits<L>,
    /// Sweeps of an interval.
    #[width(INTERVAL_WIDTH)]
    pub interval: Bits<L>,
    /// The first local hop: 0 by the rule, 1 always kept, 2 never.
    #[width(2)]
    pub first_hop: Bits<L>,
    /// The second local hop: 0 by the rule, 1 always kept, 2 never.
    #[width(2)]
    pub second_hop: Bits<L>,
    /// Flits on their way are not part of an occupancy.
    pub corrected: Bits<L>,
}

/// Inputs.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
pub struct LiaRouterIn<L: Reading> {
    /// Flits that enter the injection queues.
    #[shape(Flits::shape(config))]
    pub enqueue: Flits<L>,
    /// Flits that leave them.
    #[shape(Flits::shape(config))]
    pub dequeue: Flits<L>,
    /// Occupancies of ports.
    pub occupancy: Occupancy<L>,
    /// Packets to route.
    pub request: Request<L>,
    /// Commands.
    pub command: Command<L>,
    /// Settings, which are registers.
    pub settings: Settings<L>,
}

/// The path of a packet.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
pub struct Response<L: Reading> {
    /// There is a response.
    #[reset]
    pub valid: Bits<L>,
    /// The group and the switch exist.
    pub known: Bits<L>,
    /// The packet takes the minimal path.
    pub minimal: Bits<L>,
    /// The port that it leaves through.
    #[shape(config.port())]
    pub port: Bits<L>,
    /// The intermediate group of the other path.
    #[shape(config.group())]
    pub group: Bits<L>,
    /// The intermediate switch.
    #[shape(config.switch())]
    pub switch: Bits<L>,
    /// The global link to the intermediate group.
    #[shape(config.link())]
    pub link: Bits<L>,
    /// The first local hop is kept.
    pub l1: Bits<L>,
    /// The second local hop is kept.
    pub l2: Bits<L>,
    /// The level of the load of the destination group.
    #[width(LEVEL_WIDTH)]
    pub level: Bits<L>,
    /// Hops of the path that it takes.
    #[width(HOPS_WIDTH)]
    pub hops: Bits<L>,
}

/// The answer to a command.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
pub struct State<L: Reading> {
    /// There is an answer.
    #[reset]
    pub valid: Bits<L>,
    /// The code of the command.
    #[width(op::WIDTH)]
    pub op: Bits<L>,
    /// The command was done.
    pub done: Bits<L>,
    /// Read: flits in the injection queues.
    #[shape(config.load())]
    pub queued: Bits<L>,
    /// Read: flits that left them in the last full interval.
    #[shape(config.load())]
    pub injected: Bits<L>,
    /// Read: the extended counter.
    #[shape(config.load())]
    pub extended: Bits<L>,
    /// Read: its level.
    #[width(LEVEL_WIDTH)]
    pub level: Bits<L>,
}

/// Counters of `lia_router`.
#[derive(Bundle)]
pub struct LiaRouterCounts<L: Reading> {
    /// Packets that were not sent over the minimal path, since reset. The counter wraps.
    pub non_minimal: Bits<L>,
    /// Events and packets for groups, switches and ports that do not exist, since reset. The counter wraps.
    pub unknown: Bits<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct LiaRouterOut<L: Reading> {
    /// A command can be taken.
    #[ready(command)]
    pub command_ready: Bits<L>,
    /// The tables are being cleared, or their first sweep is not over.
    pub busy: Bits<L>,
    /// The paths of packets.
    pub response: Response<L>,
    /// The answers to commands.
    pub state: State<L>,
    /// What it has counted.
    #[flatten]
    pub counts: LiaRouterCounts<L>,
}
