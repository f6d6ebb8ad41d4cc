//! Stateless exploration runs every class of equivalent executions, and `optimal` runs it once.
//!
//! The number of classes is counted here in another way: by building every prefix of every
//! execution up to equivalence, one step of the machine after the other, without any reduction.
//! `MAZURKA_RANDOM_PROGRAMS` sets how many programs are tried, `MAZURKA_RANDOM_SEED` where the seeds
//! start.

use fusion::{Config, Dpor};
use semantics::{Cell, Choice, Host, Machine, Outcome, State, Status, Tid};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;
use testkit::{
    Preparation, Profile, Program, check, from_environment, generate, shrink, translate,
    workspace_dir,
};
use verdict::{Answer, Budget, Property, Task};
use xcfa::{EdgeId, ErrorKind, Label, SourceFile};

/// Programs with more prefixes than this are left out.
const MOST_PREFIXES: usize = 20_000;

const TIMEOUT: Duration = Duration::from_secs(60);

fn task(text: &str, property: Property) -> Task {
    task_of(SourceFile::new("random.i", text), property)
}

fn task_of(file: SourceFile, property: Property) -> Task {
    let xcfa = translate(file, property).expect("a program that is supported");
    let options = passes::Options {
        keep_loads: property == Property::Race,
        checked: (property == Property::Reach).then_some(ErrorKind::Reached),
        ..passes::Options::default()
    };
    let xcfa = passes::prepare(xcfa, &options).expect("a program that is supported");
    Task { xcfa, property }
}

fn explore(task: &Task, dpor: Dpor) -> Answer {
    let budget = Budget::unlimited().with_timeout(TIMEOUT);
    let config = Config {
        dpor,
        ..Config::default()
    };
    fusion::check(task, &config, &budget)
}

// Counting classes.

type Access = (Cell, bool);

/// A step that was taken: by whom, what it knows of others, what it accessed.
#[derive(Clone)]
struct Past {
    tid: usize,
    clock: Vec<u32>,
    accesses: Vec<Access>,
    starts: bool,
}

/// An execution up to a point.
#[derive(Clone)]
struct Prefix {
    state: State,
    past: Vec<Past>,
    /// By thread: what it knows.
    clocks: Vec<Vec<u32>>,
    /// Threads that were found cut off.
    stopped: Vec<usize>,
    /// The same for all equivalent prefixes.
    digest: u64,
}

fn merge(into: &mut Vec<u32>, from: &[u32]) {
    into.resize(into.len().max(from.len()), 0);
    for (mine, theirs) in into.iter_mut().zip(from) {
        *mine = (*mine).max(*theirs);
    }
}

/// Answers questions about truth values from a list, and notices when it is too short.
#[derive(Default)]
struct Tape {
    answers: Vec<u64>,
    next: usize,
    accesses: Vec<Access>,
}

impl Host for Tape {
    const OBSERVES: bool = true;

    fn choose(&mut self, _: Choice<'_>) -> u64 {
        self.next += 1;
        self.answers.get(self.next - 1).copied().unwrap_or(0)
    }

    fn access(&mut self, access: semantics::Access) {
        self.accesses.push((access.cell, access.write));
    }
}

/// What came of a step.
enum Taken {
    Moved(Vec<u32>),
    Waits,
    /// Not possible now; others could change that.
    Cut,
}

/// Takes an edge, and the rest of the atomic section that it begins.
fn take(
    machine: &Machine<'_>,
    state: &mut State,
    tid: Tid,
    first: EdgeId,
    tape: &mut Tape,
) -> Taken {
    let mut edges = Vec::new();
    let mut edge = first;
    loop {
        let before: Vec<(u64, u64)> = instances(state);
        match machine.step(state, tid, edge, tape) {
            Outcome::Moved { .. } if !state.ended => {}
            Outcome::Blocked => return Taken::Waits,
            _ => return Taken::Cut,
        }
        let after = instances(state);
        let gone = before.into_iter().filter(|it| !after.contains(it));
        let gone = gone.map(|(start, len)| (Cell::Bytes { start, len }, true));
        tape.accesses.extend(gone);
        edges.push(edge.0);
        if state.holder != Some(tid) {
            return Taken::Moved(edges);
        }
        let mut looked = Vec::new();
        let next = machine.edges(state, tid).iter().copied().find(|&edge| {
            let mut copy = state.clone();
            let mut trial = Tape {
                answers: tape.answers.clone(),
                next: tape.next,
                accesses: Vec::new(),
            };
            let outcome = machine.step(&mut copy, tid, edge, &mut trial);
            looked.append(&mut trial.accesses);
            matches!(outcome, Outcome::Moved { .. })
        });
        let Some(next) = next else {
            tape.accesses.append(&mut looked);
            return Taken::Cut;
        };
        edge = next;
    }
}

