// SPDX-License-Identifier: MIT OR Apache-2.0
//! How fast experiments run, in CPU time of the thread: `cargo run --release -p fabric --example speed -- FILE [KEY=VALUE ..]`.

use cpu_time::ThreadTime;
use fabric::experiment::{Experiment, run};
use std::path::Path;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(file) = arguments.next() else {
        eprintln!("usage: speed FILE [KEY=VALUE ..]");
        return;
    };
    let set: Vec<_> = arguments.collect();
    let folder = Path::new(&file).parent().unwrap_or(Path::new("."));
    let text = std::fs::read_to_string(&file).map_err(|error| error.to_string());
    let read = text.and_then(|text| Experiment::read(&text, &set, folder).map_err(|problem| problem.to_string()));
    let experiment = match read {
        Ok(experiment) => experiment,
        Err(problem) => {
            eprintln!("{file}: {problem}");
            return;
        }
    };
    println!("{:36} {:>5} {:>9} {:>7} {:>12} {:>9}", "case", "seed", "events", "CPU s", "per second", "mean");
    for (case, seed) in experiment.tasks() {
        let begin = ThreadTime::now();
        let run = run(&experiment.cases[case], seed);
        let took = begin.elapsed().as_secs_f64();
        // Cycles of a Dragonfly, data packets otherwise.
        let (count, unit) = match run.figures.get("data packets") {
            Some(&packets) => (packets, "packets"),
            None => (run.end as f64 / 1000.0, "cycles"),
        };
        let (speed, mean) = (count / took, run.figures["mean"]);
        println!("{:36} {seed:5} {:9} {took:7.3} {speed:12.0} {mean:9.2} {unit}", run.case, run.events);
        run.broken.iter().take(5).for_each(|line| println!("  broken: {line}"));
    }
}
