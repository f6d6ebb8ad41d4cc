//! What a step did, statement by statement, for display.
//!
//! A large block is one step of several statements. Here its labels are run one after the other, so that every read
//! and every change belongs to the text that made it.

use super::copies::{Copies, Extent, copy};
use super::{
    Change, Reading, ReplayStatement, ReplayStep, Run, Wait, Wakes, lock_name, word_of_lock,
};
use crate::naming::{Named, is_reserved, object_of_word};
use crate::{Access, Cell, Outcome, Script, State, Step, Tid};
use expr::VarId;
use std::collections::BTreeSet;
use std::ops::Range;
use xcfa::{EdgeId, FileId, HavocOrigin, Label, ObjectKind, Scope, Span, Xcfa};

impl Run<'_, '_> {
    pub(super) fn describe(&mut self, step: &Step, copies: &mut Copies) -> ReplayStep {
        let edge = EdgeId(step.edge);
        let mut statements = self.statements(step, copies);
        let before = &copies.before;
        for statement in &mut statements {
            self.note_first(step.thread, &mut statement.changes);
            self.note_handles(statement);
            self.drop_foreign_locals(statement);
        }
        ReplayStep {
            thread: step.thread,
            edge,
            statements,
            held: self.held_names(step.thread, before),
            ends: ends_thread(&self.machine.xcfa[edge]),
            wakes: self.wakes(step, before),
        }
    }

    /// What a statement writes that starts a thread is a handle; who reads one learns nothing.
    fn note_handles(&mut self, statement: &mut ReplayStatement) {
        let name = |cell| Named::cell(self.namer(&self.state), cell).name;
        let written = statement.cells.iter().filter(|(_, write)| *write);
        let written: Vec<String> = match statement.starts {
            Some(_) => written.map(|(cell, _)| name(*cell)).collect(),
            None => Vec::new(),
        };
        self.handles.extend(written);
        let handles = &self.handles;
        statement.reads.retain(|read| !handles.contains(&read.name));
    }

    /// Drops locals of our models of the library: what a call sets without naming it is none of the program's.
    fn drop_foreign_locals(&self, statement: &mut ReplayStatement) {
        let xcfa = &self.machine.xcfa;
        if !statement.synchronises || xcfa.procs.iter().any(|it| it.span == statement.span) {
            return;
        }
        let Some(text) = xcfa.sources.text(statement.span) else {
            return;
        };
        let is_named = |name: &str| {
            let ends = |c: char| !(c.is_alphanumeric() || c == '_');
            let base = name.split(ends).next();
            text.split(ends).any(|word| Some(word) == base)
        };
        let changes = &mut statement.changes;
        changes.retain(|change| change.shared || is_named(&change.name));
    }

    /// Why the thread wakes up with this step, if it does.
    fn wakes(&self, step: &Step, before: &State) -> Option<Wakes> {
        let labels = &self.machine.xcfa[EdgeId(step.edge)].labels;
        let timed = labels.iter().find_map(|label| match label {
            Label::AwaitSignal { timed } => Some(*timed),
            _ => None,
        })?;
        // A wait with a time limit may end by itself, and says so in its result.
        match before.thread(Tid(step.thread)).waiting {
            0 => Some(Wakes::BySignal),
            _ if timed => None,
            _ => Some(Wakes::Spuriously),
        }
    }

    /// Runs the step again from the state before it; the state of the replay is the one after it.
    fn statements(&self, step: &Step, copies: &mut Copies) -> Vec<ReplayStatement> {
        let edge = &self.machine.xcfa[EdgeId(step.edge)];
        let mut parts = edge.statements();
        let (last, earlier) = parts
            .pop()
            .map_or(((0..0, edge.span), parts.clone()), |last| (last, parts));
        let extent = copies.extent;
        let [state, before_label, start] = &mut copies.spare;
        let mut run = StatementRun {
            replay: self,
            tid: Tid(step.thread),
            edge: EdgeId(step.edge),
            state,
            before_label,
            extent,
            host: Script::new(&step.choices),
            frees: None,
        };
        let mut statements: Vec<ReplayStatement> = Vec::new();
        for (labels, span) in earlier {
            copy(start, run.state, extent);
            let seen = run.follow(labels.clone());
            statements.push(run.statement(span, labels, start, run.state, seen));
        }
        copy(start, run.state, extent);
        let seen = run.follow(last.0.clone());
        statements.push(run.statement(last.1, last.0, start, &self.state, seen));
        copies.restore();
        statements
    }
}

