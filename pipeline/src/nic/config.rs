// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configuration of a NIC: that of its two paths, and of its pacer.

use crate::receive::ack_generator::AckProtocol;
use crate::receive::credit_pacer::CreditPacerConfig;
use crate::receive::rx::RxConfig;
use crate::transmit::ccc_table::CccAlgorithms;
use crate::transmit::tx::TxConfig;

/// Which PDCs get credit of this NIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PdcsWithCredit {
    /// None: there is no pacer.
    None,
    /// Those that *open* with `command_rccc`.
    Chosen,
    /// All.
    All,
}

impl PdcsWithCredit {
    /// There is a pacer.
    pub(super) fn any(self) -> bool {
        self != PdcsWithCredit::None
    }
}

/// Configuration of `mpnic_nic`. The PDCs of the transmit path are the connections of the receive path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NicConfig {
    /// The receive path, of the protocol of the transmit path. With UET its lookup has two entries for each PDC.
    pub rx: RxConfig,
    /// The transmit path.
    pub tx: TxConfig,
    /// The receiver's half of RCCC, if the transmit path has the sender's.
    pub pacer: Option<CreditPacerConfig>,
}

impl NicConfig {
    /// Checks that the paths fit each other.
    pub(super) fn check(&self) {
        let (rx, tx) = (&self.rx, &self.tx);
        let sources = self.pacer.map(|pacer| pacer.sources);
        let with_credit = (self.credit() != PdcsWithCredit::None).then_some(tx.packet_tracker.pdcs);
        assert!(sources == with_credit, "with RCCC each PDC is a source of the pacer, which has {sources:?}");
        // The pacer hears of demands by records (NI9), and packets in sequence have none where their frames are held.
        assert!(sources.is_none() || !rx.holds_frames(), "a NIC with RCCC does not hold frames");
        let protocol = if tx.is_rocev2() { AckProtocol::Roce } else { AckProtocol::Uet };
        assert!(rx.protocol() == protocol, "both paths are of one protocol");
        let (pdcs, connections) = (tx.packet_tracker.pdcs, rx.reorder.connections);
        assert!(pdcs == connections, "{pdcs} PDCs, {connections} connections");
        // A PDC of UET is found by both directions.
        let keys = if tx.is_rocev2() { pdcs } else { 2 * pdcs };
        assert!(rx.lookup.entries == keys, "there are {keys} keys, the lookup has {} entries", rx.lookup.entries);
        let widths = [rx.parser.data_width, tx.builder.data_width];
        assert!(widths[0] == widths[1], "the paths share a wire, their widths are {widths:?}");
    }

    /// Which PDCs get credit.
    pub(super) const fn credit(&self) -> PdcsWithCredit {
        match self.tx.ccc_table.algorithms {
            CccAlgorithms::None | CccAlgorithms::Nscc => PdcsWithCredit::None,
            CccAlgorithms::Both => PdcsWithCredit::Chosen,
            CccAlgorithms::Rccc => PdcsWithCredit::All,
        }
    }
}
