// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a CCC may send and how much, and how much credit it asks for (rows C26 and C27). With memories of latency `l`:
//!
//! ```text
//!  l + 4   bytes that wait; inflight + mtu
//!  l + 9   demand, at most max_wnd
//!  l + 15  rooms of both algorithms
//!  l + 16  the smaller one; demand, at most cwnd + mtu; packets of a turn, by pairs of bits of the weight
//!  l + 17  limit; demand less credit; bytes of a turn
//!  l + 18  state; demand, not less than 0 or a turn
//!  l + 19  in units of credit
//!  l + 20  credit target
//!  l + 21  known
//! ```

use super::config::CccTableConfig;
use super::credits::Credit;
use super::flight::{Counted, Deed};
use super::pass::PASS;
use super::ports::{BACKLOG_WIDTH, CREDIT_WIDTH, SIZE_WIDTH, WINDOW_WIDTH, state};
use super::products::{saturated, smaller};
use super::settings::InForce;
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, constant, name_nets, select};

/// Width of a signed limit, and of a signed demand.
const SIGNED_WIDTH: u32 = WINDOW_WIDTH + 2;
/// What the headers of a packet have at most, as *mtu* may be that of its payload.
const HEADERS: u64 = 512;
/// Width of the size of the largest packet with them.
const PACKET_WIDTH: u32 = SIZE_WIDTH + 1;
/// Width of three of them, which are less than 65,536 bytes.
const PAIR_WIDTH: u32 = PACKET_WIDTH + 1;

/// What is known of the counts, from step `l` + 5 on.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct Waiting<L: Reading> {
    /// Packets wait, for the first time or again; again; or are in flight.
    pub waits: Bits<L>,
    pub waits_again: Bits<L>,
    pub flies: Bits<L>,
    /// RCCC: there are bytes that wait.
    #[width(config.rccc(1))]
    pub has_bytes: Option<Bits<L>>,
    #[width(config.rccc(CREDIT_WIDTH))]
    pub credit_number: Option<Bits<L>>,
    /// NSCC: bytes in flight.
    #[width(config.nscc(WINDOW_WIDTH + 1))]
    pub inflight: Option<Bits<L>>,
}

/// The rooms of step `l` + 16.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
struct Rooms<L: Reading> {
    #[width(config.nscc(SIGNED_WIDTH))]
    of_nscc: Option<Bits<L>>,
    #[width(config.rccc(SIGNED_WIDTH))]
    of_rccc: Option<Bits<L>>,
    /// *cwnd* + *mtu*.
    #[width(config.nscc(WINDOW_WIDTH + 1))]
    above_cwnd: Option<Bits<L>>,
}

/// What is known of the limit, from step `l` + 18 on.
#[derive(Bundle)]
#[shape]
pub struct Limit<L: Reading> {
    /// It is not negative.
    pub may_send: Bits<L>,
    #[width(WINDOW_WIDTH)]
    pub limit: Bits<L>,
}

/// Limits and demands.
#[name_nets]
pub struct Limits<L: Logic> {
    config: CccTableConfig,
    /// Steps `l` + 5 to `l` + 21.
    waiting: PipelineRegs<Waiting<L>>,
    /// Step `l` + 5.
    bytes: Option<Reg<Bits<L>>>,
    /// Steps `l` + 6 to `l` + 9.
    backlog: Option<PipelineRegs<Bits<L>>>,
    /// Steps `l` + 10 to `l` + 16.
    wanted: Option<PipelineRegs<Bits<L>>>,
    /// Steps `l` + 5 to `l` + 15.
    flown: Option<PipelineRegs<Bits<L>>>,
    rooms: Reg<Rooms<L>>,
    /// Step `l` + 17.
    room: Reg<Bits<L>>,
    demand_bytes: Option<Reg<Bits<L>>>,
    /// Steps `l` + 16 and `l` + 17.
    credit: Option<PipelineRegs<Credit<L>>>,
    /// Steps `l` + 18 to `l` + 21.
    limit: PipelineRegs<Limit<L>>,
    /// Steps `l` + 16 to `l` + 21.
    asks: PipelineRegs<Bits<L>>,
    /// Steps `l` + 19 to `l` + 21.
    state: PipelineRegs<Bits<L>>,
    demand: Option<Demand<L>>,
}

