//! From labels to conditions and assignments.

use super::{Program, StateVar, Staying, Thread, ThreadVars, dead_variables, threads};
use crate::{Action, ActionId, Input};
use expr::{Sort, Term, Terms, VarId};
use passes::{BitSet, Loops, Unrolled, Unsupported};
use rustc_hash::{FxHashMap, FxHashSet};
use xcfa::{EdgeId, Label, ProcId, Scope, Xcfa};

/// Handles of templates, which no thread has.
const TEMPLATE: u64 = 1 << 30;

pub(super) struct Compiler {
    xcfa: Xcfa,
    vars: Vec<StateVar>,
    threads: Vec<Thread>,
    numbers: FxHashMap<ProcId, usize>,
    about: Vec<ThreadVars>,
    /// How many threads there have been.
    started: VarId,
    /// By thread: its own copies of thread-local variables.
    own: Vec<FxHashMap<VarId, VarId>>,
    backward: FxHashSet<EdgeId>,
    staying: Vec<Staying>,
}

/// The values of variables in the middle of an edge.
struct Middle {
    thread: usize,
    values: FxHashMap<VarId, Term>,
    guard: Term,
    waits: Term,
    inputs: Vec<Input>,
    starts: Vec<usize>,
    nesting: i32,
    ends: bool,
}

impl Compiler {
    /// Variables from number `locks` on are words of locks, and what threads wait on.
    pub(super) fn new(
        xcfa: Xcfa,
        arbitrary: &[VarId],
        locks: usize,
        shared: &[ProcId],
    ) -> Compiler {
        let (threads, numbers) = threads(&xcfa, shared);
        let backward = Loops::of(&xcfa).loops;
        let backward = backward.iter().flat_map(|l| l.back_edges.iter().copied());
        let mut xcfa = xcfa;
        let never = xcfa.terms.bool(false);
        let nothing = Staying {
            waits: never,
            exits: never,
        };
        let mut compiler = Compiler {
            staying: vec![nothing; xcfa.locs.len()],
            vars: Vec::new(),
            about: Vec::new(),
            started: VarId(0),
            own: vec![FxHashMap::default(); threads.len()],
            backward: backward.collect(),
            xcfa,
            threads,
            numbers,
        };
        compiler.program_vars(arbitrary, locks);
        compiler.thread_vars();
        compiler
    }

