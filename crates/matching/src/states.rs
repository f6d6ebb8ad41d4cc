//! The abstract states: what has been seen, and which concrete states matched.

use crate::context::StateProjection;
use crate::predicates::{Predicates, Variable};
use crate::view::{View, Viewer};
use rustc_hash::FxHashMap;
use semantics::State;

type ControlId = u32;

/// An abstract state, by the order of its discovery.
type AbstractId = u32;

/// The variables of states with one control.
struct Control {
    variables: Vec<Variable>,
    /// The places of those that predicates mention.
    mentioned: Vec<u32>,
}

/// What is remembered of the values in concrete states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The least and the greatest value of each variable.
    Segments,
    /// The least value, and whether there was another one.
    Minimums,
}

/// An abstract state.
pub struct Abstract {
    control: ControlId,
    /// By place: the least value.
    least: Box<[u64]>,
    /// By place: the greatest value (or, of minimums, 1 if there was another value); nothing as long
    /// as all concrete states were the same.
    other: Option<Box<[u64]>>,
}

/// What a concrete state adds to the abstract ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// A new one.
    New,
    /// A value of a variable that goes beyond those that its abstract state has.
    Wider,
    /// Nothing.
    Nothing,
}

/// A variable that has several values in one abstract state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The variable.
    pub variable: Variable,
    /// Its least value.
    pub least: u64,
    /// Its greatest value, if that is kept.
    pub greatest: u64,
}

/// All abstract states of one search.
pub struct States<'p> {
    predicates: &'p Predicates,
    kept: Kept,
    controls: FxHashMap<Box<[u8]>, ControlId>,
    by_control: Vec<Control>,
    known: FxHashMap<Box<[u8]>, AbstractId>,
    states: Vec<Abstract>,
    view: View,
    key: Vec<u8>,
    bytes: u64,
}

impl<'p> States<'p> {
    /// None yet.
    pub fn new(predicates: &'p Predicates, kept: Kept) -> States<'p> {
        States {
            predicates,
            kept,
            controls: FxHashMap::default(),
            by_control: Vec::new(),
            known: FxHashMap::default(),
            states: Vec::new(),
            view: View::default(),
            key: Vec::new(),
            bytes: 0,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Bytes in use, roughly.
    pub fn bytes(&self) -> u64 {
        self.bytes + 64 * self.states.len() as u64
    }

    /// Finds the abstract state of a concrete one, and tells what the concrete one adds to it.
    pub fn insert(&mut self, projection: &mut StateProjection, state: &State) -> News {
        let StateProjection { viewer, canon, .. } = projection;
        let state = match canon {
            Some(canon) => canon.of(state),
            None => state,
        };
        viewer.project(state, &mut self.view);
        let control = self.control(viewer, state);
        self.write_key(control);
        if let Some(&id) = self.known.get(self.key.as_slice()) {
            let values = &self.view.values;
            let (taken, news) = self.states[id as usize].add(values, self.kept);
            self.bytes += taken;
            return news;
        }
        let id = self.states.len() as AbstractId;
        self.bytes += 8 * self.view.values.len() as u64 + self.key.len() as u64;
        self.known.insert(self.key.as_slice().into(), id);
        self.states.push(Abstract {
            control,
            least: self.view.values.as_slice().into(),
            other: None,
        });
        News::New
    }

    fn control(&mut self, viewer: &mut Viewer, state: &State) -> ControlId {
        if let Some(&known) = self.controls.get(self.view.control.as_slice()) {
            return known;
        }
        let id = self.by_control.len() as ControlId;
        let variables = viewer.variables(state);
        let places = variables.iter().enumerate();
        let mentioned = places.filter(|&(_, &variable)| self.predicates.mention(variable));
        let mentioned = mentioned.map(|(place, _)| place as u32).collect();
        self.bytes += 8 * variables.len() as u64 + self.view.control.len() as u64;
        self.by_control.push(Control {
            variables,
            mentioned,
        });
        self.controls
            .insert(self.view.control.as_slice().into(), id);
        id
    }

    /// The control and the intervals of the values.
    fn write_key(&mut self, control: ControlId) {
        self.key.clear();
        self.key.extend_from_slice(&control.to_le_bytes());
        let Control {
            variables,
            mentioned,
        } = &self.by_control[control as usize];
        for &place in mentioned {
            let value = self.view.values[place as usize];
            let interval = self.predicates.interval(variables[place as usize], value) as u32;
            match u8::try_from(interval) {
                Ok(byte) if byte < u8::MAX => self.key.push(byte),
                _ => {
                    self.key.push(u8::MAX);
                    self.key.extend_from_slice(&interval.to_le_bytes());
                }
            }
        }
    }

    /// The abstract states that hold two concrete ones, each with the variables that distinguish them:
    /// the paper's `Eligible`.
    pub fn eligible(&self) -> Vec<Vec<Segment>> {
        let all = self.states.iter();
        let segments = all.filter_map(|state| {
            let other = state.other.as_ref()?;
            let variables = &self.by_control[state.control as usize].variables;
            let places = variables.iter().zip(state.least.iter().zip(other));
            let differing = places.filter(|&(_, (&least, &other))| match self.kept {
                Kept::Segments => other != least,
                Kept::Minimums => other != 0,
            });
            Some(
                differing
                    .map(|(&variable, (&least, &greatest))| Segment {
                        variable,
                        least,
                        greatest,
                    })
                    .collect(),
            )
        });
        segments.collect()
    }
}

impl Abstract {
    /// Takes note of another concrete state; gives how many bytes that took, and what it adds.
    fn add(&mut self, values: &[u64], kept: Kept) -> (u64, News) {
        if self.other.is_none() && *self.least == *values {
            return (0, News::Nothing);
        }
        let least = &mut self.least;
        let mut taken = 0;
        let other = self.other.get_or_insert_with(|| {
            taken = 8 * least.len() as u64;
            match kept {
                Kept::Segments => least.clone(),
                Kept::Minimums => vec![0; least.len()].into(),
            }
        });
        let mut news = News::Nothing;
        for ((least, other), &value) in least.iter_mut().zip(other.iter_mut()).zip(values) {
            let now = match kept {
                Kept::Segments => value.max(*other),
                Kept::Minimums => *other | u64::from(value != *least),
            };
            if now != *other || value < *least {
                news = News::Wider;
            }
            *other = now;
            *least = value.min(*least);
        }
        (taken, news)
    }
}
