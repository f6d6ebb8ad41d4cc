//! A thread in the middle of an edge: the symbolic store of the abstract program.

use super::compile::Compiler;
use super::view::template_handles;
use super::words::Candidate;
use super::{StateVar, View, Waiting};
use crate::{Action, Input};
use expr::{Node, Op, Sort, Term, Terms, VarId};
use passes::Unsupported;
use rustc_hash::FxHashMap;
use symbolic::{Store, Value};
use xcfa::{EdgeId, ProcId};

/// The values of variables in the middle of an edge.
pub(super) struct Middle<'c, 'a> {
    compiler: &'c mut Compiler<'a>,
    edge: EdgeId,
    pub thread: usize,
    pub values: FxHashMap<VarId, Term>,
    pub guard: Term,
    /// Some way on is closed, and only another thread can open it.
    pub waits: Term,
    pub inputs: Vec<Input>,
    pub chosen: Vec<(VarId, Term)>,
    pub starts: Vec<usize>,
    pub nesting: i32,
    pub ends: bool,
    /// The thread that it joins, if that is certain.
    joins: Option<usize>,
    /// Does the process end?
    pub exits: bool,
}

/// An address, as a term of the program and as a value.
pub(super) struct Address {
    addr: Term,
    now: Term,
}

impl<'c, 'a> Middle<'c, 'a> {
    pub fn new(compiler: &'c mut Compiler<'a>, thread: usize, edge: EdgeId) -> Middle<'c, 'a> {
        let (guard, waits) = (compiler.terms.bool(true), compiler.terms.bool(false));
        Middle {
            compiler,
            edge,
            thread,
            values: FxHashMap::default(),
            guard,
            waits,
            inputs: Vec::new(),
            chosen: Vec::new(),
            starts: Vec::new(),
            nesting: 0,
            ends: false,
            joins: None,
            exits: false,
        }
    }

    /// The action; none if it can never be taken, or ends the process.
    pub fn finish(self) -> Option<Action> {
        let Compiler {
            terms, xcfa, vars, ..
        } = &mut *self.compiler;
        let exits = match self.exits {
            true => self.guard,
            false => terms.bool(false),
        };
        let never = self.exits || terms.as_const(self.guard) == Some(0);
        let mut updates: Vec<(VarId, Term)> = self.values.into_iter().collect();
        updates.retain(|&(var, value)| terms.as_var(value) != Some(var));
        updates.sort_unstable_by_key(|&(var, _)| var);
        let read = updates.iter().map(|&(_, value)| value).chain([self.guard]);
        let read = read
            .flat_map(|term| terms.vars(term))
            .map(|var| var.0 as usize);
        let reads = read.filter(|&var| !vars[var].input).collect();
        let writes = updates.iter().map(|&(var, _)| var.0 as usize).collect();
        let (source, target) = (xcfa[self.edge].source, xcfa[self.edge].target);
        let backward = self.compiler.backward.contains(&self.edge);
        self.compiler.stay(self.edge, self.waits, exits);
        (!never).then_some(Action {
            thread: self.thread,
            edge: self.edge,
            source,
            target,
            guard: self.guard,
            updates,
            inputs: self.inputs,
            chosen: self.chosen,
            starts: self.starts,
            nesting: self.nesting,
            ends: self.ends,
            joins: self.joins,
            backward,
            reads,
            writes,
        })
    }

    /// The variable that the thread means.
    fn mine(&self, var: VarId) -> VarId {
        let own = &self.compiler.own[self.thread];
        own.get(&var).copied().unwrap_or(var)
    }

    fn value(&mut self, var: VarId) -> Term {
        match self.values.get(&var) {
            Some(&value) => value,
            None => self.compiler.read(var),
        }
    }

    /// A value that the environment chooses.
    fn input(&mut self, like: StateVar) -> Term {
        let symbol = self.compiler.add(StateVar {
            name: format!("input to {}", like.name),
            init: None,
            input: true,
            ..like
        });
        self.inputs.push(Input { symbol });
        self.compiler.read(symbol)
    }

