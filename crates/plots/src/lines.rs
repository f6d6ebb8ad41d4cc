//! How a cost grows.

use crate::axis::{decades, short};
use crate::colour;
use crate::frame::{Area, Drawn, FONT, GRID, TEXT, picture};
use plotters::prelude::*;

/// The costs under one configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The name of the configuration.
    pub name: String,
    /// Size and cost, from the smallest to the largest size; sizes that could not be measured
    /// are left out.
    pub points: Vec<(f64, f64)>,
}

/// A comparison of several configurations.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a> {
    /// What it shows.
    pub title: &'a str,
    /// What the size is.
    pub x: &'a str,
    /// What is measured.
    pub y: &'a str,
    /// One for each configuration.
    pub lines: &'a [Line],
}

/// A line plot. The axis of the costs is logarithmic, and a cost of zero is drawn at its lower end.
pub fn lines(lines: &Lines<'_>) -> String {
    let names: Vec<&str> = lines.lines.iter().map(|line| line.name.as_str()).collect();
    picture((760, 420), lines.title, &names, |area| draw(area, lines))
}

fn draw(area: &Area<'_>, lines: &Lines<'_>) -> Drawn {
    let finite = |&&(x, y): &&(f64, f64)| x.is_finite() && y.is_finite();
    let all = || {
        lines
            .lines
            .iter()
            .flat_map(|line| line.points.iter().filter(finite))
    };
    let y = decades(all().map(|&(_, y)| y));
    let low = all().map(|&(x, _)| x).fold(f64::INFINITY, f64::min);
    let high = all().map(|&(x, _)| x).fold(f64::NEG_INFINITY, f64::max);
    // Room at both ends, so that no mark is cut.
    let room = ((high - low) * 0.03).max(0.5);
    let x = if low <= high {
        low - room..high + room
    } else {
        0.0..1.0
    };
    let ground = y.start;
    let mut chart = ChartBuilder::on(area)
        .x_label_area_size(46)
        .y_label_area_size(64)
        .build_cartesian_2d(x, y.log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .label_style((FONT, TEXT))
        .x_desc(lines.x)
        .y_desc(lines.y)
        .x_label_formatter(&|value| short(*value))
        .y_label_formatter(&|value| short(*value))
        .draw()?;
    for (at, line) in lines.lines.iter().enumerate() {
        let points = line.points.iter().filter(finite);
        let points: Vec<_> = points.map(|&(x, y)| (x, y.max(ground))).collect();
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

    fn svg(points: &[(f64, f64)]) -> String {
        let line = Line {
            name: "a < b".into(),
            points: points.into(),
        };
        lines(&Lines {
            title: "x & y",
            x: "threads",
            y: "seconds",
            lines: &[line],
        })
    }

    #[test]
    fn larger_is_further_right_and_dearer_is_higher() {
        let svg = svg(&[(1.0, 0.0), (2.0, 10.0), (3.0, 100.0), (4.0, f64::NAN)]);
        let (x, y) = (numbers(&svg, "circle", "cx"), numbers(&svg, "circle", "cy"));
        assert_eq!(x.len(), 3);
        assert!(x[0] < x[1] && x[1] < x[2], "{x:?}");
        assert!(y[0] >= y[1] && y[1] > y[2], "{y:?}");
        assert!(svg.contains("a &lt; b") && svg.contains("x &amp; y"));
    }

    #[test]
    fn nothing_to_draw_is_no_error() {
        assert!(svg(&[]).contains("</svg>"));
        assert!(svg(&[(1.0, 0.0)]).contains("</svg>"));
    }
}
