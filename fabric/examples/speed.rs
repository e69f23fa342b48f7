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
    println!(
        "{:20} {:>5} {:>9} {:>9} {:>7} {:>10} {:>9}",
        "case", "seed", "packets", "events", "CPU s", "packets/s", "largest"
    );
    for (case, seed) in experiment.tasks() {
        let begin = ThreadTime::now();
        let run = run(&experiment.cases[case], seed);
        let took = begin.elapsed().as_secs_f64();
        let packets = run.figures["data packets"];
        let (speed, largest) = (packets / took, run.figures["largest"]);
        println!("{:20} {seed:5} {packets:9.0} {:9} {took:7.3} {speed:10.0} {largest:9.2}", run.case, run.events);
        run.broken.iter().take(5).for_each(|line| println!("  broken: {line}"));
    }
}
