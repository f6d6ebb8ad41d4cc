//! Runs the engine on preprocessed files: FILE SECONDS [ORDER] [COMMUTATIVITY].
use engine::Engine;
use std::time::{Duration, Instant};
use verdict::{Budget, Listener, Program, Property, Task, Verdict};
use xcfa::SourceFile;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let began = Instant::now();
    let program = Program::new(vec![SourceFile::new(args[1].clone(), text)]);
    let task = match Task::prepare(&program, Property::Reach) {
        Ok(task) => task,
        Err(refused) => return println!("refused {refused}"),
    };
    if std::env::var("DUMP").is_ok() { dump(&task); }
    let mut options = engine::Options::default();
    if let Some(order) = args.get(3) {
        options.add("order", order);
    }
    if let Some(level) = args.get(4) {
        options.add("commutativity", level);
    }
    let limit = Duration::from_secs(args[2].parse().unwrap());
    let budget = Budget::unlimited().with_timeout(limit);
    let budget = match std::env::var("TELL") {
        Ok(_) => budget.with_listener(Listener::new(|text| eprintln!("  {text}"))),
        Err(_) => budget,
    };
    let checker = reduce::Reduce.configure(Property::Reach, &options).unwrap();
    let answer = checker(&task, &budget);
    let what = match &answer.verdict {
        Verdict::Unknown(reason) => format!("unknown {reason}"),
        Verdict::Safe(verdict::Proof::ReducedProduct { states, clauses, .. }) => format!("safe {states} {clauses}"),
        other => other.name().to_string(),
    };
    println!("{:.2} {what}", began.elapsed().as_secs_f64());
}

pub fn dump(task: &Task) {
    let (program, mut terms) = abstraction::Program::remembering(&task.xcfa, 1).unwrap();
    eprintln!("given up {:?}", program.given_up);
    eprintln!("accesses {:?}", program.memory.accesses.len());
    let letters = reduce::Letters::of(&program, &mut terms, task.property.error().unwrap(), false).unwrap();
    struct N<'a>(&'a abstraction::Program);
    impl expr::Names for N<'_> {
        fn var(&self, var: expr::VarId) -> String { self.0.vars[var.0 as usize].name.clone() }
        fn base(&self, o: expr::ObjId) -> String { format!("obj{}", o.0) }
    }
    for id in letters.ids() {
        let l = &letters[id];
        eprintln!("{} t{} {}->{} heads {:?} if {} agrees {}", id.0, l.thread, l.source.0, l.target.0, l.heads, terms.show(l.guard, &N(&program)), terms.show(l.agrees, &N(&program)));
        for (v, t) in l.updates.iter().chain(&l.remembered) { eprintln!("      {} := {}", program.vars[v.0 as usize].name, terms.show(*t, &N(&program))); }
    }
}
