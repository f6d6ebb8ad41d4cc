//! The symbolic step on a store of numbers does what the machine does.
//!
//! Each program is about one kind of label. It is run in many schedules, by the machine and by the
//! step side by side; after each edge both have the same outcome and the same state.

mod numbers;

use numbers::Numbers;
use semantics::{Choice, Host, Machine, Open, Outcome, Property, Tid};
use xcfa::Label;

const PROGRAMS: &[(&str, &str)] = &[
    (
        "assign, assume, await, input",
        "
        global x
        global y
        proc main()
          in -> 1: x := input; y := x + 1
          1 -> 2: assume x < 3; t := y; x := t * 2
          1 -> 2: assume !(x < 3)
          2 -> 1: await y != 0; y := 0
          2 -> out: skip",
    ),
    (
        "load and store",
        "
        global x
        global p
        static a[16]
        stack s[8]
        proc main()
          in -> 1: *(&a + 4) := 7; x := *(&a + 4)
          1 -> 2: p := alloc s
          2 -> 3: x := *p; *p := x + 1
          3 -> 4: x := *(p + 4)
          4 -> 5: x := *p
          5 -> 6: dealloc s
          6 -> out: x := *p",
    ),
    (
        "heap",
        "
        global p
        global q
        global x
        heap h
        proc main()
          in -> 1: p := alloc_zeroed h
          1 -> 2: x := *p; *p := 5
          2 -> 3: free p
          3 -> out: x := *p",
    ),
    (
        "mutex",
        "
        global p
        global x
        static m[8]
        proc other(parg)
          in -> 1: lock &m
          1 -> 2: x := x + 1
          2 -> 3: unlock &m
          3 -> in: skip
        proc main()
          in -> 1: p := start other()
          1 -> 2: p := start other()
          2 -> 3: lock &m
          3 -> 4: x := 0
          4 -> 2: unlock &m",
    ),
    (
        "reader-writer lock",
        "
        global p
        static m[8]
        proc reader(parg)
          in -> 1: lock_read &m
          1 -> 2: lock_read &m
          2 -> 3: unlock_shared &m
          3 -> 4: unlock_shared &m
          4 -> in: unlock_shared &m
        proc main()
          in -> 1: p := start reader()
          1 -> 2: p := start reader()
          2 -> 3: lock_write &m
          3 -> 4: lock_write &m
          3 -> 2: unlock_shared &m
          4 -> out: skip",
    ),
    (
        "lock that is nowhere",
        "
        global p
        proc main()
          in -> 1: p := 5
          1 -> 2: lock p
          1 -> 2: unlock p
          1 -> 2: signal p
          1 -> 2: wait p
          2 -> out: skip",
    ),
    (
        "condition variables",
        "
        global p
        global x
        static c[8]
        static d[8]
        static m[8]
        proc waiter(parg)
          in -> 1: lock &m
          1 -> 2: unlock &m; wait &c
          2 -> 3: await_signal; lock &m
          3 -> 4: x := x + 1; unlock &m
          4 -> 5: wait &d
          5 -> in: await_signal_timed
        proc main()
          in -> 1: p := start waiter()
          1 -> 2: p := start waiter()
          2 -> 3: p := start waiter()
          3 -> 4: signal &c
          4 -> 5: broadcast &d
          5 -> 3: skip
          5 -> 3: broadcast &c
          5 -> 3: signal &d",
    ),
    (
        "threads",
        "
        global p
        global q
        global pr
        global pgiven
        proc other(parg)
          in -> 1: pgiven := parg + self
          1 -> out: thread_exit parg + 7
        proc main()
          in -> 1: p := start other(9)
          1 -> 2: q := start other(3)
          2 -> 3: pr := join p
          2 -> 3: join p
          3 -> 4: join p
          3 -> 4: pr := join 2 + 1
          4 -> out: exit",
    ),
    (
        "atomic sections",
        "
        global p
        global x
        proc other(parg)
          in -> 1: atomic_begin; x := x + 1
          1 -> in: x := x + 2; atomic_end
        proc main()
          in -> 1: p := start other()
          1 -> 2: atomic_begin; atomic_begin
          2 -> 3: x := 0; atomic_end
          3 -> 1: atomic_end",
    ),
];