fn instances(state: &State) -> Vec<(u64, u64)> {
    state
        .memory
        .instances()
        .iter()
        .map(|it| (it.base, it.size))
        .collect()
}

fn conflict(a: &[Access], b: &[Access]) -> bool {
    a.iter()
        .any(|x| b.iter().any(|y| (x.1 || y.1) && x.0.overlaps(y.0)))
}

/// All ways in which a thread can go on from a prefix.
fn extend(machine: &Machine<'_>, prefix: &Prefix, tid: Tid, found: &mut Vec<Prefix>) {
    let index = tid.0 as usize;
    if prefix.stopped.contains(&index) {
        return;
    }
    let mut tapes: Vec<Vec<u64>> = vec![Vec::new()];
    while let Some(answers) = tapes.pop() {
        let (mut asked, mut waits, mut moved) = (0, false, false);
        let mut looked: Vec<Access> = Vec::new();
        for &edge in machine.edges(&prefix.state, tid) {
            let mut next = prefix.clone();
            let mut tape = Tape {
                answers: answers.clone(),
                ..Tape::default()
            };
            let taken = take(machine, &mut next.state, tid, edge, &mut tape);
            asked = asked.max(tape.next);
            match taken {
                Taken::Moved(edges) if tape.next <= answers.len() => {
                    moved = true;
                    found.push(grow(machine, prefix, next, tid, &edges, tape));
                }
                Taken::Moved(_) => moved = true,
                Taken::Waits => waits = true,
                Taken::Cut => looked.extend(tape.accesses.iter().map(|access| (access.0, false))),
            }
        }
        if asked > answers.len() {
            for answer in [0, 1] {
                tapes.push(answers.iter().copied().chain([answer]).collect());
            }
        } else if !moved && !waits && prefix.state.thread(tid).status == Status::Running {
            let tape = Tape {
                answers,
                next: 0,
                accesses: looked,
            };
            let mut next = prefix.clone();
            next.stopped.push(index);
            found.push(grow(machine, prefix, next, tid, &[], tape));
        }
    }
}

/// A prefix with one more event, whose state is that of `next` already.
fn grow(
    machine: &Machine<'_>,
    prefix: &Prefix,
    mut next: Prefix,
    tid: Tid,
    edges: &[u32],
    tape: Tape,
) -> Prefix {
    let index = tid.0 as usize;
    let mut clock = prefix.clocks[index].clone();
    let labels = edges
        .iter()
        .flat_map(|&edge| &machine.xcfa[EdgeId(edge)].labels);
    let mut starts = false;
    for label in labels {
        match label {
            Label::Start { .. } => starts = true,
            Label::Join { thread, .. } => {
                let handle = machine.eval(&prefix.state, tid, *thread);
                if let Some(joined) = Tid::from_handle(handle) {
                    merge(&mut clock, &prefix.clocks[joined.0 as usize]);
                }
            }
            _ => {}
        }
    }
    let accesses = tape.accesses;
    for past in &prefix.past {
        if past.tid != index && (conflict(&past.accesses, &accesses) || (starts && past.starts)) {
            merge(&mut clock, &past.clock);
        }
    }
    clock.resize(clock.len().max(index + 1), 0);
    clock[index] += 1;
    let mut hasher = DefaultHasher::new();
    while clock.last() == Some(&0) {
        clock.pop();
    }
    (index, edges, &tape.answers, &clock).hash(&mut hasher);
    next.digest = prefix.digest.wrapping_add(hasher.finish());
    while next.clocks.len() < next.state.threads.len() {
        next.clocks.push(clock.clone());
    }
    next.clocks[index].clone_from(&clock);
    next.past.push(Past {
        tid: index,
        clock,
        accesses,
        starts,
    });
    next
}

