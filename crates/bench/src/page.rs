//! A comparison as one page for a browser, with nothing that has to be fetched: what is wrong on
//! top, then points, plots, and every task.

use crate::export::{About, escaped};
use crate::figure::Figure;
use crate::score::{Counts, most_points};
use crate::{Cell, Results, Row, Status};
use plots::{Pair, Scatter, Series};
use std::fmt::Write;

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// The whole page.
pub fn page(title: &str, results: &Results, about: &About) -> String {
    let figures = Figure::all(results);
    // The text of results is put in last: nothing in it is taken for a mark of the template.
    TEMPLATE
        .replace("{{style}}", STYLE)
        .replace("{{script}}", SCRIPT)
        .replace("{{title}}", &marked(title))
        .replace("{{about}}", &marked(&provenance(results, about)))
        .replace("{{alarms}}", &alarms(results))
        .replace("{{scores}}", &scores(results, about))
        .replace("{{menus}}", &menus(results, &figures))
        .replace("{{quantiles}}", &quantiles(results, &figures))
        .replace("{{scatters}}", &scatters(results, &figures))
        .replace("{{tasks}}", &tasks(results))
}

/// Text as text; it cannot be a mark of the template either.
fn marked(text: &str) -> String {
    escaped(text).replace("{{", "{ {")
}

/// One sentence on how the results came about.
fn provenance(results: &Results, about: &About) -> String {
    let mut text = format!("{} tasks", results.rows.len());
    if let Some(limits) = &about.limits {
        let _ = write!(text, ", {} s on the clock", limits.wall.as_secs_f64());
        if let Some(cpu) = limits.cpu {
            let _ = write!(text, ", {} s of CPU time", cpu.as_secs_f64());
        }
        let _ = write!(text, ", {} MiB", limits.memory >> 20);
    }
    if !about.measured_by.is_empty() {
        let _ = write!(text, ", measured by {}", about.measured_by);
    }
    if results.repetitions() > 1 {
        let runs = results.repetitions();
        let _ = write!(text, ", {runs} runs each: medians, and the worst verdict");
    }
    text
}

/// Wrong verdicts, and those that differ between repetitions.
fn alarms(results: &Results) -> String {
    let mut wrong = String::new();
    let mut unstable = String::new();
    for (row, config, cell) in results.cells() {
        let record = cell.worst();
        let name = marked(&format!("{}, {config}", row.name()));
        if record.status == Status::Wrong {
            let text = format!("{}, not {}", record.verdict, record.expected);
            let (text, why) = (marked(&text), marked(&record.reason));
            let _ = write!(wrong, "<li><b>{name}</b>: {text} <small>{why}</small></li>");
        }
        if let Some(provenance) = cell.unstable() {
            let _ = write!(unstable, "<li><b>{name}</b>: {}</li>", marked(&provenance));
        }
    }
    let boxed = |class: &str, title: &str, list: &str| match list {
        "" => String::new(),
        list => {
            format!("<section class=\"card {class}\"><h2>{title}</h2><ul>{list}</ul></section>")
        }
    };
    boxed("wrong", "Wrong verdicts", &wrong)
        + &boxed("unstable", "Verdicts that differ between runs", &unstable)
}

