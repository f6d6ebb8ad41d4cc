//! The formula of a trace program: which orders of its events are possible.

use super::{Phantom, Point, Read, TraceProgram, Write};
use dataflow::BitSet;
use expr::{Op as Operator, Sort, Term, VarId};

/// This many moments from one event to the next: between them phantom edges write first, then threads
/// end. Phantom edges are not ordered among themselves, and neither are ends.
const ROOM: usize = 3;

/// Where a read may find its value.
pub enum Source {
    /// What was there at first.
    Initial(Term),
    /// A write of this event.
    Write(usize, Write),
    /// This phantom edge.
    Phantom(usize),
}

/// A moment for each event, and for the goal.
pub struct Formula<'p> {
    /// What it is about.
    pub program: &'p mut TraceProgram,
    /// By event: when it happens.
    pub times: Vec<Term>,
    /// By thread: when it ends.
    ends: Vec<Term>,
    /// When the goal is reached.
    pub goal: Term,
    bits: u32,
    before: Vec<BitSet>,
}

impl<'p> Formula<'p> {
    /// Gives every event a time.
    pub fn new(program: &'p mut TraceProgram) -> Formula<'p> {
        let (ops, threads) = (program.ops.len(), program.threads as usize);
        let moments = ROOM * (ops + 1);
        let bits = usize::BITS - moments.leading_zeros();
        let before = fixed_order(program);
        let mut moment = || fresh(program, Sort::Bv(bits));
        let times = (0..ops).map(|_| moment()).collect();
        let ends = (0..threads).map(|_| moment()).collect();
        let goal = moment();
        Formula {
            program,
            times,
            ends,
            goal,
            bits,
            before,
        }
    }

    /// All that holds whatever is asked.
    pub fn constraints(&mut self) -> Vec<Term> {
        let mut all = Vec::new();
        for order in self.program.order.clone() {
            let (first, second) = (self.time(order.first), self.time(order.second));
            let ordered = self.less(first, second);
            all.push(self.implies(order.guard, ordered));
        }
        for at in 0..self.program.ops.len() {
            let op = self.program.ops[at].clone();
            let happens = self.happens(at);
            for needed in op.needed {
                let needed = self.implies(op.guard, needed);
                all.push(self.implies(happens, needed));
            }
            for read in &op.reads {
                let found = self.found(at, read);
                let found = self.implies(read.guard, found);
                all.push(self.implies(happens, found));
            }
        }
        all
    }

    /// The thread of an event gets that far before the goal is reached.
    fn happens(&mut self, at: usize) -> Term {
        let (time, goal) = (self.times[at], self.goal);
        self.program.terms.binary(Operator::Ule, time, goal)
    }

    /// A pi function: what is found is the last write before, or what was there at first.
    fn found(&mut self, at: usize, read: &Read) -> Term {
        let mut options = Vec::new();
        for source in sources(self.program, &self.before, at, read) {
            let mut all = Vec::new();
            let since = match source {
                Source::Initial(value) => {
                    all.push(self.program.terms.eq(read.value, value));
                    None
                }
                Source::Write(from, write) => {
                    all.push(write.guard);
                    all.push(self.program.terms.eq(read.value, write.value));
                    all.push(self.less(self.times[from], self.times[at]));
                    Some((self.times[from], Some(from)))
                }
                Source::Phantom(index) => {
                    let phantom = self.program.phantoms[index].clone();
                    let time = self.phantom_time(&phantom, &mut all);
                    all.push(self.less(time, self.times[at]));
                    Some((time, None))
                }
            };
            self.nothing_between(at, read, since, &mut all);
            options.push(self.program.terms.and_all(all));
        }
        self.program.terms.or_all(options)
    }

    /// Some moment at which a phantom edge writes.
    fn phantom_time(&mut self, phantom: &Phantom, all: &mut Vec<Term>) -> Term {
        let time = fresh(self.program, Sort::Bv(self.bits));
        all.push(phantom.guard);
        all.push(self.less(self.times[phantom.after], time));
        let until = match phantom.until {
            Some(until) => self.times[until],
            None => self.ends[phantom.tid as usize],
        };
        all.push(self.less(time, until));
        time
    }

    /// No write to the cell between a source and a read.
    fn nothing_between(
        &mut self,
        at: usize,
        read: &Read,
        since: Option<(Term, Option<usize>)>,
        all: &mut Vec<Term>,
    ) {
        let from = since.and_then(|(_, from)| from);
        for (other, write) in self.intruders(at, read, since.is_some(), from) {
            let later = self.less(self.times[at], self.times[other]);
            let not_written = self.program.terms.not(write.guard);
            let mut fine = self.program.terms.or(later, not_written);
            if let Some((since, _)) = since {
                let earlier = self.less(self.times[other], since);
                fine = self.program.terms.or(fine, earlier);
            }
            all.push(fine);
        }
    }

    /// Writes that could come between a source and a read, without those of which the order of
    /// events tells that they do not, or not without another one that is examined.
    fn intruders(
        &self,
        at: usize,
        read: &Read,
        has_source: bool,
        from: Option<usize>,
    ) -> Vec<(usize, Write)> {
        let before = &self.before;
        let earlier = |op: usize| from.is_some_and(|from| before[from].contains(op));
        let writes: Vec<(usize, Write)> = (0..self.program.ops.len())
            .filter(|&op| op != at && Some(op) != from && !before[op].contains(at) && !earlier(op))
            .filter_map(|op| Some((op, write_of(self.program, op, read)?)))
            .collect();
        let certain = |write: &Write| {
            write.guard == read.guard || self.program.terms.as_const(write.guard) == Some(1)
        };
        // Behind a source that is an event, a write that comes after another one can only come
        // between if that one does.
        let follows_other = |op: usize| {
            let behind = |other: usize| from.is_none_or(|from| before[other].contains(from));
            writes.iter().any(|(other, write)| {
                certain(write) && before[op].contains(*other) && behind(*other)
            })
        };
        let free = has_source && from.is_none();
        let kept = |(op, _): &&(usize, Write)| free || !follows_other(*op);
        writes.iter().filter(kept).cloned().collect()
    }

    fn time(&self, point: Point) -> Term {
        match point {
            Point::Op(at) => self.times[at],
            Point::End(tid) => self.ends[tid as usize],
        }
    }

    /// One moment is before another.
    pub fn less(&mut self, a: Term, b: Term) -> Term {
        self.program.terms.binary(Operator::Ult, a, b)
    }

    /// The moment of an event before which there are this many others, with room before and after it.
    pub fn moment(&mut self, at: usize) -> Term {
        self.program.terms.bv(self.bits, (ROOM * at) as u64)
    }

    /// If one holds, so does the other.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.program.terms.not(a);
        self.program.terms.or(not_a, b)
    }
}

