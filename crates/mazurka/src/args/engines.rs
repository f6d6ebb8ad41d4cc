//! `--engine` and the options of the engines, made from what these say about themselves.

use clap::builder::{PossibleValue, PossibleValuesParser, RangedU64ValueParser, Resettable};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use driver::Registry;
use engine::{OptionSpec, Options, Values};

/// Which engine is asked; `auto` asks several.
pub const AUTO: &str = "auto";

/// The names after `--engine`.
pub fn names() -> PossibleValuesParser {
    let auto = PossibleValue::new(AUTO).help(
        "Run several engines, chosen by the property and the program, until one has an answer",
    );
    let registry = Registry::standard();
    let engines = registry.engines().map(|engine| {
        let about = engine.about();
        PossibleValue::new(about.name).help(about.summary)
    });
    PossibleValuesParser::new(std::iter::once(auto).chain(engines))
}

/// The words that an option of an engine may be.
pub fn words(option: &OptionSpec) -> PossibleValuesParser {
    let words = words_of(option).iter();
    PossibleValuesParser::new(words.map(|word| PossibleValue::new(word.name).help(word.help)))
}

/// The options of an engine, as a help text; nothing if it has none.
pub fn help(engine: &str) -> Option<String> {
    let mut options = offered();
    options.retain(|option| option.of.iter().any(|(name, _)| *name == engine));
    if options.is_empty() {
        return None;
    }
    let command = Command::new("mazurka check").disable_help_flag(true);
    let command = command.help_template("{options}");
    let mut command = command.args(
        options
            .iter()
            .map(|option| option.arg().help_heading(Resettable::Reset)),
    );
    Some(command.render_long_help().to_string())
}

/// What was chosen for the engines.
#[derive(Clone, Debug, Default)]
pub struct EngineArgs {
    /// The options that were given.
    pub options: Options,
}

/// An option and the engines that have it.
struct Offered {
    of: Vec<(&'static str, OptionSpec)>,
}

/// All options, each once, in the order of the engines.
fn offered() -> Vec<Offered> {
    let mut all: Vec<Offered> = Vec::new();
    for engine in Registry::standard().engines() {
        let about = engine.about();
        for option in about.options {
            match all.iter_mut().find(|known| known.name() == option.name) {
                Some(known) => known.of.push((about.name, option)),
                None => all.push(Offered {
                    of: vec![(about.name, option)],
                }),
            }
        }
    }
    all
}

impl Offered {
    fn first(&self) -> &OptionSpec {
        &self.of[0].1
    }

    fn name(&self) -> &'static str {
        self.first().name
    }

    /// The option as the command line has it.
    fn arg(&self) -> Arg {
        let first = self.first();
        let arg = Arg::new(first.name)
            .long(first.name)
            .value_name(first.value_name);
        let arg = arg.help(self.help()).help_heading(self.heading());
        let arg = match &first.values {
            Values::OneOf(_) => arg.value_parser(PossibleValuesParser::new(self.words())),
            Values::Number { least, most, .. } => {
                arg.value_parser(RangedU64ValueParser::<u64>::new().range(*least..=*most))
            }
            Values::Texts => arg.action(ArgAction::Append),
            Values::Flag => arg.action(ArgAction::SetTrue),
            Values::Text | Values::File => arg,
        };
        match (self.of.len(), first.default) {
            (1, default) if !default.is_empty() => arg.default_value(default),
            _ => arg,
        }
    }

    fn heading(&self) -> String {
        match self.of.as_slice() {
            [(engine, _)] => format!("Options of --engine {engine}"),
            _ => "Options of several engines".to_owned(),
        }
    }

    /// What it decides; by engine, where they differ.
    fn help(&self) -> String {
        self.by_engine(|option| Some(option.help))
    }

    /// The words of all engines, each with what it means to them.
    fn words(&self) -> Vec<PossibleValue> {
        let mut names: Vec<&'static str> = Vec::new();
        for word in self.of.iter().flat_map(|(_, option)| words_of(option)) {
            if !names.contains(&word.name) {
                names.push(word.name);
            }
        }
        let value = |name: &'static str| PossibleValue::new(name).help(self.meaning(name));
        names.into_iter().map(value).collect()
    }

    /// What a word means, and for which engines it is the default.
    fn meaning(&self, name: &str) -> String {
        let text = self.by_engine(|option| {
            let word = words_of(option).iter().find(|word| word.name == name);
            word.map(|word| word.help)
        });
        let defaults = self.of.iter().filter(|(_, option)| option.default == name);
        let defaults: Vec<&str> = defaults.map(|(engine, _)| *engine).collect();
        match self.of.len() > 1 && !defaults.is_empty() {
            true => format!("{text} (the default of {})", defaults.join(" and ")),
            false => text,
        }
    }

