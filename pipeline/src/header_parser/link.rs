// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps 0 to 2 of the parser: words, tags, layer 3.
//!
//! ```text
//!  0 words, shifted by two bytes so that headers fall on lanes; beats counted
//!  1 EtherTypes compared, bytes of the last beat counted
//!  2 tags and layer 3 known, length of the frame known
//! ```

use super::lanes::{ETHERTYPE, Lanes, UNTAGGED};
use super::record::l3;
use super::steps::InSteps;
use rtl_model::stream::Beat;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, Wide, bits, select, when, wide};

/// Bits of a frame length: it stops counting at 128 KiB, beyond what an IP length can say.
pub(super) const LENGTH: u32 = 17;

/// What an EtherType is.
#[derive(Bundle)]
struct Kind<L: Reading> {
    tag: Bits<L>,
    ipv4: Bits<L>,
    ipv6: Bits<L>,
}

/// What step 2 knows of the frame so far.
#[derive(Bundle)]
pub(super) struct Link<L: Reading> {
    /// Tags, 0 to 2.
    pub tags: Bits<L>,
    /// See [`l3`].
    pub l3: Bits<L>,
}

impl Link<Shape> {
    pub const fn new() -> Self {
        Link { tags: bits(2), l3: bits(2) }
    }
}

pub(super) struct LinkSteps<L: Logic> {
    lanes: Lanes,
    // 0
    tail: Reg<Bits<L>>,
    words_0: Reg<Wide<L>>,
    keep: Reg<Wide<L>>,
    bad_0: Reg<Bits<L>>,
    whole: Reg<Bits<L>>,
    whole_0: Reg<Bits<L>>,
    // 1
    words_1: Reg<Wide<L>>,
    kinds: [Reg<Kind<L>>; 3],
    bytes_before: Reg<Bits<L>>,
    bytes_kept: Reg<Bits<L>>,
    bad_1: Reg<Bits<L>>,
    /// Step 2.
    pub words_2: Reg<Wide<L>>,
    /// Step 2.
    pub link: Reg<Link<L>>,
    /// Step 2, in the last beat: bytes of the frame.
    pub length: Reg<Bits<L>>,
    /// Step 2, in the last beat: the MAC found the frame bad.
    pub bad: Reg<Bits<L>>,
}

impl<L: Logic> LinkSteps<L> {
    pub fn new(lanes: Lanes) -> Self {
        let data = wide(32 * lanes.count);
        let kind = Kind { tag: bits(1), ipv4: bits(1), ipv6: bits(1) };
        let bytes = lanes.select_width() + 2;
        LinkSteps {
            lanes,
            tail: Reg::new("tail", &bits(16)),
            words_0: Reg::new("words_0", &data),
            keep: Reg::new("keep", &wide(4 * lanes.count)),
            bad_0: Reg::new("bad_0", &bits(1)),
            whole: Reg::new("whole", &bits(LENGTH - bytes)),
            whole_0: Reg::new("whole_0", &bits(LENGTH - bytes)),
            words_1: Reg::new("words_1", &data),
            kinds: ["kind_0", "kind_1", "kind_2"].map(|name| Reg::new(name, &kind)),
            bytes_before: Reg::new("bytes_before", &bits(LENGTH - bytes)),
            bytes_kept: Reg::new("bytes_kept", &bits(bytes + 1)),
            bad_1: Reg::new("bad_1", &bits(1)),
            words_2: Reg::new("words_2", &data),
            link: Reg::new("link", &Link::new()),
            length: Reg::new("length", &bits(LENGTH)),
            bad: Reg::new("bad", &bits(1)),
        }
    }

