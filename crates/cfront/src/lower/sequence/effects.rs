//! What expressions read and change, with the functions that they call.

use super::super::body::ATOMIC_PREFIX;
use super::super::reach::peel_casts;
use crate::functions::{self, Effect, Meaning};
use crate::hir::walk::{Visitor, walk_stmt};
use crate::hir::{Builtin, Expr, ExprKind, FuncId, GlobalId, LocalId, Program, RecordOp, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// Something that expressions read or change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    Local(LocalId),
    Global(GlobalId),
    /// Whatever a pointer points to.
    Memory,
    /// What other threads, the library or an unknown function see.
    World,
}

/// What an expression reads and changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    pub reads: FxHashSet<Place>,
    pub writes: FxHashSet<Place>,
}

impl Effects {
    pub fn add(&mut self, other: &Effects) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
    }

    fn touch_memory(&mut self) {
        self.reads.insert(Place::Memory);
        self.writes.extend([Place::Memory, Place::World]);
    }
}

/// What calls of functions do, as far as it is known.
#[derive(Default)]
pub(super) struct Summaries {
    known: FxHashMap<FuncId, Effects>,
}

impl Summaries {
    /// What a function and those that it calls do to what is not local to them.
    pub fn of(&mut self, program: &Program, function: FuncId) -> &Effects {
        let known = self.known.entry(function);
        known.or_insert_with(|| effects_outside(program, function))
    }
}

fn effects_outside(program: &Program, function: FuncId) -> Effects {
    let mut effects = Effects::default();
    let mut seen = FxHashSet::from_iter([function]);
    let mut work = vec![function];
    while let Some(id) = work.pop() {
        let mut collector = Collector::default();
        match &program.functions[id.0 as usize].body {
            Some(body) => walk_stmt(body, &mut collector),
            None => collector.library(&program.functions[id.0 as usize].name),
        }
        // The whole of it is one atomic operation, which other threads notice.
        if program.functions[id.0 as usize]
            .name
            .starts_with(ATOMIC_PREFIX)
        {
            collector.effects.writes.insert(Place::World);
        }
        effects.add(&collector.effects);
        work.extend(collector.called.into_iter().filter(|&id| seen.insert(id)));
    }
    let is_outside = |place: &Place| !matches!(place, Place::Local(_));
    effects.reads.retain(is_outside);
    effects.writes.retain(is_outside);
    effects
}

/// Collects what an expression does itself, and which functions it calls.
#[derive(Default)]
pub(super) struct Collector {
    pub effects: Effects,
    pub called: Vec<FuncId>,
}

impl Collector {
    fn read(&mut self, place: &Expr) {
        self.effects.reads.extend(root(place));
        if is_atomic(place) {
            self.effects.writes.insert(Place::World);
        }
    }

    fn write(&mut self, place: &Expr) {
        self.effects.writes.extend(root(place));
        if is_atomic(place) {
            self.effects.writes.insert(Place::World);
        }
    }

    /// What a built-in does beyond the evaluation of its arguments.
    fn builtin(&mut self, builtin: Builtin, args: &[Expr]) {
        use Builtin::*;
        let (read, written, seen): (&[usize], &[usize], bool) = match builtin {
            AtomicLoad => (&[0], &[], true),
            AtomicStore => (&[], &[0], true),
            AtomicInit => (&[], &[0], false),
            AtomicExchange | AtomicBoolCas | AtomicValCas => (&[0], &[0], true),
            AtomicFetch(_) | AtomicThenFetch(_) => (&[0], &[0], true),
            AtomicCompareExchange | AtomicWeakCompareExchange => (&[0, 1], &[0, 1], true),
            AtomicRecord(RecordOp::Load) => (&[0], &[1], true),
            AtomicRecord(RecordOp::Store) => (&[1], &[0], true),
            AtomicRecord(RecordOp::Init) => (&[1], &[0], false),
            AtomicRecord(RecordOp::Exchange) => (&[0, 1], &[0, 2], true),
            AtomicRecord(RecordOp::CompareExchange | RecordOp::WeakCompareExchange) => {
                (&[0, 1, 2], &[0, 1], true)
            }
            AddOverflow | SubOverflow | MulOverflow => (&[], &[2], false),
            Fence | WeakFence | Unreachable | Trap => (&[], &[], true),
            Nothing | Ordered(_) | FirstSlot | Alloca | ByteSwap | CountLeadingZeros
            | CountTrailingZeros | FindFirstSet | PopCount | Parity | Real(_) | Unspecified
            | Note(_) => (&[], &[], false),
        };
        let place = |&index: &usize| pointee(&args[index]);
        self.effects.reads.extend(read.iter().map(place));
        self.effects.writes.extend(written.iter().map(place));
        if seen {
            self.effects.writes.insert(Place::World);
        }
    }