fn fresh(program: &mut TraceProgram, sort: Sort) -> Term {
    program.next_var += 1;
    program.terms.var(VarId(program.next_var - 1), sort)
}

fn write_of(program: &TraceProgram, op: usize, read: &Read) -> Option<Write> {
    let mut writes = program.ops[op].writes.iter();
    writes.find(|write| write.cell == read.cell).cloned()
}

/// Where a read may find its value: not ordered behind it, nor certainly overwritten before.
pub fn sources(program: &TraceProgram, before: &[BitSet], at: usize, read: &Read) -> Vec<Source> {
    let always = |guard| program.terms.as_const(guard) == Some(1);
    let certain = |write: &Write| always(write.guard) || write.guard == read.guard;
    let writes: Vec<(usize, Write)> = (0..program.ops.len())
        .filter(|&op| op != at && !before[op].contains(at))
        .filter_map(|op| Some((op, write_of(program, op, read)?)))
        .collect();
    let overwritten = |from: Option<usize>| {
        writes.iter().any(|(other, write)| {
            certain(write)
                && before[at].contains(*other)
                && from.is_none_or(|from| before[*other].contains(from))
        })
    };
    let mut found = Vec::new();
    let mut initial = program.initial.iter();
    if let Some((_, value)) = initial.find(|(cell, _)| *cell == read.cell)
        && !overwritten(None)
    {
        found.push(Source::Initial(*value));
    }
    for (op, write) in &writes {
        if !overwritten(Some(*op)) {
            found.push(Source::Write(*op, write.clone()));
        }
    }
    for (index, phantom) in program.phantoms.iter().enumerate() {
        let later = phantom.after == at || before[phantom.after].contains(at);
        if phantom.cells.contains(&read.cell) && !later {
            found.push(Source::Phantom(index));
        }
    }
    found
}

/// By event: the events that come before it whatever happens.
pub fn fixed_order(program: &TraceProgram) -> Vec<BitSet> {
    let ops = program.ops.len();
    let node = |point: Point| match point {
        Point::Op(at) => at,
        Point::End(tid) => ops + tid as usize,
    };
    let mut before = vec![BitSet::new(); ops + program.threads as usize];
    let mut changed = true;
    while changed {
        changed = false;
        for order in &program.order {
            if program.terms.as_const(order.guard) != Some(1) {
                continue;
            }
            let (first, second) = (node(order.first), node(order.second));
            let known = before[first].clone();
            changed |= before[second].union_with(&known);
            changed |= before[second].insert(first);
        }
    }
    before
}
