//! What a program sees of the words of locks.
//!
//! Who holds a lock is a handle, and handles of threads of a template stand for others. So a program may
//! test whether a word is 0, set it to 0, and set it to the handle of the running thread, as the models of
//! mutexes do; but nothing may depend on which handle it is.

use dataflow::PointsTo;
use expr::{Node, ObjId, Op, Term, Terms, VarId};
use xcfa::{Label, Xcfa};

/// A program whose memory has become variables, but for locks and what is given up.
pub(super) struct LockWords<'a> {
    xcfa: &'a Xcfa,
    points_to: &'a PointsTo,
    given_up: &'a [ObjId],
}

impl<'a> LockWords<'a> {
    pub(super) fn of(
        xcfa: &'a Xcfa,
        points_to: &'a PointsTo,
        given_up: &'a [ObjId],
    ) -> LockWords<'a> {
        LockWords {
            points_to,
            xcfa,
            given_up,
        }
    }

    fn may_be_lock(&self, addr: Term) -> bool {
        let objects = self.points_to.objects(self.xcfa, addr);
        objects.iter().any(|object| !self.given_up.contains(object))
    }

    /// Does the label tell which thread holds a lock, or set another holder than the running thread?
    pub(super) fn look_inside(&self, label: &Label) -> bool {
        let terms = &self.xcfa.terms;
        match label {
            Label::Load { var, addr } => {
                let mut labels = self.xcfa.edges.iter().flat_map(|edge| &edge.labels);
                let shown = |label: &Label| label.terms().any(|term| shows(terms, term, *var));
                self.may_be_lock(*addr) && labels.any(shown)
            }
            Label::Store { addr, value } => {
                let fine = terms.as_const(*value) == Some(0) || self.is_self(*value);
                self.may_be_lock(*addr) && !fine
            }
            _ => false,
        }
    }

    /// Does the label do more with the handle of the running thread than put it into a lock?
    pub(super) fn show_self(&self, label: &Label) -> bool {
        let terms = &self.xcfa.terms;
        let asks = |term: Term| terms.vars(term).contains(&self.xcfa.self_var);
        match label {
            Label::Store { addr, value } => {
                asks(*addr) || asks(*value) && !(self.is_self(*value) && self.may_be_lock(*addr))
            }
            _ => label.terms().any(asks),
        }
    }

    /// Is it the handle of the running thread, in as many bits as a lock has for it?
    fn is_self(&self, value: Term) -> bool {
        let terms = &self.xcfa.terms;
        let inner = match terms.node(value) {
            Node::Unary(Op::Extract { lo: 0, .. }, inner) => inner,
            _ => value,
        };
        terms.width(value) >= 32 && terms.as_var(inner) == Some(self.xcfa.self_var)
    }
}

/// Does a term depend on more of a variable than whether it is 0?
fn shows(terms: &Terms, term: Term, var: VarId) -> bool {
    let is_it = |term: Term| terms.as_var(term) == Some(var);
    let is_zero = |term: Term| terms.as_const(term) == Some(0);
    let mut found = is_it(term);
    terms.for_each_subterm(term, &mut |_, node| {
        found |= match node {
            Node::Binary(Op::Eq, a, b) if is_zero(a) || is_zero(b) => false,
            Node::Unary(_, a) => is_it(a),
            Node::Binary(_, a, b) => is_it(a) || is_it(b),
            Node::Ite(c, a, b) => is_it(c) || is_it(a) || is_it(b),
            Node::Const(..) | Node::Var(..) | Node::Base(..) => false,
        };
    });
    found
}