/// Random answers, which are written down.
struct Random<'a> {
    seed: &'a mut u64,
    given: Vec<u64>,
}

fn next(seed: &mut u64) -> u64 {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    *seed >> 33
}

impl Host for Random<'_> {
    /// The symbolic step has the layout of the machine.
    fn open(&mut self, _: Open) {}

    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        let bound = match choice {
            Choice::Value(..) => 5,
            Choice::Waiter(count) | Choice::Address(count) => count as u64,
        };
        let answer = next(self.seed) % bound;
        self.given.push(answer);
        answer
    }
}

#[test]
fn the_step_agrees_with_the_machine() {
    for (name, text) in PROGRAMS {
        let xcfa = automata::parse(text);
        let machine = Machine::new(&xcfa, Property::Reach);
        let mut moved = vec![false; xcfa.edges.len()];
        for seed in 0..300 {
            walk(name, &machine, seed, &mut moved);
        }
        let moved = moved.iter().filter(|&&moved| moved).count();
        // Otherwise nothing has been compared.
        assert!(moved > 0 || *name == "lock that is nowhere", "{name}");
    }
}

/// Takes random steps from the start, each of them twice.
fn walk(name: &str, machine: &Machine<'_>, mut seed: u64, moved: &mut [bool]) {
    let mut state = machine.initial();
    for _ in 0..40 {
        let runnable: Vec<Tid> = state.runnable().collect();
        let Some(&tid) = runnable.get(next(&mut seed) as usize % runnable.len().max(1)) else {
            return;
        };
        let edges = machine.edges(&state, tid);
        let Some(&edge) = edges.get(next(&mut seed) as usize % edges.len().max(1)) else {
            continue;
        };
        let mut host = Random {
            seed: &mut seed,
            given: Vec::new(),
        };
        let mut after = state.clone();
        let outcome = machine.step(&mut after, tid, edge, &mut host);
        let labels = &machine.xcfa[edge].labels;
        let at = |what: &str| format!("{name}, {labels:?}: {what}");
        let mut numbers = Numbers::new(machine, &state, tid, edge, host.given);
        let followed = numbers.follow();
        match outcome {
            Outcome::Moved { .. } => {
                assert_eq!(followed, Ok(()), "{}", at("the step stops"));
                assert_eq!(numbers.state, after, "{}", at("the states differ"));
                moved[edge.0 as usize] = true;
                state = after;
            }
            Outcome::Blocked => {
                assert_eq!(followed, Err(numbers::Stop::Blocked), "{}", at("waits"))
            }
            Outcome::Cut(_) => {
                assert_eq!(followed, Err(numbers::Stop::Cut), "{}", at("is cut off"))
            }
            // What the machine does not follow means nothing.
            Outcome::Beyond(_) => {}
            Outcome::Violation(_) => panic!("{}", at(&format!("{outcome:?}"))),
        }
    }
}

/// Does one of the programs have each kind of label that stores follow?
#[test]
fn every_label_has_a_program() {
    let kind = |label: &Label| -> String {
        let text = format!("{label:?}");
        let end = text.find(|c: char| !c.is_alphanumeric());
        text[..end.unwrap_or(text.len())].to_owned()
    };
    let xcfas = PROGRAMS.iter().map(|(_, text)| automata::parse(text));
    let mut kinds: Vec<String> = xcfas
        .flat_map(|xcfa| {
            xcfa.edges
                .iter()
                .flat_map(|edge| edge.labels.clone())
                .collect::<Vec<_>>()
        })
        .map(|label| kind(&label))
        .collect();
    kinds.sort();
    kinds.dedup();
    let expected = "Alloc Assign Assume AtomicBegin AtomicEnd Await AwaitSignal Dealloc Exit Free Havoc Join \
        Load Lock Signal Start Store ThreadExit Unlock Wait";
    assert_eq!(kinds.join(" "), expected);
}
