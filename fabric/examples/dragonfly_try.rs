//! scratch
use fabric::dragonfly::{measure::*, network::*, pattern::*, policy::*, shape::*, switches::*};
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let get = |k: &str, d: f64| a.iter().find_map(|x| x.strip_prefix(&format!("{k}=")).map(|v| v.parse().unwrap())).unwrap_or(d);
    let txt = |k: &str, d: &str| a.iter().find_map(|x| x.strip_prefix(&format!("{k}=")).map(|v| v.to_string())).unwrap_or(d.into());
    let h = get("h", 4.0) as u32;
    let t = get("t", 1.0) as u32;
    let sh = Shape::new(h, 2 * h, h, t, if get("apart", 0.0) > 0.0 { Trunks::Apart } else { Trunks::Neighbours }).unwrap();
    let hw = Hardware { flits: 8, pipeline: get("pipe", 5.0) as u32, speedup: get("speedup",2.0) as u32, output_queue: get("oq", 4.0) as u32, host_delay: get("hd",1.0) as u32, local_delay: 10, global_delay: 100,
        injection_queues: get("iq",3.0) as u32, injection_buffer: 16, local_buffer: get("lb",4.0) as u32, global_buffer: get("gb",32.0) as u32, oldest_first: get("old", 0.0) > 0.0 };
    let keep = |s: &str| match s { "always" => Keep::Always, "never" => Keep::Never, "acor" => Keep::Acor, _ => Keep::Counters };
    let (mut ch, mut k1, mut k2, mut w) = (Choice::Levels, Keep::Counters, Keep::Counters, 1.0);
    match txt("p", "lia").as_str() {
        "min" => ch = Choice::Minimal,
        "val" => { ch = Choice::Detour; k1 = Keep::Always; k2 = Keep::Always }
        "ugal" => { ch = Choice::Ugal(get("th", 0.0)); k1 = Keep::Always; k2 = Keep::Always }
        "pb" => { ch = Choice::Piggyback(get("th", 0.0)); k1 = Keep::Always; k2 = Keep::Always }
        "acor" => { ch = Choice::Detour; k1 = Keep::Acor; k2 = Keep::Acor }
        "tpr" => { k1 = Keep::Always; k2 = Keep::Always; w = 0.0 }
        _ => {}
    }
    let s1 = txt("k1", ""); if !s1.is_empty() { k1 = keep(&s1) }
    let s2 = txt("k2", ""); if !s2.is_empty() { k2 = keep(&s2) }
    let af = f64::from(2 * h);
    let rules = Rules { choice: ch, first: k1, second: k2, in_flight: get("inflight", 0.0) > 0.0, weight: get("w", w), interval: get("T", 1000.0) as u32,
        limits: [get("l0", 1.5) / af, get("l1", 3.0) / af], thresholds: [get("t0", 6.0), get("t1", 0.0)], global: get("gps", 0.8) / af, saturated: get("sgc", f64::from(h / 2)) as u32, remote: get("rc", 0.7) };
    let pat = match txt("t_", "").as_str() { _ => txt("pat", "un") };
    let pat = match pat.as_str() { "un" => Pattern::Uniform, "advc" => Pattern::Consecutive, s => Pattern::Adversarial(s[3..].parse().unwrap()) };
    for l in txt("load", "0.5").split(',') {
        let load: f64 = l.parse().unwrap();
        let mut acc=vec![]; 
        let t0 = std::time::Instant::now();
        let (from, end) = (get("warm", 10000.0) as u32, get("end", 25000.0) as u32);
        let setup = Setup { shape: sh, hardware: hw, rules, phases: vec![Phase { from: 0, pattern: pat, uniform: get("mix", 0.0), load }], window: Window { from, end, step: 100 } };
        let mut n = Network::new(&setup, get("seed", 1.0) as u64);
        n.run();
        let m = &n.measure;
        let el = t0.elapsed().as_secs_f64();
        acc.push(m.packets as f64 * 8.0 / f64::from(m.cycles()) / f64::from(sh.all_hosts()));
        let per = |v: f64| v * 8.0 / f64::from(m.cycles()) / f64::from(sh.hosts);
        let sout: f64 = (0..sh.groups).map(|g| per(f64::from(m.injected[(g * sh.switches) as usize]))).sum::<f64>() / f64::from(sh.groups);
        let (mn, mx) = (m.injected.iter().min().unwrap(), m.injected.iter().max().unwrap());
        let d = n.policy_decided();
        println!("load {load} acc {:.4} lat {:.1} p99 {} hops {:.2} refused {:.3} min {:.3} l1 {:.3} l2 {:.3} sw {:.3}..{:.3} sout {:.3}  {:.0} cyc/s", acc[0], m.latency as f64 / m.packets as f64, m.quantile(0.99), m.links as f64 / m.packets as f64,
            m.refused as f64 / m.offered as f64, d.minimal as f64 / (d.minimal + d.detours) as f64, d.first as f64 / d.detours.max(1) as f64, d.second as f64 / d.detours.max(1) as f64, per(f64::from(*mn)), per(f64::from(*mx)), sout, f64::from(end) / el);
    }
}
