//! The facade: assertions in frames, checks under assumptions, models and cores.
//!
//! Bit vectors go to Z3's incremental SAT-based solver. It does not know floats; with the first
//! float operator the assertions move to the general solver, once.

use crate::interrupt::deaf_to_signals;
use crate::translate::{Translator, Value};
use crate::{Counters, Interrupt, Model, smtlib};
use expr::{ObjId, Term, Terms};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};
use z3::SatResult;
use z3::ast::Bool;

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// There is a model.
    Sat,
    /// There is none, and there is a core.
    Unsat,
    /// Z3 gave up, with its reason: a time limit, an interrupt, or a weakness.
    Unknown(String),
}

/// What is asserted between two calls of [`Solver::push`].
#[derive(Default)]
struct Frame {
    asserted: Vec<Term>,
    /// Assumptions whose literal was defined here.
    named: Vec<Term>,
}

enum LastCheck {
    Nothing,
    Model(z3::Model),
    Core(Vec<Term>),
}

/// A stack of assertions over the terms of one pool, and queries about it.
///
/// It belongs to its thread. Terms of another pool, also of a copy, are refused with a panic,
/// because their numbers would mean something else.
pub struct Solver {
    z3: z3::Solver,
    knows_floats: bool,
    translator: Translator,
    frames: Vec<Frame>,
    /// A literal that implies the assumption, for each one in use.
    literals: FxHashMap<Term, Bool>,
    outcome: LastCheck,
    timeout: Option<Duration>,
    /// How much a check may do; 0 for no limit.
    effort: u32,
    counters: Counters,
    interrupt: Interrupt,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Solver {
    /// A solver without assertions.
    pub fn new() -> Solver {
        crate::check_version();
        let z3 = z3::Solver::new_for_logic("QF_BV").unwrap_or_default();
        z3.set_params(&deaf_to_signals());
        Solver {
            z3,
            knows_floats: false,
            translator: Translator::default(),
            frames: vec![Frame::default()],
            literals: FxHashMap::default(),
            outcome: LastCheck::Nothing,
            timeout: None,
            effort: 0,
            counters: Counters::default(),
            interrupt: Interrupt::of_this_thread(),
        }
    }

    /// Fixes the address of an object, which is a free constant otherwise.
    ///
    /// Law: called before a term with that address is first used here.
    pub fn bind_base(&mut self, obj: ObjId, value: u64) {
        self.translator.bind_base(obj, value);
    }

    /// Opens a frame: what is asserted from now on goes away with [`Solver::pop`].
    pub fn push(&mut self) {
        self.outcome = LastCheck::Nothing;
        self.z3.push();
        self.frames.push(Frame::default());
    }

    /// Closes the last frame.
    pub fn pop(&mut self) {
        assert!(self.frames.len() > 1, "every pop has its push");
        self.outcome = LastCheck::Nothing;
        self.z3.pop(1);
        let frame = self.frames.pop().unwrap_or_default();
        for assumption in frame.named {
            self.literals.remove(&assumption);
        }
    }

    /// How many frames are open.
    pub fn depth(&self) -> usize {
        self.frames.len() - 1
    }

    /// Asserts a truth value in the current frame.
    pub fn assert(&mut self, terms: &Terms, truth: Term) {
        self.outcome = LastCheck::Nothing;
        let formula = self.translate(terms, truth);
        self.z3.assert(&formula);
        self.top().asserted.push(truth);
    }

    /// All assertions, oldest first.
    pub fn assertions(&self) -> impl Iterator<Item = Term> {
        self.frames
            .iter()
            .flat_map(|frame| frame.asserted.iter().copied())
    }

    /// Can the assertions and the assumptions hold together?
    pub fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Check {
        let literals: Vec<Bool> = assumptions
            .iter()
            .map(|&assumption| self.literal(terms, assumption))
            .collect();
        self.outcome = LastCheck::Nothing;
        let start = Instant::now();
        let z3 = &self.z3;
        let result = self.interrupt.guard(|| z3.check_assumptions(&literals));
        let check = match result {
            Some(SatResult::Sat) => self.keep_model(),
            Some(SatResult::Unsat) => self.keep_core(assumptions, &literals),
            Some(SatResult::Unknown) => {
                let reason = self.z3.get_reason_unknown();
                Check::Unknown(reason.unwrap_or_else(|| "no reason given".into()))
            }
            None => Check::Unknown("interrupted".into()),
        };
        self.counters.count(&check, start.elapsed());
        check
    }

    fn keep_model(&mut self) -> Check {
        match self.z3.get_model() {
            Some(model) => {
                self.outcome = LastCheck::Model(model);
                Check::Sat
            }
            None => Check::Unknown("satisfiable, but without a model".into()),
        }
    }

    fn keep_core(&mut self, assumptions: &[Term], literals: &[Bool]) -> Check {
        let core = self.z3.get_unsat_core();
        let mut used: Vec<Term> = Vec::new();
        for (literal, &assumption) in literals.iter().zip(assumptions) {
            if core.contains(literal) && !used.contains(&assumption) {
                used.push(assumption);
            }
        }
        self.outcome = LastCheck::Core(used);
        Check::Unsat
    }

    /// The value of a term in the model of the last check; what the model leaves open is chosen.
    ///
    /// `None` if the last check was not satisfiable, or something has been asserted since.
    pub fn value(&mut self, terms: &Terms, term: Term) -> Option<u64> {
        let LastCheck::Model(model) = &self.outcome else {
            return None;
        };
        let value = self.translator.value(terms, term);
        value_in(model, &value)
    }

    /// The values of all variables and addresses in the model of the last check.
    pub fn model(&self) -> Option<Model> {
        let LastCheck::Model(model) = &self.outcome else {
            return None;
        };
        let mut plain = Model::default();
        for (var, value) in self.translator.vars() {
            plain.vars.insert(var, value_in(model, value)?);
        }
        for (obj, bits) in self.translator.bases() {
            let value = model.eval(bits, true)?.as_u64()?;
            plain.bases.insert(obj, value);
        }
        Some(plain)
    }

    /// Assumptions of the last check that are already too many, in the order they were given.
    ///
    /// Empty if the assertions alone are unsatisfiable. Not necessarily the fewest.
    pub fn core(&self) -> Option<&[Term]> {
        match &self.outcome {
            LastCheck::Core(core) => Some(core),
            _ => None,
        }
    }

    /// Limits each later check; `None` lifts the limit.
    pub fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.timeout = timeout;
        self.apply_timeout();
    }

