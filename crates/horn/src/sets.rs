//! Sets of threads that an invariant is about together.
//!
//! With index k, there is one invariant for each k threads, over the globals and the locals of
//! those k; all other threads are their environment. If k is the number of all threads, the
//! environment is empty, and the invariant is one of the whole program.

use crate::variables::Member;
use abstraction::Program;

/// All sets of `index` threads, as sorted lists; threads of a template can be there several times.
pub fn sets(program: &Program, index: usize) -> Vec<Vec<Member>> {
    let mut found = Vec::new();
    extend(program, index, &mut Vec::new(), &mut found);
    found
}

fn extend(program: &Program, index: usize, chosen: &mut Vec<Member>, found: &mut Vec<Vec<Member>>) {
    if chosen.len() == index {
        found.push(chosen.clone());
        return;
    }
    let first = chosen.last().map_or(0, |last| last.thread);
    for thread in first..program.threads.len() {
        let copy = chosen.iter().filter(|m| m.thread == thread).count();
        if copy > 0 && !program.threads[thread].many {
            continue;
        }
        chosen.push(Member { thread, copy });
        extend(program, index, chosen, found);
        chosen.pop();
    }
}

/// The index that leaves no environment, if there is one.
pub fn whole(program: &Program) -> Option<usize> {
    (!program.has_templates()).then_some(program.threads.len())
}
