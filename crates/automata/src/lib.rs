//! A small text notation for automata, so that tests can show the program that they are about.
//!
//! One item a line. Names that start with `p` are pointers, all others have 32 bits; locals need
//! no declaration. `in` and `out` are the first and last location of a procedure; a location
//! with `!` at its end is an error.
//!
//! ```text
//! global x = 0
//! static a[8] +0=&f
//! stack s[4]
//! heap h
//! proc main() -> r
//!   in -> 1: t := x; assume t == 0
//!   1 -> out: atomic *(&a + 4) := t
//! ```

mod terms;

use expr::{ObjId, Sort, Term, VarId};
use rustc_hash::FxHashMap;
use xcfa::{
    Callee, DataModel, Edge, ErrorKind, HavocOrigin, Label, Leaving, LocId, LockMode, Object,
    ObjectKind, ProcId, Scope, Shape, Sources, Span, Var, Xcfa,
};

/// Reads a program; panics where the text makes no sense.
pub fn parse(text: &str) -> Xcfa {
    let mut reader = Reader::new();
    let lines = || {
        text.lines()
            .enumerate()
            .map(|(at, line)| (at as u32, line.trim()))
    };
    for (_, line) in lines().filter(|(_, line)| line.starts_with("proc ")) {
        reader.declare_proc(line);
    }
    for (at, line) in lines().filter(|(_, line)| !line.is_empty()) {
        reader.line(at, line);
    }
    reader.xcfa.main = reader.procs["main"];
    reader.xcfa
}

struct Reader {
    xcfa: Xcfa,
    procs: FxHashMap<String, ProcId>,
    vars: FxHashMap<(Option<ProcId>, String), VarId>,
    objects: FxHashMap<String, ObjId>,
    locs: FxHashMap<(ProcId, String), LocId>,
    now: Option<ProcId>,
}

impl Reader {
    fn new() -> Reader {
        Reader {
            xcfa: Xcfa::new(DataModel::Lp64, Sources::default()),
            procs: FxHashMap::default(),
            vars: FxHashMap::default(),
            objects: FxHashMap::default(),
            locs: FxHashMap::default(),
            now: None,
        }
    }

    fn declare_proc(&mut self, line: &str) {
        let rest = line.strip_prefix("proc ").unwrap();
        let (name, rest) = rest.split_once('(').unwrap();
        let (params, result) = rest.split_once(')').unwrap();
        let proc = self.xcfa.add_proc(name, Span::default());
        self.procs.insert(name.into(), proc);
        self.now = Some(proc);
        for param in params
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
        {
            let var = self.var(param);
            self.xcfa[proc].params.push(var);
        }
        if let Some(result) = result.trim().strip_prefix("->") {
            self.xcfa[proc].result = Some(self.var(result.trim()));
        }
        let kind = ObjectKind::Function(proc);
        self.object(name, kind, Some(1));
        self.locs.insert((proc, "in".into()), self.xcfa[proc].init);
        self.locs.insert((proc, "out".into()), self.xcfa[proc].exit);
        self.now = None;
    }

