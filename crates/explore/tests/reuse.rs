//! Where the machine does not try whether an address is used again, it cannot be decided: random programs
//! that allocate, free, copy and compare reach the same errors with the marks of `mark_reuse` as with
//! every object marked.

use automata::parse;
use dataflow::PointsTo;
use explore::{Config, check};
use semantics::Property;
use verdict::{Budget, Program, Task};
use xcfa::Xcfa;

const PROGRAMS: u64 = 400;
const POINTERS: &[&str] = &["pa", "pb", "pc"];
const SITES: &[&str] = &["h", "k"];

/// A small generator of numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// Some steps; the last one leads to `out`.
fn steps(random: &mut Random, count: usize, end: &str) -> String {
    let mut text = String::new();
    let mut owners: Vec<usize> = Vec::new();
    let name = |at: usize| {
        if at == 0 {
            "in".to_owned()
        } else {
            at.to_string()
        }
    };
    for at in 0..count {
        let (here, next) = (name(at), name(at + 1));
        let first = random.below(POINTERS.len());
        let second = (first + 1 + random.below(POINTERS.len() - 1)) % POINTERS.len();
        let (p, q) = (POINTERS[first], POINTERS[second]);
        let mut edge = |labels: String| text += &format!("{here} -> {next}: {labels}\n");
        match random.below(10) {
            // Only the variable that got the memory frees it, and only once.
            0..3 => {
                edge(format!(
                    "po{at} := alloc {}; {p} := po{at}",
                    random.pick(SITES)
                ));
                owners.push(at);
            }
            3 | 4 => match owners.pop() {
                Some(owner) => edge(format!("free po{owner}")),
                None => edge("skip".into()),
            },
            5 => edge(format!("{p} := {q}")),
            6 | 7 => {
                edge(format!("assume {p} == {q}; x := x + 1"));
                edge(format!("assume !({p} == {q})"));
            }
            8 => {
                edge(format!("assume {p} == 0; x := x + 1"));
                edge(format!("assume !({p} == 0)"));
            }
            _ => edge("x := x + 2".into()),
        }
    }
    text + &format!("{} -> out: {end}\n", name(count))
}

/// A program that counts in `x` and fails if it gets to `goal`.
fn program(random: &mut Random) -> (String, usize) {
    let worker = steps(random, 4, "thread_exit 0");
    let main = steps(random, 7, "skip").replace("-> out: skip", "-> 90: join pt");
    let first = "in -> 0: pt := start worker()";
    let main = main.replace("in ->", "0 ->");
    let text = format!(
        "heap h[8]\nheap k[20]\nglobal x\nglobal pa\nglobal pb\nglobal pc\n\
         proc worker(px)\n{worker}\
         proc main()\n{first}\n{main}\
         90 -> bad!: assume x == GOAL\n90 -> out: assume !(x == GOAL); exit\n"
    );
    (text, 1 + random.below(5))
}

fn verdict(xcfa: Xcfa) -> &'static str {
    let program = Program::from_automaton(xcfa);
    let task = Task::prepare(&program, Property::Reach).expect("an automaton");
    let answer = check(&task, &Config::default(), &Budget::unlimited());
    answer.confirm(&task).verdict().name()
}

#[test]
fn unmarked_reuse_cannot_be_told() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut some, mut none, mut told) = (0, 0, 0);
    for _ in 0..PROGRAMS {
        let (text, goal) = program(&mut random);
        let text = text.replace("GOAL", &goal.to_string());
        let mut marked = parse(&text);
        let points_to = PointsTo::of(&marked);
        dataflow::mark_reuse(&mut marked, &points_to, false);
        let mut all = parse(&text);
        all.objects
            .iter_mut()
            .for_each(|object| object.reuses = true);
        let never = verdict(parse(&text));
        let any = marked.objects.iter().any(|object| object.reuses);
        let (with_marks, with_all) = (verdict(marked), verdict(all));
        assert_eq!(with_marks, with_all, "{text}");
        some += usize::from(any);
        none += usize::from(!any);
        told += usize::from(with_all != never);
    }
    assert!(
        some > 50 && none > 50 && told > 5,
        "{some} {none} {told}: the programs are too much alike"
    );
}
