// SPDX-License-Identifier: MIT OR Apache-2.0
//! `report.html`: its links, and how it looks to a browser.

use crate::Place;
use crate::browser::{View, complaints, sheets};
use scraper::{Html, Selector};
use std::collections::BTreeSet;
use tier::pick;

const WIDTHS: [u32; 3] = [360, 768, 1280];
/// What an A4 sheet with the margins of the page holds, in pixels.
const SHEET: u32 = 680;

#[test]
fn links_are_the_files_of_the_directory() {
    let place = Place::fresh();
    place.run("prototype --stage header_parser,tally --out nic").good();
    let html = Html::parse_document(&place.read("nic/report.html"));
    let anchors = Selector::parse("a[href]").expect("a selector");
    let links = html.select(&anchors).filter_map(|a| a.attr("href"));
    let linked: BTreeSet<_> = links.filter(|link| !link.starts_with('#')).map(str::to_owned).collect();
    let mut there: BTreeSet<_> = place.names("nic").into_iter().collect();
    for dir in ["rtl", "replay"] {
        assert!(there.remove(dir));
        there.extend(place.names(&format!("nic/{dir}")).into_iter().map(|name| format!("{dir}/{name}")));
    }
    assert_eq!(linked, there);
}

#[test]
fn a_browser_has_no_complaint() {
    let place = Place::fresh();
    // Slow and far too big: every part of the page has something to say.
    place.write("bad.toml", "data_width = 64\n[target]\nlink_gbps = 3200\npipelines = 64\n[tally]\nrows = 16777216\n");
    let runs = [
        ("two", "prototype --config uet-400g --stage header_parser,tally --out two", 0),
        ("all", "prototype --out all", 0),
        ("bad", "prototype --config bad.toml --stage header_parser,tally --out bad", 1),
        ("path", "prototype --config mp-rdma-100g --stage nic --out path", 0),
    ];
    let pages = pick(runs, 2).into_iter().map(|(dir, arguments, status)| {
        let ran = place.run(arguments);
        assert_eq!(ran.status, status, "{}{}", ran.out, ran.err);
        (dir, place.read(&format!("{dir}/report.html")))
    });
    let pages: Vec<_> = pages.collect();
    let mut views = Vec::new();
    let names: Vec<_> = pages.iter().map(|(dir, _)| WIDTHS.map(|width| format!("{dir}{width}"))).collect();
    for ((_, page), names) in pages.iter().zip(&names) {
        views.extend(names.iter().zip(WIDTHS).map(|(name, width)| View { name, page: page.clone(), width }));
    }
    // The style of paper on a screen as wide as paper.
    let printed = pages[0].1.replace("@media print", "@media all").replace("@media screen", "@media speech");
    views.push(View { name: "printed", page: printed, width: SHEET });
    for (view, complaints) in views.iter().zip(complaints(&place, &views)) {
        assert!(complaints.is_empty(), "{}: {complaints:#?}", view.name);
    }
    let sheets = sheets(&place, "two/report.html");
    assert!((3..=9).contains(&sheets), "{sheets} sheets");
}

/// That the test above would see it.
#[test]
fn a_browser_complains_of_a_bad_page() {
    let place = Place::fresh();
    place.run("prototype --stage tally --out nic").good();
    let page = place.read("nic/report.html");
    let faults = [
        ("wide", "<div style='width:500px'>wide</div>", "the page is "),
        ("hidden", "<details>x<div style='width:500px'>wide</div></details>", "unfolded: the page is "),
        ("throws", "<script>throw new Error('thrown')</script>", "error: Uncaught Error: thrown"),
        ("logs", "<script>console.error('logged')</script>", "logged"),
        ("loads", "<img src=missing.png alt=x>", "missing.png"),
        ("covers", "<svg role=img><text y=20>one</text><text y=22>two</text></svg>", "one stands on two"),
    ];
    let views: Vec<_> = faults
        .iter()
        .map(|(name, fault, _)| View { name, page: page.replace("<main>", &format!("<main>{fault}")), width: 360 })
        .collect();
    for ((name, _, said), complaints) in faults.iter().zip(complaints(&place, &views)) {
        assert!(complaints.iter().any(|complaint| complaint.contains(said)), "{name}: {complaints:#?}");
    }
}
