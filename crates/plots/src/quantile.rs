//! How many tasks are solved within which cost.

use crate::axis::{decades, short};
use crate::colour;
use crate::frame::{Area, Drawn, FONT, GRID, TEXT, picture};
use plotters::prelude::*;

/// What one configuration needed for each task that it solved, in any order.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name of the configuration.
    pub name: String,
    /// One cost for each solved task.
    pub costs: Vec<f64>,
}

/// A quantile plot: the point (n, c) says that the n cheapest tasks cost at most c each. A line
/// that goes further to the right solves more, one that stays lower is faster. `figure` names
/// the cost; its axis is logarithmic, and a cost of zero is drawn at its lower end.
pub fn quantile(title: &str, figure: &str, series: &[Series]) -> String {
    let names: Vec<&str> = series.iter().map(|series| series.name.as_str()).collect();
    picture((760, 420), title, &names, |area| draw(area, figure, series))
}

/// The points of one line, from left to right.
fn points(series: &Series, lowest: f64) -> Vec<(f64, f64)> {
    let finite = series.costs.iter().copied().filter(|cost| cost.is_finite());
    let mut costs: Vec<f64> = finite.map(|cost| cost.max(lowest)).collect();
    costs.sort_by(f64::total_cmp);
    let numbered = costs.into_iter().enumerate();
    numbered
        .map(|(before, cost)| (before as f64 + 1.0, cost))
        .collect()
}

fn draw(area: &Area<'_>, figure: &str, series: &[Series]) -> Drawn {
    let all = || {
        series
            .iter()
            .flat_map(|series| series.costs.iter().copied())
    };
    let y = decades(all());
    let lines: Vec<_> = series.iter().map(|one| points(one, y.start)).collect();
    let most = lines.iter().map(Vec::len).max().unwrap_or(0).max(1) as f64;
    let mut chart = ChartBuilder::on(area)
        .x_label_area_size(46)
        .y_label_area_size(64)
        .build_cartesian_2d(0.0..most * 1.02, y.log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .label_style((FONT, TEXT))
        .x_desc("solved tasks")
        .y_desc(figure)
        .x_label_formatter(&|value| short(*value))
        .y_label_formatter(&|value| short(*value))
        .draw()?;
    for (at, points) in lines.into_iter().enumerate() {
        let marks = points.clone().into_iter();
        chart.draw_series(LineSeries::new(points, colour(at).stroke_width(2)))?;
        chart.draw_series(marks.map(|point| Circle::new(point, 3, colour(at).filled())))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::numbers;

    fn series(name: &str, costs: &[f64]) -> Series {
        Series {
            name: name.into(),
            costs: costs.into(),
        }
    }

    #[test]
    fn costs_are_sorted_and_numbered() {
        let costs = series("a", &[3.0, f64::NAN, 0.0, 1.0]);
        let expected = [(1.0, 0.1), (2.0, 1.0), (3.0, 3.0)];
        assert_eq!(points(&costs, 0.1), expected);
    }

    #[test]
    fn one_mark_for_each_solved_task_and_dearer_is_higher() {
        let two = [series("a < b", &[10.0, 1.0]), series("none", &[])];
        let svg = quantile("x & y", "CPU time (s)", &two);
        let (x, y) = (numbers(&svg, "circle", "cx"), numbers(&svg, "circle", "cy"));
        assert_eq!(x.len(), 2);
        assert!(x[0] < x[1] && y[0] > y[1], "{x:?} {y:?}");
        assert!(svg.contains("a &lt; b") && svg.contains("x &amp; y") && svg.contains("none"));
    }

    #[test]
    fn nothing_to_draw_is_no_error() {
        assert!(quantile("", "", &[]).contains("<svg"));
        assert!(quantile("t", "f", &[series("a", &[])]).contains("</svg>"));
    }
}
