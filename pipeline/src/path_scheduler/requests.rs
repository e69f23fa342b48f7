// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a request does. With memories of latency `l`:
//!
//! ```text
//!  step 0      arrive  QP to `contexts` and `sight`
//!       l      meet    its rows
//!       l + 1  admit   open? is there a sub-path? QP to `times` in step 1, here it stays or ends
//!       l + 2  rest    how long since the packet before; QP to `senders` in step 2, here it stays or ends
//!       l + 3  walk    the sub-path: that of the packet before, or the next one; a loop of one clock for one QP
//!       l + 4  fill    flags, entropy, tag; the packet to `sent`
//!       l + 5          grant
//! ```

use super::PathSchedulerConfig;
use super::ports::{ENTROPY_WIDTH, Grant, PATH_WIDTH, Request, granularity, kind};
use super::records::{Context, Sender, Sight, Told};
use super::sent::Sent;
use super::sight::SightTable;
use crate::clock::TIME_WIDTH;
use crate::iwrr::{Drawn, draw};
use crate::row::Row;
use crate::update::{Ask, Update};
use crate::write_first::WriteFirst;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select, when};

/// A request in steps 1 to `l` + 1.
#[derive(Bundle)]
struct Arrived<L: Reading> {
    #[reset]
    valid: Bits<L>,
    qp: Bits<L>,
    kind: Bits<L>,
    path: Bits<L>,
    /// There is such a QP.
    inside: Bits<L>,
}

/// A request in steps `l` + 2 and `l` + 3.
#[derive(Bundle)]
struct Admitted<L: Reading> {
    #[reset]
    valid: Bits<L>,
    qp: Bits<L>,
    kind: Bits<L>,
    path: Bits<L>,
    /// It is granted.
    #[reset]
    ok: Bits<L>,
    /// And is a packet of the stream.
    #[reset]
    streams: Bits<L>,
    /// The first active sub-path.
    first: Bits<L>,
}

/// A request in step `l` + 4.
#[derive(Bundle)]
struct Walked<L: Reading> {
    #[reset]
    valid: Bits<L>,
    qp: Bits<L>,
    ok: Bits<L>,
    #[reset]
    streams: Bits<L>,
    /// The sub-path of the stream, of the packet before it, and of a probe.
    path: Bits<L>,
    before: Bits<L>,
    probed: Bits<L>,
    /// There was no packet before it.
    fresh: Bits<L>,
    psn: Bits<L>,
    flowlet: Bits<L>,
    /// Begins a flowlet.
    begins: Bits<L>,
}

