//! Questions that an event asks, and the answers to try.

use semantics::{Access, Cell, Choice, Host, Open, Tid};
use smallvec::SmallVec;
use xcfa::HavocOrigin;

use crate::concolic::InputSpace;
use crate::event::Answers;
use expr::Sort;

/// All answers to one question; none if it is about a number, which has one value at a time.
pub type Options = SmallVec<[u64; 2]>;

/// Answers the questions of one event and remembers its accesses.
pub struct Oracle {
    given: Answers,
    next: usize,
    /// What was asked so far: the answer, and all answers that there are.
    asked: Vec<(u64, Options)>,
    /// Questions that an edge asked before it turned out to be impossible.
    returned: Vec<(u64, Options)>,
    /// Accesses that others could notice, in order.
    pub log: Vec<Access>,
    /// All accesses in order, also those of attempts that came to nothing.
    pub seen: Vec<Access>,
    /// Whose end the last step wanted to wait for.
    pub joined: Option<Tid>,
    /// What C leaves open and the machine has decided, in any event so far.
    pub open: Option<Open>,
    /// Does it matter which thread a signal wakes?
    signals_matter: bool,
    /// Was nothing asked since the beginning but truth values and which edge to take?
    pub plain: bool,
    /// Whose event it is, and how many events it has behind it.
    pub asker: (u32, u32),
    /// The values of numbers that the program asks for.
    pub space: InputSpace,
}

impl Oracle {
    /// For a property for which it matters, or does not, which thread a signal wakes.
    pub fn new(signals_matter: bool, space: InputSpace) -> Oracle {
        Oracle {
            given: Answers::new(),
            next: 0,
            asked: Vec::new(),
            returned: Vec::new(),
            log: Vec::new(),
            seen: Vec::new(),
            joined: None,
            open: None,
            signals_matter,
            plain: true,
            asker: (0, 0),
            space,
        }
    }

    /// Begins an event with these answers.
    pub fn begin(&mut self, given: &Answers) {
        self.given.clear();
        if !given.is_empty() {
            self.given.extend_from_slice(given);
        }
        self.next = 0;
        self.asked.clear();
        self.plain = true;
        self.log.clear();
        self.seen.clear();
    }

    /// Undoes what was done since there were `seen` accesses: it was only a trial.
    pub fn put_back(&mut self, seen: usize) {
        self.seen[seen..]
            .iter_mut()
            .for_each(|access| access.write = false);
    }

    /// What was asked, with all answers that there are.
    pub fn questions(&self) -> &[(u64, Options)] {
        &self.asked
    }

    /// The event is one that asked these questions before: would it get the same answers?
    pub fn would_answer(&self, given: &Answers, questions: &[(u64, Options)]) -> bool {
        let mut numbered = questions.iter().enumerate();
        numbered.all(|(at, (answer, options))| given.get(at).or(options.first()) == Some(answer))
    }

    /// Asks these questions again.
    pub fn ask_again(&mut self, questions: &[(u64, Options)]) {
        self.next = questions.len();
        if !(self.asked.is_empty() && questions.is_empty()) {
            self.asked.clear();
            self.asked.extend_from_slice(questions);
        }
    }

    /// How many questions there were.
    pub fn mark(&self) -> usize {
        self.next
    }

    /// Drops the questions since the mark.
    pub fn rewind(&mut self, mark: usize) {
        self.next = mark;
        self.asked.truncate(mark);
    }

    /// The questions since the mark were asked by an edge that is not possible under the answers.
    pub fn give_back(&mut self, mark: usize) {
        if self.asked.len() - mark > self.returned.len() {
            self.returned = self.asked.split_off(mark);
        }
        self.rewind(mark);
    }

    /// Another step begins.
    pub fn forget_returned(&mut self) {
        self.returned.clear();
    }

    /// Has an edge that was not possible asked for something in this step?
    pub fn has_returned(&self) -> bool {
        !self.returned.is_empty()
    }

    /// No edge was possible: the questions count after all.
    pub fn keep_returned(&mut self) {
        self.asked.append(&mut self.returned);
        self.next = self.asked.len();
    }

