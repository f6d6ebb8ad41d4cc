//! Removes computations whose results are never used.
//!
//! Law: every run has its counterpart with the same writes, synchronisation, branches and errors
//! in the same order. A read of shared memory whose value is dead goes only if it certainly is
//! valid and `keep_loads` is not set: checks of memory and of races need it. Then a dead
//! local that may point to memory stays too: it may be the last that keeps the memory tracked.

use dataflow::is_local;
use dataflow::{Liveness, PointsTo, Validity};
use expr::{Node, ObjId, Term, VarId};
use rustc_hash::FxHashSet;
use xcfa::{EdgeId, Label, ObjectKind, Xcfa};

/// Removes dead assignments, inputs, loads, stack objects and thread results.
pub fn remove_dead_code(xcfa: &mut Xcfa, keep_loads: bool) {
    let kept = keep_loads.then(|| PointsTo::of(xcfa));
    // A dead value may have been the last use of another: what is gone frees more.
    loop {
        forget_thread_results(xcfa);
        remove_idle_stack_objects(xcfa);
        if !remove_dead_labels(xcfa, kept.as_ref()) {
            return;
        }
    }
}

/// If no join reads the result of a thread, all threads return 0.
fn forget_thread_results(xcfa: &mut Xcfa) {
    let asks = |label: &Label| {
        matches!(
            label,
            Label::Join {
                result: Some(_),
                ..
            }
        )
    };
    if xcfa.edges.iter().flat_map(|edge| &edge.labels).any(asks) {
        return;
    }
    for edge in &mut xcfa.edges {
        for label in &mut edge.labels {
            if let Label::ThreadExit(value) = label {
                *value = xcfa.terms.constant(xcfa.terms.sort(*value), 0);
            }
        }
    }
}

/// `kept` tells pointers from numbers where loads and pointers have to stay. What it knew before
/// labels went is still true, if coarser than need be.
fn remove_dead_labels(xcfa: &mut Xcfa, kept: Option<&PointsTo>) -> bool {
    let liveness = Liveness::of(xcfa);
    let validity = Validity::of(xcfa);
    let mut changed = false;
    for id in xcfa.edge_ids() {
        let mut dead = Vec::new();
        let mut live: FxHashSet<VarId> = liveness.live(xcfa[id].target).iter().copied().collect();
        for index in (0..xcfa[id].labels.len()).rev() {
            let unused = xcfa[id].labels[index]
                .defines()
                .is_some_and(|var| is_local(xcfa, var) && !live.contains(&var));
            if unused && is_removable(xcfa, &validity, id, index, kept) {
                dead.push(index);
                continue;
            }
            let points = |var| kept.is_some_and(|points_to| !points_to.var(var).is_empty());
            if unused && !xcfa[id].labels[index].defines().is_some_and(points) {
                changed |= drop_result(&mut xcfa[id].labels[index]);
            }
            let label = &xcfa[id].labels[index];
            if let Some(var) = label.defines() {
                live.remove(&var);
            }
            live.extend(label.terms().flat_map(|term| xcfa.terms.vars(term)));
        }
        changed |= !dead.is_empty();
        for index in dead {
            let label = xcfa[id].labels.remove(index);
            keep_name(xcfa, &label);
        }
    }
    changed
}

/// A local is gone because a temporary has its value: that one is shown by its name.
fn keep_name(xcfa: &mut Xcfa, label: &Label) {
    if let Label::Assign { var, value } = label
        && let Node::Var(copy, _) = xcfa.terms.node(*value)
        && xcfa[copy].temp
        && !xcfa[*var].temp
    {
        xcfa[copy].alias = xcfa[*var].shown().map(str::to_owned);
    }
}

/// The label sets a dead local: does it do nothing else?
fn is_removable(
    xcfa: &Xcfa,
    validity: &Validity,
    edge: EdgeId,
    index: usize,
    kept: Option<&PointsTo>,
) -> bool {
    match &xcfa[edge].labels[index] {
        Label::Assign { value, .. } => kept.is_none_or(|points_to| {
            !reads_global(xcfa, *value) && points_to.targets(xcfa, *value).is_empty()
        }),
        Label::Havoc { .. } => true,
        Label::Load { .. } => kept.is_none() && validity.is_valid(xcfa, edge, index),
        _ => false,
    }
}

fn reads_global(xcfa: &Xcfa, term: Term) -> bool {
    xcfa.terms.vars(term).iter().any(|&var| xcfa.is_global(var))
}

