//! Variables, objects, procedures and terms that nothing mentions are dropped, and the rest is
//! numbered anew.
//!
//! Law: the same program under other numbers.

use expr::{Node, ObjId, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use xcfa::{Callee, Label, ObjectKind, ProcId, Scope, Xcfa};

/// Drops what is unused.
pub fn remove_unused(xcfa: &mut Xcfa) {
    let mut used = Used::of(xcfa);
    used.close(xcfa);
    let old_terms = std::mem::take(&mut xcfa.terms);
    let mut numbers = Numbers::new(&used, old_terms);
    numbers.procedures(xcfa);
    numbers.variables(xcfa);
    numbers.objects(xcfa);
    for edge in &mut xcfa.edges {
        for label in &mut edge.labels {
            numbers.label(label);
        }
    }
    xcfa.terms = numbers.new;
}

/// What is mentioned.
struct Used {
    vars: Vec<bool>,
    objects: Vec<bool>,
    procs: Vec<bool>,
    work: Vec<ObjId>,
}

impl Used {
    fn of(xcfa: &Xcfa) -> Used {
        let mut used = Used {
            vars: vec![false; xcfa.vars.len()],
            objects: vec![false; xcfa.objects.len()],
            procs: vec![false; xcfa.procs.len()],
            work: Vec::new(),
        };
        used.vars[xcfa.self_var.0 as usize] = true;
        used.procs[xcfa.main.0 as usize] = true;
        for edge in &xcfa.edges {
            used.procs[xcfa[edge.source].proc.0 as usize] = true;
            for label in &edge.labels {
                used.label(xcfa, label);
            }
        }
        used
    }

    fn label(&mut self, xcfa: &Xcfa, label: &Label) {
        if let Some(var) = label.defines() {
            self.var(xcfa, var);
        }
        for term in label.terms() {
            self.term(xcfa, term);
        }
        match label {
            Label::Alloc { object, .. } | Label::Dealloc(object) => self.object(*object),
            Label::Start { proc, .. } => self.procs[proc.0 as usize] = true,
            Label::Call {
                callee: Callee::Direct(proc),
                ..
            } => self.procs[proc.0 as usize] = true,
            _ => {}
        }
    }

    fn var(&mut self, xcfa: &Xcfa, var: VarId) {
        if !std::mem::replace(&mut self.vars[var.0 as usize], true)
            && let Some(init) = xcfa[var].init
        {
            self.term(xcfa, init);
        }
    }

    fn object(&mut self, object: ObjId) {
        if !std::mem::replace(&mut self.objects[object.0 as usize], true) {
            self.work.push(object);
        }
    }

    fn term(&mut self, xcfa: &Xcfa, term: Term) {
        for var in xcfa.terms.vars(term) {
            self.var(xcfa, var);
        }
        for object in xcfa.terms.bases(term) {
            self.object(object);
        }
    }

    /// Adds what used objects and procedures bring with them.
    fn close(&mut self, xcfa: &Xcfa) {
        while let Some(object) = self.work.pop() {
            match &xcfa[object].kind {
                ObjectKind::Static { init } => {
                    for &(_, value) in init {
                        self.term(xcfa, value);
                    }
                }
                ObjectKind::Function(proc) => self.procs[proc.0 as usize] = true,
                ObjectKind::Stack | ObjectKind::Heap => {}
            }
        }
        for proc in xcfa.proc_ids().filter(|proc| self.procs[proc.0 as usize]) {
            for &var in xcfa[proc].params.iter().chain(&xcfa[proc].result) {
                self.vars[var.0 as usize] = true;
            }
        }
    }
}

/// Old numbers to new ones.
struct Numbers {
    vars: Vec<Option<u32>>,
    objects: Vec<Option<u32>>,
    procs: Vec<Option<u32>>,
    old: Terms,
    new: Terms,
    done: FxHashMap<Term, Term>,
}

fn count(used: &[bool]) -> Vec<Option<u32>> {
    let mut next = 0;
    let number = |&used: &bool| {
        next += used as u32;
        used.then(|| next - 1)
    };
    used.iter().map(number).collect()
}

const MENTIONED: &str = "whatever is mentioned has a number";

impl Numbers {
    fn new(used: &Used, old: Terms) -> Numbers {
        Numbers {
            vars: count(&used.vars),
            objects: count(&used.objects),
            procs: count(&used.procs),
            old,
            new: Terms::new(),
            done: FxHashMap::default(),
        }
    }

    fn var(&self, var: VarId) -> VarId {
        VarId(self.vars[var.0 as usize].expect(MENTIONED))
    }

    fn object(&self, object: ObjId) -> ObjId {
        ObjId(self.objects[object.0 as usize].expect(MENTIONED))
    }

    fn proc(&self, proc: ProcId) -> ProcId {
        ProcId(self.procs[proc.0 as usize].expect(MENTIONED))
    }

    /// Drops procedures with their locations; a procedure without a use has no edges.
    fn procedures(&self, xcfa: &mut Xcfa) {
        let mut index = 0;
        xcfa.procs.retain(|_| {
            index += 1;
            self.procs[index - 1].is_some()
        });
        for proc in &mut xcfa.procs {
            for var in proc.params.iter_mut().chain(&mut proc.result) {
                *var = self.var(*var);
            }
        }
        xcfa.main = self.proc(xcfa.main);
        for loc in &mut xcfa.locs {
            // The locations of a dropped procedure go below, whatever number they have.
            loc.proc = ProcId(self.procs[loc.proc.0 as usize].unwrap_or(0));
        }
        xcfa.retain_edges(|_, _| true);
    }

    fn variables(&mut self, xcfa: &mut Xcfa) {
        xcfa.self_var = self.var(xcfa.self_var);
        let old = std::mem::take(&mut xcfa.vars);
        for (at, mut var) in old.into_iter().enumerate() {
            if self.vars[at].is_none() {
                continue;
            }
            var.init = var.init.map(|init| self.term(init));
            if let Scope::Local(proc) = var.scope {
                var.scope = Scope::Local(self.proc(proc));
            }
            xcfa.vars.push(var);
        }
    }

    fn objects(&mut self, xcfa: &mut Xcfa) {
        let old = std::mem::take(&mut xcfa.objects);
        for (at, mut object) in old.into_iter().enumerate() {
            if self.objects[at].is_none() {
                continue;
            }
            match &mut object.kind {
                ObjectKind::Static { init } => {
                    init.iter_mut()
                        .for_each(|(_, value)| *value = self.term(*value));
                }
                ObjectKind::Function(proc) => *proc = self.proc(*proc),
                ObjectKind::Stack | ObjectKind::Heap => {}
            }
            xcfa.objects.push(object);
        }
    }

    fn label(&mut self, label: &mut Label) {
        if let Some(var) = label.defines() {
            label.set_defined(self.var(var));
        }
        label.map_terms(|term| self.term(term));
        match label {
            Label::Alloc { object, .. } | Label::Dealloc(object) => *object = self.object(*object),
            Label::Start { proc, .. }
            | Label::Call {
                callee: Callee::Direct(proc),
                ..
            } => {
                *proc = self.proc(*proc);
            }
            _ => {}
        }
    }

    /// The same term in the new pool.
    fn term(&mut self, term: Term) -> Term {
        if let Some(&done) = self.done.get(&term) {
            return done;
        }
        let result = match self.old.node(term) {
            Node::Const(sort, bits) => self.new.constant(sort, bits),
            Node::Var(var, sort) => self.new.var(self.var(var), sort),
            Node::Base(object, width) => self.new.base(self.object(object), width),
            Node::Unary(op, a) => {
                let a = self.term(a);
                self.new.unary(op, a)
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.term(a), self.term(b));
                self.new.binary(op, a, b)
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (self.term(c), self.term(a), self.term(b));
                self.new.ite(c, a, b)
            }
        };
        self.done.insert(term, result);
        result
    }
}

#[cfg(test)]
mod tests {
    use automata::parse;
    use expect_test::expect;

    #[test]
    fn the_unused_goes_and_what_is_used_through_others_stays() {
        let mut xcfa = parse(
            "global idle
             global x
             static c[4]
             static lost[4]
             static a[8] +0=&c
             proc callback()
               in -> out: skip
             proc nobody()
             proc main()
               in -> 1: p := &a + 4; pf := &callback
               1 -> out: x := 1 + x",
        );
        super::remove_unused(&mut xcfa);
        expect![[r#"
            thread_local self: bv64
            global x: bv32 = 0
            static c[4]
            static a[8] +0=&c

            proc callback() init L0 exit L1
              L0 -> L1: skip

            proc main() init L2 exit L3
              L2 -> L4: p := (&a + 4); pf := &callback
              L4 -> L3: x := (x + 1)
        "#]]
        .assert_eq(&xcfa.dump());
        assert_eq!(xcfa.objects.len(), 3);
    }
}
