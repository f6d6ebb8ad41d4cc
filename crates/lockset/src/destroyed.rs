//! Mutexes that are not used after they were destroyed.
//!
//! In a program that destroys a mutex, every use of one has a way for the case that it is destroyed
//! already: the thread goes on without the lock. Most programs destroy a mutex when all threads that
//! use it have been joined; then these ways are never taken, and go.

use crate::handles::Handles;
use crate::may_happen_in_parallel::MayHappenInParallel;
use crate::program::Program;
use crate::prover::Prover;
use crate::prune::Pruned;
use crate::values::Values;
use expr::{Node, Op, Term};
use xcfa::{DESTROYED, Edge, EdgeId, Label, Xcfa};

impl Pruned<'_> {
    /// The same without the ways for destroyed mutexes, if none of them is ever taken.
    pub fn without_destroyed(self) -> Self {
        let ways: Vec<(EdgeId, Term)> = of_destroyed(&self.xcfa).collect();
        if ways.is_empty() || !are_never_taken(&self, &ways) {
            return self;
        }
        self.without(|edge| ways.iter().any(|&(way, _)| way == edge))
    }
}

/// The edges that are taken only if a mutex is destroyed, and the address of the mutex.
fn of_destroyed(xcfa: &Xcfa) -> impl Iterator<Item = (EdgeId, Term)> + '_ {
    let edges = xcfa.edge_ids();
    edges.filter_map(|edge| Some((edge, found_destroyed(xcfa, &xcfa[edge])?)))
}

fn found_destroyed(xcfa: &Xcfa, edge: &Edge) -> Option<Term> {
    let mut assumed = edge.labels.iter().filter_map(|label| match label {
        Label::Assume(cond) => Some(*cond),
        _ => None,
    });
    let address_of = |term: Term| {
        let var = xcfa.terms.as_var(term)?;
        edge.labels.iter().find_map(|label| match label {
            Label::Load { var: loaded, addr } if *loaded == var => Some(*addr),
            _ => None,
        })
    };
    assumed.find_map(|cond| match xcfa.terms.node(cond) {
        Node::Binary(Op::Eq, a, b) => {
            let is_mark = |term: Term| xcfa.terms.as_const(term) == Some(DESTROYED);
            match (is_mark(a), is_mark(b)) {
                (false, true) => address_of(a),
                (true, false) => address_of(b),
                _ => None,
            }
        }
        _ => None,
    })
}

/// The edges that destroy a mutex, and its address.
fn destroying(xcfa: &Xcfa) -> impl Iterator<Item = (EdgeId, Term)> + '_ {
    let labels = |edge: EdgeId| xcfa[edge].labels.iter().map(move |label| (edge, label));
    let labels = xcfa.edge_ids().flat_map(labels);
    labels.filter_map(|(edge, label)| match label {
        Label::Store { addr, value } if xcfa.terms.as_const(*value) == Some(DESTROYED) => {
            Some((edge, *addr))
        }
        _ => None,
    })
}

/// Does nothing that destroys a mutex come before a use of it? The first thread destroys it, does not
/// use it any more, starts no threads any more, and none that may use it is running.
fn are_never_taken(pruned: &Pruned, ways: &[(EdgeId, Term)]) -> bool {
    let program = Program::of(&pruned.xcfa);
    let xcfa = program.xcfa;
    let Some(mut values) = Values::of(xcfa) else {
        return false;
    };
    let handles = Handles::of(&program, &mut values);
    let parallel = MayHappenInParallel::of(&program, &handles, &mut values, &mut Prover::default());
    let may_be_same = |a: Term, b: Term| {
        let (a, b) = (
            program.points_to.objects(xcfa, a),
            program.points_to.objects(xcfa, b),
        );
        a.is_empty() || b.is_empty() || a.iter().any(|object| b.contains(object))
    };
    destroying(xcfa).all(|(by, destroyed)| {
        let after = |edge: EdgeId| program.reaches(xcfa[by].target, xcfa[edge].source, |_| false);
        let comes_too_late = |&(way, used): &(EdgeId, Term)| {
            let is_possible = || after(way) || !parallel.ways(&program, by, way).is_empty();
            may_be_same(destroyed, used) && is_possible()
        };
        xcfa[xcfa[by].source].proc == xcfa.main
            && !program.starts.iter().any(|start| after(start.edge))
            && !ways.iter().any(comes_too_late)
    })
}
