// SPDX-License-Identifier: MIT OR Apache-2.0
//! Credit of RCCC (row C25). With memories of latency `l`:
//!
//! ```text
//!  l + 11  bytes granted
//!  l + 12  max_wnd less these
//!  l + 13  summand
//!  l + 14  sum, one comparison, a selection
//!  l + 15  written
//! ```

use super::config::CccTableConfig;
use super::flight::Deed;
use super::pass::{Kept, PASS, Pass};
use super::ports::{CREDIT_WIDTH, WINDOW_WIDTH};
use super::products::{saturated, smaller};
use super::settings::InForce;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select, when};

/// A row.
#[derive(Bundle)]
#[shape]
pub struct Credit<L: Reading> {
    /// Signed.
    #[width(WINDOW_WIDTH + 1)]
    pub credit: Bits<L>,
    pub speculative: Bits<L>,
}

/// What is known of a pass in step `l` + 14; the first two in step `l` + 13 too.
#[derive(Bundle)]
#[shape]
struct Known<L: Reading> {
    /// What a credit of at least `high`, signed, is cut to.
    #[width(WINDOW_WIDTH + 1)]
    high: Bits<L>,
    /// The credit after an answer if all of it is taken back.
    #[width(WINDOW_WIDTH)]
    from_none: Bits<L>,
    /// Signed.
    #[width(WINDOW_WIDTH + 2)]
    summand: Bits<L>,
}

/// The credits of all CCCs.
#[name_nets]
pub struct Credits<L: Logic> {
    config: CccTableConfig,
    rows: RmwTable<L, Credit<L>>,
    /// Step `l` + 12.
    granted: Reg<Bits<L>>,
    /// Step `l` + 13.
    below_max: Reg<Bits<L>>,
    granted_later: Reg<Bits<L>>,
    capped: Reg<Bits<L>>,
    known: Reg<Known<L>>,
}

#[name_nets]
impl<L: Logic> Credits<L> {
    pub fn new(config: CccTableConfig) -> Self {
        let (bytes, signed) = (bits(WINDOW_WIDTH), bits(WINDOW_WIDTH + 1));
        Credits {
            config,
            rows: RmwTable::new(config.cccs, config.ram_latency, &Credit::shape()).compared_early(),
            granted: Reg::new(&bytes),
            below_max: Reg::new(&signed),
            granted_later: Reg::new(&bytes),
            capped: Reg::new(&bytes),
            known: Reg::new(&Known::shape()),
        }
    }

    /// Step `l` + 15: the credit after the pass.
    pub fn credit(&self) -> Credit<L> {
        PASS.at(self.config.ram_latency + 15, self.rows.modified())
    }

    /// One clock cycle: the passes in all steps, what they do, and what is kept of them; *max_wnd* in steps `l` + 12 and
    /// `l` + 14.
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        deeds: &[Deed<L>],
        kept: &[Kept<L>],
        max_wnd: [Bits<L>; 2],
        settings: InForce<L>,
    ) {
        let config = self.config;
        let (step, bytes) = (config.window() as usize, WINDOW_WIDTH);
        let of = |flag: Option<Bits<L>>| flag.expect("an event of RCCC");

        // l + 14
        let (row, known, deed) = (self.rows.operand(), self.known.get(), deeds[step]);
        let [answers, credits] = [deed.answers, deed.credits].map(of);
        let negative = row.credit.bit(bytes);
        let taken_back = answers & row.speculative & !negative;
        let is_high = credits & known.high.at_most_signed(row.credit);
        let sum = row.credit.extend_signed(bytes + 2) + known.summand;
        let below = sum.bit(bytes + 1) & !sum.bit(bytes);
        let lowest = Bits::lit(bytes + 1, 1 << bytes);
        let next = select(below, lowest, sum.truncate(bytes + 1));
        let next = select(is_high, max_wnd[1].extend(bytes + 1), next);
        let next = select(taken_back, known.from_none.extend(bytes + 1), next);
        self.rows.clock(passes[config.access(config.window()) as usize].access(), Bits::lit(1, 1));
        when(passes[step].access().valid, || {
            self.rows.modify(Credit {
                credit: select(deed.opens, settings.config_wnd.extend(bytes + 1), next),
                speculative: select(deed.opens, deed.rccc, row.speculative & !answers),
            });
        });

        // l + 13
        let (deed, event) = (deeds[step - 1], kept[step - 1]);
        let [credits, sent] = [deed.credits, deed.sent].map(of);
        let granted = self.granted_later.get().gate(credits).extend(bytes + 2);
        let size = event.size.gate(sent).extend(bytes + 2);
        let summand = select(credits, granted, Bits::lit(bytes + 2, 0) - size);
        self.known.set(Known { high: self.below_max.get(), from_none: self.capped.get().gate(credits), summand });

        // l + 12
        let granted = self.granted.get();
        self.below_max.set(max_wnd[0].extend(bytes + 1) - granted.extend(bytes + 1));
        self.granted_later.set(granted);
        self.capped.set(smaller(granted, max_wnd[0]));

        // l + 11
        let quanta = of(deeds[step - 3].granted_quanta);
        assert_eq!(quanta.width(), CREDIT_WIDTH - 1);
        self.granted.set(saturated(quanta.concat(Bits::lit(config.credit_log(), 0)), bytes));
    }
}
