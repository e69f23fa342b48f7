// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a walk finds, and what it will leave (rows D11 to D15, D29 and D30). With memories of latency `l`, in steps of
//! its first pass:
//!
//! ```text
//!  1       PSNs that the ACK names
//!  l + 4   their distances from the base; bytes received; is the command done?
//!  l + 5   is the cumulative part in the window, or old? quanta
//!  l + 6   its length                              bitmap: l + 5 to l + 10
//!  l + 7   base and length after it; its last block
//!  l + 8   is the ACK outside?
//!  l + 10  *top* after it
//! ```
//!
//! A walk has the memories for itself, so that what was found stays until the next first pass; the second pass takes
//! the window from here.

use super::config::{BLOCK_BITS, EV_WIDTH, PacketTrackerConfig};
use super::context::After;
use super::named::{NamedPsns, Parts};
use super::pass::Pass;
use super::ports::{AckEvent, BACKOFF_LIMIT_WIDTH, Command, PacketTrackerIn, QUANTA_WIDTH, TOTAL_WIDTH, op};
use super::window::Window;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, constant, name_nets, select, when};

/// What has asked for the walk, from step 1 of its first pass on.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Asked<L: Reading> {
    pub acks: Bits<L>,
    /// *Again*, or a backoff. Otherwise it is a command.
    pub agains: Bits<L>,
    pub backs_off: Bits<L>,
    pub ack: AckEvent<L>,
    /// The limit of backoffs.
    #[width(BACKOFF_LIMIT_WIDTH)]
    pub backoff_limit: Bits<L>,
    /// Of *again*.
    #[width(EV_WIDTH)]
    pub ev: Bits<L>,
    pub last: Bits<L>,
}

/// PSNs that an ACK names, or their distances from the base.
#[derive(Bundle)]
struct Psns<L: Reading> {
    /// The first one behind the cumulative part.
    behind: Bits<L>,
    /// That of bit 0 of the bitmap.
    bit_0: Bits<L>,
    trigger: Bits<L>,
}

/// The cumulative part in step `l` + 6.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
struct Cumulative<L: Reading> {
    inside: Bits<L>,
    old: Bits<L>,
    #[shape(config.count())]
    count: Bits<L>,
    /// The trigger is in the window.
    has_trigger: Bits<L>,
}

/// Bytes received, from step `l` + 6 on.
#[derive(Bundle)]
#[shape]
struct Received<L: Reading> {
    is_old: Bits<L>,
    #[width(QUANTA_WIDTH)]
    quanta: Bits<L>,
}

/// Which command it is, and whether it is done, from step `l` + 5 on.
#[derive(Bundle)]
#[shape]
pub struct Does<L: Reading> {
    pub done: Bits<L>,
    pub opens: Bits<L>,
    pub closes: Bits<L>,
    pub changes: Bits<L>,
    pub loses: Bits<L>,
    pub fails: Bits<L>,
}

/// What is found, from step 2 `l` + 9 on.
#[derive(Clone, Copy)]
pub struct Judged<L: Logic> {
    pub asked: Asked<L>,
    /// The PDC is open.
    pub open: Bits<L>,
    pub does: Does<L>,
    /// The window before the walk.
    pub window: Window<L>,
    pub outside: Bits<L>,
    /// PSNs acknowledged cumulatively, blocks that have some, and the last one in its block.
    pub cumulative: Bits<L>,
    pub blocks: Bits<L>,
    pub last: Bits<L>,
    pub parts: Parts<L>,
    /// The block of bit 0 of the bitmap.
    pub block: Bits<L>,
    pub trigger: Bits<L>,
    pub has_trigger: Bits<L>,
    /// The PSN of a backoff is in the window.
    pub has_psn: Bits<L>,
    /// A packet that is marked may be sent.
    pub may_repeat: Bits<L>,
    pub quanta: Bits<L>,
    pub old_total: Bits<L>,
    /// The window after an ACK, from step 2 `l` + 10 on.
    pub next: Window<L>,
}

