// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who may speak to a connection: the ends that *open* names, with which each frame that has the key of a connection is
//! compared (rows RX20 to RX22). With memories of latency `l`:
//!
//! ```text
//!  cycle n            kept     what the frame says of its ends, to `claims`
//!        n + l + 3    answer   of the lookup: the ends of the connection are read, and what the frame said
//!        n + 2 l + 3  compare  word by word
//!        n + 2 l + 4  verdict  to `verdicts`
//!        n + 2 l + 5           beside the identity of the frame, which is in a register then at the earliest
//! ```
//!
//! So the comparison takes no clock cycle of its own. `addresses` has the ends of the last packet, and is read for answers at
//! other times: a frame and an answer are read in each clock cycle, so it cannot be the table of this.

use super::config::RxConfig;
use super::contexts::Opened;
use super::packet::Claim;
use crate::blocks::table::Access;
use rtl_model::{Bits, Bundle, Delay, Logic, Ram, RamShape, Reading, Reg, bits, clog2, index_width, name_nets};
use rtl_model::{select, when};

/// Width of a cause.
const CAUSE_WIDTH: u32 = 2;
/// Width of a counter.
const COUNT_WIDTH: u32 = 32;
/// Frames whose claims are kept: more than the lookup has under way.
const CLAIMS: u64 = 8;

/// Why a frame is refused.
mod cause {
    /// It is not.
    pub const NONE: u64 = 0;
    /// Its source address is not that of the peer.
    pub const SOURCE: u64 = 1;
    /// Its destination address is not that of this end.
    pub const DESTINATION: u64 = 2;
    /// Its P_Key does not match, or its SPDCID is not that of the peer.
    pub const CONTEXT: u64 = 3;
}

/// The ends of a connection, as *open* names them.
#[derive(Bundle)]
#[shape(config: RxConfig)]
pub struct Ends<L: Reading> {
    /// Open: anyone who has the key is the peer, whatever the addresses, the P_Key and the SPDCID.
    pub any_peer: Bits<L>,
    /// Open: the IP version is 6, not 4.
    pub ipv6: Bits<L>,
    /// Open: the IP address of the peer, its first bytes in word 0; IPv4 has word 0 only.
    #[width(32)]
    pub peer_ip: [Bits<L>; 4],
    /// Open: the IP address of this device, likewise.
    #[width(32)]
    pub local_ip: [Bits<L>; 4],
    /// RoCEv2, open: the partition key.
    #[width(config.roce(16))]
    pub pkey: Option<Bits<L>>,
    /// UET, open: the PDC identifier at the peer.
    #[width(config.uet(16))]
    pub remote_pdcid: Option<Bits<L>>,
}

/// A frame that was refused, the first one since the last was taken.
#[derive(Bundle)]
#[shape(config: RxConfig)]
pub struct Refusal<L: Reading> {
    /// There is one; it stays until `refusal_ready` is 1.
    #[reset]
    pub valid: Bits<L>,
    /// The connection whose key it had.
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// Why: 1 its source address, 2 its destination address, 3 its P_Key or SPDCID.
    #[width(CAUSE_WIDTH)]
    pub cause: Bits<L>,
    /// Its IP version is 6, not 4.
    pub ipv6: Bits<L>,
    /// Its source address, the first bytes in word 0; IPv4 has word 0 only.
    #[width(32)]
    pub source_ip: [Bits<L>; 4],
    /// Its destination address, likewise.
    #[width(32)]
    pub destination_ip: [Bits<L>; 4],
    /// Its P_Key, or SPDCID.
    #[width(16)]
    pub context: Bits<L>,
}

/// Frames that were refused, since reset. The counters wrap.
#[derive(Bundle)]
pub struct RefusedCounts<L: Reading> {
    /// Frames with the key of a connection that are not from the address of its peer, since reset. The counter wraps.
    pub source: Bits<L>,
    /// Other frames with the key of a connection that are not for its address here, since reset. The counter wraps.
    pub destination: Bits<L>,
    /// RoCEv2: other frames whose P_Key does not match that of the connection, since reset. The counter wraps.
    pub pkey: Option<Bits<L>>,
    /// UET: other frames whose SPDCID is not that of the peer, since reset. The counter wraps.
    pub spdcid: Option<Bits<L>>,
}

/// A frame that has the key of a connection, on its way.
#[derive(Bundle)]
#[shape(config: RxConfig)]
struct Asked<L: Reading> {
    #[reset]
    valid: Bits<L>,
    /// It is lost, and its record not kept.
    lost: Bits<L>,
    known: Bits<L>,
    #[shape(config.connection())]
    connection: Bits<L>,
}

