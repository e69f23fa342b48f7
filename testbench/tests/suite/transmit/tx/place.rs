// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a PDC or QP sends to, as far as the network goes (row TX11).

use testbench::device::random::Random;

/// Ethernet and IP addresses, the tag and the DSCP; of each pair the destination is first.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub macs: [u64; 2],
    pub tag: Option<u64>,
    pub ipv6: bool,
    pub ips: [[u64; 4]; 2],
    pub dscp: u64,
}

impl Place {
    /// One at random.
    pub fn random(random: &mut Random) -> Self {
        let ipv6 = random.chance(0.5);
        let mut ip = || [0; 4].map(|_: u64| random.bits() & 0xFFFF_FFFF);
        let ips = [ip(), ip()];
        let macs = [random.bits() & 0xFFFF_FFFF_FFFF, random.bits() & 0xFFFF_FFFF_FFFF];
        let tag = random.chance(0.5).then(|| random.bits() & 0xFFFF);
        Place { macs, tag, ipv6, ips, dscp: random.below(64) }
    }

    /// Fields of *open* of anything that sends frames there.
    pub fn fields(&self) -> Vec<(&'static str, u64)> {
        let [destination, source] = self.ips;
        let mut fields = vec![
            ("destination_mac", self.macs[0]),
            ("source_mac", self.macs[1]),
            ("tagged", self.tag.is_some().into()),
            ("tag", self.tag.unwrap_or(0)),
            ("ipv6", self.ipv6.into()),
        ];
        let names = ["destination_ip_0", "destination_ip_1", "destination_ip_2", "destination_ip_3"];
        fields.extend(names.into_iter().zip(destination));
        fields.extend(["source_ip_0", "source_ip_1", "source_ip_2", "source_ip_3"].into_iter().zip(source));
        fields
    }
}
