//! RuleSafety (Figure 2 of paper 2) as a system of Horn clauses.
//!
//! `IR` is one unknown formula for each situation of each set of threads, `LStep` one for each
//! place inside of a block that a thread can be at, together with where the block began; `IStep`
//! is not a formula of its own: clauses S4 and S5 are put into S6. With one set of all threads,
//! clauses S6 disappear; without blocks, LStep does, and what is left is the rule of Owicki and
//! Gries.

use crate::control::{Control, Place, Situation, Who};
use crate::steps::Step;
use crate::variables::{Member, Variables};
use expr::{Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use smt::horn::{Application, HornSystem, PredId, Rule};
use xcfa::{ErrorKind, LocId};

/// What the clauses were made of.
pub struct Safety {
    /// The clauses.
    pub system: HornSystem,
    /// By clause: the step that it is about, if it is one of a member of its set.
    pub steps: Vec<Option<usize>>,
    /// The invariants: where each situation is meant, and its predicate.
    pub invariants: Vec<(Situation, PredId)>,
}

/// Too many clauses are given up.
const MOST_CLAUSES: usize = 30_000;

/// Builds the clauses.
pub struct Builder<'t, 'c, 'a> {
    control: Control<'c>,
    terms: &'t mut Terms,
    variables: Variables<'a>,
    target: ErrorKind,
    safety: Safety,
    predicates: FxHashMap<Situation, PredId>,
    here: FxHashMap<(usize, Member, LocId), PredId>,
    blocks: FxHashMap<(usize, LocId, LocId), PredId>,
    middle: FxHashMap<VarId, Term>,
}

/// Values of variables between which a step leads, as terms.
struct Values {
    guard: Term,
    globals: Vec<Term>,
}

