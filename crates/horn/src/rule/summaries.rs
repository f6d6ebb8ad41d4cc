//! Summaries of blocks that have places inside: LStep, with clauses S2 and S3.

use super::{Builder, Values};
use crate::sets::whole;
use crate::steps::Step;
use crate::variables::Member;
use expr::{Sort, Term};
use rustc_hash::FxHashMap;
use smt::horn::{Application, Rule};
use xcfa::LocId;

impl Builder<'_, '_, '_> {
    /// Where a block can have begun if its thread is at a place inside.
    pub(super) fn beginnings(&self, thread: usize, loc: LocId) -> Vec<LocId> {
        let keys = self.blocks.keys();
        let mut found: Vec<LocId> = keys
            .filter(|(of, _, at)| (*of, *at) == (thread, loc))
            .map(|&(_, start, _)| start)
            .collect();
        found.sort_unstable();
        found
    }

    pub(super) fn summaries(&mut self) -> Result<(), String> {
        // Without an environment summaries of blocks are not needed.
        if whole(self.control.program) == Some(self.control.sets[0].len()) {
            return Ok(());
        }
        let steps = self.control.steps;
        let inside = |loc: LocId| self.control.blocks.is_inside(loc);
        let within: Vec<usize> = (0..steps.steps.len())
            .filter(|&number| {
                inside(steps.steps[number].target) || inside(steps.steps[number].source)
            })
            .filter(|&number| {
                self.control
                    .program
                    .error(steps.steps[number].target)
                    .is_none()
            })
            .collect();
        if within
            .iter()
            .any(|&number| !steps.steps[number].starts.is_empty())
        {
            return Err("a thread is started inside of a block with a loop".into());
        }
        let mut work = Vec::new();
        for &number in &within {
            let step = &steps.steps[number];
            if !self.control.blocks.is_inside(step.source) {
                self.declare_summary(step.thread, step.source, step.target, &mut work);
                self.begin(step);
            }
        }
        while let Some((thread, start, loc)) = work.pop() {
            for &number in &within {
                let step = &steps.steps[number];
                let goes_on = step.thread == thread && step.source == loc;
                if goes_on && self.control.blocks.is_inside(step.target) {
                    self.declare_summary(thread, start, step.target, &mut work);
                    self.go_on(step, start);
                }
            }
        }
        Ok(())
    }

    fn declare_summary(
        &mut self,
        thread: usize,
        start: LocId,
        loc: LocId,
        work: &mut Vec<(usize, LocId, LocId)>,
    ) {
        if self.blocks.contains_key(&(thread, start, loc)) {
            return;
        }
        let member = Member { thread, copy: 0 };
        let params = self.summary_args(start, loc, member);
        let name = format!(
            "block_{}_{}_{}",
            self.control.program.threads[thread].name, start.0, loc.0
        );
        let pred = self.safety.system.predicate(&name, params);
        self.blocks.insert((thread, start, loc), pred);
        work.push((thread, start, loc));
    }

    /// The state at the beginning of the block, then the state in the middle of it.
    fn summary_args(&mut self, start: LocId, loc: LocId, member: Member) -> Vec<Term> {
        let mut args = self.state(&[member], &[Some(start)]);
        for term in self.state(&[member], &[Some(loc)]) {
            args.push(self.middle(term));
        }
        args
    }

    pub(super) fn summary(
        &mut self,
        thread: usize,
        start: LocId,
        loc: LocId,
        member: Member,
    ) -> Application {
        Application::new(
            self.blocks[&(thread, start, loc)],
            self.summary_args(start, loc, member),
        )
    }

    /// A variable as it is in the middle of a block.
    fn middle(&mut self, term: Term) -> Term {
        let Some(var) = self.terms.as_var(term) else {
            return term;
        };
        if let Some(&known) = self.middle.get(&var) {
            return known;
        }
        let sort: Sort = self.terms.sort(term);
        let new = self.variables.fresh(self.terms, sort);
        self.middle.insert(var, new);
        new
    }

    fn moved(&mut self, term: Term) -> Term {
        let mut with = FxHashMap::default();
        for var in self.terms.vars(term) {
            // Inputs and the like are no part of the state, so they need no second name.
            if let Some(&middle) = self.middle.get(&var) {
                with.insert(var, middle);
            }
        }
        self.terms.substitute(term, &with)
    }

    pub(super) fn in_the_middle(&mut self, values: Values) -> Values {
        Values {
            guard: self.moved(values.guard),
            globals: values
                .globals
                .into_iter()
                .map(|value| self.moved(value))
                .collect(),
        }
    }

    fn state_after(&mut self, step: &Step, member: Member) -> Vec<Term> {
        let mut state = Vec::new();
        for var in self.variables.globals() {
            state.push(self.value(step, var, member));
        }
        for var in self.variables.locals(member.thread, step.target) {
            state.push(self.value(step, var, member));
        }
        state
    }

    /// S2.
    fn begin(&mut self, step: &Step) {
        let member = Member {
            thread: step.thread,
            copy: 0,
        };
        let mut args = self.state(&[member], &[Some(step.source)]);
        args.extend(self.state_after(step, member));
        let pred = self.blocks[&(step.thread, step.source, step.target)];
        let constraint = self.variables.renamed(self.terms, step.guard, member);
        let head = Some(Application { pred, args });
        self.add(Rule::new(Vec::new(), constraint, head), None);
    }

    /// S3.
    fn go_on(&mut self, step: &Step, start: LocId) {
        let member = Member {
            thread: step.thread,
            copy: 0,
        };
        let body = vec![self.summary(step.thread, start, step.source, member)];
        let mut args = self.state(&[member], &[Some(start)]);
        for value in self.state_after(step, member) {
            let value = self.moved(value);
            args.push(value);
        }
        let pred = self.blocks[&(step.thread, start, step.target)];
        let guard = self.variables.renamed(self.terms, step.guard, member);
        let constraint = self.moved(guard);
        let head = Some(Application { pred, args });
        self.add(Rule::new(body, constraint, head), None);
    }
}
