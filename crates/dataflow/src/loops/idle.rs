//! Rounds of loops that change nothing: waiting until others have done something.

use super::{Loop, Loops};
use crate::{BitSet, Liveness};
use xcfa::{Edge, EdgeId, Label, LocId, Scope, Xcfa};

impl Loops {
    /// The back edges that close only rounds which leave everything as it was.
    ///
    /// Law: a run that takes such a round can leave it out and reach the same states, apart from
    /// those inside the round. So these edges do not matter to what is reachable; they do matter to
    /// what is endless.
    pub fn idle_back_edges(&self, xcfa: &Xcfa) -> Vec<EdgeId> {
        let liveness = Liveness::of(xcfa);
        let mut idle = Vec::new();
        for l in self.loops.iter().filter(|l| l.reducible) {
            let back_edges = l.back_edges.iter().copied();
            idle.extend(back_edges.filter(|&edge| is_idle(xcfa, &liveness, l, edge)));
        }
        idle
    }
}

/// Does everything between the head and this back edge leave no trace?
fn is_idle(xcfa: &Xcfa, liveness: &Liveness, l: &Loop, back: EdgeId) -> bool {
    let between = locations_before(xcfa, l, xcfa[back].source);
    let inside = |loc: LocId| between.contains(loc.0 as usize);
    let of_round = xcfa.edge_ids().filter(|&edge| {
        let Edge { source, target, .. } = &xcfa[edge];
        edge == back || (*source == l.head || inside(*source)) && inside(*target)
    });
    of_round
        .into_iter()
        .all(|edge| leaves_no_trace(xcfa, liveness, l.head, &xcfa[edge]))
}

/// The locations of a loop from which `last` can be reached without passing the head.
fn locations_before(xcfa: &Xcfa, l: &Loop, last: LocId) -> BitSet {
    let mut seen = BitSet::new();
    let mut work = vec![last];
    while let Some(loc) = work.pop() {
        if loc != l.head && l.contains(loc) && seen.insert(loc.0 as usize) {
            work.extend(xcfa[loc].inc.iter().map(|&edge| xcfa[edge].source));
        }
    }
    seen
}

/// Does an edge set nothing but locals that are not needed at the head?
fn leaves_no_trace(xcfa: &Xcfa, liveness: &Liveness, head: LocId, edge: &Edge) -> bool {
    edge.labels.iter().all(|label| match label {
        Label::Assign { var, .. } | Label::Load { var, .. } | Label::Havoc { var, .. } => {
            matches!(xcfa[*var].scope, Scope::Local(_)) && !liveness.is_live(head, *var)
        }
        Label::Assume(_) | Label::AtomicBegin | Label::AtomicEnd => true,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use crate::Loops;
    use automata::parse;

    fn idle(text: &str) -> usize {
        let xcfa = parse(text);
        Loops::of(&xcfa).idle_back_edges(&xcfa).len()
    }

    #[test]
    fn waiting_is_idle() {
        let waits = "global x
             proc main()
               in -> 1:
               1 -> 2: t := x
               2 -> 1: assume t == 0
               2 -> out: assume !(t == 0)";
        assert_eq!(idle(waits), 1);
    }

    #[test]
    fn counting_and_writing_are_not() {
        let counts = "global x
             proc main()
               in -> 1: n := 0
               1 -> 2: t := x
               2 -> 1: assume t == 0; n := n + 1
               2 -> out: assume !(t == n)";
        assert_eq!(idle(counts), 0);
        let writes = "global x
             proc main()
               in -> 1:
               1 -> 2: t := x
               2 -> 1: assume t == 0; x := 0
               2 -> out: assume !(t == 0)";
        assert_eq!(idle(writes), 0);
    }
}
