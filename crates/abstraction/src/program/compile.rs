//! From labels to conditions and assignments.

use super::middle::Middle;
use super::words::Words;
use super::{
    BlockedOrExiting, Program, StateVar, Thread, ThreadVars, View, Waiting, dead_variables, threads,
};
use crate::{Action, ActionId};
use dataflow::{JoinTargets, Loops};
use expr::{Node, ObjId, Sort, Term, Terms, VarId};
use passes::{Unrolled, Unsupported};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{Layout, Property};
use xcfa::{EdgeId, ErrorKind, Label, ObjectKind, ProcId, Scope, Span, Xcfa};

/// Handles of templates, which no thread has.
pub(super) const TEMPLATE: u64 = 1 << 30;

pub(super) struct Compiler<'a> {
    /// Without memory but for locks.
    pub xcfa: &'a Xcfa,
    pub terms: Terms,
    /// Where objects are.
    pub layout: Layout,
    pub vars: Vec<StateVar>,
    pub threads: Vec<Thread>,
    pub numbers: FxHashMap<ProcId, usize>,
    pub about: Vec<ThreadVars>,
    /// How many threads there have been.
    pub started: VarId,
    /// By thread: its own copies of thread-local variables.
    pub own: Vec<FxHashMap<VarId, VarId>>,
    pub words: Words<'a>,
    /// What threads wait on, if that is followed.
    pub waiting: Option<&'a Waiting>,
    pub backward: FxHashSet<EdgeId>,
    join_targets: JoinTargets,
    /// Set if each thread of a template has a handle of its own.
    pub view: Option<View>,
    blocked_or_exiting: Vec<BlockedOrExiting>,
}

