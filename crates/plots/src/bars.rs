//! Tables as groups of bars.

use crate::axis::{decades, linear, short};
use crate::colour;
use crate::frame::{Area, Drawn, FONT, GRID, TEXT, picture, width_of};
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// A table: a group of bars for each row, a bar for each column.
#[derive(Clone, Copy, Debug)]
pub struct Bars<'a> {
    /// What it shows.
    pub title: &'a str,
    /// What is measured; may be empty.
    pub figure: &'a str,
    /// The names of the columns.
    pub columns: &'a [&'a str],
    /// Rows with their names and a value for each column; nothing is drawn for one that is not a
    /// number.
    pub rows: &'a [(&'a str, Vec<f64>)],
    /// Is the axis of values logarithmic? Then only positive values are drawn.
    pub log: bool,
}

const GAP: f64 = 26.0;
const HEIGHT: u32 = 340;
const LABELS: i32 = 64;
const SMALL: u32 = 14;
/// A bar as wide as the number above it.
const WIDE: f64 = 32.0;

/// Widths, in the unit of the picture.
struct Widths {
    bar: f64,
    group: f64,
}

impl Widths {
    /// Wide enough for the names of the rows.
    fn of(table: &Bars<'_>) -> Widths {
        let columns = table.columns.len().max(1) as f64;
        let bars = columns * table.rows.len() as f64;
        // With few bars there is room for the number above each.
        let bar = if bars <= 30.0 { WIDE } else { 13.0 };
        let names = table.rows.iter().map(|(name, _)| width_of(name, TEXT));
        let name = f64::from(names.max().unwrap_or(0)) + 8.0;
        Widths {
            bar,
            group: (columns * bar + GAP).max(name),
        }
    }
}

/// A bar chart.
pub fn bars(table: &Bars<'_>) -> String {
    let widths = Widths::of(table);
    let inner = widths.group * table.rows.len() as f64;
    let width = (inner as u32 + LABELS as u32 + 40).max(420);
    picture((width, HEIGHT), table.title, table.columns, |area| {
        if table.log {
            let y = decades(values(table));
            draw(area, table, &widths, y.start, y.log_scale())
        } else {
            let y = linear(values(table));
            draw(area, table, &widths, y.start, y)
        }
    })
}

fn values(table: &Bars<'_>) -> impl Iterator<Item = f64> {
    table
        .rows
        .iter()
        .flat_map(|(_, values)| values.iter().copied())
}

/// One bar: its left and right end, its value, and the number of its column.
type Bar = (f64, f64, f64, usize);

fn placed(table: &Bars<'_>, widths: &Widths) -> Vec<Bar> {
    let mut placed = Vec::new();
    for (row, (_, values)) in table.rows.iter().enumerate() {
        let middle = (row as f64 + 0.5) * widths.group;
        let left = middle - widths.bar * table.columns.len() as f64 / 2.0;
        for (column, &value) in values.iter().enumerate().take(table.columns.len()) {
            if value.is_finite() && !(table.log && value <= 0.0) {
                let from = left + column as f64 * widths.bar;
                placed.push((from, from + widths.bar - 1.0, value, column));
            }
        }
    }
    placed
}

fn draw<Y>(area: &Area<'_>, table: &Bars<'_>, widths: &Widths, low: f64, y: Y) -> Drawn
where
    Y: AsRangedCoord<Value = f64>,
    Y::CoordDescType: ValueFormatter<f64>,
{
    let right = (widths.group * table.rows.len() as f64).max(1.0);
    let mut chart = ChartBuilder::on(area)
        .x_label_area_size(30)
        .y_label_area_size(LABELS)
        .build_cartesian_2d(0.0..right, y)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .label_style((FONT, TEXT))
        .y_desc(table.figure)
        .y_label_formatter(&|value| short(*value))
        .draw()?;
    let ground = if table.log { low } else { 0.0 };
    let number = letters(SMALL, VPos::Bottom);
    for (left, right, value, column) in placed(table, widths) {
        let corners = [(left, value), (right, ground)];
        chart.draw_series([Rectangle::new(corners, colour(column).filled())])?;
        if widths.bar >= WIDE {
            let middle = EmptyElement::at(((left + right) / 2.0, value));
            chart.draw_series([middle + Text::new(short(value), (0, -2), number.clone())])?;
        }
    }
    let (left, top) = area.get_base_pixel();
    for (row, (name, _)) in table.rows.iter().enumerate() {
        let (x, y) = chart.backend_coord(&((row as f64 + 0.5) * widths.group, low));
        let below = (x - left, y - top + 8);
        area.draw(&Text::new(*name, below, letters(TEXT, VPos::Top)))?;
    }
    Ok(())
}

/// Text that is centred below or above its point.
fn letters(size: u32, side: VPos) -> TextStyle<'static> {
    let font = (FONT, size).into_font().color(&BLACK);
    font.pos(Pos::new(HPos::Center, side))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::numbers;

    fn table(log: bool, rows: &[(&str, Vec<f64>)]) -> String {
        bars(&Bars {
            title: "a < b",
            figure: "time (s)",
            columns: &["x", "y"],
            rows,
            log,
        })
    }

    /// The heights of the bars: all rectangles but the ground and the two of the legend.
    fn heights(svg: &str) -> Vec<i32> {
        numbers(svg, "rect", " height").split_off(3)
    }

    #[test]
    fn a_bar_for_every_number() {
        let rows = [
            ("one", vec![0.5, f64::NAN]),
            ("two & three", vec![1.0, 0.25]),
        ];
        let svg = table(false, &rows);
        let [half, whole, quarter] = heights(&svg)[..] else {
            panic!("three bars:\n{svg}");
        };
        assert!((whole - 2 * half).abs() <= 2 && (half - 2 * quarter).abs() <= 2);
        assert!(svg.contains("a &lt; b") && svg.contains("two &amp; three"));
        assert!(svg.contains("0.25"));
    }

    #[test]
    fn decades_are_equally_high_on_a_logarithmic_axis() {
        let rows = [("one", vec![1.0, 10.0]), ("two", vec![100.0, 0.0])];
        let heights = heights(&table(true, &rows));
        let [one, ten, hundred] = heights[..] else {
            panic!("three bars: {heights:?}");
        };
        assert_eq!(one, 0);
        assert!((hundred - 2 * ten).abs() <= 2, "{heights:?}");
    }

    #[test]
    fn nothing_to_draw_is_no_error() {
        assert!(table(false, &[]).contains("</svg>"));
        assert!(table(true, &[("a", vec![f64::NAN, -1.0])]).contains("</svg>"));
    }
}
