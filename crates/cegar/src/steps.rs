//! A path of the graph, with every thread a thread of its own.
//!
//! Threads of a template share its variables in the graph. On a path each of them gets variables
//! of its own, so that the path can be executed symbolically and in the machine.

use crate::arg::{Arg, Node, NodeId};
use abstraction::{Action, ActionId, Actor, Member, Program, StateVar};
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::rc::Rc;
use xcfa::LocId;

/// Threads of a template with larger numbers are ghosts.
const FIRST_GHOST: u32 = 1 << 30;

/// The steps of a path.
pub struct Steps<'a> {
    /// Those of the program, then those of further threads of templates.
    pub vars: Cow<'a, [StateVar]>,
    pub actions: Vec<Cow<'a, Action>>,
    /// By step: what is done.
    pub ids: Vec<ActionId>,
    /// By step: the thread that takes it.
    pub actors: Vec<Actor>,
    /// By step: the threads that it starts.
    pub started: Vec<Vec<Actor>>,
    /// Where threads move of which there are none on this path, because they were counted as some
    /// of any number. Nothing is known about their variables.
    pub ghosts: Vec<LocId>,
    program: &'a Program,
    /// Variables of further threads: which variable of the template it is, and whose.
    copies: FxHashMap<VarId, (VarId, u32)>,
}

impl<'a> Steps<'a> {
    /// The steps that lead to a node.
    pub fn to(program: &'a Program, terms: &mut Terms, arg: &Arg, node: NodeId) -> Steps<'a> {
        let (nodes, ids) = arg.path(node);
        let mut steps = Steps {
            vars: Cow::Borrowed(&program.vars),
            actions: Vec::new(),
            actors: Vec::new(),
            started: Vec::new(),
            ids,
            ghosts: Vec::new(),
            program,
            copies: FxHashMap::default(),
        };
        let mut cast = Cast::default();
        for at in 0..steps.ids.len() {
            let action = &program[steps.ids[at]];
            let (before, after) = (arg.node(nodes[at]), arg.node(nodes[at + 1]));
            let actor = match program.threads[action.thread].many {
                true => cast.take(before, after).unwrap_or_else(|| {
                    steps.ghosts.push(action.source);
                    (action.thread, FIRST_GHOST + steps.ghosts.len() as u32)
                }),
                false => (action.thread, 0),
            };
            let started = cast.step(program, action, actor, before, after);
            let new = started.first().copied();
            let action = match program.has_templates() {
                true => Cow::Owned(steps.renamed(terms, action, actor, new)),
                false => Cow::Borrowed(action),
            };
            steps.actions.push(action);
            steps.actors.push(actor);
            steps.started.push(started);
        }
        steps
    }

    /// The action over the variables of the threads that take part in it.
    fn renamed(
        &mut self,
        terms: &mut Terms,
        action: &Action,
        actor: Actor,
        new: Option<Actor>,
    ) -> Action {
        let mut renamed = action.clone();
        renamed.guard = self.rename(terms, action.guard, actor);
        for (_, value) in &mut renamed.chosen {
            *value = self.rename(terms, *value, actor);
        }
        for (var, value) in &mut renamed.updates {
            *value = self.rename(terms, *value, actor);
            for whose in [Some(actor), new].into_iter().flatten() {
                if self.program.template(*var) == Some(whose.0) {
                    *var = self.copy(*var, whose.1);
                    break;
                }
            }
        }
        renamed
    }

    fn rename(&mut self, terms: &mut Terms, term: Term, (thread, number): Actor) -> Term {
        let mut with = FxHashMap::default();
        for var in terms.vars(term) {
            let about = &self.vars[var.0 as usize];
            if !about.input && self.program.template(var) == Some(thread) {
                let sort = about.sort;
                let copy = self.copy(var, number);
                with.insert(var, terms.var(copy, sort));
            }
        }
        terms.substitute(term, &with)
    }

    /// The first thread of a template has the variables of the template.
    fn copy(&mut self, var: VarId, number: u32) -> VarId {
        if number == 0 {
            return var;
        }
        let known = self.copies.iter().find(|(_, of)| **of == (var, number));
        if let Some((&copy, _)) = known {
            return copy;
        }
        let copy = VarId(self.vars.len() as u32);
        let mut about = self.vars[var.0 as usize].clone();
        about.init = about.init.filter(|_| number < FIRST_GHOST);
        self.vars.to_mut().push(about);
        self.copies.insert(copy, (var, number));
        copy
    }

    /// The variable of the program that one of the path is.
    pub fn original(&self, var: VarId) -> VarId {
        self.copies.get(&var).map_or(var, |&(original, _)| original)
    }

    /// A formula over variables of the path as one over variables of the program; nothing if it
    /// compares variables of different threads of templates, which no abstraction here can say.
    pub fn generalised(&self, terms: &mut Terms, formula: Term) -> Option<Term> {
        let mut whose = None;
        let mut with = FxHashMap::default();
        for var in terms.vars(formula) {
            let (original, number) = self.copies.get(&var).copied().unwrap_or((var, 0));
            if let Some(template) = self.program.template(original) {
                let actor = (template, number);
                if *whose.get_or_insert(actor) != actor {
                    return None;
                }
            }
            if original != var {
                let sort = self.vars[var.0 as usize].sort;
                with.insert(var, terms.var(original, sort));
            }
        }
        Some(terms.substitute(formula, &with))
    }
}

/// The threads of templates that there are, while a path is followed.
#[derive(Default)]
struct Cast {
    /// Where each thread is, and what the graph knows about it.
    alive: Vec<(Actor, Rc<Member>)>,
    /// The one in an atomic section.
    active: Option<Actor>,
    /// By template: how many there have been.
    born: FxHashMap<usize, u32>,
}

impl Cast {
    /// The thread that moves.
    fn take(&mut self, before: &Node, after: &Node) -> Option<Actor> {
        let Some(member) = after.member else {
            return self.active.take();
        };
        let (member, _) = &before.crowd.members()[member];
        let at = self.alive.iter().position(|(_, known)| known == member)?;
        Some(self.alive.swap_remove(at).0)
    }

    /// Follows an action; gives the threads that it starts.
    fn step(
        &mut self,
        program: &Program,
        action: &Action,
        actor: Actor,
        before: &Node,
        after: &Node,
    ) -> Vec<Actor> {
        for (_, member) in &mut self.alive {
            let mut changed = after.changed.iter();
            let was = |number: usize| &before.crowd.members()[number].0;
            if let Some((_, now)) = changed.find(|(number, _)| was(*number) == member) {
                *member = now.clone();
            }
        }
        let mut arrived = after.arrived.iter().cloned();
        if program.threads[action.thread].many {
            match after.control.holder() {
                Some(_) => self.active = Some(actor),
                None => self
                    .alive
                    .extend(arrived.next().map(|member| (actor, member))),
            }
        }
        let mut started = Vec::new();
        for &thread in &action.starts {
            let number = match program.threads[thread].many {
                true => {
                    let born = self.born.entry(thread).or_default();
                    *born += 1;
                    *born - 1
                }
                false => 0,
            };
            let new = (thread, number);
            if program.threads[thread].many {
                self.alive
                    .extend(arrived.next().map(|member| (new, member)));
            }
            started.push(new);
        }
        started
    }
}
