// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/tx.md`, defines each field.

use super::config::{PAYLOAD_WIDTH, RKEY_WIDTH};
use super::destination::DSCP_WIDTH;
use super::probes::{PACKETS_WIDTH, ProbeSettings};
use super::{ADDRESS_WIDTH, HeaderBuilderIn, LENGTH_WIDTH, TxConfig};
use crate::frame::header_builder::BuilderCounts;
use crate::frame::icrc::IcrcCounts;
use crate::headers::record::HeaderRecord;
use crate::headers::side_band::SideBand;
use crate::transmit::ccc_table::{self, CccTableCounts};
use crate::transmit::entropy_selector::{self, EV_WIDTH, EntropySelectorCounts};
use crate::transmit::packet_tracker::{self, Failure, PacketTrackerCounts};
use crate::transmit::path_scheduler::{self, PathSchedulerCounts};
use rtl_model::stream::{Axis, Ready};
use rtl_model::{Bits, Bundle, Reading};

/// Codes of commands.
pub mod op {
    /// Width of the code.
    pub const WIDTH: u32 = 3;
    /// Reads the state of a PDC.
    pub const READ: u64 = 0;
    /// Opens a PDC in all stages.
    pub const OPEN: u64 = 1;
    /// Closes it in all stages.
    pub const CLOSE: u64 = 2;
    /// Changes its EV space, class of RTT, window, class of turns, weight and DSCP.
    pub const RESIZE: u64 = 3;
    /// Takes its packets on a path for lost.
    pub const LOSE: u64 = 4;
    /// RoCEv2: sends a train of probes over a sub-path.
    pub const PROBE: u64 = 5;
}

/// A request to send a message.
#[derive(Bundle)]
#[shape(config: TxConfig)]
pub struct Request<L: Reading> {
    /// There is a request; it is taken while `request_ready` is 1.
    pub valid: Bits<L>,
    /// The number of the PDC.
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    /// The name of the message, which `fetch` and `completion` repeat.
    #[shape(config.handle())]
    pub handle: Bits<L>,
    /// The address of its first byte.
    #[width(ADDRESS_WIDTH)]
    pub address: Bits<L>,
    /// Its length in bytes, at most 2^31; 0 for a message of one packet without payload.
    #[width(LENGTH_WIDTH)]
    pub length: Bits<L>,
    /// RoCEv2: it is an RDMA WRITE, not a SEND.
    #[width(config.rocev2(1))]
    pub write: Option<Bits<L>>,
    /// RDMA WRITE: the address of its first byte in the memory of the peer.
    #[width(config.rocev2(ADDRESS_WIDTH))]
    pub remote_address: Option<Bits<L>>,
    /// RDMA WRITE: the key of that memory.
    #[width(config.rocev2(RKEY_WIDTH))]
    pub rkey: Option<Bits<L>>,
    /// RoCEv2: its last packet has immediate data.
    #[width(config.rocev2(1))]
    pub with_immediate: Option<Bits<L>>,
    /// SEND: its last packet has the peer invalidate a key; not with immediate data.
    #[width(config.rocev2(1))]
    pub with_invalidate: Option<Bits<L>>,
    /// RoCEv2: the immediate data, or the key that is invalidated.
    #[width(config.rocev2(RKEY_WIDTH))]
    pub immediate: Option<Bits<L>>,
}

/// The answer to a request.
#[derive(Bundle)]
pub struct Accepted<L: Reading> {
    /// There is an answer.
    pub valid: Bits<L>,
    /// The number of the PDC.
    pub pdc: Bits<L>,
    /// The name of the message.
    pub handle: Bits<L>,
    /// The message will be sent.
    pub done: Bits<L>,
}

