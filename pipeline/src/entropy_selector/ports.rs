// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/entropy_selector.md`, defines every field.

use super::config::EntropySelectorConfig;
use super::modes::MODE_WIDTH;
use super::ring_drain::EXPLORE_WIDTH;
use super::rounds::LFSR_WIDTH;
use super::space::SPACE_WIDTH;
use crate::blocks::timebase::{TIME_WIDTH, WAIT_WIDTH};
use rtl_model::{Bits, Bundle, Logic, Reading, Shape, bits, index_width, name_nets};

/// Width of an EV on the wire: UDP source port or native entropy header.
pub const EV_WIDTH: u32 = 16;

/// Request for an EV, for one packet.
#[derive(Bundle)]
pub struct Request<L: Reading> {
    /// There is a request; it is always taken.
    pub valid: Bits<L>,
    /// The number of the CCC that asks.
    pub ccc: Bits<L>,
}

/// Feedback on a packet.
#[derive(Bundle)]
pub struct Feedback<L: Reading> {
    /// There is feedback; it is always taken.
    pub valid: Bits<L>,
    /// The number of the CCC of the packet.
    pub ccc: Bits<L>,
    /// The EV of the packet.
    pub ev: Bits<L>,
    /// The code of what came back: 0 GOOD, 1 ECN, 2 NACK, 3 TIMEOUT.
    pub kind: Bits<L>,
}

/// Command on a CCC.
#[derive(Bundle)]
pub struct Control<L: Reading> {
    /// There is a command; it is taken while `control_ready` is 1.
    pub valid: Bits<L>,
    /// The code of the command: 0 read, 1 open, 2 close, 3 resize.
    pub op: Bits<L>,
    /// The number of the CCC that it works on.
    pub ccc: Bits<L>,
    /// Open: the first EV.
    pub start: Bits<L>,
    /// Open: the code of the mode, which says how EVs are chosen. Modes are 0 bitmap, 1 oblivious, 2 round
    /// robin, 3 single path, 4 REPS, 5 mixed, 6 penalty.
    pub mode: Bits<L>,
    /// Open: feedback does nothing, as for a CCC of ROD or TFC.
    pub rod: Bits<L>,
    /// Open, resize: the EV space; 0 for all EVs, else its exponent.
    pub space: Bits<L>,
}

/// Codes of the commands.
pub mod op {
    /// Reads the state of the CCC.
    pub const READ: u64 = 0;
    /// Opens the CCC.
    pub const OPEN: u64 = 1;
    /// Closes the CCC.
    pub const CLOSE: u64 = 2;
    /// Changes the EV space of the CCC.
    pub const RESIZE: u64 = 3;
}

/// Settings: registers that are constant or change rarely.
#[derive(Bundle)]
pub struct Settings<L: Reading> {
    /// A round trip, in clock cycles.
    pub rtt: Bits<L>,
    /// The most marked EVs of a CCC that are still avoided.
    pub limit: Bits<L>,
    /// A number that makes the order of rounds another one in every source.
    pub seed: Bits<L>,
    /// The number of EVs that REPS draws before it reuses any.
    pub explore: Bits<L>,
    /// The time that REPS stays frozen after a TIMEOUT. The unit is 64 clock cycles.
    pub freeze: Bits<L>,
    /// The time without a request until a single path is idle. The unit is 64 clock cycles.
    pub idle: Bits<L>,
    /// The time until a single path changes without being idle. The unit is 64 clock cycles.
    pub reroute: Bits<L>,
}

#[name_nets]
impl<L: Logic> Settings<L> {
    /// Marks the settings of all modes except `bitmap` as unused.
    pub(super) fn ignore_alternate_modes(self) {
        for unread in [self.seed, self.explore, self.freeze, self.idle, self.reroute] {
            unread.ignore();
        }
    }
}

