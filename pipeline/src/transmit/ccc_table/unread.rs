// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs that a stage without an algorithm does not read.

use super::config::CccTableConfig;
use super::ports::{AckEvent, CccTableIn, Settings};
use rtl_model::Logic;

/// Says that they are not read on purpose.
pub fn ignore<L: Logic>(config: CccTableConfig, input: &CccTableIn<L>) {
    let CccTableIn { ack, command, settings, .. } = *input;
    if config.chosen(()).is_none() {
        command.nscc.ignore();
        command.rccc.ignore();
    }
    if config.rccc(()).is_none() {
        ack.credit.ignore();
    }
    if config.nscc(()).is_some() {
        return;
    }
    let AckEvent { marked, retx, timed, rtx_count, stamp, arrived, service, pend, restore, reason, quanta, .. } = ack;
    for field in [marked, retx, timed, rtx_count, stamp, arrived, service, pend, restore, reason, quanta] {
        field.ignore();
    }
    let Settings { rtt_floor, target, small_delay, alpha, fi, fi_scale, eta, gamma, max_cut, ack_trigger, .. } =
        settings;
    for field in [rtt_floor, target, small_delay, alpha, fi, fi_scale, eta, gamma, max_cut, ack_trigger] {
        field.ignore();
    }
    let Settings { tick, qa_enable, qa_gate, qa_threshold, adjust_bytes, adjust_period, .. } = settings;
    for field in [tick, qa_enable, qa_gate, qa_threshold, adjust_bytes, adjust_period] {
        field.ignore();
    }
    if config.rccc(()).is_none() {
        settings.config_wnd.ignore();
    }
}
