// SPDX-License-Identifier: MIT OR Apache-2.0
//! The model with queues at its interfaces: clock by clock what a loop over all clocks in Python does with the model.

use super::shell;
use crate::Place;

/// Random transfers, frames and pauses, on `Bench` and in a loop of its own; and what is refused.
const COMPARE: &str = r#"
import random, sys
from NAME import INPUTS, INTERFACES, OUTPUTS, Bench, Model

random.seed(1)
bench, model, clock = Bench(), Model(), 0
model.clock(reset=True)
port = lambda interface, signal: next((p for p in (f"{interface}_t{signal}", f"{interface}_{signal}") if p in INPUTS or p in OUTPUTS), None)
fields = {name: {field: f"{name}_{field}" for field in widths} for name, (_, widths) in INTERFACES.items()}
into = [name for name, (is_input, _) in INTERFACES.items() if is_input]
queues, offered, paused = {name: [] for name in INTERFACES}, dict.fromkeys(into), set()


def run(clocks):
    global clock
    for _ in range(clocks):
        out, inputs = model.read(), {}
        for name in INTERFACES:
            valid, ready, queue = port(name, "valid"), port(name, "ready"), queues[name]
            if name in into:
                if offered[name] is None and queue and queue[0][0] <= clock and name not in paused:
                    offered[name] = queue[0]
                if offered[name]:
                    inputs.update({valid: 1}, **offered[name][1])
                    if ready is None or getattr(out, ready):
                        offered[name] = None
                        queue.pop(0)
            else:
                taken = ready is None or name not in paused
                if ready:
                    inputs[ready] = int(taken)
                if taken and getattr(out, valid):
                    queue.append((clock, {p: getattr(out, p) for p in fields[name].values()}))
        model.clock(**inputs)
        clock += 1


def put_frame(name, frame, at):
    step = INTERFACES[name][1]["tkeep"]
    for i in range(0, len(frame), step):
        beat = frame[i : i + step]
        values = tdata, tkeep, tlast = int.from_bytes(beat, "little"), (1 << len(beat)) - 1, int(i + step >= len(frame))
        queues[name].append((at, dict.fromkeys(fields[name].values(), 0) | {
            f"{name}_tdata": tdata, f"{name}_tkeep": tkeep, f"{name}_tlast": tlast}))


compared = frames = 0
for _ in range(300):
    for name in into:
        at = clock + random.randrange(40)
        if "tkeep" in INTERFACES[name][1]:
            if random.random() < 0.5:
                frame = random.randbytes(random.randrange(1, 200))
                bench.put_frame(name, frame, at=at)
                put_frame(name, frame, at)
        elif random.random() < 0.8:
            values = {field: random.getrandbits(width) for field, width in INTERFACES[name][1].items()}
            bench.put(name, at=at, **values)
            queues[name].append((at, {fields[name][field]: value for field, value in values.items()}))
    for name in INTERFACES:
        pause = random.random() < 0.3
        bench.pause(name, pause)
        (paused.add if pause else paused.discard)(name)
    clocks = random.randrange(30)
    bench.run(clocks)
    run(clocks)
    assert bench.now == clock and bench.read() == model.read()
    for name, queue in queues.items():
        assert bench.waiting(name) == len(queue), (name, clock)
        if name not in into and "tkeep" in fields[name]:
            for frame, last in bench.take_frames(name):
                beats = b""
                while True:
                    at, beat = queue.pop(0)
                    bits = beat[f"{name}_tkeep"]
                    beats += beat[f"{name}_tdata"].to_bytes(512, "little")[: bits.bit_length()]
                    if beat[f"{name}_tlast"]:
                        break
                assert frame == beats and last.at == at
                frames += 1
        elif name not in into:
            transfers = [(t.at, {fields[name][field]: getattr(t, field) for field in dir(t)}) for t in bench.take_all(name)]
            assert transfers == queue, (name, clock)
            compared += len(queue)
            queue.clear()

first = into[0]
out = next(name for name in INTERFACES if name not in into)
field = next(iter(INTERFACES[first][1]))
for call, error in ((lambda: bench.put("nothing"), TypeError), (lambda: bench.take("nothing"), TypeError),
                    (lambda: bench.put(out), TypeError), (lambda: bench.take(first), TypeError),
                    (lambda: bench.put(first, nothing=1), TypeError), (lambda: bench.put(first, **{field: 1 << 4096}), ValueError),
                    (lambda: bench.set(nothing=1), TypeError), (lambda: bench.pause("nothing"), TypeError)):
    try:
        call()
    except error:
        continue
    sys.exit("a wrong call is taken")
print(f"equal in {clock} clocks, {'many' if compared > 100 else compared} transfers, {'many' if frames > 50 else frames} frames")
"#;

#[test]
fn a_bench_does_what_a_loop_over_all_clocks_does() {
    // Transfers with and without a ready; streams.
    for (stage, rest) in [("context_lookup", "many transfers, 0 frames"), ("icrc_insert", "0 transfers, many frames")] {
        let place = Place::fresh();
        place.write("small.toml", "data_width = 64\n[context_lookup]\nentries = 16\n");
        place.run(&format!("model --config small.toml --stage {stage} --out nic")).good();
        let name = format!("mpnic_{stage}");
        place.write("nic/compare.py", COMPARE.replace("NAME", &name));
        let said = shell(&place, "python3 -B compare.py").good();
        assert!(said.starts_with("equal in ") && said.ends_with(&format!("{rest}\n")), "{stage}: {said}");
        let warnings = "-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror";
        shell(
            &place,
            &format!(
                "cc {warnings} -c {name}_bench.c && c++ -Wall -Wextra -Werror -x c++ -fsyntax-only {name}_bench.h"
            ),
        )
        .good();
    }
}
