// SPDX-License-Identifier: MIT OR Apache-2.0
//! The RTT of an ACK or NACK (row C12):
//!
//! ```text
//!  1  time between transmission and arrival; may it be used?
//!  2  less the service time
//!  3  bounds
//!  4  at least `rtt_floor`
//!  5  known
//! ```

use super::config::CccTableConfig;
use super::pass::{Load, PASS, Pass};
use super::ports::{AckEvent, TIME_WIDTH, WAIT_WIDTH};
use super::settings::InForce;
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select};

/// Bits of a difference of times above those of an RTT, the sign not counted.
const LONG_BITS: u32 = TIME_WIDTH - 1 - WAIT_WIDTH;

/// What is known of the RTT, from step 5 on.
#[derive(Bundle)]
#[shape]
pub struct Rtt<L: Reading> {
    /// There is a sample, if the event counts.
    pub sample: Bits<L>,
    /// The time stamp is from the future.
    pub bad: Bits<L>,
    #[width(WAIT_WIDTH)]
    pub rtt: Bits<L>,
    /// At least `rtt_floor`.
    #[width(WAIT_WIDTH)]
    pub floored: Bits<L>,
}

/// Steps 2 to 4.
#[derive(Bundle)]
#[shape]
struct Elapsed<L: Reading> {
    usable: Bits<L>,
    #[width(TIME_WIDTH)]
    time: Bits<L>,
    #[width(WAIT_WIDTH)]
    service: Bits<L>,
}

/// The RTTs of ACKs and NACKs.
#[name_nets]
pub struct Rtts<L: Logic> {
    /// Step 2.
    elapsed: Reg<Elapsed<L>>,
    /// Step 3.
    usable: Reg<Bits<L>>,
    time: Reg<Bits<L>>,
    /// Step 4.
    bounded: Reg<Rtt<L>>,
    /// Steps 5 to `l` + 5.
    known: PipelineRegs<Rtt<L>>,
}

#[name_nets]
impl<L: Logic> Rtts<L> {
    pub fn new(config: CccTableConfig) -> Self {
        let (flag, time) = (bits(1), bits(TIME_WIDTH));
        let rtt = Rtt::shape();
        Rtts {
            elapsed: Reg::new(&Elapsed::shape()),
            usable: Reg::new(&flag),
            time: Reg::new(&time),
            bounded: Reg::new(&rtt),
            known: PipelineRegs::new(5..=config.base() + 1, &rtt).checked(PASS),
        }
    }

    /// What is known in this step.
    pub fn at(&self, step: u32) -> Rtt<L> {
        self.known.at(step)
    }

    /// One clock cycle: the pass in step 1.
    pub fn clock(&self, pass: Pass<L>, load: Load<L>, settings: InForce<L>) {
        // 4
        let bounded = self.bounded.get();
        let floored = select(bounded.rtt.less(settings.rtt_floor), settings.rtt_floor, bounded.rtt);
        self.known.shift(Rtt { floored, ..bounded });

        // 3
        let (usable, time) = (self.usable.get(), self.time.get());
        let (future, long) = (time.bit(TIME_WIDTH - 1), time.slice(WAIT_WIDTH, LONG_BITS).any());
        let short = time.truncate(WAIT_WIDTH);
        let at_least_1 = short | (!short.any()).extend(WAIT_WIDTH);
        self.bounded.set(Rtt {
            sample: usable & !future,
            bad: usable & future,
            rtt: at_least_1 | long.extend_signed(WAIT_WIDTH),
            floored: short,
        });

        // 2
        let elapsed = self.elapsed.get();
        self.usable.set(elapsed.usable);
        self.time.set(elapsed.time - elapsed.service.extend(TIME_WIDTH));

        // 1
        let AckEvent { timed, rtx_count, retx, service, arrived, stamp, .. } = load.ack;
        let same = !rtx_count.bit(1) & !(rtx_count.bit(0) ^ retx);
        let unknown = pass.acks & service.all();
        self.elapsed.set(Elapsed {
            usable: timed & same & !unknown,
            time: arrived - stamp,
            service: service.gate(pass.acks),
        });
    }
}