impl<'a> Compiler<'a> {
    /// Variables from number `control` on are about waiting. Of threads it is known which procedures are templates,
    /// and which thread a join waits for.
    pub(super) fn new(
        words: Words<'a>,
        waiting: Option<&'a Waiting>,
        control: usize,
        (shared, join_targets): (&[ProcId], JoinTargets),
        view: Option<View>,
    ) -> Compiler<'a> {
        let xcfa = words.xcfa;
        let (threads, numbers) = threads(xcfa, shared);
        let backward = Loops::of(xcfa).loops;
        let backward = backward.iter().flat_map(|l| l.back_edges.iter().copied());
        let mut terms = xcfa.terms.clone();
        let never = terms.bool(false);
        let nothing = BlockedOrExiting {
            waits: never,
            exits: never,
        };
        let mut compiler = Compiler {
            blocked_or_exiting: vec![nothing; xcfa.locs.len()],
            layout: match xcfa.checks_memory {
                true => Layout::of(xcfa, Property::MEMSAFETY),
                false => Layout::new(xcfa),
            },
            vars: Vec::new(),
            about: Vec::new(),
            started: VarId(0),
            own: vec![FxHashMap::default(); threads.len()],
            backward: backward.collect(),
            join_targets,
            view,
            xcfa,
            terms,
            threads,
            numbers,
            words,
            waiting,
        };
        compiler.program_vars(control);
        compiler.thread_vars();
        compiler
    }

    fn program_vars(&mut self, control: usize) {
        for var in self.xcfa.var_ids() {
            let old = &self.xcfa[var];
            let init = old.init.and_then(|term| self.constant(term));
            let owner = match old.scope {
                Scope::Local(proc) => self.numbers.get(&proc).copied(),
                _ => None,
            };
            self.vars.push(StateVar {
                name: old.name.clone(),
                sort: old.sort,
                init: Some(init.unwrap_or(0)),
                owner,
                control: var.0 as usize >= control,
                input: false,
            });
        }
        for thread in 0..self.threads.len() {
            for var in self.xcfa.var_ids() {
                if self.xcfa[var].scope == Scope::ThreadLocal && var != self.xcfa.self_var {
                    let copy = StateVar {
                        owner: Some(thread),
                        ..self.vars[var.0 as usize].clone()
                    };
                    let copy = self.add(copy);
                    self.own[thread].insert(var, copy);
                }
            }
        }
    }

    fn thread_vars(&mut self) {
        let pointer = self.xcfa[self.xcfa.self_var].sort;
        self.started = self.control("threads", pointer, 1);
        for thread in 0..self.threads.len() {
            let name = self.threads[thread].name.clone();
            let first = match (thread, self.threads[thread].many) {
                (0, _) => 1,
                // No thread of a template asks for its handle, but a lock needs an owner.
                (_, true) => TEMPLATE + thread as u64,
                (_, false) => 0,
            };
            let about = ThreadVars {
                handle: self.control(&format!("handle of {name}"), pointer, first),
                ended: self.control(&format!("{name} has ended"), Sort::Bool, 0),
                result: self.add(StateVar {
                    name: format!("result of {name}"),
                    sort: Sort::Bv(self.xcfa.pointer_bits()),
                    init: Some(0),
                    owner: None,
                    control: false,
                    input: false,
                }),
            };
            if self.view.is_some() && self.threads[thread].many {
                let handle = &mut self.vars[about.handle.0 as usize];
                (handle.owner, handle.init) = (Some(thread), None);
            }
            self.own[thread].insert(self.xcfa.self_var, about.handle);
            self.about.push(about);
        }
    }

    fn control(&mut self, name: &str, sort: Sort, init: u64) -> VarId {
        self.add(StateVar {
            name: name.to_owned(),
            sort,
            init: Some(init),
            owner: None,
            control: true,
            input: false,
        })
    }

    /// An initial value: it mentions no variables.
    fn constant(&mut self, term: Term) -> Option<u64> {
        let layout = &self.layout;
        let term = self
            .terms
            .map_leaves(term, &mut |terms, leaf| match terms.node(leaf) {
                Node::Base(object, width) => Some(terms.bv(width, layout.base(object))),
                _ => None,
            });
        self.terms.as_const(term)
    }

    /// The thread that the join of an edge certainly waits for.
    pub(super) fn joined_by(&self, edge: EdgeId) -> Option<usize> {
        let number = *self.numbers.get(&self.join_targets.of_edge(edge)?)?;
        (!self.threads[number].many).then_some(number)
    }

    /// The variable that a word of a lock has become.
    pub(super) fn word(
        &mut self,
        object: ObjId,
        at: u64,
        span: Span,
    ) -> Result<VarId, Unsupported> {
        if let Some(&var) = self.words.vars.get(&(object, at)) {
            return Ok(var);
        }
        let init = self.words.initial_bits(object, at, span)?;
        let name = format!("{}+{at}", self.xcfa[object].name);
        let var = self.control(&name, Sort::Bv(32), init);
        self.words.vars.insert((object, at), var);
        Ok(var)
    }

    /// Words that are read as numbers may hold anything at first, unless they are static or memory that
    /// is made of zeros.
    fn forget_first_values(&mut self, original: &Xcfa) {
        for (&(object, _), &var) in &self.words.vars {
            let is_known = match original[object].kind {
                ObjectKind::Static { .. } => true,
                _ => is_made_of_zeros(original, object),
            };
            if self.words.loaded.contains(&object) && !is_known {
                self.vars[var.0 as usize].init = None;
            }
        }
    }

    pub(super) fn add(&mut self, var: StateVar) -> VarId {
        self.vars.push(var);
        VarId(self.vars.len() as u32 - 1)
    }

    pub(super) fn read(&mut self, var: VarId) -> Term {
        let sort = self.vars[var.0 as usize].sort;
        self.terms.var(var, sort)
    }

    /// Drops what the machine never asks about: only inputs and loads of the edge as it was.
    fn keep_chosen(&self, unrolled: &Unrolled, action: &mut Action) {
        let labels = &unrolled.xcfa[action.edge].labels;
        let asks = |wanted: VarId| {
            labels.iter().any(|label| match label {
                Label::Havoc { var, .. } | Label::Load { var, .. } => *var == wanted,
                _ => false,
            })
        };
        action.chosen.retain(|&(var, _)| asks(var));
    }

    /// The program; `origin` says of which edge of `unrolled` an edge is a part.
    pub(super) fn program(
        mut self,
        unrolled: Unrolled,
        origin: &[EdgeId],
    ) -> Result<(Program, Terms), Unsupported> {
        let mut actions = Vec::new();
        let mut out = vec![Vec::new(); self.xcfa.locs.len()];
        for edge in self.xcfa.edge_ids() {
            let proc = self.xcfa[self.xcfa[edge].source].proc;
            let Some(&thread) = self.numbers.get(&proc) else {
                continue;
            };
            if let Some(mut action) = self.action(thread, edge)? {
                action.edge = origin[edge.0 as usize];
                self.keep_chosen(&unrolled, &mut action);
                out[action.source.0 as usize].push(ActionId(actions.len() as u32));
                actions.push(action);
            }
        }
        self.forget_first_values(&unrolled.xcfa);
        let made = unrolled.xcfa.vars.len()..self.xcfa.vars.len();
        let made = made.map(|var| VarId(var as u32));
        let made = made.chain(self.words.vars.values().copied()).collect();
        let objects = self.xcfa.obj_ids();
        let bases = objects.map(|object| (object, self.layout.base(object)));
        let dead = dead_variables(self.xcfa);
        let errors = self.xcfa.locs.iter().map(|loc| loc.error.map(as_target));
        let errors = errors.collect();
        let program = Program {
            vars: self.vars,
            threads: self.threads,
            about: self.about,
            actions,
            out,
            errors,
            dead,
            blocked_or_exiting: self.blocked_or_exiting,
            spurious: self.waiting.map(|waiting| waiting.spurious),
            additions: Vec::new(),
            given_up: Vec::new(),
            memory: super::Memory::default(),
            bases: bases.collect(),
            made,
            own: self.own,
            unrolled,
        };
        Ok((program, self.terms))
    }

    /// The action of an edge; none if it can never be taken, or ends the process.
    fn action(&mut self, thread: usize, edge: EdgeId) -> Result<Option<Action>, Unsupported> {
        let xcfa = self.xcfa;
        let mut middle = Middle::new(self, thread, edge);
        for label in &xcfa[edge].labels {
            symbolic::step(xcfa, &mut middle, label)?;
            if middle.exits {
                break;
            }
        }
        Ok(middle.finish())
    }

    /// Notes when a thread waits at an edge, and when it ends the process.
    pub(super) fn stay(&mut self, edge: EdgeId, waits: Term, exits: Term) {
        let at = self.xcfa[edge].source.0 as usize;
        let old = self.blocked_or_exiting[at];
        self.blocked_or_exiting[at] = BlockedOrExiting {
            waits: self.terms.or(old.waits, waits),
            exits: self.terms.or(old.exits, exits),
        };
    }
}

/// What is wrong with memory is one kind of error: the machine tells the violations apart.
fn as_target(error: ErrorKind) -> ErrorKind {
    match error {
        ErrorKind::InvalidFree | ErrorKind::InvalidMemtrack => ErrorKind::InvalidDeref,
        other => other,
    }
}

/// Does every place that makes an object fill it with zeros?
fn is_made_of_zeros(xcfa: &Xcfa, object: ObjId) -> bool {
    let labels = xcfa.edges.iter().flat_map(|edge| &edge.labels);
    let mut made = labels.filter_map(|label| match label {
        Label::Alloc {
            object: made,
            zeroed,
            ..
        } if *made == object => Some(*zeroed),
        _ => None,
    });
    made.next() == Some(true) && made.all(|zeroed| zeroed)
}
