//! Graphs to GraphML text.

use super::{Data, Edge, Graph, KEYS, NAMESPACE, Node, XSI, value};
use crate::annotated_trace::{AnnotatedStep, Event as Told};
use crate::{AnnotatedProgram, AnnotatedTrace, Meta};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io;
use xcfa::DataModel;

/// The witness of an execution: one path, each edge of which is a line that a thread passes through.
pub fn violation(program: &AnnotatedProgram<'_>, meta: &Meta, trace: &AnnotatedTrace) -> String {
    let mut path = Path {
        program,
        graph: start("violation_witness", meta),
        stacks: vec![Vec::new()],
        line: None,
    };
    let main = program.main_function().to_owned();
    path.begin(&main);
    for step in &trace.steps {
        path.step(step);
    }
    let mut graph = path.graph;
    if let Some(last) = graph.nodes.last_mut() {
        last.data.push(("violation".into(), "true".into()));
    }
    text(&graph)
}

/// A witness that says no more than that the property holds.
pub fn correctness(meta: &Meta) -> String {
    let mut graph = start("correctness_witness", meta);
    graph.nodes.push(entry());
    text(&graph)
}

fn entry() -> Node {
    Node {
        id: "N0".into(),
        data: vec![("entry".into(), "true".into())],
    }
}

fn start(kind: &str, meta: &Meta) -> Graph {
    let architecture = match meta.model {
        DataModel::Ilp32 => "32bit",
        DataModel::Lp64 => "64bit",
    };
    let mut data: Data = Vec::new();
    let mut say = |key: &str, value: &str| data.push((key.into(), value.into()));
    say("witness-type", kind);
    say("sourcecodelang", "C");
    say("producer", &format!("{} {}", meta.producer, meta.version));
    for line in meta.specification.lines() {
        say("specification", line);
    }
    // The format has room for one file; the others are named by the program itself.
    if let Some(first) = meta.files.first() {
        say("programfile", &first.name);
        say("programhash", &first.sha256);
    }
    say("architecture", architecture);
    say("creationtime", &meta.created);
    Graph {
        data,
        ..Graph::default()
    }
}

/// A path under way.
struct Path<'a, 's> {
    program: &'a AnnotatedProgram<'s>,
    graph: Graph,
    /// By thread: the functions that it is in.
    stacks: Vec<Vec<String>>,
    /// The thread and the line of the last edge.
    line: Option<(u32, u32)>,
}

impl Path<'_, '_> {
    fn begin(&mut self, main: &str) {
        self.graph.nodes.push(entry());
        self.stacks[0].push(main.to_owned());
        let data = [("createThread", "0"), ("enterFunction", main)];
        self.edge(
            data.map(|(key, value)| (key.to_owned(), value.to_owned()))
                .to_vec(),
        );
    }

    fn edge(&mut self, data: Data) {
        let number = self.graph.nodes.len();
        self.graph.edges.push(Edge {
            source: format!("N{}", number - 1),
            target: format!("N{number}"),
            data,
        });
        self.graph.nodes.push(Node {
            id: format!("N{number}"),
            data: Data::new(),
        });
    }

    fn step(&mut self, step: &AnnotatedStep) {
        let thread = step.thread as usize;
        if self.stacks.len() <= thread {
            self.stacks.resize(thread + 1, Vec::new());
        }
        if self.program.ends_thread(step.edge) {
            self.leave(step, 0);
        }
        // What happens round a thread's function is nowhere in the text.
        let (Some(line), Some(_)) = (
            self.program.line(step.edge),
            self.program.function(step.edge),
        ) else {
            return;
        };
        let moved = self.calls(step);
        let here = (step.thread, line);
        for event in &step.events {
            let data = self.event(step, event);
            self.edge(data);
        }
        if step.events.is_empty() && !moved && self.line != Some(here) {
            self.edge(about(step.thread, Some(line)));
        }
        self.line = Some(here);
    }

    fn event(&self, step: &AnnotatedStep, event: &Told) -> Data {
        match event {
            Told::Starts { thread, .. } => {
                let mut data = about(step.thread, self.program.line(step.edge));
                data.push(("createThread".into(), thread.to_string()));
                data
            }
            Told::Input {
                function,
                value,
                call,
            } => {
                let mut data = about(step.thread, self.program.line_of(*call));
                let mut say = |key: &str, value: &str| data.push((key.into(), value.into()));
                say("assumption", &format!("\\result == {value};"));
                if let Some(scope) = self.program.outline.function_at(*call) {
                    say("assumption.scope", scope);
                }
                say("assumption.resultfunction", function);
                data
            }
        }
    }

