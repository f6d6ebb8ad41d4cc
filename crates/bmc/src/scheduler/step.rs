//! One step of the transition relation (sections 3.1, 3.2 and 4 of the paper).
//!
//! In every step one thread is selected, or none from some step on. The reduction adds, for two
//! transitions that are independent where both can happen, that the one of the larger thread is not
//! followed at once by the one of the smaller thread.

use super::Formula;
use super::system::ThreadId;
use super::updates::change;
use expr::VarId;
use rustc_hash::FxHashMap;
use sat::Lit;
use sat::blast::{Refused, Word};
use std::collections::BTreeMap;
use xcfa::LocId;

impl Formula {
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
                arrive(child, self.system.init(child), fired);
            }
        }
        next
    }
}
