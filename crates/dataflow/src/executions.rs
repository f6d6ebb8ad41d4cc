//! How often an edge can be taken in one run.

use crate::Analysed;
use rustc_hash::FxHashMap;
use xcfa::{Callee, EdgeId, Label, ProcId};

/// Law: no run takes an edge more often than [`Executions::most`] says. All threads count together.
///
/// A round of a loop takes an edge of it once, or as often as the loops inside go round. Nothing is known about a procedure
/// that is called, and of one with a loop that can be entered elsewhere than at its head.
pub struct Executions<'a> {
    xcfa: &'a Analysed,
    /// By procedure: how often it begins; nothing if that is not known.
    activations: FxHashMap<ProcId, Option<u64>>,
}

impl Executions<'_> {
    /// Counts the threads of every procedure.
    pub fn of(xcfa: &Analysed) -> Executions<'_> {
        let mut counted = Executions {
            xcfa,
            activations: FxHashMap::default(),
        };
        for proc in xcfa.proc_ids() {
            counted.activations_of(proc);
        }
        counted
    }

    /// At most so often is the edge taken; nothing if that is not known.
    pub fn most(&self, edge: EdgeId) -> Option<u64> {
        let proc = self.xcfa[self.xcfa[edge].source].proc;
        let begins = self.activations.get(&proc).copied().flatten()?;
        begins.checked_mul(self.in_one_activation(edge)?)
    }

    fn activations_of(&mut self, proc: ProcId) -> Option<u64> {
        if let Some(&known) = self.activations.get(&proc) {
            return known;
        }
        // Until it is known: a thread that starts its own procedure begins without a bound.
        self.activations.insert(proc, None);
        let found = self.count(proc);
        self.activations.insert(proc, found);
        found
    }

    fn count(&mut self, proc: ProcId) -> Option<u64> {
        let xcfa = self.xcfa;
        let mut sum = u64::from(proc == xcfa.main);
        for edge in xcfa.edge_ids() {
            for label in &xcfa[edge].labels {
                match label {
                    Label::Start { proc: started, .. } if *started == proc => {
                        let starter = self.activations_of(xcfa[xcfa[edge].source].proc)?;
                        let times = starter.checked_mul(self.in_one_activation(edge)?)?;
                        sum = sum.checked_add(times)?;
                    }
                    Label::Call {
                        callee: Callee::Pointer(_),
                        ..
                    } => return None,
                    Label::Call {
                        callee: Callee::Direct(called),
                        ..
                    } if *called == proc => return None,
                    _ => {}
                }
            }
        }
        Some(sum)
    }

    /// How often one activation of its procedure takes the edge.
    fn in_one_activation(&self, edge: EdgeId) -> Option<u64> {
        let (xcfa, source) = (self.xcfa, self.xcfa[edge].source);
        let proc = xcfa[source].proc;
        let mut times = 1_u64;
        for l in &xcfa.loops().loops {
            if xcfa[l.head].proc != proc {
                continue;
            }
            if !l.reducible {
                return None;
            }
            if l.contains(source) {
                times = times.checked_mul(l.bound?.checked_add(1)?)?;
            }
        }
        Some(times)
    }
}

#[cfg(test)]
mod tests {
    use super::Executions;
    use crate::Analysed;
    use automata::parse;
    use xcfa::Label;

    #[test]
    fn loops_and_threads_multiply() {
        let xcfa = Analysed::from(parse(
            "global x
             proc t(px)
               in -> out: x := x + 1
             proc main()
               in -> 1: i := 0
               1 -> 2: assume i < 3; h := start t()
               2 -> 1: i := i + 1
               1 -> 3: assume !(i < 3)
               3 -> 3: x := x + 1",
        ));
        let counted = Executions::of(&xcfa);
        let sets = |edge: &xcfa::EdgeId| {
            let mut labels = xcfa[*edge].labels.iter();
            labels.any(|label| matches!(label, Label::Assign { var, .. } if xcfa[*var].name == "x"))
        };
        let most: Vec<Option<u64>> = xcfa
            .edge_ids()
            .filter(sets)
            .map(|edge| counted.most(edge))
            .collect();
        // Starting costs a fourth, which is tested away: bounds are of rounds, not of edges.
        assert_eq!(most, [Some(4), None]);
    }
}
