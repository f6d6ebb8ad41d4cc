//! Witness automata in GraphML as automata over the program's edges.

use crate::annotated_program::AnnotatedProgram;
use crate::automaton::{Accept, Automaton, Guard, Move, Trouble, When, beyond, wrong};
use crate::condition::Condition;
use crate::graphml::{Data, Graph, Node, value};
use dataflow::BitSet;
use std::rc::Rc;
use xcfa::{EdgeId, Label};

/// The executions that a violation witness describes; the message says what cannot be used.
pub fn from_graphml(graph: &Graph, program: &AnnotatedProgram<'_>) -> Result<Automaton, Trouble> {
    let entry = graph.nodes.iter().position(|node| graph.is(node, "entry"));
    let Some(entry) = entry else {
        return wrong("there is no entry node");
    };
    // The automaton begins in its first node.
    let number = |id: &str| {
        let at = graph.nodes.iter().position(|node| node.id == id);
        match at {
            Some(at) if at == entry => Ok(0),
            Some(0) => Ok(entry),
            Some(at) => Ok(at),
            None => wrong(format!("there is no node `{id}`")),
        }
    };
    let mut reader = Reader {
        program,
        automaton: Automaton {
            nodes: graph.nodes.len(),
            liberal: true,
            ..Automaton::default()
        },
    };
    for edge in &graph.edges {
        let (from, to) = (number(&edge.source)?, number(&edge.target)?);
        let guard = reader.guard(&edge.data)?;
        let end = |node: &Node| node.id == edge.target && graph.is(node, "violation");
        if guard.is_none() && from != 0 && graph.nodes.iter().any(end) {
            let line = value(&edge.data, "startline").unwrap_or("?");
            return wrong(format!("no step of the program belongs to line {line}"));
        }
        reader.automaton.moves.push(Move { from, to, guard });
    }
    for node in graph
        .nodes
        .iter()
        .filter(|node| graph.is(node, "violation"))
    {
        let node = number(&node.id)?;
        let targets = Vec::new();
        reader.automaton.accepts.push(Accept { node, targets });
    }
    match reader.automaton.accepts.is_empty() {
        true => wrong("there is no violation node"),
        false => Ok(reader.automaton),
    }
}

struct Reader<'s, 'a> {
    program: &'s AnnotatedProgram<'a>,
    automaton: Automaton,
}

impl Reader<'_, '_> {
    /// What a transition asks for; `None` if that is nothing that the program does.
    fn guard(&mut self, data: &Data) -> Result<Option<Guard>, Trouble> {
        let get = |key: &str| value(data, key);
        let main = get("enterFunction") == Some(self.program.main_function());
        if main && (get("createThread").is_some() || get("threadId").is_some()) {
            // The first thread is there from the start.
            let name = get("createThread").or(get("threadId")).unwrap_or_default();
            let name = self.automaton.name(name);
            self.automaton.main.get_or_insert(name);
            return Ok(None);
        }
        let creates = get("createThread").map(|name| self.automaton.name(name));
        let condition = condition(data)?;
        let edges = self.edges(data, creates.is_some())?;
        if edges.is_empty() && condition.is_none() && creates.is_none() {
            return Ok(None);
        }
        if edges.is_empty() {
            let line = get("startline").unwrap_or("?");
            return wrong(format!("no step of the program belongs to line {line}"));
        }
        Ok(Some(Guard {
            thread: get("threadId").map(|name| self.automaton.name(name)),
            creates,
            starts: false,
            edges: Rc::new(edges),
            when: When::Step,
            condition,
            scope: get("assumption.scope").map(str::to_owned),
        }))
    }

    /// The edges that a transition's text is about. A part that fits nothing is left out: what one
    /// tool calls an edge of a line need not be one for us.
    fn edges(&self, data: &Data, creates: bool) -> Result<BitSet, Trouble> {
        let get = |key: &str| value(data, key);
        let program = self.program;
        let number = |key: &str| match get(key).map(str::parse::<u32>) {
            Some(Err(_)) => wrong(format!("`{key}` is not a number")),
            Some(Ok(number)) => Ok(Some(number)),
            None => Ok(None),
        };
        let (start, end) = (number("startline")?, number("endline")?);
        let lines = start
            .or(end)
            .map(|first| first..=end.unwrap_or(first).max(first));
        let returned = get("returnFromFunction").or(get("returnFrom"));
        let function = get("enterFunction").or(returned);
        let starts = |edge: EdgeId| {
            let mut labels = program.machine.xcfa[edge].labels.iter();
            labels.any(|label| matches!(label, Label::Start { .. }))
        };
        let mut set = program.edges(|edge| {
            let line = program.line(edge);
            let here =
                |lines: &std::ops::RangeInclusive<u32>| line.is_some_and(|l| lines.contains(&l));
            lines.as_ref().is_none_or(here)
        });
        if creates {
            narrow(&mut set, &program.edges(starts));
        }
        if let Some(name) = function {
            narrow(
                &mut set,
                &program.edges(|edge| {
                    program.function(edge) == Some(name) || program.call_name(edge) == Some(name)
                }),
            );
        }
        if let Some(control) = get("control") {
            let wanted = Some(control == "condition-true");
            let branches = &program.outline.branches;
            narrow(
                &mut set,
                &program.edges(|edge| {
                    let mut branches = branches.iter();
                    branches.any(|branch| program.decides(branch, edge) == wanted)
                }),
            );
        }
        Ok(set)
    }
}

/// Keeps only members of both sets, if there are any.
fn narrow(set: &mut BitSet, by: &BitSet) {
    let mut both = set.clone();
    both.intersect_with(by);
    if !both.is_empty() {
        *set = both;
    }
}

/// The assumptions of a transition, each ended by a semicolon, as one condition.
fn condition(data: &Data) -> Result<Option<Condition>, Trouble> {
    let texts = data.iter().filter(|(key, _)| key == "assumption");
    let parts = texts.flat_map(|(_, text)| text.split(';'));
    let mut all: Option<Condition> = None;
    for text in parts.map(str::trim).filter(|text| !text.is_empty()) {
        let part =
            Condition::parse(text).or_else(|why| beyond(format!("cannot use `{text}`: {why}")))?;
        all = Some(match all {
            Some(before) => Condition::Binary("&&", Box::new(before), Box::new(part)),
            None => part,
        });
    }
    Ok(all)
}
