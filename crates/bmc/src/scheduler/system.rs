//! A program as the encoding needs it: actions by thread, and where atomic sections are.

use super::footprint::Memory;
use super::split::Places;
use abstraction::{Action, Program};
use dataflow::BitSet;
use expr::{Terms, VarId};
use passes::Unsupported;
use xcfa::{ErrorKind, LocId};

/// A thread, by number; `main` is 0.
pub type ThreadId = usize;

/// A program whose actions are scheduled step by step.
pub struct System {
    /// Threads, variables and actions.
    pub program: Program,
    /// Owns the terms.
    pub terms: Terms,
    /// By thread: the indices of its actions.
    pub of_thread: Vec<Vec<usize>>,
    /// The sources and targets of its actions.
    pub(super) places: Places,
    /// By location: is a thread there in an atomic section?
    inside: Vec<bool>,
    /// Variables that addresses are computed from.
    addressing: BitSet,
    next_var: u32,
}

impl System {
    /// The system of a program without memory.
    pub fn new(program: Program, mut terms: Terms) -> Result<System, Unsupported> {
        if let Some(left) = program.given_up.first() {
            let what = format!("{} stays in memory: {}", left.name, left.why);
            return Err(Unsupported::at(left.span, what));
        }
        let memory = Memory::of(&program, &mut terms);
        let places = Places::of(&program, &mut terms, memory);
        let addressing = places.in_addresses(&terms).map(|var| var.0 as usize);
        let addressing = addressing.collect();
        let mut of_thread = vec![Vec::new(); program.threads.len()];
        for (at, action) in places.actions.iter().enumerate() {
            of_thread[action.thread].push(at);
        }
        Ok(System {
            inside: inside(&program)?,
            addressing,
            next_var: program.vars.len() as u32,
            program,
            terms,
            of_thread,
            places,
        })
    }

    /// All actions; they lead from place to place.
    pub fn actions(&self) -> &[Action] {
        &self.places.actions
    }

    /// The place where a thread starts.
    pub fn init(&self, thread: ThreadId) -> LocId {
        self.places.init[thread]
    }

    /// The location of a place.
    pub fn loc(&self, place: LocId) -> LocId {
        self.places.locs[place.0 as usize]
    }

    /// A new variable, which is not part of the state.
    pub fn fresh(&mut self) -> VarId {
        self.next_var += 1;
        VarId(self.next_var - 1)
    }

    /// Is a thread at that place in an atomic section?
    pub fn is_inside(&self, place: LocId) -> bool {
        self.inside[self.loc(place).0 as usize]
    }

    /// Does an action keep other threads from moving, or end that?
    pub fn holds(&self, action: &Action) -> bool {
        self.is_inside(action.source) || !action.ends && self.is_inside(action.target)
    }

    /// Is a variable of a thread of no use from a place on: neither to the thread nor for an address
    /// that tells whether actions are independent?
    pub fn is_dead(&self, place: LocId, var: VarId) -> bool {
        let var = var.0 as usize;
        self.program.dead(self.loc(place)).contains(var) && !self.addressing.contains(var)
    }

    /// The error that is reached there.
    pub fn error(&self, place: LocId) -> Option<ErrorKind> {
        self.program.error(self.loc(place))
    }
}

/// By location: is a thread there in an atomic section?
fn inside(program: &Program) -> Result<Vec<bool>, Unsupported> {
    let mut depth: Vec<Option<i32>> = vec![None; program.locations()];
    let mut work: Vec<LocId> = Vec::new();
    for thread in &program.threads {
        depth[thread.init.0 as usize] = Some(0);
        work.push(thread.init);
    }
    while let Some(loc) = work.pop() {
        for &action in program.out(loc) {
            let action = &program[action];
            let target = action.target;
            let after = action.depth_after(depth[loc.0 as usize].unwrap_or(0));
            match depth[target.0 as usize] {
                _ if action.ends => {}
                None => {
                    depth[target.0 as usize] = Some(after);
                    work.push(target);
                }
                Some(known) if known == after || program.out(target).is_empty() => {}
                Some(_) => {
                    let span = program.unrolled.xcfa[action.edge].span;
                    let what = "an atomic section that begins or ends on some paths only";
                    return Err(Unsupported::at(span, what));
                }
            }
        }
    }
    let inside = depth.iter();
    Ok(inside
        .map(|depth| depth.is_some_and(|depth| depth > 0))
        .collect())
}
