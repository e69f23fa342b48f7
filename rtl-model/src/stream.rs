// SPDX-License-Identifier: MIT OR Apache-2.0
//! AXI4-Stream channels: the beat, and the skid buffer that lets `ready` be a register.

use crate::bits::{Bits, bits};
use crate::control::when;
use crate::logic::{Logic, Reading, Shape};
use crate::signal::{Bundle, Signal};
use crate::state::Reg;
use crate::wide::{Wide, wide};
use rtl_model_derive::name_nets;

/// Signals carried through a stage with every beat, unchanged: a time stamp, a tag, a port. Signals that are not wanted
/// are left out.
#[derive(Bundle)]
pub struct Side<L: Reading> {
    /// Stream that the frame belongs to.
    pub tid: Option<Bits<L>>,
    /// Destination of the frame.
    pub tdest: Option<Bits<L>>,
    /// The user's bits of `tuser`, above those of the channel.
    pub tuser: Option<Wide<L>>,
}

impl Side<Shape> {
    /// Nothing.
    pub const NONE: Self = Side { tid: None, tdest: None, tuser: None };

    /// The widths in bits; 0 leaves the signal out.
    pub const fn new(tid: u32, tdest: u32, tuser: u32) -> Self {
        const fn narrow(width: u32) -> Option<Bits<Shape>> {
            if width > 0 { Some(bits(width)) } else { None }
        }
        let tuser = if tuser > 0 { Some(wide(tuser)) } else { None };
        Side { tid: narrow(tid), tdest: narrow(tdest), tuser }
    }
}

/// The payload of a beat. Byte 0 of the frame is in `tdata[7:0]`.
#[derive(Bundle)]
pub struct Beat<L: Reading> {
    /// Data.
    pub tdata: Wide<L>,
    /// One bit per byte: contiguous from bit 0, all ones except on the last beat.
    pub tkeep: Wide<L>,
    /// The frame ends with this beat.
    pub tlast: Bits<L>,
    /// The lowest bits of `tuser`; the channel defines their meaning.
    pub tuser: Bits<L>,
    /// Side band carried with the beat.
    pub side: Side<L>,
}

impl Beat<Shape> {
    /// A beat of `data_width` bits with `own` bits of `tuser`.
    pub const fn new(data_width: u32, own: u32, side: Side<Shape>) -> Self {
        Beat { tdata: wide(data_width), tkeep: wide(data_width / 8), tlast: bits(1), tuser: bits(own), side }
    }
}

/// The forward half of an AXI4-Stream channel.
#[derive(Bundle)]
pub struct Axis<L: Reading> {
    /// There is a beat; stays 1 until `tready`.
    pub tvalid: Bits<L>,
    /// Data of the beat. Byte 0 of the frame is in bits 7:0 of its first beat.
    pub tdata: Wide<L>,
    /// One bit per byte.
    pub tkeep: Wide<L>,
    /// This is the last beat of the frame.
    pub tlast: Bits<L>,
    /// The stream that the frame belongs to.
    pub tid: Option<Bits<L>>,
    /// The place that the frame goes to.
    pub tdest: Option<Bits<L>>,
    /// The channel's own bits, and above them the side band.
    pub tuser: Wide<L>,
}

impl Axis<Shape> {
    /// A channel of `data_width` bits with `own` bits of `tuser` below those of `side`.
    pub const fn new(data_width: u32, own: u32, side: Side<Shape>) -> Self {
        let Beat { tdata, tkeep, tlast, .. } = Beat::new(data_width, own, side);
        let Side { tid, tdest, tuser } = side;
        let users = match tuser {
            Some(tuser) => tuser.bits(),
            None => 0,
        };
        Axis { tvalid: bits(1), tdata, tkeep, tlast, tid, tdest, tuser: wide(own + users) }
    }
}

