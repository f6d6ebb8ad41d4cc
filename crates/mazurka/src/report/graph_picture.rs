//! An execution graph as a picture: a column for each thread, program order goes down, and arrows show how events
//! are related. The cycle that no interleaving has is drawn thick.

use super::Report;
use super::weak::{cycle_lines, event_text, tells, threads};
use models::{EventId, Graph};
use semantics::{Execution, Replay};

/// Width of a column, of a box in it, and height of a row and of a box.
const COLUMN: i64 = 300;
const BOX: i64 = 250;
const ROW: i64 = 58;
const HEIGHT: i64 = 30;
/// Room above the first row.
const TOP: i64 = 64;

/// The colours of the relations.
const COLOURS: [(&str, &str); 5] = [
    ("po", "#8a8f98"),
    ("rf", "#1f9d55"),
    ("co", "#b7791f"),
    ("fr", "#c53030"),
    ("spawn", "#805ad5"),
];

fn colour(relation: &str) -> &'static str {
    let known = COLOURS.iter().find(|(name, _)| *name == relation);
    known.map_or("#3b82f6", |(_, colour)| colour)
}

/// Where an event is drawn: its column and row.
struct Placed {
    id: EventId,
    column: i64,
    row: i64,
}

/// An arrow between two events.
struct Arrow {
    from: EventId,
    to: EventId,
    relation: String,
    thick: bool,
}

impl Report<'_> {
    /// The picture of an execution, and the cycle in words.
    pub(super) fn picture(&self, execution: &Execution, replay: &Replay) -> ::report::Execution {
        ::report::Execution {
            model: execution.model.clone(),
            svg: svg(execution, replay),
            cycle: cycle_lines(execution),
        }
    }
}

fn svg(execution: &Execution, replay: &Replay) -> String {
    let graph = &execution.graph;
    let placed = place(graph);
    let columns = placed.iter().map(|it| it.column).max().unwrap_or(0) + 1;
    let rows = placed.iter().map(|it| it.row).max().unwrap_or(0) + 1;
    let (width, height) = (COLUMN * columns, TOP + ROW * rows + 10);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"monospace\" font-size=\"12\">\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"
    );
    for (relation, colour) in COLOURS {
        out += &format!(
            "<marker id=\"{relation}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" \
             markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"{colour}\"/></marker>"
        );
    }
    out += &legend();
    for thread in threads(graph) {
        if let Some(first) = placed
            .iter()
            .find(|it| graph.event(it.id).thread == Some(thread))
        {
            let name = super::sarif::thread_name(thread, replay);
            let x = COLUMN * first.column + COLUMN / 2;
            out += &text(x, TOP - 12, "middle", "#111827", &name);
        }
    }
    for arrow in arrows(execution, &placed) {
        out += &draw_arrow(&arrow, &placed);
    }
    for it in &placed {
        let (x, y) = corner(it);
        out += &format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{BOX}\" height=\"{HEIGHT}\" rx=\"5\" fill=\"#f8fafc\" \
             stroke=\"#64748b\"/>"
        );
        let label = format!("e{} {}", it.id.0, event_text(graph, it.id));
        out += &text(x + 8, y + 19, "start", "#111827", &shortened(&label));
    }
    out + "</svg>"
}

/// A text that fits into a box.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(33) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn text(x: i64, y: i64, anchor: &str, fill: &str, content: &str) -> String {
    let content = content.replace('&', "&amp;").replace('<', "&lt;");
    format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"{fill}\">{content}</text>")
}

fn legend() -> String {
    let names = [
        ("po", "program order"),
        ("rf", "reads from"),
        ("co", "overwritten by"),
        ("fr", "does not see"),
    ];
    let at = |(index, (relation, words)): (usize, &(&str, &str))| {
        let x = 8 + 140 * index as i64;
        text(x, 18, "start", colour(relation), &format!("→ {words}"))
    };
    names.iter().enumerate().map(at).collect()
}

/// The events that tell something, thread by thread.
fn place(graph: &Graph) -> Vec<Placed> {
    let mut placed = Vec::new();
    let mut column = 0;
    for thread in threads(graph) {
        let events = graph.thread(thread).filter(|&id| tells(graph, id));
        let before = placed.len();
        placed.extend(events.enumerate().map(|(row, id)| Placed {
            id,
            column,
            row: row as i64,
        }));
        column += i64::from(placed.len() > before);
    }
    placed
}

fn corner(it: &Placed) -> (i64, i64) {
    let x = COLUMN * it.column + (COLUMN - BOX) / 2;
    (x, TOP + ROW * it.row)
}

/// Program order from one event to the next, reads-from, coherence from one write to the next, and the cycle.
fn arrows(execution: &Execution, placed: &[Placed]) -> Vec<Arrow> {
    let graph = &execution.graph;
    let arrow = |from: EventId, to: EventId, relation: &str, thick: bool| Arrow {
        from,
        to,
        relation: relation.to_owned(),
        thick,
    };
    let cycle = execution.not_sc.iter().flat_map(|it| &it.steps);
    let mut all: Vec<Arrow> = cycle
        .map(|step| arrow(step.from, step.to, &step.relation, true))
        .collect();
    let mut thin = Vec::new();
    for pair in placed
        .windows(2)
        .filter(|pair| pair[0].column == pair[1].column)
    {
        thin.push(arrow(pair[0].id, pair[1].id, "po", false));
    }
    for id in graph.ids() {
        if let Some(write) = graph.reads_from[id.index()] {
            thin.push(arrow(write, id, "rf", false));
        }
    }
    for writes in &graph.coherence {
        thin.extend(
            writes
                .windows(2)
                .map(|pair| arrow(pair[0], pair[1], "co", false)),
        );
    }
    let known = |new: &Arrow, all: &[Arrow]| {
        let same =
            |it: &Arrow| (it.from, it.to) == (new.from, new.to) && it.relation == new.relation;
        all.iter().any(same)
    };
    for it in thin {
        if !known(&it, &all) {
            all.push(it);
        }
    }
    all
}

fn draw_arrow(arrow: &Arrow, placed: &[Placed]) -> String {
    let find = |id: EventId| placed.iter().find(|it| it.id == id);
    let (Some(from), Some(to)) = (find(arrow.from), find(arrow.to)) else {
        return String::new();
    };
    let ((ax, ay), (bx, by)) = (corner(from), corner(to));
    let path = match from.column.cmp(&to.column) {
        std::cmp::Ordering::Equal if arrow.relation == "po" && ay < by => {
            let x = ax + BOX / 2;
            format!("M{x} {} L{x} {}", ay + HEIGHT, by - 1)
        }
        std::cmp::Ordering::Equal => {
            let (x, a, b) = (ax + BOX, ay + HEIGHT / 2, by + HEIGHT / 2);
            format!("M{x} {a} C{} {a} {} {b} {} {b}", x + 34, x + 34, x + 1)
        }
        order => {
            let right = order == std::cmp::Ordering::Less;
            let (x, z) = if right {
                (ax + BOX, bx)
            } else {
                (ax, bx + BOX)
            };
            let (a, b) = (ay + HEIGHT / 2, by + HEIGHT / 2);
            let middle = (x + z) / 2;
            format!("M{x} {a} C{middle} {a} {middle} {b} {z} {b}")
        }
    };
    let width = if arrow.thick { 3 } else { 1 };
    let relation = match COLOURS.iter().any(|(name, _)| *name == arrow.relation) {
        true => arrow.relation.as_str(),
        false => "po",
    };
    let stroke = colour(relation);
    format!(
        "<path d=\"{path}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{width}\" \
         marker-end=\"url(#{relation})\"/>"
    )
}
