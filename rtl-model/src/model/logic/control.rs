// SPDX-License-Identifier: MIT OR Apache-2.0
//! Branches as branches of the program.

use crate::logic::{Body, Control};
use crate::model::arith::{Word, check_fits, check_one_bit};
use crate::model::values::Model;

impl Control for Model {
    type Chain = bool;
    type Switch = (Word, bool);
    #[track_caller]
    fn when(cond: Word, body: &dyn Body) -> bool {
        check_one_bit(cond);
        let taken = cond.value() != 0;
        if taken {
            body.run();
        }
        taken
    }
    #[track_caller]
    fn or_when(taken: bool, cond: Word, body: &dyn Body) -> bool {
        check_one_bit(cond);
        if !taken && cond.value() != 0 {
            body.run();
            return true;
        }
        taken
    }
    fn otherwise(taken: bool, body: &dyn Body) {
        if !taken {
            body.run();
        }
    }
    fn switch(subject: Word) -> (Word, bool) {
        (subject, false)
    }
    #[track_caller]
    fn case((subject, taken): (Word, bool), value: u64, _: Option<&'static str>, body: &dyn Body) -> (Word, bool) {
        check_fits(subject.width(), value);
        if subject.value() == value {
            body.run();
            return (subject, true);
        }
        (subject, taken)
    }
    fn default((_, taken): (Word, bool), body: &dyn Body) {
        if !taken {
            body.run();
        }
    }
}
