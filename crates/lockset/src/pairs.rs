//! Every pair of conflicting steps, and what keeps it apart.

use crate::address_disjointness::AddressDisjointness;
use crate::atomic::atomic_edges;
use crate::certificate::Certificate;
use crate::conflict::{Touched, conflict, conflicts, touched};
use crate::countdown::{Countdown, countdowns};
use crate::custody;
use crate::guards;
use crate::held::Held;
use crate::lock::{Lock, excluding};
use crate::may_happen_in_parallel::{Role, Way};
use crate::program::Program;
use crate::prune::Pruned;
use crate::reason::{Reason, Tally};
use crate::tickets::Tickets;
use crate::tokens::Tokens;
use dataflow::Accesses;
use verdict::{Budget, Proof, Stats, Verdict};
use xcfa::{EdgeId, ProcId};

/// Checks every pair of steps that could race.
pub fn all_kept_apart(pruned: &Pruned, budget: &Budget, stats: &mut Stats) -> Verdict {
    let program = Program::of(&pruned.xcfa);
    let mut pairs = Pairs::of(&program);
    let mut tally = Tally::default();
    let verdict = pairs.check(budget, &mut tally, &pruned.origin);
    tally.report(stats);
    if let Some(apart) = &pairs.apart {
        stats.set("solver checks", apart.prover.asked);
    }
    verdict
}

/// What is known about the steps of a program.
struct Pairs<'p, 'a> {
    program: &'p Program<'a>,
    /// The steps that access data.
    touched: Vec<Touched>,
    held: Held,
    /// By edge: are all its accesses certainly atomic?
    atomic: Vec<bool>,
    /// What is known about values; none if the program is too large.
    apart: Option<AddressDisjointness<'p, 'a>>,
    tokens: Option<Tokens>,
    countdowns: Vec<Countdown>,
}

impl<'p, 'a> Pairs<'p, 'a> {
    fn of(program: &'p Program<'a>) -> Pairs<'p, 'a> {
        let xcfa = program.xcfa;
        let accesses = Accesses::of(xcfa, program.points_to, program.sharing, None);
        let touched = xcfa.edge_ids().map(|step| touched(&accesses, step));
        let atomic = atomic_edges(xcfa);
        let mut apart = AddressDisjointness::of(program);
        let held = custody::held(program, apart.as_mut());
        if let Some(apart) = &mut apart {
            apart.tickets = Tickets::of_program(program, &apart.values, &held, &atomic);
        }
        let tokens = apart
            .as_mut()
            .map(|it| Tokens::of(program, &mut it.values, &mut it.prover, &atomic));
        let countdowns = apart.as_mut().map(|it| {
            let (values, prover) = (&mut it.values, &mut it.prover);
            countdowns(program, values, prover, &held, &atomic)
        });
        Pairs {
            program,
            tokens,
            countdowns: countdowns.unwrap_or_default(),
            touched: touched.filter(|touched| !touched.all.is_empty()).collect(),
            held,
            atomic,
            apart,
        }
    }

    /// `origin` tells which edge each was in the program that was asked about.
    fn check(&mut self, budget: &Budget, tally: &mut Tally, origin: &[EdgeId]) -> Verdict {
        let mut certificate = Certificate::default();
        for first in 0..self.touched.len() {
            if let Some(reason) = budget.exceeded(0) {
                return Verdict::Unknown(reason);
            }
            for second in first..self.touched.len() {
                if !self.could_race(first, second) {
                    continue;
                }
                let (a, b) = (self.touched[first].step, self.touched[second].step);
                match self.reason(a, b) {
                    Some((reason, lock)) => {
                        let pair = (origin[a.0 as usize], origin[b.0 as usize]);
                        certificate.add(pair, reason, lock);
                        tally.add(reason);
                    }
                    None => {
                        let (a, b) = (self.place(a), self.place(b));
                        let why = format!("nothing is known to keep {a} and {b} apart");
                        return Verdict::Unknown(verdict::Reason::Inconclusive(why));
                    }
                }
            }
        }
        Verdict::Safe(Proof::KeptApart {
            pairs: tally.total(),
            certificate: certificate.to_json(),
        })
    }

