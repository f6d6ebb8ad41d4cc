//! Syntax tree to typed tree: names resolved, types known, conversions explicit, units linked.
//!
//! A function whose body uses something that we do not support does not make a program fail
//! unless it can be reached from `main`: big headers are full of such functions. It is kept
//! without a body, and [`Function::error`](crate::hir::Function::error) says why.
//!
//! Qualifiers are dropped: they do not change what programs mean here.

mod arith;
mod asm;
mod asm_atomic;
mod asm_operands;
mod atomic_builtin;
mod attributes;
mod builtin;
mod call;
mod constant;
mod convert;
mod decl;
mod expr;
mod fault;
mod function;
mod init;
mod instructions;
mod layout;
mod member;
mod scope;
mod stmt;
mod types;
mod undeclared;
mod variable_array;
mod variadic;

use crate::Unsupported;
use crate::ast::StringLit;
use crate::hir::{
    Function, Global, GlobalId, IntKind, IntType, LabelId, Local, Program, Record, Type,
};
use crate::lex::{Interner, Symbol};
use crate::link::{Objects, link};
use crate::parse::parse_unit;
use fault::{Typed, wrong};
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Entity, Scopes, Tag};
use xcfa::{DataModel, FileId, SourceFile, Sources, Span};

/// Why a program was refused, with the text to show the place in.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}: {error}", sources.place(error.span))]
pub struct ParseFailure {
    /// All files.
    pub sources: Sources,
    /// What is wrong, and where.
    pub error: Unsupported,
    /// What else is in the way, in the order of the text.
    pub others: Vec<Unsupported>,
}

impl ParseFailure {
    /// All that is in the way, in the order of the text; there must be something.
    pub(crate) fn of(sources: Sources, mut errors: Vec<Unsupported>) -> ParseFailure {
        errors.sort_by_key(|error| (error.span.file, error.span.lo));
        errors.dedup();
        let error = errors.remove(0);
        let others = errors;
        ParseFailure {
            sources,
            error,
            others,
        }
    }

    /// Everything that is in the way.
    pub fn all(&self) -> impl Iterator<Item = &Unsupported> {
        std::iter::once(&self.error).chain(&self.others)
    }
}

/// Parses, types and links the translation units of a program.
///
/// Each file has its own typedefs, tags and static names; other functions and objects are joined as
/// `ld` does it. A definition in a file that [is part of the library](SourceFile::is_library) gives
/// way to one of the user.
pub fn parse_program(files: Vec<SourceFile>, model: DataModel) -> Result<Program, ParseFailure> {
    let mut sources = Sources::default();
    for file in files {
        sources.add(file);
    }
    match check(&sources, model) {
        Ok(program) => Ok(Program { sources, ..program }),
        Err(errors) => Err(ParseFailure::of(sources, errors)),
    }
}

fn check(sources: &Sources, model: DataModel) -> Result<Program, Vec<Unsupported>> {
    let mut names = Interner::default();
    let mut linked = Linked::default();
    let mut errors = Vec::new();
    for (number, source) in sources.files().iter().enumerate() {
        let unit = match parse_unit(FileId(number as u32), &source.text, &mut names) {
            Ok(unit) => unit,
            Err(more) => {
                errors.extend(more);
                continue;
            }
        };
        let mut checker = Checker {
            names: &mut names,
            model,
            linked,
            scope: Scopes::default(),
            tags: Scopes::default(),
            names_with_linkage: FxHashMap::default(),
            is_library: source.is_library,
            source,
            body: None,
            wrong: Vec::new(),
            lost: FxHashSet::default(),
        };
        checker.unit(&unit);
        errors.append(&mut checker.wrong);
        linked = checker.linked;
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut objects = Objects {
        records: linked.records,
        globals: linked.globals,
        functions: linked.functions,
    };
    let startup = link(&mut objects, sources, model).map_err(|error| vec![error])?;
    Ok(Program {
        sources: Sources::default(),
        data_model: model,
        records: objects.records,
        globals: objects.globals,
        functions: objects.functions,
        startup,
    })
}

/// What all units make together.
#[derive(Default)]
struct Linked {
    records: Vec<Record>,
    globals: Vec<Global>,
    functions: Vec<Function>,
    /// The values of `__func__`, each stored once.
    function_names: FxHashMap<StringLit, GlobalId>,
}

/// The function that is being typed.
struct Body {
    name: Symbol,
    result: Type,
    /// Does it take variable arguments?
    variadic: bool,
    locals: Vec<Local>,
    labels: Vec<String>,
    /// Labels whose address is taken.
    addressed: Vec<LabelId>,
    label_ids: FxHashMap<Symbol, (LabelId, Span, bool)>,
    /// The promoted types that `switch` statements round here look at.
    switches: Vec<IntType>,
    /// What is not supported in it.
    errors: Vec<Unsupported>,
}

struct Checker<'a> {
    names: &'a mut Interner,
    model: DataModel,
    linked: Linked,
    scope: Scopes<Entity>,
    tags: Scopes<Tag>,
    /// The functions and objects of this file that have linkage, wherever they were declared.
    names_with_linkage: FxHashMap<Symbol, Entity>,
    is_library: bool,
    source: &'a SourceFile,
    body: Option<Body>,
    /// What is wrong in this file.
    wrong: Vec<Unsupported>,
    /// Names whose declarations are wrong.
    lost: FxHashSet<Symbol>,
}

impl Checker<'_> {
    fn name(&self, symbol: Symbol) -> String {
        self.names.name(symbol).to_owned()
    }

    fn size_of(&self, ty: &Type) -> Option<u64> {
        ty.size(self.model, &self.linked.records)
    }

    fn complete_size(&self, ty: &Type, span: Span) -> Typed<u64> {
        if matches!(ty, Type::Function(_)) {
            return Ok(1);
        }
        self.size_of(ty)
            .ok_or_else(|| wrong(span, "the size of this type is not known here"))
    }

    fn align_of(&self, ty: &Type) -> u64 {
        ty.align(self.model, &self.linked.records)
    }

    fn size_type(&self) -> IntType {
        let kind = match self.model {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        };
        IntType::new(kind, false)
    }

    /// `ptrdiff_t`.
    fn difference_type(&self) -> IntType {
        IntType {
            signed: true,
            ..self.size_type()
        }
    }

    fn bits_of(&self, int: IntType) -> u32 {
        8 * int.size(self.model) as u32
    }

    /// Opens a block: names declared in it are forgotten at its end.
    fn in_block<T>(&mut self, inside: impl FnOnce(&mut Self) -> Typed<T>) -> Typed<T> {
        self.scope.open();
        self.tags.open();
        let result = inside(self);
        self.scope.close();
        self.tags.close();
        result
    }

    fn body(&mut self, span: Span) -> Typed<&mut Body> {
        self.body
            .as_mut()
            .ok_or_else(|| wrong(span, "this needs a function round it"))
    }
}
