//! What every picture has: its background, its title and the names of its series.

use plotters::coord::Shift;
use plotters::prelude::*;

/// A part of a picture that is being drawn.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Drawing into text fails only if this crate asks for something senseless.
pub type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// The look of all letters.
pub const FONT: &str = "sans-serif";
/// The size of most letters. The pictures are written with four fifths of it.
pub const TEXT: u32 = 17;
/// Lines between the ticks of an axis.
pub const GRID: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);
/// Lines that help to read a picture.
pub const GUIDE: RGBColor = RGBColor(0x99, 0x99, 0x99);

const TITLE: u32 = 21;
const MARGIN: i32 = 14;
const LINE: i32 = 22;
const SWATCH: i32 = 12;

/// How wide a text is, about: the reader's machine has the letters, not this one.
pub fn width_of(text: &str, size: u32) -> i32 {
    (text.chars().count() as f64 * f64::from(size) * 0.46).ceil() as i32
}

/// Draws a picture of this size: the title, the legend, and below it whatever `inside` draws.
pub fn picture(
    (width, height): (u32, u32),
    title: &str,
    legend: &[&str],
    inside: impl FnOnce(&Area<'_>) -> Drawn,
) -> String {
    let mut text = String::new();
    let places = places(legend, width as i32);
    let top = MARGIN + 12 + LINE + places.last().map_or(0, |&(_, y)| y + LINE);
    let size = (width, height + top as u32);
    let drawn = draw(&mut text, size, top, title, legend, &places, inside);
    drawn.expect("drawing into a text does not fail");
    text
}

fn draw(
    text: &mut String,
    size: (u32, u32),
    top: i32,
    title: &str,
    legend: &[&str],
    places: &[(i32, i32)],
    inside: impl FnOnce(&Area<'_>) -> Drawn,
) -> Drawn {
    let root = SVGBackend::with_string(text, size).into_drawing_area();
    root.fill(&WHITE)?;
    let style = (FONT, TITLE).into_font().color(&BLACK);
    root.draw(&Text::new(title, (MARGIN, MARGIN), style))?;
    let style = (FONT, TEXT).into_font().color(&BLACK);
    for (at, (name, &(x, y))) in legend.iter().zip(places).enumerate() {
        let y = MARGIN + LINE + 8 + y;
        let corners = [(x, y), (x + SWATCH, y + SWATCH)];
        root.draw(&Rectangle::new(corners, crate::colour(at).filled()))?;
        let beside = (x + SWATCH + 6, y - 1);
        root.draw(&Text::new(*name, beside, style.clone()))?;
    }
    let (_, below) = root.split_vertically(top);
    inside(&below.margin(0, MARGIN, MARGIN, MARGIN))?;
    root.present()
}

/// Where the names of the legend begin, in as many lines as they need; none for a single series
/// without a name.
fn places(legend: &[&str], width: i32) -> Vec<(i32, i32)> {
    let (mut x, mut y) = (MARGIN, 0);
    let mut places = Vec::new();
    for name in legend {
        let needed = SWATCH + 6 + width_of(name, TEXT) + 18;
        if x > MARGIN && x + needed > width {
            (x, y) = (MARGIN, y + LINE);
        }
        places.push((x, y));
        x += needed;
    }
    places
}
