// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps 1 and 2: EtherTypes compared, then tags and layer 3.

use super::lanes::{BusLayout, ETHERTYPE, UNTAGGED};
use super::steps::StepStatus;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, constant, name_nets, select, when};

/// What an EtherType is.
#[derive(Bundle)]
#[shape]
struct EtherTypeClass<L: Reading> {
    tag: Bits<L>,
    ipv4: Bits<L>,
    ipv6: Bits<L>,
}

/// Tags and layer 3 of the frame, as known in step 2.
#[derive(Bundle)]
#[shape]
pub(crate) struct Link<L: Reading> {
    /// Tags, 0 to 2.
    #[width(2)]
    pub tags: Bits<L>,
    /// Bit 0: IPv4, bit 1: IPv6.
    #[width(2)]
    pub l3: Bits<L>,
}

/// The EtherType after at most two tags, 0x8100 or 0x88A8 (row 2 of the contract).
#[name_nets]
pub(crate) struct EtherTypes<L: Logic> {
    lanes: BusLayout,
    kinds: [Reg<EtherTypeClass<L>>; 3],
    /// Number of tags and layer 3 of the frame; valid from step 2 on.
    pub link: Reg<Link<L>>,
}

#[name_nets]
impl<L: Logic> EtherTypes<L> {
    pub fn new(lanes: BusLayout) -> Self {
        let kind = EtherTypeClass::shape();
        EtherTypes { lanes, kinds: [0, 1, 2].map(|i| Reg::numbered(i, &kind)), link: Reg::new(&Link::shape()) }
    }

    /// Step 0: `ethertype(i)` is the two bytes at 12 + 4 i of the frame, if they are in the beat.
    pub fn clock(&self, steps: &StepStatus<L>, ethertype: impl Fn(u32) -> Bits<L>) {
        let index_of = |u: u32| self.lanes.beat(u) as u64;
        when(steps.active(1), || self.classify(steps.index(1)));
        when(steps.active(0), || {
            let index = steps.index(0);
            when(index.equals(index_of(ETHERTYPE)), || self.kinds[0].set(kind(ethertype(0))));
            when(index.equals(index_of(UNTAGGED)), || {
                self.kinds[1].set(kind(ethertype(1)));
                self.kinds[2].set(kind(ethertype(2)));
            });
        });
    }

    /// Step 1 to 2.
    fn classify(&self, index: Bits<L>) {
        let index_of = |u: u32| self.lanes.beat(u) as u64;
        let layer_3 = |kind: EtherTypeClass<L>| kind.ipv6.concat(kind.ipv4);
        if index_of(ETHERTYPE) < index_of(UNTAGGED) {
            // The first EtherType is one beat before the others: if the frame ends there, it is the only one.
            when(index.equals(index_of(ETHERTYPE)), || {
                let first = self.kinds[0].get();
                self.link.set(Link { tags: first.tag.extend(2), l3: layer_3(first) });
            });
        }
        when(index.equals(index_of(UNTAGGED)), || {
            let [first, second, third] = Reg::get_all(&self.kinds);
            let tags = |count: u64, kind: EtherTypeClass<L>| Link { tags: Bits::lit(2, count), l3: layer_3(kind) };
            let tagged = select(second.tag, tags(2, third), tags(1, second));
            self.link.set(select(first.tag, tagged, tags(0, first)));
        });
    }
}

#[name_nets]
fn kind<L: Logic>(ethertype: Bits<L>) -> EtherTypeClass<L> {
    EtherTypeClass {
        tag: ethertype.equals(constant!("ETHERTYPE_C_TAG", 0x8100))
            | ethertype.equals(constant!("ETHERTYPE_S_TAG", 0x88A8)),
        ipv4: ethertype.equals(constant!("ETHERTYPE_IPV4", 0x0800)),
        ipv6: ethertype.equals(constant!("ETHERTYPE_IPV6", 0x86DD)),
    }
}
