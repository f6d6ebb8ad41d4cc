//! The formula: the states of an execution, and what is possible in each of them.
//!
//! `step.rs` adds the step from one state to the next, `question.rs` asks about all executions.

use super::blocks::{Blocks, Pair, choices};
use super::independence::Independence;
use super::system::System;
use expr::VarId;
use rustc_hash::FxHashMap;
use sat::Lit;
use sat::blast::{Blaster, Refused, Word};
use std::path::Path;
use verdict::{Budget, Reason};
use xcfa::LocId;

/// A step: the state before it, and what happens in it.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) vars: FxHashMap<VarId, Word>,
    /// What the environment chooses in this step, and in the next one.
    pub(super) inputs: FxHashMap<VarId, Word>,
    pub(super) later: FxHashMap<VarId, Word>,
    /// By thread and location: is the thread there? Absent means no.
    pub(super) at: Vec<FxHashMap<LocId, Lit>>,
    /// By thread: is it selected?
    pub(super) sel: Vec<Lit>,
    /// Is no thread selected?
    pub(super) idle: Option<Lit>,
    /// By transition: can it happen, and does it?
    pub(super) enabled: Vec<Lit>,
    pub(super) fired: Vec<Lit>,
    /// By pair of transitions: are they independent here?
    pub(super) independent: Vec<((usize, usize), Lit)>,
    /// By threads: are both where their transitions are independent, whichever they take?
    pub(super) commuting: Vec<(Pair, Lit)>,
}

/// The formula so far.
pub struct Formula {
    /// The system that it unrolls.
    pub system: System,
    relation: Independence,
    pub(super) blocks: Blocks,
    pub(super) blaster: Blaster,
    pub(super) frames: Vec<Frame>,
    /// By transition: is it one of several of its thread that can be possible at once?
    pub(super) choices: Vec<bool>,
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
        let init = formula.system.init(0);
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
        at[0].insert(init, Lit::TRUE);
        let inputs = formula.new_inputs();
        formula.open(vars, at, inputs)?;
        Ok(formula)
    }

    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.frames.len() - 1
    }

    /// Adds steps until there are this many.
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
    pub(super) fn open(
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
        let over = self.somewhere(at, |system, loc| system.error(loc).is_some());
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
    pub(super) fn somewhere(
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
}
