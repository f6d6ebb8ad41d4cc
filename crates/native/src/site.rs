//! The expressions that are written anew.

use crate::events::Event;
use cfront::hir::walk::{Visitor, walk_stmt};
use cfront::hir::{BinaryOp, Expr, ExprKind, Program, Type};
use std::collections::{BTreeMap, BTreeSet};
use xcfa::Span;

/// What an expression does that others can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Reads a place.
    Read {
        bits: bool,
        /// Does it read a record, piece by piece?
        record: bool,
    },
    /// `place = value`.
    Write {
        place: Span,
        value: Span,
        bits: bool,
        /// Does it write a record, piece by piece?
        record: bool,
    },
    /// `place op= value`, `++place`, `place--`: reads and then writes, or both at once.
    Change {
        place: Span,
        value: Option<Span>,
        op: &'static str,
        /// Is the value the one from before?
        postfix: bool,
        once: bool,
    },
    /// A call that is one step.
    Call { args: Vec<Span>, void: bool },
    /// A call that goes through the runtime.
    Through { what: Through, args: Vec<Span> },
    /// A call that is no step, but whose arguments have several: they come from left to right.
    Ordered { args: Vec<Span> },
    /// A call whose value comes from the trace.
    Input,
}

/// Which function of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Through {
    Create,
    CreateC11,
    Wait,
    /// With what it returns when the time is over.
    TimedWait(i32),
    Barrier,
    Exit,
    SectionBegin,
    SectionEnd,
}

/// Why the body of a function begins with something more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Body {
    /// It runs as one step.
    Atomic,
    /// Calling it is the error.
    Error,
}

/// What is written anew in a program.
#[derive(Debug, Default)]
pub struct Sites {
    /// Expressions, by their text.
    pub by_span: BTreeMap<Span, Kind>,
    /// Functions whose bodies begin with something more.
    pub bodies: Vec<(Span, Body)>,
    /// Functions that the program leaves to the tool.
    pub missing: Vec<String>,
}

/// Finds the expressions of the events, and all calls that the runtime must see.
pub fn find(program: &Program, events: &[Event]) -> Sites {
    let visible = events.iter().filter(|event| event.visible);
    let inputs = events.iter().flat_map(|event| &event.inputs);
    let mut finder = Finder {
        program,
        wanted: visible.map(|event| event.span).collect(),
        given: inputs.map(|(span, _)| *span).collect(),
        calls: Vec::new(),
        sites: Sites::default(),
    };
    for function in &program.functions {
        let Some(body) = &function.body else {
            finder.sites.missing.push(function.name.clone());
            continue;
        };
        if section(&function.name).is_some() {
            continue;
        }
        if function.name.starts_with("__VERIFIER_atomic_") {
            finder.sites.bodies.push((body.span, Body::Atomic));
        } else if matches!(&*function.name, "reach_error" | "__VERIFIER_error") {
            finder.sites.bodies.push((body.span, Body::Error));
        }
        walk_stmt(body, &mut finder);
    }
    finder.order_arguments();
    finder.sites
}

struct Finder<'a> {
    program: &'a Program,
    /// The text of steps.
    wanted: BTreeSet<Span>,
    /// Calls whose values the trace gives.
    given: BTreeSet<Span>,
    /// Calls that are no steps themselves, with their arguments.
    calls: Vec<(Span, Vec<Span>)>,
    sites: Sites,
}

impl Visitor for Finder<'_> {
    fn expr(&mut self, expr: &Expr) -> bool {
        if let Some(kind) = self.kind(expr) {
            self.sites.by_span.entry(expr.span).or_insert(kind);
        } else if let ExprKind::Call { args, .. } = &expr.kind {
            let args = args.iter().map(|arg| arg.span).collect();
            self.calls.push((expr.span, args));
        }
        true
    }
}

