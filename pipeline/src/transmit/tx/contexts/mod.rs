// SPDX-License-Identifier: MIT OR Apache-2.0
//! Opens and closes a PDC in all stages by one command (rows TX17 to TX20, TX25, TX35, TX36). That requests are accepted is the last thing that
//! *open* does and the first one that *close* ends:
//!
//! ```text
//!  open   look  ->  empty: turns, completions  ->  tracker: open  ->  selector: open  ->  cccs: open  ->  admit
//!         ->  response
//!         refused by one of them: those before it are closed  ->  response
//!  close  look, requests are refused  ->  cccs: close  ->  grants are served  ->  their packets go to the header builder
//!         ->  their frames end  ->  tracker: close  ->  selector: close  ->  outcomes and events leave  ->  response
//!         not possible: admit  ->  as read
//!  read   look  ->  tracker: read  ->  cccs: read  ->  response
//!  resize look  ->  selector: resize  ->  tracker: change  ->  cccs: change  ->  response
//!         refused by the selector: as read
//!  lose   look  ->  turns are over  ->  tracker: lose  ->  cccs: read  ->  response
//!  probe  look  ->  the train goes to the header builder, or there is none  ->  as read
//! ```
//!
//! The *lose* of a dead sub-path goes before commands of the host, and its response is not shown. So does *fail* of a PDC that its peer
//! refuses, which goes the way of *lose*, and a *probe* of the transmit path itself.
//!
//! With RoCEv2 there is no selector, and the steps with it are left out.
//!
//! *Look* is a job of `messages`: whether the PDC is open, and how many messages it has. A command that can not be done ends
//! as *read*, so that the response has the state. Stages are closed by force: whether the command is possible has been decided
//! by then.

mod steps;

use super::config::{PACKETS, TxConfig};
use super::destination::DestinationWrite;
use super::messages::{Job, JobAnswer};
use super::own_command::OwnCommand;
use super::ports::{Command, Response, op};
use super::probes::{ProbeSettings, Start, Told};
use crate::blocks::drained::Drained;
use crate::blocks::table::Access;
use crate::frame::Progress;
use crate::headers::destination::Destination;
use crate::transmit::path_scheduler::PATH_WIDTH;
use crate::transmit::{ccc_table, entropy_selector, packet_tracker};
use rtl_model::{Bits, Logic, Reg, Signal, StateReg, bits, clog2, name_nets, select, when};
use steps::CommandStep;

/// Width of the codes of commands of the entropy selector.
const SELECTOR_OP_WIDTH: u32 = 3;
/// Grants after which all that were under way have been served: those that are open, and the one whose turn is under way.
const GRANTS: u64 = ccc_table::TAKES + 1;
/// Events after which all that were open have left.
const EVENTS: u64 = packet_tracker::OPEN;
/// Outcomes after which all that were open have been counted: the next one is taken when the one before has been.
const OUTCOMES: u64 = packet_tracker::OPEN + 1;

/// The sequence of a command through the stages.
#[name_nets]
pub struct Contexts<L: Logic> {
    config: TxConfig,
    step: StateReg<L, CommandStep>,
    /// The command of this step has been accepted.
    accepted: Reg<Bits<L>>,
    command: Reg<Command<L>>,
    /// It is one of the transmit path itself.
    own: Reg<Bits<L>>,
    /// It is *fail*: the peer refuses.
    refused: Reg<Bits<L>>,
    /// The PDC is to be opened, or to be closed; if both, it has been refused by a stage. With neither its state is read.
    opens: Reg<Bits<L>>,
    closes: Reg<Bits<L>>,
    /// The PDC is to be changed, or its packets are lost.
    changes: Reg<Bits<L>>,
    response: Reg<Response<L>>,
    grants: Drained<L>,
    /// The number of packets that had been taken when the grants had been served.
    last_packet: Reg<Bits<L>>,
    /// The number of frames that had begun when the last of these packets had gone to the header builder.
    last_frame: Reg<Bits<L>>,
    outcomes: Drained<L>,
    events: Drained<L>,
    entered: Drained<L>,
}

