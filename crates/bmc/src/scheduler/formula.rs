//! The transition relation unrolled step by step (sections 3.1, 3.2 and 4 of the paper).
//!
//! In every step one thread is selected, or none from some step on. The reduction adds, for two
//! transitions that are independent where both can happen, that the one of the larger thread is not
//! followed at once by the one of the smaller thread.

use super::blocks::{Blocks, Pair, choices};
use super::independence::Independence;
use super::system::{System, ThreadId};
use super::updates::change;
use crate::blast::{Blaster, Refused, Word};
use crate::sat::{self, Lit, Satisfiability};
use expr::{Env, ObjId, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::path::Path;
use verdict::{Budget, Reason};
use xcfa::{ErrorKind, LocId};

/// A step: the state before it, and what happens in it.
#[derive(Default)]
struct Frame {
    vars: FxHashMap<VarId, Word>,
    /// What the environment chooses in this step, and in the next one.
    inputs: FxHashMap<VarId, Word>,
    later: FxHashMap<VarId, Word>,
    /// By thread and location: is the thread there? Absent means no.
    at: Vec<FxHashMap<LocId, Lit>>,
    /// By thread: is it selected?
    sel: Vec<Lit>,
    /// Is no thread selected?
    idle: Option<Lit>,
    /// By transition: can it happen, and does it?
    enabled: Vec<Lit>,
    fired: Vec<Lit>,
    /// By pair of transitions: are they independent here?
    independent: Vec<((usize, usize), Lit)>,
    /// By threads: are both where their transitions are independent, whichever they take?
    commuting: Vec<(Pair, Lit)>,
}

/// The formula so far.
pub struct Formula {
    /// The system that it unrolls.
    pub system: System,
    relation: Independence,
    blocks: Blocks,
    blaster: Blaster,
    frames: Vec<Frame>,
    /// By transition: is it one of several of its thread that can be possible at once?
    choices: Vec<bool>,
}

/// A step of an execution: which action, and the state before it.
pub struct Taken {
    /// The action.
    pub action: usize,
    /// Values of the variables and inputs.
    pub values: Values,
}

/// Numbers for variables.
pub struct Values(FxHashMap<VarId, u64>);

impl Env for Values {
    fn var(&self, var: VarId) -> u64 {
        self.0.get(&var).copied().unwrap_or(0)
    }

    fn base(&self, _: ObjId) -> u64 {
        0
    }
}

impl Formula {
    /// The first state, and no steps yet; `keep` keeps the clauses for printing.
    pub fn new(system: System, relation: Independence, keep: bool) -> Result<Formula, Refused> {
        let mut formula = Formula {
            blocks: Blocks::of(&system, &relation),
            choices: choices(&system),
            system,
            relation,
            blaster: Blaster::default(),
            frames: Vec::new(),
        };
        if keep {
            formula.blaster.gates.sat.keep_clauses();
        }
        let mut vars = FxHashMap::default();
        let System { program, terms, .. } = &mut formula.system;
        for (number, known) in program.vars.iter().enumerate() {
            let word = match known.init {
                _ if known.input => continue,
                Some(init) => {
                    let init = terms.constant(known.sort, init);
                    formula.blaster.word(terms, init)?
                }
                None => formula.blaster.gates.input_word(known.sort.width()),
            };
            vars.insert(VarId(number as u32), word);
        }
        let mut at = vec![FxHashMap::default(); program.threads.len()];
        at[0].insert(program.threads[0].init, Lit::TRUE);
        let inputs = formula.new_inputs();
        formula.open(vars, at, inputs)?;
        Ok(formula)
    }

    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.frames.len() - 1
    }

    /// Adds steps until there are so many.
    pub fn extend(&mut self, wanted: usize, budget: &Budget) -> Result<(), Reason> {
        while self.steps() < wanted {
            if let Some(reason) = budget.exceeded(verdict::resident_bytes()) {
                return Err(reason);
            }
            self.step()?;
        }
        Ok(())
    }

    /// Writes the refutation to a file, step by step.
    pub fn write_refutation(&mut self, path: &Path) -> std::io::Result<()> {
        self.blaster.gates.sat.write_refutation(path)
    }

    /// The clauses, if they were kept.
    pub fn clauses(&self) -> impl Iterator<Item = Vec<i32>> + '_ {
        self.blaster.gates.sat.kept()
    }

    /// The same as text.
    pub fn dimacs(&self) -> String {
        self.blaster.gates.sat.dimacs()
    }

    /// Figures of the solver.
    pub fn figures(&self) -> sat::Figures {
        self.blaster.gates.sat.figures()
    }

    fn new_inputs(&mut self) -> FxHashMap<VarId, Word> {
        let program = &self.system.program;
        let inputs = program.actions.iter().flat_map(|action| &action.inputs);
        let symbols = inputs.map(|input| input.symbol);
        let gates = &mut self.blaster.gates;
        let word = |var: VarId| {
            let width = program.vars[var.0 as usize].sort.width();
            (var, gates.input_word(width))
        };
        symbols.map(word).collect()
    }

    /// Adds a state, with what is possible in it.
    fn open(
        &mut self,
        vars: FxHashMap<VarId, Word>,
        at: Vec<FxHashMap<LocId, Lit>>,
        inputs: FxHashMap<VarId, Word>,
    ) -> Result<(), Refused> {
        let later = self.new_inputs();
        let mut known = vars.clone();
        known.extend(inputs.clone());
        for (var, copy) in &self.relation.later {
            known.insert(*copy, later[var].clone());
        }
        self.blaster.rebind(known);
        let may_move = self.may_move(&at);
        let mut enabled = Vec::new();
        for action in self.system.actions() {
            let here = at[action.thread].get(&action.source).copied();
            enabled.push(match here {
                None | Some(Lit::FALSE) => Lit::FALSE,
                Some(here) => {
                    let guard = self.blaster.lit(&self.system.terms, action.guard)?;
                    let possible = self.blaster.gates.and(here, guard);
                    let gates = &mut self.blaster.gates;
                    gates.and(possible, may_move[action.thread])
                }
            });
        }
        let mut independent = Vec::new();
        for &((a, b), guard) in &self.blocks.pairs {
            if enabled[a] != Lit::FALSE && enabled[b] != Lit::FALSE {
                let lit = self.blaster.lit(&self.system.terms, guard)?;
                independent.push(((a, b), lit));
            }
        }
        let commuting = self.commuting(&at)?;
        self.frames.push(Frame {
            vars,
            inputs,
            later,
            at,
            enabled,
            independent,
            commuting,
            ..Frame::default()
        });
        Ok(())
    }

    /// By thread: has no thread met an error, and is no other one in an atomic section?
    fn may_move(&mut self, at: &[FxHashMap<LocId, Lit>]) -> Vec<Lit> {
        let over = self.somewhere(at, |system, loc| system.program.error(loc).is_some());
        let inside: Vec<Lit> = (0..at.len())
            .map(|thread| self.somewhere(&at[thread..=thread], |system, loc| system.is_inside(loc)))
            .collect();
        let gates = &mut self.blaster.gates;
        (0..at.len())
            .map(|thread| {
                let others = inside
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != thread);
                let held = gates.or_all(others.map(|(_, &inside)| inside));
                gates.and(!over, !held)
            })
            .collect()
    }

    /// Is a thread at a location of some kind?
    fn somewhere(
        &mut self,
        at: &[FxHashMap<LocId, Lit>],
        kind: impl Fn(&System, LocId) -> bool,
    ) -> Lit {
        let mut found: Vec<(LocId, Lit)> = Vec::new();
        for locs in at {
            let there = locs.iter().filter(|(loc, _)| kind(&self.system, **loc));
            found.extend(there.map(|(&loc, &lit)| (loc, lit)));
        }
        found.sort_unstable();
        self.blaster
            .gates
            .or_all(found.into_iter().map(|(_, lit)| lit))
    }

    /// Where threads are at locations whose transitions are independent under a condition.
    fn commuting(&mut self, at: &[FxHashMap<LocId, Lit>]) -> Result<Vec<(Pair, Lit)>, Refused> {
        let mut found = Vec::new();
        for guarded in &self.blocks.guarded {
            let ((i, j), (here, there)) = (guarded.threads, guarded.locs);
            let (Some(&here), Some(&there)) = (at[i].get(&here), at[j].get(&there)) else {
                continue;
            };
            let mut all = self.blaster.gates.and(here, there);
            for &guard in &guarded.guards {
                let guard = self.blaster.lit(&self.system.terms, guard)?;
                all = self.blaster.gates.and(all, guard);
            }
            found.push((guarded.threads, all));
        }
        Ok(found)
    }

    /// Adds one step.
    pub fn step(&mut self) -> Result<(), Refused> {
        let now = self.frames.len() - 1;
        self.select(now);
        if now > 0 {
            self.reduce(now - 1, now);
        }
        let vars = self.next_vars(now)?;
        let at = self.next_locations(now);
        let inputs = self.frames[now].later.clone();
        self.open(vars, at, inputs)
    }

    /// Exactly one thread is selected and moves, or none is from now on.
    fn select(&mut self, now: usize) {
        let before = now.checked_sub(1).and_then(|at| self.frames[at].idle);
        let gates = &mut self.blaster.gates;
        let frame = &mut self.frames[now];
        let threads = self.system.of_thread.len();
        frame.sel = (0..threads).map(|_| gates.input()).collect();
        let idle = gates.input();
        frame.idle = Some(idle);
        let mut some = frame.sel.clone();
        some.push(idle);
        gates.sat.clause(&some);
        for b in 0..some.len() {
            for a in 0..b {
                gates.sat.clause(&[!some[a], !some[b]]);
            }
        }
        if let Some(before) = before {
            gates.sat.imply(before, idle);
        }
        frame.fired = Vec::new();
        for (at, action) in self.system.actions().iter().enumerate() {
            let mut fired = gates.and(frame.enabled[at], frame.sel[action.thread]);
            if self.choices[at] && fired != Lit::FALSE {
                let choice = gates.input();
                fired = gates.and(fired, choice);
            }
            frame.fired.push(fired);
        }
        for (number, actions) in self.system.of_thread.iter().enumerate() {
            let mut moves = vec![!frame.sel[number]];
            moves.extend(actions.iter().map(|&at| frame.fired[at]));
            gates.sat.clause(&moves);
            let choices: Vec<Lit> = actions
                .iter()
                .filter(|&&at| self.choices[at] && frame.fired[at] != Lit::FALSE)
                .map(|&at| frame.fired[at])
                .collect();
            for b in 0..choices.len() {
                for a in 0..b {
                    gates.sat.clause(&[!choices[a], !choices[b]]);
                }
            }
        }
    }

    /// Forbids two independent transitions in the order that is not preferred.
    fn reduce(&mut self, before: usize, now: usize) {
        let (first, second) = (&self.frames[before], &self.frames[now]);
        let gates = &mut self.blaster.gates;
        let here = |thread: ThreadId, locs: &[LocId]| -> Vec<Lit> {
            let at = &first.at[thread];
            locs.iter().filter_map(|loc| at.get(loc).copied()).collect()
        };
        for (&(i, j), locs) in &self.blocks.always {
            let at = gates.or_all(here(i, locs));
            gates.sat.clause(&[!at, !first.sel[j], !second.sel[i]]);
        }
        for ((i, j), loc, others) in &self.blocks.some {
            let at_i = gates.or_all(here(*i, &[*loc]));
            let at_j = gates.or_all(here(*j, others));
            gates
                .sat
                .clause(&[!at_i, !at_j, !first.sel[*j], !second.sel[*i]]);
        }
        // Implied by what follows, but it constrains threads directly and so propagates sooner.
        for &((i, j), commute) in &first.commuting {
            let clause = [!commute, !first.sel[j], !second.sel[i]];
            gates.sat.clause(&clause);
        }
        for &((a, b), independent) in &first.independent {
            let clause = [
                !first.enabled[a],
                !independent,
                !first.fired[b],
                !second.fired[a],
            ];
            gates.sat.clause(&clause);
        }
    }

    /// What the variables hold after a step.
    fn next_vars(&mut self, now: usize) -> Result<FxHashMap<VarId, Word>, Refused> {
        let mut writes: BTreeMap<VarId, Vec<(Lit, Word)>> = BTreeMap::new();
        for (at, action) in self.system.actions().iter().enumerate() {
            let fired = self.frames[now].fired[at];
            if fired == Lit::FALSE {
                continue;
            }
            for &(var, value) in &action.updates {
                let (when, value) =
                    change(&mut self.blaster, &self.system.terms, fired, (var, value))?;
                if when == Lit::FALSE {
                    continue;
                }
                let word = self.blaster.word(&self.system.terms, value)?;
                let known = writes.entry(var).or_default();
                match known.iter_mut().find(|(_, other)| *other == word) {
                    Some((other, _)) => *other = self.blaster.gates.or(*other, when),
                    None => known.push((when, word)),
                }
            }
        }
        let mut vars = self.frames[now].vars.clone();
        for (var, writes) in writes {
            let after = self.blaster.gates.select_word(&writes, &vars[&var]);
            vars.insert(var, after);
        }
        Ok(vars)
    }

    fn next_locations(&mut self, now: usize) -> Vec<FxHashMap<LocId, Lit>> {
        let frame = &self.frames[now];
        let gates = &mut self.blaster.gates;
        let mut next: Vec<FxHashMap<LocId, Lit>> = Vec::new();
        for (at, &sel) in frame.at.iter().zip(&frame.sel) {
            let mut locs: Vec<(LocId, Lit)> = at.iter().map(|(&loc, &lit)| (loc, lit)).collect();
            locs.sort_unstable();
            let stays = locs
                .into_iter()
                .map(|(loc, lit)| (loc, gates.and(lit, !sel)));
            next.push(stays.filter(|&(_, lit)| lit != Lit::FALSE).collect());
        }
        let mut arrive = |thread: ThreadId, loc: LocId, lit: Lit| {
            let known = next[thread].get(&loc).copied().unwrap_or(Lit::FALSE);
            next[thread].insert(loc, gates.or(known, lit));
        };
        for (at, action) in self.system.actions().iter().enumerate() {
            let fired = frame.fired[at];
            if fired == Lit::FALSE {
                continue;
            }
            if !action.ends {
                arrive(action.thread, action.target, fired);
            }
            for &child in &action.starts {
                arrive(child, self.system.program.threads[child].init, fired);
            }
        }
        next
    }

    // Questions.

    /// Is there an execution of at most this many steps to an error of this kind?
    pub fn reaches(&mut self, kind: ErrorKind, budget: &Budget) -> Satisfiability {
        let lit = self.error(kind);
        self.ask(lit, budget)
    }

    /// An error of this kind is reached.
    pub fn error(&mut self, kind: ErrorKind) -> Lit {
        // No thread moves on from an error, so it is still there in the last state.
        let last = self.frames.last().expect("there is always a state");
        let at = last.at.clone();
        self.somewhere(&at, |system, loc| system.is_error(loc, kind))
    }

    /// Is there an execution with all of these steps and one more?
    pub fn goes_on(&mut self, budget: &Budget) -> Satisfiability {
        let lit = self.further();
        self.ask(lit, budget)
    }

    /// All of these steps are taken, and one more is possible.
    pub fn further(&mut self) -> Lit {
        let last = self.frames.last().expect("there is always a state");
        let mut lit = self.blaster.gates.or_all(last.enabled.iter().copied());
        if let Some(idle) = self.frames.iter().rev().nth(1).and_then(|frame| frame.idle) {
            lit = self.blaster.gates.and(lit, !idle);
        }
        lit
    }

    fn ask(&mut self, lit: Lit, budget: &Budget) -> Satisfiability {
        match lit {
            Lit::FALSE => Satisfiability::Unsatisfiable,
            lit => self.blaster.gates.sat.solve(&[lit], budget),
        }
    }

    /// The execution that was found.
    pub fn execution(&mut self) -> Vec<Taken> {
        let sat = &mut self.blaster.gates.sat;
        let mut taken = Vec::new();
        for frame in &self.frames {
            let fired = frame.fired.iter().position(|&lit| sat.is_true(lit));
            let Some(action) = fired else { break };
            let mut values = FxHashMap::default();
            for (&var, word) in frame.vars.iter().chain(&frame.inputs) {
                let bits = word.iter().enumerate();
                let value = bits.map(|(at, &lit)| u64::from(sat.is_true(lit)) << at);
                values.insert(var, value.sum());
            }
            taken.push(Taken {
                action,
                values: Values(values),
            });
        }
        taken
    }

    /// All executions that end within the steps so far, as the transitions that they take. Those
    /// that differ in nothing but inputs count once.
    pub fn executions(&mut self, budget: &Budget) -> Option<Vec<Vec<usize>>> {
        let mut ends = Lit::TRUE;
        for frame in &self.frames {
            let gates = &mut self.blaster.gates;
            let moves = gates.or_all(frame.enabled.iter().copied());
            let idle = frame.idle.unwrap_or(Lit::TRUE);
            let stuck = gates.or(!idle, !moves);
            ends = gates.and(ends, stuck);
        }
        let mut found = Vec::new();
        loop {
            match self.ask(ends, budget) {
                Satisfiability::Unsatisfiable => return Some(found),
                Satisfiability::Stopped(_) => return None,
                Satisfiability::Satisfiable => {}
            }
            let path: Vec<usize> = self.execution().iter().map(|taken| taken.action).collect();
            let mut clause = Vec::new();
            for (at, frame) in self.frames.iter().enumerate().take(self.frames.len() - 1) {
                clause.push(match path.get(at) {
                    Some(&action) => !frame.fired[action],
                    None => frame.idle.map_or(Lit::FALSE, |idle| !idle),
                });
            }
            self.blaster.gates.sat.clause(&clause);
            found.push(path);
        }
    }
}