    fn line(&mut self, at: u32, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "proc" => self.now = Some(self.procs[rest.split_once('(').unwrap().0]),
            "global" => {
                let (name, init) = rest.split_once('=').unwrap_or((rest, "0"));
                let var = self.add_var(name.trim(), Scope::Global);
                let sort = self.xcfa[var].sort;
                self.xcfa[var].init = Some(self.expr(init, sort));
            }
            "static" => {
                let mut words = rest.split(' ');
                let (name, size) = sized(words.next().unwrap());
                let init = words.map(|word| self.initial(word)).collect();
                self.object(name, ObjectKind::Static { init }, size);
            }
            "stack" | "heap" => {
                let (name, size) = sized(rest);
                let kind = if word == "heap" {
                    ObjectKind::Heap
                } else {
                    ObjectKind::Stack
                };
                self.object(name, kind, size);
            }
            _ => self.edge(at, line),
        }
    }

    fn initial(&mut self, word: &str) -> (u64, Term) {
        let (offset, value) = word.trim_start_matches('+').split_once('=').unwrap();
        let sort = if value.starts_with('&') {
            Sort::Bv(64)
        } else {
            Sort::Bv(32)
        };
        (offset.parse().unwrap(), self.expr(value, sort))
    }

    fn object(&mut self, name: &str, kind: ObjectKind, size: Option<u64>) {
        let (shape, span) = (Shape::Bytes, Span::default());
        let object = Object {
            align: 8,
            shape,
            ..Object::new(name.into(), kind, size, span)
        };
        let id = self.xcfa.add_object(object);
        self.objects.insert(name.into(), id);
    }

    fn add_var(&mut self, name: &str, scope: Scope) -> VarId {
        let sort = match name.as_bytes()[0] {
            b'p' => Sort::Bv(64),
            b'?' => Sort::Bool,
            _ => Sort::Bv(32),
        };
        let proc = match scope {
            Scope::Local(proc) => Some(proc),
            _ => None,
        };
        let temp = name.starts_with('t');
        let var = self.xcfa.add_var(Var {
            name: name.into(),
            sort,
            signed: true,
            pointer: name.starts_with('p'),
            scope,
            init: None,
            temp,
            alias: None,
        });
        self.vars.insert((proc, name.into()), var);
        var
    }

    fn var(&mut self, name: &str) -> VarId {
        if name == "self" {
            return self.xcfa.self_var;
        }
        let known = self.vars.get(&(self.now, name.into()));
        match known.or_else(|| self.vars.get(&(None, name.into()))) {
            Some(&var) => var,
            None => self.add_var(name, Scope::Local(self.now.unwrap())),
        }
    }

    fn loc(&mut self, name: &str) -> LocId {
        let proc = self.now.unwrap();
        if let Some(&loc) = self.locs.get(&(proc, name.into())) {
            return loc;
        }
        let loc = self.xcfa.add_loc(proc);
        if name.ends_with('!') {
            self.xcfa[loc].error = Some(ErrorKind::Reached);
        }
        self.locs.insert((proc, name.into()), loc);
        loc
    }

    fn edge(&mut self, at: u32, line: &str) {
        let (ends, labels) = line.split_once(':').unwrap();
        let (source, target) = ends.split_once("->").unwrap();
        let (source, target) = (self.loc(source.trim()), self.loc(target.trim()));
        let labels = labels.trim();
        let (atomic, labels) = match labels.strip_prefix("atomic ") {
            Some(rest) => (true, rest),
            None => (false, labels),
        };
        let texts = labels
            .split(';')
            .map(str::trim)
            .filter(|text| !text.is_empty());
        let labels = texts
            .filter(|&text| text != "skip")
            .map(|text| self.label(text))
            .collect();
        let span = Span {
            lo: at,
            hi: at + 1,
            ..Span::default()
        };
        self.xcfa.add_edge(Edge {
            source,
            target,
            labels,
            atomic,
            order: Some(xcfa::MemoryOrder::SeqCst),
            span,
            statements: Vec::new(),
            modelled: false,
        });
    }

    fn label(&mut self, text: &str) -> Label {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        if text.starts_with("call ") {
            return self.call(rest, None);
        }
        let pointer = Sort::Bv(64);
        match word {
            "assume" => Label::Assume(self.expr(rest, Sort::Bool)),
            "await" => Label::Await(self.expr(rest, Sort::Bool)),
            "lock" => self.lock(rest, LockMode::Exclusive),
            "lock_read" => self.lock(rest, LockMode::Read),
            "lock_write" => self.lock(rest, LockMode::Write),
            "unlock" => self.unlock(rest, LockMode::Exclusive),
            "unlock_shared" => self.unlock(rest, LockMode::Write),
            "free" => Label::Free(self.expr(rest, pointer)),
            "wait" => Label::Wait {
                cond: self.expr(rest, pointer),
            },
            "signal" => Label::Signal {
                cond: self.expr(rest, pointer),
                all: false,
            },
            "broadcast" => Label::Signal {
                cond: self.expr(rest, pointer),
                all: true,
            },
            "await_signal" => Label::AwaitSignal { timed: false },
            "await_signal_timed" => Label::AwaitSignal { timed: true },
            "thread_exit" => Label::ThreadExit(self.expr(rest, pointer)),
            "join" => Label::Join {
                thread: self.expr(rest, pointer),
                result: None,
            },
            "exit" => Label::Exit(Leaving::Return),
            "abort" => Label::Exit(Leaving::Call),
            "atomic_begin" => Label::AtomicBegin,
            "atomic_end" => Label::AtomicEnd,
            "dealloc" => Label::Dealloc(self.objects[rest]),
            _ => {
                let (to, value) = text.split_once(":=").unwrap();
                self.assignment(to.trim(), value.trim())
            }
        }
    }

    fn lock(&mut self, addr: &str, mode: LockMode) -> Label {
        let addr = self.expr(addr, Sort::Bv(64));
        Label::Lock { addr, mode }
    }

    fn unlock(&mut self, addr: &str, mode: LockMode) -> Label {
        let addr = self.expr(addr, Sort::Bv(64));
        Label::Unlock { addr, mode }
    }

    fn assignment(&mut self, to: &str, value: &str) -> Label {
        if let Some(addr) = to.strip_prefix('*') {
            let addr = self.expr(addr, Sort::Bv(64));
            let sort = if value.starts_with(['p', '&']) {
                Sort::Bv(64)
            } else {
                Sort::Bv(32)
            };
            return Label::Store {
                addr,
                value: self.expr(value, sort),
            };
        }
        let var = self.var(to);
        let sort = self.xcfa[var].sort;
        let (word, rest) = value.split_once(' ').unwrap_or((value, ""));
        match word {
            "input" => Label::Havoc {
                var,
                origin: HavocOrigin::Input("input".into(), Span::default()),
            },
            "start" => {
                let (name, arg) = rest.trim_end_matches(')').split_once('(').unwrap();
                let arg = self.expr(if arg.is_empty() { "0" } else { arg }, Sort::Bv(64));
                Label::Start {
                    handle: var,
                    proc: self.procs[name],
                    arg,
                }
            }
            "join" => Label::Join {
                thread: self.expr(rest, Sort::Bv(64)),
                result: Some(var),
            },
            "alloc" | "alloc_zeroed" => {
                let object = self.objects[rest];
                let size = self.xcfa[object].size.unwrap_or(8);
                let size = self.xcfa.terms.bv(64, size);
                Label::alloc(var, object, size, word == "alloc_zeroed")
            }
            "call" => self.call(rest, Some(var)),
            _ if value.starts_with('*') => Label::Load {
                var,
                addr: self.expr(&value[1..], Sort::Bv(64)),
            },
            _ => Label::Assign {
                var,
                value: self.expr(value, sort),
            },
        }
    }

    fn call(&mut self, text: &str, result: Option<VarId>) -> Label {
        let (callee, args) = text.trim_end_matches(')').split_once('(').unwrap();
        let args: Vec<_> = args
            .split(',')
            .map(str::trim)
            .filter(|arg| !arg.is_empty())
            .map(|arg| {
                let sort = if arg.starts_with(['p', '&']) {
                    Sort::Bv(64)
                } else {
                    Sort::Bv(32)
                };
                self.expr(arg, sort)
            })
            .collect();
        let callee = match callee.strip_prefix('*') {
            Some(pointer) => Callee::Pointer(self.expr(pointer, Sort::Bv(64))),
            None => Callee::Direct(self.procs[callee]),
        };
        Label::Call {
            callee,
            args,
            result,
        }
    }
}

fn sized(text: &str) -> (&str, Option<u64>) {
    match text.trim().trim_end_matches(']').split_once('[') {
        Some((name, size)) => (name, Some(size.parse().unwrap())),
        None => (text.trim(), None),
    }
}