    fn program_vars(&mut self, arbitrary: &[VarId], locks: usize) {
        for var in self.xcfa.var_ids() {
            let old = &self.xcfa[var];
            let init = old.init.and_then(|term| self.xcfa.terms.as_const(term));
            let owner = match old.scope {
                Scope::Local(proc) => self.numbers.get(&proc).copied(),
                _ => None,
            };
            self.vars.push(StateVar {
                name: old.name.clone(),
                sort: old.sort,
                init: (!arbitrary.contains(&var)).then_some(init.unwrap_or(0)),
                owner,
                control: var.0 as usize >= locks,
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
                // Of a template nobody asks for the handle, but locks have to see an owner.
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

    fn add(&mut self, var: StateVar) -> VarId {
        self.vars.push(var);
        VarId(self.vars.len() as u32 - 1)
    }

    fn read(&mut self, var: VarId) -> Term {
        let sort = self.vars[var.0 as usize].sort;
        self.xcfa.terms.var(var, sort)
    }

    pub(super) fn program(mut self, unrolled: Unrolled) -> Result<(Program, Terms), Unsupported> {
        let mut actions = Vec::new();
        let mut out = vec![Vec::new(); self.xcfa.locs.len()];
        for edge in self.xcfa.edge_ids() {
            let proc = self.xcfa[self.xcfa[edge].source].proc;
            let Some(&thread) = self.numbers.get(&proc) else {
                continue;
            };
            if let Some(action) = self.action(thread, edge)? {
                out[action.source.0 as usize].push(ActionId(actions.len() as u32));
                actions.push(action);
            }
        }
        let dead = dead_variables(&self.xcfa);
        let errors = self.xcfa.locs.iter().map(|loc| loc.error).collect();
        let program = Program {
            vars: self.vars,
            threads: self.threads,
            about: self.about,
            actions,
            out,
            errors,
            dead,
            staying: self.staying,
            spurious: None,
            given_up: Vec::new(),
            unrolled,
        };
        Ok((program, self.xcfa.terms))
    }

    /// The action of an edge; none if it can never be taken, or ends the process.
    fn action(&mut self, thread: usize, edge: EdgeId) -> Result<Option<Action>, Unsupported> {
        let labels = self.xcfa[edge].labels.clone();
        let mut middle = Middle {
            thread,
            values: FxHashMap::default(),
            guard: self.xcfa.terms.bool(true),
            waits: self.xcfa.terms.bool(false),
            inputs: Vec::new(),
            starts: Vec::new(),
            nesting: 0,
            ends: false,
        };
        for label in &labels {
            if matches!(label, Label::Exit(_)) {
                self.stay(edge, middle.waits, middle.guard);
                return Ok(None);
            }
            self.label(label, edge, &mut middle)?;
        }
        let never = self.xcfa.terms.bool(false);
        self.stay(edge, middle.waits, never);
        if self.xcfa.terms.as_const(middle.guard) == Some(0) {
            return Ok(None);
        }
        Ok(Some(self.finish(edge, middle)))
    }

    /// Notes when a thread waits at an edge, and when it ends the process.
    fn stay(&mut self, edge: EdgeId, waits: Term, exits: Term) {
        let at = self.xcfa[edge].source.0 as usize;
        let old = self.staying[at];
        self.staying[at] = Staying {
            waits: self.xcfa.terms.or(old.waits, waits),
            exits: self.xcfa.terms.or(old.exits, exits),
        };
    }

    fn finish(&mut self, edge: EdgeId, middle: Middle) -> Action {
        let mut updates: Vec<(VarId, Term)> = middle.values.into_iter().collect();
        updates.retain(|&(var, value)| self.xcfa.terms.as_var(value) != Some(var));
        updates.sort_unstable_by_key(|&(var, _)| var);
        let terms = updates.iter().map(|&(_, value)| value);
        let mut reads = BitSet::new();
        for term in terms.chain([middle.guard]) {
            for var in self.xcfa.terms.vars(term) {
                if !self.vars[var.0 as usize].input {
                    reads.insert(var.0 as usize);
                }
            }
        }
        let writes = updates.iter().map(|&(var, _)| var.0 as usize).collect();
        Action {
            thread: middle.thread,
            edge,
            source: self.xcfa[edge].source,
            target: self.xcfa[edge].target,
            guard: middle.guard,
            updates,
            inputs: middle.inputs,
            starts: middle.starts,
            nesting: middle.nesting,
            ends: middle.ends,
            backward: self.backward.contains(&edge),
            reads,
            writes,
        }
    }

    /// The variable that the thread means.
    fn mine(&self, thread: usize, var: VarId) -> VarId {
        self.own[thread].get(&var).copied().unwrap_or(var)
    }

    /// A term as it is worth in the middle of the edge.
    fn now(&mut self, middle: &Middle, term: Term) -> Term {
        let own = &self.own[middle.thread];
        let vars = &self.vars;
        self.xcfa.terms.map_leaves(term, &mut |terms, leaf| {
            let var = terms.as_var(leaf)?;
            let mine = own.get(&var).copied().unwrap_or(var);
            let value = middle.values.get(&mine).copied();
            value.or_else(|| (mine != var).then(|| terms.var(mine, vars[mine.0 as usize].sort)))
        })
    }

    fn value(&mut self, middle: &Middle, var: VarId) -> Term {
        match middle.values.get(&var) {
            Some(&value) => value,
            None => self.read(var),
        }
    }

    fn assume(&mut self, middle: &mut Middle, cond: Term) {
        middle.guard = self.xcfa.terms.and(middle.guard, cond);
    }

    /// If it is not so, the thread has to wait.
    fn wait(&mut self, middle: &mut Middle, unless: Term) {
        let terms = &mut self.xcfa.terms;
        let closed = terms.not(unless);
        let closed = terms.and(middle.guard, closed);
        middle.waits = terms.or(middle.waits, closed);
    }

    fn label(
        &mut self,
        label: &Label,
        edge: EdgeId,
        middle: &mut Middle,
    ) -> Result<(), Unsupported> {
        match label {
            Label::Assign { var, value } => {
                let value = self.now(middle, *value);
                let var = self.mine(middle.thread, *var);
                middle.values.insert(var, value);
            }
            Label::Havoc { var, .. } => {
                let (asked, var) = (*var, self.mine(middle.thread, *var));
                self.choose(middle, var, asked);
            }
            Label::Assume(cond) => {
                let cond = self.now(middle, *cond);
                self.assume(middle, cond);
            }
            Label::Await(cond) => {
                let cond = self.now(middle, *cond);
                self.wait(middle, cond);
                self.assume(middle, cond);
            }
            Label::AtomicBegin => middle.nesting += 1,
            Label::AtomicEnd => middle.nesting -= 1,
            Label::Start { handle, proc, arg } => self.start(middle, *handle, *proc, *arg),
            Label::Join { thread, result } => self.join(middle, *thread, *result),
            Label::ThreadExit(_) if self.threads[middle.thread].many => middle.ends = true,
            Label::ThreadExit(value) => {
                middle.ends = true;
                let value = self.now(middle, *value);
                let value = self
                    .xcfa
                    .terms
                    .resize(value, self.xcfa.pointer_bits(), false);
                let about = &self.about[middle.thread];
                let truth = self.xcfa.terms.bool(true);
                middle.values.insert(about.result, value);
                middle.values.insert(about.ended, truth);
            }
            other => {
                let what = format!("{other:?} has no meaning for abstractions");
                return Err(Unsupported::at(self.xcfa[edge].span, what));
            }
        }
        Ok(())
    }

    /// The environment chooses the value of a variable; the edge knows it as `asked`.
    fn choose(&mut self, middle: &mut Middle, var: VarId, asked: VarId) {
        let symbol = self.add(StateVar {
            name: format!("input to {}", self.vars[var.0 as usize].name),
            init: None,
            input: true,
            ..self.vars[var.0 as usize].clone()
        });
        middle.inputs.push(Input { symbol, var: asked });
        let value = self.read(symbol);
        middle.values.insert(var, value);
    }

    fn start(&mut self, middle: &mut Middle, handle: VarId, proc: ProcId, arg: Term) {
        let number = self.numbers[&proc];
        let arg = self.now(middle, arg);
        match self.threads[number].many {
            true => self.start_of_template(middle, handle, number),
            false => self.start_of_thread(middle, handle, number),
        }
        if let Some(&param) = self.xcfa[proc].params.first() {
            middle.values.insert(param, arg);
        }
        middle.starts.push(number);
    }

    /// Nobody knows how many threads there have been; the new one has variables of its own.
    fn start_of_template(&mut self, middle: &mut Middle, handle: VarId, number: usize) {
        self.choose(middle, self.started, handle);
        let mine = self.mine(middle.thread, handle);
        self.choose(middle, mine, handle);
        for var in 0..self.vars.len() {
            let about = self.vars[var].clone();
            if about.owner != Some(number) || about.input {
                continue;
            }
            let var = VarId(var as u32);
            match about.init {
                Some(init) => {
                    let value = self.xcfa.terms.constant(about.sort, init);
                    middle.values.insert(var, value);
                }
                None => self.choose(middle, var, var),
            }
        }
    }

    fn start_of_thread(&mut self, middle: &mut Middle, handle: VarId, number: usize) {
        let count = self.value(middle, self.started);
        let width = self.xcfa.terms.width(count);
        let one = self.xcfa.terms.bv(width, 1);
        let count = self.xcfa.terms.add(count, one);
        middle.values.insert(self.started, count);
        middle.values.insert(self.about[number].handle, count);
        let handle = self.mine(middle.thread, handle);
        let width = self.vars[handle.0 as usize].sort.width();
        let resized = self.xcfa.terms.resize(count, width, false);
        middle.values.insert(handle, resized);
    }

    /// Waits for whichever thread has the handle. If nobody known has it, it may be the handle of a
    /// thread of a template, about which nothing is known.
    fn join(&mut self, middle: &mut Middle, thread: Term, result: Option<VarId>) {
        let wanted = self.now(middle, thread);
        let width = self.xcfa.terms.width(wanted);
        let mut possible = self.xcfa.terms.bool(false);
        let mut somebody = self.xcfa.terms.bool(false);
        let mut returned = self.unknown_result(middle, result);
        for number in 0..self.threads.len() {
            if self.threads[number].many {
                continue;
            }
            let handle = self.about[number].handle;
            let handle = self.value(middle, handle);
            let handle = self.xcfa.terms.resize(handle, width, false);
            let is_it = self.xcfa.terms.eq(wanted, handle);
            let ended = self.read(self.about[number].ended);
            let both = self.xcfa.terms.and(is_it, ended);
            possible = self.xcfa.terms.or(possible, both);
            somebody = self.xcfa.terms.or(somebody, is_it);
            let value = self.read(self.about[number].result);
            returned = self.xcfa.terms.ite(is_it, value, returned);
        }
        if self.has_templates() {
            let nobody = self.xcfa.terms.not(somebody);
            possible = self.xcfa.terms.or(possible, nobody);
        }
        // A handle that nobody has ends the run rather than to be waited for.
        let nobody = self.xcfa.terms.not(somebody);
        let goes_on = self.xcfa.terms.or(possible, nobody);
        self.wait(middle, goes_on);
        self.assume(middle, possible);
        if let Some(var) = result {
            let var = self.mine(middle.thread, var);
            let width = self.vars[var.0 as usize].sort.width();
            let value = self.xcfa.terms.resize(returned, width, false);
            middle.values.insert(var, value);
        }
    }

    fn has_templates(&self) -> bool {
        self.threads.iter().any(|thread| thread.many)
    }

    /// What a thread returns if it is nobody known.
    fn unknown_result(&mut self, middle: &mut Middle, result: Option<VarId>) -> Term {
        let bits = self.xcfa.pointer_bits();
        match result.filter(|_| self.has_templates()) {
            Some(asked) => {
                let var = self.mine(middle.thread, asked);
                self.choose(middle, var, asked);
                let chosen = self.value(middle, var);
                self.xcfa.terms.resize(chosen, bits, false)
            }
            None => self.xcfa.terms.bv(bits, 0),
        }
    }
}
