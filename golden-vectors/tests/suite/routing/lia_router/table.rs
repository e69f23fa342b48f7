// SPDX-License-Identifier: MIT OR Apache-2.0
//! What holds for every answer, for random sizes, loads and settings; paths are followed link by link.

use golden_vectors::rng::{SEED, SplitMix64};
use golden_vectors::routing::lia_router::oracle::{Answer, Arrangement, Hop, Place, Settings, Shape, Table};
use std::sync::Arc;

/// Sizes: *h*, *a*, *t*.
const SIZES: [(u64, u64, u64); 12] = [
    (1, 2, 1),
    (2, 4, 1),
    (2, 4, 2),
    (2, 4, 4),
    (3, 6, 1),
    (3, 5, 1),
    (4, 8, 1),
    (4, 6, 3),
    (4, 8, 8),
    (4, 12, 12),
    (6, 12, 2),
    (16, 32, 1),
];

fn shape((global_ports, switches, trunks): (u64, u64, u64)) -> Shape {
    let shape = Shape { global_ports, switches, trunks, counter_bits: 16 };
    assert!(shape.exists());
    shape
}

fn hop(rng: &mut SplitMix64) -> Hop {
    [Hop::Rule, Hop::Kept, Hop::Dropped][rng.below(3) as usize]
}

fn settings(rng: &mut SplitMix64) -> Settings {
    let bias = |rng: &mut SplitMix64| rng.below(100) as i64 - 50;
    Settings {
        weight: rng.below(64),
        limits: [rng.below(200), rng.below(400)],
        biases: [bias(rng), bias(rng), bias(rng)],
        link_threshold: rng.below(100),
        saturated_links: rng.below(4),
        remote_threshold: rng.below(2000),
        interval: 1,
        first_hop: hop(rng),
        second_hop: hop(rng),
        corrected: rng.below(2) == 0,
    }
}

/// The global link that leads from one switch on, by the answer: over trunk links the first that there is.
fn follow(links: &Arrangement, own: Place, to: Place, answer: &Answer) {
    let shape = links.shape();
    if own.group == to.group {
        assert!(answer.minimal && answer.port == to.switch);
        assert_eq!(answer.hops, u64::from(own.switch != to.switch));
        return;
    }
    // The intermediate group is another one, also if the minimal path was taken.
    assert!(answer.group < shape.groups() && answer.group != own.group && answer.group != to.group);
    assert_eq!(shape.offset(answer.group, own.group), links.offset(answer.link));
    assert!(answer.switch < shape.switches);
    assert!(answer.l2 || answer.switch == links.arrival(answer.link));
    assert!(answer.l1 || links.switch(answer.link) == own.switch);
    let own_port = answer.port.checked_sub(shape.switches);
    if answer.minimal {
        assert!((1..=3).contains(&answer.hops));
        // The port leads to the group, or to a switch that has a link to it.
        let offset = shape.offset(to.group, own.group);
        let switch = if own_port.is_some() { own.switch } else { answer.port };
        let all = (switch * shape.global_ports..).take(shape.global_ports as usize);
        let own_link = own_port.map(|port| own.switch * shape.global_ports + port);
        let fits = |link: &u64| links.offset(*link) == offset && own_link.is_none_or(|own| own == *link);
        let path = u64::from(own_port.is_none()) + 1;
        let mut hops = all.filter(fits).map(|link| path + u64::from(links.arrival(link) != to.switch));
        assert!(hops.any(|hops| hops == answer.hops), "{answer:?}");
    } else {
        let own_link = answer.link / shape.global_ports == own.switch;
        let port = if own_link { shape.switches + answer.link % shape.global_ports } else { links.switch(answer.link) };
        assert_eq!(answer.port, port);
        let there = 1 + u64::from(!own_link) + u64::from(answer.switch != links.arrival(answer.link));
        let rest = shape.offset(to.group, answer.group);
        // From there on it is a minimal path: two global hops in all.
        let mut ways = (0..shape.trunks).map(|trunk| links.first(rest) + trunk).map(|link| {
            let local = u64::from(links.switch(link) != answer.switch) + u64::from(links.arrival(link) != to.switch);
            there + 1 + local
        });
        assert!(ways.any(|hops| hops == answer.hops) && (2..=6).contains(&answer.hops), "{answer:?}");
    }
}

