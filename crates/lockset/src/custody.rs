//! Locks that only their holders unlock.
//!
//! A thread *believes* in a lock from the label that takes it to the first label of its own that may
//! change its words ([`crate::held`]). The machine lets any thread unlock any lock, and lets stores
//! change its words; so belief proves nothing until it is shown that no other thread does that. A label
//! that takes locks is *trusted* if the following holds of every lock that it takes.
//!
//! Law: whenever a thread believes in a lock that it has taken at a trusted label, the words say so. For
//! a mutex, or a reader-writer lock taken for writing, the first word is the handle of that thread. For
//! one taken for reading, the first word is zero, and the second is at least the number of beliefs in
//! it. So two threads never believe in one lock, unless both have taken it for reading.
//!
//! The set of trusted labels is the largest one for which the rules below hold. It is found by trusting
//! all, following beliefs, and dropping those for which a rule fails, until none does. That beliefs are
//! followed under the assumption that the law holds is no circle: the law holds at first, when no thread
//! believes anything, and if it holds in a state it holds after the next step. For suppose that a
//! label changes words of a lock that was taken at a trusted label.
//!
//! - It takes a lock. Then it is a lock of the same kind at the same address (rule *one lock*), whose
//!   words said that it was free. So no thread believed in it, or it was taken for reading and is now
//!   taken for reading once more. (The count does not wrap: rule *no wrap*.) A thread that believes in
//!   several locks taken exclusively has therefore several addresses.
//! - It unlocks a lock, stores, or ends the life of memory. Then (rules of *release*)
//!   - there is no other thread; or
//!   - the thread believes in exactly this lock, on every way on which it comes there, and the lock was
//!     taken in a mode that fits. As the law held, no other thread has it exclusively. The thread's belief
//!     ends; other readers are counted still; or
//!   - no other thread that runs then can believe in it: it holds a lock that all believers hold
//!     as well, and one of the two exclusively; or threads that take it are not there; or what they take
//!     is certainly elsewhere.
//!
//! What a thread changes itself ends its own beliefs, which is part of following them.

use crate::address_disjointness::{Access, AddressDisjointness, size};
use crate::held::Held;
use crate::lock::excluding;
use crate::may_happen_in_parallel::Role;
use crate::program::Program;
use crate::words::{Change, Effect, Words};
use dataflow::{Alignment, BitSet};
use xcfa::{Label, LockMode};

/// The locks that threads hold, as far as that is proved.
pub fn held(program: &Program<'_>, mut apart: Option<&mut AddressDisjointness<'_, '_>>) -> Held {
    let words = Words::of(program, apart.as_ref().map(|it| &it.values));
    let mut custody = Custody {
        program,
        words: &words,
        trusted: BitSet::new(),
    };
    custody.trusted = custody.candidates();
    loop {
        let knowledge = apart.as_mut().map(|it| (&mut it.values, &mut it.prover));
        let held = Held::of(program, &words, &custody.trusted, knowledge);
        let broken = custody.broken(&held, &mut apart);
        if broken.is_empty() {
            return held;
        }
        for take in broken {
            custody.trusted.remove(take);
        }
    }
}

struct Custody<'c, 'a> {
    program: &'c Program<'a>,
    words: &'c Words,
    /// Labels that take locks, by number of the change.
    trusted: BitSet,
}

impl Custody<'_, '_> {
    /// The labels of which it is known which lock they take, and that disturb no other lock.
    fn candidates(&self) -> BitSet {
        let xcfa = self.program.xcfa;
        let alignment = Alignment::of(xcfa, self.program.points_to);
        let wild = self.words.changes.iter().any(Change::is_wild);
        let is_candidate = |take: &usize| {
            let mut others = self.words.takes();
            !wild
                && self.words.changes[*take].identity.is_some()
                && others.all(|it| self.words.are_one_lock(&alignment, xcfa, *take, it))
        };
        self.words.takes().filter(is_candidate).collect()
    }

