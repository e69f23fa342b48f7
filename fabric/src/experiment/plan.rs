// SPDX-License-Identifier: MIT OR Apache-2.0
//! A case that can be run: all keys are checked, and what is not given is computed.

use super::network::{At, changes, limits, measured, round_trip, time, topology, within};
use super::settings::{File, Settings, Transport};
use super::workload::workload;
use super::{Problem, dragonfly};
use crate::dragonfly::network::Setup as Dragonfly;
use crate::event::{MICROSECOND, Time};
use crate::link::LinkId;
use crate::queue::Limits;
use crate::switch::Choice;
use crate::topology::{Routes, Topology};
use crate::traffic::{Flow, Sizes};
use crate::transport::{Control, Setup, default_rto};
use golden_vectors::transmit::entropy_selector::oracle::Mode;
use std::path::Path;
use toml::Spanned;

/// The messages of a case.
#[derive(Clone, Debug, PartialEq)]
pub enum Workload {
    /// These.
    Flows(Vec<Flow>),
    /// Random ones.
    Load {
        /// Number of hosts.
        hosts: u32,
        /// The share of their rate.
        load: f64,
        /// Their sizes.
        sizes: Sizes,
        /// No message begins later.
        until: Time,
    },
}

/// A case.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it is called; nothing if it is the only one.
    pub name: String,
    /// Its network.
    pub network: Planned,
}

/// The network of a case.
#[derive(Clone, Debug)]
pub enum Planned {
    /// By events, with end points.
    Events(Box<Events>),
    /// A Dragonfly, in cycles.
    Dragonfly(Box<Dragonfly>),
}

/// A network by events.
#[derive(Clone, Debug)]
pub struct Events {
    /// The network.
    pub topology: Topology,
    /// How switches choose.
    pub choice: Choice,
    /// Changes of links.
    pub changes: Vec<At>,
    /// Queues, and those before links to hosts.
    pub limits: [Limits; 2],
    /// End points.
    pub setup: Setup,
    /// Messages.
    pub workload: Workload,
    /// Links that are looked at, and how often.
    pub measured: Option<(Vec<LinkId>, Time)>,
    /// Then a run ends.
    pub end: Time,
}

/// A value, or one in place of it.
fn or<T: Copy>(value: &Option<Spanned<T>>, else_: T) -> T {
    value.as_ref().map_or(else_, |value| *value.get_ref())
}

impl Plan {
    /// The case of a file.
    ///
    /// # Errors
    /// A value cannot be, and it says which, and what helps.
    pub fn of(name: String, file: &File, folder: &Path) -> Result<Self, Problem> {
        let seeds = &file.about().seeds;
        if !(1..=100_000).contains(seeds.get_ref()) {
            return Err(Problem::at(seeds, format!("{} seeds", seeds.get_ref()), "it is from 1 to 100000"));
        }
        let network = match file {
            File::Events(settings) => Planned::Events(Box::new(Events::of(settings, folder)?)),
            File::Dragonfly(settings) => Planned::Dragonfly(Box::new(dragonfly::setup(settings)?)),
        };
        Ok(Plan { name, network })
    }

    /// The network by events, if it is one.
    #[must_use]
    pub fn events(&self) -> Option<&Events> {
        match &self.network {
            Planned::Events(events) => Some(events),
            Planned::Dragonfly(_) => None,
        }
    }
}

impl Events {
    fn of(settings: &Settings, folder: &Path) -> Result<Self, Problem> {
        let (topology, cable, choice) = topology(&settings.topology)?;
        let routes = Routes::of(&topology)
            .map_err(|message| Problem::at(&settings.topology.kind, message, "join all hosts and switches"))?;
        let changes = changes(&settings.topology, &topology)?;
        let setup = setup(settings, &topology, &routes, cable.rate)?;
        let limits = limits(settings, &setup)?;
        let default = default_rto(cable.rate, limits[0].data);
        let rto = match &settings.transport.rto_us {
            Some(value) => time(value, MICROSECOND, "a time-out")?,
            None => default,
        };
        let setup = Setup { rto, ..setup };
        let leaf = |host| topology.wires[routes.from_host(host) as usize].to;
        let leaves: Vec<_> = (0..topology.hosts.len() as u32).map(leaf).collect();
        let workload = workload(&settings.traffic, &leaves, cable.rate, folder)?;
        let measured = measured(&settings.measure, &topology)?;
        let end = time(&settings.experiment.end_us, MICROSECOND, "the end")?;
        Ok(Events { topology, choice, changes, limits, setup, workload, measured, end })
    }
}