    /// A function without a body.
    fn library(&mut self, name: &str) {
        const NO_EFFECTS: [&str; 9] = [
            "malloc", "calloc", "abs", "labs", "llabs", "rand", "random", "reads", "self",
        ];
        let primitive = name.strip_prefix("__mazurka_");
        let silent = primitive.is_some_and(|name| name.starts_with("any_"));
        let meaning = functions::function(name).map(|function| function.meaning);
        if silent || NO_EFFECTS.contains(&primitive.unwrap_or(name)) {
            return;
        }
        match meaning {
            _ if primitive.is_some() => self.effects.touch_memory(),
            // Unknown functions are assumed to do nothing.
            None | Some(Meaning::Succeeds | Meaning::Refused(_)) => {}
            Some(Meaning::Prints(_)) => _ = self.effects.reads.insert(Place::Memory),
            Some(Meaning::Outside(_, effects) | Meaning::Arbitrary(effects)) => {
                self.effects.reads.insert(Place::Memory);
                let reads = |effect: &Effect| {
                    use Effect::{Bytes, Items, Object, Text, TextOrNull};
                    matches!(
                        effect,
                        Text(_) | TextOrNull(_) | Bytes(..) | Items(..) | Object(_)
                    )
                };
                if !effects.iter().all(reads) {
                    self.effects.touch_memory();
                }
            }
            Some(Meaning::InC(_) | Meaning::Steps(_) | Meaning::PrintsAndEnds(_)) => {
                self.effects.touch_memory();
            }
        }
    }
}

impl Visitor for Collector {
    fn expr(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Load(place) => self.read(place),
            ExprKind::Assign(place, _) => self.write(place),
            ExprKind::CompoundAssign { place, .. }
            | ExprKind::PointerAssignAdd { place, .. }
            | ExprKind::IncDec { place, .. } => {
                self.read(place);
                self.write(place);
            }
            ExprKind::Call { callee, .. } => match peel_casts(callee).kind {
                ExprKind::FunctionAddr(id) => self.called.push(id),
                _ => self.effects.touch_memory(),
            },
            ExprKind::Builtin(builtin, args) => self.builtin(*builtin, args),
            _ => {}
        }
        true
    }
}

/// Collects what an expression changes at a time that is open until the full expression ends. What
/// functions and statements change is changed before they give their value, and so are their arguments.
#[derive(Default)]
pub(super) struct Unfinished {
    pub writes: Vec<Place>,
}

impl Visitor for Unfinished {
    fn expr(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Assign(place, _)
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::PointerAssignAdd { place, .. }
            | ExprKind::IncDec { place, .. } => self.writes.extend(root(place)),
            ExprKind::Call { .. } | ExprKind::Builtin(..) | ExprKind::StmtExpr(..) => return false,
            _ => {}
        }
        true
    }
}

fn is_atomic(place: &Expr) -> bool {
    matches!(place.ty, Type::Atomic(_))
}

/// What an lvalue is a part of.
pub(super) fn root(place: &Expr) -> Option<Place> {
    match &place.kind {
        ExprKind::Local(id) => Some(Place::Local(*id)),
        ExprKind::Global(id) => Some(Place::Global(*id)),
        ExprKind::Member(record, _) => root(record),
        ExprKind::Deref(pointer) => Some(pointee(pointer)),
        // Made anew by each evaluation.
        _ => None,
    }
}

fn pointee(pointer: &Expr) -> Place {
    match &pointer.kind {
        ExprKind::Cast(inner) => pointee(inner),
        ExprKind::PointerAdd { pointer, .. } => pointee(pointer),
        ExprKind::Decay(place) | ExprKind::AddrOf(place) => root(place).unwrap_or(Place::Memory),
        _ => Place::Memory,
    }
}
