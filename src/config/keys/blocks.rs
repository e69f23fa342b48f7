// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of the blocks, and of the stages of the tutorials.

use super::Kind::{OneOf, Whole};
use pipeline::blocks::arbiter::{MAX_REQUESTS, Policy};

section! {
    /// Size of the stage `mark_monitor`.
    MarkMonitor: mark_monitor {
        /// Number of paths of the stage `mark_monitor`.
        paths: u64 = 256, OneOf(&[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]);
        /// Number of rows of the FIFO for alarms.
        alarms: u64 = 16, OneOf(&[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]);
    }
}

section! {
    /// Size of the example stage `tally`.
    Tally: tally {
        /// Number of counters of the stage `tally`.
        rows: u64 = 1024, Whole(2, 1 << 24);
        /// Width of a counter in bits.
        width: u64 = 32, Whole(1, 64);
        /// Width in bits of the amount that an event adds; at most `width`.
        amount_width: u64 = 16, Whole(1, 64);
    }
}

section! {
    /// Size of the block `fifo`.
    Fifo: fifo {
        /// Number of rows in the memory of the block `fifo`.
        depth: u64 = 512, OneOf(&[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]);
        /// Width of an item in bits.
        width: u64 = 64, Whole(1, 1024);
    }
}

section! {
    /// Size of the block `skid_buffer`.
    SkidBuffer: skid_buffer {
        /// Width in bits of an item of the block `skid_buffer`.
        width: u64 = 64, Whole(1, 1024);
    }
}

words!(Policy = Policy::ALL);

section! {
    /// Size and policy of the block `arbiter`.
    Arbiter: arbiter {
        /// Number of requests of the block `arbiter`.
        requests: u64 = 8, Whole(2, MAX_REQUESTS as u64);
        /// Which request is granted: the lowest one, or the next one in turn.
        policy: Policy = Policy::RoundRobin;
    }
}
