// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page agrees with `summary.json`, nothing on it runs or loads, and it is accessible.

use super::page;
use crate::budget::Closes;
use crate::commands::conform::{Problem, Report, Suite};
use crate::config::Config;
use crate::stages::StageName;
use crate::summary::{Part, Replayed, Stage, Structure, Summary};
use scraper::{ElementRef, Html, Node, Selector};
use serde_json::Value;
use std::collections::BTreeSet;

const HOSTILE: &str = "</span><script>alert('&amp;\"')</script>";

/// Three stages, one with frames, one with a memory and one with settings, and everything that can go wrong.
fn summary() -> Summary {
    let mut config = Config::default();
    config.target.pipelines = 4;
    config.target.link_gbps = 800.0;
    config.reorder.connections = 512;
    let stages = [StageName::HeaderParserCore, StageName::Tally, StageName::ElabFeedback, StageName::Rx];
    let stages = stages.map(|stage| {
        let made = Part {
            stage: stage.name(),
            top: stage.module(&config),
            testbench: true,
            wiring: None,
            latency: Vec::new(),
        };
        Stage::of(stage, &[made], &config).expect("it elaborates")
    });
    let failure = |id: String| Problem { id, problems: vec![HOSTILE.to_owned(), "sport: 7, expected 9".to_owned()] };
    let suite = Suite {
        name: "header_parser".to_owned(),
        as_configured: true,
        backend: "model",
        data_width: Some(512),
        configuration: Default::default(),
        passed: 1200,
        failed: 60,
        failures: (0..60).map(|i| failure(format!("{HOSTILE}{i}"))).collect(),
    };
    let differences = vec![format!("frame 3: {HOSTILE}")];
    let replay = Replayed { capture: "rocev2.pcap", transport: "rocev2", frames: 200, agree: 199, differences };
    Summary::of(&config, stages.into(), Report::of(vec![suite]), Some(replay))
}

fn files() -> Vec<String> {
    let names = ["summary.json", "nic.toml", "conform.json", "replay/rocev2.pcap", "replay/rocev2.jsonl", HOSTILE];
    names.map(str::to_owned).into()
}

fn of(summary: &Summary) -> Html {
    Html::parse_document(&page(summary, &format!("prefix = {HOSTILE}\n"), &files()))
}

fn all<'a>(html: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    html.select(&Selector::parse(selector).expect("a selector")).collect()
}

#[test]
fn it_is_well_formed() {
    let html = of(&summary());
    assert!(html.errors.is_empty(), "{:?}", html.errors);
    assert!(!Html::parse_document("<!DOCTYPE html><p><b>x</p>").errors.is_empty(), "the parser sees nothing");
    let ids: Vec<_> = all(&html, "[id]").iter().filter_map(|x| x.attr("id")).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    // Headings without gaps, every drawing named or hidden, every table with a caption and headers.
    assert_eq!(all(&html, "h1").len(), 1);
    let svgs = all(&html, "body svg:not(svg svg)").len();
    assert_eq!(all(&html, "svg[aria-hidden], svg[role=img][aria-labelledby] > title").len(), svgs);
    let tables = all(&html, "table").len();
    assert_eq!(all(&html, "table > caption:first-child").len(), tables);
    assert_eq!(all(&html, "th").len(), all(&html, "th[scope]").len());
}

#[test]
fn every_number_is_one_of_the_summary() {
    let summary = summary();
    let json = serde_json::to_value(&summary).expect("JSON");
    let html = of(&summary);
    let places = all(&html, "[data-json]");
    assert!(places.len() > 200, "{}", places.len());
    for place in places {
        let at = place.attr("data-json").expect("an attribute");
        let shown: String = place.text().collect();
        let wanted = json.pointer(at).unwrap_or_else(|| panic!("the summary has no {at}"));
        match wanted {
            Value::String(wanted) => assert_eq!(&shown, wanted, "{at}"),
            Value::Number(wanted) => {
                let wanted = wanted.as_f64().expect("a number");
                let value = place.attr("value").or(place.attr("data-value")).expect(at);
                assert_eq!(value.parse(), Ok(wanted), "{at}");
                let shown = shown.replace('\u{202f}', "");
                let decimals = shown.split_once('.').map_or(0, |(_, decimals)| decimals.len());
                let right =
                    format!("{wanted:.decimals$}") == shown || (shown == "<0.01" && wanted > 0.0 && wanted < 0.01);
                assert!(right, "{at}: {shown}, not {wanted}");
            }
            other => panic!("{at} is {other}"),
        }
    }
}

