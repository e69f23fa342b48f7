// SPDX-License-Identifier: MIT OR Apache-2.0
//! The adjustment unit (rows C20, C23 and C24): one pipelined divider, between two multiplications. Steps are those of the
//! pass that starts an adjustment, with memories of latency `l`:
//!
//! ```text
//!  l + 17        gamma x excess
//!  l + 19        numerator, denominator
//!  l + 20 on     24 quotient bits, one per step
//!  l + 44        bounds, eta
//!  l + 45        cut x cwnd
//!  l + 47        the amount
//!  64            the adjustment enters
//!  64 + l + 10   the amount is needed
//! ```

use super::config::{ADJUSTMENT, CccTableConfig};
use super::delays::Filtered;
use super::divider::{Divider, Division, QUOTIENT_WIDTH};
use super::ports::WINDOW_WIDTH;
use super::products::{INC_WIDTH, Product};
use super::settings::InForce;
use super::window::SETS_WIDTH;
use rtl_model::names::Scope;
use rtl_model::{Bits, Bundle, Delay, Logic, Reading, Reg, bits, name_nets, select};

/// Width of a cut, in 1 / 65536.
const CUT_WIDTH: u32 = 16;
/// Width of the filtered delay and of its excess, with the largest shift.
const SUM_WIDTH: u32 = 24;
/// Steps from the start of an adjustment to the numerator.
const TO_NUMERATOR: usize = 2;
/// Steps from the start of an adjustment to the quotient.
const TO_QUOTIENT: usize = TO_NUMERATOR + 1 + QUOTIENT_WIDTH as usize;
/// Steps from the quotient to the amount: two registers of the product after that of the cut.
const TO_AMOUNT: usize = 3;

/// What an adjustment starts with, in step `l` + 17.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct Start<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    pub down: Bits<L>,
    /// An increase follows.
    pub then_up: Bits<L>,
    pub on_time: Bits<L>,
    #[width(INC_WIDTH)]
    pub inc_bytes: Bits<L>,
    /// The filtered delay.
    pub filtered: Filtered<L>,
}

/// An adjustment that is due.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct Due<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// *sets* as the pass has left it that started it.
    #[width(SETS_WIDTH)]
    pub sets: Bits<L>,
    pub down: Bits<L>,
    /// An increase follows, and it is on time.
    pub then_up: Bits<L>,
    pub on_time: Bits<L>,
}

/// What goes along with a numerator.
#[derive(Bundle)]
#[shape]
struct Operands<L: Reading> {
    down: Bits<L>,
    #[width(INC_WIDTH)]
    inc_bytes: Bits<L>,
    #[width(SUM_WIDTH)]
    sum: Bits<L>,
    #[width(WINDOW_WIDTH)]
    cwnd: Bits<L>,
}

/// What goes along with a quotient.
#[derive(Bundle)]
#[shape]
struct Kind<L: Reading> {
    down: Bits<L>,
    on_time: Bits<L>,
    #[width(WINDOW_WIDTH)]
    cwnd: Bits<L>,
}

/// The adjustment unit.
#[name_nets]
pub struct AdjustmentUnit<L: Logic> {
    due: Delay<Due<L>>,
    /// The first half of the way there, so that the Verilog has two blocks.
    early: Delay<Due<L>>,
    operands: Delay<Operands<L>>,
    kinds: Delay<Kind<L>>,
    cut_excess: Product<L>,
    divider: Divider<L>,
    /// Step `l` + 45.
    cut: Reg<Bits<L>>,
    rise: Reg<Bits<L>>,
    kind: Reg<Kind<L>>,
    cut_cwnd: Product<L>,
    /// Step `l` + 47.
    later: Delay<Rise<L>>,
    amounts: Delay<Bits<L>>,
}

/// An increase, unless the window goes down.
#[derive(Bundle)]
#[shape]
struct Rise<L: Reading> {
    down: Bits<L>,
    #[width(QUOTIENT_WIDTH + 1)]
    bytes: Bits<L>,
}

