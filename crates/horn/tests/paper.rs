//! The examples of paper 2: locks held, movers, blocks and a solution for P1-1.

use abstraction::Program;
use expr::Terms;
use horn::Inference;
use horn::blocks::{Blocks, Wanted};
use horn::locks::Locks;
use horn::movers::{Mover, movers};
use horn::steps::Steps;
use std::fmt::Write;
use std::time::Duration;
use testkit::{preprocess, workspace_dir};
use verdict::{Budget, Preparation, Property, Task, Verdict};
use xcfa::LocId;

fn task(file: &str, large_blocks: bool) -> Task {
    task_for(file, &[], large_blocks, Property::Reach)
}

/// A program of the experiments with some macros defined.
fn task_for(file: &str, define: &[&str], large_blocks: bool, property: Property) -> Task {
    let path = workspace_dir().join("bench/horn").join(file);
    let text = std::fs::read_to_string(&path).expect("readable C");
    let define = define.iter().map(|name| format!("#define {name}\n"));
    let text = define.collect::<String>() + &text;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(file);
    std::fs::write(&path, text).expect("a writable folder");
    let preparation = match large_blocks {
        true => Preparation::Full,
        false => Preparation::Passes,
    };
    let file = preprocess(&path).expect("readable C");
    testkit::prepared(file, property, preparation).expect("a program")
}

struct Found {
    program: Program,
    locks: Locks,
    movers: Vec<Mover>,
    blocks: Blocks,
    steps: Steps,
}

fn found(large_blocks: bool) -> Found {
    let (program, mut terms): (Program, Terms) =
        Program::of(&task("p1.c", large_blocks).xcfa, 1).expect("a program");
    let locks = Locks::of(&program, &mut terms);
    let movers = movers(&program, &mut terms, &locks, &Budget::unlimited());
    let blocks = Blocks::of(&program, &mut terms, &movers, true).expect("blocks");
    let steps = Steps::of(&program, &mut terms, &blocks);
    Found {
        program,
        locks,
        movers,
        blocks,
        steps,
    }
}

impl Found {
    fn line(&self, edge: xcfa::EdgeId) -> u32 {
        let xcfa = &self.program.unrolled.xcfa;
        xcfa.sources.place(xcfa[edge].span).line
    }

    fn number(&self, name: &str) -> usize {
        let mut threads = self.program.threads.iter();
        threads
            .position(|thread| thread.name == name)
            .expect("a thread of that name")
    }

    /// The lines of a thread in the order of its actions: where each begins, and its actions.
    fn lines(&self, thread: usize) -> Vec<(u32, LocId, Vec<Mover>)> {
        let mut lines: Vec<(u32, LocId, Vec<Mover>)> = Vec::new();
        let mut loc = self.program.threads[thread].init;
        while let [id] = *self.program.out(loc) {
            let action = &self.program[id];
            let line = self.line(action.edge);
            if lines.last().is_none_or(|(last, ..)| *last != line) {
                lines.push((line, loc, Vec::new()));
            }
            let (_, _, kinds) = lines.last_mut().expect("a line was begun");
            kinds.push(self.movers[id.0 as usize]);
            loc = action.target;
        }
        lines
    }

    fn table(&self, name: &str) -> String {
        let mut table = String::new();
        for (number, (_, loc, kinds)) in self.lines(self.number(name)).iter().enumerate() {
            let held = self.locks.held(*loc);
            let held: Vec<&str> = held
                .map(|var| self.program.vars[var.0 as usize].name.as_str())
                .collect();
            let place = match self.blocks.is_inside(*loc) {
                true => "in",
                false => "out",
            };
            let phase = match self.blocks.before_commit.contains(loc.0 as usize) {
                true => "before",
                false => "after",
            };
            let _ = writeln!(table, "{number}: {held:?} {kinds:?} {place} {phase}");
        }
        table
    }
}