/// What is found.
#[name_nets]
pub struct Judge<L: Logic> {
    config: PacketTrackerConfig,
    asked: Reg<Asked<L>>,
    /// Step 2.
    psns: Reg<Psns<L>>,
    /// Step `l` + 5.
    window: Reg<Window<L>>,
    open: Reg<Bits<L>>,
    may_repeat: Reg<Bits<L>>,
    does: Reg<Does<L>>,
    distances: Reg<Psns<L>>,
    more: Reg<Bits<L>>,
    /// Step `l` + 6.
    cumulative: Reg<Cumulative<L>>,
    received: Reg<Received<L>>,
    /// Step `l` + 7.
    count: Reg<Bits<L>>,
    allowed: Reg<Bits<L>>,
    /// Step `l` + 8.
    base: Reg<Bits<L>>,
    length: Reg<Bits<L>>,
    extent: Reg<Bits<L>>,
    total: Reg<Bits<L>>,
    top: Reg<Bits<L>>,
    /// Step `l` + 9.
    outside: Reg<Bits<L>>,
    /// Step `l` + 11.
    next_top: Reg<Bits<L>>,
    named: NamedPsns<L>,
}

#[name_nets]
impl<L: Logic> Judge<L> {
    pub fn new(config: PacketTrackerConfig) -> Self {
        let (flag, count, psn, input) = (bits(1), config.count(), config.psn(), PacketTrackerIn::shape(config));
        let psns = Psns { behind: psn, bit_0: psn, trigger: psn };
        Judge {
            config,
            asked: Reg::new(&Asked::shape(config)),
            psns: Reg::new(&psns),
            window: Reg::new(&Window::shape(config)),
            open: Reg::new(&flag),
            may_repeat: Reg::new(&flag),
            does: Reg::new(&Does::shape()),
            distances: Reg::new(&psns),
            more: Reg::new(&bits(TOTAL_WIDTH)),
            cumulative: Reg::new(&Cumulative::shape(config)),
            received: Reg::new(&Received::shape()),
            count: Reg::new(&count),
            allowed: Reg::new(&flag),
            base: Reg::new(&psn),
            length: Reg::new(&count),
            extent: Reg::new(&bits(config.count_bits() + 1)),
            total: Reg::new(&bits(TOTAL_WIDTH)),
            top: Reg::new(&count),
            outside: Reg::new(&flag),
            next_top: Reg::new(&count),
            named: NamedPsns::new(config),
        }
    }

    /// What is found, from step 2 `l` + 9 on.
    pub fn judged(&self) -> Judged<L> {
        let (config, asked, psns, window) = (self.config, self.asked.get(), self.psns.get(), self.window.get());
        let (received, extent) = (self.received.get(), self.extent.get());
        let blocks = extent.slice(BLOCK_BITS, extent.width() - BLOCK_BITS) + 1;
        let cumulative = self.count.get();
        Judged {
            asked,
            open: self.open.get(),
            does: self.does.get(),
            window,
            outside: self.outside.get(),
            cumulative,
            blocks: blocks.gate(cumulative.any()),
            last: extent.truncate(BLOCK_BITS),
            parts: self.named.parts(),
            block: psns.bit_0.slice(BLOCK_BITS, config.block_bits()),
            trigger: config.place(psns.trigger),
            has_trigger: asked.ack.triggered & self.cumulative.get().has_trigger,
            has_psn: self.cumulative.get().has_trigger,
            may_repeat: self.may_repeat.get(),
            quanta: received.quanta.gate(asked.ack.counted & !received.is_old),
            old_total: asked.ack.counted & received.is_old,
            next: Window {
                base: self.base.get(),
                length: self.length.get(),
                top: self.next_top.get(),
                total: self.total.get(),
                upper: window.upper,
                asks: window.asks,
            },
        }
    }

