//! What the names in a witness's expressions mean in a state.

use crate::AnnotatedProgram;
use crate::condition::{Env, Part, Value, VariablePath as Variable};
use expr::{Sort, VarId};
use semantics::{Cell, State, Tid};
use xcfa::{EdgeId, ObjectKind, ProcId, Scope, Shape, Xcfa};

/// The variables of one thread at one edge.
pub(crate) struct Names<'s, 'a> {
    pub program: &'s AnnotatedProgram<'a>,
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
        self.program.machine.xcfa
    }

    fn local(&self, place: &Variable) -> Option<Value> {
        let xcfa = self.xcfa();
        let thread = self.state.thread(self.tid);
        let proc = xcfa[thread.loc].proc;
        let function = self.scope.or_else(|| self.program.function(self.edge));
        let of = |name: &str| self.only(proc, function, name);
        if let Some(var) = of(&place.name) {
            return self.variable(var, place);
        }
        let address = of(&format!("&{}", place.name))?;
        let object = xcfa[address].name.replace('&', "");
        let mut objects = xcfa.objects.iter();
        let object = objects.find(|o| o.name == object && o.kind == ObjectKind::Stack)?;
        let base = self.program.machine.value(self.state, self.tid, address);
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
        let of_function = self.scope.or_else(|| self.program.function(self.edge));
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
                let base = self.program.machine.layout.base(object);
                return self.memory(base, &xcfa[object].shape, &place.path);
            }
        }
        None
    }

    fn variable(&self, var: VarId, place: &Variable) -> Option<Value> {
        let known = &self.xcfa()[var];
        let bits = self.program.machine.value(self.state, self.tid, var);
        let whole = place.path.is_empty() && !matches!(known.sort, Sort::Float(_));
        whole.then(|| Value::int(bits, known.sort.width(), known.signed))
    }

    fn memory(&self, start: u64, shape: &Shape, path: &[Part]) -> Option<Value> {
        match (shape, path) {
            (Shape::Scalar { sort, signed }, []) if !matches!(sort, Sort::Float(_)) => {
                let len = sort.bytes();
                let bits = self
                    .program
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
