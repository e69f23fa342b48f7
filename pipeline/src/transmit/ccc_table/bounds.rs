// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a pass does to a window, as far as it is known without it: *cwnd* becomes a value if it is at most `low`, another
//! one if it is at least `high`, else a sum. With memories of latency `l`:
//!
//! ```text
//!  l + 10  the amount
//!  l + 11  mtu + amount, max_wnd - amount, inflight - amount
//!  l + 12  bounds of these
//!  l + 13  those of the kind of pass
//! ```

use super::adapt::Adapted;
use super::config::CccTableConfig;
use super::delays::Quadrant;
use super::flight::Deed;
use super::pass::{Kept, Pass};
use super::ports::{CREDIT_WIDTH, WINDOW_WIDTH};
use super::products::larger;
use super::settings::InForce;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select};

/// What a pass does in step `l` + 14.
#[derive(Bundle)]
#[shape]
pub struct Change<L: Reading> {
    /// The window changes, whatever it is.
    pub moves: Bits<L>,
    pub fires: Bits<L>,
    /// An ACK with rcv_cwnd_pend, and one that ends it.
    pub pends: Bits<L>,
    pub restoring: Bits<L>,
    /// The quadrant of an ACK that does not stop, and whether its delay is small.
    pub proportional: Bits<L>,
    pub decrease: Bits<L>,
    pub small: Bits<L>,
    pub may_be_fast: Bits<L>,
    /// Bytes that are newly received.
    #[width(CREDIT_WIDTH)]
    pub new: Bits<L>,
    #[width(WINDOW_WIDTH + 1)]
    pub low: Bits<L>,
    #[width(WINDOW_WIDTH)]
    pub low_value: Bits<L>,
    #[width(WINDOW_WIDTH + 1)]
    pub high: Bits<L>,
    #[width(WINDOW_WIDTH)]
    pub high_value: Bits<L>,
    #[width(WINDOW_WIDTH)]
    pub summand: Bits<L>,
}

/// Steps `l` + 12 and `l` + 13: candidates.
#[derive(Bundle)]
#[shape]
struct Candidates<L: Reading> {
    #[width(WINDOW_WIDTH + 1)]
    low: Bits<L>,
    /// *max_wnd* less the amount, and bytes in flight less the amount; signed in step `l` + 12.
    #[width(WINDOW_WIDTH + 1)]
    below_max: Bits<L>,
    #[width(WINDOW_WIDTH + 2)]
    below_inflight: Bits<L>,
    #[width(WINDOW_WIDTH)]
    amount: Bits<L>,
}

/// The bounds of passes.
#[name_nets]
pub struct Bounds<L: Logic> {
    config: CccTableConfig,
    /// Step `l` + 11.
    amount: Reg<Bits<L>>,
    /// Step `l` + 12.
    candidates: Reg<Candidates<L>>,
    /// Step `l` + 13.
    bounded: Reg<Candidates<L>>,
    inflight: Reg<Bits<L>>,
    target_wnd: Reg<Bits<L>>,
    /// Step `l` + 14.
    change: Reg<Change<L>>,
}

/// What is known of passes.
pub struct BoundsIn<L: Logic> {
    /// Step `l` + 10: what rcv_cwnd_pend takes, what a fast increase and an adjustment add.
    pub pend_bytes: Bits<L>,
    pub fast_bytes: Bits<L>,
    pub adjustment: Bits<L>,
    /// *max_wnd* in steps `l` + 11 and `l` + 13.
    pub max_wnd: [Bits<L>; 2],
    /// Bytes in flight in steps `l` + 11 and `l` + 12.
    pub inflight: [Bits<L>; 2],
    /// Quick adapt in steps `l` + 12 and `l` + 13.
    pub adapted: [Adapted<L>; 2],
    /// Step `l` + 13.
    pub quadrant: Quadrant<L>,
    pub goes_down: Bits<L>,
}

