// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bytes by which windows are to grow, and when adjustments start (rows C21 to C24). With memories of latency `l`:
//!
//! ```text
//!  l + 14  wait after a decrease
//!  l + 15  deadlines; what an ACK adds
//!  l + 16  sums, three comparisons, a selection
//!  l + 17  written; an adjustment starts
//! ```

use super::adapt::Adapted;
use super::adjustment::{Due, Start};
use super::config::CccTableConfig;
use super::deadline::{after, reached, wait};
use super::delays::{Filtered, Quadrant};
use super::flight::Deed;
use super::pass::{Kept, PASS, Pass};
use super::ports::{CREDIT_WIDTH, TIME_WIDTH, WAIT_WIDTH, WINDOW_WIDTH};
use super::products::{INC_WIDTH, saturated};
use super::settings::InForce;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select, when};

/// A row.
#[derive(Bundle)]
#[shape]
struct Increase<L: Reading> {
    #[width(INC_WIDTH)]
    inc_bytes: Bits<L>,
    #[width(WINDOW_WIDTH)]
    received: Bits<L>,
    #[width(TIME_WIDTH)]
    adjust_end: Bits<L>,
    #[width(TIME_WIDTH)]
    decrease_end: Bits<L>,
}

/// What is known of a pass in step `l` + 16.
#[derive(Bundle)]
#[shape]
struct Known<L: Reading> {
    /// An ACK with a sample; one that decreases if the deadline is reached.
    #[reset]
    sampled: Bits<L>,
    #[reset]
    decreases: Bits<L>,
    /// A decrease that an increase follows, and it is on time.
    #[reset]
    then_up: Bits<L>,
    on_time: Bits<L>,
    /// What it adds to *inc_bytes* and *received*.
    #[width(INC_WIDTH)]
    added: Bits<L>,
    #[width(CREDIT_WIDTH)]
    received: Bits<L>,
    /// *received* must be above this, signed.
    #[width(CREDIT_WIDTH + 1)]
    bound: Bits<L>,
    #[width(TIME_WIDTH)]
    adjust_until: Bits<L>,
    #[width(TIME_WIDTH)]
    decrease_until: Bits<L>,
}

/// What a pass does to the row, as the row says.
#[derive(Bundle)]
struct Judged<L: Reading> {
    on_time: Bits<L>,
    /// An increase is due.
    due: Bits<L>,
    down: Bits<L>,
    up: Bits<L>,
}

/// The increases of all CCCs.
#[name_nets]
pub struct Increases<L: Logic> {
    config: CccTableConfig,
    rows: RmwTable<L, Increase<L>>,
    /// Step `l` + 15.
    wait: Reg<Bits<L>>,
    known: Reg<Known<L>>,
    start: Reg<Start<L>>,
}

/// What is known of passes.
pub struct IncreasesIn<L: Logic> {
    /// Step `l` + 14.
    pub base_rtt: Bits<L>,
    /// Step `l` + 15: what an ACK adds, but not if it is excluded.
    pub increase: Bits<L>,
    pub excluded: Bits<L>,
    /// An adjustment is made, if `adjusted` is 1.
    pub adjusted: Bits<L>,
    pub adjustment: Due<L>,
    /// The time of the passes in steps `l` + 15 and `l` + 16.
    pub now: [Bits<L>; 2],
    /// Steps `l` + 15 and `l` + 16.
    pub filtered: [Filtered<L>; 2],
    /// Step `l` + 15.
    pub quadrant: Quadrant<L>,
    /// Step `l` + 16.
    pub adapted: Adapted<L>,
}

#[name_nets]
impl<L: Logic> Increases<L> {
    pub fn new(config: CccTableConfig) -> Self {
        let (flag, inc, bytes, time) = (bits(1), bits(INC_WIDTH), bits(WINDOW_WIDTH), bits(TIME_WIDTH));
        let row = Increase::shape();
        let sum = bits(config.delays_width());
        Increases {
            config,
            rows: RmwTable::new(config.cccs, config.ram_latency, &row).compared_early(),
            wait: Reg::new(&bits(WAIT_WIDTH)),
            known: Reg::new(&Known::shape()),
            start: Reg::new(&Start::shape(config)),
        }
    }

    /// Step `l` + 17: the adjustment that the pass starts.
    pub fn start(&self) -> Start<L> {
        PASS.at(self.config.ram_latency + 17, self.start.get())
    }

    /// One clock cycle: the passes in all steps, what they do, and what is kept of them.
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        deeds: &[Deed<L>],
        kept: &[Kept<L>],
        from: IncreasesIn<L>,
        settings: InForce<L>,
    ) {
        let config = self.config;
        let (step, bytes) = (config.increases() as usize, WINDOW_WIDTH);

        // l + 16
        let (row, known, deed) = (self.rows.operand(), self.known.get(), deeds[step]);
        let inc_bytes = saturated(row.inc_bytes.extend(INC_WIDTH + 1) + known.added.extend(INC_WIDTH + 1), INC_WIDTH);
        let received = saturated(row.received.extend(bytes + 1) + known.received.extend(bytes + 1), bytes);
        let stops = from.adapted.fires | from.adapted.swallowed;
        let (sampled, decreases) = (known.sampled & !stops, known.decreases & !stops);
        // What becomes of a sum hangs on three comparisons, so that they are made for both rows that this may be.
        let judged = self.rows.of_operand(|row| {
            let enough =
                known.bound.bit(CREDIT_WIDTH) | row.received.greater(known.bound.truncate(CREDIT_WIDTH).extend(bytes));
            let on_time = reached(from.now[1], row.adjust_end);
            let due = on_time | enough;
            let down = decreases & reached(from.now[1], row.decrease_end);
            Judged { on_time, due, down, up: sampled & due & !down | known.then_up }
        });
        let Judged { on_time, due, down, up } = judged;
        let opens = deed.opens;
        let next = Increase {
            inc_bytes: inc_bytes.gate(!(stops | up | opens)),
            received: received.gate(!(stops | sampled & due | opens)),
            adjust_end: select(sampled & on_time | opens, known.adjust_until, row.adjust_end),
            decrease_end: select(down | opens, known.decrease_until, row.decrease_end),
        };
        self.rows.clock(passes[config.access(config.increases()) as usize].access(), Bits::lit(1, 1));
        when(passes[step].access().valid, || self.rows.modify(next));
        let eta = select(known.then_up, known.on_time, on_time);
        self.start.set(Start {
            valid: up | down,
            down,
            then_up: due,
            on_time: eta,
            inc_bytes,
            filtered: from.filtered[1],
        });

        // l + 15
        let acks = deeds[step - 1].acks.expect("an event of NSCC");
        let new = kept[step - 1].received().gate(acks);
        self.known.set(Known {
            sampled: acks & from.quadrant.sampled,
            decreases: acks & from.quadrant.decrease & from.filtered[0].high,
            then_up: from.adjusted & from.adjustment.down & from.adjustment.then_up,
            on_time: from.adjustment.on_time,
            added: from.increase.gate(!from.excluded & acks),
            received: new,
            bound: settings.adjust_bytes.extend(CREDIT_WIDTH + 1) - new.extend(CREDIT_WIDTH + 1),
            adjust_until: after(from.now[0], settings.adjust_period),
            decrease_until: after(from.now[0], self.wait.get()),
        });

        // l + 14
        self.wait.set(wait(from.base_rtt, Bits::lit(WAIT_WIDTH, 1)));
    }
}