/// What agrees.
#[derive(Bundle)]
#[shape]
struct Agreement<L: Reading> {
    all: Bits<L>,
    ipv6: Bits<L>,
    version: Bits<L>,
    #[width(4)]
    source: Bits<L>,
    #[width(4)]
    destination: Bits<L>,
    context: Bits<L>,
}

/// The verdicts on frames.
#[name_nets]
pub struct Speakers<L: Logic> {
    config: RxConfig,
    ends: Ram<Ends<L>>,
    claims: Ram<Claim<L>>,
    /// Rows of `claims`: of the next frame, and of the next answer.
    claim_write: Reg<Bits<L>>,
    claim_read: Reg<Bits<L>>,
    asked: Delay<Asked<L>>,
    judged: Reg<Asked<L>>,
    agreement: Reg<Agreement<L>>,
    verdicts: Ram<Bits<L>>,
    /// Rows of `verdicts`: of the next verdict, and of the frame at the front.
    write: Reg<Bits<L>>,
    front: Reg<Bits<L>>,
    /// The verdict of the frame at the front was written in the last clock cycle, so it has not been read.
    is_new: Reg<Bits<L>>,
    new: Reg<Bits<L>>,
    held: Reg<Refusal<L>>,
    /// How many frames have been refused for each cause.
    source: Reg<Bits<L>>,
    destination: Reg<Bits<L>>,
    context: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Speakers<L> {
    pub fn new(config: RxConfig) -> Self {
        let latency = config.reorder.ram_latency;
        let rows = RamShape::new(config.reorder.connections).latency(latency).read_first();
        // All frames whose records the gate keeps, with those ahead of its memory.
        let frames = (config.gate.frames + u64::from(config.gate.ram_latency) + 1).next_power_of_two();
        let (claim, frame) = (bits(clog2(CLAIMS)), bits(index_width(frames)));
        let (asked, count) = (Asked::shape(config), || Reg::new(&bits(COUNT_WIDTH)).with_reset());
        Speakers {
            config,
            ends: Ram::new(rows, &Ends::shape(config)),
            claims: Ram::new(RamShape::new(CLAIMS).latency(latency).unused_on_collision(), &Claim::shape(config)),
            claim_write: Reg::new(&claim).with_reset(),
            claim_read: Reg::new(&claim).with_reset(),
            asked: Delay::new(&asked, latency as usize).with_reset(),
            judged: Reg::new(&asked).with_reset(),
            agreement: Reg::new(&Agreement::shape()),
            verdicts: Ram::new(RamShape::new(frames).latency(1).unused_on_collision(), &bits(CAUSE_WIDTH)),
            write: Reg::new(&frame).with_reset(),
            front: Reg::new(&frame).with_reset(),
            is_new: Reg::new(&bits(1)).with_reset(),
            new: Reg::new(&bits(CAUSE_WIDTH)),
            held: Reg::new(&Refusal::shape(config)).with_reset(),
            source: count(),
            destination: count(),
            context: count(),
        }
    }

    /// The frame at the front may speak to the connection whose key it has; so may one that has none.
    pub fn may_speak(&self) -> Bits<L> {
        select(self.is_new.get(), self.new.get(), self.verdicts.data()).equals(cause::NONE)
    }

    /// A verdict on a frame that is lost: it has the key of a connection, and may speak to it.
    pub fn judges_lost(&self) -> (Bits<L>, Access<L>) {
        let asked = self.judged.get();
        let valid = asked.known & !self.verdict().any();
        (asked.valid & asked.lost, Access { valid, index: asked.connection })
    }

    /// The frame that is held for the host.
    pub fn refusal(&self) -> Refusal<L> {
        self.held.get()
    }

    /// What has been refused.
    pub fn counts(&self) -> RefusedCounts<L> {
        let context = self.context.get();
        RefusedCounts {
            source: self.source.get(),
            destination: self.destination.get(),
            pkey: self.config.roce(context),
            spdcid: self.config.uet(context),
        }
    }

    /// One clock cycle: a record is kept, or shown as its frame is lost; a connection, or none, is found for an earlier one, of
    /// a frame that is lost, or not; the frame at the front leaves; *open* names ends; the host takes the refusal.
    pub fn clock(
        &self,
        (kept, claim): (Bits<L>, Claim<L>),
        (answered, lost, found): (Bits<L>, Bits<L>, Access<L>),
        leaves: Bits<L>,
        opened: &Opened<L>,
        refusal_ready: Bits<L>,
    ) {
        let (ends, claimed, asked) = (self.ends.data(), self.claims.data(), self.asked.get());
        self.judge(&claimed, leaves, refusal_ready);
        self.judged.set(asked);
        self.agreement.set(self.compare(&ends, &claimed));
        self.asked.shift(Asked { valid: answered, lost, known: found.valid, connection: found.index });

        when(opened.valid, || self.ends.write(opened.connection, opened.ends));
        let (write, read) = (self.claim_write.get(), self.claim_read.get());
        when(answered, || {
            self.ends.read(found.index);
            self.claims.read(read);
            self.claim_read.set(read + 1);
        });
        when(kept, || {
            self.claims.write(write, claim);
            self.claim_write.set(write + 1);
        });
        self.ends.clock();
        self.claims.clock();
    }

    /// What agrees of what a connection and a frame have.
    fn compare(&self, ends: &Ends<L>, claim: &Claim<L>) -> Agreement<L> {
        let words = |of: [Bits<L>; 4], is: [Bits<L>; 4]| {
            let equal: Vec<_> = of.into_iter().zip(is).map(|(of, is)| of.equals(is)).collect();
            equal[3].concat(equal[2]).concat(equal[1]).concat(equal[0])
        };
        let context = match (ends.pkey, ends.remote_pdcid) {
            (Some(own), _) => {
                let same = own.truncate(15).equals(claim.context.truncate(15));
                same & (own.bit(15) | claim.context.bit(15))
            }
            (None, own) => claim.context.equals(own.expect("of UET")) | claim.unnamed.expect("of UET"),
        };
        Agreement {
            all: ends.any_peer,
            ipv6: claim.ipv6,
            version: !(ends.ipv6 ^ claim.ipv6),
            source: words(ends.peer_ip, claim.source_ip),
            destination: words(ends.local_ip, claim.destination_ip),
            context,
        }
    }

    /// The verdict on the frame whose ends have been compared: a cause, or 0.
    fn verdict(&self) -> Bits<L> {
        let (asked, agreement) = (self.judged.get(), self.agreement.get());
        let lit = |value| Bits::lit(CAUSE_WIDTH, value);
        // An address of IPv4 is one word.
        let rest = |of: Bits<L>| of.slice(1, 3).equals(7) | !agreement.ipv6;
        let agrees = |of: Bits<L>| of.bit(0) & rest(of) & agreement.version;
        let (source, destination) = (agrees(agreement.source), agrees(agreement.destination));
        let of_addresses = select(source, lit(cause::DESTINATION), lit(cause::SOURCE));
        let other = select(agreement.context, lit(cause::NONE), lit(cause::CONTEXT));
        let found = select(source & destination, other, of_addresses);
        found.gate(asked.valid & asked.known & !agreement.all)
    }

    /// That verdict is kept and counted.
    fn judge(&self, claimed: &Claim<L>, leaves: Bits<L>, refusal_ready: Bits<L>) {
        let (asked, verdict) = (self.judged.get(), self.verdict().named("verdict"));

        // A frame has one cause, so there is one adder.
        let [by_source, by_destination, by_context] =
            [cause::SOURCE, cause::DESTINATION, cause::CONTEXT].map(|cause| verdict.equals(cause));
        let of_addresses = select(by_source, self.source.get(), self.destination.get());
        let counted = (select(by_context, self.context.get(), of_addresses) + 1).named("counted");
        when(by_source, || self.source.set(counted))
            .or_when(by_destination, || self.destination.set(counted))
            .or_when(by_context, || self.context.set(counted));

        let next = (self.front.get() + leaves.extend(self.front.get().width())).named("next_front");
        let write = self.write.get();
        let stays = asked.valid & !asked.lost;
        self.is_new.set(stays & next.equals(write));
        when(stays, || {
            self.verdicts.write(write, verdict);
            self.write.set(write + 1);
        });
        self.front.set(next);
        self.verdicts.read(next);
        self.new.set(verdict);
        self.verdicts.clock();

        // What is compared now is kept in advance, while nothing is held, and valid if it is refused in the next clock cycle.
        let held = self.held.get();
        let refuses = verdict.any();
        when(held.valid & !refusal_ready, || self.held.set(held))
            .or_when(!held.valid & refuses, || {
                self.held.set(Refusal { valid: refuses, cause: verdict, ..held });
            })
            .otherwise(|| {
                self.held.set(Refusal {
                    valid: Bits::lit(1, 0),
                    connection: self.asked.get().connection,
                    cause: verdict,
                    ipv6: claimed.ipv6,
                    source_ip: claimed.source_ip,
                    destination_ip: claimed.destination_ip,
                    context: claimed.context,
                });
            });
    }
}
