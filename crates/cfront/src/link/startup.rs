//! What runs before and after `main`, in the order of `ld` and the C library.
//!
//! First the functions of `.preinit_array`, then those of `.init_array` by their priority, then by
//! the order of the files and of the text. `constructor` puts a function there. What `destructor`
//! and `.fini_array` name runs in the opposite order when `main` has returned, or `exit` is called.

use super::redirect::Target;
use super::{Linker, Objects};
use crate::Unsupported;
use crate::hir::{Expr, ExprKind, FuncId, Global, GlobalId, Indirect, Link, Startup, Type};
use std::sync::Arc;
use xcfa::{FileId, Span};

/// The priority of what asks for none: it comes last.
pub(super) const NO_PRIORITY: u32 = 65535;

/// A function in one of the arrays.
#[derive(Clone, Copy, Debug)]
struct Entry {
    priority: u32,
    file: FileId,
    at: u32,
    function: FuncId,
    /// Is it there by a section, rather than by an attribute of its own?
    by_section: bool,
    span: Span,
}

/// The arrays of the C library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Array {
    Preinit,
    Init,
    Fini,
}

/// Puts constructors and destructors in order.
pub(super) fn order(
    objects: &Objects,
    startup: &mut Startup,
    functions: &[Target<FuncId>],
) -> Result<(), Unsupported> {
    let [preinit, init, fini] = [Array::Preinit, Array::Init, Array::Fini].map(|array| {
        let mut entries = by_attribute(objects, array, functions);
        entries.extend(by_section(objects, array)?);
        entries.sort_by_key(|entry| (entry.priority, entry.file.0, entry.at));
        refuse_open_order(&entries)?;
        entries
            .iter()
            .try_for_each(|entry| runs_alone(objects, entry))?;
        Ok(entries)
    });
    let ids = |entries: Vec<Entry>| entries.into_iter().map(|entry| entry.function);
    startup.constructors.extend(ids(preinit?));
    startup.constructors.extend(ids(init?));
    startup.destructors.extend(ids(fini?).rev());
    Ok(())
}

fn by_attribute(objects: &Objects, array: Array, functions: &[Target<FuncId>]) -> Vec<Entry> {
    let defined = objects.functions.iter().enumerate();
    let entries = defined.filter_map(|(at, function)| {
        let priority = match array {
            Array::Preinit => None,
            Array::Init => function.link.constructor,
            Array::Fini => function.link.destructor,
        };
        // A weak constructor that another definition replaces is still called by its file, by its name.
        let Target::Is(target) = functions[at] else {
            return None;
        };
        let entry = Entry {
            priority: priority?,
            file: function.span.file,
            at: function.span.lo,
            function: target,
            by_section: false,
            span: function.span,
        };
        // For a name that only stands for another function, GCC drops the attribute.
        let has_body = function.link.defined && function.link.indirect.is_none();
        has_body.then_some(entry)
    });
    entries.collect()
}

fn by_section(objects: &Objects, array: Array) -> Result<Vec<Entry>, Unsupported> {
    let mut entries = Vec::new();
    for global in objects.globals.iter().filter(|global| !global.external) {
        let Some((section, span)) = &global.link.section else {
            continue;
        };
        let Some((of, priority)) = array_of(section, *span)? else {
            continue;
        };
        if of == array {
            for function in pointers_in(global, *span)? {
                entries.push(Entry {
                    priority,
                    file: global.span.file,
                    at: global.span.lo,
                    function,
                    by_section: true,
                    span: *span,
                });
            }
        }
    }
    Ok(entries)
}