/// Examples 3 to 5. The numbers are those of the lines in the paper's Figure 1, the last one being
/// the end of the thread; a line that reads and writes has an action for each. The paper's Example 5 has line 6 before its commit, which
/// its own clauses do not derive; it is outside there and here, so it begins a block.
#[test]
fn locks_movers_and_phases() {
    let found = found(false);
    let expected = expect_test::expect![[r#"
        0: [] [Right] out before
        1: ["mx+0"] [Both] in before
        2: ["mx+0"] [Right] in before
        3: ["mx+0", "my+0"] [Both, Both] in before
        4: ["mx+0", "my+0"] [Left] in before
        5: ["mx+0"] [Both] in after
        6: ["mx+0"] [Right] out before
        7: ["mx+0", "my+0"] [Both, Both] in before
        8: ["mx+0", "my+0"] [Left] in before
        9: ["mx+0"] [Both, Both] in after
        10: ["mx+0"] [Left] in after
        11: [] [Left] in after
    "#]];
    expected.assert_eq(&found.table("thread1"));
    let expected = expect_test::expect![[r#"
        0: [] [Right] out before
        1: ["mx+0"] [Both, Both] in before
        2: ["mx+0"] [Left] in before
        3: [] [Left] in after
    "#]];
    expected.assert_eq(&found.table("thread2"));
    let expected = expect_test::expect![[r#"
        0: [] [Right] out before
        1: ["my+0"] [Both, Both] in before
        2: ["my+0"] [Left] in before
        3: [] [Left] in after
    "#]];
    expected.assert_eq(&found.table("thread3"));
}

/// The blocks (a) to (d) of section II.
#[test]
fn blocks() {
    let found = found(true);
    let blocks = |name: &str| {
        let thread = found.number(name);
        let steps = found.steps.steps.iter();
        steps.filter(|step| step.thread == thread).count()
    };
    assert_eq!(blocks("thread1"), 2);
    assert_eq!(blocks("thread2"), 1);
    assert_eq!(blocks("thread3"), 1);
}

/// Figure 1's blocks have twelve interleavings, of which a-c-b-d cannot be executed.
#[test]
fn twelve_interleavings() {
    let found = found(true);
    let threads = ["thread1", "thread2", "thread3"].map(|name| found.number(name));
    let places = threads.map(|thread| found.program.threads[thread].init);
    assert_eq!(interleavings(&found, &threads, &places), 12);
}

/// How many ways there are from here until no thread has a step left.
fn interleavings(found: &Found, threads: &[usize], places: &[LocId]) -> usize {
    let mut ways = 0;
    for (at, &thread) in threads.iter().enumerate() {
        let steps = found.steps.steps.iter();
        let steps = steps.filter(|step| (step.thread, step.source) == (thread, places[at]));
        for step in steps {
            let mut places = places.to_vec();
            places[at] = step.target;
            ways += interleavings(found, threads, &places);
        }
    }
    ways.max(1)
}

/// The solution for P1-1 excludes that `x` is 11 when all threads have ended.
#[test]
fn solution_of_p1_1() {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
    let config = horn::Config::default();
    let (answer, invariants) = horn::check_with_invariants(&task("p1.c", true), &config, &budget);
    assert!(matches!(answer.verdict, Verdict::Safe(_)));
    let ended = |place: &str| place.matches("at its end").count() == 3;
    let last = invariants.iter().filter(|last| ended(&last.place));
    let last: Vec<&str> = last.map(|last| last.formula.as_str()).collect();
    // One thread comes after the other, whichever is first.
    let values = "(x == 9) || (x == 13)";
    assert!(
        last.iter().any(|formula| formula.contains(values)),
        "{last:?}"
    );
}

/// Threads that never end, and threads without number.
#[test]
fn without_end() {
    for file in ["peterson.c", "dekker.c", "ticket.c", "counter.c"] {
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(300));
        let answer = horn::check(&task(file, true), &horn::Config::default(), &budget);
        assert!(matches!(answer.verdict, Verdict::Safe(_)), "{file}");
    }
}

/// Example 2: where the steps of the first thread lead from and to. In the paper the way round is
/// one step from the second lock inside the loop to itself. Here the head of the loop is outside,
/// because a thread that comes from the loop is past a commit there, so that it is three steps.
#[test]
fn steps_of_example_2() {
    let task = task_for("p1.c", &["LOOP"], true, Property::Termination);
    let (program, mut terms) = Program::waiting(&task.xcfa, 1).expect("a program");
    let locks = Locks::of(&program, &mut terms);
    let movers = movers(&program, &mut terms, &locks, &Budget::unlimited());
    let wanted = Wanted {
        reduction: true,
        fleeting: true,
        inference: Inference::Flow,
    };
    let blocks = Blocks::wanted(&program, &mut terms, &movers, wanted, &Budget::unlimited())
        .expect("blocks");
    let steps = Steps::of(&program, &mut terms, &blocks);
    let xcfa = &program.unrolled.xcfa;
    let place = |loc: LocId| match xcfa[loc].out.first() {
        Some(&edge) => xcfa.sources.line_text(xcfa[edge].span).trim().to_owned(),
        None => "end".to_owned(),
    };
    let own = steps.steps.iter();
    let own = own.filter(|step| program.threads[step.thread].name == "thread1");
    let mut moves: Vec<String> = own
        .map(|step| format!("{} -> {}\n", place(step.source), place(step.target)))
        .collect();
    moves.sort_unstable();
    let expected = expect_test::expect![[r#"
        pthread_mutex_lock(&mx); -> while (a <= 4) {
        pthread_mutex_lock(&my); -> pthread_mutex_lock(&my);
        pthread_mutex_lock(&my); -> while (a <= 4) {
        while (a <= 4) { -> end
        while (a <= 4) { -> pthread_mutex_lock(&my);
    "#]];
    expected.assert_eq(&moves.concat());
}

/// Programs that end, and programs that do not.
#[test]
fn endings() {
    for (file, define, ends) in [
        ("p1.c", &["LOOP"][..], true),
        ("balance.c", &[], true),
        // Sums of variables with factors, and two such one after the other.
        ("exchange.c", &[], true),
        ("refill.c", &[], true),
        ("signals.c", &[], true),
        ("signals.c", &["BUG"], false),
        ("philosophers.c", &["R 1"], true),
        ("philosophers.c", &["R 1", "BUG"], false),
    ] {
        let task = task_for(file, define, true, Property::Termination);
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(300));
        let verdict = horn::check(&task, &horn::Config::default(), &budget)
            .confirm(&task)
            .into_answer()
            .verdict;
        let expected = if ends { "safe" } else { "unsafe" };
        assert_eq!(verdict.name(), expected, "{file} {define:?}: {verdict:?}");
    }
}