/// The label does more than set its dead variable, but need not set it.
fn drop_result(label: &mut Label) -> bool {
    match label {
        Label::Join { result, .. } | Label::Call { result, .. } => result.take().is_some(),
        _ => false,
    }
}

/// Stack objects whose address is not used are neither made nor unmade.
fn remove_idle_stack_objects(xcfa: &mut Xcfa) {
    let mut used: FxHashSet<VarId> = FxHashSet::default();
    for label in xcfa.edges.iter().flat_map(|edge| &edge.labels) {
        used.extend(label.terms().flat_map(|term| xcfa.terms.vars(term)));
    }
    used.extend(xcfa.procs.iter().filter_map(|proc| proc.result));
    let mut needed: FxHashSet<ObjId> = FxHashSet::default();
    for label in xcfa.edges.iter().flat_map(|edge| &edge.labels) {
        if let Label::Alloc { var, object, .. } = label
            && (used.contains(var) || !is_local(xcfa, *var))
        {
            needed.insert(*object);
        }
        needed.extend(label.terms().flat_map(|term| xcfa.terms.bases(term)));
    }
    let objects = &xcfa.objects;
    let idle = |object: &ObjId| {
        objects[object.0 as usize].kind == ObjectKind::Stack && !needed.contains(object)
    };
    for edge in &mut xcfa.edges {
        edge.labels.retain(|label| match label {
            Label::Alloc { object, .. } | Label::Dealloc(object) => !idle(object),
            _ => true,
        });
    }
}

#[cfg(test)]
mod tests {
    use automata::parse;
    use expect_test::{Expect, expect};

    fn check(keep_loads: bool, text: &str, expected: Expect) {
        let mut xcfa = parse(text);
        super::remove_dead_code(&mut xcfa, keep_loads);
        expected.assert_eq(&xcfa.dump());
    }

    const LOADS: &str = "
        static a[8]
        heap h
        stack s[8]
        global x
        proc main()
          in -> 1: t := *&a; t2 := *(&a + 8); t3 := x
          1 -> 2: p := alloc h
          2 -> 3: t4 := *p
          3 -> 4: ps := alloc s
          4 -> 5: t5 := *(ps + 4)
          5 -> 6: dealloc s
          6 -> out: t6 := *ps";

    #[test]
    fn dead_loads_go_if_they_are_valid() {
        check(
            false,
            LOADS,
            expect![[r#"
            thread_local self: bv64
            global x: bv32 = 0
            static a[8]
            heap h
            stack s[8]

            proc main() init L0 exit L1
              L0 -> L2: t2 := *(&a + 8)
              L2 -> L3: p := alloc h[8]
              L3 -> L4: t4 := *p
              L4 -> L5: ps := alloc s[8]
              L5 -> L6: skip
              L6 -> L7: dealloc s
              L7 -> L1: t6 := *ps
        "#]],
        );
    }

    #[test]
    fn dead_loads_stay_for_races_and_memory() {
        check(
            true,
            LOADS,
            expect![[r#"
            thread_local self: bv64
            global x: bv32 = 0
            static a[8]
            heap h
            stack s[8]

            proc main() init L0 exit L1
              L0 -> L2: t := *&a; t2 := *(&a + 8); t3 := x
              L2 -> L3: p := alloc h[8]
              L3 -> L4: t4 := *p
              L4 -> L5: ps := alloc s[8]
              L5 -> L6: t5 := *(ps + 4)
              L6 -> L7: dealloc s
              L7 -> L1: t6 := *ps
        "#]],
        );
    }

    #[test]
    fn chains_of_dead_values_go_with_the_objects_they_needed() {
        check(
            false,
            "stack s[4]
             global x
             proc worker(pa)
               in -> out: thread_exit pa
             proc main()
               in -> 1: a := input
               1 -> 2: c := a + 1
               2 -> 3: p := alloc s
               3 -> 4: p2 := p + 4
               4 -> 5: h := start worker()
               5 -> 6: p3 := join zext64(h)
               6 -> 7: x := 1
               7 -> out: dealloc s",
            expect![[r#"
                thread_local self: bv64
                global x: bv32 = 0
                stack s[4]

                proc worker(pa: bv64) init L0 exit L1
                  L0 -> L1: thread_exit 0

                proc main() init L2 exit L3
                  L2 -> L4: skip
                  L4 -> L5: skip
                  L5 -> L6: skip
                  L6 -> L7: skip
                  L7 -> L8: h := start worker(0)
                  L8 -> L9: join zext64(h)
                  L9 -> L10: x := 1
                  L10 -> L3: skip
            "#]],
        );
    }
}