    /// Trusted labels of which the rules do not hold.
    fn broken(
        &self,
        held: &Held,
        apart: &mut Option<&mut AddressDisjointness<'_, '_>>,
    ) -> Vec<usize> {
        let mut broken = Vec::new();
        for take in self.trusted.iter() {
            let changes = 0..self.words.changes.len();
            let mut releases = changes.filter(|&it| {
                let change = &self.words.changes[it];
                change.taken().is_none() && change.meets(&self.words.changes[take])
            });
            // Also by labels that are not trusted.
            let mut readers = self
                .words
                .takes()
                .filter(|&it| self.words.changes[it].meets(&self.words.changes[take]));
            let wraps = readers.any(|it| self.may_wrap(held, it));
            if wraps || !releases.all(|it| self.is_harmless(held, apart, it, take)) {
                broken.push(take);
            }
        }
        broken
    }

    /// Does the change leave alone what other threads have taken at the label?
    fn is_harmless(
        &self,
        held: &Held,
        apart: &mut Option<&mut AddressDisjointness<'_, '_>>,
        change: usize,
        take: usize,
    ) -> bool {
        held.is_own(change)
            || self.is_alone(change)
            || self.are_apart_by_lock(held, change, take)
            || apart
                .as_mut()
                .is_some_and(|apart| self.are_apart(held, apart, change, take))
    }

    /// Is the change made before there are other threads?
    fn is_alone(&self, change: usize) -> bool {
        let (edge, label) = self.words.changes[change].at;
        let edge = &self.program.xcfa[edge];
        let starts = |it: &Label| matches!(it, Label::Start { .. } | Label::Call { .. });
        self.program.xcfa.before_threads()[edge.source.0 as usize]
            && !edge.labels[..label].iter().any(starts)
    }

    /// Does the thread that makes the change hold a lock that excludes all believers?
    fn are_apart_by_lock(&self, held: &Held, change: usize, take: usize) -> bool {
        let mine = held.before(self.words.changes[change].at.0);
        let mut believers = held.believers(self.words.changes[take].at);
        !mine.is_empty() && believers.all(|loc| excluding(&mine, &held.at(loc)).is_some())
    }

    /// Are the believers not there when the change is made, or is it to other memory than theirs?
    fn are_apart(
        &self,
        held: &Held,
        apart: &mut AddressDisjointness<'_, '_>,
        change: usize,
        take: usize,
    ) -> bool {
        let (change, take) = (&self.words.changes[change], &self.words.changes[take]);
        let access = |it: &Change| Access {
            edge: it.at.0,
            label: it.at.1,
            size: size(self.program, it.at.0, it.at.1),
        };
        let at = self.program.xcfa[change.at.0].source;
        held.believers(take.at).all(|loc| {
            let ways = apart
                .may_happen_in_parallel
                .ways_between(self.program, at, loc);
            ways.into_iter().all(|way| {
                // What is known of a creator depends on where it is.
                way.second != Role::Creator
                    && apart.reason(way, access(change), access(take)).is_some()
            })
        })
    }

    /// May the label take a lock for reading again and again, until the count of readers wraps?
    fn may_wrap(&self, held: &Held, take: usize) -> bool {
        let change = &self.words.changes[take];
        if change.taken() != Some(LockMode::Read) {
            return false;
        }
        let xcfa = self.program.xcfa;
        let (edge, proc) = (change.at.0, xcfa[xcfa[change.at.0].source].proc);
        let changes = self.words.changes.iter().enumerate();
        let given: Vec<_> = changes
            .filter(|(number, it)| {
                matches!(it.effect, Effect::Unlock(_))
                    && held.is_own(*number)
                    && it.identity == change.identity
                    && held.was_taken_at(xcfa[it.at.0].source, it.identity, change.at)
            })
            .map(|(_, it)| it.at.0)
            .collect();
        let again = self
            .program
            .reaches(xcfa[edge].target, xcfa[edge].source, |it| {
                given.contains(&it)
            });
        again || xcfa.calls().is_recursive(proc)
    }
}