    /// The environment chooses the value of a variable.
    fn input_to(&mut self, var: VarId) -> Term {
        let like = self.compiler.vars[var.0 as usize].clone();
        self.input(like)
    }

    // Words.

    /// The words that an address can mean, so many bytes further. An address that means none of
    /// them is not one of a lock: the run ends there.
    fn words(&mut self, place: &Address, shift: u64) -> Result<Vec<Candidate>, Unsupported> {
        let span = self.compiler.xcfa[self.edge].span;
        let places = self.compiler.words.places(place.addr, shift, span)?;
        let width = self.compiler.terms.width(place.now);
        let mut found = Vec::new();
        for (object, at) in places {
            let var = self.compiler.word(object, at, span)?;
            let start = self.compiler.layout.base(object);
            let terms = &mut self.compiler.terms;
            let start = terms.bv(width, start.wrapping_add(at).wrapping_sub(shift));
            let here = terms.eq(place.now, start);
            found.push(Candidate { here, var });
        }
        let terms = &mut self.compiler.terms;
        let any = terms.or_all(found.iter().map(|word| word.here));
        self.assume(any)?;
        if let [only] = &mut found[..] {
            only.here = self.compiler.terms.bool(true);
        }
        Ok(found)
    }

    fn check_word(&self, sort: Sort) -> Result<(), Unsupported> {
        match sort {
            Sort::Bv(32) => Ok(()),
            _ => Err(self.unfollowed("a lock is accessed as something else than its words")),
        }
    }

    /// If it is not so, the thread has to wait.
    fn wait_unless(&mut self, cond: Term) {
        let terms = &mut self.compiler.terms;
        let closed = terms.not(cond);
        let closed = terms.and(self.guard, closed);
        self.waits = terms.or(self.waits, closed);
    }

    fn single(&mut self, var: VarId) -> Vec<Candidate> {
        let here = self.compiler.terms.bool(true);
        vec![Candidate { here, var }]
    }

    // Threads.

    /// The number of threads started so far is unknown; the new one has variables of its own.
    fn start_of_template(&mut self, handle: VarId, number: usize) -> Term {
        let count = self.input_to(self.compiler.started);
        self.values.insert(self.compiler.started, count);
        let value = self.input_to(self.mine(handle));
        for var in 0..self.compiler.vars.len() {
            let about = self.compiler.vars[var].clone();
            if about.owner != Some(number) || about.input {
                continue;
            }
            let var = VarId(var as u32);
            let value = match about.init {
                Some(init) => self.compiler.terms.constant(about.sort, init),
                None => self.input(about),
            };
            self.values.insert(var, value);
        }
        if self.compiler.view == Some(View::Fine) {
            self.limit_handle(number);
        }
        value
    }

    /// The handle of a thread of a template is none that counting arrives at. Only locks hold it.
    fn limit_handle(&mut self, number: usize) {
        let handle = self.value(self.compiler.about[number].handle);
        let terms = &mut self.compiler.terms;
        let sort = terms.sort(handle);
        let (first, end) = template_handles(sort);
        let (first, end) = (terms.constant(sort, first), terms.constant(sort, end));
        let (above, below) = (
            terms.binary(Op::Ule, first, handle),
            terms.binary(Op::Ult, handle, end),
        );
        let inside = terms.and(above, below);
        self.guard = terms.and(self.guard, inside);
    }

    fn start_of_thread(&mut self, handle: VarId, number: usize) -> Term {
        let count = self.value(self.compiler.started);
        let terms = &mut self.compiler.terms;
        let one = terms.bv(terms.width(count), 1);
        let count = terms.add(count, one);
        self.values.insert(self.compiler.started, count);
        self.values
            .insert(self.compiler.about[number].handle, count);
        let width = self.compiler.xcfa[handle].sort.width();
        self.compiler.terms.resize(count, width, false)
    }

