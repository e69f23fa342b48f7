// SPDX-License-Identifier: MIT OR Apache-2.0
//! The module under construction. Elaboration is a depth-first walk, so the modules being built form a stack; it is
//! kept per thread, and every net carries the serial number of its module.

use super::circuit::*;
use super::naming::{self, Naming};
use super::net::Net;
use super::problem::{Problem, Report, Title};
use super::{Netlist, checks, fold, prune};
use crate::signal::{Leaf, LeafSpec, Signal};
use crate::stage::{Design, Stage};
use crate::tables::{Linear, Table};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::panic::Location;

/// The method of the stage that is being run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Build,
    Outputs,
    Clock,
}

/// A branch taken: which `if` or `case`, and which arm of it.
pub(super) type Path = Vec<(u32, u32)>;

/// The assignments made so far to state that must be read before.
#[derive(Default)]
pub(super) struct Assigned(Vec<(Path, Site)>);

/// A variable of the language; each reassignment after a read makes a new [`Variable`] of the netlist.
pub(super) struct VariableState {
    pub name: String,
    pub made: Site,
    pub in_state: bool,
    pub version: usize,
    pub versions: u32,
    pub read: bool,
    pub early_read: Option<(NodeId, Site)>,
    pub assigned: Option<Site>,
}

#[derive(Default)]
pub(super) struct MemoryUse {
    pub writes: Option<PortUse>,
    pub reads: Vec<Option<PortUse>>,
    pub clocked: Assigned,
}

/// The nets of a memory port: after the first request, its address and data are the request's; from the second on
/// they are variables.
#[derive(Clone)]
pub(super) struct PortUse {
    pub enable: usize,
    pub values: Vec<NodeId>,
    pub variables: Vec<Option<usize>>,
}

pub(super) struct Builder {
    pub serial: u32,
    pub module: Module,
    pub phase: Phase,
    pub path: Path,
    pub blocks: Vec<Vec<Statement>>,
    pub registers: Vec<Assigned>,
    pub variables: Vec<VariableState>,
    pub memories: Vec<MemoryUse>,
    pub children: Vec<Assigned>,
    pub problems: Vec<Problem>,
    /// The current position in the components of the stage, and the names of registers and memories.
    pub names: Naming,
    /// Number of open calls of functions that give names.
    pub calls: u32,
    shared: HashMap<Key, NodeId>,
    /// Numbers by their names.
    constants: HashMap<String, Value>,
    groups: u32,
}

type Key = (u32, String, Vec<NodeId>);

#[derive(Default)]
struct Session {
    stack: Vec<Builder>,
    modules: Vec<Module>,
    problems: Vec<Problem>,
    serial: u32,
}

thread_local! {
    static SESSION: RefCell<Session> = RefCell::new(Session::default());
}

/// Runs `f` on the module under construction.
pub(super) fn with<R>(f: impl FnOnce(&mut Builder) -> R) -> R {
    let (mut f, mut result) = (Some(f), None);
    with_builder(&mut |builder| result = f.take().map(|f| f(builder)));
    result.expect("it has been run")
}

/// Compiled once: stages have thousands of different functions for [`with`].
fn with_builder(f: &mut dyn FnMut(&mut Builder)) {
    SESSION.with_borrow_mut(|session| {
        let builder = session.stack.last_mut();
        f(builder.expect("nets exist only while `elaborate` runs a stage"));
    });
}

/// Elaborates a design: all of its modules, or all problems.
#[track_caller]
pub fn elaborate<D: Design>(design: &D) -> Result<Circuit, Report> {
    let outer = SESSION.take();
    module(design, Location::caller());
    let session = SESSION.replace(outer);
    match session.problems.is_empty() {
        true => Ok(Circuit { modules: session.modules }),
        false => Err(Report { problems: session.problems }),
    }
}

type In<D> = <<D as Design>::Stage<Netlist> as Stage<Netlist>>::In;
type Out<D> = <<D as Design>::Stage<Netlist> as Stage<Netlist>>::Out;

/// The interface of an elaborated module.
pub(super) struct Elaborated<D: Design> {
    pub name: String,
    pub outputs: Vec<(String, u32)>,
    pub input_shape: <In<D> as Signal>::Shape,
    pub output_shape: <Out<D> as Signal>::Shape,
}

