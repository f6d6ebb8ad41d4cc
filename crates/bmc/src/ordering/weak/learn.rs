//! From a reason why an execution is forbidden to a clause.

use super::execution::{Execution, Origin};
use super::formula::Formula;
use crate::ordering::emitter::Place;
use crate::ordering::events::Source;
use expr::Term;
use models::{Action, EventId, Fact};
use sat::Lit;
use verdict::Reason;

/// What a fact says of the formula.
enum Said {
    /// The condition holds, or it does not.
    Holds(Term, bool),
    /// The literal holds.
    Lit(Lit),
}

/// Rules out every execution in which these facts hold, and the literals, too.
pub fn learn(
    formula: &mut Formula,
    execution: &Execution,
    facts: &[Fact],
    also: &[Lit],
) -> Result<(), Reason> {
    let mut said = Vec::new();
    let mut all = facts
        .iter()
        .all(|&fact| execution.say(formula, fact, &mut said).is_some());
    if !all {
        said.clear();
        let graph = &execution.graph;
        let mut every: Vec<Fact> = graph.ids().map(Fact::Event).collect();
        for id in graph.ids() {
            every.extend(graph.reads_from[id.index()].map(|write| Fact::ReadsFrom(write, id)));
        }
        for order in &graph.coherence {
            every.extend(
                order
                    .windows(2)
                    .map(|pair| Fact::Coherence(pair[0], pair[1])),
            );
        }
        all = every
            .iter()
            .all(|&fact| execution.say(formula, fact, &mut said).is_some());
    }
    if !all {
        let what = "an execution that the solver cannot be told about";
        return Err(Reason::Inconclusive(what.to_owned()));
    }
    let mut lits = also.to_vec();
    for said in said {
        lits.push(match said {
            Said::Lit(lit) => lit,
            Said::Holds(term, true) => formula.lit(term)?,
            Said::Holds(term, false) => !formula.lit(term)?,
        });
    }
    lits.sort_unstable();
    lits.dedup();
    formula.forbid(&lits);
    Ok(())
}

impl Execution {
    fn origin(&self, id: EventId) -> Origin {
        self.origins[id.index()]
    }

    fn is_initial(&self, id: EventId) -> bool {
        self.graph.event(id).thread.is_none()
    }

    /// What a fact says; nothing if the formula does not know it.
    fn say(&self, formula: &Formula, fact: Fact, into: &mut Vec<Said>) -> Option<()> {
        match fact {
            Fact::Event(id) => self.say_event(formula, id, into),
            Fact::Exchange(read, write) => {
                self.say_event(formula, read, into)?;
                self.say_event(formula, write, into)
            }
            Fact::ReadsFrom(write, read) => self.say_source(formula, write, read, into),
            Fact::Coherence(a, b) => self.say_order(formula, a, b, into),
            Fact::FromReads(read, write) => self.say_from_reads(formula, read, write, into),
            Fact::Everything => None,
        }
    }

    fn say_event(&self, formula: &Formula, id: EventId, into: &mut Vec<Said>) -> Option<()> {
        if self.is_initial(id) {
            return Some(());
        }
        let (origin, events) = (self.origin(id), &formula.events);
        let step = &events.steps[origin.step?];
        into.push(Said::Holds(step.guard, true));
        if self.graph.event(id).action.access().is_some() {
            let (_, cell) = origin.place?;
            let mut touched = step.touched.iter().filter(|it| it.cell == cell);
            into.push(Said::Holds(touched.next()?.here, true));
        }
        if let Action::Write(_) = self.graph.event(id).action {
            into.push(Said::Holds(events.writes[origin.write?].guard, true));
        }
        Some(())
    }

    fn say_source(
        &self,
        formula: &Formula,
        write: EventId,
        read: EventId,
        into: &mut Vec<Said>,
    ) -> Option<()> {
        let events = &formula.events;
        let origin = self.origin(read);
        if let Some(at) = origin.read {
            let source = match self.is_initial(write) {
                true => Source::Initial,
                false => Source::Write(self.origin(write).write?),
            };
            let mut sources = events.reads[at].sources.iter();
            let place = sources.position(|&it| it == source)?;
            into.push(Said::Lit(formula.chosen[at][place]));
            return Some(());
        }
        // There is no choice: which of the writes before it happen says what it sees.
        let (node, cell) = origin.place?;
        for (at, write) in events.writes.iter().enumerate() {
            if write.cell == cell && events.statics.before(write.node, node) {
                into.push(Said::Holds(write.guard, self.happens[at]));
            }
        }
        Some(())
    }

    fn place(&self, id: EventId) -> Option<Place> {
        self.origin(id).place
    }

    fn say_order(
        &self,
        formula: &Formula,
        a: EventId,
        b: EventId,
        into: &mut Vec<Said>,
    ) -> Option<()> {
        if !self.is_initial(a) {
            let lit = formula.before(self.place(a)?, self.place(b)?)?;
            into.push(Said::Lit(lit));
        }
        Some(())
    }

    fn say_from_reads(
        &self,
        formula: &Formula,
        read: EventId,
        write: EventId,
        into: &mut Vec<Said>,
    ) -> Option<()> {
        let (from, to) = (self.place(read)?, self.place(write)?);
        // The halves of one operation.
        if from.0 == to.0 {
            return Some(());
        }
        if self.origin(read).read.is_some()
            && let Some(lit) = formula.before(from, to)
        {
            into.push(Said::Lit(lit));
            return Some(());
        }
        let source = self.graph.reads_from[read.index()]?;
        self.say_source(formula, source, read, into)?;
        self.say_order(formula, source, write, into)
    }
}
