//! What a thread can do from a place: one action, or all of an atomic section up to the next place
//! that the evidence mentions.

use abstraction::{ActionId, Program};
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;
use verdict::{Objection, Reason};
use xcfa::LocId;

/// More ways than this out of one place are not followed.
const MOST_WAYS: usize = 2000;

/// Actions of one thread that others do not interrupt.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where it leads.
    pub target: LocId,
    /// When it can be done.
    pub guard: Term,
    /// What changes, in terms of what was before.
    pub updates: FxHashMap<VarId, Term>,
    /// The threads that it starts.
    pub starts: Vec<usize>,
}

/// All steps of a program.
#[derive(Debug)]
pub struct Steps {
    /// By location at which a thread can be seen: the steps out of it.
    from: Vec<Vec<Step>>,
    /// The same: beginnings of steps that end inside an atomic section, which no thread observes.
    inside: Vec<Vec<Step>>,
    /// By location: is it inside an atomic section?
    section: Vec<bool>,
    /// By location: is a thread there that has ended?
    ended: Vec<bool>,
}

impl Steps {
    /// Makes the steps between the places that the evidence mentions, all places outside of atomic
    /// sections, and the heads of loops.
    pub fn of(
        program: &Program,
        terms: &mut Terms,
        claimed: impl Iterator<Item = LocId>,
    ) -> Result<Steps, Objection> {
        let section = sections(program)?;
        let mut stops: Vec<bool> = section.iter().map(|&inside| !inside).collect();
        let mut ended = vec![false; section.len()];
        for loc in claimed {
            stops[loc.0 as usize] = true;
        }
        for (at, stop) in stops.iter_mut().enumerate() {
            let loc = LocId(at as u32);
            *stop |= program.error(loc).is_some() || program.out(loc).is_empty();
        }
        for action in &program.actions {
            stops[action.target.0 as usize] |= action.backward;
            ended[action.target.0 as usize] |= action.ends;
        }
        let mut steps = Steps {
            from: vec![Vec::new(); section.len()],
            inside: vec![Vec::new(); section.len()],
            section,
            ended,
        };
        for at in (0..stops.len()).filter(|&at| stops[at]) {
            steps.leave(program, terms, &stops, at)?;
        }
        Ok(steps)
    }

    fn leave(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        stops: &[bool],
        at: usize,
    ) -> Result<(), Objection> {
        let loc = LocId(at as u32);
        if program.error(loc).is_some() {
            return Ok(());
        }
        let mut open = vec![Step {
            target: loc,
            guard: terms.bool(true),
            updates: FxHashMap::default(),
            starts: Vec::new(),
        }];
        while let Some(step) = open.pop() {
            for &id in program.out(step.target) {
                let Some(longer) = step.clone().then(program, terms, id) else {
                    continue;
                };
                match stops[longer.target.0 as usize] {
                    true => self.from[at].push(longer),
                    false => {
                        self.inside[at].push(longer.clone());
                        open.push(longer);
                    }
                }
                if self.from[at].len() + self.inside[at].len() > MOST_WAYS {
                    let what = "an atomic section has too many paths";
                    return Err(Reason::unsupported(what).into());
                }
            }
        }
        Ok(())
    }

    /// The steps out of a place.
    pub fn out(&self, loc: LocId) -> &[Step] {
        &self.from[loc.0 as usize]
    }

    /// The beginnings of steps out of a place that end inside an atomic section.
    pub fn inside(&self, loc: LocId) -> &[Step] {
        &self.inside[loc.0 as usize]
    }

    /// Is the place inside an atomic section?
    pub fn is_in_section(&self, loc: LocId) -> bool {
        self.section[loc.0 as usize]
    }

    /// Is a thread there that has ended?
    pub fn has_ended(&self, loc: LocId) -> bool {
        self.ended[loc.0 as usize]
    }
}

impl Step {
    /// Goes on with an action; nothing if that is impossible.
    fn then(mut self, program: &Program, terms: &mut Terms, id: ActionId) -> Option<Step> {
        let action = &program[id];
        let guard = terms.substitute(action.guard, &self.updates);
        self.guard = terms.and(self.guard, guard);
        if terms.as_const(self.guard) == Some(0) {
            return None;
        }
        let updates = action.updates.iter();
        let new: Vec<(VarId, Term)> = updates
            .map(|&(var, value)| (var, terms.substitute(value, &self.updates)))
            .collect();
        self.updates.extend(new);
        self.starts.extend(&action.starts);
        self.target = action.target;
        Some(self)
    }
}

/// By location: is it inside an atomic section? Places that no path leads to are not.
pub(crate) fn sections(program: &Program) -> Result<Vec<bool>, Objection> {
    let mut depth: Vec<Option<i32>> = vec![None; program.locations()];
    let mut open: Vec<LocId> = program.threads.iter().map(|thread| thread.init).collect();
    for init in &open {
        depth[init.0 as usize] = Some(0);
    }
    while let Some(loc) = open.pop() {
        let here = depth[loc.0 as usize].unwrap_or(0);
        for &id in program.out(loc) {
            let action = &program[id];
            let there = action.depth_after(here);
            match depth[action.target.0 as usize] {
                Some(known) if known == there => {}
                // Nothing happens at an error any more.
                Some(_) if program.error(action.target).is_some() => {}
                Some(_) => {
                    let what = "an atomic section that is left on one path only";
                    return Err(Reason::unsupported(what).into());
                }
                None => {
                    depth[action.target.0 as usize] = Some(there);
                    open.push(action.target);
                }
            }
        }
    }
    let inside = |depth: Option<i32>| depth.is_some_and(|depth| depth > 0);
    Ok(depth.into_iter().map(inside).collect())
}
