// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/elab_host.md`, defines each field.

use super::config::{ElabHostConfig, LENGTH_WIDTH};
use crate::elab::feedback::{self, ElabFeedbackOut};
use crate::elab::scheduler::{self, ElabSchedulerCounts, ElabSchedulerOut};
use crate::frame::frame_gate::GateCounts;
use crate::frame::header_builder::{BuilderCounts, HeaderBuilderIn};
use crate::frame::header_parser;
use crate::headers::record::HeaderRecord;
use rtl_model::stream::{Axis, Ready};
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets};

/// Codes of commands.
pub mod op {
    /// Says whether a pair is open.
    pub const READ: u64 = 0;
    /// Opens a pair.
    pub const OPEN: u64 = 1;
    /// Closes it.
    pub const CLOSE: u64 = 2;
}

/// Bits of `tuser` on `s_axis` below those of the side band: the mark of the MAC.
const USER_IN: u32 = 1;

/// A packet to be sent.
#[derive(Bundle)]
#[shape(config: ElabHostConfig)]
pub struct Packet<L: Reading> {
    /// There is a packet; it is taken while `packet_ready` is 1.
    pub valid: Bits<L>,
    /// The pair of hosts: it goes to the other one.
    #[shape(config.sizes().pair())]
    pub pair: Bits<L>,
    /// Its DSCP.
    #[width(6)]
    pub dscp: Bits<L>,
    /// Its bytes behind the ELAB header, which come on `s_axis_packet`; 0 for none.
    #[width(LENGTH_WIDTH)]
    pub length: Bits<L>,
}

/// A command on a pair of hosts.
#[derive(Bundle)]
#[shape(config: ElabHostConfig)]
pub struct Command<L: Reading> {
    /// There is a command; it is taken while `command_ready` is 1.
    pub valid: Bits<L>,
    /// The code of the command: 0 read, 1 open, 2 close.
    #[width(2)]
    pub op: Bits<L>,
    /// The pair of hosts.
    #[shape(config.sizes().pair())]
    pub pair: Bits<L>,
    /// Open: the MAC address to which frames go.
    #[width(48)]
    pub destination_mac: Bits<L>,
    /// Open: the MAC address of this host.
    #[width(48)]
    pub source_mac: Bits<L>,
    /// Open: frames have a VLAN tag.
    pub tagged: Bits<L>,
    /// Open: its priority, DEI and VLAN identifier.
    #[width(16)]
    pub tag: Bits<L>,
    /// Open: the addresses are those of IPv6.
    pub ipv6: Bits<L>,
    /// Open: the address of the other host. IPv4: in word 0.
    #[width(32)]
    pub destination_ip: [Bits<L>; 4],
    /// Open: the address of this host. IPv4: in word 0.
    #[width(32)]
    pub source_ip: [Bits<L>; 4],
}

/// The answer to a command.
#[derive(Bundle)]
#[shape(config: ElabHostConfig)]
pub struct Response<L: Reading> {
    /// There is a response.
    pub valid: Bits<L>,
    /// The code of the command.
    #[width(2)]
    pub op: Bits<L>,
    /// The pair of hosts.
    #[shape(config.sizes().pair())]
    pub pair: Bits<L>,
    /// The command was done.
    pub done: Bits<L>,
    /// Open: another pair has these addresses, or there is no room for them.
    pub addresses_refused: Bits<L>,
    /// The pair is open.
    pub open: Bits<L>,
}

