//! Where a program keeps names: numbers that only distinguish things.
//!
//! The address of a heap object and the handle of a thread are such numbers. If a program does
//! nothing with them but copy, compare for equality and use them for what they are, then other numbers
//! would do as well, as long as they are the same in all places. This analysis finds these places; it
//! reads the text alone, without order, and refuses a program that uses the numbers themselves,
//! or that has a place where a name and another number could be mixed up.

mod stored;
mod terms;

use dataflow::PointsTo;
use dataflow::pointsto::{Offset, Target};
use expr::{Term, VarId};
use rustc_hash::FxHashMap;
use semantics::{Machine, Tid};
use stored::{Stored, offset};
use xcfa::{Label, LockMode, ObjectKind, Xcfa};

/// What a number can be, as a set of bits. The empty set is a constant that no name equals.
type Kind = u8;
const NUMBER: Kind = 1;
const NAME: Kind = 2;
/// An address that never changes its number.
const ADDRESS: Kind = 4;

/// What the names are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Heap objects.
    Objects,
    /// Threads.
    Threads,
}

/// Where in an object names are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// At this offset, or at every multiple of its size.
    pub at: Option<u64>,
    /// How many bytes it has.
    pub bytes: u64,
}

/// The places of names.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// By variable: does it hold names?
    pub vars: Vec<bool>,
    /// By object: where it holds names.
    pub words: Vec<Vec<Word>>,
    /// Do threads end with names?
    pub results: bool,
}

impl Names {
    /// Finds them; nothing if they are more than names.
    pub fn find(machine: &Machine<'_>, points_to: &PointsTo, of: Of) -> Option<Names> {
        let mut finder = Finder::new(machine, points_to, of);
        while finder.round() {}
        finder.sound().then(|| finder.names())
    }
}

struct Finder<'a> {
    xcfa: &'a Xcfa,
    points_to: &'a PointsTo,
    of: Of,
    /// Addresses of objects of threads start here.
    regions: u64,
    vars: Vec<Kind>,
    stored: Vec<Vec<Stored>>,
    results: Kind,
    terms: FxHashMap<Term, Kind>,
    /// Has something been done with a name that depends on its number?
    bad: bool,
    grown: bool,
}

