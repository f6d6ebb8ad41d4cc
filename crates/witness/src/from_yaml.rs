//! Sequences of waypoints as automata.

use crate::annotated_program::AnnotatedProgram;
use crate::automaton::{Accept, Automaton, Guard, Move, Trouble, When, beyond, wrong};
use crate::condition::Condition;
use crate::outline::contains;
use crate::yaml::{Content, Entry, Item, Location, Waypoint};
use dataflow::BitSet;
use std::rc::Rc;
use xcfa::{EdgeId, Label, Span};

/// The executions that a violation witness describes; the message says what cannot be used.
pub fn from_yaml(entries: &[Entry], program: &AnnotatedProgram<'_>) -> Result<Automaton, Trouble> {
    let sequence = |entry: &&Entry| entry.entry_type == "violation_sequence";
    let mut sequences = entries.iter().filter(sequence);
    let Some(entry) = sequences.next() else {
        return wrong("there is no entry `violation_sequence`");
    };
    if sequences.next().is_some() {
        return beyond("more than one entry `violation_sequence`");
    }
    let Content::Items(items) = &entry.content else {
        return wrong("there are no segments");
    };
    let mut reader = Reader {
        program,
        automaton: Automaton {
            nodes: 1,
            numbered: true,
            ..Automaton::default()
        },
        sets: Vec::new(),
    };
    reader.automaton.name("0");
    for item in items {
        let Item::Segment(ways) = item else {
            return wrong("an invariant among the segments");
        };
        if !reader.automaton.accepts.is_empty() {
            return wrong("a target stands before the last segment");
        }
        let waypoints: Vec<&Waypoint> = ways.iter().map(|way| &way.waypoint).collect();
        reader.segment(&waypoints)?;
    }
    match reader.automaton.accepts.is_empty() {
        true => wrong("no segment has a target"),
        false => Ok(reader.automaton),
    }
}

struct Reader<'s, 'a> {
    program: &'s AnnotatedProgram<'a>,
    automaton: Automaton,
    /// Sets of edges that have been found, so that equal ones are one.
    sets: Vec<Rc<BitSet>>,
}

impl Reader<'_, '_> {
    fn segment(&mut self, waypoints: &[&Waypoint]) -> Result<(), Trouble> {
        let node = self.automaton.nodes - 1;
        let mut targets = Vec::new();
        for waypoint in waypoints {
            let guard = self.guard(waypoint)?;
            match (waypoint.action.as_str(), waypoint.kind.as_str()) {
                ("follow", "target") => targets.push(guard),
                ("follow", _) => {
                    let from = self.automaton.nodes - 1;
                    let (to, guard) = (from + 1, Some(guard));
                    self.automaton.nodes += 1;
                    self.automaton.moves.push(Move { from, to, guard });
                }
                ("avoid", _) => self.automaton.avoids.push((node, guard)),
                (other, _) => {
                    return beyond(format!("waypoints with action `{other}` are not supported"));
                }
            }
        }
        if !targets.is_empty() {
            self.automaton.accepts.push(Accept { node, targets });
        }
        Ok(())
    }

    fn guard(&mut self, waypoint: &Waypoint) -> Result<Guard, Trouble> {
        let location = &waypoint.location;
        let (edges, when) = match waypoint.kind.as_str() {
            "assumption" => (self.statement(location)?, When::Arrival),
            "target" => (self.statement(location)?, When::Step),
            "function_enter" | "function_return" => (self.call(location)?, When::Step),
            "branching" => (self.branch(waypoint)?, When::Step),
            other => return beyond(format!("waypoints of type `{other}` are not supported")),
        };
        if edges.is_empty() {
            let Location {
                file_name, line, ..
            } = location;
            return wrong(format!(
                "no step of the program belongs to {file_name}:{line}"
            ));
        }
        let value = waypoint
            .constraint
            .as_ref()
            .map(|constraint| &constraint.value);
        let condition = match (waypoint.kind.as_str(), value) {
            ("assumption" | "function_return", Some(text)) => Some(
                Condition::parse(text)
                    .or_else(|why| beyond(format!("cannot use `{text}`: {why}")))?,
            ),
            _ => None,
        };
        let starts = waypoint.kind == "function_enter" && self.starts(&edges);
        let thread = waypoint.thread_id;
        Ok(Guard {
            thread: thread.map(|number| self.automaton.name(&number.to_string())),
            creates: None,
            starts,
            edges: self.shared(edges),
            when,
            condition,
            scope: location.function.clone(),
        })
    }

