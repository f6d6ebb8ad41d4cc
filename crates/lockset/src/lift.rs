//! What threads know, in terms of what their creator knows.

use crate::counting::Counter;
use crate::program::Program;
use crate::values::{Site, Values};
use rustc_hash::FxHashMap;

use expr::{Node, Op, Term, VarId};
use xcfa::{Label, ObjectKind};

/// Writes a term of a thread over what its creator gave it. Other symbols of the thread stay.
pub fn as_creator(
    program: &Program<'_>,
    values: &mut Values,
    start: usize,
    term: Term,
) -> Option<Term> {
    let start = program.starts[start];
    let given = *values.evaluated(start.edge, start.label).first()?;
    let mut with = FxHashMap::default();
    for &symbol in values.mentioned(term).iter() {
        let it = values.symbol(symbol)?;
        if it.site == Site::Frozen && start.by == program.xcfa.main {
            let at = program.xcfa[start.edge].source;
            if let Some(value) = values.at(at, it.var)
                && program.is_stable_term(values, value)
            {
                with.insert(symbol, value);
            }
        }
        if it.site == Site::Entry {
            let param = program.xcfa[start.root].params.first();
            let fits = values.terms.sort(given) == program.xcfa[it.var].sort;
            if param != Some(&it.var) || !fits {
                return None;
            }
            with.insert(symbol, given);
        }
    }
    Some(values.terms.substitute(term, &with))
}

/// The counter that a symbol is, if the number of its rounds is bounded by that of threads.
pub fn bounded_counter(
    program: &Program<'_>,
    counters: &[Counter],
    symbol: VarId,
) -> Option<Counter> {
    let counter = *counters.iter().find(|it| it.symbol == symbol)?;
    let bounded = program.starts.iter().any(|start| {
        program.loop_of(start.edge) == Some(counter.loop_)
            && program.in_each_round(counter.loop_, start.edge)
    });
    (bounded && program.runs_once(counter.loop_)).then_some(counter)
}

/// The allocation on the heap that an address was made from, by symbol, if it is certain that it points
/// into the instance that the label made last. Memory of a frame is no such allocation: it comes
/// back at the same address.
pub fn allocation(program: &Program<'_>, values: &mut Values, address: Term) -> Option<VarId> {
    let symbol = own_allocation(program, values, address)?;
    let Some(Site::Label(edge, label)) = values.symbol(symbol).map(|it| it.site) else {
        return None;
    };
    match &program.xcfa[edge].labels[label] {
        Label::Alloc { object, .. } if program.xcfa[*object].kind == ObjectKind::Heap => {
            Some(symbol)
        }
        _ => None,
    }
}

/// The same for memory of a frame too, which no other thread has at that address.
pub fn own_allocation(program: &Program<'_>, values: &mut Values, address: Term) -> Option<VarId> {
    let mut found = None;
    for symbol in values.mentioned(address).iter().copied() {
        // The number of a round is no symbol, and no address.
        let Some(it) = values.symbol(symbol) else {
            continue;
        };
        if program.points_to.var(it.var).is_empty() {
            continue;
        }
        let Site::Label(edge, label) = it.site else {
            return None;
        };
        let is_alloc = matches!(program.xcfa[edge].labels[label], Label::Alloc { .. });
        if !is_alloc || found.replace(symbol).is_some() {
            return None;
        }
    }
    let found = found?;
    let plain = values.terms.bases(address).is_empty();
    (plain && is_summand(values, address, found)).then_some(found)
}

/// Is the value that of the symbol plus something?
fn is_summand(values: &Values, term: Term, symbol: VarId) -> bool {
    match values.terms.node(term) {
        Node::Var(var, _) => var == symbol,
        Node::Binary(Op::Add, a, b) => {
            let (of_a, of_b) = (
                values.terms.vars(a).contains(&symbol),
                values.terms.vars(b).contains(&symbol),
            );
            match (of_a, of_b) {
                (true, false) => is_summand(values, a, symbol),
                (false, true) => is_summand(values, b, symbol),
                _ => false,
            }
        }
        _ => false,
    }
}