/// The array that a section belongs to, and its priority.
fn array_of(section: &str, span: Span) -> Result<Option<(Array, u32)>, Unsupported> {
    let arrays = [
        (".preinit_array", Array::Preinit),
        (".init_array", Array::Init),
        (".fini_array", Array::Fini),
    ];
    for (name, array) in arrays {
        match section.strip_prefix(name) {
            Some("") => return Ok(Some((array, NO_PRIORITY))),
            Some(rest) if array != Array::Preinit => {
                let number = rest.strip_prefix('.').and_then(|rest| rest.parse().ok());
                if let Some(priority) = number.filter(|&number: &u32| number < NO_PRIORITY) {
                    return Ok(Some((array, priority)));
                }
            }
            _ => {}
        }
    }
    let runs = [".preinit_array", ".init", ".fini", ".ctors", ".dtors"];
    match runs.iter().any(|known| section.starts_with(known)) {
        true => Err(Unsupported::at(span, format!("the section `{section}`"))),
        false => Ok(None),
    }
}

/// The functions that an object of such a section points to.
fn pointers_in(global: &Global, span: Span) -> Result<Vec<FuncId>, Unsupported> {
    let mut items: Vec<(u64, &Expr)> = match &global.init {
        Some(init) => init
            .items
            .iter()
            .map(|item| (item.offset, &item.value))
            .collect(),
        None => Vec::new(),
    };
    items.sort_by_key(|(offset, _)| *offset);
    let mut functions = Vec::new();
    for (_, value) in items {
        let mut value = value;
        while let ExprKind::Cast(inner) = &value.kind {
            value = inner;
        }
        match value.kind {
            ExprKind::FunctionAddr(id) => functions.push(id),
            ExprKind::Int(0) => {}
            _ => {
                return Err(Unsupported::at(
                    span,
                    "something other than functions in this section",
                ));
            }
        }
    }
    Ok(functions)
}

/// Attributes and sections with one priority in one file: their order depends on the compiler's options.
fn refuse_open_order(entries: &[Entry]) -> Result<(), Unsupported> {
    for pair in entries.windows(2) {
        let same = pair[0].priority == pair[1].priority && pair[0].file == pair[1].file;
        if same && pair[0].by_section != pair[1].by_section {
            let what =
                "a section and an attribute for functions of one priority: their order is open";
            return Err(Unsupported::at(pair[1].span, what));
        }
    }
    Ok(())
}

/// Only functions that look at no arguments can be called without any.
fn runs_alone(objects: &Objects, entry: &Entry) -> Result<(), Unsupported> {
    let function = &objects.functions[entry.function.0 as usize];
    match function.params {
        0 => Ok(()),
        _ => Err(Unsupported::at(
            function.span,
            "a constructor or destructor with parameters",
        )),
    }
}

impl Linker<'_> {
    /// Makes a pointer for each function that `ifunc` defines, which its resolver sets first of all.
    pub(super) fn resolvers(
        &mut self,
        mut targets: Vec<Target<FuncId>>,
        startup: &mut Startup,
    ) -> Result<Vec<Target<FuncId>>, Unsupported> {
        for at in 0..self.objects.functions.len() {
            let function = &self.objects.functions[at];
            let Some(Indirect::Ifunc(name, span)) = &function.link.indirect else {
                continue;
            };
            let file = function.span.file;
            let resolver = self
                .objects
                .functions
                .iter()
                .position(|f| f.link.symbol == *name && f.link.defined && f.span.file == file);
            let Some(resolver) = resolver else {
                let what = format!("`{name}`, which should find a function, is not defined here");
                return Err(Unsupported::at(*span, what));
            };
            let ty = Type::Pointer(Arc::new(Type::Function(Arc::new(function.ty.clone()))));
            let pointer = GlobalId(self.objects.globals.len() as u32);
            let global = Global {
                name: format!("{} (ifunc)", function.name),
                ty,
                thread_local: false,
                init: None,
                external: false,
                constant: false,
                literal: false,
                address_taken: false,
                align: None,
                link: Link {
                    internal: true,
                    defined: true,
                    ..Link::default()
                },
                span: function.span,
            };
            self.objects.globals.push(global);
            startup.resolvers.push((pointer, FuncId(resolver as u32)));
            for target in &mut targets {
                if *target == Target::Is(FuncId(at as u32)) {
                    *target = Target::Through(pointer);
                }
            }
        }
        Ok(targets)
    }
}