    fn place(&self, edge: EdgeId) -> String {
        let xcfa = self.program.xcfa;
        let place = xcfa.sources.place(xcfa[edge].span);
        format!("{}:{}", place.file, place.line)
    }

    fn could_race(&self, first: usize, second: usize) -> bool {
        let (a, b) = (&self.touched[first], &self.touched[second]);
        let both_atomic = self.atomic[a.step.0 as usize] && self.atomic[b.step.0 as usize];
        !both_atomic && conflict(a, b) && self.in_parallel(a.step, b.step)
    }

    /// Can different threads take the two?
    fn in_parallel(&self, a: EdgeId, b: EdgeId) -> bool {
        let roots = |edge: EdgeId| -> Vec<ProcId> {
            let proc = self.program.xcfa[self.program.xcfa[edge].source].proc;
            self.program.threads.running(proc).collect()
        };
        let (of_a, of_b) = (roots(a), roots(b));
        let mut pairs = of_a.iter().flat_map(|x| of_b.iter().map(move |y| (x, y)));
        pairs.any(|(x, y)| x != y || !self.program.threads.starts_at_most_once(*x))
    }

    /// What keeps the two apart, and the lock if it is one with a name.
    fn reason(&mut self, a: EdgeId, b: EdgeId) -> Option<(Reason, Option<Lock>)> {
        let before_threads = |edge: EdgeId| {
            let xcfa = self.program.xcfa;
            xcfa.before_threads()[xcfa[edge].source.0 as usize]
        };
        if before_threads(a) || before_threads(b) {
            return Some((Reason::BeforeThreads, None));
        }
        let held = self.held.during(self.program, a);
        let other = self.held.during(self.program, b);
        if let Some(lock) = excluding(&held, &other) {
            return Some((Reason::Lock, Some(lock)));
        }
        let values = self.apart.as_mut().map(|it| &mut it.values);
        if values.is_some_and(|it| guards::share_one(it, &held, &other)) {
            return Some((Reason::Lock, None));
        }
        let tokens = self.tokens.as_ref();
        if tokens.is_some_and(|it| it.exclude_each_other(self.program, a, b)) {
            return Some((Reason::Semaphore, None));
        }
        let apart = self.apart.as_mut()?;
        let ways = apart.may_happen_in_parallel.ways(self.program, a, b);
        let mut found = Reason::StartOrJoin;
        for way in ways {
            found = self.reason_for(way, a, b)?.max(found);
        }
        Some((found, None))
    }

    /// What keeps the two apart if threads in these roles take them.
    fn reason_for(&mut self, way: Way, a: EdgeId, b: EdgeId) -> Option<Reason> {
        if self.is_counted_down(way, a, b) {
            return Some(Reason::Countdown);
        }
        let conflicts = conflicts(self.program, a, b);
        let apart = self.apart.as_mut()?;
        let mut found = Reason::StartOrJoin;
        for (a, b) in conflicts {
            let (a, b) = (a?, b?);
            let reason = apart.reason(way, a, b).or_else(|| {
                let (values, prover) = (&mut apart.values, &mut apart.prover);
                let guarded =
                    guards::exclude_each_other(self.program, values, prover, &self.held, (a, b));
                guarded.then_some(Reason::Lock)
            });
            found = reason?.max(found);
        }
        Some(found)
    }

    /// Has the thread that takes one of the steps finished before its creator came to the other?
    fn is_counted_down(&self, way: Way, a: EdgeId, b: EdgeId) -> bool {
        let (at, start, step) = match (way.first, way.second) {
            (Role::Creator, Role::Started(start)) => (a, start, b),
            (Role::Started(start), Role::Creator) => (b, start, a),
            _ => return false,
        };
        let at = self.program.xcfa[at].source;
        self.countdowns
            .iter()
            .any(|it| it.excludes(self.program, at, start, step))
    }
}
