// SPDX-License-Identifier: MIT OR Apache-2.0
//! The module under construction.

use super::circuit::{Input, Module, Node, NodeId, Op, Output, Site, Statement, Target, Value};
use super::fold::fold;
use super::graph::Graph;
use super::naming::Naming;
use super::net::{Mark, Net};
use super::problem::{Problems, Title};
use super::uses::{Assigned, Path, Phase, Uses};
use crate::leaf::LeafSpec;
use std::collections::{BTreeMap, HashMap};

/// A module of which not all has been made. Every net carries its serial number.
pub(super) struct Builder {
    pub serial: u32,
    /// Its nodes, tables and maps are in `graph`, its body in `blocks`.
    pub module: Module,
    pub graph: Graph,
    pub phase: Phase,
    pub path: Path,
    /// The steps of the conditions around what follows.
    pub conditions: Vec<Option<Mark>>,
    pub blocks: Vec<Vec<Statement>>,
    pub uses: Uses,
    pub problems: Problems,
    /// The current position in the components of the stage, and the names of registers and memories.
    pub names: Naming,
    /// Numbers by their names.
    constants: HashMap<String, Value>,
    groups: u32,
}

impl Builder {
    pub fn new(serial: u32, name: String, site: Site) -> Self {
        Builder {
            serial,
            problems: Problems::of(&name),
            module: Module {
                name,
                site,
                inputs: vec![],
                outputs: vec![],
                nodes: vec![],
                registers: vec![],
                variables: vec![],
                memories: vec![],
                instances: vec![],
                docs: BTreeMap::new(),
                tables: vec![],
                maps: vec![],
                body: vec![],
            },
            graph: Graph::default(),
            phase: Phase::Build,
            path: vec![],
            conditions: vec![],
            blocks: vec![vec![]],
            uses: Uses::default(),
            names: Naming::default(),
            constants: HashMap::new(),
            groups: 0,
        }
    }

    /// The complete module, what the stage did with its state, and the problems found so far.
    pub fn finish(mut self) -> (Module, Uses, Problems) {
        self.module.body = std::mem::take(&mut self.blocks[0]);
        (self.module.nodes, self.module.tables, self.module.maps) = self.graph.into_parts();
        (self.module, self.uses, self.problems)
    }

    pub fn input(&mut self, LeafSpec { name, path, place, .. }: LeafSpec, width: u32, site: Site) -> Net {
        self.module.inputs.push(Input { name, width, path, place, unused_ok: false });
        self.push(Op::Input(self.module.inputs.len() - 1), vec![], width, site)
    }

    pub fn outputs(&mut self, leaves: Vec<LeafSpec>, nets: &[Net]) {
        for (LeafSpec { name, path, place, .. }, &net) in leaves.into_iter().zip(nets) {
            let value = self.own(net, self.module.site);
            self.module.outputs.push(Output { name, width: net.width, path, place, value });
        }
    }

    fn net(&self, node: NodeId) -> Net {
        Net { serial: self.serial, node, width: self.graph.node(node).width, step: None }
    }

    /// The node of a net, which must be of this module.
    pub fn own(&mut self, net: Net, site: Site) -> NodeId {
        if net.serial == self.serial {
            return net.node;
        }
        self.problem(
            Title::ForeignNet,
            "a net of another module".into(),
            "hand it over through a port of the child",
            vec![("used", site)],
        );
        self.graph.literal(Value::zero(net.width), site)
    }

