// SPDX-License-Identifier: MIT OR Apache-2.0
//! Takes and grants (rows C28 to C30): a queue per class, and a FIFO of grants. With memories of latency `l`:
//!
//! ```text
//!  pass in step l + 21    its CCC to the queue; a copy of what a grant says
//!  take in step 0 (b)     the first CCC of the lowest class
//!               1         CCC to the copy
//!               l + 2     READY: to the FIFO of grants
//!               l + 4     not READY: the take is over
//!               l + 5     grant
//! ```

use super::config::{CccTableConfig, TAKES};
use super::ports::{CREDIT_WIDTH, Grant, WINDOW_WIDTH};
use super::turns::{Listed, Turned};
use crate::blocks::fifo::Fifo;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, WriteFirstRam};
use rtl_model::{Bits, Bundle, Logic, Pipeline, Reading, Reg, bits, clog2, name_nets, select};

/// The pipeline of takes.
const TAKE: Pipeline = Pipeline::new("take");

/// What a grant says, as the last pass has left it.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct Says<L: Reading> {
    pub ready: Bits<L>,
    #[width(WINDOW_WIDTH)]
    pub limit: Bits<L>,
    #[width(4)]
    pub packets: Bits<L>,
    pub retransmission: Bits<L>,
    #[width(config.nscc(1))]
    pub ack_request: Option<Bits<L>>,
    #[width(config.rccc(CREDIT_WIDTH))]
    pub credit_target: Option<Bits<L>>,
}

/// A grant in the FIFO.
#[derive(Bundle)]
struct Granted<L: Reading> {
    ccc: Bits<L>,
    says: Says<L>,
}

/// A take.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct Take<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    pub listed: Listed<L>,
}

/// Takes and grants.
#[name_nets]
pub struct Grants<L: Logic> {
    config: CccTableConfig,
    queues: Vec<Fifo<L, Listed<L>>>,
    /// Takes that are open.
    open: Reg<Bits<L>>,
    copy: WriteFirstRam<L, Says<L>>,
    /// Steps 1 to `l` + 2.
    takes: PipelineRegs<Take<L>>,
    /// Step `l` + 2.
    says: Reg<Says<L>>,
    /// Steps `l` + 3 and `l` + 4.
    unready: PipelineRegs<Bits<L>>,
    grants: Fifo<L, Granted<L>>,
}

#[name_nets]
impl<L: Logic> Grants<L> {
    pub fn new(config: CccTableConfig) -> Self {
        let (flag, l) = (bits(1), config.ram_latency);
        let depth = config.cccs.next_power_of_two().max(2);
        let mut queues = Vec::new();
        for class in 0..config.classes {
            let _scope = rtl_model::names::Scope::<L>::enter(&format!("class_{class}"), "");
            queues.push(Fifo::new(depth, l, &Listed::shape(config)));
        }
        let says = Says::shape(config);
        Grants {
            config,
            queues,
            open: Reg::new(&bits(clog2(TAKES + 1))).with_reset(),
            copy: WriteFirstRam::new(config.cccs, l, 1, &says),
            takes: PipelineRegs::new(1..=l + 2, &Take::shape(config)).checked(TAKE),
            says: Reg::new(&says),
            unready: PipelineRegs::new(l + 3..=l + 4, &flag).checked(TAKE).with_reset(),
            grants: Fifo::new(TAKES, 1, &Granted { ccc: config.ccc(), says }),
        }
    }

    /// The grant that is output.
    pub fn grant(&self) -> Grant<L> {
        let Granted { ccc, says } = self.grants.front();
        Grant {
            valid: self.grants.valid(),
            ccc,
            limit: says.limit,
            packets: says.packets,
            retransmission: says.retransmission,
            ack_request: says.ack_request.unwrap_or(Bits::lit(1, 0)),
            credit_target: says.credit_target.unwrap_or(Bits::lit(CREDIT_WIDTH, 0)),
        }
    }

    /// The queue from which a CCC is taken in this clock cycle, one bit each, and the CCC.
    pub fn taking(&self) -> (Vec<Bits<L>>, Take<L>) {
        let room = !self.open.get().bit(clog2(TAKES));
        let (mut valid, mut listed) = (Bits::lit(1, 0), self.queues[0].front());
        let mut pops = Vec::with_capacity(self.queues.len());
        for (class, queue) in self.queues.iter().enumerate() {
            let first = queue.valid() & !valid;
            pops.push(first & room);
            if class > 0 {
                listed = select(first, queue.front(), listed);
            }
            valid = valid | first;
        }
        (pops, Take { valid: valid & room, listed })
    }

    /// The take in step 1.
    pub fn first(&self) -> Take<L> {
        self.takes.at(1)
    }

    /// A take in step `l` + 3 without a grant.
    pub fn unready(&self) -> Bits<L> {
        self.unready.at(self.config.ram_latency + 3)
    }

    /// One clock cycle: a take; the pass in step `l` + 21 has listed its CCC of this class, and a grant says this of it.
    pub fn clock(
        &self,
        (pops, take): (&[Bits<L>], Take<L>),
        (turned, class): (Turned<L>, Bits<L>),
        (written, says): (Access<L>, Says<L>),
        ready: Bits<L>,
    ) {
        let l = self.config.ram_latency;

        // l + 2 on
        let transfers = self.grants.valid() & ready;
        let (deciding, found) = (self.takes.at(l + 2), self.says.get());
        let grants = deciding.valid & found.ready;
        self.grants.clock(grants, || Granted { ccc: deciding.listed.ccc, says: found }, ready);
        let ends = self.unready.last();
        self.unready.shift(deciding.valid & !found.ready);

        // 1 and l + 1
        self.says.set(self.copy.data(0));
        self.copy.clock(&[self.takes.at(1).listed.ccc], written, says);

        // 0
        let open = self.open.get();
        let width = open.width();
        let over = transfers.extend(width) + ends.extend(width);
        self.open.set(open + take.valid.extend(width) - over);
        self.takes.shift(take);
        for (number, (queue, &pop)) in self.queues.iter().zip(pops).enumerate() {
            let lists = turned.lists & class.equals(number as u64);
            queue.clock(lists, || turned.listed, pop);
        }
    }
}
