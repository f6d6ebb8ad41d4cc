//! Steps that do nothing are contracted.
//!
//! Law: the same runs without the idle steps. An endless loop of idle steps stays an endless
//! loop: one location with an idle edge to itself. Only a location whose single way out is idle
//! disappears, so no choice is made earlier or later than before.

use dataflow::graph;
use expr::{Node, Op, Term};
use rustc_hash::FxHashSet;
use xcfa::{Edge, Label, LocId, Xcfa};

/// Contracts idle edges, and branches that make no difference.
pub fn contract_idle_edges(xcfa: &mut Xcfa) {
    loop {
        let merged = merge_equal_branches(xcfa);
        let contracted = contract(xcfa);
        if !merged && !contracted {
            return;
        }
    }
}

/// Two ways to the same place, one with a local condition and one with its negation, are one way
/// without; two equal edges are one.
fn merge_equal_branches(xcfa: &mut Xcfa) -> bool {
    let mut keep = vec![true; xcfa.edges.len()];
    for loc in xcfa.loc_ids() {
        let mut seen: FxHashSet<(LocId, &[Label], bool)> = FxHashSet::default();
        for &edge in &xcfa[loc].out {
            let Edge {
                target,
                labels,
                atomic,
                ..
            } = &xcfa[edge];
            keep[edge.0 as usize] = seen.insert((*target, labels, *atomic));
        }
    }
    for loc in xcfa.loc_ids() {
        let out: Vec<_> = xcfa[loc]
            .out
            .iter()
            .copied()
            .filter(|edge| keep[edge.0 as usize])
            .collect();
        let &[a, b] = &*out else { continue };
        if let ([Label::Assume(x)], [Label::Assume(y)]) = (&*xcfa[a].labels, &*xcfa[b].labels)
            && xcfa[a].target == xcfa[b].target
            && are_opposite(xcfa, *x, *y)
        {
            xcfa[a].labels.clear();
            keep[b.0 as usize] = false;
        }
    }
    let changed = keep.contains(&false);
    if changed {
        xcfa.retain_edges(|edge, _| keep[edge.0 as usize]);
    }
    changed
}

/// Is one the negation of the other, with nothing shared in them?
fn are_opposite(xcfa: &Xcfa, x: Term, y: Term) -> bool {
    let negates = |x, y| xcfa.terms.node(x) == Node::Unary(Op::Not, y);
    (negates(x, y) || negates(y, x)) && !xcfa.terms.vars(x).iter().any(|&var| xcfa.is_global(var))
}

fn contract(xcfa: &mut Xcfa) -> bool {
    let next: Vec<Option<LocId>> = xcfa
        .loc_ids()
        .map(|loc| idle_successor(xcfa, loc))
        .collect();
    let chains: Vec<Vec<usize>> = next
        .iter()
        .map(|next| next.iter().map(|loc| loc.0 as usize).collect())
        .collect();
    let cyclic = graph::on_cycle(&chains);
    let mut place: Vec<Option<LocId>> = vec![None; xcfa.locs.len()];
    for loc in xcfa.loc_ids() {
        resolve(loc, &next, &cyclic, &mut place);
    }
    let place: Vec<LocId> = place
        .into_iter()
        .map(|loc| loc.expect("all are resolved"))
        .collect();
    let changed = xcfa.loc_ids().any(|loc| place[loc.0 as usize] != loc);
    if changed {
        redirect(xcfa, &place);
    }
    changed
}

/// Where the only edge of a location leads, if that edge does nothing and goes elsewhere.
fn idle_successor(xcfa: &Xcfa, loc: LocId) -> Option<LocId> {
    let &[edge] = &*xcfa[loc].out else {
        return None;
    };
    let proc = &xcfa[xcfa[loc].proc];
    let target = xcfa[edge].target;
    // Being at an error location may end the process, so the way to it is not idle.
    let idle = xcfa[edge].labels.is_empty()
        && target != loc
        && proc.exit != loc
        && xcfa[target].error.is_none();
    // A procedure starts before it ends, even if nothing happens in between.
    let empty_body = loc == proc.init && leads_to_exit(xcfa, target, proc.exit);
    (idle && !empty_body).then_some(target)
}

