//! Trace programs as text, in the notation of the paper.

use super::formula::{Source, fixed_order, sources};
use super::{GoalKind, TraceProgram};
use expr::{Names, ObjId, VarId};
use semantics::Cell;
use std::fmt::Write as _;
use xcfa::Xcfa;

impl TraceProgram {
    /// The CSSA form: for each event its pi functions and definitions, then the phantom edges and
    /// the goals.
    pub fn cssa(&self, xcfa: &Xcfa) -> String {
        let before = fixed_order(self);
        let mut text = String::new();
        let name = |cell: Cell| match cell {
            Cell::Var(var) => xcfa[var].name.clone(),
            Cell::Bytes { start, len } => format!("[{start:#x},{len}]"),
        };
        let names = CssaNames(xcfa);
        let term = |term| self.terms.show(term, &names);
        for (at, op) in self.ops.iter().enumerate() {
            let _ = writeln!(text, "t{at} (thread {}) if {}", op.tid, term(op.guard));
            for read in &op.reads {
                let from = sources(self, &before, at, read);
                let from: Vec<String> = from
                    .iter()
                    .map(|source| match source {
                        Source::Initial(_) => "initial".into(),
                        Source::Write(op, _) => format!("t{op}"),
                        Source::Phantom(index) => format!("ph{index}"),
                    })
                    .collect();
                let (value, cell) = (term(read.value), name(read.cell));
                let _ = writeln!(text, "  {value} <- pi({cell}: {})", from.join(", "));
            }
            for write in &op.writes {
                let (cell, value, guard) = (name(write.cell), term(write.value), term(write.guard));
                let _ = writeln!(text, "  {cell} := {value} if {guard}");
            }
        }
        for (index, phantom) in self.phantoms.iter().enumerate() {
            let cells: Vec<String> = phantom.cells.iter().map(|&cell| name(cell)).collect();
            let until = phantom.until.map_or("end".into(), |op| format!("t{op}"));
            let _ = writeln!(
                text,
                "ph{index} (thread {}) if {}: after t{}, before {until}, may write {{{}}}",
                phantom.tid,
                term(phantom.guard),
                phantom.after,
                cells.join(", ")
            );
        }
        for goal in &self.goals {
            let what = match goal.kind {
                GoalKind::Error => "error",
                GoalKind::Unclear => "unclear",
            };
            let _ = writeln!(text, "{what} in t{} if {}", goal.op, term(goal.guard));
        }
        text
    }
}

/// Variables of the program by their names, those of the trace program by number.
struct CssaNames<'x>(&'x Xcfa);

impl Names for CssaNames<'_> {
    fn var(&self, var: VarId) -> String {
        let own = self.0.vars.len();
        match self.0.vars.get(var.0 as usize) {
            Some(var) => var.name.clone(),
            None => format!("w{}", var.0 as usize - own + 1),
        }
    }

    fn base(&self, obj: ObjId) -> String {
        self.0[obj].name.clone()
    }
}