/// Which bytes a packet needs.
#[derive(Bundle)]
pub struct Fetch<L: Reading> {
    /// There is a packet that needs bytes; stays 1 until `fetch_ready`.
    pub valid: Bits<L>,
    /// The number of the PDC.
    pub pdc: Bits<L>,
    /// The name of the message.
    pub handle: Bits<L>,
    /// The address of the first byte of the packet.
    pub address: Bits<L>,
    /// The offset of that byte in the message.
    pub offset: Bits<L>,
    /// Payload bytes of the packet.
    pub length: Bits<L>,
    /// It is the first packet of the message.
    pub first: Bits<L>,
    /// It is the last packet of the message.
    pub last: Bits<L>,
    /// The PSN of the packet.
    pub psn: Bits<L>,
    /// The packet has been sent before.
    pub retransmission: Bits<L>,
}

/// A message all of whose packets have been acknowledged.
#[derive(Bundle)]
pub struct Completion<L: Reading> {
    /// A message is complete; stays 1 until `completion_ready`.
    pub valid: Bits<L>,
    /// The number of the PDC.
    pub pdc: Bits<L>,
    /// The name of the message.
    pub handle: Bits<L>,
}

/// Credit for the peer of a PDC.
#[derive(Bundle)]
#[shape(config: TxConfig)]
pub struct Credit<L: Reading> {
    /// There is credit; stays 1 until `credit_ready`.
    pub valid: Bits<L>,
    /// The number of the PDC.
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    /// The credit number that the peer is granted.
    #[width(ccc_table::CREDIT_WIDTH)]
    pub number: Bits<L>,
}

