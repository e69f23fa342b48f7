// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage that chooses paths, and what goes to it and comes from it: `entropy_selector`, or with RoCEv2 `path_scheduler`.

use super::Tx;
use super::contexts::SelectorShown;
use super::feedback::PathFeedback;
use super::ports::TxIn;
use super::route::Choice;
use crate::transmit::entropy_selector::{self, EntropySelectorIn};
use crate::transmit::path_scheduler::{self, PathSchedulerIn, kind};
use rtl_model::{Bits, Logic, name_nets, select};

#[name_nets]
impl<L: Logic> Tx<L> {
    /// What has been chosen, whether feedback is taken, and what `contexts` is shown of the selector.
    pub(super) fn chosen(&self) -> (Choice<L>, Bits<L>, SelectorShown<L>) {
        let (yes, no) = (Bits::lit(1, 1), Bits::lit(1, 0));
        if let Some((scheduler, probes)) = self.scheduler.as_ref().zip(self.probes.as_ref()) {
            let (stage, is_routed) = (scheduler.outputs(), probes.train.is_routed());
            let none = SelectorShown { ready: no, valid: no, done: no };
            let choice = Choice::of_scheduler(&stage.grant);
            return (Choice { valid: choice.valid & !is_routed, ..choice }, stage.feedback_ready, none);
        }
        let stage = self.selector.as_ref().expect("with UET").outputs();
        let entropy_selector::Response { valid, done, .. } = stage.response;
        let selector = SelectorShown { ready: stage.command_ready, valid, done };
        (Choice::of_selector(&stage.grant), yes, selector)
    }

    /// One clock cycle of the stage; `ccc` is any. A command of `path_scheduler` may be taken, if `commands`.
    pub(super) fn choose(&self, input: &TxIn<L>, feedback: PathFeedback<L>, ccc: Bits<L>, commands: Bits<L>) {
        let (no, pdc, asks) = (Bits::lit(1, 0), self.turns.pdc(), self.turns.request());
        let of_uet = self.selector.as_ref().zip(input.entropy_selector_settings).zip(input.pipeline);
        if let Some(((selector, settings), pipeline)) = of_uet {
            let free_ports = !Bits::lit(selector.input_shape().request.free_ports.bits(), 0);
            selector.clock(&EntropySelectorIn {
                request: entropy_selector::Request { valid: asks, ccc: pdc, free_ports },
                feedback: feedback.for_selector(),
                reroute: entropy_selector::Reroute { valid: no, ccc },
                command: self.contexts.for_selector().expect("with UET"),
                settings,
                pipeline,
            });
        }
        let of_rocev2 = self.scheduler.as_ref().zip(input.path_scheduler_settings).zip(input.path_scheduler_command);
        let parts = self.probes.as_ref().zip(self.notifications.as_ref());
        if let Some((((scheduler, settings), command), (probes, notifications))) = of_rocev2.zip(parts) {
            let PathSchedulerIn { request, feedback: like, command: form, .. } = scheduler.input_shape();
            let code = |kind| Bits::lit(request.kind.bits(), kind);
            let of_turn = select(self.turns.again(), code(kind::RETRANSMISSION), code(kind::DATA));
            let (probed, path) = probes.train.target();
            let own = probes.visits.command(&form);
            let (of_train, of_cnp) = (probes.train.feedback(&like), notifications.feedback(&like));
            let others = select(of_train.valid, of_train, of_cnp);
            let command = select(own.valid, own, command);
            scheduler.clock(&PathSchedulerIn {
                request: path_scheduler::Request {
                    valid: asks | probes.train.request(asks),
                    qp: select(asks, pdc, probed),
                    kind: select(asks, of_turn, code(kind::PROBE)),
                    path,
                },
                feedback: select(feedback.valid, feedback.for_scheduler(&like), others),
                command: path_scheduler::Command { valid: command.valid & commands, ..command },
                settings,
                event_ready: input.path_scheduler_event_ready.expect("with RoCEv2"),
                lost_ready: self.dead_paths.as_ref().expect("with RoCEv2").ready(),
            });
        }
    }
}
