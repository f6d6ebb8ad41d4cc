//! Building and editing automata.

use crate::{
    DataModel, Edge, EdgeId, Label, LocId, Location, MemoryOrder, Object, ProcId, Procedure, Scope,
    Sources, Span, Var, Xcfa,
};
use expr::{ObjId, Sort, Terms, VarId};
use std::collections::BTreeMap;

impl Xcfa {
    /// A program with nothing in it but the thread-local handle; `main` must be set later.
    pub fn new(data_model: DataModel, sources: Sources) -> Xcfa {
        let width = data_model.pointer_bits();
        let handle = Var::temp("self".into(), Sort::Bv(width), Scope::ThreadLocal);
        Xcfa {
            terms: Terms::new(),
            vars: vec![handle],
            objects: Vec::new(),
            procs: Vec::new(),
            locs: Vec::new(),
            edges: Vec::new(),
            main: ProcId(0),
            self_var: VarId(0),
            data_model,
            sources,
            assertions: BTreeMap::new(),
            assumptions: Vec::new(),
            foreign: None,
            unspecified: None,
            ordered: Vec::new(),
            numbers: Vec::new(),
            inexact: BTreeMap::new(),
            detaches: false,
            checks_memory: false,
        }
    }

    /// Adds a variable.
    pub fn add_var(&mut self, var: Var) -> VarId {
        self.vars.push(var);
        VarId(self.vars.len() as u32 - 1)
    }

    /// Adds a temporary, local to `proc`.
    pub fn add_temp(&mut self, proc: ProcId, sort: Sort) -> VarId {
        let name = format!("t{}", self.vars.len());
        let scope = Scope::Local(proc);
        self.add_var(Var {
            signed: true,
            ..Var::temp(name, sort, scope)
        })
    }

    /// Adds an object.
    pub fn add_object(&mut self, object: Object) -> ObjId {
        self.objects.push(object);
        ObjId(self.objects.len() as u32 - 1)
    }

    /// Adds a procedure with its first and last location.
    pub fn add_proc(&mut self, name: impl Into<String>, span: Span) -> ProcId {
        let proc = ProcId(self.procs.len() as u32);
        let init = self.add_loc(proc);
        let exit = self.add_loc(proc);
        let name = name.into();
        self.procs.push(Procedure {
            name,
            params: Vec::new(),
            result: None,
            init,
            exit,
            span,
        });
        proc
    }

    /// Adds a location.
    pub fn add_loc(&mut self, proc: ProcId) -> LocId {
        self.locs.push(Location {
            proc,
            out: Vec::new(),
            inc: Vec::new(),
            error: None,
            misuse: None,
        });
        LocId(self.locs.len() as u32 - 1)
    }

    /// Adds an edge.
    pub fn add_edge(&mut self, edge: Edge) -> EdgeId {
        let id = EdgeId(self.edges.len() as u32);
        self[edge.source].out.push(id);
        self[edge.target].inc.push(id);
        self.edges.push(edge);
        id
    }

    /// Adds an edge that is not atomic.
    pub fn connect(
        &mut self,
        source: LocId,
        target: LocId,
        labels: Vec<Label>,
        span: Span,
    ) -> EdgeId {
        self.add_edge(Edge {
            source,
            target,
            labels,
            atomic: false,
            order: Some(MemoryOrder::SeqCst),
            span,
            statements: Vec::new(),
            modelled: false,
        })
    }

    /// Keeps only the edges that `keep` accepts and the locations that a procedure's start reaches
    /// over them (and every procedure's start and exit); numbers are given anew, in order.
    pub fn retain_edges(&mut self, mut keep: impl FnMut(EdgeId, &Edge) -> bool) {
        let kept: Vec<bool> = self.edge_ids().map(|id| keep(id, &self[id])).collect();
        let mut live = vec![false; self.locs.len()];
        let mut work: Vec<LocId> = self.procs.iter().flat_map(|p| [p.init, p.exit]).collect();
        while let Some(loc) = work.pop() {
            if std::mem::replace(&mut live[loc.0 as usize], true) {
                continue;
            }
            let out = self[loc].out.iter().filter(|edge| kept[edge.0 as usize]);
            work.extend(out.map(|&edge| self[edge].target));
        }
        self.renumber(&live, &kept);
    }

    fn renumber(&mut self, live: &[bool], kept: &[bool]) {
        let mut new_loc = vec![LocId(u32::MAX); self.locs.len()];
        let old_locs = std::mem::take(&mut self.locs);
        for (at, mut loc) in old_locs.into_iter().enumerate() {
            if live[at] {
                new_loc[at] = LocId(self.locs.len() as u32);
                loc.out.clear();
                loc.inc.clear();
                self.locs.push(loc);
            }
        }
        for proc in &mut self.procs {
            proc.init = new_loc[proc.init.0 as usize];
            proc.exit = new_loc[proc.exit.0 as usize];
        }
        for (at, mut edge) in std::mem::take(&mut self.edges).into_iter().enumerate() {
            if kept[at] && live[edge.source.0 as usize] {
                edge.source = new_loc[edge.source.0 as usize];
                edge.target = new_loc[edge.target.0 as usize];
                self.add_edge(edge);
            }
        }
    }
}