/// The picture of a stage that consists of stages has a latency at each of these, and once at each of its outputs that have one.
#[test]
fn every_instance_is_drawn_with_its_latency() {
    let summary = summary();
    let html = of(&summary);
    let drawn = |place: &str| {
        let of_picture = all(&html, "svg.wiring [data-json]").into_iter().filter_map(|it| it.attr("data-json"));
        of_picture.filter(|at| at.starts_with(place)).count()
    };
    let rx = summary.stages.iter().position(|stage| stage.stage == "rx").expect("it is there");
    let instances = &summary.stages[rx].wiring.as_ref().expect("it consists of stages").instances;
    assert_eq!(instances.len(), 9);
    for (k, instance) in instances.iter().enumerate() {
        assert!(drawn(&format!("/stages/{rx}/wiring/instances/{k}/latency/")) > 0, "{}", instance.name);
    }
    let outputs: Vec<_> = summary.stages[rx].latency.iter().map(|time| time.to.as_str()).collect();
    assert_eq!(outputs, ["m_axis", "m_record", "delivery", "m_answer"]);
    for (n, output) in outputs.iter().enumerate() {
        assert_eq!(drawn(&format!("/stages/{rx}/latency/{n}/clocks")), 1, "{output}");
    }
}

/// Numbers appear only where the test above checks them, on axes, and in quotations.
#[test]
fn no_number_is_without_its_place() {
    let html = of(&summary());
    for node in html.tree.nodes() {
        let Node::Text(text) = node.value() else { continue };
        let exempt = |parent: ElementRef| {
            let name = parent.value().name();
            parent.attr("data-json").is_some()
                || ["code", "style", "head"].contains(&name)
                || parent.value().classes().any(|class| class == "axis")
        };
        if text.contains(|c: char| c.is_ascii_digit()) {
            assert!(node.ancestors().filter_map(ElementRef::wrap).any(exempt), "{:?}", &**text);
        }
    }
}

#[test]
fn hostile_names_are_text() {
    let html = of(&summary());
    assert_eq!(all(&html, "script").len(), 0);
    // 50 failures by name and problem, and a difference; the file and the configuration by their text.
    let shown =
        all(&html, "[data-json], a, pre").iter().filter(|x| x.text().collect::<String>().contains(HOSTILE)).count();
    assert_eq!(shown, 50 + 50 + 1 + 1 + 1);
}

#[test]
fn nothing_loads_or_runs_and_links_stay_inside() {
    let html = of(&summary());
    assert_eq!(all(&html, "script, link, img, iframe, object, embed, form, base, image, use, [src], [style]").len(), 0);
    let css: String = all(&html, "style").iter().flat_map(|x| x.text()).collect();
    assert!(!css.contains("url(") && !css.contains("@import"));
    let ids: BTreeSet<_> = all(&html, "[id]").iter().filter_map(|x| x.attr("id")).collect();
    let links: Vec<_> = all(&html, "a").iter().filter_map(|x| x.attr("href")).collect();
    for link in &links {
        match link.strip_prefix('#') {
            Some(id) => assert!(ids.contains(id), "{link}"),
            None => assert!(files().iter().any(|name| name == link) || link.contains("%3Cscript%3E"), "{link}"),
        }
    }
    assert!(files().iter().all(|name| name == HOSTILE || links.contains(&name.as_str())));
    for node in html.tree.nodes() {
        let Some(element) = node.value().as_element() else { continue };
        assert!(element.attrs().all(|(name, _)| !name.starts_with("on")), "{element:?}");
    }
}

#[test]
fn the_verdict_is_that_of_the_summary() {
    let verdict = |summary: &Summary| all(&of(summary), ".verdict")[0].text().collect::<String>();
    let mut summary = summary();
    assert_eq!(
        (summary.conforms, summary.whole.fits, summary.whole.keeps_up, summary.passed),
        (false, true, false, false)
    );
    let bad = "It does not conform to its contract, fits XCVU37P (U280) and does not keep up with 800 Gb/s.";
    assert_eq!(verdict(&summary), bad);
    (summary.conforms, summary.whole.keeps_up) = (true, true);
    let open = "It conforms to its contract, fits XCVU37P (U280) and keeps up with 800 Gb/s if 561.8 MHz close.";
    assert_eq!(verdict(&summary), open);
    summary.whole.closes = Closes::Yes;
    assert_eq!(verdict(&summary), "It conforms to its contract, fits XCVU37P (U280) and keeps up with 800 Gb/s.");
}

#[test]
fn without_vectors_nothing_is_said_to_conform() {
    let stage = Stage::of(StageName::Tally, &[], &Config::default()).expect("it elaborates");
    let summary = Summary::of(&Config::default(), vec![stage], Report::of(Vec::new()), None);
    let html = of(&summary);
    assert_eq!(
        all(&html, ".verdict")[0].text().collect::<String>(),
        "It has no golden vectors and fits XCVU37P (U280)."
    );
    let tiles: Vec<String> = all(&html, ".tiles li").iter().map(|tile| tile.text().collect()).collect();
    assert!(tiles.len() == 2 && tiles[0].contains("LUTs are not counted"), "{tiles:?}");
    assert!(tiles[1].contains("Keeps up if 280.9 MHz close") && tiles[1].contains("tally: not measured"), "{tiles:?}");
}

