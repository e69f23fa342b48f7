// SPDX-License-Identifier: MIT OR Apache-2.0
//! A train of probes over a sub-path, from its start to what is told of it (rows TX44 to TX48).
//!
//! ```text
//!  Idle     contexts starts one
//!  Asks     the way is asked for, in a clock cycle in which no turn asks
//!  Routes   it comes as many clock cycles later as one for a turn; there may be none
//!  Drains   data packets wait; the bytes of those that have begun come
//!  Sends    one packet behind the other, and their bytes
//!  Awaits   their answers, or the time-out
//!  Divides  the bandwidth
//!  Tells    PROBE_ANSWER
//!  Reports  the host is told
//! ```
//!
//! Routes takes the latency of a grant, Divides 9 clock cycles at most, and Reports one. Drains lasts while the host owes bytes of frames that have
//! begun, Sends while the MAC takes none, Tells while `path_scheduler` takes no feedback. A start in another step than Idle is refused, as one
//! is for which there is no way. Answers that belong to no train change nothing.

use super::super::config::{PAYLOAD_WIDTH, TxConfig};
use super::super::ports::ProbeAnswer;
use super::super::records::{CTL_TYPE_WIDTH, ControlPacket, Packet, Rdma};
use super::super::route::{Choice, Route, SubPath};
use super::dispersion::{Dispersion, TIME_WIDTH};
use super::payload::Payload;
use super::settings::{PACKETS_WIDTH, ProbeSettings};
use crate::blocks::counter::Counter;
use crate::frame::Progress;
use crate::transmit::path_scheduler::{self, PATH_WIDTH, PROBE_ANSWER};
use rtl_model::{
    Bits, Bundle, Delay, Logic, Reading, Reg, Shape, Signal, StateReg, States, bits, constant, name_nets, when,
};

/// Width of the counters.
const COUNT_WIDTH: u32 = 32;

/// Where a train is.
#[derive(Clone, Copy, States)]
enum TrainStep {
    Idle,
    Asks,
    Routes,
    Drains,
    Sends,
    Awaits,
    Divides,
    Tells,
    Reports,
}

/// A train that is to start; it is offered until it is told of.
#[derive(Bundle)]
#[shape(config: TxConfig)]
pub struct Start<L: Reading> {
    pub valid: Bits<L>,
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    #[width(PATH_WIDTH)]
    pub path: Bits<L>,
    /// Packets, less one.
    #[width(PACKETS_WIDTH)]
    pub packets: Bits<L>,
    /// Payload bytes of each.
    #[width(PAYLOAD_WIDTH)]
    pub length: Bits<L>,
}

/// An ACK that answers a probe.
pub struct Answer<L: Logic> {
    pub valid: Bits<L>,
    pub pdc: Bits<L>,
    pub path: Bits<L>,
    /// Its Scheduling Tag: when the probe arrived, by the clock of the receiver.
    pub tag: Bits<L>,
}

/// What becomes of a start.
pub struct Told<L: Logic> {
    pub valid: Bits<L>,
    /// The packets have gone to the header builder; otherwise there is no train.
    pub done: Bits<L>,
}

/// What a train sees in a clock cycle.
pub struct Shown<L: Logic> {
    pub start: Start<L>,
    /// A turn asks for a way.
    pub turn_asks: Bits<L>,
    /// A way, for a turn or for a train.
    pub choice: Choice<L>,
    /// No record of a packet is under way to the header builder; one is taken of those that are offered.
    pub records_idle: Bits<L>,
    pub record_taken: Bits<L>,
    /// The bytes of all frames that have begun have come.
    pub is_complete: Bits<L>,
    /// Frames that have begun, and those that have ended; one ends.
    pub frames: (Bits<L>, Bits<L>),
    pub frame_ends: Bits<L>,
    pub answer: Answer<L>,
    /// The MAC takes no frames.
    pub paused: Bits<L>,
    /// PROBE_ANSWER is taken.
    pub feedback_taken: Bits<L>,
    /// Units of 128 ns.
    pub now: Bits<L>,
}

/// The train.
#[name_nets]
pub struct Train<L: Logic> {
    config: TxConfig,
    train_step: StateReg<L, TrainStep>,
    start: Reg<Start<L>>,
    /// Asked for a way so many clock cycles ago.
    asked: Delay<Bits<L>>,
    route: Reg<Route<L>>,
    /// The number of its first frame.
    first_frame: Reg<Bits<L>>,
    /// Packets whose records have been taken, and those that have been answered.
    sent: Reg<Bits<L>>,
    answered: Reg<Bits<L>>,
    /// All have left.
    has_left: Reg<Bits<L>>,
    /// There was a pause before.
    was_paused: Reg<Bits<L>>,
    /// When the first one left, and the last one.
    departures: [Reg<Bits<L>>; 2],
    /// The time in the first answer.
    first_arrival: Reg<Bits<L>>,
    rtt: Reg<Bits<L>>,
    /// No answer came in time.
    is_lost: Reg<Bits<L>>,
    dispersion: Dispersion<L>,
    packets: Counter<L>,
    lost: Counter<L>,
}