/// Inputs.
#[derive(Bundle)]
#[shape(config: ElabHostConfig)]
pub struct ElabHostIn<L: Reading> {
    /// Frames from the MAC, without FCS. On the last beat `tuser` bit 0 is 1 if the MAC found the frame bad; above it is the
    /// side band.
    #[shape(Axis::shape(config.parser.data_width, USER_IN, config.parser.side_band.shape()))]
    pub s_axis: Axis<L>,
    /// The receiver of the frames is ready.
    pub m_axis: Ready<L>,
    /// The receiver of the records is ready.
    pub m_record: Ready<L>,
    /// Packets to be sent.
    pub packet: Packet<L>,
    /// The bytes of packets, one frame for each packet with bytes: the header of the transport, then its data. On the last
    /// beat `tuser` is 1 if the source found them bad.
    #[shape(HeaderBuilderIn::shape(config.builder).s_axis)]
    pub s_axis_packet: Axis<L>,
    /// The receiver of frames that are sent is ready.
    pub m_axis_packet: Ready<L>,
    /// Commands on pairs.
    pub command: Command<L>,
    /// Commands on virtual paths, of `elab_scheduler`.
    #[shape(scheduler::Command::shape(config.sizes()))]
    pub elab_scheduler_command: scheduler::Command<L>,
    /// Settings of `elab_scheduler`, which are registers.
    pub elab_scheduler_settings: scheduler::Settings<L>,
    /// Settings of `elab_feedback`, which are registers.
    pub elab_feedback_settings: feedback::Settings<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct ElabHostOut<L: Reading> {
    /// A beat can be taken.
    pub s_axis: Ready<L>,
    /// Good frames, in the order of arrival, as they came.
    pub m_axis: Axis<L>,
    /// There is a record; it stays until `m_record_tready` is 1.
    #[valid(m_record)]
    pub m_record_tvalid: Bits<L>,
    /// The header records: one for each frame on `m_axis`, in their order. The tunnelled packet begins at `payload_offset`.
    pub m_record: HeaderRecord<L>,
    /// The frame is an ELAB packet of a pair that is open.
    #[with(m_record)]
    pub m_record_found: Bits<L>,
    /// The number of that pair; 0 if there is none.
    #[with(m_record)]
    pub m_record_pair: Bits<L>,
    /// A packet can be taken.
    #[ready(packet)]
    pub packet_ready: Bits<L>,
    /// A beat of the bytes of packets can be taken.
    pub s_axis_packet: Ready<L>,
    /// Frames to be sent. On the last beat `tuser` bit 0 is the verdict (1 drop) and bits 4:1 are the reason: bad bytes.
    pub m_axis_packet: Axis<L>,
    /// A command can be taken.
    #[ready(command)]
    pub command_ready: Bits<L>,
    /// The answers to commands.
    pub response: Response<L>,
    /// A command on virtual paths can be taken.
    #[ready(elab_scheduler_command)]
    pub elab_scheduler_command_ready: Bits<L>,
    /// The answers to these.
    pub elab_scheduler_response: scheduler::Response<L>,
    /// Virtual paths found dead.
    pub elab_scheduler_dead: scheduler::VpNotice<L>,
    /// Dead virtual paths that have returned.
    pub elab_scheduler_returned: scheduler::VpNotice<L>,
    /// Tables are being swept after reset.
    pub busy: Bits<L>,
    /// Frames since reset, one counter for each reason of the parser. They wrap.
    pub parser: header_parser::Counts<L>,
    /// Frames since reset, by what became of them in the gate. The counters wrap.
    pub gate: GateCounts<L>,
    /// ELAB packets of pairs that are not open, since reset. The counter wraps.
    pub unknown_pairs: Bits<L>,
    /// What `elab_scheduler` has counted since reset. The counters wrap.
    pub elab_scheduler: ElabSchedulerCounts<L>,
    /// Packets without bytes that were sent for their report alone, since reset. The counter wraps.
    pub own_reports: Bits<L>,
    /// Packets that were not sent, as their pair has no VP or is not open, since reset. The counter wraps.
    pub unsent: Bits<L>,
    /// Frames to be sent, since reset. The counters wrap.
    pub header_builder: BuilderCounts<L>,
}

/// Both halves are being swept after reset.
#[name_nets]
pub(super) fn busy<L: Logic>(feedback: &ElabFeedbackOut<L>, scheduler: &ElabSchedulerOut<L>) -> Bits<L> {
    feedback.busy | scheduler.busy
}
