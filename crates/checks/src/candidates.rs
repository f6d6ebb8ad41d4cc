//! Candidates for facts, read off the program.

mod bounds;
mod constants;
mod copies;
mod implications;
mod relevance;
mod steps;
mod sums;

use crate::facts::Atom;
use crate::leaves::{is_small, leaves};
use abstraction::{Action, Program};
use dataflow::BitSet;
use expr::{Node, Op, Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use xcfa::ErrorKind;

/// More candidates than this are not tried.
const MOST: usize = 4000;

/// Errors are followed back over so many actions.
const DEPTH: usize = 4;

/// How many candidates are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// What the text says.
    Plain,
    /// Also what it suggests: conditions on the way to an error, facts that hold while a lock is free,
    /// and facts about copies.
    All,
}

/// All candidates of a program.
pub struct Candidates {
    /// By number.
    pub atoms: Vec<Atom>,
    /// Variables about locks and threads, which tell who can be where.
    pub control: BitSet,
}

impl Candidates {
    /// Collects them, those that exclude errors first.
    pub fn of(program: &Program, terms: &mut Terms, target: ErrorKind, depth: Depth) -> Candidates {
        let errors = error_actions(program, target);
        let conditions: Vec<Term> = errors.iter().map(|action| action.guard).collect();
        let mut collector = Collector {
            relevant: relevance::relevant(program, terms, &conditions),
            seen_in: Collector::copies_of_shared(program, terms),
            program,
            terms,
            seen: FxHashSet::default(),
            found: Vec::new(),
        };
        collector.threads();
        collector.handles();
        collector.errors(&errors, depth);
        collector.constants();
        for action in &program.actions {
            collector.assignments(action);
        }
        for action in &program.actions {
            collector.conditions(action);
        }
        collector.starts();
        collector.bounds();
        collector.remembered();
        if depth == Depth::All {
            collector.sums();
            collector.steps();
            collector.together(&conditions);
            collector.protected();
            collector.tested_twice();
            collector.copies();
        }
        let found = collector.found;
        let control = program.vars.iter().enumerate();
        let control = control.filter(|(_, about)| about.control).map(|(at, _)| at);
        let mut candidates = Candidates {
            atoms: found,
            control: control.collect(),
        };
        candidates.link(terms);
        candidates
    }

    /// Notes which candidate is the negation of which.
    fn link(&mut self, terms: &mut Terms) {
        let atoms = self.atoms.iter().enumerate();
        let numbers: FxHashMap<Term, usize> = atoms.map(|(at, atom)| (atom.term, at)).collect();
        for atom in &mut self.atoms {
            let negation = terms.not(atom.term);
            atom.negation = numbers.get(&negation).copied();
        }
    }
}

/// The actions that lead to an error.
fn error_actions(program: &Program, target: ErrorKind) -> Vec<&Action> {
    let wanted = |kind: Option<ErrorKind>| kind == Some(target) || kind == Some(ErrorKind::Unwound);
    let actions = program.actions.iter();
    actions
        .filter(|action| wanted(program.error(action.target)))
        .collect()
}

pub struct Collector<'a> {
    /// The variables that can matter.
    relevant: BitSet,
    /// By variable: where what it holds was seen, if that is always the same shared variable.
    seen_in: FxHashMap<VarId, Term>,
    program: &'a Program,
    terms: &'a mut Terms,
    seen: FxHashSet<Term>,
    found: Vec<Atom>,
}