/// How many classes of complete executions there are; `None` if they are too many to count.
fn count_classes(machine: &Machine<'_>) -> Option<u64> {
    let first = Prefix {
        state: machine.initial(),
        past: Vec::new(),
        clocks: vec![Vec::new()],
        stopped: Vec::new(),
        digest: 0,
    };
    let mut layer = HashMap::from([(0, first)]);
    let (mut complete, mut seen) = (0, 0);
    while !layer.is_empty() {
        let mut next: HashMap<u64, Prefix> = HashMap::new();
        for prefix in layer.values() {
            let mut longer = Vec::new();
            for tid in prefix.state.runnable() {
                extend(machine, prefix, tid, &mut longer);
            }
            complete += u64::from(longer.is_empty());
            next.extend(longer.into_iter().map(|prefix| (prefix.digest, prefix)));
        }
        seen += next.len();
        if seen > MOST_PREFIXES {
            return None;
        }
        layer = next;
    }
    Some(complete)
}

// Comparing.

/// What was found out about one program.
#[derive(Default)]
struct Tally {
    counted: u64,
    skipped: u64,
    classes: u64,
    redundant: u64,
}

fn compare_counts(program: &Program, tally: &mut Tally) -> Result<(), String> {
    let task = task(&program.to_string(), Property::Reach);
    let optimal = explore(&task, Dpor::Optimal);
    if optimal.verdict.name() != "safe" {
        return Ok(());
    }
    let machine = Machine::new(&task.xcfa, task.property);
    let Some(classes) = count_classes(&machine) else {
        tally.skipped += 1;
        return Ok(());
    };
    let figure = |answer: &Answer, name| answer.stats.get(name).unwrap_or_default();
    let executions = figure(&optimal, "executions");
    let blocked = figure(&optimal, "blocked executions");
    tally.counted += 1;
    tally.classes += classes;
    tally.redundant += blocked;
    if executions != classes {
        return Err(format!("{classes} classes, but optimal runs {executions}"));
    }
    for dpor in [Dpor::Source, Dpor::Classic] {
        let answer = explore(&task, dpor);
        let executions = figure(&answer, "executions");
        if executions < classes {
            return Err(format!("{classes} classes, but {dpor:?} runs {executions}"));
        }
    }
    Ok(())
}

fn counts(profile: &Profile, share: u64) -> Tally {
    let count = from_environment("MAZURKA_RANDOM_PROGRAMS", 300) * share / 100;
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    let mut tally = Tally::default();
    for seed in first..first + count {
        let program = generate(seed, profile);
        if let Err(found) = compare_counts(&program, &mut tally) {
            let failing = |program: &Program| compare_counts(program, &mut Tally::default()).err();
            let small = shrink(&program, &mut |program| failing(program).is_some());
            let now = failing(&small).unwrap_or_default();
            panic!("seed {seed}: {found}\nafter shrinking {now}\n{small}");
        }
    }
    println!(
        "{} programs counted ({} too large), {} classes, {} redundant executions",
        tally.counted, tally.skipped, tally.classes, tally.redundant
    );
    tally
}

/// Programs small enough that their prefixes can be listed.
fn small() -> Profile {
    Profile {
        statements: 2,
        ..Profile::standard()
    }
}

#[test]
fn optimal_runs_every_class_once() {
    let tally = counts(&small(), 70);
    assert!(tally.counted > 0, "no program was small enough");
}

#[test]
fn optimal_runs_every_class_once_with_inputs() {
    let profile = Profile {
        statements: 3,
        min_threads: 2,
        ..Profile::with_inputs()
    };
    let tally = counts(&profile, 30);
    assert!(tally.counted > 0, "no program was small enough");
}