#[name_nets]
impl<L: Logic> Train<L> {
    pub fn new(config: TxConfig, grant_latency: u32) -> Self {
        let (flag, count, time) = (bits(1), bits(PACKETS_WIDTH + 1), bits(TIME_WIDTH));
        Train {
            config,
            train_step: StateReg::new(),
            start: Reg::new(&Start::shape(config)).without_reset(),
            asked: Delay::new(&flag, grant_latency as usize).with_reset(),
            route: Reg::new(&Route::shape(config)),
            first_frame: Reg::new(&Progress::<L>::count()),
            sent: Reg::new(&count),
            answered: Reg::new(&count),
            has_left: Reg::new(&flag),
            was_paused: Reg::new(&flag),
            departures: ["first_departure", "last_departure"].map(|name| Reg::named(name, &time)),
            first_arrival: Reg::new(&time),
            rtt: Reg::new(&time),
            is_lost: Reg::new(&flag),
            dispersion: Dispersion::new(),
            packets: Counter::new(COUNT_WIDTH),
            lost: Counter::new(COUNT_WIDTH),
        }
    }

    /// The request for a way.
    pub fn request(&self, turn_asks: Bits<L>) -> Bits<L> {
        self.train_step.is(TrainStep::Asks) & !turn_asks
    }

    /// The way that comes now is that of the train.
    pub fn is_routed(&self) -> Bits<L> {
        self.asked.get()
    }

    /// The QP and the sub-path.
    pub fn target(&self) -> (Bits<L>, Bits<L>) {
        let Start { pdc, path, .. } = self.start.get();
        (pdc, path)
    }

    /// Data packets wait.
    pub fn holds_data(&self) -> Bits<L> {
        self.train_step.is(TrainStep::Drains) | self.sends()
    }

    /// Bytes are those of probes, and the payload of each.
    pub fn payload(&self) -> (Bits<L>, Bits<L>) {
        (self.sends(), self.start.get().length)
    }

    fn sends(&self) -> Bits<L> {
        self.train_step.is(TrainStep::Sends)
    }

    /// The packets of the train.
    fn count(&self) -> Bits<L> {
        self.start.get().packets.extend(PACKETS_WIDTH + 1) + 1
    }

    /// The next packet.
    pub fn packet(&self) -> ControlPacket<L> {
        let (Start { pdc, length, .. }, zero) = (self.start.get(), Packet::zero(&Packet::shape(self.config)));
        let (yes, route) = (Bits::lit(1, 1), self.route.get());
        // With 0 for the time of sending a delay in the answer is the time of arrival.
        let sub_path = route.sub_path.map(|sub_path| SubPath { tag: Bits::lit(TIME_WIDTH, 0), ..sub_path });
        let rdma =
            zero.rdma.map(|rdma| Rdma { first: yes, last: yes, bytes: length.extend(rdma.bytes.width()), ..rdma });
        let packet = Packet { pdc, route: Route { sub_path, ..route }, length, ack_request: yes, rdma, ..zero };
        let valid = self.sends() & self.sent.get().less(self.count());
        ControlPacket { valid, ctl_type: Bits::lit(CTL_TYPE_WIDTH, 0), packet }
    }

    /// What becomes of the start.
    pub fn told(&self, shown: &Shown<L>) -> Told<L> {
        let routes = self.train_step.is(TrainStep::Routes);
        let [awaits, divides, tells] =
            [TrainStep::Awaits, TrainStep::Divides, TrainStep::Tells].map(|step| self.train_step.is(step));
        let busy = shown.start.valid & (awaits | divides | tells | self.train_step.is(TrainStep::Reports));
        let no_way = routes & self.is_routed() & !shown.choice.ok;
        let done = self.is_sent(shown);
        Told { valid: busy | no_way | done, done }
    }

    /// All packets are in the header builder.
    fn is_sent(&self, shown: &Shown<L>) -> Bits<L> {
        let all = self.sent.get().equals(self.count());
        self.sends() & all & shown.records_idle & shown.is_complete
    }

    /// The feedback for its sub-path.
    pub fn feedback(&self, shape: &path_scheduler::Feedback<Shape>) -> path_scheduler::Feedback<L> {
        let ((qp, path), bandwidth) = (self.target(), self.dispersion.bandwidth());
        let width = shape.bandwidth.bits();
        path_scheduler::Feedback {
            valid: self.tells(),
            qp,
            path,
            kind: constant!(PROBE_ANSWER).lit(shape.kind.bits()),
            rtt: self.rtt.get(),
            bandwidth: bandwidth.slice(bandwidth.width() - width, width),
        }
    }

    /// The answer is offered to `path_scheduler`.
    pub fn tells(&self) -> Bits<L> {
        self.train_step.is(TrainStep::Tells)
    }

