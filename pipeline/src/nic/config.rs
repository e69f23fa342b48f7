// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configuration of a NIC: that of its two paths.

use crate::ack_generator::AckProtocol;
use crate::rx::RxConfig;
use crate::tx::TxConfig;

/// Configuration of `mpnic_nic`. The PDCs of the transmit path are the connections of the receive path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NicConfig {
    /// The receive path, of UET. Its lookup has two entries for each PDC.
    pub rx: RxConfig,
    /// The transmit path.
    pub tx: TxConfig,
}

impl NicConfig {
    /// Checks that the paths fit each other.
    pub(super) fn check(&self) {
        let (rx, tx) = (&self.rx, &self.tx);
        assert!(rx.protocol() == AckProtocol::Uet, "both paths are of UET");
        let (pdcs, connections) = (tx.packet_tracker.pdcs, rx.reorder.connections);
        assert!(pdcs == connections, "{pdcs} PDCs, {connections} connections");
        assert!(rx.lookup.entries == 2 * pdcs, "a PDC has two keys, the lookup has {} entries", rx.lookup.entries);
        let widths = [rx.parser.data_width, tx.builder.data_width];
        assert!(widths[0] == widths[1], "the paths share a wire, their widths are {widths:?}");
    }
}
