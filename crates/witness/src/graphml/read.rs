//! GraphML text to a graph.

use super::{Data, Edge, Graph, Key, Node};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Where the reader is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Inside {
    Key,
    Default,
    Graph,
    Node,
    Edge,
    Data(String),
    Other,
}

/// Reads a graph; the message says why the text is no XML.
pub fn read(text: &str) -> Result<Graph, String> {
    let mut reader = Reader::from_str(text);
    let mut building = Building::default();
    loop {
        let place = reader.buffer_position();
        let failed = |error: &dyn std::fmt::Display| {
            let line = text[..place as usize].lines().count().max(1);
            format!("line {line}: {error}")
        };
        match reader.read_event().map_err(|error| failed(&error))? {
            Event::Eof => break,
            Event::Start(start) => building.open(&start).map_err(|error| failed(&error))?,
            Event::Empty(start) => {
                building.open(&start).map_err(|error| failed(&error))?;
                building.close();
            }
            Event::End(_) => building.close(),
            Event::Text(bytes) => {
                let part = bytes.decode().map_err(|error| failed(&error))?;
                building.text.push_str(&part);
            }
            Event::CData(bytes) => {
                building.text.push_str(&String::from_utf8_lossy(&bytes));
            }
            Event::GeneralRef(name) => {
                let resolved = match name.resolve_char_ref() {
                    Ok(Some(character)) => character.to_string(),
                    _ => entity(&name).ok_or_else(|| failed(&"an unknown entity"))?,
                };
                building.text.push_str(&resolved);
            }
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
    if !building.stack.is_empty() {
        return Err("the text ends inside an element".into());
    }
    if !building.rooted {
        return Err("there is no element `graphml`".into());
    }
    Ok(building.graph)
}

fn entity(name: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(name).ok()?;
    quick_xml::escape::resolve_predefined_entity(name).map(str::to_owned)
}

/// A graph under way.
#[derive(Default)]
struct Building {
    graph: Graph,
    stack: Vec<Inside>,
    text: String,
    rooted: bool,
}

impl Building {
    fn open(&mut self, start: &BytesStart<'_>) -> Result<(), String> {
        let name = String::from_utf8_lossy(start.local_name().as_ref()).into_owned();
        let mut attributes = Data::new();
        for attribute in start.attributes() {
            let attribute = attribute.map_err(|error| error.to_string())?;
            let key = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
            let value = attribute
                .unescape_value()
                .map_err(|error| error.to_string())?;
            attributes.push((key, value.into_owned()));
        }
        self.text.clear();
        let inside = self.enter(&name, attributes);
        self.stack.push(inside);
        Ok(())
    }

    fn enter(&mut self, name: &str, attributes: Data) -> Inside {
        let find = |key: &str| super::value(&attributes, key).map(str::to_owned);
        let graph = &mut self.graph;
        match (self.stack.last(), name) {
            (None, "graphml") => {
                self.rooted = true;
                graph.attributes = attributes;
                Inside::Other
            }
            (Some(Inside::Other), "key") if self.stack.len() == 1 => {
                graph.keys.push(Key {
                    id: find("id").unwrap_or_default(),
                    domain: find("for").unwrap_or_default(),
                    default: None,
                });
                Inside::Key
            }
            (Some(Inside::Key), "default") => Inside::Default,
            (Some(Inside::Other), "graph") if self.stack.len() == 1 => {
                if graph.edge_default.is_some() {
                    graph.oddities.push("a second graph".into());
                }
                graph.edge_default = Some(find("edgedefault").unwrap_or_default());
                Inside::Graph
            }
            (Some(Inside::Graph), "node") => {
                graph.nodes.push(Node {
                    id: find("id").unwrap_or_default(),
                    data: Data::new(),
                });
                Inside::Node
            }
            (Some(Inside::Graph), "edge") => {
                graph.edges.push(Edge {
                    source: find("source").unwrap_or_default(),
                    target: find("target").unwrap_or_default(),
                    data: Data::new(),
                });
                Inside::Edge
            }
            (Some(Inside::Graph | Inside::Node | Inside::Edge), "data") => {
                Inside::Data(find("key").unwrap_or_default())
            }
            _ => {
                graph.oddities.push(format!("an element `{name}`"));
                Inside::Other
            }
        }
    }

    fn close(&mut self) {
        let text = std::mem::take(&mut self.text).trim().to_owned();
        match self.stack.pop() {
            Some(Inside::Default) => {
                if let Some(key) = self.graph.keys.last_mut() {
                    key.default = Some(text);
                }
            }
            Some(Inside::Data(key)) => {
                let graph = &mut self.graph;
                let data = match self.stack.last() {
                    Some(Inside::Node) => graph.nodes.last_mut().map(|node| &mut node.data),
                    Some(Inside::Edge) => graph.edges.last_mut().map(|edge| &mut edge.data),
                    _ => Some(&mut graph.data),
                };
                if let Some(data) = data {
                    data.push((key, text));
                }
            }
            _ => {}
        }
    }
}