impl<'t, 'c, 'a> Builder<'t, 'c, 'a> {
    /// Nothing built yet.
    pub fn new(
        control: Control<'c>,
        terms: &'t mut Terms,
        variables: Variables<'a>,
        target: ErrorKind,
    ) -> Builder<'t, 'c, 'a> {
        Builder {
            control,
            terms,
            variables,
            target,
            safety: Safety {
                system: HornSystem::new(),
                steps: Vec::new(),
                invariants: Vec::new(),
            },
            predicates: FxHashMap::default(),
            here: FxHashMap::default(),
            blocks: FxHashMap::default(),
            middle: FxHashMap::default(),
        }
    }

    /// The clauses, and the variables that they speak about; why not, if there are too many.
    pub fn build(mut self) -> Result<(Safety, Variables<'a>), String> {
        let situations = self.control.situations();
        let situations = situations.ok_or("there are too many combinations of locations")?;
        self.declare(&situations);
        self.summaries()?;
        for (set, places) in &situations {
            if *places == self.control.initial(*set) {
                self.initial(*set, places);
            }
            self.leave(*set, places);
            if self.safety.system.rules().len() > MOST_CLAUSES {
                return Err("there are too many clauses".into());
            }
        }
        self.errors(&situations);
        Ok((self.safety, self.variables))
    }

    fn declare(&mut self, situations: &[Situation]) {
        for (set, places) in situations {
            let members = self.control.sets[*set].clone();
            let params = self.state(&members, places);
            let name = self.name(&members, places);
            let pred = self.safety.system.predicate(&name, params);
            let situation = (*set, places.clone());
            self.predicates.insert(situation.clone(), pred);
            self.safety.invariants.push((situation, pred));
        }
    }

    fn name(&self, members: &[Member], places: &[Place]) -> String {
        let both = members.iter().zip(places);
        let parts = both.map(|(member, place)| {
            let name = &self.control.program.threads[member.thread].name;
            match place {
                None => format!("no_{name}"),
                Some(loc) => format!("{name}{}_{}", member.copy, loc.0),
            }
        });
        parts.collect::<Vec<_>>().join("_")
    }

    /// The globals and the locals of those who are somewhere, as variables.
    fn state(&mut self, members: &[Member], places: &[Place]) -> Vec<Term> {
        let mut state = Vec::new();
        for var in self.variables.globals() {
            state.push(
                self.variables
                    .term(self.terms, var, Member { thread: 0, copy: 0 }),
            );
        }
        for (&member, place) in members.iter().zip(places) {
            let Some(loc) = *place else { continue };
            for var in self.variables.locals(member.thread, loc) {
                state.push(self.variables.term(self.terms, var, member));
            }
        }
        state
    }

    fn add(&mut self, rule: Rule, step: Option<usize>) {
        if self.terms.as_const(rule.constraint) == Some(0) {
            return;
        }
        self.safety.system.rule(rule);
        self.safety.steps.push(step);
    }

    /// What a variable starts with.
    fn first(&mut self, var: VarId) -> Term {
        let about = &self.control.program.vars[var.0 as usize];
        let (sort, init) = (about.sort, about.init);
        match init {
            Some(init) => self.terms.constant(sort, init),
            None => self.variables.fresh(self.terms, sort),
        }
    }

    /// S1.
    fn initial(&mut self, set: usize, places: &[Place]) {
        let mut args = Vec::new();
        for var in self.variables.globals() {
            args.push(self.first(var));
        }
        for (at, place) in places.iter().enumerate() {
            let Some(loc) = *place else { continue };
            for var in self
                .variables
                .locals(self.control.sets[set][at].thread, loc)
            {
                args.push(self.first(var));
            }
        }
        let pred = self.predicates[&(set, places.to_vec())];
        let head = Some(Application { pred, args });
        let constraint = self.terms.bool(true);
        let body = Vec::new();
        self.add(
            Rule {
                body,
                constraint,
                head,
            },
            None,
        );
    }

    /// S2 to S6: everything that can happen in a situation.
    fn leave(&mut self, set: usize, places: &[Place]) {
        let members = self.control.sets[set].clone();
        let steps = self.control.steps;
        for next in self.control.moves(set, places) {
            let step = &steps.steps[next.step];
            let Some(&pred) = self.predicates.get(&(set, next.after.clone())) else {
                continue;
            };
            let here = self.apply(set, &members, places);
            match next.who {
                Who::Inside(at) => {
                    let values = self.values(step, members[at]);
                    let args = self.after(
                        &members,
                        places,
                        &next.after,
                        Some(at),
                        step,
                        members[at],
                        &values,
                    );
                    let head = Some(Application { pred, args });
                    let body = vec![here];
                    let constraint = values.guard;
                    self.add(
                        Rule {
                            body,
                            constraint,
                            head,
                        },
                        Some(next.step),
                    );
                }
                Who::Outside(other) if self.matters(step, places, &next.after) => {
                    let began = match self.control.blocks.is_inside(step.source) {
                        false => vec![step.source],
                        true => self.beginnings(step.thread, step.source),
                    };
                    for start in began {
                        let Some(mut body) = self.together(set, &members, places, other, start)
                        else {
                            continue;
                        };
                        body.push(here.clone());
                        let mut values = self.values(step, other);
                        if start != step.source {
                            body.push(self.summary(step.thread, start, step.source, other));
                            values = self.in_the_middle(values);
                        }
                        let args =
                            self.after(&members, places, &next.after, None, step, other, &values);
                        let head = Some(Application { pred, args });
                        let constraint = values.guard;
                        self.add(
                            Rule {
                                body,
                                constraint,
                                head,
                            },
                            None,
                        );
                    }
                }
                Who::Outside(_) => {}
            }
        }
    }

    /// Can the members notice the step?
    fn matters(&self, step: &Step, before: &[Place], after: &[Place]) -> bool {
        let globals = self.variables.globals();
        before != after
            || self.control.blocks.is_inside(step.source)
            || globals.iter().any(|var| step.updates.contains_key(var))
    }

    /// The invariants of the sets in which `other` stands for a member; nothing if it cannot be
    /// at `loc` together with the members.
    fn together(
        &mut self,
        set: usize,
        members: &[Member],
        places: &[Place],
        other: Member,
        loc: LocId,
    ) -> Option<Vec<Application>> {
        let _ = set;
        let mut body = Vec::new();
        for left_out in 0..members.len() {
            let mut cast: Vec<(Member, Place)> = Vec::new();
            for (at, &member) in members.iter().enumerate() {
                if at != left_out {
                    cast.push((member, places[at]));
                }
            }
            cast.push((other, Some(loc)));
            cast.sort_by_key(|(member, _)| *member);
            let threads: Vec<usize> = cast.iter().map(|(member, _)| member.thread).collect();
            let mut sets = self.control.sets.iter();
            let set =
                sets.position(|set| set.iter().map(|m| m.thread).eq(threads.iter().copied()))?;
            let (members, places): (Vec<Member>, Vec<Place>) = cast.into_iter().unzip();
            if !self.predicates.contains_key(&(set, places.clone())) {
                return None;
            }
            body.push(self.apply(set, &members, &places));
        }
        Some(body)
    }

    fn apply(&mut self, set: usize, members: &[Member], places: &[Place]) -> Application {
        Application {
            pred: self.predicates[&(set, places.to_vec())],
            args: self.state(members, places),
        }
    }

    /// The condition of a step and the globals after it, as the actor means it.
    fn values(&mut self, step: &Step, actor: Member) -> Values {
        let guard = self.variables.renamed(self.terms, step.guard, actor);
        let globals = self.variables.globals();
        let globals = globals.into_iter().map(|var| self.value(step, var, actor));
        let globals = globals.collect();
        Values { guard, globals }
    }

    fn value(&mut self, step: &Step, var: VarId, actor: Member) -> Term {
        let value = step.value(self.control.program, self.terms, var);
        self.variables.renamed(self.terms, value, actor)
    }

    /// The state after a step: of the actor, of those who are started by it, and of the others.
    #[allow(
        clippy::too_many_arguments,
        reason = "all of it is one step, seen from one set"
    )]
    fn after(
        &mut self,
        members: &[Member],
        before: &[Place],
        after: &[Place],
        acting: Option<usize>,
        step: &Step,
        actor: Member,
        values: &Values,
    ) -> Vec<Term> {
        let mut state = values.globals.clone();
        for (at, &member) in members.iter().enumerate() {
            let Some(loc) = after[at] else { continue };
            for var in self.variables.locals(member.thread, loc) {
                let value = if before[at].is_none() {
                    match step.updates.contains_key(&var) {
                        true => self.value(step, var, actor),
                        false => self.first(var),
                    }
                } else if acting == Some(at) {
                    self.value(step, var, actor)
                } else {
                    self.variables.term(self.terms, var, member)
                };
                state.push(value);
            }
        }
        state
    }

    /// S7: no error step can be done, as far as all invariants about its thread know.
    fn errors(&mut self, situations: &[Situation]) {
        let steps = self.control.steps;
        for (number, step) in steps.steps.iter().enumerate() {
            if self.control.program.error(step.target) != Some(self.target) {
                continue;
            }
            let actor = Member {
                thread: step.thread,
                copy: 0,
            };
            let mut body = Vec::new();
            for set in 0..self.control.sets.len() {
                let members = self.control.sets[set].clone();
                let Some(at) = members.iter().position(|&member| member == actor) else {
                    continue;
                };
                match self.projection(situations, set, at, step.source) {
                    Some(here) => body.push(here),
                    None => {
                        body.clear();
                        break;
                    }
                }
            }
            if body.is_empty() {
                continue;
            }
            let constraint = self.variables.renamed(self.terms, step.guard, actor);
            let head = None;
            self.add(
                Rule {
                    body,
                    constraint,
                    head,
                },
                Some(number),
            );
        }
    }

    /// What a set knows about one of its members at a location, whatever the others are doing;
    /// nothing if the member cannot be there.
    fn projection(
        &mut self,
        situations: &[Situation],
        set: usize,
        at: usize,
        loc: LocId,
    ) -> Option<Application> {
        let members = self.control.sets[set].clone();
        let actor = members[at];
        let args = self.state(&[actor], &[Some(loc)]);
        let may_act = |control: &Control<'_>, places: &[Place]| {
            places[at] == Some(loc) && control.busy(places).is_none_or(|busy| busy == at)
        };
        let fitting = situations.iter().filter(|(of, _)| *of == set);
        let fitting: Vec<&Situation> = fitting.filter(|(_, p)| may_act(&self.control, p)).collect();
        if fitting.is_empty() {
            return None;
        }
        if members.len() == 1 {
            return Some(self.apply(set, &members, &[Some(loc)]));
        }
        let key = (set, actor, loc);
        if let Some(&pred) = self.here.get(&key) {
            return Some(Application { pred, args });
        }
        let name = format!("seen_{}", self.name(&[actor], &[Some(loc)]));
        let pred = self.safety.system.predicate(&name, args.clone());
        self.here.insert(key, pred);
        for (_, places) in fitting {
            let body = vec![self.apply(set, &members, places)];
            let head = Some(Application {
                pred,
                args: args.clone(),
            });
            let constraint = self.terms.bool(true);
            self.add(
                Rule {
                    body,
                    constraint,
                    head,
                },
                None,
            );
        }
        Some(Application { pred, args })
    }
}