    /// The answers since the mark.
    pub fn since(&self, mark: usize) -> impl Iterator<Item = u64> + '_ {
        self.asked[mark..].iter().map(|(answer, _)| *answer)
    }

    /// All answers given.
    pub fn answers(&self) -> Answers {
        match self.asked[..] {
            [] => Answers::new(),
            _ => self.since(0).collect(),
        }
    }

    /// The combination of answers after the present one, if there is one.
    pub fn next_combination(&self) -> Option<Answers> {
        if self.asked.is_empty() {
            return None;
        }
        let mut answers = self.answers();
        while let Some(last) = answers.pop() {
            let options = &self.asked[answers.len()].1;
            if options.is_empty() {
                continue;
            }
            let at = options.iter().position(|&option| option == last)?;
            if let Some(&next) = options.get(at + 1) {
                answers.push(next);
                return Some(answers);
            }
        }
        None
    }

    /// Asks for one of these.
    pub fn pick(&mut self, options: Options) -> u64 {
        let given = self.given.get(self.next).copied();
        let answer = given.unwrap_or_else(|| match options.first() {
            Some(&first) => first,
            None => self.number(),
        });
        self.next += 1;
        self.asked.push((answer, options));
        answer
    }

    fn options(&mut self, choice: Choice<'_>) -> Options {
        match choice {
            Choice::Waiter(count) if self.signals_matter => (0..count as u64).collect(),
            Choice::Waiter(_) | Choice::Address(_) => SmallVec::from_slice(&[0]),
            Choice::Value(Sort::Bool, _) => SmallVec::from_slice(&[0, 1]),
            Choice::Value(_, origin) => {
                self.space.sources.insert(origin.to_string());
                Options::new()
            }
        }
    }

    fn number(&mut self) -> u64 {
        let numbers = self.asked.iter().filter(|(_, options)| options.is_empty());
        let (tid, events) = self.asker;
        let name = (tid, events, numbers.count() as u32);
        self.space.value(name)
    }
}

impl Host for Oracle {
    const OBSERVES: bool = true;

    fn open(&mut self, open: Open) {
        self.open = Some(open);
    }

    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        // What is undefined in memory becomes what it was found to be: the load is a write too.
        if let Choice::Value(_, HavocOrigin::Uninitialised) = choice
            && let Some(last) = self.log.last_mut()
            && matches!(last.cell, Cell::Bytes { .. })
        {
            last.write = true;
        }
        self.plain &= matches!(choice, Choice::Value(Sort::Bool, _));
        let options = self.options(choice);
        self.pick(options)
    }

    fn access(&mut self, access: Access) {
        self.log.push(access);
        self.seen.push(access);
    }

    fn joins(&mut self, thread: Tid) {
        self.joined = Some(thread);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcfa::{DataModel, Sources, Xcfa};

    fn oracle(signals_matter: bool) -> Oracle {
        let xcfa = Xcfa::new(DataModel::Lp64, Sources::default());
        Oracle::new(signals_matter, InputSpace::of(&xcfa))
    }

    /// All combinations of answers to these questions, in the order in which they are tried.
    fn combinations(oracle: &mut Oracle, ask: impl Fn(&mut Oracle)) -> Vec<Vec<u64>> {
        let mut given = Answers::new();
        let mut tried = Vec::new();
        loop {
            oracle.begin(&given);
            ask(oracle);
            tried.push(oracle.answers().to_vec());
            match oracle.next_combination() {
                Some(next) => given = next,
                None => return tried,
            }
        }
    }

    #[test]
    fn every_combination_is_tried_once() {
        let truth = || Options::from_slice(&[0, 1]);
        let tried = combinations(&mut oracle(false), |oracle| {
            // What is asked second depends on the first answer.
            if oracle.pick(truth()) == 1 {
                oracle.pick(Options::from_slice(&[7, 8, 9]));
            }
        });
        assert_eq!(tried, [vec![0], vec![1, 7], vec![1, 8], vec![1, 9]]);
    }

    #[test]
    fn a_number_has_one_value_at_a_time() {
        let origin = HavocOrigin::Uninitialised;
        let tried = combinations(&mut oracle(false), |oracle| {
            oracle.choose(Choice::Value(Sort::Bv(32), &origin));
        });
        assert_eq!(tried, [[0]]);
    }

    #[test]
    fn who_is_woken_matters_only_to_some_properties() {
        let wake = |oracle: &mut Oracle| _ = oracle.choose(Choice::Waiter(3));
        assert_eq!(combinations(&mut oracle(true), wake), [[0], [1], [2]]);
        assert_eq!(combinations(&mut oracle(false), wake), [[0]]);
    }

    #[test]
    fn questions_of_an_impossible_edge_are_forgotten() {
        let mut oracle = oracle(true);
        oracle.begin(&Answers::new());
        oracle.pick(Options::from_slice(&[3]));
        let mark = oracle.mark();
        oracle.pick(Options::from_slice(&[4]));
        oracle.give_back(mark);
        assert_eq!(oracle.answers()[..], [3]);
        oracle.keep_returned();
        assert_eq!(oracle.answers()[..], [3, 4]);
    }
}