/// What the stages show in a clock cycle.
pub struct Shown<L: Logic> {
    /// All tables can be used, and no other part uses those of `ccc_table`.
    pub live: Bits<L>,
    pub job: JobAnswer<L>,
    /// `turns` and `completions` have forgotten the messages.
    pub emptied: Bits<L>,
    pub cleared: Bits<L>,
    pub tracker_ready: Bits<L>,
    pub tracker: packet_tracker::Response<L>,
    pub selector: SelectorShown<L>,
    pub cccs_ready: Bits<L>,
    pub cccs: ccc_table::Response<L>,
    /// A grant is offered or a turn is under way; a grant is transferred.
    pub grants: (Bits<L>, Bits<L>),
    /// Packets taken and packets that have left.
    pub packets: (Bits<L>, Bits<L>),
    /// A control packet is under way, which does not wait behind them.
    pub has_control: Bits<L>,
    /// Frames that have begun, and that have ended.
    pub frames: (Bits<L>, Bits<L>),
    /// There is one, or one is being counted; one is transferred.
    pub outcomes: (Bits<L>, Bits<L>),
    /// There is one, and it is transferred.
    pub events: (Bits<L>, Bits<L>),
    /// An event waits in `ccc_table`, and one of them enters.
    pub entering: (Bits<L>, Bits<L>),
    /// RoCEv2: what becomes of a train of probes.
    pub train: Option<Told<L>>,
}

/// What `entropy_selector` shows: it is ready, it answers, the command was done. With RoCEv2 never.
pub struct SelectorShown<L: Logic> {
    pub ready: Bits<L>,
    pub valid: Bits<L>,
    pub done: Bits<L>,
}

#[name_nets]
impl<L: Logic> Contexts<L> {
    pub fn new(config: TxConfig) -> Self {
        let flag = bits(1);
        let cycles = u64::from(config.latency()) + 8;
        Contexts {
            config,
            step: StateReg::new(),
            accepted: Reg::new(&flag).with_reset(),
            command: Reg::new(&Command::shape(config)),
            own: Reg::new(&flag),
            refused: Reg::new(&flag),
            opens: Reg::new(&flag),
            closes: Reg::new(&flag),
            changes: Reg::new(&flag),
            response: Reg::new(&Response::shape(config)),
            grants: Drained::new(GRANTS, cycles),
            last_packet: Reg::new(&bits(clog2(2 * PACKETS))),
            last_frame: Reg::new(&Progress::<L>::count()),
            outcomes: Drained::new(OUTCOMES, cycles),
            events: Drained::new(EVENTS, cycles),
            entered: Drained::new(ccc_table::EVENTS as u64, 1),
        }
    }

    /// A command can be accepted, if the tables can be used.
    pub fn idle(&self) -> Bits<L> {
        self.step.is(CommandStep::Idle)
    }

    /// The PDC of a command that may change it.
    pub fn changes(&self) -> Access<L> {
        let Command { op, pdc, .. } = self.command.get();
        Access { valid: !self.idle() & op.differs(op::READ), index: pdc }
    }

    /// A PDC is being closed by *close*.
    pub fn closing(&self) -> Bits<L> {
        self.closes.get() & !self.opens.get() & !self.idle()
    }

    /// The response, valid for one clock cycle.
    pub fn response(&self) -> Response<L> {
        Response { valid: self.step.is(CommandStep::Responds) & !self.own.get(), ..self.response.get() }
    }

    /// The job of `messages`.
    pub fn job(&self) -> Job<L> {
        let (command, opens) = (self.command.get(), self.opens.get());
        let [looks, admits] = [CommandStep::Looks, CommandStep::Admits].map(|step| self.step.is(step));
        let shuts = command.op.equals(op::CLOSE);
        Job { valid: looks | admits, pdc: command.pdc, writes: admits | shuts, open: admits, empties: admits & opens }
    }

    /// The PDC whose messages `turns` is to forget.
    pub fn empties(&self) -> Access<L> {
        Access { valid: self.step.is(CommandStep::Empties), index: self.command.get().pdc }
    }

    /// The PDC whose messages `completions` is to forget.
    pub fn clears(&self) -> Access<L> {
        Access { valid: self.step.is(CommandStep::Clears), index: self.command.get().pdc }
    }

    /// Where the PDC sends to, written by *open*; the DSCP also by a *resize* that is done.
    pub fn destination(&self) -> DestinationWrite<L> {
        let (command, valid) = (self.command.get(), self.step.is(CommandStep::Clears));
        let resizes = command.op.equals(op::RESIZE) & self.response.get().done;
        DestinationWrite {
            valid,
            pdc: command.pdc,
            destination: Destination::of(&command),
            writes_dscp: valid | self.step.is(CommandStep::Responds) & resizes,
            dscp: command.dscp,
        }
    }