/// Inputs of the stage.
#[derive(Bundle)]
pub struct EntropySelectorIn<L: Reading> {
    /// Requests: each asks for the EV of a packet.
    pub request: Request<L>,
    /// Feedback: what came back about a packet.
    pub feedback: Feedback<L>,
    /// Commands on a CCC.
    pub control: Control<L>,
    /// Settings, which hold still or change now and then.
    pub settings: Settings<L>,
}

/// Answer to a request.
#[derive(Bundle)]
pub struct Grant<L: Reading> {
    /// There is a grant.
    #[reset]
    pub valid: Bits<L>,
    /// The number of the CCC of the request.
    pub ccc: Bits<L>,
    /// The CCC is open and `ev` is good.
    pub open: Bits<L>,
    /// The EV to send the packet with.
    pub ev: Bits<L>,
    /// Marks were not looked at, as too many EVs have one.
    pub saturated: Bits<L>,
    /// The number of the egress port to send the packet from.
    pub port: Bits<L>,
}

/// Response to a command.
#[derive(Bundle)]
pub struct Response<L: Reading> {
    /// There is a response.
    #[reset]
    pub valid: Bits<L>,
    /// The code of the command.
    pub op: Bits<L>,
    /// The number of its CCC.
    pub ccc: Bits<L>,
    /// The command was possible.
    pub done: Bits<L>,
    /// The CCC is open now.
    pub open: Bits<L>,
    /// Read: the EV that was granted last.
    pub last: Bits<L>,
    /// Read: the number of marked EVs.
    pub marked: Bits<L>,
    /// Read: the code of the mode, which says how EVs are chosen.
    pub mode: Bits<L>,
    /// Read: the exponent of the EV space.
    pub space: Bits<L>,
}

/// Outputs of the stage.
#[derive(Bundle)]
pub struct EntropySelectorOut<L: Reading> {
    /// The table is being swept after reset.
    pub busy: Bits<L>,
    /// A command can be taken.
    #[ready(control)]
    pub control_ready: Bits<L>,
    /// The answers to requests, each `l` + 6 clock cycles after its request.
    pub grant: Grant<L>,
    /// The answers to commands, each `l` + 18 clock cycles after its command.
    pub response: Response<L>,
    /// Requests for a CCC that is not open, since reset. The counter wraps.
    pub refused_requests: Bits<L>,
    /// Feedback for a CCC that is not open, since reset. The counter wraps.
    pub feedback_closed: Bits<L>,
    /// Feedback for an EV that an open CCC does not have, since reset. The counter wraps.
    pub feedback_range: Bits<L>,
}

impl EntropySelectorConfig {
    pub(super) fn input_shape(self) -> EntropySelectorIn<Shape> {
        let (ccc, ev) = (self.ccc(), bits(self.ev_bits()));
        EntropySelectorIn {
            request: Request { valid: bits(1), ccc },
            feedback: Feedback { valid: bits(1), ccc, ev: bits(EV_WIDTH), kind: bits(2) },
            control: Control {
                valid: bits(1),
                op: bits(2),
                ccc,
                start: ev,
                mode: bits(MODE_WIDTH),
                rod: bits(1),
                space: bits(SPACE_WIDTH),
            },
            settings: Settings {
                rtt: bits(24),
                limit: bits(self.count_bits()),
                seed: bits(LFSR_WIDTH),
                explore: bits(EXPLORE_WIDTH),
                freeze: bits(TIME_WIDTH),
                idle: bits(WAIT_WIDTH),
                reroute: bits(WAIT_WIDTH),
            },
        }
    }

    pub(super) fn grant(self) -> Grant<Shape> {
        let (flag, port) = (bits(1), bits(index_width(self.ports)));
        Grant { valid: flag, ccc: self.ccc(), open: flag, ev: bits(EV_WIDTH), saturated: flag, port }
    }

    pub(super) fn response(self) -> Response<Shape> {
        Response {
            valid: bits(1),
            op: bits(2),
            ccc: self.ccc(),
            done: bits(1),
            open: bits(1),
            last: bits(self.ev_bits()),
            marked: bits(self.count_bits()),
            mode: bits(MODE_WIDTH),
            space: bits(SPACE_WIDTH),
        }
    }
}
