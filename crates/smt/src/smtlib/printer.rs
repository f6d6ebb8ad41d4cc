//! One printer per text: it remembers which constants it had to invent.

use super::operators;
use crate::translate::{base_name, var_name};
use expr::{Node, ObjId, Op, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A longer text gets a name even if it occurs once, which keeps printing linear.
const LONGEST: usize = 160;

pub(crate) struct Printer<'a> {
    terms: &'a Terms,
    bound: &'a BTreeMap<ObjId, u64>,
    vars: BTreeMap<VarId, Sort>,
    bases: BTreeMap<ObjId, Sort>,
    /// Constants that stand for the bits of a float, by the term that makes it.
    floats: BTreeMap<Term, Sort>,
    uses_floats: bool,
}

/// A text under construction: named parts, conditions on invented constants, and what each
/// term reads like.
#[derive(Default)]
struct Draft {
    lets: Vec<(String, String)>,
    sides: Vec<String>,
    texts: FxHashMap<Term, String>,
}

impl<'a> Printer<'a> {
    /// A printer that writes the addresses in `bound` as numbers.
    pub(crate) fn new(terms: &'a Terms, bound: &'a BTreeMap<ObjId, u64>) -> Printer<'a> {
        Printer {
            terms,
            bound,
            vars: BTreeMap::new(),
            bases: BTreeMap::new(),
            floats: BTreeMap::new(),
            uses_floats: false,
        }
    }

    /// Has a float operator been printed?
    pub(crate) fn uses_floats(&self) -> bool {
        self.uses_floats
    }

    /// The constants printed so far, with their sorts.
    pub(crate) fn constants(&self) -> impl Iterator<Item = (String, String)> {
        let vars = self.vars.iter().map(|(&var, &sort)| (var_name(var), sort));
        let bases = self
            .bases
            .iter()
            .map(|(&obj, &sort)| (base_name(obj), sort));
        let floats = self.floats.iter();
        let floats = floats.map(|(&term, &sort)| (float_name(term), sort));
        let all = vars.chain(bases).chain(floats);
        all.map(|(name, sort)| (name, sort_text(sort)))
    }

    /// The conjunction of some truth values as one text that needs only the declarations.
    pub(crate) fn closed(&mut self, truths: &[Term]) -> String {
        self.closed_with(truths, &[])
    }

    /// The same, with equations between names and terms.
    pub(crate) fn closed_with(&mut self, truths: &[Term], equations: &[(String, Term)]) -> String {
        let mut draft = Draft::default();
        let terms = equations.iter().map(|&(_, term)| term);
        let roots: Vec<Term> = truths.iter().copied().chain(terms).collect();
        self.draft(&roots, &mut draft);
        let mut parts = std::mem::take(&mut draft.sides);
        let said = truths
            .iter()
            .filter(|&&t| self.terms.as_const(t) != Some(1));
        parts.extend(said.map(|&root| self.truth(root, &draft)));
        for (name, term) in equations {
            parts.push(format!("(= {name} {})", draft.texts[term]));
        }
        let mut text = match parts.len() {
            0 => "true".into(),
            1 => parts.remove(0),
            _ => format!("(and {})", parts.join(" ")),
        };
        for (name, value) in draft.lets.iter().rev() {
            text = format!("(let (({name} {value})) {text})");
        }
        text
    }

    fn draft(&mut self, roots: &[Term], draft: &mut Draft) {
        let (order, uses) = self.order(roots);
        for term in order {
            let text = self.node(term, draft);
            let named = self.terms.args(term).next().is_some()
                && (uses[&term] > 1 || text.len() > LONGEST)
                && text.starts_with('(');
            let text = match named {
                false => text,
                true => {
                    let name = format!("t{}", term.index());
                    draft.lets.push((name.clone(), text));
                    name
                }
            };
            draft.texts.insert(term, text);
        }
    }

    /// All subterms, arguments first, and how often each is used.
    fn order(&self, roots: &[Term]) -> (Vec<Term>, FxHashMap<Term, usize>) {
        let mut uses: FxHashMap<Term, usize> = FxHashMap::default();
        let mut order = Vec::new();
        let mut pending: Vec<(Term, bool)> = roots.iter().map(|&root| (root, false)).collect();
        while let Some((term, ready)) = pending.pop() {
            if ready {
                order.push(term);
                continue;
            }
            let count = uses.entry(term).or_insert(0);
            *count += 1;
            if *count == 1 {
                pending.push((term, true));
                pending.extend(self.terms.args(term).map(|arg| (arg, false)));
            }
        }
        (order, uses)
    }

    fn node(&mut self, term: Term, draft: &mut Draft) -> String {
        match self.terms.node(term) {
            Node::Const(Sort::Bool, bits) => (bits != 0).to_string(),
            Node::Const(sort, bits) => operators::number(sort.width(), bits),
            Node::Var(var, sort) => {
                self.vars.insert(var, sort);
                var_name(var)
            }
            Node::Base(obj, width) => match self.bound.get(&obj) {
                Some(&value) => operators::number(width, value & Sort::Bv(width).mask()),
                None => {
                    self.bases.insert(obj, Sort::Bv(width));
                    base_name(obj)
                }
            },
            Node::Ite(c, a, b) => {
                let c = self.truth(c, draft);
                format!("(ite {c} {} {})", draft.texts[&a], draft.texts[&b])
            }
            Node::Unary(op, a) => self.operation(term, op, &[a], draft),
            Node::Binary(op, a, b) => self.operation(term, op, &[a, b], draft),
        }
    }

    fn operation(&mut self, term: Term, op: Op, args: &[Term], draft: &mut Draft) -> String {
        if matches!(op, Op::Not | Op::And | Op::Or) {
            let args: Vec<String> = args.iter().map(|&arg| self.truth(arg, draft)).collect();
            return format!("({} {})", operators::connective(op), args.join(" "));
        }
        let sorts: Vec<Sort> = args.iter().map(|&arg| self.terms.sort(arg)).collect();
        let both_truths = op == Op::Eq && sorts.iter().all(|&sort| sort == Sort::Bool);
        let texts: Vec<String> = args
            .iter()
            .map(|&arg| match both_truths {
                true => draft.texts[&arg].clone(),
                false => self.bits(arg, draft),
            })
            .collect();
        let sort = self.terms.sort(term);
        match operators::text(op, &sorts, &texts) {
            operators::Text::Plain(text) => self.of_sort(text, op, sort),
            operators::Text::FloatCompared(text) => {
                self.uses_floats = true;
                text
            }
            operators::Text::Float(text) => {
                self.uses_floats = true;
                let name = float_name(term);
                self.floats.insert(term, sort);
                draft
                    .sides
                    .push(format!("(= {} {text})", operators::as_float(sort, &name)));
                name
            }
        }
    }

    /// Operators on bit vectors make bits, also where the pool calls the result a truth value.
    fn of_sort(&self, text: String, op: Op, sort: Sort) -> String {
        match sort == Sort::Bool && !operators::is_relation(op) {
            true => format!("(= {text} #b1)"),
            false => text,
        }
    }

    fn truth(&self, term: Term, draft: &Draft) -> String {
        let text = &draft.texts[&term];
        match self.terms.sort(term) {
            Sort::Bool => text.clone(),
            _ => format!("(= {text} #b1)"),
        }
    }

    fn bits(&self, term: Term, draft: &Draft) -> String {
        let text = &draft.texts[&term];
        match self.terms.sort(term) {
            Sort::Bool => format!("(ite {text} #b1 #b0)"),
            _ => text.clone(),
        }
    }
}

fn float_name(term: Term) -> String {
    format!("float{}", term.index())
}

/// A sort; floats are their bits.
pub(crate) fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".into(),
        _ => format!("(_ BitVec {})", sort.width()),
    }
}
