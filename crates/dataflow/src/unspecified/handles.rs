//! Uses of thread handles as numbers.
//!
//! A handle may be copied, given to a function of the library, compared with 0 (no thread has that
//! handle), and compared with another handle as long as no thread can be started after one was
//! joined, or after one that is detached: it may get a handle that was used before.
//!
//! Handles are followed as if each were the address of an object that is made where the thread is
//! started, or where a thread asks for its own.

use super::besides::AllBesides;
use super::carriers::Carriers;
use super::{at, own_labels};
use crate::{PointsTo, graph};
use expr::{Node, ObjId, Op, Term};
use xcfa::{EdgeId, Label, LocId, Object, ObjectKind, Span, Xcfa};

/// The first place where the number that a handle is may decide something, in words.
pub fn handle_use(xcfa: &Xcfa) -> Option<String> {
    let starts = |label: &Label| matches!(label, Label::Start { .. });
    let asks = |term: Term| xcfa.terms.vars(term).contains(&xcfa.self_var);
    let uses = |(_, label): (EdgeId, &Label)| starts(label) || label.terms().any(asks);
    if !own_labels(xcfa).any(uses) {
        return None;
    }
    let comes_back = may_come_back(xcfa);
    let (marked, handle) = with_handles(xcfa);
    let points_to = PointsTo::of(&marked);
    let carriers = Carriers::new(&marked, &points_to);
    let uses = Uses {
        besides: AllBesides::of(&carriers),
        carriers,
        handle,
        comes_back,
    };
    own_labels(&marked)
        .find_map(|(edge, label)| label.terms().find_map(|term| uses.find(edge, term)))
}

/// The program in which handles are addresses of an object of their own.
fn with_handles(xcfa: &Xcfa) -> (Xcfa, ObjId) {
    let mut marked = xcfa.clone();
    let handle = marked.add_object(Object {
        align: 1,
        ..Object::new("thread".into(), ObjectKind::Heap, Some(1), Span::default())
    });
    let size = marked.terms.bv(xcfa.pointer_bits(), 1);
    let make = |var| Label::Alloc {
        var,
        object: handle,
        size,
        zeroed: false,
    };
    for edge in xcfa.edge_ids() {
        let mut labels = Vec::new();
        for label in &xcfa[edge].labels {
            labels.push(label.clone());
            match label {
                Label::Start { handle, .. } => labels.push(make(*handle)),
                Label::Assign { var, value }
                    if xcfa.terms.as_var(*value) == Some(xcfa.self_var) && !xcfa[edge].modelled =>
                {
                    labels.push(make(*var));
                }
                _ => {}
            }
        }
        marked[edge].labels = labels;
    }
    (marked, handle)
}

/// May a thread get the handle of another one that is gone?
pub(super) fn may_come_back(xcfa: &Xcfa) -> bool {
    let behind = |wanted: fn(&Label) -> bool| -> Vec<LocId> {
        let edges = xcfa.edges.iter();
        let edges = edges.filter(|edge| edge.labels.iter().any(wanted));
        edges.map(|edge| edge.target).collect()
    };
    let starts = |label: &Label| matches!(label, Label::Start { .. });
    let mut gone = behind(|label| matches!(label, Label::Join { .. }));
    if xcfa.detaches {
        gone.extend(behind(starts));
    }
    if gone.is_empty() {
        return false;
    }
    let after = graph::reachable(xcfa, gone);
    let starting = xcfa
        .edges
        .iter()
        .filter(|edge| edge.labels.iter().any(starts));
    // The graph says nothing about the order of steps of different threads.
    starting
        .into_iter()
        .any(|edge| after[edge.source.0 as usize] || xcfa[edge.source].proc != xcfa.main)
}

struct Uses<'a> {
    carriers: Carriers<'a>,
    besides: AllBesides,
    handle: ObjId,
    comes_back: bool,
}

impl Uses<'_> {
    fn find(&self, edge: EdgeId, term: Term) -> Option<String> {
        let mut found = None;
        let terms = &self.carriers.xcfa.terms;
        terms.for_each_subterm(term, &mut |_, node| {
            found = found.or_else(|| self.matters(node));
        });
        found.map(|what| at(self.carriers.xcfa, edge, what))
    }

    fn matters(&self, node: Node) -> Option<&'static str> {
        const NUMBER: &str = "what number a thread handle is, which is open, may matter";
        const AGAIN: &str = "whether a thread handle is used again, which is open, may matter";
        match node {
            Node::Unary(op, a) if self.is_handle(a) => {
                let copies = match op {
                    Op::ZeroExt(_) | Op::SignExt(_) => !self.is_part(a),
                    Op::AddressToInt => true,
                    Op::Extract { hi, lo } => lo == 0 && hi + 1 >= 32,
                    _ => false,
                };
                (!copies).then_some(NUMBER)
            }
            Node::Binary(op, a, b) => match (op, self.is_handle(a), self.is_handle(b)) {
                (_, false, false) => None,
                (Op::Eq, _, _) if self.is_part(a) => Some(NUMBER),
                (Op::Eq, true, true) if self.is_number(a) || self.is_number(b) => Some(NUMBER),
                (Op::Eq, true, true) => self.comes_back.then_some(AGAIN),
                (Op::Eq, true, false) if self.is_null(b) => None,
                (Op::Eq, false, true) if self.is_null(a) => None,
                _ => Some(NUMBER),
            },
            _ => None,
        }
    }

    fn is_handle(&self, term: Term) -> bool {
        self.carriers.objects(term).contains(&self.handle)
    }

    fn is_number(&self, term: Term) -> bool {
        self.besides.term(&self.carriers, term).number
    }

    fn is_part(&self, term: Term) -> bool {
        let xcfa = self.carriers.xcfa;
        xcfa.terms.width(term) < xcfa.pointer_bits()
    }

    fn is_null(&self, term: Term) -> bool {
        self.carriers.xcfa.terms.as_const(term) == Some(0)
    }
}
