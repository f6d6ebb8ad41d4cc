//! Numbers that are only copied, and that a constant is added to a bounded number of times.
//!
//! Such a number is one of the constants that it began with, and what was added on its way; each execution of an addition is on
//! that way at most once. So its range is known from the text and from how often threads and loops can go round, whatever is
//! shared, locked, raced for, or behind which pointer: a counter that each of 10,000 threads increments is at most 10,000.

use dataflow::{Analysed, Cells, Executions};
use expr::{Node, Op, Sort, Term, Terms, VarId, sign_extend};
use rustc_hash::{FxHashMap, FxHashSet};
use xcfa::{EdgeId, Label, ObjectKind, Scope};

/// Larger programs are left alone: cells are compared with each other.
const MOST_CELLS: usize = 2_000;

/// Variables and memory among which numbers go round, and the range of these.
#[derive(Clone, Debug)]
pub struct Group {
    pub vars: Vec<VarId>,
    pub cells: Vec<Cells>,
    pub low: i64,
    pub high: i64,
}

/// What can be in a variable or in cells.
#[derive(Clone, Copy, Debug)]
enum Source {
    Constant(i64),
    /// Another place, and what is added.
    Place(usize, i64),
    /// Anything.
    Unknown,
}

/// Something that goes from a source to a place.
struct Arrival {
    to: usize,
    from: Source,
    /// Where; nothing at the start of the program.
    edge: Option<EdgeId>,
    /// The assignment that it is a part of: one that may set several cells sets one at a time.
    assignment: usize,
}

/// The groups of a program whose range fits into their sort.
pub fn groups(xcfa: &Analysed) -> Vec<Group> {
    let mut places = Places {
        xcfa,
        cells: Vec::new(),
        numbers: FxHashMap::default(),
        arrivals: Vec::new(),
        assignments: 0,
    };
    match places.collect() {
        Some(()) => places.solve(),
        None => Vec::new(),
    }
}

/// Variables come first, then cells.
struct Places<'a> {
    xcfa: &'a Analysed,
    cells: Vec<Cells>,
    numbers: FxHashMap<Cells, usize>,
    arrivals: Vec<Arrival>,
    /// How many assignments there were so far.
    assignments: usize,
}

