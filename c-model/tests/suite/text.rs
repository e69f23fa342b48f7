// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests the C of a small stage, and that it does not depend on the run.

use pipeline::examples::tally::TallyConfig;
use rtl_model::elaborate;

#[test]
fn the_c_of_tally() {
    let config = TallyConfig { rows: 16, width: 12, amount_width: 8, ram_latency: 2 };
    let circuit = elaborate(&config).expect("it elaborates");
    let model = c_model::print(&circuit, "/* A tally. */");
    insta::assert_snapshot!("tally_h", model.header);
    insta::assert_snapshot!("tally_c", model.source);
    assert_eq!(model, c_model::print(&circuit, "/* A tally. */"));
}
