//! The case study of paper 1, section 5.1: the automata of Figure 5.1, explicit values, first only
//! of `x`, abstraction-aware reduction and lazy pruning. Precisions, chosen sets, validity sets and
//! abstract states are those of the text and of Figure 5.2.

use abstraction::por::Dependence;
use cegar::{Config, Domain, NodeView, Prune, Search, Snapshot, check_watched};
use expr::{Op, Sort, Term, VarId};
use verdict::{Budget, Program, Property, Task, Verdict};
use xcfa::{
    DataModel, ErrorKind, FileId, Label, LocId, ProcId, Scope, SourceFile, Sources, Span, Var, Xcfa,
};

/// One action a line.
const LINES: &str = "start t\nx = 2\ny = 2\nx > y\nx <= y\ny = 1\njoin t\n";

fn line(text: &str) -> Span {
    let lo = LINES.find(text).expect("a line of the program") as u32;
    Span {
        file: FileId(0),
        lo,
        hi: lo + text.len() as u32,
    }
}

fn global(xcfa: &mut Xcfa, name: &str, sort: Sort) -> VarId {
    xcfa.add_var(Var {
        name: name.into(),
        sort,
        signed: true,
        pointer: false,
        scope: Scope::Global,
        init: None,
        temp: false,
        alias: None,
    })
}

fn assign(xcfa: &mut Xcfa, var: VarId, value: u64) -> Label {
    let value = xcfa.terms.bv(32, value);
    Label::Assign { var, value }
}

fn then(xcfa: &mut Xcfa, proc: ProcId, from: LocId, label: Label, text: &str) -> LocId {
    let to = xcfa.add_loc(proc);
    xcfa.connect(from, to, vec![label], line(text));
    to
}

/// Thread t: alpha is `x = 2`, beta is `y = 2`, then the test. Thread m: gamma is `y = 1`.
fn program() -> Task {
    let mut sources = Sources::default();
    sources.add(SourceFile::new("figure-5-1.c", LINES));
    let mut xcfa = Xcfa::new(DataModel::Lp64, sources);
    let x = global(&mut xcfa, "x", Sort::Bv(32));
    let y = global(&mut xcfa, "y", Sort::Bv(32));
    let handle = global(&mut xcfa, "handle", Sort::Bv(64));

    let t = xcfa.add_proc("t", Span::default());
    let start = xcfa[t].init;
    let alpha = assign(&mut xcfa, x, 2);
    let at = then(&mut xcfa, t, start, alpha, "x = 2");
    let beta = assign(&mut xcfa, y, 2);
    let at = then(&mut xcfa, t, at, beta, "y = 2");
    let (of_x, of_y): (Term, Term) = (xcfa.read(x), xcfa.read(y));
    let greater = xcfa.terms.binary(Op::Slt, of_y, of_x);
    let error = then(&mut xcfa, t, at, Label::Assume(greater), "x > y");
    xcfa[error].error = Some(ErrorKind::Reached);
    let not_greater = xcfa.terms.not(greater);
    let nothing = xcfa.terms.bv(64, 0);
    let exit = xcfa[t].exit;
    let labels = vec![Label::Assume(not_greater), Label::ThreadExit(nothing)];
    xcfa.connect(at, exit, labels, line("x <= y"));

    let m = xcfa.add_proc("m", Span::default());
    xcfa.main = m;
    let start = xcfa[m].init;
    let create = Label::Start {
        handle,
        proc: t,
        arg: nothing,
    };
    let at = then(&mut xcfa, m, start, create, "start t");
    let gamma = assign(&mut xcfa, y, 1);
    let at = then(&mut xcfa, m, at, gamma, "y = 1");
    let thread = xcfa.read(handle);
    let join = Label::Join {
        thread,
        result: None,
    };
    then(&mut xcfa, m, at, join, "join t");
    Task::prepare(&Program::from_automaton(xcfa), Property::Reach).expect("an automaton")
}