/// The rows of memories are of one pipeline, as is their sum; shares are those of all, and the caption says so.
#[test]
fn memories_and_their_sum_are_of_one_pipeline() {
    let summary = summary();
    let sum = |of: fn(&Structure) -> u64| summary.memories.iter().map(of).sum::<u64>();
    assert_eq!(sum(|memory| memory.bits), summary.whole.total.memory_bits);
    assert_eq!(sum(|memory| memory.allocated_bits), summary.whole.total.allocated_bits);
    let tally = summary.memories.iter().find(|memory| memory.stage == "tally").expect("a memory");
    assert_eq!((tally.copies, tally.bits), (1, 1024 * 32));
    let share = 100.0 * (4 * tally.blocks) as f64 / summary.stages[1].budget.device.blocks as f64;
    assert!(tally.blocks == 1 && (tally.blocks_percent - share).abs() < 1e-9, "{tally:?}");
    let html = of(&summary);
    let captions = all(&html, "caption").into_iter().map(|caption| caption.text().collect::<String>());
    let caption = captions.into_iter().find(|text| text.starts_with("SRAM by structure")).expect("a table");
    assert!(caption.contains("one pipeline; shares of the device are those of all 4"), "{caption}");
}

/// A memory of a module inside a stage names the module, one of the stage itself does not.
#[test]
fn memories_name_their_module() {
    let summary = summary();
    let html = of(&summary);
    let inner = summary.memories.iter().position(|memory| memory.stage == "rx" && memory.module != "mpnic_rx");
    let inner = inner.expect("a memory of a part");
    let own = summary.memories.iter().position(|memory| memory.stage == "tally").expect("its table");
    let places = |i: usize| all(&html, &format!(r#"[data-json="/memories/{i}/module"]"#)).len();
    assert_eq!((places(inner), places(own)), (1, 0));
    let rows = all(&html, "th[scope=row]").into_iter().map(|row| row.text().collect::<String>());
    let of_module = format!("{}of {}", summary.memories[inner].name, summary.memories[inner].module);
    assert!(rows.into_iter().any(|row| row.contains(&of_module)), "{of_module}");
}

/// Frames of RoCEv2 in a pipeline without it are called so.
#[test]
fn frames_that_are_read_as_udp_are_called_so() {
    let text = |transport| {
        let mut summary = summary();
        if let Some(replay) = &mut summary.replay {
            replay.transport = transport;
        }
        of(&summary).root_element().text().collect::<String>()
    };
    let said = "but for RoCEv2, which this pipeline reads as UDP";
    assert!(text("udp").contains(said) && !text("rocev2").contains(said));
}

/// Each stage is small enough alone.
#[test]
fn stages_together_can_be_too_big() {
    let mut config = Config::default();
    config.target.device = "xck26".to_owned();
    config.target.pipelines = 16;
    let stage = || Stage::of(StageName::HeaderParserCore, &[], &config).expect("it elaborates");
    let of = |stages| Summary::of(&config, stages, Report::of(Vec::new()), None);
    assert!(of(vec![stage()]).whole.fits);
    let Summary { whole: both, passed, .. } = of(vec![stage(), stage()]);
    assert!(!both.fits && !passed && both.keeps_up, "{:?}", both.problems);
    assert!(both.problems.len() == 1 && both.problems[0].starts_with("together: "), "{:?}", both.problems);
}

/// WCAG AA: a contrast of 4.5 to 1 for text, on paper, in light mode, in dark mode.
#[test]
fn text_has_contrast() {
    let schemes: Vec<_> =
        super::STYLE.split(":root {").skip(1).map(|rest| rest.split('}').next().expect("}")).collect();
    assert_eq!(schemes.len(), 3);
    for scheme in schemes {
        let colour = |name: &str| {
            let value = scheme.split(&format!("--{name}: #")).nth(1).expect(name).split(';').next().expect(name);
            let digits = if value.len() == 3 { value.chars().flat_map(|c| [c, c]).collect() } else { value.to_owned() };
            luminance(u32::from_str_radix(&digits, 16).expect("a colour"))
        };
        for ink in ["ink", "soft", "blue", "good", "bad", "link"] {
            for ground in ["paper", "wash"] {
                let (a, b) = (colour(ink), colour(ground));
                let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                assert!(contrast >= 4.5, "{ink} on {ground}: {contrast:.2}");
            }
        }
    }
}

fn luminance(rgb: u32) -> f64 {
    let part = |shift: u32| {
        let c = f64::from(rgb >> shift & 255) / 255.0;
        if c <= 0.03928 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0)
}