impl Finder<'_> {
    /// The compiler may evaluate arguments in any order; the automata do from left to right.
    fn order_arguments(&mut self) {
        let calls = std::mem::take(&mut self.calls);
        let all: BTreeSet<Span> = calls.iter().map(|(span, _)| *span).collect();
        let sites: BTreeSet<Span> = self.sites.by_span.keys().copied().collect();
        for (span, args) in calls {
            let steps = |arg: &&Span| holds(&sites, **arg) || holds(&all, **arg);
            if args.iter().filter(steps).count() > 1 {
                let kind = Kind::Ordered { args };
                self.sites.by_span.entry(span).or_insert(kind);
            }
        }
    }

    fn kind(&self, expr: &Expr) -> Option<Kind> {
        let wanted = self.wanted.contains(&expr.span);
        let void = expr.ty == Type::Void;
        match &expr.kind {
            ExprKind::Call { callee, args } => {
                let args: Vec<Span> = args.iter().map(|arg| arg.span).collect();
                match self.name(callee) {
                    Some(name) if name.starts_with("__VERIFIER_nondet") => Some(Kind::Input),
                    Some(_) if self.given.contains(&expr.span) => Some(Kind::Input),
                    Some(name) if self.through(name).is_some() => {
                        let what = self.through(name)?;
                        Some(Kind::Through { what, args })
                    }
                    // A call of the program's own is no step; those are in the body.
                    Some(name) if wanted && !self.is_defined(name) => {
                        Some(Kind::Call { args, void })
                    }
                    _ => None,
                }
            }
            _ if !wanted => None,
            ExprKind::Builtin(_, args) => {
                let args = args.iter().map(|arg| arg.span);
                let args = args.filter(|&arg| arg != expr.span).collect();
                Some(Kind::Call { args, void })
            }
            // The literal itself is made in the same place, and no other thread knows it.
            ExprKind::Load(place) if matches!(place.kind, ExprKind::CompoundLiteral(..)) => None,
            ExprKind::Load(place) => {
                let (bits, record) = (place.is_bit_field(), is_record(place));
                Some(Kind::Read { bits, record })
            }
            // A built-in that writes its result to a place has no text for the assignment.
            ExprKind::Assign(place, _) if place.span == expr.span => Some(Kind::Call {
                args: Vec::new(),
                void: true,
            }),
            ExprKind::Assign(place, value) => Some(Kind::Write {
                place: place.span,
                value: value.span,
                bits: place.is_bit_field(),
                record: is_record(place),
            }),
            _ => change(expr),
        }
    }

    fn is_defined(&self, name: &str) -> bool {
        let mut functions = self.program.functions.iter();
        functions.any(|function| function.name == name && function.body.is_some())
    }

    fn name(&self, callee: &Expr) -> Option<&str> {
        match &callee.kind {
            ExprKind::FunctionAddr(id) => Some(&self.program.functions[id.0 as usize].name),
            _ => None,
        }
    }

    /// A function that is the program's own is not the library's, whatever its name; but the marks
    /// of atomic sections mean the same with a body or without.
    fn through(&self, name: &str) -> Option<Through> {
        if let Some(mark) = section(name) {
            return Some(mark);
        }
        if self.is_defined(name) {
            return None;
        }
        Some(match name {
            "pthread_create" => Through::Create,
            "thrd_create" => Through::CreateC11,
            "pthread_cond_wait" | "cnd_wait" => Through::Wait,
            "pthread_cond_timedwait" => Through::TimedWait(110),
            "cnd_timedwait" => Through::TimedWait(4),
            "pthread_barrier_wait" => Through::Barrier,
            "pthread_exit" | "thrd_exit" => Through::Exit,
            _ => return None,
        })
    }
}

/// Is one of these spans a part of that one?
fn holds(spans: &BTreeSet<Span>, outer: Span) -> bool {
    let from = Span {
        hi: outer.lo,
        ..outer
    };
    let near = spans.range(from..);
    let mut near = near.take_while(|span| span.file == outer.file && span.lo < outer.hi);
    near.any(|span| span.hi <= outer.hi)
}

fn is_record(place: &Expr) -> bool {
    matches!(place.ty, Type::Record(_))
}

/// The marks of atomic sections.
fn section(name: &str) -> Option<Through> {
    match name {
        "__VERIFIER_atomic_begin" => Some(Through::SectionBegin),
        "__VERIFIER_atomic_end" => Some(Through::SectionEnd),
        _ => None,
    }
}

/// An assignment that depends on the old value. Bit-fields are left alone: a place without an
/// address cannot be read and written apart.
fn change(expr: &Expr) -> Option<Kind> {
    let (place, value, op, postfix) = match &expr.kind {
        ExprKind::CompoundAssign {
            op, place, value, ..
        } => (place, Some(value.span), symbol(*op)?, false),
        ExprKind::PointerAssignAdd {
            place,
            index,
            negative,
            ..
        } => (place, Some(index.span), plus_or_minus(*negative), false),
        ExprKind::IncDec {
            place,
            decrement,
            prefix,
            ..
        } => (place, None, plus_or_minus(*decrement), !prefix),
        _ => return None,
    };
    if place.is_bit_field() {
        return None;
    }
    Some(Kind::Change {
        place: place.span,
        value,
        op,
        postfix,
        once: matches!(place.ty, Type::Atomic(_)),
    })
}

fn plus_or_minus(minus: bool) -> &'static str {
    if minus { "-" } else { "+" }
}

fn symbol(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        _ => return None,
    })
}
