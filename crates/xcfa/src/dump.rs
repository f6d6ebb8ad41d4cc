//! The automata as text, one line per edge, for golden tests and for readers.

use crate::{
    Callee, Edge, HavocOrigin, Label, Leaving, LockMode, MemoryOrder, ObjectKind, ProcId, Scope,
    Xcfa,
};
use expr::{Names, Term};
use std::fmt::Write;

impl Xcfa {
    /// The whole program as text.
    pub fn dump(&self) -> String {
        let mut out = String::new();
        for var in &self.vars {
            let kind = match var.scope {
                Scope::Global => "global",
                Scope::ThreadLocal => "thread_local",
                Scope::Local(_) => continue,
            };
            let _ = write!(out, "{kind} {}: {}", var.name, var.sort);
            if let Some(init) = var.init {
                let _ = write!(out, " = {}", self.terms.show(init, self));
            }
            out.push('\n');
        }
        for object in &self.objects {
            let kind = match &object.kind {
                ObjectKind::Static { .. } => "static",
                ObjectKind::Stack => "stack",
                ObjectKind::Heap => "heap",
                ObjectKind::Function(_) => continue,
            };
            let _ = write!(out, "{kind} {}", object.name);
            if let Some(size) = object.size {
                let _ = write!(out, "[{size}]");
            }
            if let ObjectKind::Static { init } = &object.kind {
                for (offset, value) in init.iter().take(8) {
                    let _ = write!(out, " +{offset}={}", self.terms.show(*value, self));
                }
                if init.len() > 8 {
                    out.push_str(" ...");
                }
            }
            out.push('\n');
        }
        for proc in self.proc_ids() {
            self.dump_proc(&mut out, proc);
        }
        out
    }

    fn dump_proc(&self, out: &mut String, id: ProcId) {
        let proc = &self[id];
        let params: Vec<_> = proc
            .params
            .iter()
            .map(|&p| format!("{}: {}", self[p].name, self[p].sort))
            .collect();
        let _ = write!(out, "\nproc {}({})", proc.name, params.join(", "));
        if let Some(result) = proc.result {
            let _ = write!(out, " -> {}: {}", self[result].name, self[result].sort);
        }
        let _ = writeln!(out, " init L{} exit L{}", proc.init.0, proc.exit.0);
        for loc in self.loc_ids().filter(|&loc| self[loc].proc == id) {
            if let Some(error) = self[loc].error {
                let _ = writeln!(out, "  L{} is an error: {error:?}", loc.0);
            }
            for &edge in &self[loc].out {
                let _ = writeln!(out, "  {}", self.show_edge(&self[edge]));
            }
        }
    }

    /// One edge as text: `L1 -> L2: x := (y + 1)`.
    pub fn show_edge(&self, edge: &Edge) -> String {
        let labels: Vec<_> = edge
            .labels
            .iter()
            .map(|label| self.show_label(label))
            .collect();
        let text = if labels.is_empty() {
            "skip".into()
        } else {
            labels.join("; ")
        };
        let atomic = match (edge.atomic, edge.order) {
            (false, _) => String::new(),
            (true, Some(MemoryOrder::SeqCst)) => "atomic ".to_owned(),
            (true, Some(order)) => format!("atomic {} ", order.name()),
            (true, None) => "atomic in some order ".to_owned(),
        };
        format!("L{} -> L{}: {atomic}{text}", edge.source.0, edge.target.0)
    }

    /// One label as text.
    pub fn show_label(&self, label: &Label) -> String {
        let term = |term: &Term| self.terms.show(*term, self);
        let var = |id| Names::var(self, id);
        let mode = |mode: &LockMode| match mode {
            LockMode::Exclusive => "",
            LockMode::Read => "_read",
            LockMode::Write => "_write",
        };
        match label {
            Label::Assign { var: v, value } => format!("{} := {}", var(*v), term(value)),
            Label::Havoc { var: v, origin } => format!("{} := {}", var(*v), show_origin(origin)),
            Label::Load { var: v, addr } => format!("{} := *{}", var(*v), term(addr)),
            Label::Store { addr, value } => {
                format!(
                    "*{} :={} {}",
                    term(addr),
                    self.terms.width(*value) / 8,
                    term(value)
                )
            }
            Label::Assume(cond) => format!("assume {}", term(cond)),
            Label::Await(cond) => format!("await {}", term(cond)),
            Label::AtomicBegin => "atomic_begin".into(),
            Label::AtomicEnd => "atomic_end".into(),
            Label::Lock { addr, mode: m } => format!("lock{} {}", mode(m), term(addr)),
            Label::Unlock { addr, mode: m } => format!("unlock{} {}", mode(m), term(addr)),
            Label::Wait { cond } => format!("wait {}", term(cond)),
            Label::AwaitSignal { timed: false } => "await_signal".into(),
            Label::AwaitSignal { timed: true } => "await_signal_or_timeout".into(),
            Label::Signal { cond, all: false } => format!("signal {}", term(cond)),
            Label::Signal { cond, all: true } => format!("broadcast {}", term(cond)),
            Label::Start { handle, proc, arg } => {
                format!(
                    "{} := start {}({})",
                    var(*handle),
                    self[*proc].name,
                    term(arg)
                )
            }
            Label::Join {
                thread,
                result: None,
            } => format!("join {}", term(thread)),
            Label::Join {
                thread,
                result: Some(v),
            } => {
                format!("{} := join {}", var(*v), term(thread))
            }
            Label::ThreadExit(value) => format!("thread_exit {}", term(value)),
            Label::Exit(Leaving::Return) => "exit".into(),
            Label::Exit(Leaving::Call) => "exit now".into(),
            Label::Alloc {
                var: v,
                object,
                size,
                zeroed,
            } => {
                let zeroed = if *zeroed { " zeroed" } else { "" };
                format!(
                    "{} := alloc {}[{}]{zeroed}",
                    var(*v),
                    self[*object].name,
                    term(size)
                )
            }
            Label::Free(addr) => format!("free {}", term(addr)),
            Label::Dealloc(object) => format!("dealloc {}", self[*object].name),
            Label::Call {
                callee,
                args,
                result,
            } => {
                let callee = match callee {
                    Callee::Direct(proc) => self[*proc].name.clone(),
                    Callee::Pointer(at) => format!("(*{})", term(at)),
                };
                let args: Vec<_> = args.iter().map(term).collect();
                let result = result.map_or(String::new(), |v| format!("{} := ", var(v)));
                format!("{result}call {callee}({})", args.join(", "))
            }
        }
    }
}

fn show_origin(origin: &HavocOrigin) -> String {
    match origin {
        HavocOrigin::Input(name, _) => format!("input {name}()"),
        HavocOrigin::External(name, _) => format!("external {name}()"),
        HavocOrigin::Pointer(name) => format!("pointer {name}()"),
        HavocOrigin::Uninitialised => "uninitialised".into(),
        HavocOrigin::WeakFailure => "weak_failure".into(),
    }
}