    /// What the host is told.
    pub fn answer(&self) -> ProbeAnswer<L> {
        let ((pdc, path), is_lost) = (self.target(), self.is_lost.get());
        ProbeAnswer {
            valid: self.train_step.is(TrainStep::Reports),
            pdc,
            path,
            answered: !is_lost,
            rtt: self.rtt.get().gate(!is_lost),
            bandwidth: self.dispersion.bandwidth().gate(!is_lost),
        }
    }

    /// Packets sent, and trains without an answer.
    pub fn counts(&self) -> [Bits<L>; 2] {
        [self.packets.get(), self.lost.get()]
    }

    /// One clock cycle.
    pub fn clock(&self, shown: &Shown<L>, settings: &ProbeSettings<L>) {
        let (start, sent, answered) = (self.start.get(), self.sent.get(), self.answered.get());
        let (now, told) = (shown.now.truncate(TIME_WIDTH), self.told(shown));
        let [idle, awaits] = [TrainStep::Idle, TrainStep::Awaits].map(|step| self.train_step.is(step));
        let (asks, sends) = (self.request(shown.turn_asks), self.sends());
        let starts = idle & shown.start.valid;
        // Numbers of frames come again when the train has left.
        let leaving = (sends | awaits) & !self.has_left.get();
        let is_last = |frame: Bits<L>| shown.frame_ends & shown.frames.1.equals(frame) & leaving;
        let first_frame = self.first_frame.get();
        let last_frame = first_frame + start.packets.extend(first_frame.width());
        let (first_leaves, last_leaves) = (is_last(first_frame), is_last(last_frame));
        let [first, last] = &self.departures;

        let of_train = shown.answer.pdc.equals(start.pdc) & shown.answer.path.equals(start.path);
        let answers = (shown.answer.valid & of_train & (sends | awaits)).named("probe_answered");
        let is_all = (answers & answered.equals(start.packets.extend(PACKETS_WIDTH + 1))).named("all_answered");
        // The last packet may have its answer before it is known that it has left.
        let waited = now - last.get();
        let is_over = awaits & self.has_left.get() & waited.at_least(settings.timeout);
        let is_complete = self.answered.get().equals(self.count());
        let (drains, was_paused) = (self.train_step.is(TrainStep::Drains), self.was_paused.get());
        let [first_left, last_left] = [first, last].map(Reg::get);
        // The last answer comes after the last packet has left.
        let departure = (last_left - first_left).gate(start.packets.any());
        let arrival = shown.answer.tag - self.first_arrival.get();

        let go = |step| self.train_step.go(step);
        self.train_step.cases(|step| match step {
            TrainStep::Idle => {
                when(starts, || {
                    let length = Payload::fitted(&self.config, shown.start.length);
                    self.start.set(Start { length, ..shown.start });
                    go(TrainStep::Asks);
                });
            }
            TrainStep::Asks => {
                when(asks, || go(TrainStep::Routes));
            }
            TrainStep::Routes => {
                when(self.is_routed(), || {
                    self.route.set(shown.choice.route);
                    when(shown.choice.ok, || go(TrainStep::Drains)).otherwise(|| go(TrainStep::Idle));
                });
            }
            TrainStep::Drains => {
                when(shown.records_idle & shown.is_complete, || {
                    self.first_frame.set(shown.frames.0);
                    self.has_left.set(Bits::lit(1, 0));
                    self.was_paused.set(Bits::lit(1, 0));
                    self.is_lost.set(Bits::lit(1, 0));
                    go(TrainStep::Sends);
                });
            }
            TrainStep::Sends => {
                when(told.done, || go(TrainStep::Awaits));
            }
            TrainStep::Awaits => {
                // Times of a train that was held up say nothing of a path.
                when(is_complete & !was_paused, || go(TrainStep::Divides)).or_when(is_complete | is_over, || {
                    self.is_lost.set(Bits::lit(1, 1));
                    go(TrainStep::Reports);
                });
            }
            TrainStep::Divides => {
                when(self.dispersion.is_over(), || go(TrainStep::Tells));
            }
            TrainStep::Tells => {
                when(shown.feedback_taken, || go(TrainStep::Reports));
            }
            TrainStep::Reports => go(TrainStep::Idle),
        });
        when(leaving & shown.paused, || self.was_paused.set(Bits::lit(1, 1)));
        self.asked.shift(asks);
        let counted = |count: Bits<L>, more: Bits<L>| (count + more.extend(count.width())).gate(!drains);
        self.sent.set(counted(sent, shown.record_taken & sends));
        self.answered.set(counted(answered, answers));
        when(first_leaves, || first.set(now));
        when(last_leaves, || {
            last.set(now);
            self.has_left.set(Bits::lit(1, 1));
        });
        when(answers & !answered.any(), || {
            self.first_arrival.set(shown.answer.tag);
            self.rtt.set(now - first_left);
        });
        self.dispersion.clock(is_all, departure, arrival);
        self.packets.count(shown.record_taken & sends);
        self.lost.count(awaits & (is_over & !is_complete | is_complete & was_paused));
    }
}
