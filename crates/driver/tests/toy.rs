//! An engine from outside: one `impl`, one line in the registry, and the driver runs it.

use driver::{Plan, Program, Property, Registry, SourceFile, Task, Verdict};
use engine::{About, BadOption, Checker, Engine, OptionSpec, Options, Values};
use verdict::{Answer, Reason};

/// Runs the program a few times with random schedules.
struct Lucky;

impl Engine for Lucky {
    fn about(&self) -> About {
        let numbers = Values::Number {
            least: 1,
            most: 1000,
            samples: &[10],
        };
        let runs = OptionSpec::new("runs", "N", "How often", numbers).or("10");
        About {
            name: "lucky",
            summary: "Run the program a few times with random schedules",
            page: "",
            properties: vec![Property::Reach, Property::Race],
            options: vec![runs],
        }
    }

    fn configure(&self, _: Property, options: &Options) -> Result<Checker, BadOption> {
        let runs = options.number("runs")?.unwrap_or(10);
        Ok(Box::new(move |task, budget| -> Answer {
            let config = simulate::Config {
                seed: 1,
                runs: Some(runs),
                preemptions: None,
            };
            simulate::check(task, &config, budget)
        }))
    }
}

#[test]
fn an_engine_from_outside_is_asked_by_its_name() {
    let text = "typedef unsigned long pthread_t; int x; extern void reach_error(void);
        extern int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
        void *t(void *a) { x = 1; return 0; }
        int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); if (!x) reach_error(); }";
    let program = Program::new(vec![SourceFile::new("toy.c", text)]);
    let registry = Registry::standard().with(&Lucky);
    let plan = Plan::default().with_registry(registry).with_engine("lucky");
    let asked = |property| {
        let task = Task::prepare(&program, property).expect("it is C");
        driver::check(&task, &plan).expect("there are no options")
    };
    assert!(asked(Property::Reach).confirmed.replay().is_some());
    let refused = Reason::unsupported("lucky does not check deadlock");
    let outcome = asked(Property::Deadlock);
    assert_eq!(*outcome.verdict(), Verdict::Unknown(refused));
}
