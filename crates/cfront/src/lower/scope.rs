//! Lifetimes of local objects, and how jumps cut across them.
//!
//! An object lives from its declaration to the end of its block. If a label before its declaration
//! can lead there again, it lives from the beginning of the block, as C has it, so that it stays the
//! same object. Where an object is alive is thus a matter of the text alone. Every edge of a jump
//! ends what is alive at its source only, and begins what is alive at its target only.

use super::function::FunctionLowering;
use super::types::Lowered;
use crate::hir::walk::{Visitor, walk_stmt};
use crate::hir::{Expr, ExprKind, LabelId, LocalId, Stmt, StmtKind};
use expr::ObjId;
use rustc_hash::FxHashMap;
use xcfa::{Label, LocId, Span};

/// A block, by the place of its statement in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct BlockKey(usize);

impl BlockKey {
    /// The key of a block (or of a `for`, which is a block too).
    pub fn of(stmt: &Stmt) -> BlockKey {
        BlockKey(std::ptr::from_ref(stmt) as usize)
    }
}

/// A block that is open.
#[derive(Clone, Debug)]
pub(super) struct OpenScope {
    /// The block, if it has a key.
    pub key: Option<BlockKey>,
    /// Objects that die at its end.
    pub objects: Vec<ObjId>,
    /// Locals that are alive.
    pub alive: Vec<LocalId>,
    /// What every way out evaluates, the youngest first, from where it was declared on.
    pub cleanups: Vec<Expr>,
}

/// A block round a label.
#[derive(Clone, Debug)]
struct RoundLabel {
    key: BlockKey,
    /// Cleanups declared before the label.
    cleanups: usize,
    /// Locals of the block that are alive at the label.
    alive: Vec<LocalId>,
}

/// What jumps a function has.
#[derive(Clone, Debug, Default)]
pub(super) struct Jumps {
    /// Blocks round each label, outermost first.
    label_blocks: FxHashMap<LabelId, Vec<RoundLabel>>,
    /// Locals that are alive from the beginning of their block.
    early: FxHashMap<BlockKey, Vec<LocalId>>,
}

impl Jumps {
    /// Looks through a function's body.
    pub fn of(body: &Stmt) -> Jumps {
        let mut scan = Scan {
            jumps: Jumps::default(),
            open: Vec::new(),
        };
        scan.block(body);
        scan.jumps
    }

    /// Are there any labels?
    pub fn has_labels(&self) -> bool {
        !self.label_blocks.is_empty()
    }

    /// Is the local alive from the beginning of its block?
    pub fn is_early(&self, id: LocalId) -> bool {
        self.early.values().any(|locals| locals.contains(&id))
    }
}

struct Scan {
    jumps: Jumps,
    open: Vec<RoundLabel>,
}

impl Scan {
    fn block(&mut self, stmt: &Stmt) {
        let stmts = declaring(stmt);
        let early = early_locals(&stmts);
        let key = BlockKey::of(stmt);
        self.open.push(RoundLabel {
            key,
            cleanups: 0,
            alive: early.clone(),
        });
        if !early.is_empty() {
            self.jumps.early.insert(key, early);
        }
        for stmt in stmts {
            walk_stmt(stmt, self);
        }
        if let StmtKind::For { cond, step, .. } = &stmt.kind {
            for expr in [cond, step].into_iter().flatten() {
                crate::hir::walk::walk_expr(expr, self);
            }
        }
        self.open.pop();
    }
}

/// The statements of a block in a row; those of a `for` are its declarations and its body.
fn declaring(stmt: &Stmt) -> Vec<&Stmt> {
    match &stmt.kind {
        StmtKind::Block(stmts) => stmts.iter().collect(),
        StmtKind::For { init, body, .. } => {
            let first = init.as_deref().map(declaring).unwrap_or_default();
            first.into_iter().chain([&**body]).collect()
        }
        _ => vec![stmt],
    }
}

/// Locals declared among `stmts` to whose declaration a jump may lead again.
fn early_locals(stmts: &[&Stmt]) -> Vec<LocalId> {
    let mut entered = false;
    let mut early = Vec::new();
    for stmt in stmts {
        let (target, labelled) = unlabelled(stmt);
        if let StmtKind::Decl(id, _) = target.kind
            && (entered || labelled)
        {
            early.push(id);
        }
        entered |= has_entry(stmt);
    }
    early
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
                if let Some(block) = self.open.last_mut() {
                    block.cleanups += 1;
                }
                true
            }
            StmtKind::Decl(id, _) => {
                if let Some(block) = self.open.last_mut()
                    && !block.alive.contains(id)
                {
                    block.alive.push(*id);
                }
                true
            }
            StmtKind::Label(id, _) => {
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
    /// Opens a block: what lives as long as it does comes to life.
    pub fn open_scope(&mut self, key: Option<BlockKey>, span: Span) -> Lowered<()> {
        self.scopes.push(OpenScope {
            key,
            objects: Vec::new(),
            alive: Vec::new(),
            cleanups: Vec::new(),
        });
        let early = key.and_then(|key| self.jumps.early.get(&key).cloned());
        for id in early.unwrap_or_default() {
            self.bring_to_life(id, span)?;
            self.is_alive(id);
        }
        Ok(())
    }

    /// The local is alive until the innermost block ends.
    pub fn is_alive(&mut self, id: LocalId) {
        let object = self.local_objects[id.0 as usize].map(|(_, object)| object);
        let scope = self.scopes.last_mut().expect("a local is in a block");
        scope.alive.push(id);
        scope.objects.extend(object);
    }

    /// Locals that are alive in the blocks beyond the first `depth`.
    pub fn alive_beyond(&self, depth: usize) -> Vec<LocalId> {
        let scopes = self.scopes[depth..].iter();
        scopes.flat_map(|scope| scope.alive.clone()).collect()
    }

    /// A jump goes to `target`, where these locals are alive too.
    pub fn goto_and_begin(&mut self, target: LocId, begun: &[LocalId], span: Span) -> Lowered<()> {
        for &id in begun {
            self.bring_to_life(id, span)?;
        }
        self.goto(target, span);
        Ok(())
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

    /// `goto`: leaves the blocks that are not round the label and, in the innermost one that is, what
    /// was declared behind the label; enters the other blocks round the label.
    pub fn goto_label(&mut self, label: LabelId, span: Span) -> Lowered<()> {
        let blocks = self.jumps.label_blocks.get(&label).cloned();
        let blocks = blocks.unwrap_or_default();
        let round = |scope: &OpenScope| blocks.iter().find(|block| Some(block.key) == scope.key);
        let inside = |scope: &&OpenScope| scope.key.is_none() || round(scope).is_some();
        let depth = self.scopes.iter().take_while(inside).count();
        self.leave_scopes(depth, span)?;
        if let Some(at) = depth.checked_sub(1)
            && let Some(block) = round(&self.scopes[at])
        {
            self.run_cleanups(at, block.cleanups)?;
        }
        let stays: Vec<LocalId> = self.scopes[..depth]
            .iter()
            .flat_map(|scope| scope.alive.clone())
            .collect();
        let mut begun: Vec<LocalId> = blocks
            .iter()
            .flat_map(|block| block.alive.clone())
            .collect();
        begun.retain(|id| !stays.contains(id));
        self.goto_and_begin(self.labels[label.0 as usize], &begun, span)
    }
}
