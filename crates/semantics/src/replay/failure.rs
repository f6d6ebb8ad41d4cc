//! Describes what went wrong at the last step: which assertion, operation or access, and with which values.

use super::{Reading, ReplayStep, Run};
use crate::failure::{Computed, Failure, SourcePlace, What};
use crate::naming::{Named, object_of_word};
use crate::reachable::lost;
use crate::{Access, Cell, Outcome, Script, State, Step, Tid, Violation};
use expr::{Node, Op, Term, VarId};
use xcfa::{EdgeId, Label, Leaving, Span};

/// A longer text is cut.
const MOST_CHARACTERS: usize = 100;
/// More values than these make nothing clearer.
const MOST_VALUES: usize = 6;

impl Run<'_, '_> {
    /// What the last step does wrong; `accesses` are those that it makes.
    pub(super) fn failure(
        &self,
        violation: Violation,
        (step, before): (&Step, &State),
        shown: &ReplayStep,
        accesses: &[Access],
    ) -> Failure {
        let span = shown.last_span();
        let what = match violation {
            Violation::ErrorReached => self.reached(span),
            Violation::Overflow => self.overflow(span, step, before),
            Violation::Misuse => self.misuse(step, shown),
            Violation::InvalidDeref => self.invalid_access(span, accesses),
            Violation::InvalidFree => self.invalid_free(step, before),
            Violation::InvalidMemtrack => self.lost_memory(step, before),
            _ => What::Plain,
        };
        let values = match what {
            What::Plain
            | What::Access { .. }
            | What::Free { .. }
            | What::Lost { .. }
            | What::Misuse { .. } => Vec::new(),
            _ => self.values(&self.asserted(span), shown),
        };
        Failure {
            violation,
            place: self.place(span),
            what,
            values,
        }
    }

    /// Where a text starts, if the program has one.
    pub(super) fn place(&self, span: Span) -> Option<SourcePlace> {
        let sources = &self.machine.xcfa.sources;
        sources.files().get(span.file.0 as usize).map(|_| {
            let place = sources.place(span);
            SourcePlace {
                file: place.file,
                line: place.line,
            }
        })
    }

    fn reached(&self, span: Span) -> What {
        match self.machine.xcfa.assertions.get(&span) {
            Some(expression) => What::Assertion {
                expression: shortened(expression),
            },
            None => self
                .text(span)
                .map_or(What::Plain, |call| What::ErrorCall { call }),
        }
    }

    /// The text that decides: of an assertion the expression, else all of it.
    fn asserted(&self, span: Span) -> String {
        let assertion = self.machine.xcfa.assertions.get(&span).cloned();
        assertion
            .or_else(|| self.machine.xcfa.sources.text(span))
            .unwrap_or_default()
    }

    fn text(&self, span: Span) -> Option<String> {
        let text = self.machine.xcfa.sources.text(span)?;
        Some(shortened(text.trim_end_matches(';')))
    }

    fn overflow(&self, span: Span, step: &Step, before: &State) -> What {
        let Some(operation) = self.text(span) else {
            return What::Plain;
        };
        let computed = self
            .last_guard(step, before)
            .and_then(|(state, guard)| self.operands(guard, &state, Tid(step.thread)));
        What::Overflow {
            operation,
            computed,
        }
    }

    /// A call that must not be made. What it is about is what its model has looked at last.
    fn misuse(&self, step: &Step, shown: &ReplayStep) -> What {
        let xcfa = &self.machine.xcfa;
        let span = shown.last_span();
        let misuse = xcfa[xcfa[EdgeId(step.edge)].target].misuse;
        let (Some(misuse), Some(call)) = (misuse, self.text(span)) else {
            return What::Plain;
        };
        let steps = self.steps.iter().chain([shown]).rev();
        let own = steps.filter(|step| step.thread == shown.thread);
        let statements = own.flat_map(|step| step.statements.iter().rev());
        let mut cells = statements
            .take_while(|statement| statement.span == span || statement.cells.is_empty())
            .flat_map(|statement| statement.cells.iter().rev());
        let cell = cells.next().filter(|_| !misuse.has_no_object());
        let object = cell.map(|(cell, _)| {
            let name = Named::cell(self.namer(&self.state), *cell).name;
            object_of_word(&name).unwrap_or(&name).to_owned()
        });
        let holds = |tid: &Tid| {
            let held = self.held_names(tid.0, &self.state);
            object.as_ref().is_some_and(|object| held.contains(object))
        };
        let holders = self.state.running().filter(holds);
        What::Misuse {
            misuse: misuse.name(),
            words: misuse.words(
                &object
                    .as_ref()
                    .map_or_else(|| "an object".to_owned(), |object| format!("`{object}`")),
            ),
            call,
            holders: holders.map(|tid| self.thread_name(tid.0)).collect(),
            object,
        }
    }

    /// The condition of the last branch that the step takes, and the state there.
    fn last_guard(&self, step: &Step, before: &State) -> Option<(State, Term)> {
        let labels = self.machine.xcfa[EdgeId(step.edge)]
            .labels
            .iter()
            .enumerate();
        let mut guards = labels.filter_map(|(at, label)| match label {
            Label::Assume(guard) => Some((at, *guard)),
            _ => None,
        });
        let (at, guard) = guards.next_back()?;
        Some((self.follow(step, before, at).1, guard))
    }

