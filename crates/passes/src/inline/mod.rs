//! Calls that are not recursive are replaced by copies of the body.
//!
//! Law: the same runs, with extra steps of the thread alone at entry and return. Each copy has
//! locals and allocation sites of its own, so that later analyses distinguish calls. Recursive
//! procedures keep [`Label::Call`]. Code of the library model takes the place of the user's call
//! that led to it. What `main` never reaches is dropped; a function of which only the address is
//! left keeps an empty body.
//!
//! Locals of a copy inside a loop are not reset: the front end sets every local before its use.

mod rename;

use crate::Unsupported;
use dataflow::CallGraph;
use expr::{Op, Term, VarId};
use rename::Copy;
use rustc_hash::{FxHashMap, FxHashSet};
use xcfa::{
    Callee, Edge, EdgeId, Label, LocId, MemoryOrder, ObjectKind, ProcId, Procedure, Scope, Span,
    Xcfa,
};

/// A program with more edges than this is refused.
pub const MOST_EDGES: usize = 200_000;

/// Inlines all calls but the recursive ones.
pub fn inline(xcfa: Xcfa) -> Result<Xcfa, Unsupported> {
    inline_up_to(xcfa, MOST_EDGES)
}

fn inline_up_to(old: Xcfa, most_edges: usize) -> Result<Xcfa, Unsupported> {
    let graph = CallGraph::of(&old);
    let mut kept = graph.threads(old.main);
    kept.extend(
        graph
            .live(old.main)
            .into_iter()
            .filter(|&proc| graph.is_recursive(proc)),
    );
    kept.sort_unstable();
    kept.dedup();
    let main = old.main;
    let mut inliner = Inliner::new(old, graph, most_edges);
    for &proc in &kept {
        inliner.keep(proc);
    }
    for &proc in &kept {
        let host = inliner.kept[&proc];
        let (init, exit) = (inliner.new[host].init, inliner.new[host].exit);
        inliner.copy_body(&mut Copy::new(proc, host, None, 1), init, exit)?;
    }
    Ok(inliner.finish(main))
}

struct Inliner {
    old: Xcfa,
    new: Xcfa,
    graph: CallGraph,
    edges_of: Vec<Vec<EdgeId>>,
    /// The procedures that stay, with their new numbers.
    kept: FxHashMap<ProcId, ProcId>,
    /// How often each procedure has been copied.
    copies: FxHashMap<ProcId, u32>,
    /// Original locals that have found their new procedure.
    adopted: FxHashSet<VarId>,
    most_edges: usize,
}

/// A call on its way to being replaced.
struct Call {
    from: LocId,
    /// What happens on the same edge before the call.
    before: Vec<Label>,
    callee: ProcId,
    args: Vec<Term>,
    result: Option<VarId>,
    /// Where the copy returns to.
    after: LocId,
    atomic: bool,
    order: Option<MemoryOrder>,
    span: Span,
    modelled: bool,
}

impl Inliner {
    fn new(mut old: Xcfa, graph: CallGraph, most_edges: usize) -> Inliner {
        let mut new = Xcfa::new(old.data_model, std::mem::take(&mut old.sources));
        new.terms = std::mem::take(&mut old.terms);
        new.vars = old.vars.clone();
        new.objects = old.objects.clone();
        new.self_var = old.self_var;
        new.assertions = std::mem::take(&mut old.assertions);
        new.assumptions = std::mem::take(&mut old.assumptions);
        new.inexact = std::mem::take(&mut old.inexact);
        new.detaches = old.detaches;
        new.checks_memory = old.checks_memory;
        let mut edges_of = vec![Vec::new(); old.procs.len()];
        for loc in &old.locs {
            edges_of[loc.proc.0 as usize].extend(&loc.out);
        }
        Inliner {
            old,
            new,
            graph,
            edges_of,
            kept: FxHashMap::default(),
            copies: FxHashMap::default(),
            adopted: FxHashSet::default(),
            most_edges,
        }
    }

    /// Makes room for a procedure that stays one.
    fn keep(&mut self, proc: ProcId) -> ProcId {
        let Procedure {
            name,
            params,
            result,
            span,
            ..
        } = self.old[proc].clone();
        let new = self.new.add_proc(name, span);
        for &var in params.iter().chain(&result) {
            self.new[var].scope = Scope::Local(new);
        }
        self.new[new].params = params;
        self.new[new].result = result;
        self.kept.insert(proc, new);
        // The body itself is the first copy and has the original variables.
        self.copies.insert(proc, 1);
        new
    }

    fn copy_body(&mut self, copy: &mut Copy, init: LocId, exit: LocId) -> Result<(), Unsupported> {
        let body = &self.old[copy.proc];
        let mut locs = FxHashMap::from_iter([(body.init, init), (body.exit, exit)]);
        for edge in self.edges_of[copy.proc.0 as usize].clone() {
            let source = self.copy_loc(copy, &mut locs, self.old[edge].source);
            let target = self.copy_loc(copy, &mut locs, self.old[edge].target);
            self.copy_edge(copy, edge, source, target)?;
        }
        Ok(())
    }