#[cfg(test)]
mod tests {
    use super::held;
    use crate::address_disjointness::AddressDisjointness;
    use crate::lock::Identity;
    use crate::program::Program;
    use automata::parse;
    use expect_test::{Expect, expect};

    /// Prints what is held where.
    fn check(text: &str, expected: Expect) {
        let xcfa = parse(text).into();
        let program = Program::of(&xcfa);
        let mut apart = AddressDisjointness::of(&program).expect("a small program");
        let held = held(&program, Some(&mut apart));
        let mut out = String::new();
        for loc in xcfa.loc_ids() {
            let names: Vec<String> = held
                .at(loc)
                .iter()
                .map(|lock| match lock.identity {
                    Identity::Name(object, offset) => format!("{}+{offset}", xcfa[object].name),
                    Identity::Address(_) => "by address".to_owned(),
                })
                .collect();
            if !names.is_empty() {
                out += &format!("L{}: {}\n", loc.0, names.join(" "));
            }
        }
        expected.assert_eq(&out);
    }

    #[test]
    fn only_what_is_held_on_every_way_counts() {
        check(
            "static m[8]
             static n[16]
             proc main()
               in -> 1: lock &m
               1 -> 2: lock (&n + 8)
               2 -> 3: unlock (&n + 8)
               2 -> 3: skip
               3 -> 4: unlock &m
               4 -> out: skip",
            expect![[r#"
                L2: m+0
                L3: m+0 n+8
                L4: m+0
            "#]],
        );
    }

    #[test]
    fn a_lock_that_another_thread_may_unlock_is_held_by_nobody() {
        check(
            "static m[8]
             static n[8]
             proc worker(pa)
               in -> 1: lock &m
               1 -> 2: lock &n
               2 -> 3: unlock &n
               3 -> out: unlock &m
             proc main()
               in -> 1: unlock &n
               1 -> 2: h := start worker(0)
               2 -> out: unlock &m",
            expect![[r#"
                L5: n+0
            "#]],
        );
    }

    #[test]
    fn distrust_spreads_to_whoever_relied_on_it() {
        // The second mutex is unlocked under the first, which is the only reason why no other
        // thread can have it then.
        let text = |last: &str| {
            format!(
                "static m[8]
                 static n[8]
                 proc worker(pa)
                   in -> 1: lock &m
                   1 -> 2: lock &n
                   2 -> 3: unlock &n
                   3 -> out: unlock &m
                 proc main()
                   in -> 1: h := start worker(0)
                   1 -> 2: lock &m
                   2 -> 3: unlock &n
                   3 -> 4: unlock &m
                   4 -> out: {last}"
            )
        };
        check(
            &text("skip"),
            expect![[r#"
                L4: m+0
                L5: m+0 n+0
                L6: m+0
                L8: m+0
                L9: m+0
            "#]],
        );
        check(&text("unlock &m"), expect![""]);
    }

    #[test]
    fn creators_hold_locks_while_they_start_threads() {
        check(
            "static m[8]
             proc first(pa)
               in -> 1: lock &m
               1 -> out: unlock &m
             proc second(pa)
               in -> out: *&m := 0
             proc main()
               in -> 1: h := start first(0)
               1 -> 2: lock &m
               2 -> 3: h := start second(0)
               3 -> out: unlock &m",
            expect![""],
        );
    }

    #[test]
    fn conditions_tell_ways_apart() {
        check(
            "static m[8]
             proc main()
               in -> 1: t := input
               1 -> 2: lock &m; r := 0
               1 -> 2: r := 16
               2 -> 3: assume r == 0
               2 -> out: assume r != 0
               3 -> 4: skip
               4 -> out: unlock &m",
            expect![[r#"
                L4: m+0
                L5: m+0
            "#]],
        );
    }

    #[test]
    fn overlapping_locks_and_locks_of_two_kinds_prove_nothing() {
        check(
            "static m[16]
             static n[16]
             proc main()
               in -> 1: lock &m
               1 -> 2: lock (&m + 2)
               2 -> 3: lock &n
               3 -> 4: lock_read &n
               4 -> out: skip",
            expect![""],
        );
    }
}