    /// Limits each later check by what it does instead of by the clock, so that the answer is the
    /// same every time. A million takes a fraction of a second.
    pub fn set_effort(&mut self, effort: u32) {
        self.effort = effort;
        self.apply_timeout();
    }

    /// What this solver has done so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The assertions as an SMT-LIB script that ends in `(check-sat)`.
    pub fn to_smtlib(&self, terms: &Terms) -> String {
        let assertions: Vec<Term> = self.assertions().collect();
        smtlib::script(terms, &assertions, self.translator.bound())
    }

    fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the outermost frame stays")
    }

    /// Translates a truth value, and changes to the general solver if that needs floats.
    fn translate(&mut self, terms: &Terms, truth: Term) -> Bool {
        let formula = self.translator.truth(terms, truth);
        if self.translator.uses_floats() && !self.knows_floats {
            self.learn_floats(terms);
        }
        formula
    }

    fn learn_floats(&mut self, terms: &Terms) {
        self.knows_floats = true;
        self.z3 = z3::Solver::new();
        self.apply_timeout();
        for (depth, frame) in self.frames.iter().enumerate() {
            if depth > 0 {
                self.z3.push();
            }
            for &term in &frame.asserted {
                self.z3.assert(self.translator.truth(terms, term));
            }
            for term in &frame.named {
                let formula = self.translator.truth(terms, *term);
                self.z3.assert(self.literals[term].implies(&formula));
            }
        }
    }

    /// A literal that implies the assumption. Z3 takes only literals as assumptions.
    fn literal(&mut self, terms: &Terms, assumption: Term) -> Bool {
        if let Some(literal) = self.literals.get(&assumption) {
            return literal.clone();
        }
        let formula = self.translate(terms, assumption);
        let literal = Bool::new_const(format!("assume{}", assumption.index()));
        self.z3.assert(literal.implies(&formula));
        self.literals.insert(assumption, literal.clone());
        self.top().named.push(assumption);
        literal
    }

    fn apply_timeout(&self) {
        let mut params = deaf_to_signals();
        // Z3 takes the largest number for no limit at all.
        let millis = self.timeout.map_or(u32::MAX, |limit| {
            u32::try_from(limit.as_millis()).unwrap_or(u32::MAX).max(1)
        });
        params.set_u32("timeout", millis);
        params.set_u32("rlimit", self.effort);
        self.z3.set_params(&params);
    }
}

fn value_in(model: &z3::Model, value: &Value) -> Option<u64> {
    match value {
        Value::Truth(truth) => Some(model.eval(truth, true)?.as_bool()? as u64),
        Value::Bits(bits) => model.eval(bits, true)?.as_u64(),
    }
}
