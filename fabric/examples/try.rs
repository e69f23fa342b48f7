// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs an experiment and prints what the cases have shown: `cargo run --release -p fabric --example try -- FILE [KEY=VALUE ..]`.

use fabric::experiment::{Experiment, run};
use std::path::Path;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file");
    let set: Vec<_> = arguments.collect();
    let text = std::fs::read_to_string(&file).expect("it can be read");
    let folder = Path::new(&file).parent().unwrap_or(Path::new("."));
    let experiment = match Experiment::read(&text, &set, folder) {
        Ok(experiment) => experiment,
        Err(problem) => {
            println!("{problem} {:?}", problem.span.clone().map(|span| &text[span]));
            return;
        }
    };
    let about = &experiment.settings.experiment;
    for plan in &experiment.cases {
        for seed in about.seed..about.seed + about.seeds.get_ref() {
            let begin = Instant::now();
            let run = run(plan, seed);
            let took = begin.elapsed().as_secs_f64();
            let speed = run.figures["data packets"] / took;
            println!("{} seed {seed}: {:?}", plan.name, run.figures);
            println!("  {:?}", run.counters);
            println!("  {took:.2} s, {speed:.0} packets/s, {} events", run.events);
            run.broken.iter().take(5).for_each(|line| println!("  broken: {line}"));
        }
    }
}