/// `[y = 1 | x = 2] x=2 ...`: where the threads are, what is known, what is done.
fn show(node: &NodeView) -> String {
    let at = |(_, line): &(String, String)| match line.strip_prefix("line ") {
        Some(number) => {
            let number: usize = number.parse().expect("a number");
            LINES.lines().nth(number - 1).expect("a line").to_owned()
        }
        None => line.clone(),
    };
    let threads: Vec<String> = node.threads.iter().map(at).collect();
    let known: Vec<&str> = node.known.iter().map(String::as_str).collect();
    let known: Vec<&str> = known
        .into_iter()
        .filter(|k| !k.starts_with("handle"))
        .collect();
    let mut text = format!("[{}] {{{}}}", threads.join(" | "), known.join(", "));
    let explored: Vec<&str> = node.explored.iter().map(|a| a.text.as_str()).collect();
    if node.expanded && !explored.is_empty() {
        text += &format!(" explores {}", explored.join(", "));
    }
    for left in &node.left_out {
        let who = if left.by_basic {
            "any reduction"
        } else {
            "aware"
        };
        text += &format!("; {who} cuts {}", left.action.text);
    }
    if !node.validity.is_empty() {
        text += &format!("; until {}", node.validity.join(", "));
    }
    text
}

fn run() -> (Vec<Snapshot>, Verdict) {
    let config = Config {
        domain: Domain::Explicit,
        dependence: Dependence::Ours,
        prune: Prune::Lazy,
        search: Search::Dfs,
        track: vec!["x".into(), "handle".into()],
        ..Config::default()
    };
    let mut snapshots = Vec::new();
    let mut watch = |snapshot: Snapshot| snapshots.push(snapshot);
    let task = program();
    let budget = Budget::unlimited();
    let answer = check_watched(&task, &config, &budget, Some(&mut watch));
    (snapshots, answer.verdict)
}

fn states(snapshot: &Snapshot) -> Vec<String> {
    snapshot.nodes.iter().map(show).collect()
}

#[test]
fn first_iteration() {
    let (snapshots, _) = run();
    let first = &snapshots[0];
    assert_eq!(first.precision, ["x", "handle"]);
    assert_eq!(
        states(first),
        [
            "[start t] {x = 0} explores start t",
            "[y = 1 | x = 2] {x = 0} explores x = 2; any reduction cuts y = 1",
            "[y = 1 | y = 2] {x = 2} explores y = 1; aware cuts y = 2; until y",
            "[join t | y = 2] {x = 2} explores y = 2",
            "[join t | x > y] {x = 2} explores x > y, x <= y",
            "[join t | error] {x = 2}",
            "[join t | ended] {x = 2}",
        ]
    );
    assert_eq!(first.path, [0, 1, 2, 3, 4, 5]);
}

#[test]
fn second_iteration() {
    let (snapshots, verdict) = run();
    assert_eq!(snapshots.len(), 2);
    let second = &snapshots[1];
    assert_eq!(second.precision, ["x", "handle", "y"]);
    let states = states(second);
    // What was kept: the first three states, of which the third is expanded again.
    assert_eq!(
        states[..3],
        [
            "[start t] {x = 0} explores start t",
            "[y = 1 | x = 2] {x = 0} explores x = 2; any reduction cuts y = 1",
            "[y = 1 | y = 2] {x = 2} explores y = 1, y = 2",
        ]
    );
    let error = second
        .nodes
        .iter()
        .find(|node| Some(&node.id) == second.path.last());
    assert_eq!(
        error.map(show).as_deref(),
        Some("[join t | error] {x = 2, y = 1}")
    );
    let path: Vec<String> = second
        .path
        .iter()
        .filter_map(|id| second.nodes.iter().find(|node| node.id == *id))
        .filter_map(|node| node.parent.as_ref().map(|(_, by)| by.text.clone()))
        .collect();
    assert_eq!(path, ["start t", "x = 2", "y = 2", "y = 1", "x > y"]);
    assert!(matches!(verdict, Verdict::Unsafe(_)));
}