#[name_nets]
impl<L: Logic> Axis<L> {
    /// The payload; the lowest `own` bits of `tuser` are the channel's.
    #[track_caller]
    pub fn beat(&self, own: u32) -> Beat<L> {
        let Axis { tdata, tkeep, tlast, tid, tdest, tuser, .. } = *self;
        let users = tuser.width() - own;
        let side = Side { tid, tdest, tuser: (users > 0).then(|| tuser.part(own, users)) };
        Beat { tdata, tkeep, tlast, tuser: tuser.slice(0, own), side }
    }

    /// A channel that offers a payload.
    #[track_caller]
    pub fn offer(tvalid: Bits<L>, beat: Beat<L>) -> Self {
        let Beat { tdata, tkeep, tlast, tuser, side } = beat;
        let own = tuser.widen();
        let tuser = side.tuser.map_or(own, |users| users.concat(own));
        Axis { tvalid, tdata, tkeep, tlast, tid: side.tid, tdest: side.tdest, tuser }
    }
}

/// The backward half of a channel.
#[derive(Bundle)]
pub struct Ready<L: Reading> {
    /// The receiver is ready. A transfer happens in each clock cycle in which `tvalid` is 1 too.
    pub tready: Bits<L>,
}

impl Ready<Shape> {
    /// One bit.
    pub const fn new() -> Self {
        Ready { tready: bits(1) }
    }
}

impl Default for Ready<Shape> {
    fn default() -> Self {
        Self::new()
    }
}

/// A skid buffer: accepts and delivers one payload per clock cycle; `ready` and all outputs are registers.
///
/// ```text
///            +------+   front empty or leaving: the new one goes to the front
///   push --->|      |---> front ---> pop
///            |      |---> spare      front stays: it goes to the spare, and `ready` is low until that is free
///            +------+
/// ```
///
/// One clock cycle from push to pop. Nothing is lost or repeated under any pattern of stalls.
#[name_nets]
pub struct Skid<T: Signal> {
    ready: Reg<Bits<T::Logic>>,
    front_valid: Reg<Bits<T::Logic>>,
    front: Reg<T>,
    spare_valid: Reg<Bits<T::Logic>>,
    spare: Reg<T>,
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>> Skid<T> {
    /// A buffer that is empty, at power-up and after reset.
    #[track_caller]
    pub fn new(shape: &T::Shape) -> Self {
        Skid {
            ready: Reg::new(&bits(1)).with_reset(),
            front_valid: Reg::new(&bits(1)).with_reset(),
            front: Reg::new(shape).without_reset(),
            spare_valid: Reg::new(&bits(1)).with_reset(),
            spare: Reg::new(shape).without_reset(),
        }
    }

    /// A push at this edge is accepted. 0 for one clock cycle after reset.
    #[track_caller]
    pub fn ready(&self) -> Bits<L> {
        self.ready.get()
    }

    /// There is an item to pop.
    #[track_caller]
    pub fn valid(&self) -> Bits<L> {
        self.front_valid.get()
    }

    /// The item to pop; valid while [`Self::valid`] is 1.
    #[track_caller]
    pub fn front(&self) -> T {
        self.front.get()
    }

    /// One clock edge: `push` offers `value` (only while `ready`), `pop` is the consumer's ready. `value` is called
    /// where its result is stored, so a value that is not taken is not computed.
    #[track_caller]
    pub fn clock(&self, push: Bits<L>, value: impl Fn() -> T, pop: Bits<L>) {
        let (ready, spare_valid) = (self.ready.get(), self.spare_valid.get());
        let front_free = pop | !self.front_valid.get();
        let push = push & ready;
        when(front_free, || {
            // If the spare is full, `ready` was 0 and nothing is pushed.
            when(spare_valid, || self.front.set(self.spare.get())).or_when(push, || self.front.set(value()));
            self.front_valid.set(push | spare_valid);
            self.spare_valid.set(Bits::lit(1, 0));
            self.ready.set(Bits::lit(1, 1));
        })
        .otherwise(|| {
            self.ready.set(!(push | spare_valid));
            when(push, || {
                self.spare_valid.set(Bits::lit(1, 1));
                self.spare.set(value());
            });
        });
    }
}
