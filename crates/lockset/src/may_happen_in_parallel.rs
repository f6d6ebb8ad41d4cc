//! Which threads can run side by side.
//!
//! Two threads of a run have a nearest common creator: a thread that has started both, or their
//! ancestors, or that is one of the two. So it is enough to know, for each thread and each of its own
//! starts, whether what was started there may still be running. That is followed along the paths of
//! the creator: a start makes it possible, a join of a known thread ends it, provided that the thread
//! has itself waited for all that it has started.

use crate::handles::{Handles, LoopJoin};
use crate::program::{Program, Start};
use crate::prover::Prover;
use crate::values::Values;
use dataflow::BitSet;
use rustc_hash::FxHashMap;
use xcfa::{EdgeId, Label, LocId, ProcId, Xcfa};

/// How many threads of a start may be running, at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Count {
    None,
    /// Only the one that was started last.
    Latest,
    Many,
}

/// Which thread takes a step, seen from the common creator of two threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The creator itself.
    Creator,
    /// A thread that it has started there, by number of the start.
    Started(usize),
    /// A thread further down.
    Descendant,
}

/// A way in which two steps can be taken side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    pub first: Role,
    pub second: Role,
}

/// What is known about creation.
pub struct MayHappenInParallel {
    /// By location and start: what may be running when the creator is there.
    live: Vec<FxHashMap<usize, Count>>,
    /// By start: what may be running just before it is executed.
    at_start: Vec<FxHashMap<usize, Count>>,
    /// Threads whose starts are not followed.
    opaque: BitSet,
    /// By procedure: the procedures of threads that a thread there starts, directly or not.
    below: Vec<BitSet>,
    joins: FxHashMap<(EdgeId, usize), usize>,
    /// Loops that join what others have started.
    pub loop_joins: Vec<LoopJoin>,
}

impl MayHappenInParallel {
    pub fn of(
        program: &Program<'_>,
        handles: &Handles<'_, '_>,
        values: &mut Values,
        prover: &mut Prover,
    ) -> MayHappenInParallel {
        let mut may_happen_in_parallel = MayHappenInParallel {
            live: Vec::new(),
            at_start: Vec::new(),
            opaque: opaque(program),
            below: below(program),
            joins: FxHashMap::default(),
            loop_joins: Vec::new(),
        };
        may_happen_in_parallel.find_joins(program, handles, values, prover);
        // At first no thread is believed to wait for what it has started.
        let mut leaking: BitSet = program.starts.iter().map(|it| it.by.0 as usize).collect();
        loop {
            may_happen_in_parallel.follow(program, &leaking);
            let still = may_happen_in_parallel.leaking(program);
            if still == leaking {
                return may_happen_in_parallel;
            }
            leaking = still;
        }
    }

    fn find_joins(
        &mut self,
        program: &Program<'_>,
        handles: &Handles<'_, '_>,
        values: &mut Values,
        prover: &mut Prover,
    ) {
        for edge in program.xcfa.edge_ids() {
            for (label, it) in program.xcfa[edge].labels.iter().enumerate() {
                if !matches!(it, Label::Join { .. }) {
                    continue;
                }
                if let Some(start) = handles.joins_latest(values, edge, label) {
                    self.joins.insert((edge, label), start);
                }
                let all = handles.joins_all(values, prover, edge, label);
                self.loop_joins.extend(all);
            }
        }
    }

    /// The ways in which threads can take two steps side by side.
    pub fn ways(&self, program: &Program<'_>, a: EdgeId, b: EdgeId) -> Vec<Way> {
        let xcfa = program.xcfa;
        self.ways_between(program, xcfa[a].source, xcfa[b].source)
    }