#[test]
fn every_path_leads_to_its_destination() {
    let rng = &mut SplitMix64::new(SEED);
    let mut kinds = [0; 2];
    for size in SIZES {
        let shape = shape(size);
        let links = Arc::new(Arrangement::palmtree(shape));
        for _ in 0..60 {
            let own = Place { group: rng.below(shape.groups()), switch: rng.below(shape.switches) };
            let mut table = Table::new(links.clone(), own, rng.next_u64() as u32, settings(rng));
            for _ in 0..200 {
                let group = rng.below(shape.groups());
                match rng.below(6) {
                    0 => assert!(table.enqueue(group, rng.below(99))),
                    1 => assert!(table.dequeue(group, rng.below(99))),
                    2 => assert!(table.occupancy(rng.below(shape.ports()), rng.below(99), rng.below(20))),
                    3 => table.sweep(rng.below(2) == 0),
                    _ => {
                        let to = Place { group, switch: rng.below(shape.switches) };
                        let answer = table.request(group, to.switch);
                        follow(&links, own, to, &answer);
                        kinds[usize::from(answer.minimal)] += 1;
                    }
                }
            }
        }
    }
    assert!(kinds[0] > 5000 && kinds[1] > 5000, "{kinds:?}");
}

/// Links are drawn evenly: all others of the group, or all own ones; what would lead to the destination goes to the one
/// behind it.
#[test]
fn links_are_drawn_evenly() {
    let shape = shape((4, 8, 1));
    let links = Arc::new(Arrangement::palmtree(shape));
    for (first_hop, from, many) in [(Hop::Kept, 0, 32), (Hop::Dropped, 12, 4)] {
        let settings = Settings { first_hop, second_hop: Hop::Kept, ..Settings::found(shape, 1, 1000) };
        let mut table = Table::new(links.clone(), Place { group: 3, switch: 3 }, 99, settings);
        // Link 13 leads to offset 14.
        let mut drawn = [0_u64; 32];
        let mut switches = [0_u64; 8];
        for _ in 0..64_000 {
            let answer = table.request(17, 2);
            drawn[answer.link as usize] += 1;
            switches[answer.switch as usize] += 1;
        }
        for (link, count) in (0..).zip(drawn) {
            let shares = match link {
                13 => 0,
                14 => 2,
                _ => u64::from((from..from + many).contains(&link)),
            };
            assert!((count * many).abs_diff(shares * 64_000) < 64_000 / 8, "link {link}: {count}");
        }
        assert!(switches.iter().all(|count| count.abs_diff(8000) < 500), "{switches:?}");
    }
}

/// Numbers that are none of a group, a switch or a port change nothing.
#[test]
fn unknown_numbers() {
    let shape = shape((3, 5, 1));
    let settings = Settings::found(shape, 1, 1000);
    let mut table = Table::new(Arc::new(Arrangement::palmtree(shape)), Place { group: 15, switch: 4 }, 1, settings);
    assert!(!table.enqueue(16, 3) && !table.dequeue(31, 3) && !table.occupancy(8, 3, 0));
    assert!(table.enqueue(15, 3), "the own group is known, and not counted");
    assert_eq!(table.request(16, 0), Answer::default());
    assert_eq!(table.request(0, 5), Answer::default());
    table.sweep(true);
    assert!((1..16).all(|offset| table.loads().level(offset) == 0));
}

/// With as many links between groups as own ones, all own links may lead to the destination: the first local hop stays.
#[test]
fn own_links_that_all_lead_there() {
    let shape = shape((4, 8, 4));
    let settings = Settings { first_hop: Hop::Dropped, ..Settings::found(shape, 1, 1000) };
    let mut table = Table::new(Arc::new(Arrangement::palmtree(shape)), Place { group: 0, switch: 2 }, 1, settings);
    for _ in 0..100 {
        assert!(table.request(3, 0).l1);
        assert!(!table.request(4, 0).l1);
    }
}

/// An arrangement is one in which every offset has its links.
#[test]
fn other_arrangements() {
    let shape = shape((2, 4, 2));
    assert_eq!(Arrangement::of(shape, &[0, 1, 2, 3]), Some(Arrangement::palmtree(shape)));
    for wrong in [&[0, 1, 2][..], &[0, 1, 2, 2], &[0, 1, 2, 4], &[0, 1, 2, 3, 0]] {
        assert_eq!(Arrangement::of(shape, wrong), None);
    }
    let turned = Arrangement::of(shape, &[3, 1, 2, 0]).expect("an arrangement");
    assert_eq!((turned.first(4), turned.offset(1), turned.first(1), turned.arrival(0)), (0, 4, 6, 3));
}