impl<'a> Finder<'a> {
    fn new(machine: &Machine<'a>, points_to: &'a PointsTo, of: Of) -> Finder<'a> {
        let xcfa = machine.xcfa;
        let mut finder = Finder {
            xcfa,
            points_to,
            of,
            regions: machine.layout.stack_range(Tid(0), 0).start,
            vars: vec![0; xcfa.vars.len()],
            stored: vec![Vec::new(); xcfa.objects.len()],
            results: 0,
            terms: FxHashMap::default(),
            bad: false,
            grown: false,
        };
        finder.add_var(xcfa.self_var, finder.handle());
        for var in xcfa.var_ids() {
            let kind = xcfa[var].init.map_or(0, |init| finder.kind(init));
            finder.add_var(var, kind);
        }
        for object in xcfa.obj_ids() {
            if let ObjectKind::Static { init } = &xcfa[object].kind {
                for &(offset, term) in init {
                    let target = Target::new(object, Offset::At(offset as i64));
                    let bytes = xcfa.terms.bytes(term);
                    let kind = finder.kind(term);
                    finder.store([target], bytes, kind);
                }
            }
        }
        finder
    }

    fn handle(&self) -> Kind {
        match self.of {
            Of::Threads => NAME,
            Of::Objects => NUMBER,
        }
    }

    /// Visits every label; `true` if something new was learnt.
    fn round(&mut self) -> bool {
        self.grown = false;
        self.terms.clear();
        let xcfa = self.xcfa;
        for label in xcfa.edges.iter().flat_map(|edge| &edge.labels) {
            self.label(label);
        }
        self.grown && !self.bad
    }

    fn label(&mut self, label: &Label) {
        for term in label.terms() {
            self.kind(term);
        }
        match label {
            Label::Assign { var, value } => {
                let kind = self.kind(*value);
                self.add_var(*var, kind);
            }
            Label::Havoc { var, .. } => self.add_var(*var, NUMBER),
            Label::Load { var, addr } => {
                let kind = self.load(*addr, self.xcfa[*var].sort.bytes());
                self.add_var(*var, kind);
            }
            Label::Store { addr, value } => {
                let kind = self.kind(*value);
                let targets = self.address(*addr);
                self.store(targets, self.xcfa.terms.bytes(*value), kind);
            }
            Label::Lock { addr, mode } | Label::Unlock { addr, mode } => {
                let targets = self.address(*addr);
                self.store(targets.iter().copied(), 4, self.handle());
                if *mode != LockMode::Exclusive {
                    let readers = targets.into_iter().map(|target| Target {
                        offset: match target.offset {
                            Offset::At(at) => Offset::At(at + 4),
                            Offset::Any => Offset::Any,
                        },
                        ..target
                    });
                    self.store(readers, 4, NUMBER);
                }
            }
            Label::Wait { cond: addr } | Label::Signal { cond: addr, .. } | Label::Free(addr) => {
                self.address(*addr);
            }
            Label::Start { handle, proc, arg } => {
                self.add_var(*handle, self.handle());
                let kind = self.kind(*arg);
                if let Some(&param) = self.xcfa[*proc].params.first() {
                    self.add_var(param, kind);
                }
            }
            Label::Join { thread, result } => {
                // A handle that is made from a number would name a thread by that number.
                let kind = self.kind(*thread);
                self.bad |= self.of == Of::Threads && kind & NUMBER != 0;
                self.bad |= self.of == Of::Objects && kind & NAME != 0;
                if let Some(var) = result {
                    self.add_var(*var, self.results);
                }
            }
            Label::ThreadExit(value) => {
                let kind = self.kind(*value);
                self.grown |= self.results & kind != kind;
                self.results |= kind;
            }
            Label::Alloc {
                var, object, size, ..
            } => {
                let kind = match (self.of, &self.xcfa[*object].kind) {
                    (Of::Threads, _) => NUMBER,
                    (Of::Objects, ObjectKind::Heap) => NAME,
                    (Of::Objects, _) => ADDRESS,
                };
                self.bad |= self.kind(*size) & NAME != 0;
                self.add_var(*var, kind);
            }
            Label::Assume(_)
            | Label::Await(_)
            | Label::AtomicBegin
            | Label::AtomicEnd
            | Label::AwaitSignal { .. }
            | Label::Exit(_)
            | Label::Dealloc(_) => {}
            Label::Call { .. } => self.bad = true,
        }
    }

    fn add_var(&mut self, var: VarId, kind: Kind) {
        let known = &mut self.vars[var.0 as usize];
        self.grown |= *known & kind != kind;
        *known |= kind;
    }

    /// What an address can be of; a handle is none.
    fn address(&mut self, addr: Term) -> Vec<Target> {
        self.bad |= self.of == Of::Threads && self.kind(addr) & NAME != 0;
        self.points_to.targets(self.xcfa, addr)
    }

    fn store(&mut self, targets: impl IntoIterator<Item = Target>, bytes: u64, kind: Kind) {
        for target in targets {
            let stored = Stored {
                at: offset(target),
                bytes,
                kind,
            };
            let all = &mut self.stored[target.object.0 as usize];
            if !all.contains(&stored) {
                all.push(stored);
                self.grown = true;
            }
        }
    }

    fn load(&mut self, addr: Term, bytes: u64) -> Kind {
        let mut kind = 0;
        for target in self.address(addr) {
            let loaded = Stored {
                at: offset(target),
                bytes,
                kind: 0,
            };
            let all = &self.stored[target.object.0 as usize];
            for stored in all.iter().filter(|stored| stored.overlaps(&loaded)) {
                self.bad |= stored.kind & NAME != 0 && !stored.fits(&loaded);
                kind |= stored.kind;
            }
        }
        kind
    }

    /// Is a name never anything else, and nothing else ever a name?
    fn sound(&self) -> bool {
        let mixed = |kind: Kind| match self.of {
            Of::Objects => kind & NAME != 0 && kind & NUMBER != 0,
            Of::Threads => kind & NAME != 0 && kind & (NUMBER | ADDRESS) != 0,
        };
        let objects = self.stored.iter().all(|all| {
            let names = all.iter().filter(|stored| stored.kind & NAME != 0);
            names.into_iter().all(|name| {
                let mut meeting = all.iter().filter(|stored| stored.overlaps(name));
                meeting.all(|other| other.fits(name) && !mixed(other.kind | name.kind))
            })
        });
        let vars = self.vars.iter().all(|&kind| !mixed(kind));
        !self.bad && objects && vars && !mixed(self.results)
    }

    fn names(&self) -> Names {
        let words = |all: &Vec<Stored>| {
            let names = all.iter().filter(|stored| stored.kind & NAME != 0);
            let mut words: Vec<Word> = Vec::new();
            for stored in names {
                let word = Word {
                    at: stored.at.map(|at| at as u64),
                    bytes: stored.bytes,
                };
                if !words.contains(&word) {
                    words.push(word);
                }
            }
            // Every multiple covers the others.
            match words.iter().find(|word| word.at.is_none()) {
                Some(&every) => vec![every],
                None => words,
            }
        };
        Names {
            vars: self.vars.iter().map(|&kind| kind & NAME != 0).collect(),
            words: self.stored.iter().map(words).collect(),
            results: self.results & NAME != 0,
        }
    }
}
