//! The words of a command as a shell would see them, as far as the manual needs it.

/// The calls of `mazurka` in a command line, each with its arguments; `cargo xtask check` is one too.
pub fn calls(command: &str) -> Vec<Vec<String>> {
    let words = split(command);
    let parts = words.split(|word| matches!(word.as_str(), "|" | "&&" | "||" | ";" | "&"));
    parts.filter_map(call).collect()
}

fn call(part: &[String]) -> Option<Vec<String>> {
    let is_setting = |word: &&String| word.contains('=') && !word.starts_with('-');
    let settings = part.iter().take_while(is_setting).count();
    let part = &part[settings..];
    let end = part.iter().position(|word| word.starts_with('>'));
    let part = &part[..end.unwrap_or(part.len())];
    let name = part.first()?.rsplit('/').next()?;
    let chore = part.iter().take(3).eq(["cargo", "xtask", "check"]);
    match (name, chore) {
        ("mazurka", _) => Some(part[1..].to_vec()),
        (_, true) => Some(part[2..].to_vec()),
        _ => None,
    }
}

/// Words are separated by spaces outside of quotes.
fn split(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in command.chars() {
        let word = words.last_mut().expect("there is always one");
        match (quote, letter) {
            (None, '\'' | '"') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            (None, ' ') => words.push(String::new()),
            (None, ';') => words.extend([";".to_owned(), String::new()]),
            _ => word.push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn calls_in_command_lines() {
    let found = |command: &str| {
        let calls = calls(command).into_iter().map(|words| words.join("|"));
        calls.collect::<Vec<String>>()
    };
    assert_eq!(found("mazurka check 'a b.c'; echo $?"), ["check|a b.c"]);
    assert_eq!(found("X=1 mazurka cfa a.c | dot > a.svg"), ["cfa|a.c"]);
    assert_eq!(found("gcc a.c && ./a.out"), [""; 0]);
    assert_eq!(
        found("cargo xtask check a.c --stats"),
        ["check|a.c|--stats"]
    );
    assert_eq!(found("target/release/mazurka cfa a.c > out"), ["cfa|a.c"]);
}