    pub fn problem(&mut self, title: Title, text: String, help: &'static str, sites: Vec<(&'static str, Site)>) {
        self.problems.add(title, text, help, sites);
    }

    /// Adds a node, or finds the equal one.
    pub fn push(&mut self, op: Op, args: Vec<NodeId>, width: u32, site: Site) -> Net {
        let node = self.graph.push(op, args, width, site);
        self.net(node)
    }

    pub fn constant(&mut self, value: Value, site: Site) -> Net {
        let node = self.graph.literal(value, site);
        self.net(node)
    }

    /// A constant that the hardware knows by a name, unless another number has it.
    pub fn named_constant(&mut self, value: Value, name: &str, site: Site) -> Net {
        let known = self.constants.entry(name.to_owned()).or_insert(value);
        if *known != value {
            return self.constant(value, site);
        }
        let node = self.graph.named_literal(value, name, site);
        self.net(node)
    }

    /// Gives a value of a register a name, unless it has one.
    pub fn names_state(&mut self, subject: NodeId, value: Value, name: &str) {
        if let Op::Register(i) = self.graph.node(subject).op {
            let states = &mut self.module.registers[i].states;
            if !states.iter().any(|(known, _)| *known == value) {
                states.push((value, name.to_owned()));
            }
        }
    }

    /// Adds a node in its simplest form.
    pub fn op(&mut self, op: Op, args: &[Net], width: u32, site: Site) -> Net {
        let step = self.step(args.iter().map(|net| net.step), site);
        let args = args.iter().map(|&net| self.own(net, site)).collect();
        let args = if op == Op::Concat { self.opened(args) } else { args };
        let node = fold(&mut self.graph, op, args, width, site);
        Net { step, ..self.net(node) }
    }

    /// The step that all of these are in, which must be one. What is of two pipelines is in no step.
    pub fn step(&mut self, marks: impl IntoIterator<Item = Option<Mark>>, site: Site) -> Option<Mark> {
        let mut marks = marks.into_iter().flatten();
        let first = marks.next()?;
        let mut one = true;
        for other in marks {
            one &= other.pipeline == first.pipeline;
            if other.pipeline == first.pipeline && other.step != first.step {
                let text = format!("steps {} and {} of `{}`", first.step, other.step, first.pipeline.name());
                let sites = vec![("first step", first.site), ("second step", other.site), ("used", site)];
                let help =
                    "take one of them through PipelineRegs, or say across() of what belongs to another operation";
                self.problem(Title::StepMismatch, text, help, sites);
            }
        }
        one.then_some(first)
    }

    /// The operands of the concatenations among these: the language joins two at a time.
    fn opened(&self, args: Vec<NodeId>) -> Vec<NodeId> {
        let open = |arg| match self.graph.node(arg) {
            Node { op: Op::Concat, args, name: None, .. } => args.clone(),
            _ => vec![arg],
        };
        args.into_iter().flat_map(open).collect()
    }

    /// Checks that these and the conditions around them are in one step.
    pub fn same_step(&mut self, nets: &[Net], site: Site) {
        let conditions = self.conditions.clone();
        self.step(conditions.into_iter().chain(nets.iter().map(|net| net.step)), site);
    }

    pub fn group(&mut self) -> u32 {
        self.groups += 1;
        self.groups
    }

    pub fn assign(&mut self, target: Target, value: NodeId, site: Site) {
        self.blocks.last_mut().expect("the outermost block").push(Statement::Assign { target, value, site });
    }

    pub fn check_clocked(&mut self, name: &str, of: impl Fn(&Uses) -> &Assigned, site: Site) {
        if let Some(clocked) = of(&self.uses).first() {
            let text = format!("`{name}` is read after its clock()");
            let sites = vec![("clocked", clocked), ("read", site)];
            self.problem(Title::ReadAfterAssign, text, "read it first", sites);
        }
    }

    pub fn clocked(&mut self, name: &str, of: impl Fn(&mut Uses) -> &mut Assigned, site: Site) {
        if let Some(first) = of(&mut self.uses).first() {
            let text = format!("`{name}` is clocked twice");
            self.problem(Title::MultipleDrivers, text, "once in every clock", vec![("first", first), ("again", site)]);
        } else if !self.path.is_empty() {
            let text = format!("`{name}` is clocked under a condition");
            self.problem(Title::MultipleDrivers, text, "call its clock() outside of any when", vec![("clocked", site)]);
        }
        let path = self.path.clone();
        of(&mut self.uses).add(&path, site);
    }
}
