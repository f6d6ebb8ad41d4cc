//! Counting classes in another way: by building every prefix of every execution up to equivalence,
//! one step of the machine after the other, without any reduction.

use semantics::{Cell, Choice, Host, Machine, Outcome, State, Status, Tid};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use xcfa::{EdgeId, Label};

/// Programs with more prefixes than this are left out.
const MOST_PREFIXES: usize = 20_000;

type Access = (Cell, bool);

/// A step that was taken: by whom, what it knows of others, what it accessed.
#[derive(Clone)]
struct Past {
    tid: usize,
    clock: Vec<u32>,
    accesses: Vec<Access>,
    starts: bool,
}

/// An execution up to a point.
#[derive(Clone)]
struct Prefix {
    state: State,
    past: Vec<Past>,
    /// By thread: what it knows.
    clocks: Vec<Vec<u32>>,
    /// Threads that were found cut off.
    stopped: Vec<usize>,
    /// The same for all equivalent prefixes.
    digest: u64,
}

fn merge(into: &mut Vec<u32>, from: &[u32]) {
    into.resize(into.len().max(from.len()), 0);
    for (mine, theirs) in into.iter_mut().zip(from) {
        *mine = (*mine).max(*theirs);
    }
}

/// Answers questions about truth values from a list, and notices when it is too short.
#[derive(Default)]
struct Tape {
    answers: Vec<u64>,
    next: usize,
    accesses: Vec<Access>,
}

impl Host for Tape {
    const OBSERVES: bool = true;

    /// Executions are counted, nothing is concluded.
    fn open(&mut self, _: semantics::Open) {}

    fn choose(&mut self, _: Choice<'_>) -> u64 {
        self.next += 1;
        self.answers.get(self.next - 1).copied().unwrap_or(0)
    }

    fn access(&mut self, access: semantics::Access) {
        self.accesses.push((access.cell, access.write));
    }
}

/// What came of a step.
enum Taken {
    Moved(Vec<u32>),
    Waits,
    /// Not possible now; others could change that.
    Cut,
}

/// Takes an edge, and the rest of the atomic section that it begins.
fn take(
    machine: &Machine<'_>,
    state: &mut State,
    tid: Tid,
    first: EdgeId,
    tape: &mut Tape,
) -> Taken {
    let mut edges = Vec::new();
    let mut edge = first;
    loop {
        let before: Vec<(u64, u64)> = instances(state);
        match machine.step(state, tid, edge, tape) {
            Outcome::Moved { .. } if !state.ended => {}
            Outcome::Blocked => return Taken::Waits,
            _ => return Taken::Cut,
        }
        let after = instances(state);
        let gone = before.into_iter().filter(|it| !after.contains(it));
        let gone = gone.map(|(start, len)| (Cell::Bytes { start, len }, true));
        tape.accesses.extend(gone);
        edges.push(edge.0);
        if state.holder != Some(tid) {
            return Taken::Moved(edges);
        }
        let mut looked = Vec::new();
        let next = machine.edges(state, tid).iter().copied().find(|&edge| {
            if is_ruled_out(machine, state, tid, edge) {
                return false;
            }
            let mut copy = state.clone();
            let mut trial = Tape {
                answers: tape.answers.clone(),
                next: tape.next,
                accesses: Vec::new(),
            };
            let outcome = machine.step(&mut copy, tid, edge, &mut trial);
            looked.append(&mut trial.accesses);
            matches!(outcome, Outcome::Moved { .. })
        });
        let Some(next) = next else {
            tape.accesses.append(&mut looked);
            return Taken::Cut;
        };
        edge = next;
    }
}

fn instances(state: &State) -> Vec<(u64, u64)> {
    state
        .memory
        .instances()
        .iter()
        .map(|it| (it.base, it.size))
        .collect()
}

fn conflict(a: &[Access], b: &[Access]) -> bool {
    a.iter()
        .any(|x| b.iter().any(|y| (x.1 || y.1) && x.0.overlaps(y.0)))
}

/// Is an edge ruled out by what only its thread knows? Then nothing that others do matters to that,
/// although the machine tells of all globals that the edge would read.
fn is_ruled_out(machine: &Machine<'_>, state: &State, tid: Tid, edge: EdgeId) -> bool {
    let xcfa = machine.xcfa;
    let local = match xcfa[edge].labels.first() {
        Some(Label::Assume(cond)) => {
            let mut vars = xcfa.terms.vars(*cond).into_iter();
            !vars.any(|var| xcfa.is_global(var))
        }
        _ => false,
    };
    local && !machine.guard_holds(state, tid, edge)
}