#[name_nets]
impl<L: Logic> AdjustmentUnit<L> {
    pub fn new(config: CccTableConfig) -> Self {
        let (flag, bytes, first) = (bits(1), bits(WINDOW_WIDTH), config.increases() + 1);
        let kind = Kind::shape();
        let operands = Operands::shape();
        let known = first as usize + TO_QUOTIENT + TO_AMOUNT;
        let needed = (ADJUSTMENT + config.ram_latency + 10) as usize;
        let half = (ADJUSTMENT - first) / 2;
        let early = {
            let _scope = Scope::<L>::enter("early", "");
            Delay::new(&Due::shape(config), half as usize)
        };
        Self {
            due: Delay::new(&Due::shape(config), (ADJUSTMENT - first - half) as usize),
            early,
            operands: Delay::new(&operands, TO_NUMERATOR),
            kinds: Delay::new(&kind, TO_QUOTIENT),
            cut_excess: Product::new(SUM_WIDTH, 8),
            divider: Divider::new(),
            cut: Reg::new(&bits(CUT_WIDTH)),
            rise: Reg::new(&bits(QUOTIENT_WIDTH + 1)),
            kind: Reg::new(&kind),
            cut_cwnd: Product::new(WINDOW_WIDTH, CUT_WIDTH),
            later: Delay::new(&Rise::shape(), TO_AMOUNT - 1),
            amounts: Delay::new(&bytes, needed - known),
        }
    }

    /// The adjustment that is due in this clock cycle.
    pub fn due(&self) -> Due<L> {
        self.due.get()
    }

    /// What the adjustment in step `l` + 10 adds, or takes away.
    pub fn amount(&self) -> Bits<L> {
        self.amounts.get()
    }

    /// One clock cycle: an adjustment starts, with this CCC, *cwnd* and *sets*.
    pub fn clock(&self, start: Start<L>, ccc: Bits<L>, (cwnd, sets): (Bits<L>, Bits<L>), settings: InForce<L>) {
        // l + 47
        let rise = self.later.get();
        let fall = self.cut_cwnd.get().slice(CUT_WIDTH, WINDOW_WIDTH);
        self.amounts.shift(select(rise.down, fall, rise.bytes.extend(WINDOW_WIDTH)));

        // l + 45
        let (kind, bytes) = (self.kind.get(), self.rise.get());
        self.later.shift(Rise { down: kind.down, bytes });
        self.cut_cwnd.clock(kind.cwnd, self.cut.get());

        // l + 44
        let (kind, quotient) = (self.kinds.get(), self.divider.quotient());
        let most = settings.max_cut.concat(Bits::lit(8, 0));
        let is_less = quotient.less(most.extend(QUOTIENT_WIDTH));
        self.cut.set(select(is_less, quotient.truncate(CUT_WIDTH), most));
        let eta = settings.eta.gate(kind.on_time).extend(QUOTIENT_WIDTH + 1);
        self.rise.set(quotient.extend(QUOTIENT_WIDTH + 1) + eta);
        self.kind.set(kind);

        // l + 19
        let Operands { down, inc_bytes, sum, cwnd: window } = self.operands.get();
        let cut = self.cut_excess.get().concat(Bits::lit(8, 0));
        self.divider.clock(Division {
            numerator: select(down, cut, inc_bytes.extend(cut.width())),
            denominator: select(down, sum.extend(WINDOW_WIDTH), window),
        });

        // l + 17
        let Start { valid, down, then_up, on_time, inc_bytes, filtered } = start;
        let (sum, excess) = (filtered.sum.extend(SUM_WIDTH), filtered.excess.extend(SUM_WIDTH));
        self.cut_excess.clock(excess, settings.gamma);
        self.operands.shift(Operands { down, inc_bytes, sum, cwnd });
        self.kinds.shift(Kind { down, on_time, cwnd });
        self.due.shift(self.early.get());
        self.early.shift(Due { valid, ccc, sets, down, then_up, on_time });
    }
}
