//! Ghost variables that name the holder of a lock, for correctness witnesses of version 2.1.
//!
//! One for each mutex that is locked and unlocked by its name. Whether they are right depends on
//! what else the program does with the mutex (waiting on condition variables releases it, pointers
//! may lead to it): the caller proves the program with them before it writes them.

use crate::yaml::{
    GhostUpdate, GhostUpdates, GhostValue, GhostVariable, Ghosts, Invariant, Location,
};
use crate::{Outline, Places};
use std::collections::BTreeMap;
use xcfa::{Sources, Span};

/// Ghost variables for mutexes, and invariants that say that a mutex is unlocked by its owner; `None`
/// if there are no such mutexes.
pub fn lock_ghosts(
    sources: &Sources,
    places: &Places,
    outline: &Outline,
) -> Option<(Ghosts, Vec<Invariant>)> {
    let mut uses: BTreeMap<String, Vec<(bool, Location)>> = BTreeMap::new();
    for call in &outline.calls {
        let lock = match call.name.as_deref() {
            Some("pthread_mutex_lock") => true,
            Some("pthread_mutex_unlock") => false,
            _ => continue,
        };
        let found = mutex(sources, call.span).zip(statement(sources, places, outline, call.span));
        let (name, location) = found?;
        uses.entry(name).or_default().push((lock, location));
    }
    let (mut ghosts, mut invariants) = (
        Ghosts {
            ghost_variables: Vec::new(),
            ghost_updates: Vec::new(),
        },
        Vec::new(),
    );
    for (name, places) in uses {
        let variable = format!("{name}_locked");
        let taken = |file: &xcfa::SourceFile| file.text.contains(&variable);
        if sources.files().iter().any(taken) {
            return None;
        }
        ghosts.ghost_variables.push(GhostVariable {
            name: variable.clone(),
            ty: "int".into(),
            scope: "global".into(),
            initial: GhostValue {
                value: "0".into(),
                format: "c_expression".into(),
            },
        });
        for (lock, location) in places {
            if !lock {
                invariants.push(Invariant {
                    kind: "location_invariant".into(),
                    location: location.clone(),
                    value: format!("{variable} == 1"),
                    format: "c_expression".into(),
                });
            }
            ghosts.ghost_updates.push(GhostUpdates {
                location,
                updates: vec![GhostUpdate {
                    variable: variable.clone(),
                    value: i32::from(lock).to_string(),
                    format: "c_expression".into(),
                }],
            });
        }
    }
    (!invariants.is_empty()).then_some((ghosts, invariants))
}

/// The name in `pthread_mutex_lock(&name)`.
fn mutex(sources: &Sources, call: Span) -> Option<String> {
    let text = &sources.file(call.file).text[call.lo as usize..call.hi as usize];
    let inside = text.split_once('(')?.1.strip_suffix(')')?.trim();
    let name = inside.strip_prefix('&')?.trim();
    let named = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (named && !name.is_empty()).then(|| name.to_owned())
}

/// Where the statement is that a call is all of.
fn statement(
    sources: &Sources,
    places: &Places,
    outline: &Outline,
    call: Span,
) -> Option<Location> {
    let statement = outline.statement_at(call)?;
    let whole = statement.span.lo == call.lo && !statement.declaration;
    let place = places.start(sources, statement.span).filter(|_| whole)?;
    Some(Location {
        file_name: places.name(place.file).to_owned(),
        line: place.line,
        column: place.column,
        function: outline.function_at(call).map(str::to_owned),
    })
}