/// The verdicts of all reductions agree with the exploration of all states.
fn same_verdicts(program: &Program) -> Result<(), String> {
    let text = program.to_string();
    for property in [Property::Reach, Property::Race, Property::Deadlock] {
        let file = SourceFile::new("random.i", text.clone());
        let expected = check(file, property, Preparation::Full, TIMEOUT)?;
        let task = task(&text, property);
        for dpor in [Dpor::Optimal, Dpor::Source, Dpor::Classic] {
            let answer = explore(&task, dpor);
            let (is, wanted) = (&answer.verdict, &expected.verdict);
            let definite = is.name() != "unknown" && wanted.name() != "unknown";
            let mistake = matches!(
                is,
                verdict::Verdict::Unknown(verdict::Reason::NotReplayed(_))
            );
            if mistake || (definite && is.name() != wanted.name()) {
                return Err(format!(
                    "{property}, {dpor:?}: {is:?}, not {}",
                    wanted.name()
                ));
            }
        }
    }
    Ok(())
}

fn verdicts(profile: &Profile, share: u64) {
    let count = from_environment("MAZURKA_RANDOM_PROGRAMS", 300) * share / 100;
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    for seed in first..first + count {
        let program = generate(seed, profile);
        if let Err(found) = same_verdicts(&program) {
            let small = shrink(&program, &mut |program| same_verdicts(program).is_err());
            let now = same_verdicts(&small).err().unwrap_or_default();
            panic!("seed {seed}: {found}\nafter shrinking {now}\n{small}");
        }
    }
}

/// With pruning, the verdicts agree with the exploration of all states; how many points were
/// pruned?
fn same_verdicts_pruned(program: &Program) -> Result<u64, String> {
    let text = program.to_string();
    let file = SourceFile::new("random.i", text.clone());
    let expected = check(file, Property::Reach, Preparation::Full, TIMEOUT)?;
    let task = task(&text, Property::Reach);
    let mut pruned = 0;
    for dpor in [Dpor::Optimal, Dpor::Source, Dpor::None] {
        let config = Config {
            dpor,
            check: false,
            prune: true,
            ..Config::default()
        };
        // A question to the solver takes no longer than what is left.
        let budget = Budget::unlimited().with_timeout(TIMEOUT / 30);
        let answer = fusion::check(&task, &config, &budget);
        let (is, wanted) = (answer.verdict.name(), expected.verdict.name());
        if is != "unknown" && wanted != "unknown" && is != wanted {
            return Err(format!("{dpor:?} with pruning: {is}, not {wanted}"));
        }
        pruned += answer.stats.get("pruned backtrack points").unwrap_or(0);
    }
    Ok(pruned)
}

fn verdicts_pruned(profile: &Profile, share: u64) -> u64 {
    let count = from_environment("MAZURKA_RANDOM_PROGRAMS", 300) * share / 100;
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    let mut pruned = 0;
    for seed in first..first + count {
        let program = generate(seed, profile);
        match same_verdicts_pruned(&program) {
            Ok(points) => pruned += u64::from(points > 0),
            Err(found) => {
                let failing = |program: &Program| same_verdicts_pruned(program).is_err();
                let small = shrink(&program, &mut |program| failing(program));
                let now = same_verdicts_pruned(&small).err().unwrap_or_default();
                panic!("seed {seed}: {found}\nafter shrinking {now}\n{small}");
            }
        }
    }
    println!("points were pruned in {pruned} of {count} programs");
    pruned
}

#[test]
fn verdicts_with_pruning() {
    assert!(verdicts_pruned(&small(), 5) > 0, "nothing was pruned");
}

#[test]
fn verdicts_with_pruning_and_inputs() {
    let profile = Profile {
        statements: 2,
        ..Profile::with_inputs()
    };
    assert!(verdicts_pruned(&profile, 3) > 0, "nothing was pruned");
}

/// Programs that read numbers: the verdict agrees with bounded model checking; was it a proof?
fn same_verdict_with_numbers(program: &Program) -> Result<bool, String> {
    let task = task(&program.to_string(), Property::Reach);
    let budget = || Budget::unlimited().with_timeout(TIMEOUT / 4);
    let expected = bmc::check(&task, &bmc::Config::default(), &budget());
    let answer = fusion::check(&task, &Config::default(), &budget());
    let (is, wanted) = (answer.verdict.name(), expected.verdict.name());
    match is != "unknown" && wanted != "unknown" && is != wanted {
        true => Err(format!("{is}, but bounded model checking says {wanted}")),
        false => Ok(is == "safe"),
    }
}

