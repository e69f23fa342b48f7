// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an event adds to the counts (rows C5 to C10), in two's complement with one bit more than the count: from step `l` + 2,
//! where it is known what the event is.

use super::config::CccTableConfig;
use super::pass::{Load, Pass};
use super::ports::{AckEvent, BACKLOG_WIDTH, CREDIT_WIDTH, PACKETS_WIDTH, SendEvent, WINDOW_WIDTH};
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets, select};

/// *inflight* is at least the negative value (rows C5 and C6).
pub const LOWEST: u64 = 65_536;

/// What an event adds.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct Deltas<L: Reading> {
    #[width(PACKETS_WIDTH + 1)]
    pub inflight_pkts: Bits<L>,
    #[width(PACKETS_WIDTH + 1)]
    pub waiting_rtx: Bits<L>,
    #[width(WINDOW_WIDTH + 1)]
    pub rtx_backlog: Bits<L>,
    #[width(BACKLOG_WIDTH + 1)]
    pub backlog: Bits<L>,
    #[width(WINDOW_WIDTH + 2)]
    pub inflight: Bits<L>,
    /// What an ACK, a NACK or a loss adds, and 65536: if the sum is negative, *inflight* is bounded.
    #[width(WINDOW_WIDTH + 2)]
    pub above_lowest: Bits<L>,
    /// It is an ACK, a NACK or a loss.
    #[reset]
    pub answers: Bits<L>,
    /// *inflight_pkts* is 0 after the event if it is this before.
    #[width(PACKETS_WIDTH)]
    pub leaves_none: Bits<L>,
    /// The new credit number.
    #[width(config.rccc(CREDIT_WIDTH))]
    pub credit: Option<Bits<L>>,
    /// A packet was sent.
    #[reset]
    pub sent: Bits<L>,
    /// It is a retransmission.
    #[reset]
    pub resent: Bits<L>,
    /// The turn is over.
    pub last: Bits<L>,
    /// It unblocks the CCC (row C35).
    pub frees: Bits<L>,
    /// That is all it says.
    pub only_frees: Bits<L>,
}

/// The negative value with one bit more.
#[name_nets]
fn minus<L: Logic>(value: Bits<L>, width: u32) -> Bits<L> {
    Bits::lit(width, 0) - value.extend(width)
}

#[name_nets]
impl<L: Logic> Deltas<L> {
    /// Those of the pass in step `l` + 2.
    pub fn of(config: CccTableConfig, pass: Pass<L>, load: Load<L>) -> Self {
        let AckEvent { quanta, packets, rtx_packets, rtx_bytes, credit, .. } = load.ack;
        let SendEvent { packet, retransmission, last, blocked, .. } = load.send;
        let lost = pass.nacks | pass.loses;
        let sent = pass.sends & packet;
        let resent = sent & retransmission;
        let counts = PACKETS_WIDTH + 1;
        // A size is added or subtracted: ~x + 1 is -x.
        let size = |width: u32, down: Bits<L>| {
            let size = load.size.extend(width);
            (size ^ down.extend_signed(width)) + down.extend(width)
        };
        let one = lost | sent;
        let inflight_pkts = select(pass.acks, minus(packets, counts), lost.extend_signed(counts) | one.extend(counts));
        let again = lost | resent;
        let waiting_rtx =
            select(pass.acks, minus(rtx_packets, counts), resent.extend_signed(counts) | again.extend(counts));
        let rtx_width = WINDOW_WIDTH + 1;
        let rtx_size = size(rtx_width, resent).gate(again);
        let rtx_backlog = select(pass.acks, minus(rtx_bytes, rtx_width), rtx_size);
        let backlog_width = BACKLOG_WIDTH + 1;
        let sent_size = minus(load.size, backlog_width).gate(sent & !retransmission);
        let backlog = select(pass.feeds, load.bytes.extend(backlog_width), sent_size);
        let inflight_width = WINDOW_WIDTH + 2;
        let flown = size(inflight_width, lost).gate(lost | sent);
        let received = quanta.concat(Bits::lit(8, 0));
        let inflight = select(pass.acks, minus(received, inflight_width), flown);
        let answers = pass.acks | lost;
        let taken = select(pass.acks, received, load.size.extend(received.width())).gate(answers);
        let above_lowest = Bits::lit(inflight_width, LOWEST) - taken.extend(inflight_width);
        Deltas {
            inflight_pkts,
            waiting_rtx,
            rtx_backlog,
            backlog,
            inflight,
            above_lowest,
            answers,
            // After a packet is sent there is one; 65535 before is refused.
            leaves_none: select(pass.acks, packets, sent.extend_signed(PACKETS_WIDTH) | lost.extend(PACKETS_WIDTH)),
            credit: config.rccc(credit),
            sent,
            resent,
            last: pass.sends & last,
            frees: answers | pass.commands | pass.sends & select(packet, last, !blocked),
            only_frees: pass.sends & !packet & !last,
        }
    }
}
