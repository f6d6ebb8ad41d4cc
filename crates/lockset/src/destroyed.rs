//! Mutexes that are not used after they were destroyed.
//!
//! In a program that destroys a mutex, every use of one has a way for the case that it is destroyed
//! already: the thread goes on without the lock. Most programs destroy a mutex when all threads that
//! use it have been joined; then these ways are never taken, and go. So it is where that happens in rounds, in
//! each of which `main` makes a mutex, starts threads, joins them and destroys the mutex.

use crate::address_disjointness::AddressDisjointness;
use crate::memory::overlap;
use crate::program::{Program, Start};
use crate::prune::Pruned;
use crate::values::{Site, Symbol};
use dataflow::pointsto::Target;
use dataflow::{Storage, Touch, touches};
use expr::{Node, ObjId, Op, Term};
use rustc_hash::FxHashMap;
use xcfa::{DESTROYED, Edge, EdgeId, Label, Xcfa};

/// The bytes of a mutex.
const MUTEX: u64 = 4;

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

/// Is no mutex used after it was destroyed?
fn are_never_taken(pruned: &Pruned, ways: &[(EdgeId, Term)]) -> bool {
    let program = Program::of(&pruned.xcfa);
    let Some(known) = AddressDisjointness::of(&program) else {
        return false;
    };
    let mut uses = Uses {
        program: &program,
        destroying: destroying(program.xcfa).collect(),
        known,
    };
    uses.are_all_by_main() && ways.iter().all(|&way| uses.is_never_taken(way))
}

struct Uses<'p, 'a> {
    program: &'p Program<'a>,
    /// The edges that destroy a mutex, and its address.
    destroying: Vec<(EdgeId, Term)>,
    known: AddressDisjointness<'p, 'a>,
}

impl Uses<'_, '_> {
    /// Does the first thread destroy all mutexes that are destroyed?
    fn are_all_by_main(&self) -> bool {
        let xcfa = self.program.xcfa;
        let mut edges = self.destroying.iter();
        edges.all(|&(by, _)| xcfa[xcfa[by].source].proc == xcfa.main)
    }

    fn is_never_taken(&mut self, way: (EdgeId, Term)) -> bool {
        self.comes_before(way) || self.is_of_its_round(way)
    }

    /// Does nothing that destroys a mutex come before this use of one? The first thread destroys it, does not
    /// use it any more, starts no threads any more, and none that may use it is running.
    fn comes_before(&self, (way, used): (EdgeId, Term)) -> bool {
        let (program, xcfa) = (self.program, self.program.xcfa);
        let parallel = &self.known.may_happen_in_parallel;
        self.destroying.iter().all(|&(by, destroyed)| {
            let after =
                |edge: EdgeId| program.reaches(xcfa[by].target, xcfa[edge].source, |_| false);
            let is_possible = || after(way) || !parallel.ways(program, by, way).is_empty();
            let starts_more = program.starts.iter().any(|start| after(start.edge));
            let comes_too_late = self.may_be_same(destroyed, used) && is_possible();
            !starts_more && !comes_too_late
        })
    }

    fn may_be_same(&self, a: Term, b: Term) -> bool {
        let (program, xcfa) = (self.program, self.program.xcfa);
        let (a, b) = (
            program.points_to.objects(xcfa, a),
            program.points_to.objects(xcfa, b),
        );
        a.is_empty() || b.is_empty() || a.iter().any(|object| b.contains(object))
    }

    /// Is the mutex found through memory that is only written while the first thread is alone, was it not
    /// destroyed whenever that thread stopped being alone, and does nobody destroy one while others live?
    fn is_of_its_round(&mut self, (way, used): (EdgeId, Term)) -> bool {
        let (program, xcfa) = (self.program, self.program.xcfa);
        let alone = |edge: EdgeId| {
            let parallel = &self.known.may_happen_in_parallel;
            parallel.is_main_alone(program, xcfa[edge].source)
        };
        let starts = |it: &Label| matches!(it, Label::Start { .. } | Label::Call { .. });
        let in_time = |&(by, _): &(EdgeId, Term)| alone(by) && !xcfa[by].labels.iter().any(starts);
        let mut roots = program.threads.running(xcfa[xcfa[way].source].proc);
        let by_main = roots.any(|root| root == xcfa.main);
        if by_main || !self.destroying.iter().all(in_time) || !self.is_plain(used, alone) {
            return false;
        }
        let mut labels = xcfa[way].labels.iter();
        let is_load = |it: &Label| matches!(it, Label::Load { addr, .. } if *addr == used);
        let load = labels.position(is_load);
        let address = load.and_then(|at| self.known.values.evaluated(way, at).first().copied());
        let openers = program.starts.iter().filter(|start| alone(start.edge));
        let openers: Vec<Start> = openers.copied().collect();
        address.is_some_and(|address| openers.into_iter().all(|it| self.is_intact(it, address)))
    }

    /// Is nothing but locks and constants written to the mutex, and is its memory made and ended while the
    /// first thread is alone?
    fn is_plain(&self, used: Term, alone: impl Fn(EdgeId) -> bool) -> bool {
        let (program, xcfa) = (self.program, self.program.xcfa);
        let mutex = program.points_to.targets(xcfa, used);
        let hits = |touch: &Touch| match touch.place {
            Storage::Memory(target, size) => {
                let meets = |&it: &Target| overlap((it, MUTEX), (target, size));
                touch.write && mutex.iter().any(meets)
            }
            _ => false,
        };
        let is_of = |object: ObjId| mutex.iter().any(|target| target.object == object);
        let is_harmless = |edge: EdgeId, label: &Label| match label {
            Label::Lock { .. } | Label::Unlock { .. } => true,
            Label::Free(addr) => alone(edge) || !self.may_be_same(*addr, used),
            Label::Alloc { object, .. } | Label::Dealloc(object) => alone(edge) || !is_of(*object),
            _ => {
                let constant = matches!(label, Label::Store { value, .. }
                    if xcfa.terms.as_const(*value).is_some());
                constant || !touches(xcfa, program.points_to, label).iter().any(hits)
            }
        };
        let mut edges = xcfa.edge_ids();
        let all = |edge: EdgeId| xcfa[edge].labels.iter().all(|it| is_harmless(edge, it));
        !mutex.is_empty() && edges.all(all)
    }

    /// Just before the first thread starts this one, is the mutex at an address over steady memory known to be
    /// one that is not destroyed?
    fn is_intact(&mut self, start: Start, address: Term) -> bool {
        let xcfa = self.program.xcfa;
        let before = &xcfa[start.edge].labels[..start.label];
        let values = &mut self.known.values;
        let Some(here) = values.at[xcfa[start.edge].source.0 as usize].clone() else {
            return true;
        };
        if !before
            .iter()
            .all(|it| matches!(it, Label::Assign { .. } | Label::Assume(_)))
        {
            return false;
        }
        let mut with = FxHashMap::default();
        for &symbol in values.mentioned(address).iter() {
            let Some(Symbol {
                site: Site::Steady(cell),
                var,
            }) = values.symbol(symbol)
            else {
                return false;
            };
            let width = values.terms.width(address);
            let found = match cell {
                Some(cell) => here.memory.load(&values.terms, cell, width),
                None => here.vars[var.0 as usize],
            };
            let Some(value) = found else { return false };
            with.insert(symbol, value);
        }
        let address = values.terms.substitute(address, &with);
        let word = here.memory.load(&values.terms, address, 8 * MUTEX as u32);
        let word = word.and_then(|it| values.terms.as_const(it));
        word.is_some_and(|it| it != DESTROYED)
    }
}