impl Places<'_> {
    fn vars(&self) -> usize {
        self.xcfa.vars.len()
    }

    fn cell(&mut self, cells: Cells) -> usize {
        let next = self.vars() + self.cells.len();
        *self.numbers.entry(cells).or_insert_with(|| {
            self.cells.push(cells);
            next
        })
    }

    fn arrive(&mut self, to: usize, from: Source, edge: Option<EdgeId>) {
        let assignment = self.assignments;
        self.arrivals.push(Arrival {
            to,
            from,
            edge,
            assignment,
        });
    }

    /// Everything that is set; nothing if a write may go anywhere.
    fn collect(&mut self) -> Option<()> {
        self.starts();
        for edge in self.xcfa.edge_ids() {
            for label in &self.xcfa[edge].labels {
                self.label(edge, label)?;
            }
        }
        if self.cells.len() > MOST_CELLS {
            return None;
        }
        self.contents();
        self.meetings();
        Some(())
    }

    fn starts(&mut self) {
        for var in self.xcfa.var_ids() {
            let about = &self.xcfa[var];
            let first = match (about.scope, about.init) {
                (Scope::ThreadLocal, _) => Source::Unknown,
                (_, None) => Source::Constant(0),
                (_, Some(init)) => constant(&self.xcfa.terms, init),
            };
            self.arrive(var.0 as usize, first, None);
        }
        for proc in self.xcfa.proc_ids() {
            for param in &self.xcfa[proc].params {
                self.arrive(param.0 as usize, Source::Unknown, None);
            }
        }
    }

    fn label(&mut self, edge: EdgeId, label: &Label) -> Option<()> {
        let xcfa = self.xcfa;
        let touched = xcfa.points_to().touched(xcfa, label);
        match label {
            Label::Assign { var, value } => {
                for from in sources(&xcfa.terms, *value) {
                    self.assignments += 1;
                    self.arrive(var.0 as usize, from, Some(edge));
                }
            }
            Label::Load { var, .. } => match touched {
                Some(all) if is_whole(xcfa[*var].sort) => {
                    for cells in all {
                        let from = self.cell(cells);
                        self.arrive(var.0 as usize, Source::Place(from, 0), Some(edge));
                    }
                }
                _ => self.arrive(var.0 as usize, Source::Unknown, Some(edge)),
            },
            Label::Store { value, .. } if is_whole(xcfa.terms.sort(*value)) => {
                let targets: Vec<usize> =
                    touched?.into_iter().map(|cells| self.cell(cells)).collect();
                for from in sources(&xcfa.terms, *value) {
                    self.assignments += 1;
                    for &to in &targets {
                        self.arrive(to, from, Some(edge));
                    }
                }
            }
            _ => {
                for cells in touched? {
                    let to = self.cell(cells);
                    self.arrive(to, Source::Unknown, Some(edge));
                }
                if let Some(var) = label.defines() {
                    self.arrive(var.0 as usize, Source::Unknown, Some(edge));
                }
            }
        }
        Some(())
    }

    /// What cells hold before they are written.
    fn contents(&mut self) {
        let xcfa = self.xcfa;
        for at in 0..self.cells.len() {
            let (cells, to) = (self.cells[at], self.vars() + at);
            if let ObjectKind::Static { init } = &xcfa[cells.object].kind {
                for &(offset, value) in init {
                    let written = Cells {
                        at: offset as i64,
                        stride: 0,
                        bytes: xcfa.terms.bytes(value) as u32,
                        ..cells
                    };
                    if cells.may_overlap(&written) {
                        self.arrive(to, Source::Unknown, None);
                    } else if cells.may_equal(&written) {
                        self.arrive(to, constant(&xcfa.terms, value), None);
                    }
                }
            }
            self.arrive(to, Source::Constant(0), None);
            if xcfa.points_to().may_be_unset(&cells) {
                self.arrive(to, Source::Unknown, None);
            }
        }
    }

    /// Cells that can be the same.
    fn meetings(&mut self) {
        let first = self.vars();
        for a in 0..self.cells.len() {
            for b in 0..self.cells.len() {
                let (here, there) = (self.cells[a], self.cells[b]);
                if here.may_overlap(&there) {
                    self.arrive(first + a, Source::Unknown, None);
                } else if a != b && here.may_equal(&there) {
                    self.arrive(first + a, Source::Place(first + b, 0), None);
                }
            }
        }
    }

    /// Where anything can arrive.
    fn unknown(&self) -> Vec<bool> {
        let mut unknown = vec![false; self.vars() + self.cells.len()];
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); unknown.len()];
        let mut open = Vec::new();
        for arrival in &self.arrivals {
            match arrival.from {
                Source::Unknown => open.push(arrival.to),
                Source::Place(from, _) => next[from].push(arrival.to),
                Source::Constant(_) => {}
            }
        }
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut unknown[at], true) {
                open.extend(&next[at]);
            }
        }
        unknown
    }

    fn solve(&self) -> Vec<Group> {
        let unknown = self.unknown();
        let mut classes: Vec<usize> = (0..unknown.len()).collect();
        for arrival in &self.arrivals {
            if let (false, Source::Place(from, _)) = (unknown[arrival.to], arrival.from) {
                let (a, b) = (root(&mut classes, arrival.to), root(&mut classes, from));
                classes[a] = b;
            }
        }
        let counted = Executions::of(self.xcfa);
        let mut seen = FxHashSet::default();
        let mut ranges: FxHashMap<usize, Option<(i128, i128, i128, i128)>> = FxHashMap::default();
        for arrival in self.arrivals.iter().filter(|arrival| !unknown[arrival.to]) {
            let class = root(&mut classes, arrival.to);
            let range = ranges
                .entry(class)
                .or_insert(Some((i128::MAX, i128::MIN, 0, 0)));
            *range = range.and_then(|(low, high, down, up)| match arrival.from {
                Source::Constant(value) => {
                    let value = i128::from(value);
                    Some((low.min(value), high.max(value), down, up))
                }
                Source::Place(_, 0) => Some((low, high, down, up)),
                _ if !seen.insert((class, arrival.assignment)) => Some((low, high, down, up)),
                Source::Place(_, by) => {
                    let times = counted.most(arrival.edge?)?;
                    let sum = i128::from(by).checked_mul(i128::from(times))?;
                    Some((
                        low,
                        high,
                        down.checked_add(sum.min(0))?,
                        up.checked_add(sum.max(0))?,
                    ))
                }
                Source::Unknown => None,
            });
        }
        let mut groups: FxHashMap<usize, Group> = FxHashMap::default();
        for at in (0..unknown.len()).filter(|&at| !unknown[at]) {
            let class = root(&mut classes, at);
            let Some(Some((low, high, down, up))) = ranges.get(&class) else {
                continue;
            };
            let Some((low, high)) = self.fitting(at, low.checked_add(*down), high.checked_add(*up))
            else {
                continue;
            };
            let group = groups.entry(class).or_insert(Group {
                vars: Vec::new(),
                cells: Vec::new(),
                low,
                high,
            });
            match at.checked_sub(self.vars()) {
                None => group.vars.push(VarId(at as u32)),
                Some(cell) => group.cells.push(self.cells[cell]),
            }
        }
        let mut groups: Vec<Group> = groups.into_values().collect();
        groups.sort_by(|a, b| (&a.vars, &a.cells).cmp(&(&b.vars, &b.cells)));
        groups
    }

    /// The range, if it fits into the sort of a place.
    fn fitting(&self, at: usize, low: Option<i128>, high: Option<i128>) -> Option<(i64, i64)> {
        let width = match at.checked_sub(self.vars()) {
            None => match self.xcfa[VarId(at as u32)].sort {
                Sort::Bv(width) => width,
                _ => return None,
            },
            Some(cell) => self.cells[cell].bytes.checked_mul(8)?,
        };
        let largest = (1_i128 << width.min(64).checked_sub(1)?) - 1;
        let fits = -largest - 1 <= low? && high? <= largest;
        fits.then_some((low? as i64, high? as i64))
    }
}