/// Requests, each with its grant, and the packets that they send.
#[name_nets]
pub struct Requests<L: Logic> {
    config: PathSchedulerConfig,
    /// All sub-paths of a QP side by side: weights, and what is known of each.
    sight: SightTable<L>,
    /// When each QP sent last.
    times: Update<L, Bits<L>>,
    /// Where each QP is in its round of sub-paths.
    senders: Update<L, Sender<L>>,
    /// Which of two turns of a QP its row in `senders` belongs to: a QP that is opened has the other one.
    turns: WriteFirst<L, Bits<L>>,
    sent: Sent<L>,
    /// Steps 1 to `l`: rows are on their way from the memories.
    arriving: Row<Arrived<L>>,
    /// Step `l` + 1.
    met: Reg<Arrived<L>>,
    /// Steps `l` + 2, `l` + 3.
    admitted: [Reg<Admitted<L>>; 2],
    /// Step `l` + 3: it is not one of the flowlet before.
    rested: Reg<Bits<L>>,
    walked: Reg<Walked<L>>,
    /// The context of the QP in steps `l` + 1 to `l` + 4.
    contexts: [Reg<Context<L>>; 4],
    /// What the request sees of its sub-paths in these steps.
    sights: [Reg<Sight<L>>; 4],
    grant: Reg<Grant<L>>,
    refused: Reg<Bits<L>>,
    pathless: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Requests<L> {
    pub fn new(config: PathSchedulerConfig) -> Self {
        let (flag, latency) = (bits(1), config.ram_latency);
        let Request { qp, kind, path, .. } = config.input_shape().request;
        let (number, sender) = (bits(config.path_bits()), config.sender());
        let arrived = Arrived { valid: flag, qp, kind, path, inside: flag };
        let admitted = Admitted { valid: flag, qp, kind, path, ok: flag, streams: flag, first: number };
        let walked = Walked {
            valid: flag,
            qp,
            ok: flag,
            streams: flag,
            path: number,
            before: number,
            probed: number,
            fresh: flag,
            psn: sender.psn,
            flowlet: sender.flowlet,
            begins: flag,
        };
        Requests {
            config,
            sight: SightTable::new(config),
            times: Update::new(config.qps, latency, &bits(TIME_WIDTH)),
            senders: Update::new(config.qps, latency, &sender),
            turns: WriteFirst::new(config.qps, latency, 1, &flag),
            sent: Sent::new(config),
            arriving: Row::new(latency as usize, |i| Reg::numbered(i as u32 + 1, &arrived)),
            met: Reg::new(&arrived),
            admitted: ["admitted", "rests"].map(|name| Reg::named(name, &admitted)),
            rested: Reg::new(&flag),
            walked: Reg::new(&walked),
            contexts: [1, 2, 3, 4].map(|i| Reg::numbered(latency + i, &config.context())),
            sights: [1, 2, 3, 4].map(|i| Reg::numbered(latency + i, &config.sight())),
            grant: Reg::new(&config.grant()),
            refused: Reg::new(&bits(32)).with_reset(),
            pathless: Reg::new(&bits(32)).with_reset(),
        }
    }

    pub fn grant(&self) -> Grant<L> {
        self.grant.get()
    }

    /// Requests that were refused: of QPs that are not open, and without a sub-path.
    pub fn refused(&self) -> [Bits<L>; 2] {
        [self.refused.get(), self.pathless.get()]
    }

    /// Packets sent on the sub-path of the event in step `l`.
    pub fn sent(&self) -> Bits<L> {
        self.sent.data()
    }

    /// The turn of the sender of the event in step `l`.
    pub fn turn(&self) -> Bits<L> {
        self.turns.data(0)
    }

    /// One cycle. `context` is that of the request in step `l`; `asked` are QP and row of the event in step 0; `sweeps`
    /// says that this is the row of a sub-path to be cleared.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        request: Request<L>,
        live: Bits<L>,
        context: Context<L>,
        told: Told<L>,
        asked: (Bits<L>, Bits<L>),
        sweeps: Bits<L>,
        flowlet: Bits<L>,
        time: Bits<L>,
    ) {
        let (met, walked) = (self.met.get(), self.walked.get());
        let [admitted, rests] = Reg::get_all(&self.admitted);
        let contexts = Reg::get_all(&self.contexts);
        let sights = Reg::get_all(&self.sights);
        let (asks_time, sender, rest) = (self.arriving.get(0), self.senders.operand(), self.times.operand());
        let asks_sender = if self.config.ram_latency == 1 { met } else { self.arriving.get(1) };

        // l + 4
        self.fill(walked, contexts[3], sights[3]);
        self.turns.clock(&[asked.0], Ask { valid: walked.streams, key: walked.qp }, self.senders.changed().turn);
        let row = self.config.row(walked.qp, walked.path);
        let packet = Ask { valid: sweeps | walked.streams, key: select(sweeps, asked.1, row) };
        self.sent.clock(packet, sweeps, asked.1);

        // l + 3
        self.senders.clock(Ask { valid: asks_sender.valid, key: asks_sender.qp }, admitted.ok);
        self.walked.set(Walked {
            valid: rests.valid,
            qp: rests.qp,
            ok: rests.ok,
            streams: rests.streams,
            ..self.walk(rests, contexts[2], sights[2], sender)
        });

        // l + 2
        let admits = self.admit(met, contexts[0], sights[0]);
        self.times.clock(Ask { valid: asks_time.valid, key: asks_time.qp }, admits.streams);
        when(admitted.streams, || {
            self.rested.set((time - rest).at_least(flowlet));
            self.times.change(time);
        });
        self.admitted[1].set(admitted);

        // l + 1
        self.admitted[0].set(admits);

        // l
        let arrived = self.arriving.last();
        self.met.set(arrived);
        let valid = [arrived.valid, met.valid, admitted.valid, rests.valid];
        let context = [context, contexts[0], contexts[1], contexts[2]];
        let sight = [self.sight.data(), sights[0], sights[1], sights[2]];
        for i in 0..valid.len() {
            when(valid[i], || {
                self.contexts[i].set(context[i]);
                self.sights[i].set(sight[i]);
            });
        }

        // 0 to l - 1
        let Request { valid, qp, kind, path } = request;
        self.arriving.shift(Arrived { valid, qp, kind, path, inside: live & self.config.inside(qp) });
        self.sight.clock(qp, told);
    }

