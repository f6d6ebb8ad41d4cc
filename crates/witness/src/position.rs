//! How far an execution has come in a witness.

use crate::annotated_program::{AnnotatedProgram, leaving};
use crate::automaton::{Automaton, Guard, When};
use crate::condition::Value;
use crate::names::Names;
use semantics::{State, Tid};
use std::rc::Rc;
use xcfa::{EdgeId, Label};

/// The nodes that the automaton may be in, and which threads the names stand for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    nodes: Vec<u64>,
    bound: Vec<Option<u32>>,
    /// How many threads were started by steps that the witness mentions.
    started: u32,
}

/// A step, as guards see it.
#[derive(Clone, Copy)]
pub struct Taken<'s> {
    /// The thread.
    pub tid: Tid,
    /// Along which edge.
    pub edge: EdgeId,
    /// The state before.
    pub before: &'s State,
    /// The state after, unless the step is a violation.
    pub after: Option<&'s State>,
    /// What functions from outside have returned.
    pub inputs: &'s [Value],
}

impl Position {
    /// Before the first step.
    pub fn start(automaton: &Automaton) -> Position {
        let mut position = Position {
            nodes: vec![0; automaton.nodes.div_ceil(64).max(1)],
            bound: vec![None; automaton.names.len()],
            started: 0,
        };
        position.insert(0);
        let zero = automaton.names.iter().position(|name| name == "0");
        if let Some(main) = automaton.main.or(zero.filter(|_| automaton.numbered)) {
            position.bound[main] = Some(0);
        }
        position.rest(automaton);
        position
    }

    /// Can the automaton be in this node?
    pub fn contains(&self, node: usize) -> bool {
        self.nodes[node / 64] >> (node % 64) & 1 == 1
    }

    fn insert(&mut self, node: usize) {
        self.nodes[node / 64] |= 1 << (node % 64);
    }

    /// How many nodes have been reached.
    pub fn reached(&self) -> u32 {
        self.nodes.iter().map(|word| word.count_ones()).sum()
    }

    /// Takes the transitions that need no step.
    fn rest(&mut self, automaton: &Automaton) {
        loop {
            let free = |step: &&crate::automaton::Move| {
                step.guard.is_none() && self.contains(step.from) && !self.contains(step.to)
            };
            let Some(step) = automaton.moves.iter().find(free) else {
                return;
            };
            self.insert(step.to);
        }
    }