#[test]
fn verdicts_of_programs_that_read_numbers() {
    let profile = Profile {
        statements: 2,
        inputs: testkit::Inputs::Any,
        ..Profile::standard()
    };
    let count = from_environment("MAZURKA_RANDOM_PROGRAMS", 300) / 5;
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    let mut proved = 0;
    for seed in first..first + count {
        let program = generate(seed, &profile);
        match same_verdict_with_numbers(&program) {
            Ok(safe) => proved += u64::from(safe),
            Err(found) => {
                let failing = |program: &Program| same_verdict_with_numbers(program).is_err();
                let small = shrink(&program, &mut |program| failing(program));
                panic!("seed {seed}: {found}\n{small}");
            }
        }
    }
    println!("{proved} of {count} programs were proved");
    assert!(proved > 0, "nothing was proved");
}

#[test]
fn verdicts_of_ordinary_programs() {
    verdicts(&small(), 30);
}

#[test]
fn verdicts_of_programs_that_block() {
    let profile = Profile {
        statements: 2,
        ..Profile::blocking()
    };
    verdicts(&profile, 30);
}

#[test]
fn verdicts_of_programs_with_inputs() {
    let profile = Profile {
        statements: 2,
        ..Profile::with_inputs()
    };
    verdicts(&profile, 20);
}

// Programs with known numbers.

/// A line of the table: a program, the size it is compiled with, its number of executions.
fn expectations() -> Vec<(String, String, u64)> {
    let path = workspace_dir().join("litmus/executions/expect.txt");
    let text = std::fs::read_to_string(path).expect("the table of executions");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [name, size, executions] = words[..] else {
                panic!("not three words: {line}");
            };
            let executions = executions.parse().expect("a number");
            (name.to_owned(), size.to_owned(), executions)
        })
        .collect()
}

fn litmus_task(name: &str, size: &str) -> Task {
    let path = workspace_dir()
        .join("litmus/executions")
        .join(name)
        .with_extension("c");
    let mut command = std::process::Command::new("cc");
    command.args(["-E", "-std=gnu11"]).arg(&path);
    if size != "-" {
        command.arg(format!("-DN={size}"));
    }
    let output = command.output().expect("a C compiler named cc");
    let text = String::from_utf8(output.stdout).expect("a program");
    task_of(
        SourceFile::new(path.display().to_string(), text),
        Property::Reach,
    )
}

#[test]
fn litmus_programs_have_their_number_of_executions() {
    for (name, size, expected) in expectations() {
        let task = litmus_task(&name, &size);
        let figure = |answer: &Answer, name| answer.stats.get(name).unwrap_or_default();
        let optimal = explore(&task, Dpor::Optimal);
        assert_eq!(
            optimal.verdict.name(),
            "safe",
            "{name} {size}: {:?}",
            optimal.verdict
        );
        assert_eq!(figure(&optimal, "executions"), expected, "{name} {size}");
        assert_eq!(
            figure(&optimal, "blocked executions"),
            0,
            "{name} {size}: redundant"
        );
        for dpor in [Dpor::Source, Dpor::Classic] {
            let answer = explore(&task, dpor);
            assert_eq!(answer.verdict.name(), "safe", "{name} {size}, {dpor:?}");
            assert_eq!(
                figure(&answer, "executions"),
                expected,
                "{name} {size}, {dpor:?}"
            );
        }
    }
}

/// An error that needs another order of the same events is found from the first execution.
#[test]
fn errors_in_other_orders_are_predicted() {
    let task = litmus_task("lost_updates", "3");
    let answer = explore(&task, Dpor::Optimal);
    assert_eq!(answer.verdict.name(), "unsafe", "{:?}", answer.verdict);
    assert_eq!(answer.stats.get("executions"), Some(1));
    assert_eq!(answer.stats.get("errors predicted"), Some(1));
    assert_eq!(answer.stats.get("solver calls"), Some(1));
}

/// The example of the paper on symbolic pruning: the trace program of the first execution has no
/// error, whatever the order, and a later one fails.
#[test]
fn different_events_need_another_execution() {
    let task = litmus_task("two_branches", "-");
    let answer = explore(&task, Dpor::Optimal);
    assert_eq!(answer.verdict.name(), "unsafe", "{:?}", answer.verdict);
    let executions = answer.stats.get("executions").unwrap_or_default();
    assert!((1..=2).contains(&executions), "{executions} executions");
}

