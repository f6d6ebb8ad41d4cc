//! Calls through function pointers become branches over the functions that the pointer can hold.
//!
//! Law: the same runs, except that a call through a pointer to none of the possible functions
//! ends the run, as undefined behaviour does. Where argument and parameter do not fit, what C
//! leaves open stays arbitrary. Branches that start a thread in a function which the pointer
//! cannot hold disappear.

use dataflow::PointsTo;
use expr::{Node, ObjId, Op, Sort, Term, VarId};
use xcfa::{Callee, Edge, EdgeId, HavocOrigin, Label, LocId, ObjectKind, ProcId, Xcfa};

/// Turns every [`Callee::Pointer`] into direct calls.
pub fn resolve(xcfa: &mut Xcfa, points_to: &PointsTo) {
    let mut keep: Vec<bool> = xcfa
        .edges
        .iter()
        .map(|edge| !starts_what_it_cannot(xcfa, points_to, edge))
        .collect();
    // Branches go to the end of the list, so that a second call on one edge gets its turn too.
    let mut next = 0;
    while next < xcfa.edges.len() {
        let id = EdgeId(next as u32);
        next += 1;
        if let Some(at) = xcfa[id].labels.iter().position(is_pointer_call) {
            keep[id.0 as usize] = false;
            for edge in branches_of(xcfa, points_to, id, at) {
                xcfa.add_edge(edge);
                keep.push(true);
            }
        }
    }
    for loc in xcfa.loc_ids() {
        keep_a_dead_end(xcfa, loc, &mut keep);
    }
    xcfa.retain_edges(|id, _| keep[id.0 as usize]);
}

fn is_pointer_call(label: &Label) -> bool {
    matches!(
        label,
        Label::Call {
            callee: Callee::Pointer(_),
            ..
        }
    )
}

/// A location that loses all its edges keeps one that can never be taken: a thread that is stuck
/// there was cut off by an assumption and is not part of a deadlock.
pub(crate) fn keep_a_dead_end(xcfa: &mut Xcfa, loc: LocId, keep: &mut [bool]) {
    let out = &xcfa[loc].out;
    let Some(&first) = out.first() else { return };
    if out.iter().any(|edge| keep[edge.0 as usize]) {
        return;
    }
    let falsity = xcfa.terms.bool(false);
    xcfa[first].labels = vec![Label::Assume(falsity)];
    keep[first.0 as usize] = true;
}

fn branches_of(xcfa: &mut Xcfa, points_to: &PointsTo, id: EdgeId, at: usize) -> Vec<Edge> {
    let edge = xcfa[id].clone();
    let Label::Call {
        callee: Callee::Pointer(pointer),
        args,
        result,
    } = &edge.labels[at]
    else {
        unreachable!("the caller found the call")
    };
    let callees = points_to.callees(xcfa, *pointer);
    let mut branches = Vec::new();
    for (object, proc) in callees {
        let mut labels = edge.labels[..at].to_vec();
        labels.push(Label::Assume(holds(xcfa, *pointer, object)));
        adapted_call(
            xcfa,
            xcfa[edge.source].proc,
            proc,
            args,
            *result,
            &mut labels,
        );
        labels.extend_from_slice(&edge.labels[at + 1..]);
        branches.push(Edge {
            labels,
            ..edge.clone()
        });
    }
    branches
}

fn holds(xcfa: &mut Xcfa, pointer: Term, function: ObjId) -> Term {
    let address = xcfa.terms.base(function, xcfa.pointer_bits());
    xcfa.terms.eq(pointer, address)
}

/// A direct call, with arguments and result brought to what `proc` takes and gives.
fn adapted_call(
    xcfa: &mut Xcfa,
    caller: ProcId,
    proc: ProcId,
    args: &[Term],
    result: Option<VarId>,
    labels: &mut Vec<Label>,
) {
    let params = xcfa[proc].params.clone();
    let mut adapted = Vec::new();
    for (index, &param) in params.iter().enumerate() {
        let sort = xcfa[param].sort;
        let arg = args.get(index).copied();
        adapted.push(adapt(xcfa, caller, arg, sort, labels));
    }
    let callee = Callee::Direct(proc);
    let Some(to) = result else {
        labels.push(Label::call(callee, adapted, None));
        return;
    };
    let wanted = xcfa[to].sort;
    match xcfa[proc].result.map(|var| xcfa[var].sort) {
        Some(given) if given == wanted => {
            labels.push(Label::call(callee, adapted, result));
        }
        Some(given) => {
            let raw = xcfa.add_temp(caller, given);
            labels.push(Label::call(callee, adapted, Some(raw)));
            let raw = xcfa.read(raw);
            let value = adapt(xcfa, caller, Some(raw), wanted, labels);
            labels.push(Label::Assign { var: to, value });
        }
        None => {
            labels.push(Label::call(callee, adapted, None));
            labels.push(Label::Havoc {
                var: to,
                origin: HavocOrigin::Uninitialised,
            });
        }
    }
}

