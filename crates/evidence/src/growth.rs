//! Checks the ranges of numbers that are only copied, and that constants are added to.
//!
//! The evidence lists groups of variables and cells, each with a range, and edges that these ranges exclude. What has to be
//! shown of a group:
//!
//! 1. whatever sets a member sets it to a constant, to a member, or to a member plus a constant; nothing else writes there;
//! 2. the smallest constant, and all that can be subtracted in one run, is not below the range, and likewise above;
//! 3. the range fits into the sort, so that no addition wraps.
//!
//! By induction over an execution, each number in the group is a constant with distinct additions of this execution. How
//! often an edge can be taken, and which cells an access can mean, the analyses say ([`Executions`],
//! [`dataflow::PointsTo`]); nothing else is shared with the engine that proposes the groups.

use crate::ranks::Oracle;
use dataflow::{Analysed, Cells, Executions};
use expr::{Node, ObjId, Op, Sort, Term, VarId, sign_extend};
use serde::Deserialize;
use verdict::Objection;
use xcfa::{EdgeId, Label, ObjectKind, Scope, Xcfa};

/// What is claimed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Discharged {
    groups: Vec<Group>,
    /// These are never taken.
    edges: Vec<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    vars: Vec<u32>,
    /// Object, offset, stride and size.
    cells: Vec<(u32, i64, i64, u32)>,
    low: i64,
    high: i64,
}

impl Discharged {
    /// The program without the edges, if they are never taken.
    pub fn check(&self, xcfa: &Analysed, oracle: &mut Oracle<'_>) -> Result<Analysed, Objection> {
        let counted = Executions::of(xcfa);
        for group in &self.groups {
            Members::of(xcfa, group)?.check(&counted, group)?;
        }
        let mut rest = Xcfa::clone(xcfa);
        for &edge in &self.edges {
            if edge as usize >= xcfa.edges.len() {
                return Err("there is no such edge".into());
            }
            if !self.excludes(&mut rest, EdgeId(edge), oracle)? {
                return Err("no range excludes an edge".into());
            }
        }
        for &edge in &self.edges {
            let never = rest.terms.bool(false);
            rest[EdgeId(edge)].labels = vec![Label::Assume(never)];
        }
        Ok(Analysed::from(rest))
    }