    /// The threads that run at most once, each with the condition that it has the handle.
    fn having(&mut self, wanted: Term) -> Vec<(usize, Term)> {
        if let Some(only) = self.joins {
            return vec![(only, self.compiler.terms.bool(true))];
        }
        let width = self.compiler.terms.width(wanted);
        let mut found = Vec::new();
        for number in 0..self.compiler.threads.len() {
            if !self.compiler.threads[number].many {
                let handle = self.value(self.compiler.about[number].handle);
                let handle = self.compiler.terms.resize(handle, width, false);
                found.push((number, self.compiler.terms.eq(wanted, handle)));
            }
        }
        found
    }

    fn has_templates(&self) -> bool {
        self.compiler.threads.iter().any(|thread| thread.many)
    }
}

impl Store for Middle<'_, '_> {
    type Stop = Unsupported;
    type Address = Address;
    type Word = Vec<Candidate>;
    /// The value of its handle.
    type Ended = Term;

    fn terms(&mut self) -> &mut Terms {
        &mut self.compiler.terms
    }

    fn eval(&mut self, term: Term) -> Value<Self> {
        let Compiler {
            terms,
            own,
            vars,
            layout,
            ..
        } = &mut *self.compiler;
        let (own, values) = (&own[self.thread], &self.values);
        Ok(
            terms.map_leaves(term, &mut |terms, leaf| match terms.node(leaf) {
                Node::Base(object, width) => Some(terms.bv(width, layout.base(object))),
                Node::Var(var, _) => {
                    let mine = own.get(&var).copied().unwrap_or(var);
                    let sort = vars[mine.0 as usize].sort;
                    let value = values.get(&mine).copied();
                    value.or_else(|| (mine != var).then(|| terms.var(mine, sort)))
                }
                _ => None,
            }),
        )
    }

    fn set(&mut self, var: VarId, value: Term) -> Result<(), Unsupported> {
        self.chosen.push((var, value));
        self.values.insert(self.mine(var), value);
        Ok(())
    }

    fn choose(&mut self, var: VarId) -> Value<Self> {
        Ok(self.input_to(self.mine(var)))
    }

    fn assume(&mut self, cond: Term) -> Result<(), Unsupported> {
        self.guard = self.compiler.terms.and(self.guard, cond);
        Ok(())
    }

    fn wait_until(&mut self, cond: Term) -> Result<(), Unsupported> {
        self.wait_unless(cond);
        self.assume(cond)
    }

    fn atomic(&mut self, enters: bool) {
        self.nesting += if enters { 1 } else { -1 };
    }

    fn place(&mut self, addr: Term) -> Result<Address, Unsupported> {
        let now = self.eval(addr)?;
        Ok(Address { addr, now })
    }

    fn load(&mut self, place: &Address, var: VarId) -> Value<Self> {
        self.check_word(self.compiler.xcfa[var].sort)?;
        self.compiler.words.note_load(place.addr);
        let words = self.words(place, 0)?;
        self.read(&words)
    }

    fn store(&mut self, place: &Address, value: Term) -> Result<(), Unsupported> {
        self.check_word(self.compiler.terms.sort(value))?;
        let words = self.words(place, 0)?;
        let always = self.compiler.terms.bool(true);
        self.write(&words, always, value)
    }

    fn lock_word(&mut self, place: &Address, at: u64) -> Result<Vec<Candidate>, Unsupported> {
        self.words(place, at)
    }

    fn waiting(&mut self) -> Result<Option<Vec<Candidate>>, Unsupported> {
        let proc = self.compiler.threads[self.thread].proc;
        // A thread that has never waited has nothing to wait for.
        let var = self.compiler.waiting.and_then(|waiting| waiting.of(proc));
        Ok(var.map(|var| self.single(var)))
    }

    fn waiters(&mut self, cond: Term) -> Result<Vec<Vec<Candidate>>, Unsupported> {
        let on = |waiting: &Waiting| waiting.on(&self.compiler.terms, cond);
        let vars = self.compiler.waiting.map(on).unwrap_or_default();
        Ok(vars.into_iter().map(|var| self.single(var)).collect())
    }

    fn read(&mut self, word: &Vec<Candidate>) -> Value<Self> {
        let (last, rest) = word
            .split_last()
            .expect("an address means at least one word");
        let mut value = self.value(last.var);
        for word in rest.iter().rev() {
            let read = self.value(word.var);
            value = self.compiler.terms.ite(word.here, read, value);
        }
        Ok(value)
    }

