//! Bar charts as SVG, for tables whose cells are shares between 0 and 1.

use std::fmt::Write;

/// A table: a group of bars for each row, a bar for each column.
pub struct Bars<'a> {
    /// What it shows.
    pub title: &'a str,
    /// The names of the columns.
    pub columns: &'a [&'a str],
    /// Rows with their names and a value for each column; nothing is drawn for one that is not a
    /// number.
    pub rows: &'a [(&'a str, Vec<f64>)],
}

const COLOURS: [&str; 7] = [
    "#4477aa", "#66ccee", "#228833", "#ccbb44", "#ee6677", "#aa3377", "#bbbbbb",
];
const BAR: f64 = 12.0;
const GAP: f64 = 24.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 46.0;
const TOP: f64 = 64.0;
const LEGEND: f64 = 96.0;

impl Bars<'_> {
    /// The whole picture.
    pub fn svg(&self) -> String {
        let group = BAR * self.columns.len() as f64;
        let bars = (group + GAP) * self.rows.len() as f64;
        let width = LEFT + bars.max(LEGEND * self.columns.len() as f64) + GAP;
        let height = TOP + HEIGHT + 40.0;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{LEFT}\" y=\"22\" font-size=\"15\">{}</text>\n",
            escaped(self.title)
        );
        self.legend(&mut text);
        self.axis(&mut text, width - GAP);
        for (at, (name, values)) in self.rows.iter().enumerate() {
            let left = LEFT + GAP / 2.0 + at as f64 * (group + GAP);
            let middle = left + group / 2.0;
            let below = TOP + HEIGHT + 18.0;
            let name = escaped(name);
            let _ = writeln!(
                text,
                "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{name}</text>"
            );
            self.group(&mut text, left, values);
        }
        text += "</svg>\n";
        text
    }

    fn legend(&self, text: &mut String) {
        for (at, (column, colour)) in self.columns.iter().zip(COLOURS).enumerate() {
            let x = LEFT + at as f64 * LEGEND;
            let _ = writeln!(
                text,
                "<rect x=\"{x}\" y=\"34\" width=\"{BAR}\" height=\"{BAR}\" fill=\"{colour}\"/>\
                 <text x=\"{}\" y=\"45\">{}</text>",
                x + BAR + 4.0,
                escaped(column)
            );
        }
    }

    fn axis(&self, text: &mut String, right: f64) {
        for tenth in [0, 2, 4, 6, 8, 10] {
            let share = f64::from(tenth) / 10.0;
            let y = TOP + HEIGHT * (1.0 - share);
            let _ = writeln!(
                text,
                "<line x1=\"{LEFT}\" y1=\"{y}\" x2=\"{right}\" y2=\"{y}\" stroke=\"#dddddd\"/>\
                 <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{share:.1}</text>",
                LEFT - 6.0,
                y + 4.0
            );
        }
    }

    fn group(&self, text: &mut String, left: f64, values: &[f64]) {
        let bars = values.iter().zip(COLOURS).enumerate();
        for (at, (&value, colour)) in bars.filter(|(_, (value, _))| value.is_finite()) {
            // What is beyond the axis is cut, and the number says by how much.
            let shown = HEIGHT * value.clamp(0.0, 1.0);
            let (x, y) = (left + at as f64 * BAR, TOP + HEIGHT - shown);
            let _ = writeln!(
                text,
                "<rect x=\"{x}\" y=\"{y:.1}\" width=\"{}\" height=\"{shown:.1}\" \
                 fill=\"{colour}\"><title>{value:.2}</title></rect>",
                BAR - 1.0
            );
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::Bars;

    #[test]
    fn a_bar_for_every_number() {
        let rows = [
            ("one", vec![0.5, f64::NAN]),
            ("two & three", vec![1.0, 0.25]),
        ];
        let bars = Bars {
            title: "a < b",
            columns: &["x", "y"],
            rows: &rows,
        };
        let svg = bars.svg();
        assert_eq!(svg.matches("<title>").count(), 3);
        assert!(svg.contains("height=\"100.0\"") && svg.contains("height=\"50.0\""));
        assert!(svg.contains("a &lt; b") && svg.contains("two &amp; three"));
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    }
}