    /// A text that all engines share, or each text with those that have it.
    fn by_engine(&self, text: impl Fn(&OptionSpec) -> Option<&'static str>) -> String {
        let mut texts: Vec<(&str, Vec<&str>)> = Vec::new();
        for (engine, option) in &self.of {
            let Some(text) = text(option) else { continue };
            match texts.iter_mut().find(|(known, _)| *known == text) {
                Some((_, engines)) => engines.push(engine),
                None => texts.push((text, vec![engine])),
            }
        }
        match texts.as_slice() {
            [(text, engines)] if engines.len() == self.of.len() => (*text).to_owned(),
            several => {
                let each = several.iter();
                let each = each.map(|(text, engines)| format!("{}: {text}", engines.join(", ")));
                each.collect::<Vec<_>>().join("; ")
            }
        }
    }

    fn engines_for(&self, value: &str) -> Vec<String> {
        let fitting = self.of.iter().filter(|(_, option)| accepts(option, value));
        fitting
            .map(|(engine, _)| format!("--engine {engine}"))
            .collect()
    }

    /// Why this value makes no sense for the engine, if so. Of several engines, each takes its own;
    /// an option that more than one of them knows, or that shows something, needs to say which.
    fn refused(&self, engine: &str, value: &str) -> Option<String> {
        let is_setting = !matches!(
            self.first().values,
            Values::Text | Values::File | Values::Flag
        );
        let fits = match engine {
            AUTO => self.of.len() == 1 && is_setting,
            name => {
                let mut of = self.of.iter();
                of.any(|(engine, option)| *engine == name && accepts(option, value))
            }
        };
        let shown = match self.first().values {
            Values::OneOf(_) if self.of.len() > 1 => format!("--{} {value}", self.name()),
            _ => format!("--{}", self.name()),
        };
        (!fits).then(|| format!("{shown} needs {}", self.engines_for(value).join(" or ")))
    }
}

fn words_of(option: &OptionSpec) -> &[engine::Value] {
    match &option.values {
        Values::OneOf(words) => words,
        _ => &[],
    }
}

fn accepts(option: &OptionSpec, value: &str) -> bool {
    match &option.values {
        Values::OneOf(words) => words.iter().any(|word| word.name == value),
        _ => true,
    }
}

impl EngineArgs {
    /// What does not go with the engine, if something does not.
    pub fn refused(&self, engine: &str) -> Option<String> {
        let given = |option: &Offered| self.options.get(option.name()).map(str::to_owned);
        let mut offered = offered().into_iter();
        offered.find_map(|option| option.refused(engine, &given(&option)?))
    }
}

impl Args for EngineArgs {
    fn augment_args(command: Command) -> Command {
        // They are many, and few people need them.
        let hidden = |option: &Offered| option.arg().hide_short_help(true).hide_long_help(true);
        let command = command.args(offered().iter().map(hidden));
        command.after_help("The engines and their options: mazurka engines [ENGINE]")
    }

    fn augment_args_for_update(command: Command) -> Command {
        EngineArgs::augment_args(command)
    }
}

impl FromArgMatches for EngineArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineArgs, clap::Error> {
        let mut options = Options::default();
        for option in offered() {
            let name = option.name();
            if matches.value_source(name) != Some(ValueSource::CommandLine) {
                continue;
            }
            match option.first().values {
                Values::Flag => options.add(name, "on"),
                _ => {
                    let values = matches.get_raw(name).into_iter().flatten();
                    values.for_each(|value| options.add(name, value.to_string_lossy()));
                }
            }
        }
        Ok(EngineArgs { options })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = EngineArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> EngineArgs {
        let command = EngineArgs::augment_args(Command::new("x").no_binary_name(true));
        let matches = command.try_get_matches_from(words).expect("options");
        EngineArgs::from_arg_matches(&matches).expect("options")
    }

    #[test]
    fn only_what_is_given_counts() {
        assert_eq!(parsed(&[]).options, Options::default());
        let args = parsed(&[
            "--domain",
            "expl",
            "--track",
            "x",
            "--track",
            "y",
            "--invariants",
        ]);
        assert_eq!(args.options.get("domain"), Some("expl"));
        assert_eq!(args.options.all("track"), ["x", "y"]);
        assert_eq!(args.options.get("invariants"), Some("on"));
    }

    #[test]
    fn each_option_goes_with_its_engine() {
        let refused = |words: &[&str], engine| parsed(words).refused(engine);
        assert_eq!(refused(&["--domain", "expl"], AUTO), None);
        assert_eq!(refused(&["--por", "on"], "matching"), None);
        for (words, engine, expected) in [
            (["--domain", "expl"], "bmc", "--domain needs --engine cegar"),
            (
                ["--prune", "on"],
                "cegar",
                "--prune on needs --engine fusion",
            ),
            (
                ["--search", "dfs"],
                AUTO,
                "--search dfs needs --engine explore or --engine cegar or --engine matching",
            ),
            (["--arg", "a.dot"], AUTO, "--arg needs --engine cegar"),
        ] {
            assert_eq!(refused(&words, engine).as_deref(), Some(expected));
        }
    }
}