    fn write(&mut self, word: &Vec<Candidate>, cond: Term, value: Term) -> Result<(), Unsupported> {
        for word in word {
            let before = self.value(word.var);
            let terms = &mut self.compiler.terms;
            let here = terms.and(word.here, cond);
            let value = terms.ite(here, value, before);
            self.values.insert(word.var, value);
        }
        Ok(())
    }

    fn goes_on(&mut self, word: &Vec<Candidate>, timed: bool) -> Value<Self> {
        match self.compiler.waiting.filter(|_| !timed) {
            Some(waiting) => {
                let woken = self.is_woken(word)?;
                let spurious = self.compiler.read(waiting.spurious);
                Ok(self.compiler.terms.or(woken, spurious))
            }
            None => Ok(self.compiler.terms.bool(true)),
        }
    }

    fn choose_waiter(&mut self) -> Value<Self> {
        let like = StateVar {
            name: "who is woken".into(),
            sort: Sort::Bool,
            init: None,
            owner: Some(self.thread),
            control: true,
            input: true,
        };
        Ok(self.input(like))
    }

    fn start(&mut self, handle: VarId, proc: ProcId, arg: Term) -> Value<Self> {
        let number = self.compiler.numbers[&proc];
        let value = match self.compiler.threads[number].many {
            true => self.start_of_template(handle, number),
            false => self.start_of_thread(handle, number),
        };
        if let Some(&param) = self.compiler.xcfa[proc].params.first() {
            self.values.insert(param, arg);
        }
        self.starts.push(number);
        Ok(value)
    }

    /// Waits for the thread with this handle. If no known thread has it, it may belong to a thread
    /// of a template, about which nothing is known.
    fn join(&mut self, thread: Term) -> Value<Self> {
        let wanted = self.eval(thread)?;
        self.joins = self.compiler.joined_by(self.edge);
        let mut possible = self.compiler.terms.bool(false);
        let mut somebody = possible;
        for (number, is_it) in self.having(wanted) {
            let ended = self.compiler.read(self.compiler.about[number].ended);
            let terms = &mut self.compiler.terms;
            let both = terms.and(is_it, ended);
            possible = terms.or(possible, both);
            somebody = terms.or(somebody, is_it);
        }
        let nobody = self.compiler.terms.not(somebody);
        // Joining a handle that no thread has ends the run.
        let goes_on = self.compiler.terms.or(possible, nobody);
        self.wait_unless(goes_on);
        let templates = self.has_templates();
        self.assume(if templates { goes_on } else { possible })?;
        Ok(wanted)
    }

    fn result(&mut self, wanted: &Term, var: VarId, sort: Sort) -> Value<Self> {
        let bits = self.compiler.xcfa.pointer_bits();
        let mut returned = self.compiler.terms.bv(bits, 0);
        if self.has_templates() {
            let chosen = self.input_to(self.mine(var));
            returned = self.compiler.terms.resize(chosen, bits, false);
        }
        for (number, is_it) in self.having(*wanted) {
            let value = self.compiler.read(self.compiler.about[number].result);
            returned = self.compiler.terms.ite(is_it, value, returned);
        }
        let terms = &mut self.compiler.terms;
        Ok(terms.resize(returned, sort.width(), false))
    }

    fn end_thread(&mut self, value: Term) -> Result<(), Unsupported> {
        self.ends = true;
        if !self.compiler.threads[self.thread].many {
            let bits = self.compiler.xcfa.pointer_bits();
            let value = self.compiler.terms.resize(value, bits, false);
            let about = &self.compiler.about[self.thread];
            self.values.insert(about.result, value);
            let truth = self.compiler.terms.bool(true);
            self.values.insert(about.ended, truth);
        }
        Ok(())
    }

    fn end_process(&mut self) -> Result<(), Unsupported> {
        self.exits = true;
        Ok(())
    }

    fn unfollowed(&self, what: &str) -> Unsupported {
        Unsupported::at(self.compiler.xcfa[self.edge].span, what)
    }
}
