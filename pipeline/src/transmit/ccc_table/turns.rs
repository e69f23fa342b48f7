// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which CCCs are listed, in turn, or blocked (rows C28, C29 and C35). Passes write `rows`, takes write `taken`: a CCC is listed while its
//! bits in both differ. When it is not, it is in turn if it was READY for the take, or has been in turn since. With memories
//! of latency `l`:
//!
//! ```text
//!  pass in step 1       CCC to copies for commands: was it in turn?
//!          19           CCC to `rows` and `taken`
//!          19 .. l + 19 a take of the same CCC changes its bit
//!          l + 20 (x)   the row as of all takes before; READY: listed
//!          l + 21       written; a listed CCC to its queue
//!  take in step 1       its bit to `taken`
//! ```

use super::config::CccTableConfig;
use super::pass::{PASS, Pass};
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, RmwTable, WriteFirstRam};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, bits, name_nets, select, when};

/// A row.
#[derive(Bundle)]
#[shape]
struct Turn<L: Reading> {
    /// Changes when the CCC is listed.
    toggle: Bits<L>,
    /// It is in turn, unless it is listed; then it will be if it is taken now.
    in_turn: Bits<L>,
    /// Neither listed nor in turn: the CCC is not blocked. In turn: it has been unblocked since the take, so the end of the turn does
    /// not block it (row C35). Listed: the value after the take, which is 0 if the CCC is READY then.
    free: Bits<L>,
}

/// What commands see of a row.
#[derive(Bundle)]
#[shape]
struct Copy<L: Reading> {
    toggle: Bits<L>,
    in_turn: Bits<L>,
}

/// What a pass does to the turn of its CCC, in step `l` + 20.
pub struct Effect<L: Logic> {
    /// It leaves the CCC READY.
    pub ready: Bits<L>,
    /// Its turn is over.
    pub ends: Bits<L>,
    /// It unblocks the CCC.
    pub frees: Bits<L>,
}

/// A CCC that is listed.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct Listed<L: Reading> {
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// The bit in its row.
    pub toggle: Bits<L>,
}

/// What a pass has done, in step `l` + 21.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct Turned<L: Reading> {
    /// It has listed the CCC.
    #[reset]
    pub lists: Bits<L>,
    /// The CCC is in turn.
    pub in_turn: Bits<L>,
    pub listed: Listed<L>,
}

/// The turns of all CCCs.
#[name_nets]
pub struct Turns<L: Logic> {
    config: CccTableConfig,
    rows: RmwTable<L, Turn<L>>,
    /// The bits on the side of takes.
    taken: WriteFirstRam<L, Bits<L>>,
    /// A copy of two bits of `rows` for commands.
    copy: WriteFirstRam<L, Copy<L>>,
    /// Steps 20 to `l` + 19: a take has changed the bit.
    changed: PipelineRegs<Bits<L>>,
    /// Step `l` + 20.
    taken_bit: Reg<Bits<L>>,
    turned: Reg<Turned<L>>,
    /// Step `l` + 2: the CCC was in turn when the pass was in step 0.
    was_in_turn: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Turns<L> {
    pub fn new(config: CccTableConfig) -> Self {
        let (flag, l) = (bits(1), config.ram_latency);
        let row = Turn::shape();
        let access = config.access(config.effect());
        Turns {
            config,
            rows: RmwTable::new(config.cccs, l, &row).compared_early(),
            taken: WriteFirstRam::new(config.cccs, l, 2, &flag),
            copy: WriteFirstRam::new(config.cccs, l, 1, &Copy::shape()),
            changed: PipelineRegs::new(access + 1..=access + l, &flag),
            taken_bit: Reg::new(&flag),
            was_in_turn: Reg::new(&flag),
            turned: Reg::new(&Turned::shape(config)),
        }
    }

    /// The CCC of the pass in step `l` + 2 was in turn when the pass was in step 0.
    pub fn was_in_turn(&self) -> Bits<L> {
        self.was_in_turn.get()
    }

    /// Step `l` + 21: what the pass has done.
    pub fn turned(&self) -> Turned<L> {
        PASS.at(self.config.ram_latency + 21, self.turned.get())
    }

    /// One clock cycle: the passes in all steps; what the one in step `l` + 20 does; a take, and that of the clock cycle before.
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        effect: Effect<L>,
        (takes, taking): (Bits<L>, Listed<L>),
        (was_taken, taken): (Bits<L>, Listed<L>),
    ) {
        let config = self.config;
        let (step, first, l) = (config.effect(), config.access(config.effect()), config.ram_latency);
        let pass = passes[step as usize];

        // l + 21
        let written = passes[step as usize + 1];
        let modified = self.rows.modified();

        // l + 20
        let row = self.rows.operand();
        self.rows.clock(passes[first as usize].any_access(), Bits::lit(1, 1));
        let is_listed = row.toggle ^ self.taken_bit.get();
        let Effect { ready, ends, frees } = effect;
        let in_turn = row.in_turn & !is_listed & !ends;
        let free = row.free | frees;
        let lists = ready & free & !is_listed & !in_turn;
        let waits = is_listed | lists;
        let toggle = row.toggle ^ lists;
        let next = Turn { toggle, in_turn: select(waits, ready, in_turn), free: select(waits, !ready, free) };
        when(pass.any_access().valid, || self.rows.modify(next.gate(!pass.sweeps)));
        self.turned.set(Turned { lists, in_turn, listed: Listed { ccc: pass.ccc, toggle } });

        // l + 19 and before
        let hit = |step: u32| takes & passes[step as usize].ccc.equals(taking.ccc);
        self.taken_bit.set(self.taken.data(0) ^ (self.changed.last() | hit(first + l)));
        for step in (first..first + l).rev() {
            let before = if step == first { Bits::lit(1, 0) } else { self.changed.at(step) };
            self.changed.set(step + 1, before | hit(step));
        }

        // l + 1
        let copied = self.copy.data(0);
        self.was_in_turn.set(copied.in_turn & !(copied.toggle ^ self.taken.data(1)));

        // 1
        let swept = passes[1];
        let write = Access { valid: was_taken | swept.sweeps, index: select(swept.sweeps, swept.ccc, taken.ccc) };
        self.taken.clock(&[passes[first as usize].ccc, swept.ccc], write, taken.toggle & !swept.sweeps);
        let Turn { toggle, in_turn, .. } = modified;
        self.copy.clock(&[swept.ccc], written.any_access(), Copy { toggle, in_turn });
    }
}
