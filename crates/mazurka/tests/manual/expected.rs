//! Compares what a command prints with what a page shows.
//!
//! A line `...` stands for any lines, `...` inside a line for any text. Seconds (`0.05 s`) differ
//! from run to run and always fit.

/// Does the output fit?
pub fn fits(shown: &[String], output: &str) -> bool {
    let shown: Vec<String> = shown.iter().map(|line| without_times(line)).collect();
    let output: Vec<String> = output.lines().map(without_times).collect();
    lines_fit(trimmed(&shown), trimmed(&output))
}

/// Empty lines at the end do not count.
fn trimmed(lines: &[String]) -> &[String] {
    let end = lines.iter().rposition(|line| !line.is_empty());
    &lines[..end.map_or(0, |last| last + 1)]
}

fn lines_fit(shown: &[String], output: &[String]) -> bool {
    match shown.split_first() {
        None => output.is_empty(),
        Some((line, rest)) if line.trim() == "..." => {
            (0..=output.len()).any(|skipped| lines_fit(rest, &output[skipped..]))
        }
        Some((line, rest)) => match output.split_first() {
            Some((first, others)) => line_fits(line, first) && lines_fit(rest, others),
            None => false,
        },
    }
}

fn line_fits(shown: &str, line: &str) -> bool {
    let Some((before, after)) = shown.split_once("...") else {
        return shown == line;
    };
    let Some(rest) = line.strip_prefix(before) else {
        return false;
    };
    let places = rest.char_indices().map(|(place, _)| place);
    let mut places = places.chain([rest.len()]);
    places.any(|place| line_fits(after, &rest[place..]))
}

/// `0.05 s` becomes `_ s`; spaces at the end are dropped.
fn without_times(line: &str) -> String {
    let mut words: Vec<String> = line.trim_end().split(' ').map(str::to_owned).collect();
    for at in 1..words.len() {
        let unit = words[at].trim_end_matches([')', ',', '.', ';']) == "s";
        let number = words[at - 1].trim_start_matches('(');
        if unit && number.contains('.') && number.parse::<f64>().is_ok() {
            words[at - 1] = words[at - 1].replace(number, "_");
        }
    }
    words.join(" ")
}

#[test]
fn what_fits_and_what_does_not() {
    let fits = |shown: &str, output: &str| {
        let shown: Vec<String> = shown.lines().map(str::to_owned).collect();
        fits(&shown, output)
    };
    assert!(fits(
        "SAFE  (explore, 0.05 s)",
        "SAFE  (explore, 12.30 s)\n"
    ));
    assert!(fits("(0.05 s)", "(0.06 s)"));
    assert!(!fits("SAFE  (explore, 0.05 s)", "SAFE  (bmc, 0.05 s)\n"));
    assert!(!fits("SAFE", "UNSAFE\n"));
    assert!(!fits("SAFE", "SAFE\nmore\n"));
    assert!(!fits("SAFE\nmore", "SAFE\n"));
    assert!(fits("a\n...\nd", "a\nb\nc\nd\n"));
    assert!(fits("a\n...", "a\n"));
    assert!(!fits("a\n...\nd", "a\nb\nc\n"));
    assert!(fits("all ... states … were", "all 44 states … were"));
    assert!(!fits("all ... states", "all 44 status"));
}