    /// The guards that would lead on from here.
    pub fn next<'g>(&self, automaton: &'g Automaton) -> impl Iterator<Item = &'g Guard> {
        let open = |from: usize, to: usize| self.contains(from) && !self.contains(to);
        let moves = automaton.moves.iter().filter(move |m| open(m.from, m.to));
        let moves: Vec<&Guard> = moves.filter_map(|m| m.guard.as_ref()).collect();
        let ends = automaton
            .accepts
            .iter()
            .filter(|end| self.contains(end.node));
        let ends: Vec<&Guard> = ends.flat_map(|end| &end.targets).collect();
        moves.into_iter().chain(ends)
    }

    /// The thread that a guard names, if it is known.
    pub fn thread(&self, automaton: &Automaton, guard: &Guard) -> Option<Tid> {
        let name = guard.thread?;
        match self.bound[name] {
            Some(tid) => Some(Tid(tid)),
            None if automaton.numbered => automaton.names[name].parse().ok().map(Tid),
            None => None,
        }
    }

    /// Where a step leads; `None` if no execution of the witness takes it.
    pub fn advance(
        &self,
        program: &AnnotatedProgram<'_>,
        automaton: &Automaton,
        taken: Taken<'_>,
    ) -> Option<Position> {
        let mut position = self.clone();
        let mut used: Vec<&Rc<_>> = Vec::new();
        // One step returns one value and starts one thread.
        let mut spent = false;
        loop {
            let open = |step: &&crate::automaton::Move| {
                position.contains(step.from) && !position.contains(step.to)
            };
            let passed = automaton.moves.iter().filter(open).find(|step| {
                let guard = step.guard.as_ref();
                let fresh = |guard: &Guard| {
                    let again = used.iter().any(|edges| Rc::ptr_eq(edges, &guard.edges));
                    let once = guard.is_event() && spent;
                    !once && (!again || automaton.liberal)
                };
                guard.is_some_and(|guard| {
                    fresh(guard) && position.passes(program, automaton, guard, taken)
                })
            });
            let Some((to, guard)) = passed.and_then(|m| Some((m.to, m.guard.as_ref()?))) else {
                break;
            };
            position.insert(to);
            position.bind(automaton, guard, taken);
            position.rest(automaton);
            used.push(&guard.edges);
            spent |= guard.is_event();
        }
        for (node, guard) in &automaton.avoids {
            let stays = self.contains(*node) && position.contains(*node);
            if stays && self.passes(program, automaton, guard, taken) {
                position.nodes[node / 64] &= !(1 << (node % 64));
            }
        }
        position
            .nodes
            .iter()
            .any(|word| *word != 0)
            .then_some(position)
    }

    fn bind(&mut self, automaton: &Automaton, guard: &Guard, taken: Taken<'_>) {
        if let Some(name) = guard.thread {
            self.bound[name].get_or_insert(taken.tid.0);
        }
        let new = taken.before.threads.len() as u32;
        if let Some(name) = guard.creates {
            self.bound[name] = Some(new);
        }
        if guard.starts {
            self.started += 1;
            let number = self.started.to_string();
            if let Some(name) = automaton.names.iter().position(|name| *name == number) {
                self.bound[name] = Some(new);
            }
        }
    }

    /// Does a step satisfy a guard?
    pub fn passes(
        &self,
        program: &AnnotatedProgram<'_>,
        automaton: &Automaton,
        guard: &Guard,
        taken: Taken<'_>,
    ) -> bool {
        let thread = match (guard.thread, self.thread(automaton, guard)) {
            (_, Some(tid)) => tid == taken.tid,
            (Some(_), None) => !self.bound.contains(&Some(taken.tid.0)),
            (None, None) => true,
        };
        let starts = || {
            let mut labels = program.machine.xcfa[taken.edge].labels.iter();
            labels.any(|label| matches!(label, Label::Start { .. }))
        };
        if !thread || (guard.starts || guard.creates.is_some()) && !starts() {
            return false;
        }
        let along = guard.edges.contains(taken.edge.0 as usize);
        match guard.when {
            When::Step => {
                along && holds(program, guard, taken, taken.after.unwrap_or(taken.before))
            }
            When::Arrival if along => holds(program, guard, taken, taken.before),
            When::Arrival => taken.after.is_some_and(|after| {
                let loc = after.thread(taken.tid).loc;
                let mut out = leaving(program.machine.xcfa, loc).iter();
                let there = out.any(|edge| guard.edges.contains(edge.0 as usize));
                there && holds(program, guard, taken, after)
            }),
        }
    }

    /// Is this violation one that the witness describes?
    pub fn accepts(
        &self,
        program: &AnnotatedProgram<'_>,
        automaton: &Automaton,
        last: &[Taken<'_>],
    ) -> bool {
        let mut orders = vec![last.to_vec()];
        if last.len() == 2 {
            orders.push(vec![last[1], last[0]]);
        }
        orders.iter().any(|order| {
            let end = order.iter().try_fold(self.clone(), |position, taken| {
                position.advance(program, automaton, *taken)
            });
            automaton.accepts.iter().any(|accept| {
                let here = |position: &Position| position.contains(accept.node);
                let there = self.contains(accept.node) || end.as_ref().is_some_and(here);
                there && self.hits(program, automaton, &accept.targets, order)
            })
        })
    }

    fn hits(
        &self,
        program: &AnnotatedProgram<'_>,
        automaton: &Automaton,
        targets: &[Guard],
        order: &[Taken<'_>],
    ) -> bool {
        let hit = |guard: &Guard, taken: &Taken<'_>| self.passes(program, automaton, guard, *taken);
        match targets {
            [a, b] if order.len() == 2 => hit(a, &order[0]) && hit(b, &order[1]),
            targets => targets
                .iter()
                .all(|guard| order.iter().any(|taken| hit(guard, taken))),
        }
    }
}

fn holds(program: &AnnotatedProgram<'_>, guard: &Guard, taken: Taken<'_>, state: &State) -> bool {
    let Some(condition) = &guard.condition else {
        return true;
    };
    let returned = taken.inputs.last().copied();
    let names = Names {
        program,
        state,
        tid: taken.tid,
        edge: taken.edge,
        scope: guard.scope.as_deref(),
        returned: returned.or_else(|| returned_by(program, taken)),
    };
    condition.holds(&names) == Some(true)
}

/// What a function with a body has returned, if this step is its return.
fn returned_by(program: &AnnotatedProgram<'_>, taken: Taken<'_>) -> Option<Value> {
    let xcfa = program.machine.xcfa;
    let mut results = xcfa[taken.edge]
        .labels
        .iter()
        .filter_map(|label| match label {
            Label::Assign { var, value } => match xcfa.terms.node(*value) {
                expr::Node::Var(from, _) if xcfa[from].name.ends_with("result") => Some(*var),
                _ => None,
            },
            _ => None,
        });
    let var = results.next_back()?;
    let (sort, signed) = (xcfa[var].sort, xcfa[var].signed);
    let bits = program.machine.value(taken.after?, taken.tid, var);
    Some(Value::int(bits, sort.width(), signed))
}
