//! Joining translation units as `ld` does.
//!
//! Each file has its own functions and objects; names with external linkage that are equal become one. The
//! rules are those of GCC and `ld` for files that are all named on the command line, without `-fcommon`:
//!
//! - two definitions of one name are an error, unless all but one are weak (the strong one is taken, or the
//!   first of the weak ones), or all but one are `common`;
//! - a name that is not defined and that only weak declarations use is null;
//! - an alias is the definition in its own file, whatever becomes of the name of that;
//! - an `inline` definition serves its own file only; it must not differ from an external one;
//! - a definition in the model of the library gives way to every other.
//!
//! What `ld` does not see is refused: files that disagree about a type.

mod choose;
mod compatible;
mod redirect;
mod startup;

use crate::Unsupported;
use crate::hir::{FuncId, Function, Global, GlobalId, Link, Record, Startup};
use choose::{Choice, choose};
use compatible::Compatible;
use redirect::{References, Target, redirect};
use std::collections::BTreeMap;
use xcfa::{DataModel, Sources};

/// What all files have made, before and after they are joined.
#[derive(Default)]
pub struct Objects {
    /// Structs and unions.
    pub records: Vec<Record>,
    /// Objects.
    pub globals: Vec<Global>,
    /// Functions.
    pub functions: Vec<Function>,
}

/// Joins the files: afterwards every use of a name leads to its definition.
pub fn link(
    objects: &mut Objects,
    sources: &Sources,
    model: DataModel,
) -> Result<Startup, Unsupported> {
    let references = References::of(objects);
    let mut linker = Linker {
        objects,
        sources,
        model,
        references,
    };
    let functions = linker.functions()?;
    let globals = linker.globals()?;
    let mut startup = Startup::default();
    let functions = linker.resolvers(functions, &mut startup)?;
    redirect(linker.objects, &functions, &globals);
    startup::order(linker.objects, &mut startup, &functions)?;
    Ok(startup)
}

struct Linker<'a> {
    objects: &'a mut Objects,
    sources: &'a Sources,
    model: DataModel,
    references: References,
}

fn by_symbol<'a>(links: impl Iterator<Item = &'a Link>) -> BTreeMap<String, Vec<usize>> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, link) in links.enumerate().filter(|(_, link)| !link.internal) {
        groups.entry(link.symbol.clone()).or_default().push(at);
    }
    groups
}