/// The demand for credit.
#[name_nets]
struct Demand<L: Logic> {
    /// log2 of the bytes of a unit.
    log: u32,
    /// *mtu* and headers, a setting.
    packet: Reg<Bits<L>>,
    /// Step `l` + 17: so many packets as bits 1:0 of the weight say, and as bits 3:2 do.
    pairs: [Reg<Bits<L>>; 2],
    /// Step `l` + 18: what a turn takes.
    turn: Reg<Bits<L>>,
    /// Step `l` + 18: signed.
    missing: Reg<Bits<L>>,
    speculative: Reg<Bits<L>>,
    /// Step `l` + 19.
    positive: Reg<Bits<L>>,
    /// Step `l` + 20.
    quanta: Reg<Bits<L>>,
    /// Step `l` + 21.
    target: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Demand<L> {
    fn new(log: u32) -> Self {
        Demand {
            log,
            packet: Reg::new(&bits(PACKET_WIDTH)),
            pairs: [0, 1].map(|pair| Reg::numbered(pair, &bits(PAIR_WIDTH))),
            turn: Reg::new(&bits(PAIR_WIDTH + 2)),
            missing: Reg::new(&bits(SIGNED_WIDTH)),
            speculative: Reg::new(&bits(1)),
            positive: Reg::new(&bits(SIGNED_WIDTH - 1)),
            quanta: Reg::new(&bits(SIGNED_WIDTH - 1 - log)),
            target: Reg::new(&bits(CREDIT_WIDTH)),
        }
    }

    /// One clock cycle: the weight in step `l` + 16; bytes wanted and credit in step `l` + 17; waiting in steps `l` + 18 and
    /// `l` + 20; the CCC has RCCC in step `l` + 20.
    fn clock(
        &self,
        weight: Bits<L>,
        (bytes, credit): (Bits<L>, Credit<L>),
        waiting: [Waiting<L>; 2],
        rccc: Bits<L>,
        settings: InForce<L>,
    ) {
        // l + 20
        let number = waiting[1].credit_number.expect("a credit number of RCCC");
        self.target.set((number + self.quanta.get().extend(CREDIT_WIDTH)).gate(rccc));

        // l + 19
        let positive = self.positive.get();
        let whole = positive.slice(self.log, positive.width() - self.log);
        self.quanta.set(whole + positive.truncate(self.log).any().extend(whole.width()));

        // l + 18
        let missing = self.missing.get();
        let asks = self.speculative.get() & waiting[0].has_bytes.expect("a flag of RCCC");
        let least = self.turn.get().gate(asks).extend(SIGNED_WIDTH);
        let demand = select(missing.less_signed(least), least, missing);
        self.positive.set(demand.truncate(SIGNED_WIDTH - 1));

        // l + 17
        self.missing.set(bytes.extend(SIGNED_WIDTH) - credit.credit.extend_signed(SIGNED_WIDTH));
        self.speculative.set(credit.speculative);
        let [low, high] = [0, 1].map(|pair: usize| self.pairs[pair].get());
        self.turn.set(low.extend(PAIR_WIDTH + 2) + high.concat(Bits::lit(2, 0)));

        // l + 16
        let packet = self.packet.get();
        for (bit, pair) in [0, 2].into_iter().zip(&self.pairs) {
            let (one, two) = (packet.gate(weight.bit(bit)), packet.gate(weight.bit(bit + 1)));
            pair.set(one.extend(PAIR_WIDTH) + two.concat(Bits::lit(1, 0)));
        }
        self.packet.set(settings.mtu.extend(PACKET_WIDTH) + HEADERS);
    }
}

/// What is known of passes.
pub struct LimitsIn<L: Logic> {
    /// Step `l` + 4.
    pub counted: Counted<L>,
    /// *max_wnd* in step `l` + 9.
    pub max_wnd: Bits<L>,
    /// Step `l` + 15.
    pub cwnd: Option<Bits<L>>,
    pub credit: Option<Credit<L>>,
}

#[name_nets]
impl<L: Logic> Limits<L> {
    pub fn new(config: CccTableConfig) -> Self {
        let (l, flag, bytes, signed) = (config.ram_latency, bits(1), bits(WINDOW_WIDTH), bits(SIGNED_WIDTH));
        let credit = Credit::shape();
        let waiting = Waiting::shape(config);
        Limits {
            config,
            waiting: PipelineRegs::new(l + 5..=l + 21, &waiting).checked(PASS),
            bytes: config.rccc(()).map(|()| Reg::new(&bits(BACKLOG_WIDTH + 1))),
            backlog: config.rccc(()).map(|()| PipelineRegs::new(l + 6..=l + 9, &bytes).checked(PASS)),
            wanted: config.rccc(()).map(|()| PipelineRegs::new(l + 10..=l + 16, &bytes).checked(PASS)),
            flown: config.nscc(()).map(|()| PipelineRegs::new(l + 5..=l + 15, &signed).checked(PASS)),
            rooms: Reg::new(&Rooms::shape(config)),
            room: Reg::new(&signed),
            demand_bytes: config.rccc(()).map(|()| Reg::new(&bytes)),
            credit: config.rccc(()).map(|()| PipelineRegs::new(l + 16..=l + 17, &credit).checked(PASS)),
            limit: PipelineRegs::new(l + 18..=l + 21, &Limit::shape()).checked(PASS),
            asks: PipelineRegs::new(l + 16..=l + 21, &flag).checked(PASS),
            state: PipelineRegs::new(l + 19..=l + 21, &bits(2)).checked(PASS),
            demand: config.rccc(config.credit_log()).map(Demand::new),
        }
    }

    /// What waits, in this step.
    pub fn waiting(&self, step: u32) -> Waiting<L> {
        self.waiting.at(step)
    }

    /// The state of the CCC of the pass in this step, `l` + 20 or `l` + 21.
    pub fn state(&self, step: u32) -> Bits<L> {
        self.state.at(step)
    }