    /// One clock cycle: a walk enters and asks for this; the passes in all steps; what the PDC may send in step `l` + 4, and its window; the
    /// command.
    pub fn clock(
        &self,
        (enters, asked): (Bits<L>, Asked<L>),
        passes: &[Pass<L>],
        (after, found): (After<L>, Window<L>),
        command: Command<L>,
    ) {
        let (config, l) = (self.config, self.config.ram_latency as usize);
        let (counts, psn_bits) = (config.count_bits(), config.psn_bits);
        let at = |step: usize| passes[step].looks;
        let Asked { acks, agains, backs_off, ack, .. } = self.asked.get();
        let commands = !(acks | agains | backs_off);
        let (psns, window, distances) = (self.psns.get(), self.window.get(), self.distances.get());
        let (more, does, part, received) =
            (self.more.get(), self.does.get(), self.cumulative.get(), self.received.get());
        let (count, allowed, highest) = (self.count.get(), self.allowed.get(), self.top.get());

        // l + 10
        let reach = self.named.reach();
        when(at(l + 10), || {
            self.next_top.set(select(reach.greater(highest), reach - count, highest - count));
        });

        // l + 8
        let outside = !allowed | self.named.excess();
        when(at(l + 8), || self.outside.set(outside));

        // l + 7: a count of 0 leaves an extent that is not used.
        when(at(l + 7), || {
            self.base.set(window.base + count.extend(psn_bits));
            self.length.set(window.length - count);
            let first = window.base.truncate(BLOCK_BITS).extend(counts + 1);
            self.extent.set(first + count.extend(counts + 1) - 1);
            let added = received.quanta.gate(ack.counted & !received.is_old);
            self.total.set(window.total + added.extend(TOTAL_WIDTH));
            self.top.set(select(window.top.less(count), count, window.top));
        });

        // l + 6
        when(at(l + 6), || {
            let of_close = window.length.gate(does.closes & does.done);
            self.count.set(select(acks, part.count.gate(part.inside), of_close));
            self.allowed.set(part.inside | part.old);
        });

        // l + 5
        let in_window = |distance: Bits<L>| {
            let near = !distance.slice(counts, psn_bits - counts).any();
            near & distance.truncate(counts).less(window.length)
        };
        when(at(l + 5), || {
            let (behind, slots) = (distances.behind, config.slot_bits());
            let near = !behind.slice(counts, psn_bits - counts).any();
            self.cumulative.set(Cumulative {
                inside: near & behind.truncate(counts).at_most(window.length),
                old: behind.slice(slots, psn_bits - slots).all(),
                count: behind.truncate(counts),
                has_trigger: in_window(distances.trigger),
            });
            // The peer refuses a packet that has been sent.
            let done = does.done & (!does.fails | in_window(distances.trigger));
            self.does.set(Does { done, ..does });
            let beyond = more.slice(QUANTA_WIDTH, TOTAL_WIDTH - QUANTA_WIDTH).any();
            self.received.set(Received {
                is_old: more.bit(TOTAL_WIDTH - 1),
                quanta: more.truncate(QUANTA_WIDTH) | beyond.extend_signed(QUANTA_WIDTH),
            });
        });
        let of_bitmap = (ack.sack.gate(acks), psns.bit_0.truncate(BLOCK_BITS));
        let steps = [l + 5, l + 6, l + 7, l + 8, l + 9].map(at);
        self.named.clock(steps, of_bitmap, (distances.bit_0, window.length), count);

        // l + 4
        when(at(l + 4), || {
            self.window.set(found);
            self.open.set(after.open);
            self.may_repeat.set(after.may_repeat);
            self.does.set(Does::of(command, after.open, found.length.any(), after.unrefused));
            self.distances.set(Psns {
                behind: psns.behind - found.base,
                bit_0: psns.bit_0 - found.base,
                trigger: psns.trigger - found.base,
            });
            self.more.set(ack.rcvd_bytes - found.total);
        });

        // 1
        let offset = ack.trigger_offset.extend_signed(psn_bits).gate(!backs_off);
        when(at(1), || {
            self.psns.set(Psns {
                behind: ack.psn + 1,
                bit_0: ack.psn + ack.sack_offset.extend_signed(psn_bits),
                trigger: select(commands, command.psn, ack.psn + offset),
            });
        });

        // 0
        when(enters, || self.asked.set(asked));
    }
}

#[name_nets]
impl<L: Logic> Does<L> {
    /// What the command does to a PDC that is open, and has packets in its window, and has not been refused.
    fn of(command: Command<L>, open: Bits<L>, some: Bits<L>, unrefused: Bits<L>) -> Self {
        let is = |code| command.op.equals(code);
        let reads = is(constant!(op::READ));
        let [opens, closes] = [is(constant!(op::OPEN)), is(constant!(op::CLOSE))];
        let [changes, fails] = [is(constant!(op::CHANGE)), is(constant!(op::FAIL))];
        let loses = is(constant!(op::LOSE)) | fails;
        let may_close = open & (command.force | !some);
        let done = reads | opens & !open | closes & may_close | (changes | loses & (!fails | unrefused)) & open;
        Does { done, opens, closes, changes, loses, fails }
    }
}