/// Summaries of blocks that have places inside: LStep, with clauses S2 and S3.
impl Builder<'_, '_, '_> {
    /// Where a block can have begun if its thread is at a place inside.
    fn beginnings(&self, thread: usize, loc: LocId) -> Vec<LocId> {
        let keys = self.blocks.keys();
        let mut found: Vec<LocId> = keys
            .filter(|(of, _, at)| (*of, *at) == (thread, loc))
            .map(|&(_, start, _)| start)
            .collect();
        found.sort_unstable();
        found
    }

    fn summaries(&mut self) -> Result<(), String> {
        if self.control.sets.len() == 1
            && self.control.sets[0].len() == self.control.program.threads.len()
        {
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
        let params = self.summary_args(thread, start, loc, member);
        let name = format!(
            "block_{}_{}_{}",
            self.control.program.threads[thread].name, start.0, loc.0
        );
        let pred = self.safety.system.predicate(&name, params);
        self.blocks.insert((thread, start, loc), pred);
        work.push((thread, start, loc));
    }

    /// The state at the beginning of the block, then the state in the middle of it.
    fn summary_args(&mut self, _: usize, start: LocId, loc: LocId, member: Member) -> Vec<Term> {
        let mut args = self.state(&[member], &[Some(start)]);
        for term in self.state(&[member], &[Some(loc)]) {
            args.push(self.middle(term));
        }
        args
    }

    fn summary(&mut self, thread: usize, start: LocId, loc: LocId, member: Member) -> Application {
        Application {
            pred: self.blocks[&(thread, start, loc)],
            args: self.summary_args(thread, start, loc, member),
        }
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

    fn in_the_middle(&mut self, values: Values) -> Values {
        Values {
            guard: self.moved(values.guard),
            globals: values
                .globals
                .into_iter()
                .map(|value| self.moved(value))
                .collect(),
        }
    }

    /// The state of a thread after a step of it.
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
        self.add(
            Rule {
                body: Vec::new(),
                constraint,
                head,
            },
            None,
        );
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
        self.add(
            Rule {
                body,
                constraint,
                head,
            },
            None,
        );
    }
}
