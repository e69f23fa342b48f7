// SPDX-License-Identifier: MIT OR Apache-2.0
//! Converts TOML to a [`Config`], or to an error that points at the place in the file.

use super::keys::{Key, Kind, Value, list};
use super::{Config, HoldMode, LiaRouter, Reorder, Target};
use crate::failure::{Failure, Mistake, Outcome, Place};
use pipeline::receive::reorder::PayloadConfig;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A problem for which the file name is not yet known.
struct Problem {
    message: String,
    label: String,
    span: Range<usize>,
    help: Option<String>,
}

/// Reads a configuration; `name` is the file name in errors.
pub fn parse(name: &str, text: &str) -> Outcome<Config> {
    read(text).map_err(|problem| {
        let end = problem.span.end.min(text.len());
        let start = problem.span.start.min(end);
        let place = Place { name: name.to_owned(), text: text.to_owned(), span: start..end, label: problem.label };
        Failure::Usage(Box::new(Mistake { message: problem.message, place: Some(place), help: problem.help }))
    })
}

fn read(text: &str) -> Result<Config, Problem> {
    let root = DeTable::parse(text).map_err(|error| {
        let mut span = error.span().unwrap_or(0..0);
        // At the end of the file, only the character before it can be shown.
        if span.is_empty() {
            span.start = text[..span.start.min(text.len())].char_indices().next_back().map_or(0, |(at, _)| at);
        }
        Problem {
            message: "the configuration is not TOML".to_owned(),
            label: error.message().trim_end().to_owned(),
            span,
            help: None,
        }
    })?;
    let mut config = Config::default();
    let mut spans = Vec::new();
    table(root.get_ref(), "", &mut config, &mut spans)?;
    together(&config, &spans)?;
    Ok(config)
}

/// Finds the position of the value of each key in the file.
type Spans = Vec<(&'static str, &'static str, Range<usize>)>;

fn table(table: &DeTable<'_>, section: &str, config: &mut Config, spans: &mut Spans) -> Result<(), Problem> {
    for (name, value) in table {
        let known = Key::find(section, name.get_ref());
        let is_section = section.is_empty() && Key::all().any(|key| key.section == name.get_ref());
        match (known, value.get_ref()) {
            (Some(key), _) => {
                let read = one(key, value)?;
                (key.set)(config, read);
                spans.push((key.section, key.name, value.span()));
            }
            (None, DeValue::Table(inner)) if is_section => self::table(inner, name.get_ref(), config, spans)?,
            (None, _) if is_section => {
                return Err(Problem {
                    message: format!("`{}` is a table", name.get_ref()),
                    label: format!("{} stands here", what(value.get_ref())),
                    span: value.span(),
                    help: Some(format!("write its keys below a line [{}]", name.get_ref())),
                });
            }
            (None, _) => return Err(unknown(section, name)),
        }
    }
    Ok(())
}

fn one(key: &Key, value: &Spanned<DeValue<'_>>) -> Result<Value, Problem> {
    let problem = |message: String, label: String| Problem {
        message,
        label,
        span: value.span(),
        help: Some(format!("`{}` is {}", key.name, key.kind.allowed())),
    };
    let read = match (&key.kind, value.get_ref()) {
        (Kind::OneOf(_) | Kind::Whole(..) | Kind::AutoOr(_) | Kind::AutoOrWhole(..), DeValue::Integer(x)) => {
            u64::from_str_radix(&x.as_str().replace('_', ""), x.radix()).map(Value::Whole).ok()
        }
        (Kind::Number(..), DeValue::Integer(x)) => {
            i64::from_str_radix(&x.as_str().replace('_', ""), x.radix()).map(|x| Value::Number(x as f64)).ok()
        }
        (Kind::Number(..), DeValue::Float(x)) => x.as_str().replace('_', "").parse().map(Value::Number).ok(),
        (Kind::Device | Kind::AutoOr(_) | Kind::AutoOrWhole(..) | Kind::Word(_) | Kind::Name, DeValue::String(x)) => {
            Some(Value::Text(x.to_string()))
        }
        (Kind::Flag, DeValue::Boolean(x)) => Some(Value::Flag(*x)),
        (_, other) => {
            return Err(problem(format!("`{}` has the wrong type", key.name), format!("this is {}", what(other))));
        }
    };
    match read {
        Some(read) if key.kind.allows(&read) => Ok(read),
        _ => Err(problem(format!("`{}` cannot have this value", key.name), "not allowed".to_owned())),
    }
}

