//! Every pair of conflicting steps, and what keeps it apart.

use crate::apart::Apart;
use crate::atomic::atomic_edges;
use crate::beyond;
use crate::conflict::{Touched, conflict, conflicts, touched};
use crate::countdown::{Countdown, countdowns};
use crate::families::{Families, Role, Way};
use crate::guards::Guards;
use crate::handles::Handles;
use crate::held;
use crate::program::Program;
use crate::prover::Prover;
use crate::reason::{Reason, Tally};
use crate::tickets::Tickets;
use crate::tokens::Tokens;
use crate::undisturbed::guards;
use crate::values::Values;
use passes::{Accesses, Locksets};
use verdict::{Budget, Proof, Stats, Verdict};
use xcfa::{EdgeId, ProcId, Xcfa};

/// Looks at every pair of steps that could race.
pub fn all_kept_apart(xcfa: &Xcfa, budget: &Budget, stats: &mut Stats) -> Verdict {
    let program = Program::of(xcfa);
    let mut pairs = Pairs::of(&program);
    let mut tally = Tally::default();
    let verdict = pairs.check(budget, &mut tally);
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
    locksets: Locksets,
    /// By location: is it only reached before the first thread starts?
    alone: Vec<bool>,
    /// By edge: are all its accesses certainly atomic?
    atomic: Vec<bool>,
    /// What is known about values; none if the program is too large.
    apart: Option<Apart<'p, 'a>>,
    tokens: Option<Tokens>,
    countdowns: Vec<Countdown>,
    guards: Option<Guards>,
}

impl<'p, 'a> Pairs<'p, 'a> {
    fn of(program: &'p Program<'a>) -> Pairs<'p, 'a> {
        let xcfa = program.xcfa;
        let accesses = Accesses::of(xcfa, &program.points_to, &program.sharing, None);
        let touched = xcfa.edge_ids().map(|step| touched(&accesses, step));
        let locksets = Locksets::of(xcfa, &program.points_to);
        let atomic = atomic_edges(xcfa);
        let mut apart = Values::of(xcfa).map(|mut values| {
            let mut prover = Prover::default();
            let handles = Handles::of(program, &mut values);
            Apart {
                families: Families::of(program, &handles, &mut values, &mut prover),
                tickets: Tickets::of_program(program, &values, &locksets, &atomic),
                program,
                handles,
                values,
                prover,
            }
        });
        let tokens = apart
            .as_mut()
            .map(|it| Tokens::of(program, &mut it.values, &mut it.prover, &atomic));
        let countdowns = apart.as_mut().map(|it| {
            let (values, prover) = (&mut it.values, &mut it.prover);
            countdowns(program, values, prover, &locksets, &atomic)
        });
        let guards = apart.as_mut().map(|it| guards(program, it));
        Pairs {
            program,
            guards,
            tokens,
            countdowns: countdowns.unwrap_or_default(),
            touched: touched.filter(|touched| !touched.all.is_empty()).collect(),
            locksets,
            alone: passes::locations_before_threads(xcfa),
            atomic,
            apart,
        }
    }

    fn check(&mut self, budget: &Budget, tally: &mut Tally) -> Verdict {
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
                    Some(reason) => tally.add(reason),
                    None => {
                        let (a, b) = (self.place(a), self.place(b));
                        return beyond(format!("nothing is known to keep {a} and {b} apart"));
                    }
                }
            }
        }
        Verdict::Safe(Proof::KeptApart {
            pairs: tally.total(),
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

    fn reason(&mut self, a: EdgeId, b: EdgeId) -> Option<Reason> {
        let before_threads = |edge: EdgeId| self.alone[self.program.xcfa[edge].source.0 as usize];
        if before_threads(a) || before_threads(b) {
            return Some(Reason::BeforeThreads);
        }
        let held = held::during(self.program, &self.locksets, a);
        let other = held::during(self.program, &self.locksets, b);
        if held::exclude_each_other(&held, &other) {
            return Some(Reason::Lock);
        }
        let tokens = self.tokens.as_ref();
        if tokens.is_some_and(|it| it.exclude_each_other(self.program, a, b)) {
            return Some(Reason::Semaphore);
        }
        let apart = self.apart.as_mut()?;
        let ways = apart.families.ways(self.program, a, b);
        let mut found = Reason::StartOrJoin;
        for way in ways {
            found = self.reason_for(way, a, b)?.max(found);
        }
        Some(found)
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
                let guards = self.guards.as_ref()?;
                let guarded = guards.exclude_each_other(self.program, values, prover, a, b);
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