/// Does a value of this sort fill its bytes?
fn is_whole(sort: Sort) -> bool {
    matches!(sort, Sort::Bv(width) if width % 8 == 0)
}

fn root(classes: &mut [usize], mut at: usize) -> usize {
    while classes[at] != at {
        classes[at] = classes[classes[at]];
        at = classes[at];
    }
    at
}

fn constant(terms: &Terms, value: Term) -> Source {
    match (terms.as_const(value), terms.sort(value)) {
        (Some(bits), Sort::Bv(width)) => Source::Constant(sign_extend(bits, width)),
        _ => Source::Unknown,
    }
}

/// What a value can be.
fn sources(terms: &Terms, value: Term) -> Vec<Source> {
    let (mut found, mut open) = (Vec::new(), vec![value]);
    while let Some(value) = open.pop() {
        found.push(match terms.node(value) {
            Node::Ite(_, a, b) if found.len() < 16 => {
                open.extend([a, b]);
                continue;
            }
            Node::Var(var, Sort::Bv(_)) => Source::Place(var.0 as usize, 0),
            Node::Binary(Op::Add, base, by) => match (terms.as_var(base), constant(terms, by)) {
                (Some(var), Source::Constant(by)) => Source::Place(var.0 as usize, by),
                _ => Source::Unknown,
            },
            _ => constant(terms, value),
        });
    }
    found
}
