// SPDX-License-Identifier: MIT OR Apache-2.0
//! The traffic for lock-step.

mod entropy_selector;