    /// Step `l` + 21.
    pub fn limit(&self) -> Bits<L> {
        self.limit.last().limit
    }

    /// Step `l` + 21: packets are to ask for an ACK.
    pub fn asks(&self) -> Bits<L> {
        self.asks.last()
    }

    /// Step `l` + 21.
    pub fn credit_target(&self) -> Bits<L> {
        PASS.at(
            self.config.ram_latency + 21,
            self.demand.as_ref().map_or(Bits::lit(CREDIT_WIDTH, 0), |demand| demand.target.get()),
        )
    }

    /// One clock cycle: what passes in all steps do.
    pub fn clock(&self, deeds: &[Deed<L>], from: LimitsIn<L>, settings: InForce<L>) {
        let l = self.config.ram_latency;
        let deed = |step: u32| deeds[(l + step) as usize];
        let mtu = settings.mtu;

        // l + 18 to l + 20
        let (limit, waiting) = (self.limit.at(l + 18), self.waiting.at(l + 18));
        let [idle, pending, active, ready] =
            [constant!(state::IDLE), constant!(state::PENDING), constant!(state::ACTIVE), constant!(state::READY)]
                .map(|code| code.lit(2));
        let busy = select(limit.may_send, ready, active);
        self.state.shift(select(waiting.waits, busy, select(waiting.flies, pending, idle)));
        let bytes_and_credit =
            self.demand_bytes.as_ref().map(Reg::get).zip(self.credit.as_ref().map(PipelineRegs::last));
        if let (Some(demand), Some(wanted)) = (&self.demand, bytes_and_credit) {
            demand.clock(deed(16).weight, wanted, [waiting, self.waiting.at(l + 20)], deed(20).rccc, settings);
        }

        // l + 17
        let room = self.room.get();
        let may_send = !room.bit(SIGNED_WIDTH - 1);
        self.limit.shift(Limit { may_send, limit: saturated(room.truncate(SIGNED_WIDTH - 1), WINDOW_WIDTH) });

        // l + 16
        let rooms = self.rooms.get();
        let most = Bits::lit(SIGNED_WIDTH, (1 << WINDOW_WIDTH) - 1);
        let room = match (rooms.of_nscc, rooms.of_rccc) {
            (Some(of_nscc), Some(of_rccc)) => {
                let of_nscc = select(deed(16).nscc, of_nscc, most);
                let of_rccc = select(deed(16).rccc, of_rccc, most);
                select(of_nscc.less_signed(of_rccc), of_nscc, of_rccc)
            }
            (Some(room), None) | (None, Some(room)) => room,
            (None, None) => most,
        };
        self.room.set(room);
        if let (Some(bytes), Some(wanted)) = (&self.demand_bytes, &self.wanted) {
            let wanted = wanted.last();
            bytes.set(rooms.above_cwnd.map_or(wanted, |above| {
                let is_less = deed(16).nscc & above.less(wanted.extend(above.width()));
                select(is_less, above.truncate(WINDOW_WIDTH), wanted)
            }));
        }

        // l + 15
        let asks = from
            .cwnd
            .map_or(Bits::lit(1, 0), |cwnd| deed(15).nscc & cwnd.less(settings.ack_trigger.extend(WINDOW_WIDTH)));
        self.asks.shift(asks);
        let flown = self.flown.as_ref().map(PipelineRegs::last);
        self.rooms.set(Rooms {
            of_nscc: from.cwnd.zip(flown).map(|(cwnd, flown)| cwnd.extend(SIGNED_WIDTH) - flown),
            of_rccc: from.credit.map(|row| row.credit.extend_signed(SIGNED_WIDTH) - 1),
            above_cwnd: from.cwnd.map(|cwnd| cwnd.extend(WINDOW_WIDTH + 1) + mtu.extend(WINDOW_WIDTH + 1)),
        });
        if let (Some(regs), Some(credit)) = (&self.credit, from.credit) {
            regs.shift(credit);
        }

        // l + 4 to l + 9
        let Counted { backlog, waiting_rtx, rtx_backlog, inflight_pkts, inflight, credit_number } = from.counted;
        if let (Some(wanted), Some(saturates), Some(bytes)) = (&self.wanted, &self.backlog, &self.bytes) {
            wanted.shift(smaller(saturates.last(), from.max_wnd));
            saturates.shift(saturated(bytes.get(), WINDOW_WIDTH));
            bytes.set(backlog.extend(BACKLOG_WIDTH + 1) + rtx_backlog.extend(BACKLOG_WIDTH + 1));
        }
        if let (Some(flown), Some(inflight)) = (&self.flown, inflight) {
            flown.shift(inflight.extend_signed(SIGNED_WIDTH) + mtu.extend(SIGNED_WIDTH));
        }
        let waits_again = waiting_rtx.any();
        let some = backlog.any();
        self.waiting.shift(Waiting {
            waits: some | waits_again,
            waits_again,
            flies: inflight_pkts.any(),
            has_bytes: self.config.rccc(()).map(|()| some | rtx_backlog.any()),
            credit_number,
            inflight,
        });
    }
}
