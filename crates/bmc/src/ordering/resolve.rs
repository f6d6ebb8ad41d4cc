//! Which reads can see which writes, and what is known without a solver.
//!
//! A read can see a write unless the order that always holds rules it out: the write comes later,
//! or another write certainly happens between them. A read whose sources are all before it, one
//! after the other, needs no choice: its value is what the last of them that happens has written.
//! Such reads are replaced by their values, which may make conditions constant and so events
//! impossible; this is repeated while it helps. In the end only what the question depends on is
//! kept.

use super::Memory;
use super::events::{Events, NodeId, Read, Source};
use super::rewrite::apply_definitions;
use crate::guard::Guards;
use expr::{Node, Term, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use verdict::Budget;

/// More rounds than this hardly ever find anything.
const ROUNDS: usize = 8;

/// Settles what can be settled, and finds the sources of all other reads.
pub fn resolve(events: &mut Events, memory: Memory, budget: &Budget) -> Result<(), Stopped> {
    for _ in 0..ROUNDS {
        prepare(events, memory, budget)?;
        if !settle(events) {
            return Ok(());
        }
    }
    prepare(events, memory, budget)
}

/// The time was up.
pub struct Stopped;

fn prepare(events: &mut Events, memory: Memory, budget: &Budget) -> Result<(), Stopped> {
    apply_definitions(events);
    drop_impossible(events);
    find_sources(events, budget)?;
    // An access that the question does not depend on may order others in a weak execution.
    if memory == Memory::Sequential {
        keep_needed(events);
    }
    Ok(())
}

fn drop_impossible(events: &mut Events) {
    let possible = |guard: Term| events.terms.as_const(guard) != Some(0);
    events.reads.retain(|read| possible(read.guard));
    events.writes.retain(|write| possible(write.guard));
    events.waits.retain(|wait| possible(wait.guard));
    events.exits.retain(|&(guard, _)| possible(guard));
    events.goals.retain(|goal| possible(goal.guard));
}

fn find_sources(events: &mut Events, budget: &Budget) -> Result<(), Stopped> {
    let mut guards = Guards::default();
    let mut writes_of: FxHashMap<VarId, Vec<usize>> = FxHashMap::default();
    for (at, write) in events.writes.iter().enumerate() {
        writes_of.entry(write.cell).or_default().push(at);
    }
    let mut reads = std::mem::take(&mut events.reads);
    for (at, read) in reads.iter_mut().enumerate() {
        if at.is_multiple_of(32) && budget.exceeded(verdict::resident_bytes()).is_some() {
            return Err(Stopped);
        }
        let writes = writes_of.get(&read.cell).map_or(&[][..], Vec::as_slice);
        read.sources = sources(events, &mut guards, read, writes);
    }
    events.reads = reads;
    Ok(())
}

fn sources(events: &Events, guards: &mut Guards, read: &Read, writes: &[usize]) -> Vec<Source> {
    let (terms, order) = (&events.terms, &events.statics);
    // The latest writes that certainly happen before the read hide everything before them.
    let mut hiding: Vec<NodeId> = Vec::new();
    for write in writes.iter().map(|&at| &events.writes[at]) {
        if order.before(write.node, read.node) && guards.implies(terms, read.guard, write.guard) {
            hiding.push(write.node);
        }
    }
    let all = hiding.clone();
    hiding.retain(|&node| !all.iter().any(|&later| order.before(node, later)));
    let visible = |&&at: &&usize| {
        let node = events.writes[at].node;
        node != read.node
            && !order.before(read.node, node)
            && !hiding.iter().any(|&later| order.before(node, later))
    };
    let mut sources: Vec<Source> = Vec::new();
    if hiding.is_empty() {
        sources.push(Source::Initial);
    }
    for &at in writes.iter().filter(visible) {
        if !guards.exclude(terms, read.guard, events.writes[at].guard) {
            sources.push(Source::Write(at));
        }
    }
    sources
}

/// Gives reads that need no choice their values; says whether there was one.
fn settle(events: &mut Events) -> bool {
    let mut found = Vec::new();
    for (at, read) in events.reads.iter().enumerate() {
        if let Some(writes) = in_order(events, read) {
            found.push((at, writes));
        }
    }
    for (at, writes) in &found {
        let read = &events.reads[*at];
        let mut value = match read.sources.first() {
            Some(Source::Initial) => Some(events.initial[&read.cell]),
            _ => None,
        };
        for write in writes.iter().map(|&write| &events.writes[write]) {
            // The first one certainly happens if the initial value cannot be seen.
            let before = value.unwrap_or(write.value);
            value = Some(events.terms.ite(write.guard, write.value, before));
        }
        if let Some(value) = value {
            events.definitions.insert(read.value, value);
        }
    }
    let settled: FxHashSet<usize> = found.iter().map(|&(at, _)| at).collect();
    let mut at = 0;
    events.reads.retain(|_| {
        at += 1;
        !settled.contains(&(at - 1))
    });
    !settled.is_empty()
}

/// The writes that a read can see, one after the other, if they all come before it.
fn in_order(events: &Events, read: &Read) -> Option<Vec<usize>> {
    let mut writes = Vec::new();
    for &source in &read.sources {
        if let Source::Write(at) = source {
            if !events.statics.before(events.writes[at].node, read.node) {
                return None;
            }
            writes.push(at);
        }
    }
    let node = |at: usize| events.writes[at].node;
    let earlier = |at: usize| {
        writes
            .iter()
            .filter(|&&other| events.statics.before(node(other), node(at)))
            .count()
    };
    let mut ranked: Vec<(usize, usize)> = writes.iter().map(|&at| (earlier(at), at)).collect();
    ranked.sort_unstable();
    let follows = |pair: &[(usize, usize)]| {
        let (a, b) = (node(pair[0].1), node(pair[1].1));
        // Writes of one node are on paths that exclude each other.
        a == b || events.statics.before(a, b)
    };
    let ordered = ranked.windows(2).all(follows);
    ordered.then(|| ranked.into_iter().map(|(_, at)| at).collect())
}

/// Drops the reads that nothing depends on, and the writes that no read can see.
fn keep_needed(events: &mut Events) {
    let read_of: FxHashMap<VarId, usize> = events
        .reads
        .iter()
        .enumerate()
        .map(|(at, read)| (read.value, at))
        .collect();
    let mut work: Vec<Term> = events.constraints.clone();
    work.extend(events.goals.iter().map(|goal| goal.guard));
    work.extend(events.exits.iter().map(|&(guard, _)| guard));
    work.extend(events.waits.iter().map(|wait| wait.guard));
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut needed_reads = vec![false; events.reads.len()];
    let mut needed_writes = vec![false; events.writes.len()];
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        work.extend(events.terms.args(term));
        let Node::Var(var, _) = events.terms.node(term) else {
            continue;
        };
        let Some(&at) = read_of.get(&var) else {
            continue;
        };
        needed_reads[at] = true;
        let read = &events.reads[at];
        work.push(read.guard);
        for source in &read.sources {
            match *source {
                Source::Initial => work.push(events.initial[&read.cell]),
                Source::Write(write) => {
                    needed_writes[write] = true;
                    work.extend([events.writes[write].guard, events.writes[write].value]);
                }
            }
        }
    }
    renumber(events, &needed_reads, &needed_writes);
}

fn renumber(events: &mut Events, reads: &[bool], writes: &[bool]) {
    let mut next = 0;
    let number: Vec<usize> = writes
        .iter()
        .map(|&kept| {
            next += usize::from(kept);
            next.wrapping_sub(1)
        })
        .collect();
    let mut kept = writes.iter();
    events
        .writes
        .retain(|_| *kept.next().expect("one mark for each write"));
    let mut kept = reads.iter();
    events
        .reads
        .retain(|_| *kept.next().expect("one mark for each read"));
    for read in &mut events.reads {
        for source in &mut read.sources {
            if let Source::Write(at) = source {
                *at = number[*at];
            }
        }
    }
}
