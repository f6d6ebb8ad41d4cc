//! Graphs as one page that needs no network: a drawing for each iteration, to drag and to zoom.

use super::layout::{MOST_NODES, Placed, place};
use super::{is_error, lines};
use crate::Snapshot;
use std::collections::HashMap;
use std::fmt::Write;

const WIDTH: f64 = 190.0;
const HEIGHT: f64 = 130.0;
const BOX: f64 = 170.0;

pub fn page(snapshots: &[Snapshot]) -> String {
    let mut drawings = String::new();
    let mut tabs = String::new();
    for (at, snapshot) in snapshots.iter().enumerate() {
        let chosen = if at == 0 {
            " aria-selected=\"true\""
        } else {
            ""
        };
        let _ = write!(
            tabs,
            "<button role=\"tab\" data-to=\"{at}\"{chosen}>{}</button>",
            snapshot.iteration
        );
        drawings += &drawing(at, snapshot);
    }
    include_str!("page.html")
        .replace("<!--tabs-->", &tabs)
        .replace("<!--drawings-->", &drawings)
}

fn drawing(at: usize, snapshot: &Snapshot) -> String {
    let placed = place(snapshot);
    let places: HashMap<u32, (f64, f64)> = placed
        .iter()
        .map(|placed| (placed.node.id, centre(placed)))
        .collect();
    let mut body = String::new();
    for placed in &placed {
        edges(&mut body, snapshot, placed, &places);
    }
    for placed in &placed {
        node(&mut body, snapshot, placed);
    }
    let precision = match snapshot.precision.is_empty() {
        true => "nothing but locks and threads".to_owned(),
        false => snapshot.precision.join(", "),
    };
    let all = snapshot.nodes.len();
    let shown = match all > MOST_NODES {
        true => format!("the first {MOST_NODES} of {all} nodes"),
        false => format!("{all} nodes"),
    };
    let hidden = if at == 0 { "" } else { " hidden" };
    format!(
        "<section data-at=\"{at}\"{hidden}><p>Iteration {}: {shown}, tracking <b>{}</b></p>\
         <svg><g>{body}</g></svg></section>\n",
        snapshot.iteration,
        escape(&precision)
    )
}

fn centre(placed: &Placed<'_>) -> (f64, f64) {
    let x = placed.column * WIDTH + WIDTH / 2.0;
    (x, f64::from(placed.row) * HEIGHT + 40.0)
}

fn edges(
    body: &mut String,
    snapshot: &Snapshot,
    placed: &Placed<'_>,
    places: &HashMap<u32, (f64, f64)>,
) {
    let node = placed.node;
    let (x, y) = centre(placed);
    if let Some((parent, by)) = &node.parent
        && let Some(&(from_x, from_y)) = places.get(parent)
    {
        let on_path = snapshot.path.contains(&node.id) && snapshot.path.contains(parent);
        let class = if on_path { "edge path" } else { "edge" };
        let top = from_y + 34.0;
        let _ = write!(
            body,
            "<path class=\"{class}\" d=\"M{from_x:.0} {top:.0} L{x:.0} {:.0}\"/>",
            y - 34.0
        );
        label(
            body,
            (from_x + x) / 2.0,
            (top + y - 34.0) / 2.0,
            &by.thread,
            &by.text,
            class,
        );
    }
    if let Some(&(to_x, to_y)) = node.covered_by.as_ref().and_then(|id| places.get(id)) {
        let _ = write!(
            body,
            "<path class=\"cover\" d=\"M{x:.0} {y:.0} L{to_x:.0} {to_y:.0}\"/>"
        );
    }
    for (number, left) in node.left_out.iter().enumerate() {
        let class = if left.by_basic {
            "cut basic"
        } else {
            "cut aware"
        };
        let to_x = x + BOX / 2.0 + 30.0 + 60.0 * number as f64;
        let _ = write!(
            body,
            "<path class=\"{class}\" d=\"M{:.0} {y:.0} L{to_x:.0} {:.0}\"/>\
             <text class=\"{class}\" x=\"{to_x:.0}\" y=\"{:.0}\">?</text>",
            x + BOX / 2.0,
            y + 30.0,
            y + 42.0
        );
        label(
            body,
            to_x,
            y + 56.0,
            &left.action.thread,
            &left.action.text,
            class,
        );
    }
}

fn label(body: &mut String, x: f64, y: f64, thread: &str, text: &str, class: &str) {
    let whole = format!("{thread}: {text}");
    let _ = write!(
        body,
        "<text class=\"label {class}\" x=\"{x:.0}\" y=\"{y:.0}\">{}<title>{}</title></text>",
        escape(&shorten(&whole)),
        escape(&whole)
    );
}

fn node(body: &mut String, snapshot: &Snapshot, placed: &Placed<'_>) {
    let node = placed.node;
    let (x, y) = centre(placed);
    let class = match (
        is_error(node),
        node.covered_by,
        snapshot.path.contains(&node.id),
    ) {
        (true, ..) => "node error",
        (_, Some(_), _) => "node covered",
        (_, _, true) => "node path",
        _ => "node",
    };
    let lines = lines(node);
    let mut title = lines.join("\n");
    if !node.validity.is_empty() {
        title += &format!("\nvalid until {}", node.validity.join(", "));
    }
    let _ = write!(
        body,
        "<g class=\"{class}\"><rect x=\"{:.0}\" y=\"{:.0}\" width=\"{BOX}\" height=\"68\" rx=\"6\"/>",
        x - BOX / 2.0,
        y - 34.0
    );
    let shown = lines.iter().take(4).enumerate();
    for (number, line) in shown {
        let more = number == 3 && lines.len() > 4;
        let line = if more {
            "…".to_owned()
        } else {
            shorten(line)
        };
        let _ = write!(
            body,
            "<text x=\"{x:.0}\" y=\"{:.0}\">{}</text>",
            y - 18.0 + 15.0 * number as f64,
            escape(&line)
        );
    }
    let _ = write!(body, "<title>{}</title></g>", escape(&title));
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(28) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