    fn shared(&mut self, edges: BitSet) -> Rc<BitSet> {
        let same = |known: &&Rc<BitSet>| known.iter().eq(edges.iter());
        if let Some(known) = self.sets.iter().find(same) {
            return known.clone();
        }
        let edges = Rc::new(edges);
        self.sets.push(edges.clone());
        edges
    }

    fn starts(&self, edges: &BitSet) -> bool {
        let xcfa = self.program.machine.xcfa;
        let start = |label: &Label| matches!(label, Label::Start { .. });
        let mut edges = edges.iter();
        edges.any(|edge| xcfa[EdgeId(edge as u32)].labels.iter().any(start))
    }

    /// Does a place of ours lie where a location says? A column counts only if both have one.
    fn at(&self, location: &Location, span: Span, end: bool) -> Result<(bool, bool), Trouble> {
        let file = self.program.places.file(&location.file_name);
        let Some(file) = file else {
            return wrong(format!("{} is not in the program", location.file_name));
        };
        let sources = &self.program.machine.xcfa.sources;
        let place = match end {
            true => self.program.places.end(sources, span),
            false => self.program.places.start(sources, span),
        };
        Ok(place.map_or((false, false), |place| {
            let line = place.file == file && place.line == location.line;
            let column = match (location.column, place.column) {
                (Some(wanted), Some(column)) => wanted == column,
                _ => true,
            };
            (line, line && column)
        }))
    }

    /// The texts at a location: those at its very column, or else all on its line.
    fn pick<T: Copy>(
        &self,
        location: &Location,
        all: impl Iterator<Item = (T, Span)>,
        end: bool,
    ) -> Result<Vec<T>, Trouble> {
        let (mut exact, mut near) = (Vec::new(), Vec::new());
        for (item, span) in all {
            let (line, column) = self.at(location, span, end)?;
            if column {
                exact.push(item);
            }
            if line {
                near.push(item);
            }
        }
        Ok(if exact.is_empty() { near } else { exact })
    }

    /// The edges of the statement at a location, of the condition of a branching there, or else of
    /// that line.
    fn statement(&self, location: &Location) -> Result<BitSet, Trouble> {
        let outline = self.program.outline;
        let plain = outline.statements.iter().map(|s| (s.span, s.span));
        let branches = outline.branches.iter().map(|b| (b.cond, b.keyword));
        let spans = self.pick(location, plain.chain(branches), false)?;
        let xcfa = self.program.machine.xcfa;
        let inside = self.program.edges(|edge| {
            let mut spans = spans.iter();
            spans.any(|span| contains(*span, xcfa[edge].span))
        });
        if !inside.is_empty() {
            return Ok(inside);
        }
        let file = self.program.places.file(&location.file_name);
        Ok(self.program.edges(|edge| {
            let place = self.program.place(edge);
            place.is_some_and(|p| Some(p.file) == file && p.line == location.line)
        }))
    }

    /// The edges of the call that ends at a location.
    fn call(&self, location: &Location) -> Result<BitSet, Trouble> {
        let calls = self.program.outline.calls.iter().enumerate();
        let all = calls.map(|(at, call)| (at, call.span));
        let mut wanted = self.pick(location, all.clone(), true)?;
        if wanted.is_empty() {
            wanted = self.pick(location, all, false)?;
        }
        let of_call = |edge| {
            self.program
                .call(edge)
                .is_some_and(|at| wanted.contains(&at))
        };
        let edges = self.program.edges(of_call);
        // The step that starts a thread is the one that counts, where there is one.
        let xcfa = self.program.machine.xcfa;
        let starts = self.program.edges(|edge| {
            let start = |label: &Label| matches!(label, Label::Start { .. });
            edges.contains(edge.0 as usize) && xcfa[edge].labels.iter().any(start)
        });
        Ok(if starts.is_empty() { edges } else { starts })
    }

    /// The edges that decide the condition at a location as the waypoint requires.
    fn branch(&self, waypoint: &Waypoint) -> Result<BitSet, Trouble> {
        let value = waypoint.constraint.as_ref().map(|c| c.value.as_str());
        let wanted = match value {
            Some("true") => true,
            Some("false") => false,
            _ => return beyond("only branchings with `true` or `false` are supported"),
        };
        let branches = self.program.outline.branches.iter();
        let all = branches.map(|branch| (branch, branch.keyword));
        let branches = self.pick(&waypoint.location, all, false)?;
        Ok(self.program.edges(|edge| {
            let mut branches = branches.iter();
            branches.any(|branch| self.program.decides(branch, edge) == Some(wanted))
        }))
    }
}