impl Run<'_, '_> {
    /// Marks the beginnings of functions and the declarations of which there is nothing to tell, but not where the schedule ends
    /// or a loop begins.
    pub(super) fn note_silent(&mut self, loop_start: Option<usize>) {
        let xcfa = self.machine.xcfa;
        if xcfa.sources.files().is_empty() {
            return;
        }
        let heads: BTreeSet<Span> = xcfa.procs.iter().map(|it| it.span).collect();
        let last = self.steps.len().saturating_sub(1);
        let steps = self.steps.iter_mut().enumerate();
        for (_, step) in steps.filter(|(at, _)| *at != last && Some(*at) != loop_start) {
            let parts = xcfa[step.edge].statements();
            let labels = &xcfa[step.edge].labels;
            let declares = |span: Span| {
                let mut own = parts.iter().filter(|(_, its)| *its == span);
                own.all(|(range, _)| labels[range.clone()].iter().all(|it| makes_room(xcfa, it)))
            };
            let ends = step.ends.then_some(step.statements.len() - 1);
            for (at, statement) in step.statements.iter_mut().enumerate() {
                let is_head = heads.contains(&statement.span) || declares(statement.span);
                statement.silent = is_head && ends != Some(at) && statement.tells_nothing();
            }
        }
    }

    /// Drops the beginnings of functions that tell nothing, and what a large block does at its end only to prepare the next step of the thread, on the
    /// same line: evaluating the arguments of a call, for instance.
    pub(super) fn drop_preludes(&mut self) {
        let sources = &self.machine.xcfa.sources;
        if sources.files().is_empty() {
            return;
        }
        let line = |span: Span| (span.file, sources.place(span).line);
        let heads: BTreeSet<Span> = self.machine.xcfa.procs.iter().map(|it| it.span).collect();
        let mut next: Vec<Option<(FileId, u32)>> = vec![None; self.thread_names.len()];
        for step in self.steps.iter_mut().rev() {
            // The last one may be the end of the thread, which has the place of its function.
            let (mut at, count) = (0, step.statements.len());
            step.statements.retain(|statement| {
                at += 1;
                at == count || !heads.contains(&statement.span) || !statement.tells_nothing()
            });
            let next = &mut next[step.thread as usize];
            while step.statements.len() > 1
                && let Some(last) = step.statements.last()
                && *next == Some(line(last.span))
                && last.tells_nothing()
            {
                step.statements.pop();
            }
            *next = Some(line(step.first_span()));
        }
    }
}

/// A read, or a write, with what was there before.
struct Seen {
    cell: Cell,
    write: bool,
    text: Option<(String, String)>,
}

/// A step that is run label by label.
struct StatementRun<'r, 'm, 'x> {
    replay: &'r Run<'m, 'x>,
    tid: Tid,
    edge: EdgeId,
    state: &'r mut State,
    /// Room for the state before a label.
    before_label: &'r mut State,
    extent: Extent,
    host: Script,
    /// What the labels that were run last have freed.
    frees: Option<String>,
}