    /// The ways in which two threads can be at two locations at the same time.
    pub fn ways_between(&self, program: &Program<'_>, at_a: LocId, at_b: LocId) -> Vec<Way> {
        let mut ways = Vec::new();
        for (number, start) in program.starts.iter().enumerate() {
            for creator in program.threads.running(start.by) {
                if runs(program, at_a, creator) && self.is_live(program, at_a, number) {
                    let roles = self.roles(program, number, *start, at_b);
                    ways.extend(roles.into_iter().map(|second| Way {
                        first: Role::Creator,
                        second,
                    }));
                }
                if runs(program, at_b, creator) && self.is_live(program, at_b, number) {
                    let roles = self.roles(program, number, *start, at_a);
                    ways.extend(roles.into_iter().map(|first| Way {
                        first,
                        second: Role::Creator,
                    }));
                }
            }
            for (other, second) in program.starts.iter().enumerate() {
                if !self.coexist(program, number, other) {
                    continue;
                }
                for first in self.roles(program, number, *start, at_a) {
                    let roles = self.roles(program, other, *second, at_b);
                    ways.extend(roles.into_iter().map(|second| Way { first, second }));
                }
            }
        }
        ways
    }

    /// What threads of a start, or those below, can be at a location.
    fn roles(&self, program: &Program<'_>, number: usize, start: Start, loc: LocId) -> Vec<Role> {
        let mut roles = Vec::new();
        if runs(program, loc, start.root) {
            roles.push(Role::Started(number));
        }
        let below = &self.below[start.root.0 as usize];
        let proc = program.xcfa[loc].proc;
        let mut running = program.threads.running(proc);
        if running.any(|root| below.contains(root.0 as usize)) {
            roles.push(Role::Descendant);
        }
        roles
    }

    /// Is the location one of `main`, at which no other thread is running?
    pub fn is_main_alone(&self, program: &Program<'_>, loc: LocId) -> bool {
        let xcfa = program.xcfa;
        let main = xcfa.main;
        let in_main = xcfa[loc].proc == main
            && program.threads.starts_at_most_once(main)
            && program.threads.running(main).eq([main])
            && !xcfa.calls().is_recursive(main);
        in_main && !self.is_opaque(program, main) && self.live[loc.0 as usize].is_empty()
    }

    /// May threads of the start be running while their creator is there?
    fn is_live(&self, program: &Program<'_>, loc: LocId, number: usize) -> bool {
        let by = program.starts[number].by;
        if program.xcfa.before_threads()[loc.0 as usize] {
            return false;
        }
        let followed = program.xcfa[loc].proc == by && !self.is_opaque(program, by);
        !followed || self.live[loc.0 as usize].contains_key(&number)
    }

    /// Are the starts of the procedure not followed?
    pub fn is_opaque(&self, program: &Program<'_>, proc: ProcId) -> bool {
        let mut roots = program.threads.running(proc);
        roots.any(|root| self.opaque.contains(root.0 as usize))
    }

    /// May one thread have started threads at both, so that they run side by side?
    fn coexist(&self, program: &Program<'_>, a: usize, b: usize) -> bool {
        let (of_a, of_b) = (program.starts[a].by, program.starts[b].by);
        if self.is_opaque(program, of_a) || self.is_opaque(program, of_b) {
            let mut roots = program.threads.running(of_a);
            return roots.any(|root| program.threads.running(of_b).any(|other| other == root));
        }
        of_a == of_b && (self.at_start[a].contains_key(&b) || self.at_start[b].contains_key(&a))
    }

    /// Follows starts and joins along the paths of each procedure.
    fn follow(&mut self, program: &Program<'_>, leaking: &BitSet) {
        let xcfa = program.xcfa;
        self.at_start = vec![FxHashMap::default(); program.starts.len()];
        let mut live: Vec<Option<FxHashMap<usize, Count>>> = vec![None; xcfa.locs.len()];
        let mut work: Vec<LocId> = Vec::new();
        for proc in &xcfa.procs {
            live[proc.init.0 as usize] = Some(FxHashMap::default());
            work.push(proc.init);
        }
        while let Some(loc) = work.pop() {
            for &edge in &xcfa[loc].out {
                let mut now = live[loc.0 as usize].clone().expect("it was reached");
                self.pass(program, leaking, edge, &mut now);
                let target = xcfa[edge].target;
                if join(&mut live[target.0 as usize], now) {
                    work.push(target);
                }
            }
        }
        self.live = live.into_iter().map(Option::unwrap_or_default).collect();
    }