    /// The code of the command for a stage; all have the same ones.
    fn op(&self, width: u32) -> Bits<L> {
        let lit = |value| Bits::lit(width, value);
        let first = select(self.opens.get(), lit(packet_tracker::op::OPEN), lit(packet_tracker::op::READ));
        select(self.closes.get(), lit(packet_tracker::op::CLOSE), first)
    }

    /// The train of probes that is to start, with RoCEv2.
    pub fn start(&self) -> Option<Start<L>> {
        let Command { pdc, ev, probe_packets, probe_length, .. } = self.command.get();
        let (valid, path) = (self.step.is(CommandStep::Probes), ev.truncate(PATH_WIDTH));
        Some(Start { valid, pdc, path, packets: probe_packets?, length: probe_length? })
    }

    /// No train comes of a *probe* of the transmit path itself.
    pub fn refuses_own_probe(&self) -> Bits<L> {
        self.step.is(CommandStep::Responds) & self.own.get() & self.is_probe() & !self.response.get().done
    }

    /// The command is *probe*.
    fn is_probe(&self) -> Bits<L> {
        match self.config.is_rocev2() {
            true => self.command.get().op.equals(op::PROBE),
            false => Bits::lit(1, 0),
        }
    }

    /// The command is *lose*.
    fn is_lose(&self) -> Bits<L> {
        self.command.get().op.equals(op::LOSE)
    }

    /// The command that goes first.
    fn first(&self, of_host: Command<L>, own: OwnCommand<L>, settings: Option<ProbeSettings<L>>) -> Command<L> {
        let OwnCommand { valid, pdc, refused, probes, path, fails, psn, code } = own;
        let (lose, no) = (Bits::lit(op::WIDTH, op::LOSE), Bits::lit(1, 0));
        let code_of_own = probes.map_or(lose, |probes| select(probes, Bits::lit(op::WIDTH, op::PROBE), lose));
        // What the peer says of a refusal has the place of the sub-path.
        let ev = select(refused, code.extend(packet_tracker::EV_WIDTH), path);
        let lose = Command {
            op: code_of_own,
            pdc,
            ev,
            all: no,
            force: fails,
            psn,
            probe_packets: settings.map(|settings| settings.packets),
            probe_length: settings.map(|settings| settings.length),
            ..of_host
        };
        Command { valid: of_host.valid | valid, ..select(valid, lose, of_host) }
    }

    /// The command for `packet_tracker`.
    pub fn for_tracker(&self) -> packet_tracker::Command<L> {
        use packet_tracker::op::{CHANGE, FAIL, LOSE, WIDTH};
        let Command { pdc, psn, window, ev, all, force, .. } = self.command.get();
        let Command { own_timer, rto, rto_retries: retries, backoff_limit, tail_probe, .. } = self.command.get();
        let lose = select(self.refused.get(), Bits::lit(WIDTH, FAIL), Bits::lit(WIDTH, LOSE));
        let change = select(self.is_lose(), lose, Bits::lit(WIDTH, CHANGE));
        packet_tracker::Command {
            valid: self.step.is(CommandStep::Tracker) & !self.accepted.get(),
            op: select(self.changes.get(), change, self.op(WIDTH)),
            pdc,
            psn,
            ccc: pdc,
            window,
            // No statement of the peer.
            mpr: Bits::lit(packet_tracker::MPR_WIDTH, 0),
            ev,
            all,
            // *Lose* of the last sub-path makes the QP fail.
            force: !self.is_lose() | self.own.get() & force,
            // Only the host makes it go on.
            stays_failed: self.own.get(),
            code: ev.truncate(packet_tracker::REASON_WIDTH),
            own_timer,
            rto,
            retries,
            backoff_limit,
            tail_probe,
        }
    }

    /// The command for the entropy selector, with UET.
    pub fn for_selector(&self) -> Option<entropy_selector::Command<L>> {
        let Command { pdc, start, fixed, stride, mode, rod, space, rtt_class, .. } = self.command.get();
        let valid = self.step.is(CommandStep::Selector) & !self.accepted.get();
        let resize = Bits::lit(SELECTOR_OP_WIDTH, entropy_selector::op::RESIZE);
        let op = select(self.command.get().op.equals(op::RESIZE), resize, self.op(SELECTOR_OP_WIDTH));
        Some(entropy_selector::Command {
            valid,
            op,
            ccc: pdc,
            start: start?,
            fixed: fixed?,
            stride: stride?,
            mode: mode?,
            rod: rod?,
            space: space?,
            rtt_class: rtt_class?,
        })
    }