/// A race that the order of two critical sections hides in the first execution, and a deadlock that
/// needs both threads half-way.
#[test]
fn races_and_deadlocks_in_other_orders_are_predicted() {
    let head = "
        typedef unsigned long pthread_t;
        typedef struct { int owner; int kind; } pthread_mutex_t;
        extern int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
        extern int pthread_join(pthread_t, void **);
        extern int pthread_mutex_lock(pthread_mutex_t *);
        extern int pthread_mutex_unlock(pthread_mutex_t *);
        pthread_mutex_t a, b;
        int x;
        void *f(void *), *g(void *);
        int main() {
            pthread_t s, t;
            pthread_create(&s, 0, f, 0);
            pthread_create(&t, 0, g, 0);
            pthread_join(s, 0);
            pthread_join(t, 0);
            return 0;
        }";
    let race = "
        void *f(void *arg) {
            x = 1;
            pthread_mutex_lock(&a); pthread_mutex_unlock(&a);
            return 0;
        }
        void *g(void *arg) {
            pthread_mutex_lock(&a); pthread_mutex_unlock(&a);
            x = 2;
            return 0;
        }";
    let deadlock = "
        void *f(void *arg) {
            pthread_mutex_lock(&a); pthread_mutex_lock(&b);
            x = 1;
            pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
            return 0;
        }
        void *g(void *arg) {
            pthread_mutex_lock(&b); pthread_mutex_lock(&a);
            x = 2;
            pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);
            return 0;
        }";
    for (body, property) in [(race, Property::Race), (deadlock, Property::Deadlock)] {
        let task = task(&format!("{head}{body}"), property);
        let answer = explore(&task, Dpor::Optimal);
        assert_eq!(answer.verdict.name(), "unsafe", "{:?}", answer.verdict);
        assert_eq!(answer.stats.get("executions"), Some(1), "{property}");
        assert_eq!(answer.stats.get("errors predicted"), Some(1), "{property}");
    }
}

/// The correct batch of Table 1: one trace more for each part, where reduction alone needs
/// exponentially many.
#[test]
fn pruning_makes_traces_few() {
    let config = Config {
        prune: true,
        ..Config::default()
    };
    for (size, alone) in [(1, 4), (3, 80), (5, 1512)] {
        let path = workspace_dir().join("bench/fusion/batch.c");
        let output = std::process::Command::new("cc")
            .args(["-E", "-std=gnu11", "-DOK"])
            .arg(format!("-DN={size}"))
            .arg(&path)
            .output()
            .expect("a C compiler named cc");
        let text = String::from_utf8(output.stdout).expect("a program");
        let task = task(&text, Property::Reach);
        let pruned = fusion::check(&task, &config, &Budget::unlimited());
        assert_eq!(pruned.verdict.name(), "safe");
        assert_eq!(pruned.stats.get("executions"), Some(size + 1));
        let plain = explore(&task, Dpor::Optimal);
        assert_eq!(plain.stats.get("executions"), Some(alone));
    }
}

/// Which numbers a program reads matters only up to the branches that they decide.
#[test]
fn inputs_are_covered_by_regions() {
    let program = |wanted: i32| {
        format!(
            "typedef unsigned long pthread_t;
            extern int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
            extern int pthread_join(pthread_t, void **);
            extern int __VERIFIER_nondet_int(void);
            extern void __VERIFIER_error(void);
            int x, y;
            void *f(void *arg) {{
                int n = __VERIFIER_nondet_int();
                if (n > 10 && n < 100) x = n;
                return 0;
            }}
            void *g(void *arg) {{ int m = x; if (m == {wanted}) y = 1; return 0; }}
            int main() {{
                pthread_t s, t;
                pthread_create(&s, 0, f, 0);
                pthread_create(&t, 0, g, 0);
                pthread_join(s, 0);
                pthread_join(t, 0);
                if (y) __VERIFIER_error();
                return 0;
            }}"
        )
    };
    for (wanted, verdict) in [(5, "safe"), (77, "unsafe")] {
        let answer = explore(&task(&program(wanted), Property::Reach), Dpor::Optimal);
        assert_eq!(answer.verdict.name(), verdict, "{:?}", answer.verdict);
    }
}