fn leads_to_exit(xcfa: &Xcfa, mut loc: LocId, exit: LocId) -> bool {
    let mut steps = 0;
    while loc != exit {
        let &[edge] = &*xcfa[loc].out else {
            return false;
        };
        steps += 1;
        if !xcfa[edge].labels.is_empty() || steps > xcfa.locs.len() {
            return false;
        }
        loc = xcfa[edge].target;
    }
    true
}

/// Finds where a chain of idle edges ends; a cycle ends at its first location.
fn resolve(loc: LocId, next: &[Option<LocId>], cyclic: &[bool], place: &mut [Option<LocId>]) {
    let mut chain = Vec::new();
    let mut at = loc;
    let end = loop {
        if let Some(end) = place[at.0 as usize] {
            break end;
        }
        if cyclic[at.0 as usize] {
            break first_of_cycle(at, next);
        }
        chain.push(at);
        match next[at.0 as usize] {
            Some(to) => at = to,
            None => break at,
        }
    };
    place[at.0 as usize] = Some(end);
    for loc in chain {
        place[loc.0 as usize] = Some(end);
    }
}

fn first_of_cycle(start: LocId, next: &[Option<LocId>]) -> LocId {
    let mut first = start;
    let mut at = next[start.0 as usize];
    while let Some(loc) = at.filter(|&loc| loc != start) {
        first = first.min(loc);
        at = next[loc.0 as usize];
    }
    first
}

fn redirect(xcfa: &mut Xcfa, place: &[LocId]) {
    let old: Vec<Edge> = std::mem::take(&mut xcfa.edges);
    for loc in &mut xcfa.locs {
        loc.out.clear();
        loc.inc.clear();
    }
    for mut edge in old {
        if place[edge.source.0 as usize] != edge.source {
            continue;
        }
        edge.target = place[edge.target.0 as usize];
        xcfa.add_edge(edge);
    }
    for proc in &mut xcfa.procs {
        proc.init = place[proc.init.0 as usize];
    }
    xcfa.retain_edges(|_, _| true);
}

#[cfg(test)]
mod tests {
    use automata::parse;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let mut xcfa = parse(text);
        super::contract_idle_edges(&mut xcfa);
        expected.assert_eq(&xcfa.dump());
    }

    #[test]
    fn chains_vanish_and_endless_loops_stay() {
        check(
            "global x
             proc main()
               in -> 1: skip
               1 -> 2: skip
               2 -> 3: x := 1
               3 -> 4: skip
               4 -> 5: skip
               5 -> 6: skip
               6 -> 4: skip",
            expect![[r#"
                thread_local self: bv64
                global x: bv32 = 0

                proc main() init L1 exit L0
                  L1 -> L2: x := 1
                  L2 -> L2: skip
            "#]],
        );
    }

    #[test]
    fn a_branch_without_a_difference_is_none() {
        check(
            "global x
             proc main()
               in -> 1: t := input
               1 -> 2: assume t == 0
               1 -> 3: assume t != 0
               2 -> 4: skip
               3 -> 4: skip
               4 -> 5: x := 1
               5 -> out: skip
             proc empty()
               in -> 1: skip
               1 -> out: skip",
            expect![[r#"
                thread_local self: bv64
                global x: bv32 = 0

                proc main() init L0 exit L1
                  L0 -> L4: t := input input()
                  L4 -> L1: x := 1

                proc empty() init L2 exit L3
                  L2 -> L3: skip
            "#]],
        );
    }

    #[test]
    fn an_idle_choice_is_a_choice() {
        check(
            "global x
             proc main()
               in -> 1: skip
               in -> 2: x := 1
               1 -> out: await x == 0
               2 -> out: skip",
            expect![[r#"
                thread_local self: bv64
                global x: bv32 = 0

                proc main() init L0 exit L1
                  L0 -> L2: skip
                  L0 -> L1: x := 1
                  L2 -> L1: await (x == 0)
            "#]],
        );
    }
}
