//! Which local variables matter at a location.
//!
//! Law: two states that differ only in locals that are dead where their threads are have the
//! same runs. Globals and thread-local variables are always live and not listed.

use expr::VarId;
use xcfa::{Edge, LocId, Scope, Xcfa};

/// The live locals of every location, by activation of its procedure.
#[derive(Clone, Debug)]
pub struct Liveness {
    live: Vec<Vec<VarId>>,
}

impl Liveness {
    /// Analyses every procedure.
    pub fn of(xcfa: &Xcfa) -> Liveness {
        let effects: Vec<Effect> = xcfa
            .edges
            .iter()
            .map(|edge| Effect::of(xcfa, edge))
            .collect();
        let mut live = vec![Vec::new(); xcfa.locs.len()];
        for proc in &xcfa.procs {
            live[proc.exit.0 as usize].extend(proc.result);
        }
        let mut queued = vec![true; xcfa.locs.len()];
        let mut work: Vec<LocId> = xcfa.loc_ids().collect();
        while let Some(loc) = work.pop() {
            queued[loc.0 as usize] = false;
            let mut now = live[loc.0 as usize].clone();
            for &edge in &xcfa[loc].out {
                let after = &live[xcfa[edge].target.0 as usize];
                now = effects[edge.0 as usize].with_before(after, &now);
            }
            if now.len() == live[loc.0 as usize].len() {
                continue;
            }
            live[loc.0 as usize] = now;
            for &edge in &xcfa[loc].inc {
                let before = xcfa[edge].source;
                if !std::mem::replace(&mut queued[before.0 as usize], true) {
                    work.push(before);
                }
            }
        }
        Liveness { live }
    }

    /// The live locals at a location, sorted.
    pub fn live(&self, loc: LocId) -> &[VarId] {
        &self.live[loc.0 as usize]
    }

    /// Can the value that `var` has at `loc` still be used?
    pub fn is_live(&self, loc: LocId, var: VarId) -> bool {
        self.live(loc).binary_search(&var).is_ok()
    }
}

/// Is this a variable of one activation?
pub fn is_local(xcfa: &Xcfa, var: VarId) -> bool {
    matches!(xcfa[var].scope, Scope::Local(_))
}

/// What an edge uses before setting it, and what it sets; both sorted.
struct Effect {
    uses: Vec<VarId>,
    sets: Vec<VarId>,
}

impl Effect {
    fn of(xcfa: &Xcfa, edge: &Edge) -> Effect {
        let mut effect = Effect {
            uses: Vec::new(),
            sets: Vec::new(),
        };
        for label in &edge.labels {
            for var in label.terms().flat_map(|term| xcfa.terms.vars(term)) {
                if is_local(xcfa, var) && !effect.sets.contains(&var) {
                    effect.uses.push(var);
                }
            }
            effect
                .sets
                .extend(label.defines().filter(|&var| is_local(xcfa, var)));
        }
        for list in [&mut effect.uses, &mut effect.sets] {
            list.sort_unstable();
            list.dedup();
        }
        effect
    }

    /// What is known to be live, and what is live before the edge, given what is live after it.
    fn with_before(&self, after: &[VarId], known: &[VarId]) -> Vec<VarId> {
        let through = after.iter().copied();
        let through: Vec<VarId> = through
            .filter(|var| self.sets.binary_search(var).is_err())
            .collect();
        merged(&merged(&self.uses, &through), known)
    }
}

/// Both of two sorted lists without repetition, as one of that kind.
fn merged(a: &[VarId], b: &[VarId]) -> Vec<VarId> {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(&&first), Some(&&second)) = (a.peek(), b.peek()) {
        all.push(first.min(second));
        a.next_if(|_| first <= second);
        b.next_if(|_| second <= first);
    }
    all.extend(a.chain(b));
    all
}

#[cfg(test)]
mod tests {
    use super::Liveness;
    use automata::parse;

    #[test]
    fn a_counter_is_live_round_its_loop() {
        let xcfa = parse(
            "global x
             proc main() -> r
               in -> 1: i := 0
               1 -> 2: assume i < 3
               2 -> 1: t := x; i := i + 1
               1 -> out: r := 1",
        );
        let liveness = Liveness::of(&xcfa);
        let names = |loc| -> Vec<&str> {
            liveness
                .live(loc)
                .iter()
                .map(|&var| &*xcfa[var].name)
                .collect()
        };
        let live: Vec<_> = xcfa.loc_ids().map(names).collect();
        assert_eq!(live, [vec![], vec!["r"], vec!["i"], vec!["i"]]);
    }
}