impl StatementRun<'_, '_, '_> {
    /// Runs some labels, as far as they can be run one by one, and tells what they access.
    fn follow(&mut self, labels: Range<usize>) -> Vec<Seen> {
        let machine = self.replay.machine;
        self.frees = None;
        let mut seen = Vec::new();
        for label in &machine.xcfa[self.edge].labels[labels] {
            let globals = label.terms().flat_map(|term| machine.xcfa.terms.vars(term));
            let globals: Vec<VarId> = globals.filter(|&var| machine.xcfa.is_global(var)).collect();
            for var in globals {
                seen.push(self.seen(self.state, Cell::Var(var), false));
            }
            if let Some(var) = label.defines().filter(|&var| machine.xcfa.is_global(var)) {
                seen.push(self.seen(self.state, Cell::Var(var), true));
            }
            copy(self.before_label, self.state, self.extent);
            let from = self.host.accesses.len();
            let outcome =
                machine.step_label(self.state, self.tid, self.edge, label, &mut self.host);
            let accesses: Vec<Access> = self.host.accesses[from..].to_vec();
            let bytes = accesses
                .iter()
                .filter(|access| matches!(access.cell, Cell::Bytes { .. }));
            seen.extend(
                bytes.map(|access| self.seen(self.before_label, access.cell, access.write)),
            );
            if !matches!(outcome, Outcome::Moved { .. }) {
                break;
            }
            if let Label::Free(address) = label {
                let address = machine.eval(self.before_label, self.tid, *address);
                let name = self.replay.namer(self.before_label).address(address);
                let name = name.map(|name| name.trim_start_matches('&').to_owned());
                self.frees = name.or(self.frees.take());
            }
        }
        seen
    }

    fn seen(&self, state: &State, cell: Cell, write: bool) -> Seen {
        let (name, value) = self.replay.machine.shown(state, cell, &self.replay.heap);
        Seen {
            cell,
            write,
            text: value
                .map(|value| (name, value))
                .filter(|(name, _)| !is_reserved(name)),
        }
    }

    fn statement(
        &self,
        span: Span,
        labels: Range<usize>,
        before: &State,
        after: &State,
        seen: Vec<Seen>,
    ) -> ReplayStatement {
        let mut reads: Vec<Reading> = Vec::new();
        for (name, value) in seen
            .iter()
            .filter(|seen| !seen.write)
            .filter_map(|seen| seen.text.clone())
        {
            if !reads.iter().any(|read| read.name == name) {
                reads.push(Reading { name, value });
            }
        }
        ReplayStatement {
            span,
            reads,
            changes: self.changes(labels.clone(), before, after, &seen),
            races: false,
            about_to: None,
            starts: self.started(labels.clone(), before, after),
            frees: self.frees.clone(),
            waits: self.begins_to_wait(labels, before),
            synchronises: seen.iter().any(|seen| {
                let name = Named::cell(self.replay.namer(after), seen.cell).name;
                object_of_word(&name).is_some()
            }),
            silent: false,
            cells: seen.iter().map(|seen| (seen.cell, seen.write)).collect(),
        }
    }

    /// The condition variable on which a thread begins to wait with some labels.
    fn begins_to_wait(&self, labels: Range<usize>, before: &State) -> Option<Wait> {
        let machine = self.replay.machine;
        let mut labels = machine.xcfa[self.edge].labels[labels].iter();
        let cond = labels.find_map(|label| match label {
            Label::Wait { cond } => Some(machine.eval(before, self.tid, *cond)),
            _ => None,
        })?;
        let name = Named::bytes(self.replay.namer(before), cond, 4).name;
        Some(Wait::Signal(lock_name(name)))
    }

    /// The thread that some labels start.
    fn started(&self, labels: Range<usize>, before: &State, after: &State) -> Option<u32> {
        let labels = &self.replay.machine.xcfa[self.edge].labels[labels];
        let mut starts = labels.iter().filter(|it| matches!(it, Label::Start { .. }));
        starts.next()?;
        let is_there = |state: &State, tid: Tid| {
            let thread = state.threads.get(tid.0 as usize);
            thread.is_some_and(|thread| !thread.is_vacant())
        };
        let new = |tid: &Tid| is_there(after, *tid) && !is_there(before, *tid);
        after.tids().find(new).map(|tid| tid.0)
    }

    fn changes(
        &self,
        labels: Range<usize>,
        before: &State,
        after: &State,
        seen: &[Seen],
    ) -> Vec<Change> {
        let machine = self.replay.machine;
        let xcfa = machine.xcfa;
        let mut changes = Vec::new();
        // The number of the thread is in its column; its handle says nothing more.
        let starts = |label: &Label| matches!(label, Label::Start { .. });
        if xcfa[self.edge].labels[labels.clone()].iter().any(starts) {
            return changes;
        }
        let (from, to) = (self.replay.namer(before), self.replay.namer(after));
        let mut note =
            |mut named: Named, old: Option<u64>, new: u64, local: Option<(u32, VarId)>| {
                match word_of_lock(&named.name) {
                    Some(counter) if named.counts => named.name = counter.to_owned(),
                    // The words of a lock say nothing that the locks held do not say better.
                    Some(_) => return,
                    None => {}
                }
                if is_reserved(&named.name) {
                    return;
                }
                changes.push(Change {
                    old: old.map(|old| named.show(from, old)),
                    new: named.show(to, new),
                    name: named.name,
                    shared: local.is_none(),
                    local,
                });
            };
        let base = after.thread(self.tid).base;
        let same_frame = base == before.thread(self.tid).base;
        // What is set twice in one statement has changed once.
        let mut noted: Vec<Cell> = Vec::new();
        for var in xcfa[self.edge].labels[labels]
            .iter()
            .filter_map(Label::defines)
        {
            let hidden = xcfa[var].temp || (!same_frame && xcfa[var].scope != Scope::Global);
            if hidden || noted.contains(&Cell::Var(var)) {
                continue;
            }
            noted.push(Cell::Var(var));
            let old = machine.value(before, self.tid, var);
            let new = machine.value(after, self.tid, var);
            let local = (!xcfa.is_global(var)).then_some((base, var));
            note(Named::var(machine, var), Some(old), new, local);
        }
        for seen in seen.iter().filter(|seen| seen.write) {
            let Cell::Bytes {
                start,
                len: len @ 1..=8,
            } = seen.cell
            else {
                continue;
            };
            if noted.contains(&seen.cell) {
                continue;
            }
            noted.push(seen.cell);
            let load = |state: &State| state.memory.load(&machine.layout, start, len);
            if let (Ok(old), Ok(new)) = (load(before), load(after)) {
                let is_set = old.defined != 0;
                note(
                    Named::bytes(to, start, len),
                    is_set.then_some(old.bits),
                    new.bits,
                    None,
                );
            }
        }
        changes
    }
}

/// Does a label nothing but make room for a local?
fn makes_room(xcfa: &Xcfa, label: &Label) -> bool {
    match label {
        Label::Alloc { object, .. } => xcfa[*object].kind == ObjectKind::Stack,
        Label::Havoc { origin, .. } => *origin == HavocOrigin::Uninitialised,
        _ => false,
    }
}

fn ends_thread(edge: &xcfa::Edge) -> bool {
    let mut labels = edge.labels.iter();
    labels.any(|label| matches!(label, Label::ThreadExit(_)))
}