impl Collector<'_> {
    /// Adds a candidate, unless it is one already or cannot be one.
    fn add(&mut self, term: Term) {
        let term = self.plain(term);
        if self.is_full() || !self.seen.insert(term) || !is_small(self.terms, term) {
            return;
        }
        self.found.extend(Atom::new(self.program, self.terms, term));
    }

    /// A comparison instead of the negation of one.
    fn plain(&mut self, term: Term) -> Term {
        let Node::Unary(Op::Not, inner) = self.terms.node(term) else {
            return term;
        };
        let (op, a, b) = match self.terms.node(inner) {
            Node::Binary(Op::Slt, a, b) => (Op::Sle, b, a),
            Node::Binary(Op::Sle, a, b) => (Op::Slt, b, a),
            Node::Binary(Op::Ult, a, b) => (Op::Ule, b, a),
            Node::Binary(Op::Ule, a, b) => (Op::Ult, b, a),
            _ => return term,
        };
        self.terms.binary(op, a, b)
    }

    fn is_full(&self) -> bool {
        self.found.len() >= MOST
    }

    /// Is it about variables that can matter?
    fn matters(&self, term: Term) -> bool {
        let matters = |var: VarId| {
            self.relevant.contains(var.0 as usize) || self.program.vars[var.0 as usize].control
        };
        self.terms.vars(term).into_iter().all(matters)
    }

    fn add_both(&mut self, term: Term) {
        if self.matters(term) {
            self.add(term);
            let negation = self.terms.not(term);
            self.add(negation);
        }
    }

    /// A comparison, its negation, and the comparisons next to it.
    fn compare(&mut self, leaf: Term) {
        self.add_both(leaf);
        let (less, a, b) = match self.terms.node(leaf) {
            Node::Binary(Op::Slt | Op::Sle, a, b) => (Op::Sle, a, b),
            Node::Binary(Op::Ult | Op::Ule, a, b) => (Op::Ule, a, b),
            Node::Binary(Op::Eq, a, b) if matches!(self.terms.sort(a), Sort::Bv(_)) => {
                (Op::Sle, a, b)
            }
            _ => return,
        };
        // The order of addresses tells nothing.
        let is_address = |term: Term| {
            let bits = self.terms.as_const(term);
            bits.is_some_and(|bits| (0x1000..0xffff_0000).contains(&bits))
        };
        if matches!(self.terms.node(leaf), Node::Binary(Op::Eq, ..))
            && (is_address(a) || is_address(b))
        {
            return;
        };
        for (a, b) in [(a, b), (b, a)] {
            let order = self.terms.binary(less, a, b);
            self.add_both(order);
        }
    }

    /// Who has been started and has ended, and who has which handle.
    fn threads(&mut self) {
        let count = self.program.threads.len() as u64;
        for (thread, about) in self.program.about.iter().enumerate().skip(1) {
            if self.program.threads[thread].many {
                self.handle_of_template(about.handle);
                continue;
            }
            let (handle, ended) = (self.read(about.handle), self.read(about.ended));
            let none = self.constant(handle, 0);
            let unstarted = self.terms.eq(handle, none);
            self.add_both(unstarted);
            self.add_both(ended);
            let idle = self.terms.or(unstarted, ended);
            self.add(idle);
            for number in thread as u64..=(thread as u64 + 2).min(count) {
                let number = self.constant(handle, number);
                let same = self.terms.eq(handle, number);
                self.add(same);
            }
        }
    }

    /// The handle of a thread of a template is not null, and fits into the word of a lock.
    fn handle_of_template(&mut self, handle: VarId) {
        for action in &self.program.actions {
            let sets = action.updates.iter().find(|&&(var, _)| var == handle);
            let Some(chosen) = sets.and_then(|&(_, value)| self.terms.as_var(value)) else {
                continue;
            };
            let handle = self.read(handle);
            let names = FxHashMap::from_iter([(chosen, handle)]);
            for leaf in leaves(self.terms, action.guard) {
                if self.terms.vars(leaf) == [chosen] {
                    let leaf = self.terms.substitute(leaf, &names);
                    self.add(leaf);
                }
            }
        }
    }

    /// Where a handle is kept.
    fn handles(&mut self) {
        for action in &self.program.actions {
            for &started in &action.starts {
                let handle = self.program.about[started].handle;
                let mut updates = action.updates.iter();
                let Some(&(_, number)) = updates.find(|&&(var, _)| var == handle) else {
                    continue;
                };
                for &(var, value) in &action.updates {
                    let (kept, handle) = (self.read(var), self.read(handle));
                    if self.terms.sort(kept) == self.terms.sort(handle) && value == number {
                        let same = self.terms.eq(kept, handle);
                        self.add(same);
                    }
                }
            }
        }
    }

    fn read(&mut self, var: VarId) -> Term {
        let sort = self.program.vars[var.0 as usize].sort;
        self.terms.var(var, sort)
    }

    fn constant(&mut self, like: Term, bits: u64) -> Term {
        let sort = self.terms.sort(like);
        self.terms.constant(sort, bits)
    }

    /// What excludes an error, and the same before the actions that lead there.
    fn errors(&mut self, errors: &[&Action], depth: Depth) {
        for error in errors {
            if self.is_full() {
                return;
            }
            // What has to hold for the error, and the same with the conditions on the way to it.
            let mut open = vec![(error.source, error.guard, error.guard)];
            for _ in 0..DEPTH {
                let mut before = Vec::new();
                for (loc, condition, all) in open {
                    self.exclude(condition);
                    if depth == Depth::All {
                        let excluded = self.terms.not(all);
                        self.add(excluded);
                    }
                    for action in &self.program.actions {
                        if action.target == loc && !action.backward && before.len() < 16 {
                            let updates = crate::facts::updates(action);
                            let condition = self.terms.substitute(condition, &updates);
                            let all = self.terms.substitute(all, &updates);
                            let all = self.terms.and(action.guard, all);
                            before.push((action.source, condition, all));
                        }
                    }
                }
                open = before;
            }
        }
    }

    fn exclude(&mut self, condition: Term) {
        let excluded = self.terms.not(condition);
        self.add(excluded);
        for leaf in leaves(self.terms, condition) {
            self.compare(leaf);
        }
    }

    /// What a condition compares, also in terms of the variables that are set at the same time.
    fn conditions(&mut self, action: &Action) {
        if self.is_full() {
            return;
        }
        for leaf in leaves(self.terms, action.guard) {
            for other in self.after(action, leaf) {
                self.compare(other);
            }
        }
    }

    /// What an assignment sets holds afterwards.
    fn assignments(&mut self, action: &Action) {
        for &(var, value) in &action.updates {
            let read = self.read(var);
            if self.terms.as_const(value).is_some() {
                let same = self.terms.eq(read, value);
                self.compare(same);
                continue;
            }
            for other in self.after(action, value) {
                let vars = self.terms.vars(other);
                // The variable itself in its new value is its old one.
                let is_old = vars.contains(&var);
                if !is_old && self.terms.sort(other) == self.terms.sort(read) {
                    let same = self.terms.eq(read, other);
                    match self.terms.as_var(other).is_some() {
                        true => self.compare(same),
                        false if self.matters(same) => self.add(same),
                        false => {}
                    }
                }
            }
        }
    }

    /// A term over what was before an action, and the same in terms of what is afterwards: inputs, and
    /// variables that are copied, have other names then, and a variable that something is added to was smaller.
    fn after(&mut self, action: &Action, term: Term) -> Vec<Term> {
        let mut found = vec![term];
        let vars = self.terms.vars(term);
        let mut all: FxHashMap<VarId, Term> = FxHashMap::default();
        let mut shared: FxHashMap<VarId, Term> = FxHashMap::default();
        for &(var, value) in &action.updates {
            if let Some((base, before)) = self.before(var, value).filter(|it| vars.contains(&it.0))
            {
                let only = FxHashMap::from_iter([(base, before)]);
                found.push(self.terms.substitute(term, &only));
            }
            let Some(old) = self.terms.as_var(value).filter(|old| vars.contains(old)) else {
                continue;
            };
            let new = self.read(var);
            let only = FxHashMap::from_iter([(old, new)]);
            found.push(self.terms.substitute(term, &only));
            all.insert(old, new);
            if self.program.vars[var.0 as usize].owner.is_none() {
                shared.insert(old, new);
            }
        }
        let seen = std::mem::take(&mut self.seen_in);
        for names in [&all, &shared, &seen] {
            found.push(self.terms.substitute(term, names));
        }
        self.seen_in = seen;
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Variables of threads that only ever hold what was seen in one shared variable, and that variable.
    fn copies_of_shared(program: &Program, terms: &Terms) -> FxHashMap<VarId, Term> {
        let mut copies: FxHashMap<VarId, Option<Term>> = FxHashMap::default();
        let is_shared = |var: VarId| {
            let about = &program.vars[var.0 as usize];
            about.owner.is_none() && !about.input && !about.control
        };
        for &(var, value) in program.actions.iter().flat_map(|action| &action.updates) {
            let source = terms.as_var(value).filter(|&source| is_shared(source));
            let source = source.filter(|_| !is_shared(var)).map(|_| value);
            let known = copies.entry(var).or_insert(source);
            if *known != source {
                *known = None;
            }
        }
        let known = copies.into_iter();
        known
            .filter_map(|(var, source)| Some((var, source?)))
            .collect()
    }

    /// What a variable was to which a constant was added, in terms of the sum.
    fn before(&mut self, sum: VarId, value: Term) -> Option<(VarId, Term)> {
        let Node::Binary(Op::Add, base, by) = self.terms.node(value) else {
            return None;
        };
        let (base, by) = (self.terms.as_var(base)?, self.terms.as_const(by)?);
        let sum = self.read(sum);
        let less = self.constant(sum, by.wrapping_neg());
        Some((base, self.terms.binary(Op::Add, sum, less)))
    }

    /// What variables hold at first.
    fn starts(&mut self) {
        for at in 0..self.program.vars.len() {
            let about = &self.program.vars[at];
            if let (Some(init), false) = (about.init, about.input) {
                let var = self.read(VarId(at as u32));
                let value = self.constant(var, init);
                let same = self.terms.eq(var, value);
                if self.matters(same) {
                    self.add(same);
                }
            }
        }
    }
}
