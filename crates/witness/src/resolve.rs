//! A program on stage: its automata, its text, and what connects the two.

use crate::condition::{Env, Part, Place as Variable, Value};
use crate::outline::{BranchText, contains};
use crate::yaml::Location;
use crate::{Outline, Place, Places};
use expr::{Sort, VarId, sign_extend};
use passes::BitSet;
use semantics::{Cell, Machine, State, Tid};
use xcfa::{EdgeId, Label, LocId, ObjectKind, ProcId, Scope, Shape, Span, Xcfa};

/// What is known about the text of an edge.
#[derive(Clone, Debug)]
struct About {
    place: Option<Place>,
    function: Option<usize>,
    statement: Option<usize>,
    call: Option<usize>,
}

/// A program with its text.
pub struct Scene<'a> {
    /// The program, as [`crate::fine_options`] prepare it.
    pub machine: &'a Machine<'a>,
    /// The user's files.
    pub places: &'a Places,
    /// What is in them.
    pub outline: &'a Outline,
    about: Vec<About>,
}

impl<'a> Scene<'a> {
    /// Connects a program with its text.
    pub fn new(machine: &'a Machine<'a>, places: &'a Places, outline: &'a Outline) -> Scene<'a> {
        let xcfa = machine.xcfa;
        let about = |edge: &xcfa::Edge| About {
            place: places.start(&xcfa.sources, edge.span),
            function: innermost(outline.functions.iter().map(|f| f.body), edge.span),
            statement: innermost(outline.statements.iter().map(|s| s.span), edge.span),
            call: call(outline, edge.span),
        };
        Scene {
            machine,
            places,
            outline,
            about: xcfa.edges.iter().map(about).collect(),
        }
    }

    fn about(&self, edge: EdgeId) -> &About {
        &self.about[edge.0 as usize]
    }

    /// Where the text of an edge starts.
    pub fn place(&self, edge: EdgeId) -> Option<Place> {
        self.about(edge).place
    }

    /// The line of an edge, in whichever file.
    pub fn line(&self, edge: EdgeId) -> Option<u32> {
        self.place(edge).map(|place| place.line)
    }

    /// The line in which a span starts.
    pub(crate) fn line_of(&self, span: Span) -> Option<u32> {
        let place = self.places.start(&self.machine.xcfa.sources, span);
        place.map(|place| place.line)
    }

    /// Is this the text of a call?
    pub(crate) fn is_call(&self, span: Span) -> bool {
        self.outline.calls.iter().any(|call| call.span == span)
    }

    /// The function that the text of an edge is in.
    pub fn function(&self, edge: EdgeId) -> Option<&str> {
        let at = self.about(edge).function?;
        Some(&self.outline.functions[at].name)
    }

    /// The statement that the text of an edge is in, by number.
    pub fn statement(&self, edge: EdgeId) -> Option<usize> {
        self.about(edge).statement
    }

    /// The call that the text of an edge is, or is in, by number.
    pub(crate) fn call(&self, edge: EdgeId) -> Option<usize> {
        self.about(edge).call
    }

    /// Who is called there.
    pub fn call_name(&self, edge: EdgeId) -> Option<&str> {
        let call = &self.outline.calls[self.about(edge).call?];
        call.name.as_deref()
    }

    /// Does a thread end with this edge?
    pub(crate) fn ends_thread(&self, edge: EdgeId) -> bool {
        let mut labels = self.machine.xcfa[edge].labels.iter();
        labels.any(|label| matches!(label, Label::ThreadExit(_)))
    }

    /// The function that the program starts in.
    pub fn main_function(&self) -> &str {
        self.machine.xcfa[self.machine.xcfa.main].function()
    }

    /// Where the statement of an edge begins.
    pub(crate) fn statement_location(&self, edge: EdgeId) -> Option<Location> {
        let mut place = self.place(edge)?;
        match self.statement(edge).map(|at| self.outline.statements[at]) {
            Some(statement) => {
                let start = self
                    .places
                    .start(&self.machine.xcfa.sources, statement.span);
                place = start.unwrap_or(place);
                if statement.declaration {
                    place.column = None;
                }
            }
            None => place.column = None,
        }
        Some(self.location(place, edge))
    }

    /// Where the call of an edge ends: at its closing parenthesis.
    pub(crate) fn call_location(&self, edge: EdgeId) -> Option<Location> {
        let call = &self.outline.calls[self.about(edge).call?];
        self.end_of_call(call.span)
    }

    /// Where a call ends.
    pub(crate) fn end_of_call(&self, span: Span) -> Option<Location> {
        let place = self.places.end(&self.machine.xcfa.sources, span)?;
        Some(Location {
            file_name: self.places.name(place.file).to_owned(),
            line: place.line,
            column: place.column,
            function: self.outline.function_at(span).map(str::to_owned),
        })
    }

    fn location(&self, place: Place, edge: EdgeId) -> Location {
        Location {
            file_name: self.places.name(place.file).to_owned(),
            line: place.line,
            column: place.column,
            function: self.function(edge).map(str::to_owned),
        }
    }

    /// A value that a function from outside has returned, as C writes it.
    pub(crate) fn input_value(&self, function: &str, sort: Sort, bits: u64) -> Option<String> {
        let known = self.outline.inputs.iter().find(|f| f.name == function);
        let signed = known.map_or(Some(true), |f| f.signed)?;
        match sort {
            Sort::Bool => Some(bits.to_string()),
            Sort::Bv(width) if signed => Some(sign_extend(bits, width).to_string()),
            Sort::Bv(_) => Some(bits.to_string()),
            Sort::Float(_) => None,
        }
    }

    /// The same, for conditions.
    pub(crate) fn returned_value(&self, function: &str, sort: Sort, bits: u64) -> Value {
        let known = self.outline.inputs.iter().find(|f| f.name == function);
        let signed = known.and_then(|f| f.signed).unwrap_or(true);
        match sort {
            Sort::Bool => Value::int(bits, 8, false),
            sort => Value::int(bits, sort.width(), signed),
        }
    }

    /// All edges of which this holds.
    pub(crate) fn edges(&self, wanted: impl Fn(EdgeId) -> bool) -> BitSet {
        let mut set = BitSet::new();
        for edge in self.machine.xcfa.edge_ids().filter(|&edge| wanted(edge)) {
            set.insert(edge.0 as usize);
        }
        set
    }

    /// Which way a condition goes along an edge of it; `None` if the edge does not decide it.
    pub(crate) fn decides(&self, branch: &BranchText, edge: EdgeId) -> Option<bool> {
        let xcfa = self.machine.xcfa;
        let guard = |label: &Label| matches!(label, Label::Assume(_));
        if !contains(branch.cond, xcfa[edge].span) || !xcfa[edge].labels.iter().any(guard) {
            return None;
        }
        let mut sides = [false, false];
        let mut seen = BitSet::new();
        let mut todo = vec![xcfa[edge].target];
        while let Some(loc) = todo.pop() {
            if !seen.insert(loc.0 as usize) {
                continue;
            }
            for &next in &xcfa[loc].out {
                let span = xcfa[next].span;
                match contains(branch.cond, span) {
                    true => return self.undecided(branch, next),
                    false => sides[usize::from(contains(branch.body, span))] = true,
                }
            }
        }
        match sides {
            [false, true] => Some(true),
            [true, false] => Some(false),
            _ => None,
        }
    }

    /// After an edge that leads to a loop's condition again, that condition has been false or true
    /// already: only `do` and `while` with an empty body do that.
    fn undecided(&self, branch: &BranchText, _next: EdgeId) -> Option<bool> {
        (branch.repeats && branch.body.hi <= branch.body.lo + 2).then_some(true)
    }
}