    /// `taken`: a beat enters; `headers`: it can hold headers.
    #[inline(always)]
    pub fn clock(&self, steps: &InSteps<L>, taken: Bits<L>, headers: Bits<L>, beat: Beat<L>) {
        let index_of = |u: u32| self.lanes.beat(u) as u64;
        when(steps.active(1), || {
            self.words_2.set(self.words_1.get());
            self.classify(steps.index(1));
        });
        when(steps.last(1), || {
            let zero = Bits::lit(self.lanes.select_width() + 2, 0);
            self.length.set(self.bytes_before.get().concat(zero) + self.bytes_kept.get().extend(LENGTH));
            self.bad.set(self.bad_1.get());
        });
        when(steps.active(0), || {
            self.words_1.set(self.words_0.get());
            let index = steps.index(0);
            when(index.equals(index_of(ETHERTYPE)), || self.kinds[0].set(self.kind(ETHERTYPE)));
            when(index.equals(index_of(UNTAGGED)), || {
                self.kinds[1].set(self.kind(UNTAGGED));
                self.kinds[2].set(self.kind(UNTAGGED + 1));
            });
        });
        when(steps.last(0), || {
            self.bytes_before.set(self.whole_0.get());
            self.bytes_kept.set(kept_bytes(self.keep.get()));
            self.bad_1.set(self.bad_0.get());
        });
        when(taken & headers, || {
            let width = 32 * self.lanes.count;
            self.words_0.set(beat.tdata.part(0, width - 16).concat(self.tail.get().widen()));
            self.tail.set(beat.tdata.slice(width - 16, 16));
        });
        when(taken, || {
            // Whole beats ahead of this one: all are whole but the last.
            let whole = self.whole.get();
            when(beat.tlast, || {
                self.keep.set(beat.tkeep);
                self.bad_0.set(beat.tuser);
                self.whole_0.set(whole);
                self.whole.set(Bits::lit(whole.width(), 0));
            })
            .otherwise(|| self.whole.set(select(whole.all(), whole, whole + 1)));
        });
    }

    pub fn reset(&self) {
        self.whole.reset();
    }

    /// Compares the low half of a word of step 0.
    #[inline(always)]
    fn kind(&self, at: u32) -> Kind<L> {
        let ethertype = self.lanes.word(self.words_0.get(), at).slice(0, 16);
        Kind {
            tag: ethertype.equals(0x8100) | ethertype.equals(0x88A8),
            ipv4: ethertype.equals(0x0800),
            ipv6: ethertype.equals(0x86DD),
        }
    }

    /// Step 1 to 2: M11, tags 0x8100 and 0x88A8, at most two.
    #[inline(always)]
    fn classify(&self, index: Bits<L>) {
        let index_of = |u: u32| self.lanes.beat(u) as u64;
        let layer_3 = |kind: Kind<L>| kind.ipv6.concat(kind.ipv4);
        if index_of(ETHERTYPE) < index_of(UNTAGGED) {
            // The first EtherType is a beat ahead of the others: if the frame ends there, it is all there is.
            when(index.equals(index_of(ETHERTYPE)), || {
                let first = self.kinds[0].get();
                self.link.set(Link { tags: first.tag.extend(2), l3: layer_3(first) });
            });
        }
        when(index.equals(index_of(UNTAGGED)), || {
            let [first, second, third] = Reg::get_all(&self.kinds);
            let tags = |count: u64, kind: Kind<L>| Link { tags: Bits::lit(2, count), l3: layer_3(kind) };
            let tagged = select(second.tag, tags(2, third), tags(1, second));
            self.link.set(select(first.tag, tagged, tags(0, first)));
        });
        debug_assert_eq!((l3::IPV4, l3::IPV6), (1, 2));
    }
}

/// Number of ones of a `tkeep`, which is contiguous from bit 0: full groups of eight, and the rest of one group.
#[inline(always)]
fn kept_bytes<L: Logic>(keep: Wide<L>) -> Bits<L> {
    let groups = keep.width() / 8;
    let group = |i: u32| keep.slice(8 * i, 8);
    if groups == 1 {
        return group(0).count_ones();
    }
    let mut full = group(0).bit(7);
    let mut rest = Bits::lit(8, 0);
    for i in 0..groups {
        let kept = group(i);
        if i > 0 {
            full = kept.bit(7).concat(full);
        }
        rest = rest | select(kept.bit(7), Bits::lit(8, 0), kept);
    }
    let full = full.count_ones().concat(Bits::lit(3, 0));
    full + rest.count_ones().extend(full.width())
}
