//! A budget says when to stop, and why.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use verdict::{Budget, Listener, Reason};

const HOUR: Duration = Duration::from_secs(3600);

#[test]
fn what_is_used_up_is_the_reason() {
    let unlimited = Budget::unlimited;
    let cases = [
        (unlimited(), u64::MAX, None),
        (unlimited().with_timeout(HOUR), 0, None),
        (
            unlimited().with_timeout(Duration::ZERO),
            0,
            Some(Reason::OutOfTime),
        ),
        (unlimited().with_memory(100), 100, None),
        (unlimited().with_memory(100), 101, Some(Reason::OutOfMemory)),
        // A time that no clock can show is no limit.
        (unlimited().with_timeout(Duration::MAX), 0, None),
    ];
    for (budget, bytes, reason) in cases {
        assert_eq!(budget.exceeded(bytes), reason, "{budget:?}");
    }
}

#[test]
fn a_part_of_a_budget_is_never_more() {
    let whole = Budget::unlimited().with_timeout(HOUR);
    let part = |time| whole.at_most(time).remaining().expect("a limit");
    assert!(part(Duration::from_secs(10)) <= Duration::from_secs(10));
    assert!(part(2 * HOUR) <= HOUR);
    let alone = Budget::unlimited().at_most(Duration::ZERO);
    assert_eq!(alone.exceeded(0), Some(Reason::OutOfTime));
    assert_eq!(Budget::unlimited().remaining(), None);
}

#[test]
fn an_interrupt_stops_all_parts() {
    let whole = Budget::unlimited();
    let part = whole.at_most(HOUR);
    whole.interrupt_flag().store(true, Ordering::Relaxed);
    assert_eq!(part.exceeded(0), Some(Reason::Interrupted));
}

#[test]
fn only_a_listener_costs_words() {
    Budget::unlimited().tell(|| unreachable!("nobody listens"));
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ear = Arc::clone(&heard);
    let listener = Listener::new(move |word| ear.lock().unwrap().push(word.to_owned()));
    let budget = Budget::unlimited().with_listener(listener);
    budget.tell(|| "half-way".to_owned());
    assert_eq!(*heard.lock().unwrap(), ["half-way"]);
}
