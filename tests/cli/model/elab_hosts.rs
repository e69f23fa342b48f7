// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two hosts of ELAB exchange packets over two paths as `docs/examples/nic/two_elab_hosts.py` has them.

use super::shell;
use crate::Place;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/examples/nic");
const FAST: usize = 0;
const SLOW: usize = 1;

/// A line of the example: goodput in Gb/s, and of each path the packets that came, and those that were lost.
struct Line {
    goodput: f64,
    came: [u32; 2],
    lost: [u32; 2],
}

/// The line of this run and direction.
fn line(said: &str, begin: &str) -> Line {
    let find = || {
        let rest = said.lines().find_map(|line| line.strip_prefix(begin))?;
        let (goodput, rest) = rest.split_once(" Gb/s; packets by path: ")?;
        let path = |text: &str| {
            let (came, lost) = text.strip_suffix(" lost")?.split_once(" and ")?;
            Some((came.parse().ok()?, lost.parse().ok()?))
        };
        let (fast, slow) = rest.split_once(", ")?;
        let ((fast, fast_lost), (slow, slow_lost)) = (path(fast)?, path(slow)?);
        Some(Line { goodput: goodput.parse().ok()?, came: [fast, slow], lost: [fast_lost, slow_lost] })
    };
    find().unwrap_or_else(|| panic!("no line of `{begin}`: {said}"))
}

/// The place with the compiled model and the example.
fn built() -> Place {
    let place = Place::fresh();
    place.run("model --config elab-100g --stage elab_host --out nic").good();
    shell(&place, &format!("cp {EXAMPLES}/*.py . && cc -O1 -shared -fPIC -o libmpnic_elab_host.so mpnic_elab_host*.c"))
        .good();
    place
}

/// 50 Gb/s are sent each way, of which headers leave 47.5, over 60 and 15.
#[test]
fn two_elab_hosts_use_paths_as_they_are_wide() {
    let place = built();
    for dies in [FAST, SLOW] {
        let said = shell(&place, &format!("python3 two_elab_hosts.py {dies}")).good();
        let there = |what: &str| line(&said, &format!("{what}, a to b: "));
        let back = |what: &str| line(&said, &format!("{what}, b to a: "));
        let came: u32 = said
            .lines()
            .filter(|line| line.contains(" to "))
            .map(|text| {
                let (begin, _) = text.split_once(": ").expect("a direction");
                line(&said, &format!("{begin}: ")).came.iter().sum::<u32>()
            })
            .sum();
        assert!(came > 10_000, "{came} packets: {said}");

        let [first, both, dead, again] = ["at first", "both paths", "one is dead", "both again"].map(there);
        // Equal bandwidths until there is a mark.
        assert!(first.came[SLOW] > 0 && first.came[FAST] < 2 * first.came[SLOW], "{said}");
        for run in [&both, &again] {
            assert!(run.goodput > 45.0 && run.lost == [0, 0], "{said}");
            assert!(run.came[SLOW] > 100 && run.came[FAST] > 4 * run.came[SLOW], "{said}");
        }
        // It is left, and tried now and then.
        assert!((1..40).contains(&dead.lost[dies]) && dead.came[dies] == 0, "{said}");
        let found: Vec<_> = said.lines().filter(|line| line.starts_with("VP ") && line.ends_with("dead")).collect();
        assert_eq!(found.len(), 1, "{said}");
        assert!(found[0].starts_with(["VP 0xc000", "VP 0xc001"][dies]), "{said}");
        let left = if dies == SLOW { 45.0..48.5 } else { 13.5..15.0 };
        assert!(left.contains(&dead.goodput), "{said}");
        // Nothing of that concerns the other direction.
        for what in ["both paths", "one is dead", "both again"] {
            assert!(back(what).goodput > 45.0 && back(what).lost == [0, 0], "{said}");
        }
    }
}

#[test]
fn the_example_of_elab_hosts_fails_if_packets_change_or_none_comes() {
    let place = built();
    for (sent, says) in [
        ("send(wire, at, frame[:-1] + bytes([frame[-1] ^ 1]))", "a packet came changed, twice, or for another pair\n"),
        ("None", "nothing came\n"),
    ] {
        let change = format!("import wire\nsend = wire.Wire.send\nwire.Wire.send = lambda wire, at, frame: {sent}\n");
        place.write("nic/changed.py", format!("{change}import two_elab_hosts\n"));
        let error = shell(&place, "python3 changed.py").bad(1);
        assert_eq!(error, format!("b: {says}"));
    }
}
