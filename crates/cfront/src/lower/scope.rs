//! Lifetimes of local objects, and how jumps cut across them.
//!
//! An object normally comes to life at its declaration and dies at the end of its block. In a
//! block that a `goto` or `case` can enter or repeat from the middle, its objects live as long as
//! the function runs, so that no jump can bypass an allocation.

use super::function::FunctionLowering;
use super::types::Lowered;
use crate::hir::walk::{Visitor, walk_stmt};
use crate::hir::{Expr, ExprKind, LabelId, LocalId, Stmt, StmtKind};
use expr::ObjId;
use rustc_hash::FxHashMap;
use xcfa::{Label, Span};

/// A block, by the place of its statement in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct BlockKey(usize);

impl BlockKey {
    /// The key of a block (or of a `for`, which is a block too).
    pub fn of(stmt: &Stmt) -> BlockKey {
        BlockKey(std::ptr::from_ref(stmt) as usize)
    }
}

/// When an object comes to life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Birth {
    /// At its declaration; it dies at the end of its block.
    AtDeclaration,
    /// On entry of the function, whose outermost block declares it once.
    AtEntry,
    /// On entry of the function, and anew at each declaration.
    Renewed,
    /// On entry of the function; a declaration that is run again keeps the object.
    Kept,
}

/// A block that is open.
#[derive(Clone, Debug)]
pub(super) struct OpenScope {
    /// The block, if it has a key.
    pub key: Option<BlockKey>,
    /// Objects that die at its end.
    pub objects: Vec<ObjId>,
    /// What every way out evaluates, the youngest first, from where it was declared on.
    pub cleanups: Vec<Expr>,
}

/// What jumps a function has.
#[derive(Clone, Debug, Default)]
pub(super) struct Jumps {
    /// Blocks round each label, outermost first, each with the number of cleanups declared before the label.
    label_blocks: FxHashMap<LabelId, Vec<(BlockKey, usize)>>,
    /// Objects that do not come to life at their declaration.
    births: FxHashMap<LocalId, Birth>,
    /// Are there any labels?
    pub has_labels: bool,
}

impl Jumps {
    /// Looks through a function's body.
    pub fn of(body: &Stmt) -> Jumps {
        let mut scan = Scan {
            jumps: Jumps::default(),
            open: Vec::new(),
        };
        scan.block(body);
        let mut jumps = scan.jumps;
        if let StmtKind::Block(stmts) = &body.kind {
            // The outermost block runs once, so that one allocation serves.
            for stmt in stmts {
                if let StmtKind::Decl(id, _) = stmt.kind
                    && jumps.birth(id) == Birth::Renewed
                {
                    jumps.births.insert(id, Birth::AtEntry);
                }
            }
        }
        jumps
    }

    /// When the object of a local comes to life.
    pub fn birth(&self, id: LocalId) -> Birth {
        self.births
            .get(&id)
            .copied()
            .unwrap_or(Birth::AtDeclaration)
    }
}

struct Scan {
    jumps: Jumps,
    open: Vec<(BlockKey, usize)>,
}

impl Scan {
    fn block(&mut self, stmt: &Stmt) {
        self.open.push((BlockKey::of(stmt), 0));
        match &stmt.kind {
            StmtKind::Block(stmts) => {
                self.declarations(&stmts.iter().collect::<Vec<_>>());
                for stmt in stmts {
                    walk_stmt(stmt, self);
                }
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                let first: Vec<&Stmt> = match init.as_deref() {
                    Some(Stmt {
                        kind: StmtKind::Block(stmts),
                        ..
                    }) => stmts.iter().collect(),
                    Some(stmt) => vec![stmt],
                    None => Vec::new(),
                };
                let all: Vec<&Stmt> = first.iter().copied().chain([&**body]).collect();
                self.declarations(&all);
                for stmt in all {
                    walk_stmt(stmt, self);
                }
                for expr in [cond, step].into_iter().flatten() {
                    crate::hir::walk::walk_expr(expr, self);
                }
            }
            _ => walk_stmt(stmt, self),
        }
        self.open.pop();
    }

    /// Decides when the objects declared directly among `stmts` come to life.
    fn declarations(&mut self, stmts: &[&Stmt]) {
        let entries: Vec<bool> = stmts.iter().map(|stmt| has_entry(stmt)).collect();
        for (at, stmt) in stmts.iter().enumerate() {
            let (target, labelled) = unlabelled(stmt);
            let StmtKind::Decl(id, _) = target.kind else {
                continue;
            };
            let before = labelled || entries[..at].contains(&true);
            let after = entries[at + 1..].contains(&true);
            match (before, after) {
                (false, false) => {}
                (false, true) => drop(self.jumps.births.insert(id, Birth::Renewed)),
                (true, _) => drop(self.jumps.births.insert(id, Birth::Kept)),
            }
        }
    }
}