fn innermost(spans: impl Iterator<Item = Span>, inner: Span) -> Option<usize> {
    let around = spans.enumerate().filter(|(_, span)| contains(*span, inner));
    let smallest = around.min_by_key(|(_, span)| span.hi - span.lo);
    smallest.map(|(at, _)| at)
}

/// The innermost call around a span, or else the first one in it.
fn call(outline: &Outline, span: Span) -> Option<usize> {
    let around = innermost(outline.calls.iter().map(|call| call.span), span);
    let inside = || {
        outline
            .calls
            .iter()
            .position(|call| contains(span, call.span))
    };
    around.or_else(inside)
}

/// The variables of one thread at one edge.
pub(crate) struct Names<'s, 'a> {
    pub scene: &'s Scene<'a>,
    pub state: &'s State,
    pub tid: Tid,
    pub edge: EdgeId,
    /// In which function names are looked up first, if not that of the edge.
    pub scope: Option<&'s str>,
    /// What a function has just returned.
    pub returned: Option<Value>,
}

impl Env for Names<'_, '_> {
    fn result(&self) -> Option<Value> {
        self.returned
    }

    fn place(&self, place: &Variable) -> Option<Value> {
        self.local(place).or_else(|| self.global(place))
    }
}

impl Names<'_, '_> {
    fn xcfa(&self) -> &Xcfa {
        self.scene.machine.xcfa
    }

