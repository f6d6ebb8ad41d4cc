//! The formula of a trace program: which orders of its events are possible.
//!
//! Every read chooses where its value comes from, and literals say which of two moments comes first;
//! that these make an order is the business of a theory inside the solver (`sat::order`). Moments are
//! events, ends of threads, writes of phantom edges, and the goal.

use super::question::Question;
use super::{Goal, Point, Read, TraceProgram, Write};
use dataflow::BitSet;
use expr::Term;
use sat::Lit;
use sat::blast::{Blaster, Refused};
use sat::order::{Node, Order, Pairs};

/// Where a read may find its value.
pub enum Source {
    /// What was there at first.
    Initial(Term),
    /// A write of this event.
    Write(usize, Write),
    /// This phantom edge.
    Phantom(usize),
}

/// A formula under construction.
pub struct Formula<'p> {
    /// What it is about.
    pub program: &'p TraceProgram,
    blaster: Blaster,
    order: Order,
    pairs: Pairs,
    /// By event and thread: the events that come before it, or before its end, whatever happens.
    before: Vec<BitSet>,
    goal: Node,
}

impl<'p> Formula<'p> {
    /// All that holds whatever is asked.
    pub fn new(program: &'p TraceProgram) -> Result<Formula<'p>, Refused> {
        let known = program.ops.len() + program.threads as usize;
        let mut order = Order::new(known);
        let goal = order.node();
        let mut formula = Formula {
            program,
            blaster: Blaster::default(),
            order,
            pairs: Pairs::default(),
            before: fixed_order(program),
            goal,
        };
        formula.orders()?;
        for at in 0..program.ops.len() {
            formula.event(at)?;
        }
        Ok(formula)
    }

    /// The formula, ready to be asked about.
    pub fn question(self) -> Question<'p> {
        let mut blaster = self.blaster;
        let order = self.order.attach(&mut blaster.gates.sat);
        Question::new(self.program, blaster, order, self.goal)
    }

    /// Another moment.
    pub fn moment(&mut self) -> Node {
        self.order.node()
    }

    /// A literal that says whether this holds.
    pub fn lit(&mut self, term: Term) -> Result<Lit, Refused> {
        self.blaster.lit(&self.program.terms, term)
    }

    /// One of these holds.
    pub fn clause(&mut self, lits: &[Lit]) {
        self.blaster.gates.sat.clause(lits);
    }