    fn copy_loc(&mut self, copy: &Copy, locs: &mut FxHashMap<LocId, LocId>, old: LocId) -> LocId {
        *locs.entry(old).or_insert_with(|| {
            let new = self.new.add_loc(copy.host);
            self.new[new].error = self.old[old].error;
            self.new[new].misuse = self.old[old].misuse;
            new
        })
    }

    fn copy_edge(
        &mut self,
        copy: &mut Copy,
        id: EdgeId,
        source: LocId,
        target: LocId,
    ) -> Result<(), Unsupported> {
        let Edge {
            labels: old_labels,
            atomic,
            order,
            span,
            modelled,
            ..
        } = self.old[id].clone();
        let span = self.span(copy, span);
        self.check_size(span)?;
        let mut from = source;
        let mut labels = Vec::new();
        for label in old_labels {
            match self.rename(copy, label) {
                Label::Call {
                    callee: Callee::Direct(callee),
                    args,
                    result,
                } => {
                    let after = self.new.add_loc(copy.host);
                    let before = std::mem::take(&mut labels);
                    let call = Call {
                        from,
                        before,
                        callee,
                        args,
                        result,
                        after,
                        atomic,
                        order,
                        span,
                        modelled,
                    };
                    from = after;
                    labels = self.call(copy, call)?;
                }
                label => labels.push(label),
            }
        }
        self.new.add_edge(Edge {
            source: from,
            target,
            labels,
            atomic,
            order,
            span,
            statements: Vec::new(),
            modelled,
        });
        Ok(())
    }

    /// Replaces a call by a copy of its callee, or keeps it; gives what is to be done on return.
    fn call(&mut self, copy: &Copy, call: Call) -> Result<Vec<Label>, Unsupported> {
        let Call {
            from,
            before: mut labels,
            callee,
            args,
            result,
            after,
            atomic,
            order,
            span,
            modelled,
        } = call;
        if self.graph.is_recursive(callee) {
            let callee = Callee::Direct(self.kept[&callee]);
            labels.push(Label::call(callee, args, result));
            self.new.add_edge(Edge {
                source: from,
                target: after,
                labels,
                atomic,
                order,
                span,
                statements: Vec::new(),
                modelled,
            });
            return Ok(Vec::new());
        }
        let number = self.copies.entry(callee).or_default();
        *number += 1;
        let mut inner = Copy::new(callee, copy.host, Some(span), *number);
        for (param, value) in self.old[callee].params.clone().into_iter().zip(args) {
            let var = self.rename_var(&mut inner, param);
            let value = self.declared(var, value);
            labels.push(Label::Assign { var, value });
        }
        let entry = self.new.add_loc(copy.host);
        self.new.add_edge(Edge {
            source: from,
            target: entry,
            labels,
            atomic,
            order,
            span,
            statements: Vec::new(),
            modelled,
        });
        self.copy_body(&mut inner, entry, after)?;
        let (Some(var), Some(from)) = (result, self.old[callee].result) else {
            return Ok(Vec::new());
        };
        let from = self.rename_var(&mut inner, from);
        let value = self.new.read(from);
        let value = self.declared(var, value);
        Ok(vec![Label::Assign { var, value }])
    }

    /// A pointer that a call turns into an integer is one from then on.
    fn declared(&mut self, var: VarId, value: Term) -> Term {
        match self.new.is_pointer(value) && !self.new[var].pointer {
            true => self.new.terms.unary(Op::AddressToInt, value),
            false => value,
        }
    }

    fn check_size(&self, span: Span) -> Result<(), Unsupported> {
        if self.new.edges.len() < self.most_edges {
            return Ok(());
        }
        let most = self.most_edges;
        let what = format!("inlining the calls up to here makes more than {most} edges");
        Err(Unsupported::at(span, what))
    }

    /// The user's call, for code of the library.
    fn span(&self, copy: &Copy, span: Span) -> Span {
        let file = self.new.sources.files().get(span.file.0 as usize);
        match copy.site {
            Some(site) if file.is_some_and(|file| file.is_library) => site,
            _ => span,
        }
    }

    /// Sets what refers to procedures by number.
    fn finish(mut self, main: ProcId) -> Xcfa {
        self.new.main = self.kept[&main];
        for object in self.new.obj_ids() {
            if let ObjectKind::Function(proc) = self.new[object].kind {
                let proc = self
                    .kept
                    .get(&proc)
                    .copied()
                    .unwrap_or_else(|| self.empty(proc));
                self.new[object].kind = ObjectKind::Function(proc);
            }
        }
        self.new.retain_edges(|_, _| true);
        self.new
    }

    /// A procedure without a body, for a function that is never called any more.
    fn empty(&mut self, proc: ProcId) -> ProcId {
        let Procedure { name, span, .. } = self.old[proc].clone();
        let new = self.new.add_proc(name, span);
        self.kept.insert(proc, new);
        new
    }
}

#[cfg(test)]
mod tests;
