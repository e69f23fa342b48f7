// SPDX-License-Identifier: MIT OR Apache-2.0
//! The windows (rows D6, D11, D14 and D15): the PSN of a new packet, and where the PSN of a NACK or an examination is.
//! With memories of latency `l`:
//!
//! ```text
//!  2      PDC to `rows`
//!  l + 3  row: is there room? PSN of a new packet; offset of the PSN of the pass from the base
//!  l + 4  written; is the PSN in the window? room after the pass
//!  l + 5  known
//! ```

use super::config::PacketTrackerConfig;
use super::context::After;
use super::judge::Judged;
use super::pass::{PASS, Pass};
use super::ports::Command;
use super::serving::Serving;
use super::window::Window;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, bits, name_nets, select, when};

/// What outputs say of it.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Room<L: Reading> {
    /// A new packet is sent.
    pub sends: Bits<L>,
    /// PSNs for which there is room after the pass.
    #[shape(config.count())]
    pub room: Bits<L>,
    #[shape(config.upper(bits))]
    pub upper: Option<Bits<L>>,
    /// The PSN of the pass is the first one of the window.
    pub at_base: Bits<L>,
}

/// What visits see of a window, in step `l` + 5.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Extent<L: Reading> {
    /// The PDC is open, and a PSN is in its window.
    pub some: Bits<L>,
    #[shape(config.count())]
    pub top: Bits<L>,
    /// The last new packet asks for an ACK.
    pub asks: Bits<L>,
}

/// The windows of all PDCs.
#[name_nets]
pub struct Windows<L: Logic> {
    config: PacketTrackerConfig,
    rows: RmwTable<L, Window<L>>,
    /// Step `l` + 4: the PSN less the base.
    offset: Reg<Bits<L>>,
    /// Steps `l` + 4 on: a new packet is sent.
    sends: PipelineRegs<Bits<L>>,
    /// Steps `l` + 5 to 2 `l` + 7: the PSN is in the window.
    inside: PipelineRegs<Bits<L>>,
    /// Steps `l` + 5 to 2 `l` + 9.
    room: PipelineRegs<Room<L>>,
    /// Step `l` + 5: what visits see.
    extent: Reg<Extent<L>>,
}

#[name_nets]
impl<L: Logic> Windows<L> {
    pub fn new(config: PacketTrackerConfig) -> Self {
        let (flag, l) = (bits(1), config.ram_latency);
        Windows {
            config,
            rows: RmwTable::new(config.pdcs, l, &Window::shape(config)).compared_early(),
            offset: Reg::new(&config.psn()),
            sends: PipelineRegs::new(l + 4..=l + 4, &flag).checked(PASS),
            inside: PipelineRegs::new(l + 5..=config.states(), &flag).checked(PASS),
            room: PipelineRegs::new(l + 5..=config.outputs(), &Room::shape(config)).checked(PASS),
            extent: Reg::new(&Extent::shape(config)),
        }
    }

    /// Step `l` + 3: no PSN is in the window before the pass.
    pub fn empty(&self) -> Bits<L> {
        self.rows.of_operand(|row| !row.length.any())
    }

    /// Step `l` + 3: the last new packet before the pass asks for an ACK.
    pub fn asks(&self) -> Bits<L> {
        self.rows.operand().asks
    }

    /// Step `l` + 3: the PSN of the packet that is sent, if `again` so many after the base, otherwise the next one.
    pub fn sent_psn(&self, again: Bits<L>, offset: Bits<L>) -> Bits<L> {
        let row = self.rows.operand();
        row.base + select(again, offset, row.length).extend(self.config.psn_bits)
    }

    /// Step `l` + 4: the window after the pass.
    pub fn window(&self) -> Window<L> {
        self.rows.modified()
    }

    /// Step `l` + 4: a new packet is sent.
    pub fn sends(&self) -> Bits<L> {
        self.sends.last()
    }

    /// Step 2 `l` + 7: the PSN of the pass is in the window.
    pub fn inside(&self) -> Bits<L> {
        self.inside.last()
    }

    /// What is known in this step, `l` + 5 to 2 `l` + 9.
    pub fn room(&self, step: u32) -> Room<L> {
        self.room.at(step)
    }

    /// Step `l` + 5: what visits see.
    pub fn extent(&self) -> Extent<L> {
        self.extent.get()
    }

    /// One clock cycle: the passes in all steps; whether PDCs are open and how many PSNs are allowed, in step `l` + 3
    /// before the pass and in step `l` + 4 after it; the walk, what it has found, and the command; the EV of the pass
    /// in step `l` + 3, and whether its packet asks for an ACK.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        before: (Bits<L>, Bits<L>),
        after: After<L>,
        walk: Serving<L>,
        judged: &Judged<L>,
        command: Command<L>,
        again: Bits<L>,
        (ev, asked): (Bits<L>, Bits<L>),
    ) {
        let (config, step) = (self.config, self.config.windows() as usize);
        let (was_open, allowed_before) = before;
        let counts = config.count_bits();

        // l + 4
        let Window { length, top, upper, asks, .. } = self.rows.modified();
        let (offset, After { open, allowed, .. }) = (self.offset.get(), after);
        let near = !offset.slice(counts, config.psn_bits - counts).any();
        self.inside.shift(near & config.place(offset).less(length) & open);
        self.extent.set(Extent { some: open & length.any(), top, asks });
        let has_room = length.less(allowed) & open;
        self.room.shift(Room {
            sends: self.sends.last(),
            room: (allowed - length).gate(has_room),
            upper,
            at_base: !offset.any(),
        });

        // l + 3
        let (pass, row) = (passes[step], self.rows.operand());
        let sends = pass.news & was_open & self.rows.of_operand(|row| row.length.less(allowed_before));
        // A packet that fills the window asks for an ACK, too.
        let fills = self.rows.of_operand(|row| (row.length + 1).equals(allowed_before));
        let opens = pass.finishes & walk.commands & walk.done & walk.opens;
        let acknowledged = pass.finishes & walk.accepted;
        let repeats = pass.finishes & walk.agains & again;
        let found = judged.next;
        let kept = Window {
            base: row.base,
            length: select(sends, row.length + 1, row.length),
            top: row.top,
            total: row.total,
            upper: row.upper.zip(config.upper_ev(ev)).map(|(upper, ev)| select(sends | repeats, ev, upper)),
            asks: select(sends, asked | fills, row.asks),
        };
        let opened = Window { base: command.psn, ..Window::zero(&Window::shape(config)) };
        let found = Window { upper: row.upper, asks: row.asks, ..found };
        self.rows.clock(passes[2].access(), Bits::lit(1, 1));
        when(pass.access().valid, || {
            self.rows.modify(select(opens, opened, select(acknowledged, found, kept)));
        });
        self.sends.shift(sends);
        self.offset.set(pass.psn - row.base);
    }
}