/// Elaborates one module and adds it to the circuit, unless an equal one exists.
pub(super) fn module<D: Design>(design: &D, site: Site) -> Elaborated<D> {
    let name = design.module_name();
    SESSION.with_borrow_mut(|session| {
        session.serial += 1;
        let builder = Builder::new(session.serial, name.clone(), site);
        session.stack.push(builder);
    });
    let stage = design.build::<Netlist>();
    with(naming::name_state);
    with(|b| b.phase = Phase::Outputs);
    let shape = stage.input_shape();
    let mut leaves = In::<D>::leaves_of(&shape, "").into_iter();
    let input = In::<D>::build(&shape, &mut |width, wide| {
        let leaf = leaves.next().expect("as many leaves as the shape has");
        let net = with(|b| b.input(leaf, width, site));
        if wide { Leaf::Wide(net) } else { Leaf::Narrow(net) }
    });
    let outputs = stage.outputs();
    let mut nets = Vec::new();
    outputs.visit(&mut |leaf| nets.push(leaf_net(leaf)));
    let output_shape = outputs.shape();
    let leaves = Out::<D>::leaves_of(&output_shape, "");
    with(|b| b.outputs(leaves, &nets));
    with(|b| b.phase = Phase::Clock);
    stage.clock(&input);
    drop(stage);

    let mut builder = SESSION.with_borrow_mut(|session| session.stack.pop()).expect("pushed above");
    builder.module.body = std::mem::take(&mut builder.blocks[0]);
    checks::before_pruning(&mut builder);
    prune::prune(&mut builder.module);
    checks::after_pruning(&mut builder);
    let ports = builder.module.outputs.iter().map(|o| (o.name.clone(), o.width)).collect();
    SESSION.with_borrow_mut(|session| {
        session.problems.append(&mut builder.problems);
        match session.modules.iter().find(|m| m.name == name) {
            Some(same) if same.same_hardware(&builder.module) => {}
            Some(other) => session.problems.push(Problem {
                title: Title::NameClash,
                module: name.clone(),
                text: format!("two different modules are called `{name}`"),
                help: "put the whole configuration into module_name()",
                sites: vec![("one", other.site), ("other", site)],
            }),
            None => session.modules.push(builder.module),
        }
    });
    Elaborated { name, outputs: ports, input_shape: shape, output_shape }
}

/// The net in a leaf.
pub(super) fn leaf_net(leaf: Leaf<Netlist>) -> Net {
    match leaf {
        Leaf::Narrow(net) | Leaf::Wide(net) => net,
    }
}

impl Builder {
    fn new(serial: u32, name: String, site: Site) -> Self {
        Builder {
            serial,
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
            phase: Phase::Build,
            path: vec![],
            blocks: vec![vec![]],
            registers: vec![],
            variables: vec![],
            memories: vec![],
            children: vec![],
            problems: vec![],
            names: Naming::default(),
            calls: 0,
            shared: HashMap::new(),
            constants: HashMap::new(),
            groups: 0,
        }
    }

    fn input(&mut self, LeafSpec { name, path, place, .. }: LeafSpec, width: u32, site: Site) -> Net {
        self.module.inputs.push(Input { name, width, path, place, unused_ok: false });
        self.push(Op::Input(self.module.inputs.len() - 1), vec![], width, site)
    }

    fn outputs(&mut self, leaves: Vec<LeafSpec>, nets: &[Net]) {
        for (LeafSpec { name, path, place, .. }, &net) in leaves.into_iter().zip(nets) {
            let value = self.own(net, self.module.site);
            self.module.outputs.push(Output { name, width: net.width, path, place, value });
        }
    }

    pub fn net(&self, node: NodeId) -> Net {
        Net { serial: self.serial, node, width: self.module.node(node).width }
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
        self.push(Op::Constant(Value::zero(net.width)), vec![], net.width, site).node
    }