#[name_nets]
impl<L: Logic> Bounds<L> {
    pub fn new(config: CccTableConfig) -> Self {
        let (flag, bytes, wider) = (bits(1), bits(WINDOW_WIDTH), bits(WINDOW_WIDTH + 1));
        let candidates = Candidates::shape();
        Bounds {
            config,
            amount: Reg::new(&bytes),
            candidates: Reg::new(&candidates),
            bounded: Reg::new(&Candidates { below_max: bytes, below_inflight: bytes, ..candidates }),
            inflight: Reg::new(&bytes),
            target_wnd: Reg::new(&bytes),
            change: Reg::new(&Change::shape()),
        }
    }

    /// What the pass in step `l` + 14 does.
    pub fn change(&self) -> Change<L> {
        self.change.get()
    }

    /// One clock cycle: the passes in all steps, what they do, and what is kept of them.
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        deeds: &[Deed<L>],
        kept: &[Kept<L>],
        from: BoundsIn<L>,
        settings: InForce<L>,
    ) {
        let (l, bytes) = (self.config.ram_latency as usize, WINDOW_WIDTH);
        let events = |deed: Deed<L>| [deed.acks, deed.nacks, deed.loses].map(|kind| kind.expect("an event of NSCC"));
        let mtu = settings.mtu.extend(bytes);

        // l + 13
        let (pass, event, bounded) = (passes[l + 13], kept[l + 13], self.bounded.get());
        let [acks, _, loses] = events(deeds[l + 13]);
        let [target_wnd, inflight] = [self.target_wnd.get(), self.inflight.get()];
        let Adapted { fires, swallowed, cuts, .. } = from.adapted[1];
        let goes_on = !(fires | swallowed);
        let pends = acks & event.pend.any();
        let restoring = acks & !event.pend.any() & event.restore;
        let loses = loses | cuts & !swallowed;
        let lowers = pends | loses | pass.adjusts & from.goes_down;
        let never = Bits::lit(bytes + 1, 1 << bytes);
        let high = select(pends, inflight, bounded.below_max).extend(bytes + 1);
        let negated = (Bits::lit(bytes, 0) - bounded.amount).named("negated");
        self.change.set(Change {
            moves: fires | pends | loses,
            fires,
            pends,
            restoring,
            proportional: from.quadrant.proportional & goes_on,
            decrease: from.quadrant.decrease & goes_on,
            small: from.quadrant.small,
            may_be_fast: from.quadrant.proportional & goes_on & from.quadrant.small & !pends,
            new: event.received(),
            low: bounded.low.gate(lowers) | fires.extend_signed(bytes + 1),
            low_value: select(fires, target_wnd, mtu),
            high: select(lowers & !pends, never, high),
            high_value: select(pends, bounded.below_inflight, from.max_wnd[1]),
            summand: select(lowers, negated, bounded.amount),
        });

        // l + 12
        let candidates = self.candidates.get();
        let below = candidates.below_inflight;
        // What is not negative has 28 bits.
        let positive = below.truncate(bytes).gate(!below.bit(bytes + 1));
        self.bounded.set(Candidates {
            low: candidates.low,
            below_max: candidates.below_max.truncate(bytes).gate(!candidates.below_max.bit(bytes)),
            below_inflight: larger(positive, mtu),
            amount: candidates.amount,
        });
        self.inflight.set(from.inflight[1].truncate(bytes).gate(!from.inflight[1].bit(bytes)));
        self.target_wnd.set(larger(from.adapted[0].achieved, mtu));

        // l + 11
        let amount = self.amount.get();
        let wider = amount.extend(bytes + 1);
        self.candidates.set(Candidates {
            low: mtu.extend(bytes + 1) + wider,
            below_max: from.max_wnd[0].extend(bytes + 1) - wider,
            below_inflight: from.inflight[0].extend_signed(bytes + 2) - amount.extend(bytes + 2),
            amount,
        });

        // l + 10
        let (pass, event) = (passes[l + 10], kept[l + 10]);
        let [acks, ..] = events(deeds[l + 10]);
        let of_ack = select(event.pend.any(), from.pend_bytes, from.fast_bytes);
        let of_event = select(acks, of_ack, event.size.extend(bytes));
        self.amount.set(select(pass.adjusts, from.adjustment, of_event));
    }
}