/// A command on a PDC.
#[derive(Bundle)]
#[shape(config: TxConfig)]
pub struct Command<L: Reading> {
    /// There is a command; it is taken while `command_ready` is 1.
    pub valid: Bits<L>,
    /// The code of the command: 0 read, 1 open, 2 close, 3 resize, 4 lose; RoCEv2: 5 probe.
    #[width(op::WIDTH)]
    pub op: Bits<L>,
    /// The number of the PDC.
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    /// Lose: the EV, or the number of the sub-path, whose packets are lost. Probe: the number of the sub-path.
    #[width(EV_WIDTH)]
    pub ev: Bits<L>,
    /// Lose: whatever the EV.
    pub all: Bits<L>,
    /// Close: also if messages wait or are under way.
    pub force: Bits<L>,
    /// Open: the first PSN.
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// Open, resize: the most PSNs in its window; 0 and all above that of the configuration stand for that one.
    #[width(config.packet_tracker.count_bits())]
    pub window: Bits<L>,
    /// Open, resize: the PDC has a time-out and limits of its own, in place of those of the settings.
    pub own_timer: Bits<L>,
    /// Open, resize: its first time-out, in units of 128 ns; 0 for never.
    #[width(packet_tracker::RTO_WIDTH)]
    pub rto: Bits<L>,
    /// Open, resize: its time-outs in a row after which it fails with the next one; 16 and above for never.
    #[width(packet_tracker::RETRY_LIMIT_WIDTH)]
    pub rto_retries: Bits<L>,
    /// Open, resize: its backoffs in a row after which it fails with the next one; 31 for never.
    #[width(packet_tracker::BACKOFF_LIMIT_WIDTH)]
    pub backoff_limit: Bits<L>,
    /// Open, resize: after this time without an ACK its last packet is sent again, in units of 128 ns; 0 for never.
    #[width(packet_tracker::TAIL_PROBE_WIDTH)]
    pub tail_probe: Bits<L>,
    /// Open, resize: the class of turns.
    #[shape(ccc_table::Command::shape(config.ccc_table).class)]
    pub class: Bits<L>,
    /// Open, resize: the packets of a turn; resize: 0 to keep class and weight.
    #[shape(ccc_table::Command::shape(config.ccc_table).weight)]
    pub weight: Bits<L>,
    /// Open: the PDC has NSCC; with both algorithms only.
    pub nscc: Bits<L>,
    /// Open: the PDC has RCCC; with both algorithms only.
    pub rccc: Bits<L>,
    /// Open: the first EV if `fixed`, and the residue of a group.
    #[shape(config.of_selector(|input| input.command.start))]
    pub start: Option<Bits<L>>,
    /// Open: the first EV is `start`, not a random one.
    #[width(config.uet(1))]
    pub fixed: Option<Bits<L>>,
    /// Open: log2 of the stride of the group; 0 for no group.
    #[shape(config.of_selector(|input| input.command.stride))]
    pub stride: Option<Bits<L>>,
    /// Open: the code of the mode, which says how EVs are chosen.
    #[shape(config.of_selector(|input| input.command.mode))]
    pub mode: Option<Bits<L>>,
    /// Open: feedback does not move EVs.
    #[width(config.uet(1))]
    pub rod: Option<Bits<L>>,
    /// Open, resize: the EV space; 0 for all EVs, else its exponent.
    #[shape(config.of_selector(|input| input.command.space))]
    pub space: Option<Bits<L>>,
    /// Open, resize: log2 of the RTT in units of the setting `rtt` of `entropy_selector`.
    #[shape(config.of_selector(|input| input.command.rtt_class))]
    pub rtt_class: Option<Bits<L>>,
    /// Open, resize: the DSCP of data packets.
    #[width(DSCP_WIDTH)]
    pub dscp: Bits<L>,
    /// Open: the Ethernet address of the next hop.
    #[width(48)]
    pub destination_mac: Bits<L>,
    /// Open: the Ethernet address of this device.
    #[width(48)]
    pub source_mac: Bits<L>,
    /// Open: frames have a VLAN tag.
    pub tagged: Bits<L>,
    /// Open: the control information of that tag.
    #[width(16)]
    pub tag: Bits<L>,
    /// Open: the IP version is 6, not 4.
    pub ipv6: Bits<L>,
    /// Open: the IP address of the peer, its first bytes in word 0; IPv4 has word 0 only.
    #[width(32)]
    pub destination_ip: [Bits<L>; 4],
    /// Open: the IP address of this device, likewise.
    #[width(32)]
    pub source_ip: [Bits<L>; 4],
    /// Open, RoCEv2: the number of the QP at the peer.
    #[width(config.rocev2(24))]
    pub remote_qp: Option<Bits<L>>,
    /// Open, RoCEv2: the partition key.
    #[width(config.rocev2(16))]
    pub pkey: Option<Bits<L>>,
    /// Open, RoCEv2: packets have an MPEH; 0 for a plain peer (M40).
    #[width(config.rocev2(1))]
    pub multipath: Option<Bits<L>>,
    /// Probe: packets of the train, less one.
    #[width(config.rocev2(PACKETS_WIDTH))]
    pub probe_packets: Option<Bits<L>>,
    /// Probe: payload bytes of each, as many as a data packet has at most.
    #[width(config.rocev2(PAYLOAD_WIDTH))]
    pub probe_length: Option<Bits<L>>,
    /// Open, UET: the PDC identifier here.
    #[width(config.uet(16))]
    pub local_pdcid: Option<Bits<L>>,
    /// Open, UET: the PDC identifier at the peer.
    #[width(config.uet(16))]
    pub remote_pdcid: Option<Bits<L>>,
}

/// The answer to a command.
#[derive(Bundle)]
#[shape(config: TxConfig)]
pub struct Response<L: Reading> {
    /// There is a response.
    pub valid: Bits<L>,
    /// The code of the command.
    #[width(op::WIDTH)]
    pub op: Bits<L>,
    /// The number of the PDC.
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    /// The command was done.
    pub done: Bits<L>,
    /// The PDC is open.
    pub open: Bits<L>,
    /// The code of the state in `ccc_table`: 0 idle, 1 pending, 2 active, 3 ready.
    #[width(2)]
    pub state: Bits<L>,
    /// The congestion window.
    #[width(ccc_table::WINDOW_WIDTH)]
    pub cwnd: Bits<L>,
    /// Bytes in flight, signed.
    #[width(ccc_table::WINDOW_WIDTH + 1)]
    pub inflight: Bits<L>,
    /// The PDC has had too many time-outs in a row.
    pub failed: Bits<L>,
    /// The first PSN that is not cumulatively acknowledged.
    #[shape(config.psn())]
    pub base: Bits<L>,
    /// The PSN of the next new packet.
    #[shape(config.psn())]
    pub next: Bits<L>,
    /// Packets in flight.
    #[width(config.packet_tracker.count_bits())]
    pub in_flight: Bits<L>,
    /// Packets marked for retransmission.
    #[width(config.packet_tracker.count_bits())]
    pub marked: Bits<L>,
    /// Messages that wait or are under way.
    #[shape(config.pointer())]
    pub messages: Bits<L>,
}