    /// Step `l` + 1.
    fn admit(&self, met: Arrived<L>, context: Context<L>, sight: Sight<L>) -> Admitted<L> {
        let width = self.config.path_bits();
        let active = sight.active();
        let open = (met.inside & context.open).named("open");
        let (data, probe) = (!met.kind.bit(1), met.kind.equals(kind::PROBE));
        let carries = (active | sight.probing).slice_at(met.path.truncate(width), 1);
        let can = data & active.any() | probe & self.config.has(met.path) & carries;
        let asks = data | probe;
        when(met.valid & !(open & asks), || self.refused.set(self.refused.get() + 1));
        when(met.valid & open & asks & !can, || self.pathless.set(self.pathless.get() + 1));
        let ok = met.valid & open & can;
        Admitted {
            valid: met.valid,
            qp: met.qp,
            kind: met.kind,
            path: met.path,
            ok,
            streams: ok & data,
            first: active.first_set().truncate(width),
        }
    }

    /// Step `l` + 3. What does not go round in the loop is left to the next step. A probe draws nothing, and leaves the
    /// turn as it is, so that of a fresh row nothing counts.
    fn walk(&self, at: Admitted<L>, context: Context<L>, sight: Sight<L>, row: Sender<L>) -> Walked<L> {
        let zero = |x: Bits<L>| Bits::lit(x.width(), 0);
        let is = |code: u64| context.mode.equals(code);
        let by_flowlet = is(granularity::FLOWLET);
        let fresh = row.turn.differs(context.turn).named("sender_fresh");
        let gone = !sight.active().slice_at(row.path, 1);
        let anew = is(granularity::PACKET) | by_flowlet & self.rested.get();
        let draws = ((fresh | gone | anew) & at.streams).named("draws");
        let next = draw(&sight.weight, at.first, Drawn { path: row.path, round: row.round });
        let next = select(fresh, Drawn { path: at.first, round: zero(row.round) }, next);
        let Drawn { path, round } = select(draws, next, Drawn { path: row.path, round: row.round });

        let psn = select(fresh, context.psn, row.psn);
        let data = at.kind.equals(kind::DATA);
        let begins = draws & by_flowlet;
        // One more before it is known whether: the adder is not behind the draw.
        let next_flowlet = select(begins, row.flowlet + 1, row.flowlet);
        let flowlet = select(fresh, zero(row.flowlet), next_flowlet);
        when(at.ok, || {
            let turn = select(at.streams, context.turn, row.turn);
            self.senders.change(Sender { turn, path, round, psn: psn + data.extend(psn.width()), flowlet });
        });
        Walked {
            valid: at.valid,
            qp: at.qp,
            ok: at.ok,
            streams: at.streams,
            path,
            before: row.path,
            probed: at.path.truncate(path.width()),
            fresh,
            psn,
            flowlet,
            begins,
        }
    }

    /// Step `l` + 4.
    fn fill(&self, at: Walked<L>, context: Context<L>, sight: Sight<L>) {
        let path = select(at.streams, at.path, at.probed);
        let bit = |each: Bits<L>| each.slice_at(path, 1);
        let [a, b, c, d] = sight.weight.map(bit);
        let weight = d.concat(c).concat(b).concat(a);
        let probe = !at.streams;
        let switches = !at.fresh & at.path.differs(at.before) & at.streams;
        let flags = (bit(sight.congested) & at.streams).concat(probe).concat(switches).concat(at.begins);
        let tag = weight.concat(context.mode);
        let by_flowlet = context.mode.equals(granularity::FLOWLET) & at.streams;
        self.grant.set(Grant {
            valid: at.valid,
            qp: at.qp,
            ok: at.ok,
            path: path.gate(at.ok).extend(PATH_WIDTH),
            entropy: (context.entropy ^ path.extend(ENTROPY_WIDTH)).gate(at.ok),
            psn: at.psn.gate(at.ok),
            flags: flags.gate(at.ok).extend(8),
            flowlet: at.flowlet.gate(at.ok & by_flowlet),
            tag: tag.gate(at.ok).extend(16),
        });
    }
}