/// `value` as a term of sort `wanted`; the bits that C does not define are arbitrary.
fn adapt(
    xcfa: &mut Xcfa,
    proc: ProcId,
    value: Option<Term>,
    wanted: Sort,
    labels: &mut Vec<Label>,
) -> Term {
    let given = value.map(|value| xcfa.terms.sort(value));
    if given == Some(wanted) {
        return value.expect("it has a sort");
    }
    if let (Some(value), Some(Sort::Bv(from)), Sort::Bv(to)) = (value, given, wanted)
        && to < from
    {
        return xcfa.terms.extract(value, to - 1, 0);
    }
    let free = xcfa.add_temp(proc, wanted);
    labels.push(Label::Havoc {
        var: free,
        origin: HavocOrigin::Uninitialised,
    });
    let free = xcfa.read(free);
    if let (Some(value), Some(Sort::Bv(from)), Sort::Bv(_)) = (value, given, wanted) {
        let low = xcfa.terms.extract(free, from - 1, 0);
        labels.push(Label::Assume(xcfa.terms.eq(low, value)));
    }
    free
}

/// Does this edge start a thread after a guard `pointer == &function` that cannot hold?
fn starts_what_it_cannot(xcfa: &Xcfa, points_to: &PointsTo, edge: &Edge) -> bool {
    let starts = edge
        .labels
        .iter()
        .any(|label| matches!(label, Label::Start { .. }));
    starts
        && edge.labels.iter().any(|label| match label {
            Label::Assume(guard) => guard_cannot_hold(xcfa, points_to, *guard),
            _ => false,
        })
}

fn guard_cannot_hold(xcfa: &Xcfa, points_to: &PointsTo, guard: Term) -> bool {
    let Node::Binary(Op::Eq, a, b) = xcfa.terms.node(guard) else {
        return false;
    };
    let compared = match (xcfa.terms.node(a), xcfa.terms.node(b)) {
        (Node::Base(function, _), _) => Some((function, b)),
        (_, Node::Base(function, _)) => Some((function, a)),
        _ => None,
    };
    compared.is_some_and(|(function, pointer)| {
        matches!(xcfa[function].kind, ObjectKind::Function(_))
            && !points_to.objects(xcfa, pointer).contains(&function)
    })
}

#[cfg(test)]
mod tests {
    use automata::parse;
    use dataflow::PointsTo;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let mut xcfa = parse(text);
        let points_to = PointsTo::of(&xcfa);
        super::resolve(&mut xcfa, &points_to);
        expected.assert_eq(&xcfa.dump());
    }

    #[test]
    fn a_pointer_call_branches_over_its_functions() {
        check(
            "proc f(x) -> r
               in -> out: r := x
             proc g(py, z)
               in -> out: skip
             proc other(x)
               in -> out: skip
             proc main()
               in -> 1: p := &f
               in -> 1: p := &g
               1 -> out: t := call *p(5)",
            expect![[r#"
                thread_local self: bv64

                proc f(x: bv32) -> r: bv32 init L0 exit L1
                  L0 -> L1: r := x

                proc g(py: bv64, z: bv32) init L2 exit L3
                  L2 -> L3: skip

                proc other(x: bv32) init L4 exit L5
                  L4 -> L5: skip

                proc main() init L6 exit L7
                  L6 -> L8: p := &f
                  L6 -> L8: p := &g
                  L8 -> L7: assume (&f == p); t := call f(5)
                  L8 -> L7: assume (&g == p); t8 := uninitialised; assume (bits31_0(t8) == 5); t9 := uninitialised; call g(t8, t9); t := uninitialised
            "#]],
        );
    }

    #[test]
    fn a_pointer_to_nothing_ends_the_run() {
        check(
            "proc main()
               in -> 1: p := 0
               1 -> out: call *p(5)",
            expect![[r#"
                thread_local self: bv64

                proc main() init L0 exit L1
                  L0 -> L2: p := 0
                  L2 -> L1: assume false
            "#]],
        );
    }

    #[test]
    fn threads_start_only_where_the_pointer_can_lead() {
        check(
            "proc f(px)
               in -> out: skip
             proc g(px)
               in -> out: skip
             proc main()
               in -> 1: p := &f
               1 -> out: assume p == &f; h := start f()
               1 -> out: assume p == &g; h := start g()",
            expect![[r#"
                thread_local self: bv64

                proc f(px: bv64) init L0 exit L1
                  L0 -> L1: skip

                proc g(px: bv64) init L2 exit L3
                  L2 -> L3: skip

                proc main() init L4 exit L5
                  L4 -> L6: p := &f
                  L6 -> L5: assume (&f == p); h := start f(0)
            "#]],
        );
    }
}