/// All ways in which a thread can go on from a prefix.
fn extend(machine: &Machine<'_>, prefix: &Prefix, tid: Tid, found: &mut Vec<Prefix>) {
    let index = tid.0 as usize;
    if prefix.stopped.contains(&index) {
        return;
    }
    let mut tapes: Vec<Vec<u64>> = vec![Vec::new()];
    while let Some(answers) = tapes.pop() {
        let (mut asked, mut waits, mut moved) = (0, false, false);
        let mut looked: Vec<Access> = Vec::new();
        for &edge in machine.edges(&prefix.state, tid) {
            if is_ruled_out(machine, &prefix.state, tid, edge) {
                continue;
            }
            let mut next = prefix.clone();
            let mut tape = Tape {
                answers: answers.clone(),
                ..Tape::default()
            };
            let taken = take(machine, &mut next.state, tid, edge, &mut tape);
            asked = asked.max(tape.next);
            match taken {
                Taken::Moved(edges) if tape.next <= answers.len() => {
                    moved = true;
                    found.push(grow(machine, prefix, next, tid, &edges, tape));
                }
                Taken::Moved(_) => moved = true,
                Taken::Waits => waits = true,
                Taken::Cut => looked.extend(tape.accesses.iter().map(|access| (access.0, false))),
            }
        }
        if asked > answers.len() {
            for answer in [0, 1] {
                tapes.push(answers.iter().copied().chain([answer]).collect());
            }
        } else if !moved && !waits && prefix.state.thread(tid).status == Status::Running {
            let tape = Tape {
                answers,
                next: 0,
                accesses: looked,
            };
            let mut next = prefix.clone();
            next.stopped.push(index);
            found.push(grow(machine, prefix, next, tid, &[], tape));
        }
    }
}

/// A prefix with one more event, whose state is that of `next` already.
fn grow(
    machine: &Machine<'_>,
    prefix: &Prefix,
    mut next: Prefix,
    tid: Tid,
    edges: &[u32],
    tape: Tape,
) -> Prefix {
    let index = tid.0 as usize;
    let mut clock = prefix.clocks[index].clone();
    let labels = edges
        .iter()
        .flat_map(|&edge| &machine.xcfa[EdgeId(edge)].labels);
    let mut starts = false;
    for label in labels {
        match label {
            Label::Start { .. } => starts = true,
            Label::Join { thread, .. } => {
                let handle = machine.eval(&prefix.state, tid, *thread);
                if let Some(joined) = Tid::from_handle(handle) {
                    merge(&mut clock, &prefix.clocks[joined.0 as usize]);
                }
            }
            _ => {}
        }
    }
    let accesses = tape.accesses;
    for past in &prefix.past {
        if past.tid != index && (conflict(&past.accesses, &accesses) || (starts && past.starts)) {
            merge(&mut clock, &past.clock);
        }
    }
    clock.resize(clock.len().max(index + 1), 0);
    clock[index] += 1;
    let mut hasher = DefaultHasher::new();
    while clock.last() == Some(&0) {
        clock.pop();
    }
    (index, edges, &tape.answers, &clock).hash(&mut hasher);
    next.digest = prefix.digest.wrapping_add(hasher.finish());
    while next.clocks.len() < next.state.threads.len() {
        next.clocks.push(clock.clone());
    }
    next.clocks[index].clone_from(&clock);
    next.past.push(Past {
        tid: index,
        clock,
        accesses,
        starts,
    });
    next
}

/// How many classes of complete executions there are; `None` if they are too many to count.
pub fn count_classes(machine: &Machine<'_>) -> Option<u64> {
    let first = Prefix {
        state: machine.initial(),
        past: Vec::new(),
        clocks: vec![Vec::new()],
        stopped: Vec::new(),
        digest: 0,
    };
    let mut layer = HashMap::from([(0, first)]);
    let (mut complete, mut seen) = (0, 0);
    while !layer.is_empty() {
        let mut next: HashMap<u64, Prefix> = HashMap::new();
        for prefix in layer.values() {
            let mut longer = Vec::new();
            for tid in prefix.state.runnable() {
                extend(machine, prefix, tid, &mut longer);
            }
            complete += u64::from(longer.is_empty());
            next.extend(longer.into_iter().map(|prefix| (prefix.digest, prefix)));
        }
        seen += next.len();
        if seen > MOST_PREFIXES {
            return None;
        }
        layer = next;
    }
    Some(complete)
}