    /// The operands of an operation that overflows, by value.
    fn operands(&self, guard: Term, state: &State, tid: Tid) -> Option<Computed> {
        let terms = &self.machine.xcfa.terms;
        let Node::Binary(op, left, right) = terms.node(guard) else {
            return None;
        };
        let sign = match op {
            Op::SaddOverflow => "+",
            Op::SsubOverflow => "-",
            Op::SmulOverflow => "*",
            _ => return None,
        };
        let bits = terms.width(left);
        let value = |term| expr::sign_extend(self.machine.eval(state, tid, term), bits);
        let ty = match bits {
            32 => "int",
            64 if self.machine.xcfa.pointer_bits() == 64 => "long",
            64 => "long long",
            _ => return None,
        };
        Some(Computed {
            operation: format!("{} {sign} {}", value(left), value(right)),
            ty: ty.to_owned(),
        })
    }

    fn invalid_access(&self, span: Span, accesses: &[Access]) -> What {
        // The machine tells of an access before it happens, so the last one is the invalid one. If
        // that is valid, a check of the text has failed.
        let last = accesses.last().and_then(|access| match access.cell {
            Cell::Bytes { start, len } => Some((access.write, start, len)),
            Cell::Var(_) => None,
        });
        match last {
            Some((write, start, len))
                if write || !self.machine.exists(&self.state, Cell::Bytes { start, len }) =>
            {
                What::Access {
                    write,
                    bytes: len,
                    target: self.target(start, len),
                }
            }
            _ => self
                .text(span)
                .map_or(What::Plain, |text| What::Operation { text }),
        }
    }

    fn invalid_free(&self, step: &Step, before: &State) -> What {
        match self.follow(step, before, usize::MAX) {
            (Some(Label::Free(addr)), state) => {
                let addr = self.machine.eval(&state, Tid(step.thread), *addr);
                What::Free {
                    target: self.target(addr, 1),
                }
            }
            _ => What::Plain,
        }
    }

    fn lost_memory(&self, step: &Step, before: &State) -> What {
        let (label, state) = self.follow(step, before, usize::MAX);
        let returns = matches!(label, Some(Label::Exit(Leaving::Return)));
        let gone = returns.then_some(Tid(step.thread));
        let mut objects: Vec<String> = Vec::new();
        for object in lost(self.machine, &state, gone) {
            let name = self.object_name(object.obj, object.base);
            if !objects.contains(&name) {
                objects.push(name);
            }
        }
        What::Lost { objects }
    }

    /// Takes the first `most` labels of a step one by one: the state there, and the label at which that
    /// ends earlier.
    fn follow(&self, step: &Step, before: &State, most: usize) -> (Option<&Label>, State) {
        let edge = EdgeId(step.edge);
        let mut state = before.clone();
        let mut host = Script::new(&step.choices);
        for label in self.machine.xcfa[edge].labels.iter().take(most) {
            let earlier = state.clone();
            let tid = Tid(step.thread);
            let outcome = (self.machine).step_label(&mut state, tid, edge, label, &mut host);
            if !matches!(outcome, Outcome::Moved { .. }) {
                return (Some(label), earlier);
            }
        }
        (None, state)
    }

    /// What the failing text reads: what it and the steps before it on the same line read from memory,
    /// and the locals that it names.
    fn values(&self, text: &str, last: &ReplayStep) -> Vec<Reading> {
        let mut values: Vec<Reading> = Vec::new();
        let line = self.place(last.last_span());
        let steps = self
            .steps
            .iter()
            .chain([last])
            .filter(|step| step.thread == last.thread);
        let steps: Vec<&ReplayStep> = steps.collect();
        let near = steps.iter().rev().take_while(|step| {
            let mut spans = step.statements.iter().map(|statement| statement.span);
            spans.any(|span| self.place(span) == line)
        });
        for step in near {
            let statements = step.statements.iter().rev();
            let own = statements.filter(|statement| self.place(statement.span) == line);
            let reads = own.flat_map(|statement| &statement.reads).cloned();
            let locals = self.locals(text, step);
            for value in reads.chain(locals) {
                if !values.iter().any(|known| known.name == value.name) {
                    values.push(value);
                }
            }
        }
        values.truncate(MOST_VALUES);
        values
    }

    /// The values of the locals that a text names, as far as the labels of the step know them.
    fn locals(&self, text: &str, step: &ReplayStep) -> Vec<Reading> {
        let machine = self.machine;
        let mut found: Vec<Reading> = Vec::new();
        for label in &machine.xcfa[step.edge].labels {
            let vars = label.terms().flat_map(|term| machine.xcfa.terms.vars(term));
            let vars: Vec<VarId> = vars.chain(label.defines()).collect();
            for var in vars.into_iter().filter(|&var| !machine.xcfa.is_global(var)) {
                let Some(name) = machine.xcfa[var].shown() else {
                    continue;
                };
                if identifiers(text).any(|word| word == name)
                    && !found.iter().any(|it| it.name == name)
                {
                    let bits = machine.value(&self.state, Tid(step.thread), var);
                    let value = Named::var(machine, var).show(self.namer(&self.state), bits);
                    let name = name.to_owned();
                    found.push(Reading { name, value });
                }
            }
        }
        found
    }
}

/// Not too long.
fn shortened(line: &str) -> String {
    match line.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

fn identifiers(expression: &str) -> impl Iterator<Item = &str> {
    let words = expression.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}