impl Linker<'_> {
    /// Where each function leads.
    fn functions(&mut self) -> Result<Vec<Target<FuncId>>, Unsupported> {
        let groups = by_symbol(self.objects.functions.iter().map(|f| &f.link));
        let id = |at: usize| FuncId(at as u32);
        let count = self.objects.functions.len();
        let mut targets: Vec<Target<FuncId>> = (0..count).map(|at| Target::Is(id(at))).collect();
        for (symbol, members) in &groups {
            let links = members.iter().map(|&at| {
                let function = &self.objects.functions[at];
                (at, &function.link, function.span)
            });
            let used = |at: usize| self.references.functions.contains(&id(at));
            match choose(symbol, links, used, self.sources)? {
                Choice::Defined(chosen) => {
                    for &at in members {
                        targets[at] = Target::Is(self.function_for(at, chosen));
                    }
                }
                Choice::Undefined(first) => {
                    for &at in members {
                        let own = self.objects.functions[at].link.inline_only
                            && self.objects.functions[at].link.defined;
                        targets[at] = Target::Is(id(if own { at } else { first }));
                    }
                    let noreturn = members
                        .iter()
                        .any(|&at| self.objects.functions[at].noreturn);
                    let system = members.iter().any(|&at| self.objects.functions[at].system);
                    let first = &mut self.objects.functions[first];
                    (first.noreturn, first.system) = (noreturn, system);
                }
                Choice::Null => members.iter().for_each(|&at| targets[at] = Target::Null),
            }
        }
        self.function_aliases(&mut targets)?;
        Ok(targets)
    }

    /// The function that a use of function `at` means if `chosen` is the common definition.
    fn function_for(&mut self, at: usize, chosen: usize) -> FuncId {
        let functions = &self.objects.functions;
        let (own, other) = (&functions[at], &functions[chosen]);
        if at == chosen {
            return FuncId(at as u32);
        }
        let is_inline = own.link.defined && own.link.inline_only && !own.link.library;
        let what = if is_inline && !self.same_text(own, other) {
            "has an inline definition here that differs from its definition in another file: which one is called is unspecified"
        } else if !self.compatible().functions(own, other) {
            "has another type in the file that defines it"
        } else {
            self.objects.functions[at].replaced = true;
            return FuncId(chosen as u32);
        };
        let error = Unsupported::at(own.span, format!("`{}` {what}", own.name));
        let own = &mut self.objects.functions[at];
        own.body = None;
        own.errors = vec![error];
        own.replaced = true;
        FuncId(at as u32)
    }

    fn compatible(&self) -> Compatible<'_> {
        Compatible {
            model: self.model,
            records: &self.objects.records,
        }
    }

    /// Are two bodies the same text, white space aside?
    fn same_text(&self, a: &Function, b: &Function) -> bool {
        let text = |f: &Function| -> Option<Vec<char>> {
            let span = f.body.as_ref()?.span;
            let file = &self.sources.file(span.file).text;
            let text = file.get(span.lo as usize..span.hi as usize)?;
            let lines = text
                .lines()
                .filter(|line| !line.trim_start().starts_with('#'));
            Some(
                lines
                    .flat_map(str::chars)
                    .filter(|c| !c.is_whitespace())
                    .collect(),
            )
        };
        text(a).is_some() && text(a) == text(b)
    }

    /// Leads those that lead to an alias on to what that is.
    fn function_aliases(&mut self, targets: &mut [Target<FuncId>]) -> Result<(), Unsupported> {
        let find = |symbol: &str, file| {
            let position = self
                .objects
                .functions
                .iter()
                .position(|f| f.link.symbol == symbol && f.link.defined && f.span.file == file);
            position.ok_or("function")
        };
        let mut finals = Vec::new();
        for (at, function) in self.objects.functions.iter().enumerate() {
            finals.push(choose::follow(at, function.span, find, |at| {
                let function = &self.objects.functions[at];
                (function.link.indirect.as_ref(), function.span.file)
            })?);
        }
        for target in targets {
            if let Target::Is(id) = target {
                *id = FuncId(finals[id.0 as usize] as u32);
            }
        }
        Ok(())
    }

    /// Where each object leads.
    fn globals(&mut self) -> Result<Vec<Target<GlobalId>>, Unsupported> {
        let groups = by_symbol(self.objects.globals.iter().map(|g| &g.link));
        let id = |at: usize| GlobalId(at as u32);
        let count = self.objects.globals.len();
        let mut targets: Vec<Target<GlobalId>> = (0..count).map(|at| Target::Is(id(at))).collect();
        for (symbol, members) in &groups {
            let links = members.iter().map(|&at| {
                let global = &self.objects.globals[at];
                (at, &global.link, global.span)
            });
            let used = |at: usize| self.references.globals.contains(&id(at));
            let chosen = match choose(symbol, links, used, self.sources)? {
                Choice::Defined(chosen) => chosen,
                Choice::Undefined(first) => {
                    self.refuse_linker_symbol(symbol, first)?;
                    self.largest_declaration(members).unwrap_or(first)
                }
                Choice::Null => {
                    members.iter().for_each(|&at| targets[at] = Target::Null);
                    continue;
                }
            };
            for &at in members {
                self.same_object(at, chosen)?;
                targets[at] = Target::Is(id(chosen));
            }
        }
        self.global_aliases(&mut targets)?;
        for (at, target) in targets.iter().enumerate() {
            if let Target::Is(to) = target
                && self.objects.globals[at].address_taken
            {
                self.objects.globals[to.0 as usize].address_taken = true;
            }
        }
        Ok(targets)
    }

    /// `ld` itself defines names for the ends of sections.
    fn refuse_linker_symbol(&self, symbol: &str, at: usize) -> Result<(), Unsupported> {
        let section = symbol.starts_with("__start_") || symbol.starts_with("__stop_");
        let end = ["_end", "_etext", "_edata", "__bss_start"].contains(&symbol);
        match (section || end) && self.references.globals.contains(&GlobalId(at as u32)) {
            true => {
                let what = format!("`{symbol}`, which the linker defines");
                Err(Unsupported::at(self.objects.globals[at].span, what))
            }
            false => Ok(()),
        }
    }

    /// Of several declarations one that knows how large the object is.
    fn largest_declaration(&self, members: &[usize]) -> Option<usize> {
        let size = |at: usize| {
            let ty = &self.objects.globals[at].ty;
            ty.size(self.model, &self.objects.records)
        };
        let known = members.iter().copied().filter(|&at| size(at).is_some());
        known.max_by_key(|&at| (size(at), std::cmp::Reverse(at)))
    }

    /// Refuses two files that disagree about an object.
    fn same_object(&mut self, at: usize, chosen: usize) -> Result<(), Unsupported> {
        let (own, other) = (&self.objects.globals[at], &self.objects.globals[chosen]);
        let library = own.link.library || other.link.library;
        if at != chosen && !library && !self.compatible().objects(own, other) {
            let place = self.sources.place(other.span);
            let what = format!(
                "`{}` has another type in {}:{}",
                own.name, place.file, place.line
            );
            return Err(Unsupported::at(own.span, what));
        }
        let align = own.align.max(other.align);
        self.objects.globals[chosen].align = align;
        Ok(())
    }

    fn global_aliases(&mut self, targets: &mut [Target<GlobalId>]) -> Result<(), Unsupported> {
        let find = |symbol: &str, file| {
            let position = self
                .objects
                .globals
                .iter()
                .position(|g| g.link.symbol == symbol && g.link.defined && g.span.file == file);
            position.ok_or("object")
        };
        let mut finals = Vec::new();
        for (at, global) in self.objects.globals.iter().enumerate() {
            finals.push(choose::follow(at, global.span, find, |at| {
                let global = &self.objects.globals[at];
                (global.link.indirect.as_ref(), global.span.file)
            })?);
        }
        for (at, &to) in finals.iter().enumerate() {
            if at != to {
                self.same_object(at, to)?;
            }
        }
        for target in targets {
            if let Target::Is(id) = target {
                *id = GlobalId(finals[id.0 as usize] as u32);
            }
        }
        Ok(())
    }
}