    /// Says which functions the thread has entered and left on its way to a step; gives whether an
    /// edge was written that has the step's line.
    fn calls(&mut self, step: &AnnotatedStep) -> bool {
        let Some(function) = self.program.function(step.edge) else {
            return false;
        };
        let thread = step.thread as usize;
        let known = self.stacks[thread].iter().rposition(|f| f == function);
        let Some(at) = known else {
            let mut data = about(step.thread, self.program.line(step.edge));
            data.push(("enterFunction".into(), function.to_owned()));
            self.stacks[thread].push(function.to_owned());
            self.edge(data);
            return true;
        };
        self.leave(step, at + 1);
        false
    }

    /// Says that a thread has left functions until it is in so many.
    fn leave(&mut self, step: &AnnotatedStep, depth: usize) {
        let thread = step.thread as usize;
        while self.stacks[thread].len() > depth {
            let left = self.stacks[thread].pop().unwrap_or_default();
            let data = vec![
                ("threadId".to_owned(), step.thread.to_string()),
                ("returnFromFunction".to_owned(), left),
            ];
            self.edge(data);
        }
    }
}

/// A thread and a line.
fn about(thread: u32, line: Option<u32>) -> Data {
    let mut data = vec![("threadId".to_owned(), thread.to_string())];
    data.extend(line.map(|line| ("startline".to_owned(), line.to_string())));
    data
}

fn text(graph: &Graph) -> String {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 1);
    // Writing to memory does not fail.
    let _ = write(&mut writer, graph);
    String::from_utf8(writer.into_inner()).unwrap_or_default() + "\n"
}

type Out = Writer<Vec<u8>>;

fn write(out: &mut Out, graph: &Graph) -> io::Result<()> {
    out.write_event(Event::Decl(BytesDecl::new(
        "1.0",
        Some("UTF-8"),
        Some("no"),
    )))?;
    let root = out.create_element("graphml");
    let root = root.with_attributes([("xmlns", NAMESPACE), ("xmlns:xsi", XSI)]);
    root.write_inner_content(|out| {
        for (id, domain, kind) in KEYS.iter().filter(|(id, _, _)| used(graph, id)) {
            key(out, id, domain, kind)?;
        }
        let element = out.create_element("graph");
        element
            .with_attribute(("edgedefault", "directed"))
            .write_inner_content(|out| {
                data(out, &graph.data)?;
                for node in &graph.nodes {
                    let element = out.create_element("node").with_attribute(("id", &*node.id));
                    match node.data.is_empty() {
                        true => element.write_empty()?,
                        false => element.write_inner_content(|out| data(out, &node.data))?,
                    };
                }
                for edge in &graph.edges {
                    let element = out.create_element("edge");
                    let ends = [("source", &*edge.source), ("target", &*edge.target)];
                    let element = element.with_attributes(ends);
                    element.write_inner_content(|out| data(out, &edge.data))?;
                }
                Ok(())
            })?;
        Ok(())
    })?;
    Ok(())
}

fn key(out: &mut Out, id: &str, domain: &str, kind: &str) -> io::Result<()> {
    let about = [
        ("id", id),
        ("attr.name", id),
        ("attr.type", kind),
        ("for", domain),
    ];
    let element = out.create_element("key").with_attributes(about);
    if kind == "boolean" {
        element.write_inner_content(|out| {
            let element = out.create_element("default");
            element
                .write_text_content(BytesText::new("false"))
                .map(|_| ())
        })?;
    } else {
        element.write_empty()?;
    }
    Ok(())
}

fn data(out: &mut Out, data: &Data) -> io::Result<()> {
    for (key, value) in data {
        let element = out.create_element("data").with_attribute(("key", &**key));
        element.write_text_content(BytesText::new(value))?;
    }
    Ok(())
}

fn used(graph: &Graph, id: &str) -> bool {
    let nodes = graph.nodes.iter().map(|node| &node.data);
    let edges = graph.edges.iter().map(|edge| &edge.data);
    let mut all = [&graph.data].into_iter().chain(nodes).chain(edges);
    all.any(|data| value(data, id).is_some())
}
