//! Invariants for correctness witnesses.
//!
//! Proofs of engines are about programs in which steps were merged and interleavings left out, so
//! their invariants need not hold in every state of the text. What is written instead is found by
//! visiting every state, in every interleaving: the values that globals have whenever a loop's
//! condition is about to be evaluated. Where there are too many states, or inputs that cannot be
//! tried with all their values, there are no such invariants. A program from which something was
//! dropped does not say what values that had, so the caller proves invariants before it writes them.

use crate::annotated_program::AnnotatedProgram;
use crate::outline::contains;
use crate::yaml::{Invariant, Location};
use expr::{Sort, VarId, sign_extend};
use rustc_hash::FxHashSet;
use semantics::State;
use statespace::{Codec, Inputs, Scratch, expand};
use verdict::Budget;
use xcfa::{Label, LocId, Scope};

/// No more states than this are visited.
const MOST_STATES: usize = 200_000;

/// The smallest and the largest value of every global at one loop.
type Ranges = Vec<Option<(i128, i128)>>;

struct Collector<'s, 'a> {
    program: &'s AnnotatedProgram<'a>,
    globals: Vec<VarId>,
    /// By location: the loops whose condition begins or goes on there, by number.
    loops_at: Vec<Vec<usize>>,
    /// By loop.
    ranges: Vec<Ranges>,
}

/// What holds of the globals at the loops of a program; nothing if not every state could be visited.
pub fn loop_invariants(program: &AnnotatedProgram<'_>, budget: &Budget) -> Vec<Invariant> {
    let mut collector = Collector::new(program);
    match collector.globals.is_empty() || !collector.visit_all(budget) {
        true => Vec::new(),
        false => collector.invariants(),
    }
}

impl<'s, 'a> Collector<'s, 'a> {
    fn new(program: &'s AnnotatedProgram<'a>) -> Collector<'s, 'a> {
        let xcfa = program.machine.xcfa;
        let written = |var: VarId| {
            let mut labels = xcfa.edges.iter().flat_map(|edge| &edge.labels);
            labels.any(|label| Label::defines(label) == Some(var))
        };
        let wanted = |var: &VarId| {
            let known = &xcfa[*var];
            let named = known
                .name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'_');
            let plain = known.scope == Scope::Global && !known.temp && named;
            plain && matches!(known.sort, Sort::Bv(_)) && written(*var)
        };
        let branches = &program.outline.branches;
        let at = |loc: LocId| {
            let loops = branches
                .iter()
                .enumerate()
                .filter(|(_, branch)| branch.repeats);
            let here = loops.filter(|(_, branch)| {
                let mut out = xcfa[loc].out.iter();
                out.any(|&edge| contains(branch.cond, xcfa[edge].span))
            });
            here.map(|(number, _)| number).collect()
        };
        let globals: Vec<VarId> = xcfa.var_ids().filter(wanted).collect();
        Collector {
            program,
            loops_at: xcfa.loc_ids().map(at).collect(),
            ranges: vec![vec![None; globals.len()]; branches.len()],
            globals,
        }
    }

    /// Visits every reachable state; was that possible?
    fn visit_all(&mut self, budget: &Budget) -> bool {
        let machine = self.program.machine;
        let codec = Codec::new(machine);
        let mut inputs = Inputs::new(machine.xcfa);
        let mut scratch = Scratch::new(machine.xcfa, machine.initial());
        let mut seen: FxHashSet<Vec<u8>> = FxHashSet::default();
        let mut todo = vec![machine.initial()];
        let mut turns = 0u32;
        while let Some(state) = todo.pop() {
            turns += 1;
            if seen.len() > MOST_STATES || turns.is_multiple_of(64) && budget.exceeded(0).is_some()
            {
                return false;
            }
            self.note(&state);
            let mut key = Vec::new();
            let summary = expand(machine, &mut inputs, &mut scratch, &state, |next| {
                codec.encode(next.state, &mut key);
                if seen.insert(key.clone()) {
                    todo.push(next.state.clone());
                }
            });
            // After a violation of the property there may be more states, which are not visited.
            let open = summary.open.is_some() || summary.beyond.is_some();
            if open || summary.violation.is_some() {
                return false;
            }
        }
        let xcfa = machine.xcfa;
        inputs.not_covered().is_empty() && xcfa.foreign.is_none() && xcfa.unspecified.is_none()
    }

    fn note(&mut self, state: &State) {
        for tid in state.running() {
            for &number in &self.loops_at[state.thread(tid).loc.0 as usize] {
                for (at, &var) in self.globals.iter().enumerate() {
                    let known = &self.program.machine.xcfa[var];
                    let bits = self.program.machine.value(state, tid, var);
                    let value = match known.signed {
                        true => i128::from(sign_extend(bits, known.sort.width())),
                        false => i128::from(bits),
                    };
                    let range = &mut self.ranges[number][at];
                    *range = Some(match *range {
                        Some((low, high)) => (low.min(value), high.max(value)),
                        None => (value, value),
                    });
                }
            }
        }
    }

    fn invariants(&self) -> Vec<Invariant> {
        let mut all = Vec::new();
        for (branch, ranges) in self.program.outline.branches.iter().zip(&self.ranges) {
            let sources = &self.program.machine.xcfa.sources;
            let Some(place) = self.program.places.start(sources, branch.keyword) else {
                continue;
            };
            let known = self.globals.iter().zip(ranges);
            let parts = known.filter_map(|(&var, range)| self.formula(var, (*range)?));
            let value = parts.collect::<Vec<_>>().join(" && ");
            if value.is_empty() {
                continue;
            }
            let function = self.program.outline.function_at(branch.keyword);
            all.push(Invariant {
                kind: "loop_invariant".into(),
                location: Location {
                    file_name: self.program.places.name(place.file).to_owned(),
                    line: place.line,
                    column: place.column,
                    function: function.map(str::to_owned),
                },
                value,
                format: "c_expression".into(),
            });
        }
        all
    }

    /// A range in C; nothing for values that C has no plain constant for.
    fn formula(&self, var: VarId, (low, high): (i128, i128)) -> Option<String> {
        let name = &self.program.machine.xcfa[var].name;
        let plain = |value: i128| i128::from(i32::MIN) < value && value <= i128::from(i32::MAX);
        if !plain(low) || !plain(high) {
            return None;
        }
        Some(match low == high {
            true => format!("{name} == {low}"),
            false => format!("{low} <= {name} && {name} <= {high}"),
        })
    }
}
