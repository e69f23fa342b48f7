// SPDX-License-Identifier: MIT OR Apache-2.0
//! A packet for which the gate has no room: its sender is to be told (row RX25). With memories of latency `l`:
//!
//! ```text
//!  cycle n            shown      on `kept` of the gate: what an arrival and an answer need of it
//!        n + 2 l + 4  verdict    has it a connection, and may it speak to it? otherwise it is forgotten
//!        n + 2 l + 5  addresses  where its answer goes, when no frame writes there
//!        n + 2 l + 6  arrives    to the front of the arrivals, while no frame is there
//!        n + 2 l + 7             to the reorder stage
//! ```
//!
//! It does not wait in the line of records, where it would be told of when the consumer goes on, for which it is lost. One
//! packet is kept at a time: those that come meanwhile are lost without a word, as one answer says that there is no room.

use super::addresses::Addresses;
use super::config::RxConfig;
use super::identify::IdentifiedArrival;
use super::packet::{Details, Packet};
use crate::blocks::table::Access;
use crate::headers::record::HeaderRecord;
use crate::receive::reorder::{FLAGS_WIDTH, LENGTH_WIDTH, PATH_WIDTH, PROBE_FLAG};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, StateReg, States, bits, name_nets, when};

/// Where the packet is.
#[derive(Clone, Copy, States)]
enum Step {
    /// There is none.
    Idle,
    /// Its connection is looked up.
    Asks,
    /// Its addresses are to be written.
    Addresses,
    /// Its arrival is to be taken.
    Arrives,
}

/// What is kept of it.
#[derive(Bundle)]
#[shape(config: RxConfig)]
struct Kept<L: Reading> {
    #[width(config.reorder.psn_bits)]
    psn: Bits<L>,
    #[width(PATH_WIDTH)]
    path: Bits<L>,
    #[width(FLAGS_WIDTH)]
    flags: Bits<L>,
    #[width(LENGTH_WIDTH)]
    length: Bits<L>,
    details: Details<L>,
    addresses: Addresses<L>,
}

/// The packet.
#[name_nets]
pub struct LostPacket<L: Logic> {
    config: RxConfig,
    step: StateReg<L, Step>,
    /// Frames that are lost and whose verdicts come before its own.
    ahead: Reg<Bits<L>>,
    /// Frames that are lost and whose verdicts have not come.
    under_way: Reg<Bits<L>>,
    kept: Reg<Kept<L>>,
    connection: Reg<Bits<L>>,
}

/// Width of a number of frames that are looked up.
const COUNT_WIDTH: u32 = 4;

#[name_nets]
impl<L: Logic> LostPacket<L> {
    pub fn new(config: RxConfig) -> Self {
        LostPacket {
            config,
            step: StateReg::new(),
            ahead: Reg::new(&bits(COUNT_WIDTH)),
            under_way: Reg::new(&bits(COUNT_WIDTH)).with_reset(),
            kept: Reg::new(&Kept::shape(config)),
            connection: Reg::new(&config.connection()),
        }
    }

    /// There is no packet. Then none that was shown before will have an arrival.
    pub fn idle(&self) -> Bits<L> {
        self.step.is(Step::Idle)
    }

    /// There is an arrival.
    pub fn arrives(&self) -> Bits<L> {
        self.step.is(Step::Arrives)
    }

    /// The arrival, like that of a frame, but not received: P is 1.
    pub fn arrival(&self, frame: IdentifiedArrival<L>) -> IdentifiedArrival<L> {
        let Kept { psn, path, flags, length, details, .. } = self.kept.get();
        let (yes, index) = (Bits::lit(1, 1), self.connection.get());
        IdentifiedArrival { in_sequence: yes, found: yes, index, psn, path, flags, length, details, ..frame }
    }

    /// Where answers to its connection go.
    pub fn addresses(&self) -> (Access<L>, Addresses<L>) {
        let access = Access { valid: self.step.is(Step::Addresses), index: self.connection.get() };
        (access, self.kept.get().addresses)
    }

    /// One clock cycle: a frame is lost; there is a verdict on one that is lost; its addresses can be written; its arrival is
    /// taken.
    pub fn clock(
        &self,
        (lost, packet, record): (Bits<L>, &Packet<L>, &HeaderRecord<L>),
        (judges, speaks): (Bits<L>, Access<L>),
        addressed: Bits<L>,
        taken: Bits<L>,
    ) {
        let (ahead, under_way) = (self.ahead.get(), self.under_way.get());
        let remaining = under_way - judges.extend(COUNT_WIDTH);
        self.under_way.set(remaining + lost.extend(COUNT_WIDTH));
        // A probe has no PSN, and what is not to be received needs no room.
        let begins = (lost & packet.in_sequence & packet.has_key & !packet.flags.bit(PROBE_FLAG)).named("begins");
        let go = |step| self.step.go(step);
        self.step.cases(|step| match step {
            Step::Idle => {
                when(begins, || {
                    let Packet { psn, path, flags, length, .. } = *packet;
                    let details = Details { no_room: Bits::lit(1, 1), ..packet.details };
                    let flags = flags | Bits::lit(FLAGS_WIDTH, 1 << PROBE_FLAG);
                    let addresses = Addresses::of(&self.config, record);
                    self.kept.set(Kept { psn, path, flags, length, details, addresses });
                    self.ahead.set(remaining);
                    go(Step::Asks);
                });
            }
            Step::Asks => {
                when(judges, || {
                    self.ahead.set(ahead - 1);
                    self.connection.set(speaks.index);
                    let is_own = !ahead.any();
                    when(is_own & speaks.valid, || go(Step::Addresses)).or_when(is_own, || go(Step::Idle));
                });
            }
            Step::Addresses => {
                when(addressed, || go(Step::Arrives));
            }
            Step::Arrives => {
                when(taken, || go(Step::Idle));
            }
        });
    }
}