/// What has become of a train of probes.
#[derive(Bundle)]
pub struct ProbeAnswer<L: Reading> {
    /// A train is over.
    pub valid: Bits<L>,
    /// The number of the QP.
    pub pdc: Bits<L>,
    /// The sub-path.
    pub path: Bits<L>,
    /// All of its packets have been answered; all that follows is 0 otherwise.
    pub answered: Bits<L>,
    /// The round-trip time of the first packet, in units of 128 ns.
    pub rtt: Bits<L>,
    /// The bandwidth, of which 255 is that of the own link.
    pub bandwidth: Bits<L>,
}

/// Inputs.
#[derive(Bundle)]
#[shape(config: TxConfig)]
pub struct TxIn<L: Reading> {
    /// Requests to send messages.
    pub request: Request<L>,
    /// It is taken.
    #[ready(fetch)]
    pub fetch_ready: Bits<L>,
    /// The bytes of packets, one packet for each fetch with bytes: the SES header, then the payload. On the last beat `tuser`
    /// is 1 if the source found them bad.
    #[shape(HeaderBuilderIn::shape(config.builder).s_axis)]
    pub s_axis: Axis<L>,
    /// The receiver of the frames is ready.
    pub m_axis: Ready<L>,
    /// There is a record; it stays until `s_record_tready` is 1.
    #[valid(s_record)]
    pub s_record_tvalid: Bits<L>,
    /// The header records of received frames, those of ACKs and NACKs among them.
    #[shape(HeaderRecord::shape(SideBand::NONE))]
    pub s_record: HeaderRecord<L>,
    /// There is a connection with its key.
    #[with(s_record)]
    pub s_record_found: Bits<L>,
    /// The number of that connection, which is that of the PDC.
    #[with(s_record)]
    #[shape(config.pdc())]
    pub s_record_connection: Bits<L>,
    /// A fence behind the records that have been taken before this clock cycle.
    pub ack_fence: Bits<L>,
    /// It is taken.
    #[ready(completion)]
    pub completion_ready: Bits<L>,
    /// RCCC: credit for peers, by CREDIT packets.
    #[shape(config.asks_credit().then(|| Credit::shape(config)))]
    pub credit: Option<Credit<L>>,
    /// Commands on PDCs.
    pub command: Command<L>,
    /// Settings of `packet_tracker`, which are registers.
    #[shape(packet_tracker::Settings::shape(config.packet_tracker))]
    pub packet_tracker_settings: packet_tracker::Settings<L>,
    /// Settings of `ccc_table`, which are registers.
    pub ccc_table_settings: ccc_table::Settings<L>,
    /// UET: settings of `entropy_selector`, which are registers.
    #[shape(config.of_selector(|input| input.settings))]
    pub entropy_selector_settings: Option<entropy_selector::Settings<L>>,
    /// UET: the number of this pipeline in its device. It holds still.
    #[shape(config.of_selector(|input| input.pipeline))]
    pub pipeline: Option<Bits<L>>,
    /// RoCEv2: commands on QPs and sub-paths of `path_scheduler`.
    #[shape(config.of_scheduler(|input| input.command))]
    pub path_scheduler_command: Option<path_scheduler::Command<L>>,
    /// RoCEv2: settings of `path_scheduler`, which are registers.
    #[shape(config.of_scheduler(|input| input.settings))]
    pub path_scheduler_settings: Option<path_scheduler::Settings<L>>,
    /// RoCEv2: settings of probes, which are registers.
    #[shape(config.rocev2(ProbeSettings::shape()))]
    pub probe_settings: Option<ProbeSettings<L>>,
    /// It is taken.
    #[ready(path_scheduler_event)]
    #[width(config.rocev2(1))]
    pub path_scheduler_event_ready: Option<Bits<L>>,
    /// It is taken.
    #[ready(failure)]
    pub failure_ready: Bits<L>,
}