    /// The command for `ccc_table`.
    pub fn for_cccs(&self) -> ccc_table::Command<L> {
        let Command { pdc, nscc, rccc, class, weight, .. } = self.command.get();
        let valid = self.step.is(CommandStep::Cccs) & !self.accepted.get();
        let changes = self.changes.get() & weight.any() & !self.is_lose();
        let change = Bits::lit(ccc_table::op::WIDTH, ccc_table::op::CHANGE);
        let (op, force) = (select(changes, change, self.op(ccc_table::op::WIDTH)), Bits::lit(1, 1));
        ccc_table::Command { valid, op, ccc: pdc, nscc, rccc, class, weight, force }
    }

    /// One clock cycle: a command of the host is offered, and one of the transmit path itself, which goes first.
    pub fn clock(
        &self,
        (of_host, own): (Command<L>, OwnCommand<L>),
        settings: Option<ProbeSettings<L>>,
        shown: &Shown<L>,
    ) {
        let offered = self.first(of_host, own, settings);
        let (command, accepted) = (self.command.get(), self.accepted.get());
        let [looks, cccs, drains] =
            [CommandStep::Looks, CommandStep::Cccs, CommandStep::Drains].map(|step| self.step.is(step));
        let [tracker, selector] = [CommandStep::Tracker, CommandStep::Selector].map(|step| self.step.is(step));
        let (opens, closes, response) = (self.opens.get(), self.closes.get(), self.response.get());
        let changes = self.changes.get();
        let (is_open, is_close) = (command.op.equals(op::OPEN), command.op.equals(op::CLOSE));
        let (yes, no) = (Bits::lit(1, 1), Bits::lit(1, 0));

        let accepts = offered.valid & self.idle() & shown.live;
        let looked = looks & shown.job.valid;
        let tracker_answers = tracker & accepted & shown.tracker.valid;
        let selector_answers = selector & accepted & shown.selector.valid;
        let cccs_answer = cccs & accepted & shown.cccs.valid;
        let begun = shown.packets.1.equals(self.last_packet.get()) & !shown.has_control;
        let ended = shown.frames.1.equals(self.last_frame.get());
        let drained = drains & self.outcomes.over() & self.events.over();
        let has_selector = self.config.selector().is_some();

        // What *look* decides.
        let is_busy = shown.job.messages.any() & !command.force;
        let will_open = is_open & !shown.job.open;
        let will_close = is_close & shown.job.open & !is_busy;
        let readmits = is_close & shown.job.open & is_busy;
        let is_resize = command.op.equals(op::RESIZE);
        let resizes = is_resize & shown.job.open;
        let loses = self.is_lose() & shown.job.open;
        let probes = self.is_probe() & shown.job.open;
        let (opening, undoing, reading) = (opens & !closes, opens & closes, !opens & !closes);
        let closing = closes & !opens;

        let go = |step| self.step.go(step);
        self.step.cases(|step| match step {
            CommandStep::Idle => {
                when(accepts, || {
                    self.command.set(offered);
                    self.own.set(own.valid);
                    self.refused.set(own.refused);
                    self.opens.set(no);
                    self.closes.set(no);
                    let zero = Response::zero(&Response::shape(self.config));
                    self.response.set(Response { op: offered.op, pdc: offered.pdc, ..zero });
                    go(CommandStep::Looks);
                });
            }
            CommandStep::Looks => {
                when(looked, || {
                    self.opens.set(will_open);
                    self.closes.set(will_close);
                    self.changes.set(resizes | loses);
                    let is_read = !(is_open | is_close | is_resize | self.is_lose() | self.is_probe());
                    let stays = !(will_open | will_close);
                    let (open, messages) = (shown.job.open & stays, shown.job.messages.gate(stays));
                    self.response.set(Response { done: is_read | resizes | loses, open, messages, ..response });
                    let resized = if has_selector { CommandStep::Selector } else { CommandStep::Tracker };
                    when(will_open, || go(CommandStep::Empties))
                        .or_when(will_close, || go(CommandStep::Cccs))
                        .or_when(readmits, || go(CommandStep::Admits))
                        // A packet that has been granted the path before is in flight then.
                        .or_when(loses, || go(CommandStep::Grants))
                        .or_when(probes, || go(CommandStep::Probes))
                        .or_when(resizes, || go(resized))
                        .otherwise(|| go(CommandStep::Tracker));
                });
            }
            CommandStep::Empties => {
                when(shown.emptied, || go(CommandStep::Clears));
            }
            CommandStep::Clears => {
                when(shown.cleared, || go(CommandStep::Tracker));
            }
            CommandStep::Tracker => {
                when(tracker_answers, || {
                    let done = shown.tracker.done;
                    let done_so_far = response.done & (done | !changes);
                    self.response.set(Response { done: done_so_far, ..response.with_tracker(&shown.tracker) });
                    // Without a selector the step behind the one with it comes in its place.
                    let [closed, opened] = match has_selector {
                        true => [CommandStep::Selector; 2],
                        false => [CommandStep::Drains, CommandStep::Cccs],
                    };
                    when(undoing | opening & !done, || go(CommandStep::Responds))
                        .or_when(reading, || go(CommandStep::Cccs))
                        .or_when(closing, || go(closed))
                        .otherwise(|| go(opened));
                });
            }
            CommandStep::Selector => {
                when(selector_answers, || {
                    let done = shown.selector.done;
                    self.closes.set(closes | opening & !done);
                    self.changes.set(changes & done);
                    self.response.set(Response { done: changes & done, ..response });
                    when(closing, || go(CommandStep::Drains))
                        .or_when(opening & done, || go(CommandStep::Cccs))
                        .otherwise(|| go(CommandStep::Tracker));
                });
            }
            CommandStep::Cccs => {
                when(cccs_answer, || {
                    let done = shown.cccs.done;
                    self.closes.set(closes | opening & !done);
                    let done_so_far = response.done & (done | !changes);
                    self.response.set(Response { done: done_so_far, ..response.with_cccs(&shown.cccs) });
                    let undone = if has_selector { CommandStep::Selector } else { CommandStep::Tracker };
                    when(closing, || go(CommandStep::Grants))
                        .or_when(reading, || go(CommandStep::Responds))
                        .or_when(done, || go(CommandStep::Admits))
                        .otherwise(|| go(undone));
                });
            }
            CommandStep::Grants => {
                when(self.grants.over(), || {
                    self.last_packet.set(shown.packets.0);
                    when(closes, || go(CommandStep::Packets)).otherwise(|| go(CommandStep::Tracker));
                });
            }
            CommandStep::Packets => {
                when(begun, || {
                    self.last_frame.set(shown.frames.0);
                    go(CommandStep::Frames);
                });
            }
            CommandStep::Frames => {
                when(ended, || go(CommandStep::Tracker));
            }
            CommandStep::Drains => {
                when(drained, || go(CommandStep::Settles));
            }
            CommandStep::Settles => {
                when(self.entered.over(), || {
                    self.response.set(Response { done: yes, ..response });
                    go(CommandStep::Responds);
                });
            }
            CommandStep::Probes => {
                if let Some(train) = &shown.train {
                    when(train.valid, || {
                        self.response.set(Response { done: train.done, ..response });
                        go(CommandStep::Tracker);
                    });
                }
            }
            CommandStep::Admits => {
                when(shown.job.valid, || {
                    // A PDC that could not be closed is open again; then its state is read.
                    self.response.set(Response { done: opens, open: yes, ..response });
                    when(opens, || go(CommandStep::Responds)).otherwise(|| go(CommandStep::Tracker));
                });
            }
            CommandStep::Responds => go(CommandStep::Idle),
        });
        let takes = tracker & shown.tracker_ready | selector & shown.selector.ready | cccs & shown.cccs_ready;
        self.accepted.set((accepted | takes) & !(tracker_answers | selector_answers | cccs_answer));

        let begins = tracker_answers & closing;
        self.grants.clock(cccs_answer & closing | looked & loses, shown.grants.0, shown.grants.1);
        self.outcomes.clock(begins, shown.outcomes.0, shown.outcomes.1);
        self.events.clock(begins, shown.events.0, shown.events.1);
        self.entered.clock(drained, shown.entering.0, shown.entering.1);
    }
}

#[name_nets]
impl<L: Logic> Response<L> {
    /// The same with the state of `packet_tracker`.
    fn with_tracker(self, stage: &packet_tracker::Response<L>) -> Self {
        let packet_tracker::Response { failed, base, next, in_flight, marked, .. } = *stage;
        Response { failed, base, next, in_flight, marked, ..self }
    }

    /// The same with the state of `ccc_table`.
    fn with_cccs(self, stage: &ccc_table::Response<L>) -> Self {
        let ccc_table::Response { state, cwnd, inflight, .. } = *stage;
        Response { state, cwnd, inflight, ..self }
    }
}
