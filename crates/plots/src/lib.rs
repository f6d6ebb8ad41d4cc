//! Figures of measurements, as the text of an SVG picture.
//!
//! [`quantile`] shows how many tasks are solved within which cost, [`scatter`] the cost of each
//! task under two configurations, [`lines`] how a cost grows, [`bars`] a table. They share one
//! style: a white background of their own, so that they can be read on a light and on a dark page,
//! the colours in one order, and letters that the reader's own machine draws.
//!
//! Nothing here measures, reads files or decides what is compared. A number that is not finite
//! is never drawn.

mod axis;
mod bars;
mod frame;
mod lines;
mod quantile;
mod scatter;

pub use bars::{Bars, bars};
pub use lines::{Line, Lines, lines};
pub use quantile::{Series, quantile};
pub use scatter::{Pair, Scatter, scatter};

/// The colour of the series with this number; they repeat after the last.
fn colour(at: usize) -> plotters::style::RGBColor {
    // Tol's bright scheme, with a darker yellow: the colour-blind can distinguish it too. Black and
    // orange come last, for many series.
    const COLOURS: [(u8, u8, u8); 9] = [
        (0x44, 0x77, 0xaa),
        (0xee, 0x66, 0x77),
        (0x22, 0x88, 0x33),
        (0xb8, 0xa0, 0x20),
        (0x4d, 0xb8, 0xd8),
        (0xaa, 0x33, 0x77),
        (0x88, 0x88, 0x88),
        (0x22, 0x22, 0x22),
        (0xee, 0x88, 0x33),
    ];
    let (red, green, blue) = COLOURS[at % COLOURS.len()];
    plotters::style::RGBColor(red, green, blue)
}

#[cfg(test)]
mod drawn {
    /// An attribute of every element of one kind, in the order of the text.
    pub fn numbers(svg: &str, element: &str, attribute: &str) -> Vec<i32> {
        let start = format!("<{element} ");
        let name = format!("{attribute}=\"");
        let number = |text: &str| -> i32 {
            let from = text.find(&name).unwrap() + name.len();
            let digits = text[from..].chars().take_while(|c| c.is_ascii_digit());
            digits.collect::<String>().parse().unwrap()
        };
        svg.split(&start).skip(1).map(number).collect()
    }
}
