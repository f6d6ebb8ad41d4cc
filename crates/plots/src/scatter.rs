//! The cost of every task under two configurations.

use crate::axis::{decades, short};
use crate::colour;
use crate::frame::{Area, Drawn, FONT, GRID, GUIDE, TEXT, picture};
use plotters::prelude::*;

/// What a task cost; nothing where it was not solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// Under the configuration on the horizontal axis.
    pub x: Option<f64>,
    /// Under the one on the vertical axis.
    pub y: Option<f64>,
}

/// A comparison of two configurations.
#[derive(Clone, Copy, Debug)]
pub struct Scatter<'a> {
    /// What it shows.
    pub title: &'a str,
    /// The configuration on the horizontal axis, with what is measured.
    pub x: &'a str,
    /// The one on the vertical axis.
    pub y: &'a str,
    /// One for each task.
    pub pairs: &'a [Pair],
}

/// A scatter plot with two logarithmic axes of the same length. A point above the diagonal was
/// cheaper for the configuration below. A task that only one of the two solved is a mark at the
/// border of the other; one that none solved is not drawn.
pub fn scatter(scatter: &Scatter<'_>) -> String {
    let legend = ["both solved it", "only one did"];
    picture((540, 500), scatter.title, &legend, |area| {
        draw(area, scatter)
    })
}

fn cost(value: Option<f64>) -> Option<f64> {
    value.filter(|value| value.is_finite())
}

fn draw(area: &Area<'_>, scatter: &Scatter<'_>) -> Drawn {
    let pairs = scatter.pairs;
    let ends = decades(pairs.iter().flat_map(|pair| [pair.x, pair.y]).flatten());
    // A strip beyond the last decade is for those that were not solved.
    let border = ends.end * 1.9;
    let range = ends.start..ends.end * 2.4;
    let mut chart = ChartBuilder::on(area)
        .x_label_area_size(46)
        .y_label_area_size(64)
        .build_cartesian_2d(range.clone().log_scale(), range.clone().log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .label_style((FONT, TEXT))
        .x_desc(scatter.x)
        .y_desc(scatter.y)
        .x_label_formatter(&|value| short(*value))
        .y_label_formatter(&|value| short(*value))
        .draw()?;
    let (low, high) = (range.start, ends.end);
    let guides = [
        [(low, low), (high, high)],
        [(low, high), (high, high)],
        [(high, low), (high, high)],
    ];
    chart.draw_series(guides.map(|ends| PathElement::new(ends, GUIDE.stroke_width(1))))?;
    for pair in pairs {
        match (cost(pair.x), cost(pair.y)) {
            (None, None) => {}
            (Some(x), Some(y)) => {
                let mark = Circle::new((x.max(low), y.max(low)), 4, colour(0).mix(0.7).filled());
                chart.draw_series([mark])?;
            }
            (x, y) => {
                let place = |value: Option<f64>| value.map_or(border, |value| value.max(low));
                let mark = Cross::new((place(x), place(y)), 4, colour(1).stroke_width(2));
                chart.draw_series([mark])?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::numbers;

    fn svg(pairs: &[(Option<f64>, Option<f64>)]) -> String {
        let pairs: Vec<_> = pairs.iter().map(|&(x, y)| Pair { x, y }).collect();
        scatter(&Scatter {
            title: "a < b",
            x: "bmc & co",
            y: "cegar",
            pairs: &pairs,
        })
    }

    #[test]
    fn each_pair_is_at_its_place() {
        let svg = svg(&[
            (Some(1.0), Some(10.0)),
            (Some(10.0), Some(1.0)),
            (Some(3.0), Some(3.0)),
        ]);
        let (x, y) = (numbers(&svg, "circle", "cx"), numbers(&svg, "circle", "cy"));
        assert!(x[0] < x[2] && x[2] < x[1], "{x:?}");
        // The vertical axis of a picture goes down.
        assert!(y[0] < y[2] && y[2] < y[1], "{y:?}");
        assert!(svg.contains("a &lt; b") && svg.contains("bmc &amp; co"));
    }

    #[test]
    fn those_that_only_one_solved_are_at_the_border() {
        let both = svg(&[(Some(1.0), Some(1.0)), (None, None)]);
        assert_eq!(both.matches("<circle").count(), 1);
        let lines = |svg: &str| svg.matches("<polyline").count() + svg.matches("<line").count();
        let none = lines(&svg(&[(Some(1.0), Some(1.0))]));
        // A cross is two strokes.
        let one = lines(&svg(&[(Some(1.0), Some(1.0)), (Some(2.0), None)]));
        assert_eq!(one, none + 2);
    }

    #[test]
    fn nothing_to_draw_is_no_error() {
        assert!(svg(&[]).contains("</svg>"));
        assert!(svg(&[(Some(f64::NAN), None), (Some(0.0), Some(0.0))]).contains("</svg>"));
    }
}
