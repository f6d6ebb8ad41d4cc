//! Atomic operations on structs and unions: one edge that touches every scalar of the object. Padding plays no
//! part in them.

use super::arith::force_sort;
use super::function::FunctionLowering;
use super::types::{Cell, Lowered};
use crate::Unsupported;
use crate::hir::{Expr, Orders, RecordOp, Type};
use expr::{Sort, Term};
use xcfa::{Label, MemoryOrder, Span};

/// What the verdict says where padding is compared.
const PADDING: &str = "padding is equal where structs are compared and exchanged";

/// An object that is read and written as a whole.
struct Whole {
    cells: Vec<Cell>,
    order: Option<MemoryOrder>,
    span: Span,
}

impl FunctionLowering<'_, '_> {
    /// A built-in whose arguments are addresses of structs; its value, if it has one.
    pub(super) fn atomic_record(
        &mut self,
        op: RecordOp,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Option<Term>> {
        let orders = self.orders.take().unwrap_or(Orders::SEQ_CST);
        let ty = match args.first().map(|arg| arg.ty.unqualified()) {
            Some(Type::Pointer(to)) => (**to).clone(),
            _ => return Err(Unsupported::at(span, "an atomic built-in without a place")),
        };
        let mut places = Vec::new();
        for place in self.operands(&args.iter().collect::<Vec<_>>())? {
            places.push(self.keep(place, span));
        }
        let whole = self.whole(&ty, orders.operation, span)?;
        match (op, &places[..]) {
            (RecordOp::Load, &[from, to]) => {
                let seen = self.load_at_once(from, &whole);
                self.store_parts(to, &whole, &seen);
            }
            (RecordOp::Init, &[to, from]) => self.copy_record(to, from, &ty, span)?,
            (RecordOp::Store, &[to, from]) => {
                let values = self.load_parts(from, &whole);
                self.store_at_once(to, &whole, &values);
            }
            (RecordOp::Exchange, &[at, from, to]) => {
                let values = self.load_parts(from, &whole);
                let (mut labels, seen) = self.loads(at, &whole);
                labels.extend(self.stores(at, &whole, &values));
                self.emit_ordered(labels, whole.order, span);
                self.store_parts(to, &whole, &seen);
            }
            (RecordOp::CompareExchange | RecordOp::WeakCompareExchange, &[at, old, new]) => {
                let weak = op == RecordOp::WeakCompareExchange;
                let done = self.exchange_record([at, old, new], &whole, weak, orders.failure)?;
                return Ok(Some(done));
            }
            _ => return Err(Unsupported::at(span, "an atomic built-in of this form")),
        }
        Ok(None)
    }

    /// The value of an atomic struct, as the address of a copy.
    pub(super) fn atomic_record_value(&mut self, place: &Expr) -> Lowered<Term> {
        let from = self.address(place)?;
        let whole = self.whole(&place.ty, Some(MemoryOrder::SeqCst), place.span)?;
        let copy = self.temp_record(&place.ty, place.span)?;
        let seen = self.load_at_once(from, &whole);
        self.store_parts(copy, &whole, &seen);
        Ok(copy)
    }

    /// An assignment to an atomic struct.
    pub(super) fn set_atomic_record(&mut self, to: Term, from: Term, place: &Expr) -> Lowered<()> {
        let whole = self.whole(&place.ty, Some(MemoryOrder::SeqCst), place.span)?;
        let values = self.load_parts(from, &whole);
        self.store_at_once(to, &whole, &values);
        Ok(())
    }

    fn whole(&mut self, ty: &Type, order: Option<MemoryOrder>, span: Span) -> Lowered<Whole> {
        if self.ctx.options.fences {
            let what = "an atomic operation on a struct, under a weak memory model";
            return Err(Unsupported::at(span, what));
        }
        self.no_fusing(span)?;
        let cells = self.copy_cells(ty, span)?;
        Ok(Whole { cells, order, span })
    }

    /// Two edges: success writes, failure only reads, and then stores what it saw.
    fn exchange_record(
        &mut self,
        [at, expected, desired]: [Term; 3],
        whole: &Whole,
        weak: bool,
        failure: Option<MemoryOrder>,
    ) -> Lowered<Term> {
        let span = whole.span;
        let old = self.load_parts(expected, whole);
        let new = self.load_parts(desired, whole);
        let (read, seen) = self.loads(at, whole);
        let mut equal = self.terms().bool(true);
        for ((&seen, &old), cell) in seen.iter().zip(&old).zip(&whole.cells) {
            let bits = Sort::Bv(cell.sort.width());
            let pair = [seen, old].map(|value| force_sort(self.terms(), value, bits));
            let same = self.terms().eq(pair[0], pair[1]);
            equal = self.terms().and(equal, same);
        }
        let succeeds = match weak {
            true => self.unless_weak_failure(equal, span),
            false => equal,
        };
        let fails = self.terms().not(succeeds);
        let done = self.temp(Sort::Bv(8));
        let [no, end] = [self.new_loc(), self.new_loc()];
        let mut failing = read.clone();
        failing.push(Label::Assume(fails));
        self.add_ordered_edge_to(no, failing, failure, span);
        let mut succeeding = read;
        succeeding.push(Label::Assume(succeeds));
        succeeding.extend(self.stores(at, whole, &new));
        self.emit_ordered(succeeding, whole.order, span);
        let one = self.terms().bv(8, 1);
        self.assign(done, one, span);
        self.goto(end, span);
        self.at = no;
        self.store_parts(expected, whole, &seen);
        let zero = self.terms().bv(8, 0);
        self.assign(done, zero, span);
        self.goto(end, span);
        self.at = end;
        self.ctx.assume_about(PADDING.to_owned());
        Ok(self.read_var(done))
    }

    /// What reads every scalar, and the values.
    fn loads(&mut self, at: Term, whole: &Whole) -> (Vec<Label>, Vec<Term>) {
        let mut labels = Vec::new();
        let mut values = Vec::new();
        for cell in &whole.cells {
            let var = self.temp(cell.sort);
            let addr = self.offset(at, cell.offset);
            labels.push(Label::Load { var, addr });
            values.push(self.read_var(var));
        }
        (labels, values)
    }

    /// What writes every scalar.
    fn stores(&mut self, at: Term, whole: &Whole, values: &[Term]) -> Vec<Label> {
        let store = |(cell, &value): (&Cell, &Term)| {
            let addr = self.offset(at, cell.offset);
            Label::Store { addr, value }
        };
        whole.cells.iter().zip(values).map(store).collect()
    }

    fn load_at_once(&mut self, at: Term, whole: &Whole) -> Vec<Term> {
        let (labels, values) = self.loads(at, whole);
        self.emit_ordered(labels, whole.order, whole.span);
        values
    }

    fn store_at_once(&mut self, at: Term, whole: &Whole, values: &[Term]) {
        let labels = self.stores(at, whole, values);
        self.emit_ordered(labels, whole.order, whole.span);
    }

    /// Reads one scalar after the other.
    fn load_parts(&mut self, at: Term, whole: &Whole) -> Vec<Term> {
        let (labels, values) = self.loads(at, whole);
        labels
            .into_iter()
            .for_each(|label| self.emit(label, whole.span));
        values
    }

    /// Writes one scalar after the other.
    fn store_parts(&mut self, at: Term, whole: &Whole, values: &[Term]) {
        let labels = self.stores(at, whole, values);
        labels
            .into_iter()
            .for_each(|label| self.emit(label, whole.span));
    }
}