    /// Do all of these hold?
    pub fn all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        self.blaster.gates.and_all(lits)
    }

    /// Is a moment before the goal?
    pub fn is_ahead_of_goal(&mut self, moment: Node) -> Lit {
        self.is_before(moment, self.goal)
    }

    /// Does the thread of an event get that far before the goal is reached?
    pub fn happens(&mut self, at: usize) -> Lit {
        self.is_ahead_of_goal(at as Node)
    }

    /// Is the goal reached, during its event?
    pub fn reaches(&mut self, goal: &Goal) -> Result<Lit, Refused> {
        let (guard, happens) = (self.lit(goal.guard)?, self.happens(goal.op));
        Ok(self.all([guard, happens]))
    }

    /// The inputs of an event are those that it had.
    pub fn keep_inputs(&mut self, at: usize) -> Result<(), Refused> {
        for &(input, was) in &self.program.ops[at].inputs {
            let word = self.blaster.word(&self.program.terms, input)?;
            for (bit, lit) in word.into_iter().enumerate() {
                let is_set = was >> bit & 1 == 1;
                self.clause(&[if is_set { lit } else { !lit }]);
            }
        }
        Ok(())
    }

    /// Is one moment before another one?
    pub fn is_before(&mut self, a: Node, b: Node) -> Lit {
        if self.always_before(a, b) {
            return Lit::TRUE;
        }
        if a == b || self.always_before(b, a) {
            return Lit::FALSE;
        }
        let gates = &mut self.blaster.gates;
        self.pairs.before(&mut self.order, gates, a, b)
    }

    fn always_before(&self, a: Node, b: Node) -> bool {
        let before = self.before.get(b as usize);
        before.is_some_and(|before| before.contains(a as usize))
    }

    fn node(&self, point: Point) -> Node {
        match point {
            Point::Op(at) => at as Node,
            Point::End(tid) => self.program.ops.len() as Node + tid,
        }
    }

    /// Program order, starts and joins.
    fn orders(&mut self) -> Result<(), Refused> {
        for order in &self.program.order {
            let (first, second) = (self.node(order.first), self.node(order.second));
            match self.lit(order.guard)? {
                Lit::FALSE => {}
                Lit::TRUE => {
                    let added = self.order.always(first, second);
                    added.expect("the execution is an order of its events");
                }
                guard => {
                    let before = self.is_before(first, second);
                    self.clause(&[!guard, before]);
                }
            }
        }
        Ok(())
    }

    fn event(&mut self, at: usize) -> Result<(), Refused> {
        let op = &self.program.ops[at];
        let (happens, guard) = (self.happens(at), self.lit(op.guard)?);
        for &needed in &op.needed {
            let needed = self.lit(needed)?;
            self.clause(&[!happens, !guard, needed]);
        }
        for read in &op.reads {
            let guard = self.lit(read.guard)?;
            let wanted = self.all([happens, guard]);
            self.read(at, read, wanted)?;
        }
        Ok(())
    }

    /// A pi function: what is found is the last write before, or what was there at first.
    fn read(&mut self, at: usize, read: &Read, wanted: Lit) -> Result<(), Refused> {
        let sources = sources(self.program, &self.before, at, read);
        let mut some = vec![!wanted];
        for source in &sources {
            let chosen = match sources.len() {
                1 => wanted,
                _ => self.blaster.gates.input(),
            };
            some.push(chosen);
            self.source(at, read, source, chosen)?;
        }
        if sources.len() != 1 {
            self.clause(&some);
        }
        Ok(())
    }

    fn source(
        &mut self,
        at: usize,
        read: &Read,
        source: &Source,
        chosen: Lit,
    ) -> Result<(), Refused> {
        let (since, from) = match source {
            Source::Initial(value) => {
                self.same(chosen, read.value, *value)?;
                (None, None)
            }
            Source::Write(from, write) => {
                let guard = self.lit(write.guard)?;
                self.clause(&[!chosen, guard]);
                self.same(chosen, read.value, write.value)?;
                (Some(*from as Node), Some(*from))
            }
            Source::Phantom(index) => (Some(self.phantom(*index, chosen)?), None),
        };
        if let Some(since) = since {
            let before = self.is_before(since, at as Node);
            self.clause(&[!chosen, before]);
        }
        for (other, write) in self.intruders(at, read, since.is_some(), from) {
            let guard = self.lit(write.guard)?;
            let later = self.is_before(at as Node, other as Node);
            let earlier = match since {
                Some(since) => self.is_before(other as Node, since),
                None => Lit::FALSE,
            };
            self.clause(&[!chosen, !guard, earlier, later]);
        }
        Ok(())
    }

    /// If this holds, two terms have the same value.
    fn same(&mut self, chosen: Lit, value: Term, other: Term) -> Result<(), Refused> {
        let value = self.blaster.word(&self.program.terms, value)?;
        let other = self.blaster.word(&self.program.terms, other)?;
        for (a, b) in value.into_iter().zip(other) {
            self.clause(&[!chosen, !a, b]);
            self.clause(&[!chosen, a, !b]);
        }
        Ok(())
    }

    /// Some moment at which a phantom edge writes, if this holds.
    fn phantom(&mut self, index: usize, chosen: Lit) -> Result<Node, Refused> {
        let phantom = &self.program.phantoms[index];
        let time = self.moment();
        let guard = self.lit(phantom.guard)?;
        let after = self.is_before(phantom.after as Node, time);
        let until = match phantom.until {
            Some(until) => Point::Op(until),
            None => Point::End(phantom.tid),
        };
        let before = self.is_before(time, self.node(until));
        for needed in [guard, after, before] {
            self.clause(&[!chosen, needed]);
        }
        Ok(time)
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