    fn local(&self, place: &Variable) -> Option<Value> {
        let xcfa = self.xcfa();
        let thread = self.state.thread(self.tid);
        let proc = xcfa[thread.loc].proc;
        let function = self.scope.or_else(|| self.scene.function(self.edge));
        let of = |name: &str| self.only(proc, function, name);
        if let Some(var) = of(&place.name) {
            return self.variable(var, place);
        }
        let address = of(&format!("&{}", place.name))?;
        let object = xcfa[address].name.replace('&', "");
        let mut objects = xcfa.objects.iter();
        let object = objects.find(|o| o.name == object && o.kind == ObjectKind::Stack)?;
        let base = self.scene.machine.value(self.state, self.tid, address);
        self.memory(base, &object.shape, &place.path)
    }

    /// The variable of a procedure with this name in this function; `None` if there are several.
    fn only(&self, proc: ProcId, function: Option<&str>, name: &str) -> Option<VarId> {
        let xcfa = self.xcfa();
        let own = xcfa[proc].function();
        let matches = |var: VarId| {
            let known = &xcfa[var];
            if known.scope != Scope::Local(proc) || known.temp && !name.starts_with('&') {
                return false;
            }
            match known.name.rsplit_once('.') {
                None => known.name == name && function.is_none_or(|f| f == own),
                Some((copy, last)) => {
                    let of = copy.split('#').next();
                    last == name && function.is_none_or(|f| of == Some(f))
                }
            }
        };
        let mut found = xcfa.var_ids().filter(|&var| matches(var));
        found.next().filter(|_| found.next().is_none())
    }

    fn global(&self, place: &Variable) -> Option<Value> {
        let xcfa = self.xcfa();
        let of_function = self.scope.or_else(|| self.scene.function(self.edge));
        let hidden = of_function.map(|function| format!("{function}::{}", place.name));
        for name in hidden.iter().chain([&place.name]) {
            let global = |var: &VarId| {
                let known = &xcfa[*var];
                !matches!(known.scope, Scope::Local(_)) && known.name == *name && !known.temp
            };
            if let Some(var) = xcfa.var_ids().find(global) {
                return self.variable(var, place);
            }
            let fixed = |object: &expr::ObjId| {
                let known = &xcfa[*object];
                known.name == *name && matches!(known.kind, ObjectKind::Static { .. })
            };
            if let Some(object) = xcfa.obj_ids().find(fixed) {
                let base = self.scene.machine.layout.base(object);
                return self.memory(base, &xcfa[object].shape, &place.path);
            }
        }
        None
    }

    fn variable(&self, var: VarId, place: &Variable) -> Option<Value> {
        let known = &self.xcfa()[var];
        let bits = self.scene.machine.value(self.state, self.tid, var);
        let whole = place.path.is_empty() && !matches!(known.sort, Sort::Float(_));
        whole.then(|| Value::int(bits, known.sort.width(), known.signed))
    }

    fn memory(&self, start: u64, shape: &Shape, path: &[Part]) -> Option<Value> {
        match (shape, path) {
            (Shape::Scalar { sort, signed }, []) if !matches!(sort, Sort::Float(_)) => {
                let len = u64::from(sort.width()).div_ceil(8);
                let bits = self
                    .scene
                    .machine
                    .peek(self.state, Cell::Bytes { start, len })?;
                Some(Value::int(bits, sort.width().max(8), *signed))
            }
            (
                Shape::Array {
                    element,
                    count,
                    stride,
                },
                [Part::Index(index), rest @ ..],
            ) if index < count => self.memory(start + index * stride, element, rest),
            (Shape::Record(members), [Part::Member(name), rest @ ..]) => {
                let (_, offset, shape) = members.iter().find(|(known, _, _)| known == name)?;
                self.memory(start + offset, shape, rest)
            }
            _ => None,
        }
    }
}

/// The edges that leave a location.
pub(crate) fn leaving(xcfa: &Xcfa, loc: LocId) -> &[EdgeId] {
    &xcfa[loc].out
}
