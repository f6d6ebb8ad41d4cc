//! Which of several definitions of one name is taken.

use crate::Unsupported;
use crate::hir::{Indirect, Link};
use xcfa::{FileId, Sources, Span};

/// What a name with external linkage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// This definition.
    Defined(usize),
    /// Nowhere defined; this declaration represents all.
    Undefined(usize),
    /// Nowhere defined, and only weak declarations are used: its address is null.
    Null,
}

/// How strong a definition is: the strongest one is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Library,
    Weak,
    Common,
    Strong,
}

fn strength(link: &Link) -> Option<Strength> {
    let defined = link.defined && !link.inline_only;
    match link {
        _ if !defined => None,
        _ if link.library => Some(Strength::Library),
        _ if link.weak => Some(Strength::Weak),
        _ if link.common => Some(Strength::Common),
        _ => Some(Strength::Strong),
    }
}

/// Chooses among everything of one name, in the order of the files.
pub(super) fn choose<'a>(
    symbol: &str,
    members: impl Iterator<Item = (usize, &'a Link, Span)>,
    used: impl Fn(usize) -> bool,
    sources: &Sources,
) -> Result<Choice, Unsupported> {
    let mut best: Option<(usize, Strength, Span)> = None;
    let (mut first, mut any) = (None, None);
    let mut all_weak = true;
    for (at, link, span) in members {
        // A definition that only its own file may use is not seen by other files.
        let own = link.defined && link.inline_only;
        first = first.or((!own).then_some(at));
        any = any.or(Some(at));
        all_weak &= link.weak || link.library || !used(at);
        let Some(strength) = strength(link) else {
            continue;
        };
        match best {
            Some((_, Strength::Strong, other)) if strength == Strength::Strong => {
                let place = sources.place(other);
                let what = format!(
                    "multiple definition of `{symbol}`: it is defined in {}:{} as well",
                    place.file, place.line
                );
                return Err(Unsupported::at(span, what));
            }
            Some((_, known, _)) if known >= strength => {}
            _ => best = Some((at, strength, span)),
        }
    }
    let first = first.or(any).unwrap_or_default();
    Ok(match best {
        Some((at, ..)) => Choice::Defined(at),
        None if all_weak && !is_provided(symbol) => Choice::Null,
        None => Choice::Undefined(first),
    })
}

/// Families of names that the C library, the compiler or we define, whether or not the program does.
const PROVIDED_FAMILIES: &[&str] = &[
    "__", "atomic_", "cnd_", "fe", "mem", "mtx_", "pthread_", "sem_", "sig", "str", "thrd_",
    "tss_", "wcs",
];

/// Objects of the C library, and functions that the table of functions does not have.
const PROVIDED: &[&str] = &[
    "environ",
    "errno",
    "malloc_usable_size",
    "program_invocation_name",
    "stderr",
    "stdin",
    "stdout",
];

fn is_provided(symbol: &str) -> bool {
    crate::functions::function(symbol).is_some()
        || PROVIDED.contains(&symbol)
        || PROVIDED_FAMILIES
            .iter()
            .any(|family| symbol.starts_with(family))
}

/// What an alias leads to, through other aliases.
pub(super) fn follow<'a>(
    from: usize,
    span: Span,
    find: impl Fn(&str, FileId) -> Result<usize, &'static str>,
    indirect: impl Fn(usize) -> (Option<&'a Indirect>, FileId),
) -> Result<usize, Unsupported> {
    let mut at = from;
    for _ in 0..100 {
        let (Some(Indirect::Alias(target, here)), file) = indirect(at) else {
            return Ok(at);
        };
        at = find(target, file).map_err(|kind| {
            let what = format!("an alias of `{target}`, which is no {kind} that this file defines");
            Unsupported::at(*here, what)
        })?;
    }
    Err(Unsupported::at(span, "an alias of itself"))
}