/// Counters of the transmit path, since reset. They wrap.
#[derive(Bundle)]
pub struct TxCounts<L: Reading> {
    /// Requests that were not accepted, since reset. The counter wraps.
    pub refused_requests: Bits<L>,
    /// CREDIT_REQUESTs since reset. The counter wraps.
    pub credit_requests: Option<Bits<L>>,
    /// Packets of probes since reset. The counter wraps.
    pub probes: Option<Bits<L>>,
    /// Probes without an answer since reset: with RoCEv2 trains, with UET packets. The counter wraps.
    pub lost_probes: Option<Bits<L>>,
    /// What `packet_tracker` has counted since reset. The counters wrap.
    pub packet_tracker: PacketTrackerCounts<L>,
    /// What `ccc_table` has counted since reset. The counters wrap.
    pub ccc_table: CccTableCounts<L>,
    /// UET: what `entropy_selector` has counted since reset. The counters wrap.
    pub entropy_selector: Option<EntropySelectorCounts<L>>,
    /// RoCEv2: what `path_scheduler` has counted since reset. The counters wrap.
    pub path_scheduler: Option<PathSchedulerCounts<L>>,
    /// Frames since reset. The counters wrap.
    pub header_builder: BuilderCounts<L>,
    /// Frames since reset, by their ICRC or CRC. The counters wrap.
    pub icrc_insert: Option<IcrcCounts<L>>,
}

/// Outputs.
#[derive(Bundle)]
pub struct TxOut<L: Reading> {
    /// A request can be taken.
    #[ready(request)]
    pub request_ready: Bits<L>,
    /// The answers to requests.
    pub accepted: Accepted<L>,
    /// Which bytes are needed, one transfer for each packet that is sent.
    pub fetch: Fetch<L>,
    /// A beat can be taken.
    pub s_axis: Ready<L>,
    /// Frames. On the last beat `tuser` bit 0 is the verdict (1 drop) and bits 4:1 are the reason: bad bytes.
    pub m_axis: Axis<L>,
    /// A record can be taken.
    pub s_record: Ready<L>,
    /// All records have been judged that had been taken when `ack_fence` was 1 last; valid from the next clock cycle on.
    pub ack_fence_passed: Bits<L>,
    /// The messages that are complete.
    pub completion: Completion<L>,
    /// Credit can be taken.
    #[ready(credit)]
    pub credit_ready: Option<Bits<L>>,
    /// RCCC: a *close* is under way that can no longer be refused.
    pub closing: Option<Bits<L>>,
    /// A command can be taken.
    #[ready(command)]
    pub command_ready: Bits<L>,
    /// The answers to commands.
    pub response: Response<L>,
    /// PDCs with too many time-outs in a row.
    pub failure: Failure<L>,
    /// It can be taken.
    #[ready(path_scheduler_command)]
    pub path_scheduler_command_ready: Option<Bits<L>>,
    /// RoCEv2: the answers to commands of `path_scheduler`.
    pub path_scheduler_response: Option<path_scheduler::Response<L>>,
    /// RoCEv2: what software should know of the sub-paths of a QP.
    pub path_scheduler_event: Option<path_scheduler::EventOut<L>>,
    /// RoCEv2: what has become of trains of probes.
    pub probe_answer: Option<ProbeAnswer<L>>,
    /// The tables are being swept after reset.
    pub busy: Bits<L>,
    /// What it has counted.
    #[flatten]
    pub counts: TxCounts<L>,
}