/// Checks rules that involve two keys.
fn together(config: &Config, spans: &Spans) -> Result<(), Problem> {
    let check = |section: &str, names: [&str; 2], broken: bool, message: String, label: String, help: &str| {
        let place = |name: &&str| spans.iter().find(|(at, key, _)| *at == section && key == name);
        let span = names.iter().find_map(place).map_or(0..0, |(_, _, span)| span.clone());
        if broken { Err(Problem { message, label, span, help: Some(help.to_owned()) }) } else { Ok(()) }
    };
    let (width, amount) = (config.tally.width, config.tally.amount_width);
    check(
        "tally",
        ["amount_width", "width"],
        amount > width,
        format!("an amount of {amount} bits does not fit a counter of {width}"),
        format!("`amount_width` is {amount}, `width` is {width}"),
        "`amount_width` is at most `width`",
    )?;
    let (evs, base, range) =
        (config.entropy_selector.evs, config.entropy_selector.wire_base, config.entropy_selector.wire_range);
    check(
        "entropy_selector",
        ["wire_range", "evs"],
        range < evs,
        format!("{evs} EVs of a CCC are not among {range} on the wire"),
        format!("`wire_range` is {range}, `evs` is {evs}"),
        "`wire_range` is at least `evs`",
    )?;
    check(
        "entropy_selector",
        ["wire_base", "wire_range"],
        base % range != 0,
        format!("{base} is not a multiple of {range}"),
        format!("`wire_base` is {base}, `wire_range` is {range}"),
        "`wire_base` is a multiple of `wire_range`, and not 0",
    )?;
    check(
        "reorder",
        ["sram_protection", "sram_protection"],
        u64::from(config.ram_latency()) < config.least_ram_latency(),
        "memories with check bits have a latency of 2 or 3".to_owned(),
        "but `target.ram_latency` is 1".to_owned(),
        "write `ram_latency = 3` below [target], or 2 for a slow clock, or leave it to \"auto\"",
    )?;
    let Target { device, ultra_ram_bits, .. } = &config.target;
    check(
        "target",
        ["ultra_ram_bits", "device"],
        config.target.lacks_ultra_ram(),
        format!("{device} has no UltraRAM"),
        format!("`ultra_ram_bits` is {ultra_ram_bits}"),
        Target::WITHOUT_ULTRA_RAM,
    )?;
    let LiaRouter { global_ports, switches, trunks, .. } = config.lia_router;
    let links = global_ports * switches;
    check(
        "lia_router",
        ["trunks", "switches"],
        links % trunks != 0 || links / trunks < 2,
        format!("{links} global links of a group are not those to two groups or more, {trunks} each"),
        format!("`global_ports` is {global_ports}, `switches` is {switches}, `trunks` is {trunks}"),
        "`trunks` is a divisor of `global_ports` times `switches`, and at most half of it",
    )?;
    let Reorder { hold, cells, cell_bytes, quota, reserve, .. } = config.reorder;
    let (held, width) = (hold == HoldMode::Payload, config.data_width);
    let least = PayloadConfig::least_cell_bytes(u32::try_from(width).unwrap_or(u32::MAX));
    let bytes = cell_bytes.unwrap_or(u64::MAX);
    check(
        "reorder",
        ["cell_bytes", "hold"],
        held && bytes < least,
        format!("a cell of {bytes} bytes has fewer than {} beats of {width} bits", PayloadConfig::LEAST_BEATS),
        format!("`cell_bytes` is {bytes}, `data_width` is {width}"),
        &format!("`cell_bytes` is {least} or more with this `data_width`"),
    )?;
    let protocols = config.protocols;
    check(
        "reorder",
        ["hold", "hold"],
        held && protocols.uet && !(protocols.rocev2 || protocols.elab) && config.ccc_table.algorithms.has_rccc(),
        "a NIC with RCCC does not hold frames".to_owned(),
        "credit is asked for in records, which held frames do not have".to_owned(),
        "write `hold = \"descriptor\"` below [reorder], or `algorithms = \"nscc\"` below [ccc_table]",
    )?;
    for (name, value) in [("quota", quota), ("reserve", reserve)] {
        let value = value.unwrap_or(0);
        check(
            "reorder",
            [name, "cells"],
            held && value > cells,
            format!("a {name} of {value} cells is more than all {cells}"),
            format!("`{name}` is {value}, `cells` is {cells}"),
            &format!("`{name}` is at most `cells`"),
        )?;
    }
    Ok(())
}

/// Where the file says the value of a key.
pub fn place_of(text: &str, section: &str, name: &str) -> Option<Range<usize>> {
    let root = DeTable::parse(text).ok()?;
    let table = match section {
        "" => root.get_ref(),
        _ => match root.get_ref().get(section)?.get_ref() {
            DeValue::Table(inner) => inner,
            _ => return None,
        },
    };
    table.get(name).map(Spanned::span)
}

fn unknown(section: &str, name: &Spanned<std::borrow::Cow<'_, str>>) -> Problem {
    let mut allowed: Vec<&str> = Key::all().filter(|key| key.section == section).map(|key| key.name).collect();
    if section.is_empty() {
        for key in Key::all().filter(|key| !key.section.is_empty()) {
            if !allowed.contains(&key.section) {
                allowed.push(key.section);
            }
        }
    }
    let place = if section.is_empty() { "at the top".to_owned() } else { format!("in [{section}]") };
    let elsewhere = Key::all().find(|key| key.section != section && key.name == name.get_ref());
    let help = match elsewhere {
        Some(key) if key.section.is_empty() => format!("`{}` stands at the top, before any [table]", key.name),
        Some(key) => format!("`{}` is a key of [{}]", key.name, key.section),
        None => {
            let all = format!("{place} there are {}", list(allowed.iter().map(|name| format!("`{name}`"))));
            let distance = |known: &&str| strsim::damerau_levenshtein(known, name.get_ref());
            let nearest = allowed.iter().copied().min_by_key(distance).filter(|known| distance(known) <= 2);
            nearest.map_or(all.clone(), |known| format!("did you mean `{known}`? {all}"))
        }
    };
    Problem {
        message: format!("there is no key `{}` {place}", name.get_ref()),
        label: "unknown key".to_owned(),
        span: name.span(),
        help: Some(help.replace(" or ", " and ")),
    }
}

fn what(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a point",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