fn scores(results: &Results, about: &About) -> String {
    let most: i64 = results
        .rows
        .iter()
        .map(|row| most_points(&row.expected))
        .sum();
    let mut text = String::new();
    for (at, name) in results.configs.iter().enumerate() {
        let mut counts = Counts::default();
        results.column(at).for_each(|cell| counts.add_cell(cell));
        let of = |status: Status, verdict: &str| {
            let worst = results.column(at).map(Cell::worst);
            let same = worst.filter(|row| row.status == status && row.verdict == verdict);
            same.count()
        };
        let [least, median, most_cpu] = counts.cpu_s;
        let command = marked(&about.command(name).unwrap_or_default());
        let _ = write!(text, "<tr><th title=\"{command}\">{}</th>", marked(name));
        let _ = write!(text, "<td><b>{}</b> of {most}</td>", counts.score);
        for (status, verdict) in [
            (Status::Correct, "safe"),
            (Status::Correct, "unsafe"),
            (Status::Wrong, "safe"),
            (Status::Wrong, "unsafe"),
        ] {
            let count = of(status, verdict);
            let class = if count > 0 { status.name() } else { "" };
            let _ = write!(text, "<td class=\"{class}\">{count}</td>");
        }
        let _ = write!(
            text,
            "<td>{}</td><td>{}</td><td>{}</td>\
             <td title=\"{least:.1} to {most_cpu:.1}\">{median:.1}</td></tr>",
            counts.unknown,
            counts.unrated,
            results.rows.len() - results.column(at).count()
        );
    }
    text
}

fn menus(results: &Results, figures: &[Figure]) -> String {
    let options = |names: &mut dyn Iterator<Item = &str>, chosen: usize| {
        let mut text = String::new();
        for (at, name) in names.enumerate() {
            let mark = if at == chosen { " selected" } else { "" };
            let _ = write!(
                text,
                "<option value=\"{at}\"{mark}>{}</option>",
                marked(name)
            );
        }
        text
    };
    let configs = || results.configs.iter().map(String::as_str);
    format!(
        "<label>Figure <select id=\"figure\">{}</select></label>\
         <label class=\"pair\">Across <select id=\"x\">{}</select></label>\
         <label class=\"pair\">Up <select id=\"y\">{}</select></label>",
        options(&mut figures.iter().map(Figure::title), 0),
        options(&mut configs(), 0),
        options(&mut configs(), 1),
    )
}

/// The cost of a cell that is solved.
fn cost(cell: &Cell, figure: &Figure) -> Option<f64> {
    match cell.solved() {
        true => cell.median(|record| figure.of(record)),
        false => None,
    }
}

/// A quantile plot with a line for each configuration, as SVG.
pub fn quantile(results: &Results, figure: &Figure) -> String {
    let series = results.configs.iter().enumerate();
    let series = series.map(|(at, name)| Series {
        name: name.clone(),
        costs: results
            .column(at)
            .filter_map(|cell| cost(cell, figure))
            .collect(),
    });
    let title = format!("Solved tasks by {}", figure.title());
    let series: Vec<Series> = series.collect();
    plots::quantile(&title, figure.title(), &series)
}

fn quantiles(results: &Results, figures: &[Figure]) -> String {
    let mut text = String::new();
    for (number, figure) in figures.iter().enumerate() {
        let svg = quantile(results, figure);
        let _ = write!(
            text,
            "<figure data-figure=\"{number}\" hidden>{svg}</figure>"
        );
    }
    text
}

/// What both configurations made of a task; nothing if one solved it without this figure.
fn pair(row: &Row, x: usize, y: usize, figure: &Figure) -> Option<Pair> {
    let (x, y) = (row.cells[x].as_ref()?, row.cells[y].as_ref()?);
    let unknown = |cell: &Cell| cell.solved() && cost(cell, figure).is_none();
    (!unknown(x) && !unknown(y)).then(|| Pair {
        x: cost(x, figure),
        y: cost(y, figure),
    })
}

/// A plot for each figure and two configurations, where they have something in common.
fn scatters(results: &Results, figures: &[Figure]) -> String {
    let mut text = String::new();
    let count = results.configs.len();
    let pairs = (0..count).flat_map(|x| (0..count).map(move |y| (x, y)));
    for (x, y) in pairs.filter(|(x, y)| x < y) {
        for (number, figure) in figures.iter().enumerate() {
            let rows = results.rows.iter();
            let pairs: Vec<Pair> = rows.filter_map(|row| pair(row, x, y, figure)).collect();
            if !pairs
                .iter()
                .any(|pair| pair.x.is_some() && pair.y.is_some())
            {
                continue;
            }
            let axis = |at: usize| format!("{}, {}", results.configs[at], figure.title());
            let svg = plots::scatter(&Scatter {
                title: &format!("{}, task by task", figure.title()),
                x: &axis(x),
                y: &axis(y),
                pairs: &pairs,
            });
            let marks = format!("data-figure=\"{number}\" data-pair=\"{x} {y}\"");
            let _ = write!(text, "<figure {marks} hidden>{svg}</figure>");
        }
    }
    text
}