    /// Does some assumption of the edge never hold in these ranges?
    fn excludes(
        &self,
        xcfa: &mut Xcfa,
        edge: EdgeId,
        oracle: &mut Oracle<'_>,
    ) -> Result<bool, Objection> {
        for label in xcfa[edge].labels.clone() {
            let Label::Assume(condition) = label else {
                continue;
            };
            let mut parts = vec![condition];
            for group in &self.groups {
                for &var in group.vars.iter() {
                    let sort = xcfa[VarId(var)].sort;
                    let read = xcfa.terms.var(VarId(var), sort);
                    let low = xcfa.terms.constant(sort, group.low as u64);
                    let high = xcfa.terms.constant(sort, group.high as u64);
                    let below = xcfa.terms.binary(Op::Slt, read, low);
                    let above = xcfa.terms.binary(Op::Slt, high, read);
                    parts.extend([xcfa.terms.not(below), xcfa.terms.not(above)]);
                }
            }
            if oracle.exclude(&xcfa.terms, &parts)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A group in the program.
struct Members<'a> {
    xcfa: &'a Analysed,
    width: u32,
    vars: Vec<VarId>,
    cells: Vec<Cells>,
    /// The constants.
    smallest: i128,
    largest: i128,
    /// What all executions of all edges add and subtract.
    up: i128,
    down: i128,
}

impl Members<'_> {
    fn of<'a>(xcfa: &'a Analysed, group: &Group) -> Result<Members<'a>, Objection> {
        let exist = group
            .vars
            .iter()
            .all(|&var| (var as usize) < xcfa.vars.len())
            && group
                .cells
                .iter()
                .all(|cells| (cells.0 as usize) < xcfa.objects.len());
        if !exist {
            return Err("a group has members that do not exist".into());
        }
        let vars: Vec<VarId> = group.vars.iter().map(|&var| VarId(var)).collect();
        let cells = group
            .cells
            .iter()
            .map(|&(object, at, stride, bytes)| Cells {
                object: ObjId(object),
                at,
                stride,
                bytes,
            });
        let Some(Sort::Bv(width)) = vars.first().map(|&var| xcfa[var].sort) else {
            return Err("a group has no number".into());
        };
        Ok(Members {
            xcfa,
            width,
            vars,
            cells: cells.collect(),
            smallest: i128::MAX,
            largest: i128::MIN,
            up: 0,
            down: 0,
        })
    }

    fn check(&mut self, counted: &Executions<'_>, group: &Group) -> Result<(), Objection> {
        self.vars_begin()?;
        self.cells_begin()?;
        for edge in self.xcfa.edge_ids() {
            for label in &self.xcfa[edge].labels {
                self.label(counted, edge, label)?;
            }
        }
        let half = 1_i128 << (self.width - 1);
        let (low, high) = (i128::from(group.low), i128::from(group.high));
        let inside = low <= self.smallest.saturating_add(self.down)
            && self.largest.saturating_add(self.up) <= high;
        match inside && -half <= low && high < half {
            true => Ok(()),
            false => Err("a range is too small, or too large for its sort".into()),
        }
    }

    fn vars_begin(&mut self) -> Result<(), Objection> {
        for var in self.vars.clone() {
            let about = &self.xcfa[var];
            let mut params = self.xcfa.procs.iter().flat_map(|proc| &proc.params);
            if about.sort != Sort::Bv(self.width)
                || about.scope == Scope::ThreadLocal
                || params.any(|&param| param == var)
            {
                return Err("a variable is set from outside".into());
            }
            match about.init {
                Some(init) => self.constant(init)?,
                None => self.begins_with(0),
            }
        }
        Ok(())
    }

    fn cells_begin(&mut self) -> Result<(), Objection> {
        for cells in self.cells.clone() {
            let split = self.cells.iter().any(|other| cells.may_overlap(other));
            let fits = cells.stride >= 0 && cells.bytes.checked_mul(8) == Some(self.width);
            if !fits || split || self.xcfa.points_to().may_be_unset(&cells) {
                return Err("cells are not read as they are written".into());
            }
            self.begins_with(0);
            let ObjectKind::Static { init } = &self.xcfa[cells.object].kind else {
                continue;
            };
            for &(offset, value) in init {
                let written = Cells {
                    at: offset as i64,
                    stride: 0,
                    bytes: self.xcfa.terms.bytes(value) as u32,
                    ..cells
                };
                if cells.may_overlap(&written) {
                    return Err("cells begin with a part of something".into());
                }
                if cells.may_equal(&written) {
                    self.constant(value)?;
                }
            }
        }
        Ok(())
    }

    fn begins_with(&mut self, value: i64) {
        self.smallest = self.smallest.min(value.into());
        self.largest = self.largest.max(value.into());
    }

    fn constant(&mut self, value: Term) -> Result<(), Objection> {
        match self.xcfa.terms.node(value) {
            Node::Const(Sort::Bv(width), bits) if width == self.width => {
                self.begins_with(sign_extend(bits, width));
                Ok(())
            }
            _ => Err("a member is set to something else than members and constants".into()),
        }
    }

    fn label(
        &mut self,
        counted: &Executions<'_>,
        edge: EdgeId,
        label: &Label,
    ) -> Result<(), Objection> {
        let touched = self.xcfa.points_to().touched(self.xcfa, label);
        let mut near = touched.iter().flatten();
        let is_near = near.any(|cells| {
            let mut members = self.cells.iter();
            members.any(|member| member.may_equal(cells) || member.may_overlap(cells))
        });
        let sets_member = label.defines().is_some_and(|var| self.vars.contains(&var));
        match (label, touched) {
            (Label::Assign { value, .. }, _) if sets_member => self.value(counted, edge, *value),
            (Label::Load { .. }, touched) => {
                let own = touched.is_some_and(|all| all.iter().all(|it| self.cells.contains(it)));
                match own || !sets_member {
                    true => Ok(()),
                    false => Err("a member is read from elsewhere".into()),
                }
            }
            (_, None) if !self.cells.is_empty() => Err("a write may go anywhere".into()),
            (Label::Store { value, .. }, Some(touched)) if is_near => {
                let mut members = self.cells.iter();
                if members.any(|member| touched.iter().any(|cells| member.may_overlap(cells))) {
                    return Err("a part of a member is written".into());
                }
                self.value(counted, edge, *value)
            }
            _ if is_near || sets_member => Err("a member is set to anything".into()),
            _ => Ok(()),
        }
    }

    /// A value that a member is set to.
    fn value(
        &mut self,
        counted: &Executions<'_>,
        edge: EdgeId,
        value: Term,
    ) -> Result<(), Objection> {
        let terms = &self.xcfa.terms;
        match terms.node(value) {
            Node::Ite(_, a, b) => {
                self.value(counted, edge, a)?;
                self.value(counted, edge, b)
            }
            Node::Var(var, _) if self.vars.contains(&var) => Ok(()),
            Node::Binary(Op::Add, base, by) => {
                let is_member = terms
                    .as_var(base)
                    .is_some_and(|var| self.vars.contains(&var));
                let (Node::Const(_, bits), true) = (terms.node(by), is_member) else {
                    return Err("a sum is not one of a member and a constant".into());
                };
                let times = counted.most(edge).ok_or("an addition has no bound")?;
                let sum = i128::from(sign_extend(bits, self.width)).checked_mul(times.into());
                let sum = sum.ok_or("a sum is too large")?;
                let more = |all: i128, sum: i128| all.checked_add(sum).ok_or("a sum is too large");
                self.up = more(self.up, sum.max(0))?;
                self.down = more(self.down, sum.min(0))?;
                Ok(())
            }
            _ => self.constant(value),
        }
    }
}