    fn pass(
        &mut self,
        program: &Program<'_>,
        leaking: &BitSet,
        edge: EdgeId,
        live: &mut FxHashMap<usize, Count>,
    ) {
        let ends = |start: usize| !leaking.contains(program.starts[start].root.0 as usize);
        for (label, it) in program.xcfa[edge].labels.iter().enumerate() {
            match it {
                Label::Start { .. } => {
                    let here = (edge, label);
                    let number = program
                        .starts
                        .iter()
                        .position(|it| (it.edge, it.label) == here);
                    let number = number.expect("every start is listed");
                    for (&other, &count) in live.iter() {
                        let known = self.at_start[number].entry(other).or_insert(count);
                        *known = count.max(*known);
                    }
                    let before = live.get(&number).copied().unwrap_or(Count::None);
                    let after = if before == Count::None {
                        Count::Latest
                    } else {
                        Count::Many
                    };
                    live.insert(number, after);
                }
                Label::Join { .. } => {
                    if let Some(&start) = self.joins.get(&(edge, label))
                        && live.get(&start) == Some(&Count::Latest)
                        && ends(start)
                    {
                        live.remove(&start);
                    }
                }
                _ => {}
            }
        }
        for it in &self.loop_joins {
            let l = &program.loops.loops[it.joining.loop_];
            let leaves =
                l.contains(program.xcfa[edge].source) && !l.contains(program.xcfa[edge].target);
            if leaves && ends(it.start) {
                live.remove(&it.start);
            }
        }
    }

    /// The thread procedures that may end while what they have started is still running.
    fn leaking(&self, program: &Program<'_>) -> BitSet {
        let xcfa = program.xcfa;
        let mut leaking = BitSet::new();
        for start in &program.starts {
            for root in program.threads.running(start.by) {
                let own = start.by == root && !self.opaque.contains(root.0 as usize);
                if !own || self.ends_with_others(xcfa, root) {
                    leaking.insert(root.0 as usize);
                }
            }
        }
        leaking
    }

    fn ends_with_others(&self, xcfa: &Xcfa, root: ProcId) -> bool {
        let mut edges = xcfa
            .edges
            .iter()
            .filter(|edge| xcfa[edge.source].proc == root);
        let left = |loc: LocId| !self.live[loc.0 as usize].is_empty();
        edges.any(|edge| {
            // A procedure that is called may end the thread as well.
            let ends = edge
                .labels
                .iter()
                .any(|it| matches!(it, Label::ThreadExit(_) | Label::Call { .. }));
            let starts = edge
                .labels
                .iter()
                .any(|it| matches!(it, Label::Start { .. }));
            ends && (left(edge.source) || starts)
        }) || left(xcfa[root].exit)
    }
}

fn runs(program: &Program<'_>, loc: LocId, root: ProcId) -> bool {
    let mut running = program.threads.running(program.xcfa[loc].proc);
    running.any(|it| it == root)
}

fn join(known: &mut Option<FxHashMap<usize, Count>>, new: FxHashMap<usize, Count>) -> bool {
    let Some(old) = known else {
        *known = Some(new);
        return true;
    };
    let mut changed = false;
    for (start, count) in new {
        let entry = old.entry(start).or_insert(Count::None);
        changed |= *entry < count;
        *entry = count.max(*entry);
    }
    changed
}

/// Threads that start others in procedures that they call, or may run several activations of one.
fn opaque(program: &Program<'_>) -> BitSet {
    let calls = program.xcfa.calls();
    let mut opaque = BitSet::new();
    for start in &program.starts {
        for root in program.threads.running(start.by) {
            let recursive = calls.is_recursive(start.by);
            let called = calls.reaches(root).into_iter().filter(|&proc| proc != root);
            let starts = |proc: ProcId| program.starts.iter().any(|it| it.by == proc);
            if start.by != root || recursive || called.into_iter().any(starts) {
                opaque.insert(root.0 as usize);
            }
        }
    }
    opaque
}

fn below(program: &Program<'_>) -> Vec<BitSet> {
    let mut below = vec![BitSet::new(); program.xcfa.procs.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for start in &program.starts {
            let mut further = below[start.root.0 as usize].clone();
            further.insert(start.root.0 as usize);
            for root in program.threads.running(start.by) {
                changed |= below[root.0 as usize].union_with(&further);
            }
        }
    }
    below
}