    pub fn problem(&mut self, title: Title, text: String, help: &'static str, sites: Vec<(&'static str, Site)>) {
        let module = self.module.name.clone();
        let problem = Problem { title, module, text, help, sites };
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Adds a node, or finds the equal one.
    pub fn push(&mut self, op: Op, args: Vec<NodeId>, width: u32, site: Site) -> Net {
        let key = (width, format!("{op:?}"), args);
        if let Some(&node) = self.shared.get(&key) {
            return Net { serial: self.serial, node, width };
        }
        let node = NodeId(self.module.nodes.len() as u32);
        self.module.nodes.push(Node { op, args: key.2.clone(), width, name: None, hint: None, site });
        self.shared.insert(key, node);
        Net { serial: self.serial, node, width }
    }

    /// The index of a table, which is added if it is new.
    pub fn table(&mut self, table: &Table) -> usize {
        index_of(&mut self.module.tables, table)
    }

    /// The index of a linear map, which is added if it is new.
    pub fn map(&mut self, map: &Linear) -> usize {
        index_of(&mut self.module.maps, map)
    }

    pub fn constant(&mut self, value: Value, site: Site) -> Net {
        self.push(Op::Constant(value), vec![], value.width(), site)
    }

    /// A constant that the hardware knows by a name, unless another number has it.
    pub fn named_constant(&mut self, value: Value, name: &str, site: Site) -> Net {
        let known = self.constants.entry(name.to_owned()).or_insert(value);
        if *known != value {
            return self.constant(value, site);
        }
        let key = (value.width(), format!("{value:?} {name}"), vec![]);
        let next = NodeId(self.module.nodes.len() as u32);
        let node = *self.shared.entry(key).or_insert(next);
        if node == next {
            let (op, name) = (Op::Constant(value), Some(name.to_owned()));
            self.module.nodes.push(Node { op, args: vec![], width: value.width(), name, hint: None, site });
        }
        Net { serial: self.serial, node, width: value.width() }
    }

    /// Adds a node in its simplest form.
    pub fn op(&mut self, op: Op, args: &[Net], width: u32, site: Site) -> Net {
        let args: Vec<NodeId> = args.iter().map(|&net| self.own(net, site)).collect();
        fold::fold(self, op, args, width, site)
    }

    pub fn group(&mut self) -> u32 {
        self.groups += 1;
        self.groups
    }

    pub fn assign(&mut self, target: Target, value: NodeId, site: Site) {
        self.blocks.last_mut().expect("the outermost block").push(Statement::Assign { target, value, site });
    }
}

fn index_of<T: Clone + PartialEq>(list: &mut Vec<T>, wanted: &T) -> usize {
    list.iter().position(|one| one == wanted).unwrap_or_else(|| {
        list.push(wanted.clone());
        list.len() - 1
    })
}

impl Assigned {
    pub fn add(&mut self, path: &Path, site: Site) {
        self.0.push((path.clone(), site));
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    pub fn first(&self) -> Option<Site> {
        self.0.first().map(|(_, site)| *site)
    }

    /// An assignment that a read on `path` follows in some run: not one in another arm of a common branch.
    pub fn before(&self, path: &Path) -> Option<Site> {
        let excluded = |other: &Path| {
            let fork = path.iter().zip(other).find(|(a, b)| a != b);
            fork.is_some_and(|(a, b)| a.0 == b.0 && a.1 != b.1)
        };
        self.0.iter().find(|(other, _)| !excluded(other)).map(|(_, site)| *site)
    }
}

impl Builder {
    pub fn check_clocked(&mut self, name: &str, of: impl Fn(&Builder) -> &Assigned, site: Site) {
        if let Some(clocked) = of(self).first() {
            let text = format!("`{name}` is read after its clock()");
            let sites = vec![("clocked", clocked), ("read", site)];
            self.problem(Title::ReadAfterAssign, text, "read it first", sites);
        }
    }

    pub fn clocked(&mut self, name: &str, of: impl Fn(&mut Builder) -> &mut Assigned, site: Site) {
        if let Some(first) = of(self).first() {
            let text = format!("`{name}` is clocked twice");
            self.problem(Title::MultipleDrivers, text, "once in every clock", vec![("first", first), ("again", site)]);
        } else if !self.path.is_empty() {
            let text = format!("`{name}` is clocked under a condition");
            self.problem(Title::MultipleDrivers, text, "call its clock() outside of any when", vec![("clocked", site)]);
        }
        let path = self.path.clone();
        of(self).add(&path, site);
    }
}