impl Visitor for Scan {
    fn expr(&mut self, expr: &Expr) -> bool {
        if let ExprKind::StmtExpr(body, value) = &expr.kind {
            self.block(body);
            if let Some(value) = value {
                crate::hir::walk::walk_expr(value, self);
            }
            return false;
        }
        true
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Block(_) | StmtKind::For { .. } => {
                self.block(stmt);
                false
            }
            StmtKind::Cleanup(_) => {
                if let Some((_, cleanups)) = self.open.last_mut() {
                    *cleanups += 1;
                }
                true
            }
            StmtKind::Label(id, _) => {
                self.jumps.has_labels = true;
                self.jumps.label_blocks.insert(*id, self.open.clone());
                true
            }
            _ => true,
        }
    }
}

/// The statement behind its labels, and whether there are any.
fn unlabelled(stmt: &Stmt) -> (&Stmt, bool) {
    match &stmt.kind {
        StmtKind::Label(_, inner) | StmtKind::Case(_, inner) | StmtKind::Default(inner) => {
            (unlabelled(inner).0, true)
        }
        _ => (stmt, false),
    }
}

/// Can a jump from outside lead into this statement?
fn has_entry(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Label(..) | StmtKind::Case(..) | StmtKind::Default(_) => true,
        StmtKind::Block(stmts) => stmts.iter().any(has_entry),
        StmtKind::If(_, then, otherwise) => {
            has_entry(then) || otherwise.as_deref().is_some_and(has_entry)
        }
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::For { body, .. } => {
            has_entry(body)
        }
        StmtKind::Switch(_, body) => has_label(body),
        _ => false,
    }
}

/// Is there a label (not a case) in it?
fn has_label(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Label(..) => true,
        StmtKind::Case(_, inner) | StmtKind::Default(inner) => has_label(inner),
        StmtKind::Block(stmts) => stmts.iter().any(has_label),
        StmtKind::If(_, then, otherwise) => {
            has_label(then) || otherwise.as_deref().is_some_and(has_label)
        }
        StmtKind::While(_, body)
        | StmtKind::DoWhile(body, _)
        | StmtKind::For { body, .. }
        | StmtKind::Switch(_, body) => has_label(body),
        _ => false,
    }
}

impl FunctionLowering<'_, '_> {
    /// Opens a block.
    pub fn open_scope(&mut self, key: Option<BlockKey>) {
        self.scopes.push(OpenScope {
            key,
            objects: Vec::new(),
            cleanups: Vec::new(),
        });
    }

    /// Closes the innermost block: its cleanups run and its objects die, the youngest first.
    pub fn close_scope(&mut self, span: Span) -> Lowered<()> {
        self.leave_scopes(self.scopes.len() - 1, span)?;
        self.scopes.pop();
        Ok(())
    }

    /// Leaves the blocks beyond the first `depth`, as a jump does: cleanups run, then objects die.
    pub fn leave_scopes(&mut self, depth: usize, span: Span) -> Lowered<()> {
        for at in (depth..self.scopes.len()).rev() {
            self.run_cleanups(at, 0)?;
            for object in self.scopes[at].objects.clone().into_iter().rev() {
                self.emit(Label::Dealloc(object), span);
            }
        }
        Ok(())
    }

    /// Runs the cleanups of a block that were declared after the first `kept`.
    fn run_cleanups(&mut self, at: usize, kept: usize) -> Lowered<()> {
        let cleanups = self.scopes[at].cleanups.clone();
        for cleanup in cleanups.iter().skip(kept).rev() {
            self.effects(cleanup)?;
        }
        Ok(())
    }

    /// Leaves what a jump to a label leaves: blocks that are not round it, and in the innermost one
    /// that is, what was declared behind the label.
    pub fn leave_for(&mut self, label: LabelId, span: Span) -> Lowered<()> {
        let blocks = self
            .jumps
            .label_blocks
            .get(&label)
            .cloned()
            .unwrap_or_default();
        let kept = |scope: &OpenScope| {
            let block = blocks.iter().find(|(key, _)| Some(*key) == scope.key);
            block.map(|(_, cleanups)| *cleanups)
        };
        let inside = |scope: &&OpenScope| scope.key.is_none() || kept(scope).is_some();
        let depth = self.scopes.iter().take_while(inside).count();
        self.leave_scopes(depth, span)?;
        match depth
            .checked_sub(1)
            .and_then(|at| Some((at, kept(&self.scopes[at])?)))
        {
            Some((at, kept)) => self.run_cleanups(at, kept),
            None => Ok(()),
        }
    }
}
