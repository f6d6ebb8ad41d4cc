//! Fenced blocks of a page, and what a test has to do with each.
//!
//! | fence | meaning |
//! | --- | --- |
//! | `c file=NAME` | the text is a file that later commands of the page use |
//! | `console` | lines after `$ ` are commands, what follows each is its output |
//! | `sh` | every line is a command |
//! | `console ignore=REASON`, `sh ignore=REASON` | not run, but the options have to exist |
//! | `console status=N` | the last command ends with this status |
//! | anything else | no command of ours may be in it |

/// What a block asks for.
#[derive(Debug, PartialEq)]
pub enum Block {
    /// A file is written.
    File { name: String, text: String },
    /// Commands are run, or only understood if there is a reason not to run them.
    Commands {
        steps: Vec<Step>,
        ignored: Option<String>,
        status: Option<i32>,
    },
    /// A command stands where no test sees it.
    Hidden { line: usize },
}

/// A command and what it prints.
#[derive(Debug, PartialEq)]
pub struct Step {
    /// Its line in the page, from 1.
    pub line: usize,
    /// As it is given to a shell.
    pub command: String,
    /// The lines that the page shows after it.
    pub output: Vec<String>,
}

/// All blocks of a page that matter here.
pub fn of(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((_, line)) = lines.next() {
        let Some(info) = line.trim_start().strip_prefix("```") else {
            continue;
        };
        let inside = lines.by_ref();
        let body: Vec<(usize, &str)> = inside
            .take_while(|(_, line)| line.trim() != "```")
            .map(|(number, line)| (number + 1, line))
            .collect();
        blocks.extend(block(info, &body));
    }
    blocks
}

fn block(info: &str, body: &[(usize, &str)]) -> Option<Block> {
    let mut words = info.split_whitespace();
    let language = words.next().unwrap_or("");
    let attributes: Vec<(&str, &str)> = words.filter_map(|word| word.split_once('=')).collect();
    let attribute = |name: &str| {
        let found = attributes.iter().find(|(key, _)| *key == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    if let Some(name) = attribute("file") {
        let lines = body.iter().map(|(_, line)| format!("{line}\n"));
        let text = lines.collect();
        return Some(Block::File { name, text });
    }
    let steps = match language {
        "console" => transcript(body),
        "sh" => script(body),
        _ => {
            let hidden = body.iter().find(|(_, line)| is_our_command(line));
            return hidden.map(|(line, _)| Block::Hidden { line: *line });
        }
    };
    Some(Block::Commands {
        steps,
        ignored: attribute("ignore"),
        status: attribute("status").map(|number| number.parse().expect("a number")),
    })
}

fn is_our_command(line: &str) -> bool {
    line.starts_with("$ mazurka ") || line.starts_with("mazurka ")
}

fn transcript(body: &[(usize, &str)]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for &(line, text) in body {
        match (text.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push(Step {
                line,
                command: command.to_owned(),
                output: Vec::new(),
            }),
            (None, Some(step)) => step.output.push(text.to_owned()),
            (None, None) => panic!("a transcript begins with a command: `{text}`"),
        }
    }
    steps
}

fn script(body: &[(usize, &str)]) -> Vec<Step> {
    let commands = body.iter().filter(|(_, text)| {
        let text = text.trim();
        !text.is_empty() && !text.starts_with('#')
    });
    let step = |(line, text): &(usize, &str)| Step {
        line: *line,
        command: (*text).to_owned(),
        output: Vec::new(),
    };
    commands.map(step).collect()
}

#[test]
fn blocks_are_told_apart() {
    let page = "\
```c file=a.c
int x;
```
```console ignore=long
$ mazurka bench
done
```
```sh status=2
# nothing
mazurka check a.c
```
```text
mazurka check b.c
```
";
    let found = of(page);
    assert_eq!(
        found[0],
        Block::File {
            name: "a.c".into(),
            text: "int x;\n".into()
        }
    );
    let Block::Commands { steps, ignored, .. } = &found[1] else {
        panic!("{found:?}")
    };
    assert_eq!(ignored.as_deref(), Some("long"));
    assert_eq!(steps[0].command, "mazurka bench");
    assert_eq!(steps[0].output, ["done"]);
    let Block::Commands { steps, status, .. } = &found[2] else {
        panic!("{found:?}")
    };
    assert_eq!((steps.len(), steps[0].line, *status), (1, 10, Some(2)));
    assert_eq!(found[3], Block::Hidden { line: 13 });
}