/// `[transport]`.
fn setup(settings: &Settings, topology: &Topology, routes: &Routes, rate: u64) -> Result<Setup, Problem> {
    /// Bytes of control packets.
    const CONTROL: u32 = 64;
    let transport = &settings.transport;
    let (packet, header) = (or(&transport.packet_bytes, 4150), or(&transport.header_bytes, 64));
    if let Some(value) = transport.packet_bytes.as_ref().filter(|_| !(header + 64..=16_000).contains(&packet)) {
        let help = format!("it is from {} to 16000, headers among them", header + 64);
        return Err(Problem::at(value, format!("a packet of {packet} bytes"), help));
    }
    if let Some(value) =
        transport.header_bytes.as_ref().filter(|_| !(64..=1000).contains(&header) || header + 64 > packet)
    {
        return Err(Problem::at(
            value,
            format!("headers of {header} bytes"),
            "they are from 64 to 1000, and less than a packet",
        ));
    }
    let rtt = match &transport.rtt_us {
        Some(value) => (within(value, 0.2, 8000.0, "a round trip in us")? * 1e6) as Time,
        None => round_trip(topology, routes, packet, CONTROL)
            .map_err(|message| Problem::at(&settings.topology.kind, message, "join all hosts and switches"))?,
    };
    let mut setup = Setup {
        rate,
        rtt,
        packet,
        header,
        control_size: CONTROL,
        control: control(transport)?,
        selection: selection(transport)?,
        paths: power(&transport.paths, 64, 8, 16_384, "paths")?,
        trim: settings.queue.trim.unwrap_or(true),
        ack_bytes: or(&transport.ack_bytes, 16_384),
        rto: 0,
        tail_probe: match &transport.tail_probe_us {
            Some(value) => time(value, MICROSECOND, "a probe of the tail")?,
            None => 0,
        },
        freeze: match &transport.freeze_us {
            Some(value) => time(value, MICROSECOND, "a freeze")?,
            None => 10_000 * MICROSECOND,
        },
        explore: 0,
        window: 1024,
    };
    // One bandwidth-delay product, as the paper on REPS has it (uet.md 4.2).
    setup.explore = or(&transport.explore, (setup.bdp() / u64::from(packet)).min(0xFFFF));
    if let Some(value) = transport.explore.as_ref().filter(|value| *value.get_ref() > 0xFFFF) {
        return Err(Problem::at(value, format!("{} packets to explore", value.get_ref()), "it is at most 65535"));
    }
    // Four times what is in flight at most, so that it is not the window of packets that limits.
    let packets = 6 * setup.bdp() / u64::from(packet);
    setup.window = power(&transport.window, packets.next_power_of_two().clamp(256, 16_384), 128, 16_384, "a window")?;
    if let Some(value) = transport.ack_bytes.as_ref().filter(|value| !(1..=1 << 23).contains(value.get_ref())) {
        return Err(Problem::at(value, format!("an ACK for {} bytes", value.get_ref()), "it is from 1 to 8388608"));
    }
    Ok(setup)
}

/// A power of two.
fn power(value: &Option<Spanned<u64>>, else_: u64, low: u64, high: u64, what: &str) -> Result<u64, Problem> {
    let Some(value) = value else { return Ok(else_) };
    let number = *value.get_ref();
    if number.is_power_of_two() && (low..=high).contains(&number) {
        return Ok(number);
    }
    let help = format!("it is a power of two from {low} to {high}");
    Err(Problem::at(value, format!("{what}: {number}"), help))
}

fn control(transport: &Transport) -> Result<Control, Problem> {
    let Some(value) = &transport.control else { return Ok(Control::Nscc) };
    match value.get_ref().as_str() {
        "nscc" => Ok(Control::Nscc),
        "rccc" => Ok(Control::Rccc),
        "both" => Ok(Control::Both),
        other => {
            Err(Problem::at(value, format!("no congestion control is called `{other}`"), "use nscc, rccc or both"))
        }
    }
}

fn selection(transport: &Transport) -> Result<Mode, Problem> {
    let Some(value) = &transport.selection else { return Ok(Mode::Mixed) };
    let found = Mode::ALL.into_iter().find(|mode| mode.name() == value.get_ref());
    found.ok_or_else(|| {
        let help = format!("use {}", Mode::ALL.map(Mode::name).join(", "));
        Problem::at(value, format!("no way to choose paths is called `{}`", value.get_ref()), help)
    })
}