fn tasks(results: &Results) -> String {
    let mut text = String::from("<thead><tr><th>Task</th><th>Property</th><th>Expected</th>");
    for name in &results.configs {
        let _ = write!(text, "<th>{}</th>", marked(name));
    }
    text += "</tr></thead><tbody>";
    for row in &results.rows {
        let name = marked(&format!("{}/{}", row.family, row.task));
        let (property, expected) = (marked(&row.property), marked(&row.expected));
        let _ = write!(
            text,
            "<tr><th>{name}</th><td>{property}</td><td>{expected}</td>"
        );
        for cell in &row.cells {
            text += &cell.as_ref().map_or("<td></td>".to_owned(), task_cell);
        }
        text += "</tr>";
    }
    text + "</tbody>"
}

fn task_cell(cell: &Cell) -> String {
    let record = cell.worst();
    let spread = cell.spread(|record| Some(record.cpu_s));
    let [least, median, most] = spread.unwrap_or_default();
    let mut why = record.reason.clone();
    if cell.records().len() > 1 {
        let _ = write!(why, " ({least:.2} to {most:.2} s)");
    }
    let mark = if cell.unstable().is_some() {
        " ≠"
    } else {
        ""
    };
    format!(
        "<td class=\"{}\" title=\"{}\">{}{mark} <small>{median:.2} s</small></td>",
        record.status.name(),
        marked(&why),
        marked(&record.verdict)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Record;
    use crate::record::tests::record;

    fn of(config: &str, row: Record) -> Record {
        Record {
            config: config.into(),
            ..row
        }
    }

    #[test]
    fn what_is_wrong_comes_first_and_nothing_escapes() {
        let evil = Record {
            reason: "</td><script>alert(1)</script> {{script}}".into(),
            ..record("a<b>", Status::Wrong)
        };
        let results = Results::new([of("x & y", evil), of("z", record("a<b>", Status::Correct))]);
        let page = page("a {{style}} title", &results, &About::default());
        assert!(!page.contains("<script>alert"));
        assert_eq!(page.matches("<script>").count(), 1);
        assert!(!page.contains("{{"), "every mark is filled");
        let wrong = page.find("Wrong verdicts").unwrap();
        assert!(wrong < page.find("<h2>Points").unwrap());
        assert!(page.contains("litmus/a&lt;b&gt;") && page.contains("x &amp; y"));
        assert!(!page.contains(" src=") && !page.contains("href=\"http"));
    }

    #[test]
    fn plots_for_every_figure_that_two_share() {
        let other = Record {
            stats: vec![("nodes".into(), 5)],
            ..record("a", Status::Correct)
        };
        let results = Results::new([of("x", record("a", Status::Correct)), of("z", other)]);
        let figures = Figure::all(&results);
        let names: Vec<&str> = figures.iter().map(Figure::title).collect();
        assert_eq!(
            names[..3],
            ["CPU time (s)", "wall time (s)", "memory (MiB)"]
        );
        assert_eq!(names.len(), 6);
        // No figure that was counted is common to both.
        assert_eq!(scatters(&results, &figures).matches("<figure").count(), 3);
        assert_eq!(quantiles(&results, &figures).matches("<figure").count(), 6);
    }

    #[test]
    fn points_stand_beside_the_most() {
        let results = Results::new([
            of("x", record("a", Status::Correct)),
            of("x", record("b", Status::Unknown)),
        ]);
        let text = scores(&results, &About::default());
        assert!(text.contains("<b>2</b> of 4"), "{text}");
        assert!(page("t", &Results::default(), &About::default()).contains("</html>"));
    }
}
