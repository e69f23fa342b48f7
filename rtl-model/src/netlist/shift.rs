// SPDX-License-Identifier: MIT OR Apache-2.0
//! Chains of flip-flops that only delay, which FPGAs with LUT shift registers map to these.

use super::circuit::*;
use std::collections::{BTreeMap, HashMap};

/// Conditions under which something is assigned, outermost first.
type Guard = Vec<(NodeId, Arm)>;

/// State of a condition or of the subject of a `case`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Arm {
    /// The condition is true.
    Taken,
    /// It is false, or no constant of the `case`.
    Passed,
    /// It is this constant.
    Is(Value),
}

/// A chain may hold a flip-flop without reset that is assigned in one place. It continues with the next one if that is
/// the only reader and is assigned under the same conditions.
pub(super) fn chains(module: &Module) -> BTreeMap<u32, u64> {
    let mut bits = Bits::of(module);
    bits.read(module);
    bits.lengths()
}

/// All flip-flops of a module, and their readers.
struct Bits {
    /// Per register: index of its lowest bit.
    first: Vec<usize>,
    /// Where the register is assigned, if that is one place and there is no reset.
    delays: Vec<Option<(usize, NodeId)>>,
    /// Readers of each flip-flop.
    readers: Vec<u32>,
    /// The flip-flop that this one delays, if there is one.
    before: Vec<Option<usize>>,
    /// The register of each flip-flop.
    register: Vec<usize>,
}

impl Bits {
    fn of(module: &Module) -> Self {
        let (mut first, mut register) = (Vec::new(), Vec::new());
        for (i, one) in module.registers.iter().enumerate() {
            first.push(register.len());
            register.resize(register.len() + one.width as usize, i);
        }
        let mut places = vec![Vec::new(); module.registers.len()];
        let mut guards = HashMap::new();
        walk(&module.body, &mut Vec::new(), &mut |target, value, guard: &Guard| {
            if let Target::Register(i) = target {
                let next = guards.len();
                places[i].push((*guards.entry(guard.clone()).or_insert(next), value));
            }
        });
        let alone = |(i, places): (usize, Vec<(usize, NodeId)>)| match places[..] {
            [place] if !module.registers[i].reset => Some(place),
            _ => None,
        };
        let delays = places.into_iter().enumerate().map(alone).collect();
        let count = register.len();
        Bits { first, delays, readers: vec![0; count], before: vec![None; count], register }
    }

    /// Counts the readers of every flip-flop of the module.
    fn read(&mut self, module: &Module) {
        for node in module.nodes.iter().filter(|node| !is_wiring(&node.op)) {
            node.args.iter().for_each(|&arg| self.tap(module, arg));
        }
        module.outputs.iter().for_each(|output| self.tap(module, output.value));
        module.variables.iter().for_each(|variable| self.tap(module, variable.default));
        module.instances.iter().flat_map(|instance| &instance.inputs).for_each(|&input| self.tap(module, input));
        for memory in &module.memories {
            memory.write.nodes().for_each(|node| self.tap(module, node));
            memory.reads.iter().flat_map(|port| [port.enable, port.address]).for_each(|node| self.tap(module, node));
        }
        let mut conditions = Vec::new();
        walk(&module.body, &mut Vec::new(), &mut |target, value, guard: &Guard| {
            conditions.extend(guard.iter().map(|(condition, _)| *condition));
            match target {
                Target::Register(i) if self.delays[i].is_some() => self.delay(module, i, value),
                _ => self.tap(module, value),
            }
        });
        conditions.into_iter().for_each(|condition| self.tap(module, condition));
    }

    /// A net is read by something that is not a delay.
    fn tap(&mut self, module: &Module, id: NodeId) {
        for bit in 0..module.node(id).width {
            if let Some(flip_flop) = self.source(module, id, bit) {
                // Once is enough.
                self.readers[flip_flop] += 2;
            }
        }
    }

    /// A net is read by a register whose bits may be delays.
    fn delay(&mut self, module: &Module, register: usize, value: NodeId) {
        for bit in 0..module.registers[register].width {
            if let Some(flip_flop) = self.source(module, value, bit) {
                self.readers[flip_flop] += 1;
                self.before[self.first[register] + bit as usize] = Some(flip_flop);
            }
        }
    }

    /// The flip-flop that drives one bit of a net through wires.
    fn source(&self, module: &Module, id: NodeId, bit: u32) -> Option<usize> {
        let node = module.node(id);
        let width = |arg: NodeId| module.node(arg).width;
        match node.op {
            Op::Register(i) => Some(self.first[i] + bit as usize),
            Op::Slice { low } => self.source(module, node.args[0], low + bit),
            Op::ZeroExtend => (bit < width(node.args[0])).then(|| self.source(module, node.args[0], bit)).flatten(),
            Op::SignExtend => self.source(module, node.args[0], bit.min(width(node.args[0]) - 1)),
            Op::Concat => {
                let mut low = 0;
                for &arg in node.args.iter().rev() {
                    if bit < low + width(arg) {
                        return self.source(module, arg, bit - low);
                    }
                    low += width(arg);
                }
                None
            }
            _ => None,
        }
    }

    /// How many chains there are of each length.
    fn lengths(&self) -> BTreeMap<u32, u64> {
        let guard = |bit: usize| self.delays[self.register[bit]].map(|(guard, _)| guard);
        let joined = |bit: usize| {
            let before = self.before[bit]?;
            (self.readers[before] == 1 && guard(before).is_some() && guard(before) == guard(bit)).then_some(before)
        };
        let mut goes_on = vec![false; self.register.len()];
        (0..self.register.len()).filter_map(joined).for_each(|before| goes_on[before] = true);
        let mut lengths = BTreeMap::new();
        // From the end of each chain to its beginning; a ring has no end.
        for end in (0..self.register.len()).filter(|&bit| !goes_on[bit] && guard(bit).is_some()) {
            let length = std::iter::successors(Some(end), |&bit| joined(bit)).count();
            if length > 1 {
                *lengths.entry(length as u32).or_insert(0) += 1;
            }
        }
        lengths
    }
}

fn is_wiring(op: &Op) -> bool {
    matches!(op, Op::Slice { .. } | Op::Concat | Op::ZeroExtend | Op::SignExtend)
}

/// Passes every assignment to `f`, with its conditions.
fn walk(body: &[Statement], guard: &mut Guard, f: &mut impl FnMut(Target, NodeId, &Guard)) {
    for statement in body {
        let depth = guard.len();
        match statement {
            Statement::Assign { target, value, .. } => f(*target, *value, guard),
            Statement::If { arms, otherwise } => {
                for (condition, block) in arms {
                    guard.push((*condition, Arm::Taken));
                    walk(block, guard, f);
                    guard.pop();
                    guard.push((*condition, Arm::Passed));
                }
                walk(otherwise, guard, f);
            }
            Statement::Case { subject, arms, otherwise } => {
                for (constant, block) in arms {
                    guard.push((*subject, Arm::Is(*constant)));
                    walk(block, guard, f);
                    guard.pop();
                }
                guard.push((*subject, Arm::Passed));
                walk(otherwise, guard, f);
            }
        }
        guard.truncate(depth);
    }
}
