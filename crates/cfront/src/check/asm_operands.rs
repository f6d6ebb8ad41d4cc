//! Operands of an `asm` with an atomic instruction: which one is meant, and what it says about itself.
//!
//! A compiler believes what the constraints say, and not what the instructions do. Where they do not say
//! that a place is read and written, or that a register is set, the compiled program does anything; such an `asm`
//! is refused.

use super::Checker;
use super::fault::{Typed, beyond};
use super::instructions::{Atomic, Operand};
use crate::ast::{self, AsmOperand, AsmStmt};
use crate::hir::walk::{Visitor, walk_expr};
use crate::hir::{Expr, ExprKind, IntType};
use xcfa::Span;

/// What is said where operands are not as the instruction needs them.
const ODD: &str = "an atomic instruction with operands of this form";

/// Constraints for a place in memory: of every machine, of ARM64, of RISC-V.
const MEMORY: [&str; 3] = ["m", "Q", "A"];

/// The constraint for the accumulator of x86.
const ACCUMULATOR: &str = "a";

impl Checker<'_> {
    /// Is an operand of an `asm` in memory, and nowhere else?
    pub fn is_in_memory(&self, asm: &AsmStmt, name: &str) -> bool {
        let found = self.find_operand(asm, name);
        found.is_some_and(|operand| MEMORY.contains(&whereabouts(operand)))
    }

    /// The operand of a number or a name: outputs come first.
    fn find_operand<'s>(&self, asm: &'s AsmStmt, name: &str) -> Option<&'s AsmOperand> {
        let all = || asm.outputs.iter().chain(&asm.inputs);
        match name.parse::<usize>() {
            Ok(at) => all().nth(at),
            Err(_) => all().find(|it| it.name.is_some_and(|own| self.names.name(own) == name)),
        }
    }

    /// The output in whose place an input is given.
    fn tied<'s>(&self, asm: &'s AsmStmt, input: &AsmOperand) -> Option<&'s AsmOperand> {
        let named = |output: &&AsmOperand| {
            let name = output.name.map(|name| self.names.name(name));
            name.is_some_and(|name| input.constraint == format!("[{name}]"))
        };
        match input.constraint.parse::<usize>() {
            Ok(at) => asm.outputs.get(at),
            Err(_) => asm.outputs.iter().find(named),
        }
    }

    /// The output that an operand is, or is given in the place of.
    pub fn set_by<'s>(&self, asm: &'s AsmStmt, operand: &'s AsmOperand) -> Option<&'s AsmOperand> {
        match is_output(operand) {
            true => Some(operand),
            false => self.tied(asm, operand),
        }
    }

    /// The output that an operand of the instruction names.
    pub fn output_named<'s>(
        &self,
        asm: &'s AsmStmt,
        operand: &Operand,
        span: Span,
    ) -> Typed<&'s AsmOperand> {
        let found = match operand {
            Operand::Given(name) => self.find_operand(asm, name),
            _ => None,
        };
        found
            .and_then(|found| self.set_by(asm, found))
            .ok_or_else(|| beyond(span, ODD))
    }

    /// What an operand is. GCC looks through casts of what is set that keep its size.
    pub fn operand(&mut self, operand: &AsmOperand) -> Typed<Expr> {
        let mut expr = &operand.expr;
        let size = self.expr(expr)?.ty;
        let size = self.size_of(&size);
        while is_output(operand)
            && let ast::ExprKind::Cast(_, inner) = &expr.kind
        {
            let ty = self.expr(inner)?.ty;
            if self.size_of(&ty) != size {
                break;
            }
            expr = inner;
        }
        self.expr(expr)
    }

    /// The place that an operand is, or points to.
    pub fn place_of(&mut self, asm: &AsmStmt, operand: &Operand, span: Span) -> Typed<Expr> {
        let (Operand::Given(name) | Operand::Pointed(name)) = operand else {
            return Err(beyond(span, ODD));
        };
        let given = self.find_operand(asm, name);
        let given = given.ok_or_else(|| beyond(span, ODD))?;
        match operand {
            Operand::Pointed(_) if asm.changes_memory => {
                let pointer = self.rvalue_expr(&given.expr)?;
                self.deref(pointer, span)
            }
            Operand::Given(name) if self.is_in_memory(asm, name) => {
                let is_set = is_output(given) || asm.changes_memory;
                let place = self.operand(given)?;
                // What an output held before is lost, whatever else is read, unless it is an input too.
                let mut is_read = !given.constraint.starts_with('=');
                for input in &asm.inputs {
                    let is_memory = MEMORY.contains(&whereabouts(input));
                    is_read |= is_memory && same_place(&place, &self.expr(&input.expr)?);
                }
                match is_set && is_read {
                    true => Ok(place),
                    false => Err(beyond(
                        span,
                        "`asm` that does not say that it changes memory",
                    )),
                }
            }
            Operand::Pointed(_) => Err(beyond(
                span,
                "`asm` that does not say that it changes memory",
            )),
            _ => Err(beyond(span, ODD)),
        }
    }

    /// The value of an operand before the instruction.
    pub fn value_of(&mut self, asm: &AsmStmt, operand: &Operand, span: Span) -> Typed<Expr> {
        match operand {
            Operand::Constant(number) => Ok(self.int_expr(*number as u64, IntType::INT, span)),
            Operand::Given(name) => {
                let given = self.find_operand(asm, name);
                let given = given.ok_or_else(|| beyond(span, ODD))?;
                self.given_value(asm, given, span)
            }
            Operand::Pointed(_) => Err(beyond(span, ODD)),
        }
    }

    /// What an operand is before the instruction: its own value, or that of the input in its place.
    fn given_value(&mut self, asm: &AsmStmt, operand: &AsmOperand, span: Span) -> Typed<Expr> {
        if !operand.constraint.starts_with('=') {
            return self.rvalue_expr(&operand.expr);
        }
        let same = |input: &&AsmOperand| {
            let tied = self.tied(asm, input);
            let accumulator = [*input, operand].map(whereabouts) == [ACCUMULATOR; 2];
            accumulator || tied.is_some_and(|output| std::ptr::eq(output, operand))
        };
        match asm.inputs.iter().find(same) {
            Some(input) => self.rvalue_expr(&input.expr),
            None => Err(beyond(
                span,
                "an atomic instruction whose operand is not set",
            )),
        }
    }

    /// The output in the accumulator, and its value before the instruction.
    pub fn accumulator<'s>(
        &mut self,
        asm: &'s AsmStmt,
        span: Span,
    ) -> Typed<(&'s AsmOperand, Expr)> {
        let mut outputs = asm.outputs.iter();
        let output = outputs.find(|output| whereabouts(output) == ACCUMULATOR);
        let output = output.ok_or_else(|| beyond(span, ODD))?;
        Ok((output, self.given_value(asm, output, span)?))
    }

    /// Refuses operands with effects, and outputs that the instruction, as it is known, does not set.
    pub fn refuse_odd_operands(&mut self, asm: &AsmStmt, atomic: &Atomic, span: Span) -> Typed<()> {
        for operand in asm.outputs.iter().chain(&asm.inputs) {
            let expr = self.expr(&operand.expr)?;
            if !is_plain(&expr) {
                return Err(beyond(span, ODD));
            }
        }
        let flag = atomic.flag.as_ref().map(|(operand, _)| operand);
        let named = [
            Some(&atomic.place),
            atomic.value.as_ref(),
            atomic.result.as_ref(),
            flag,
        ];
        let names = named
            .into_iter()
            .flatten()
            .filter_map(|operand| match operand {
                Operand::Given(name) => Some(name),
                _ => None,
            });
        let found = names.filter_map(|name| self.find_operand(asm, name));
        let known: Vec<_> = found.filter_map(|it| self.set_by(asm, it)).collect();
        let is_known = |output: &AsmOperand| {
            known.iter().any(|it| std::ptr::eq(*it, output))
                || flag_output(output).is_some()
                || (atomic.action.compares() && whereabouts(output) == ACCUMULATOR)
        };
        match asm.outputs.iter().all(is_known) {
            true => Ok(()),
            false => Err(beyond(span, "an atomic instruction with other outputs")),
        }
    }
}

/// Where an operand may be: its constraint without how it is used.
fn whereabouts(operand: &AsmOperand) -> &str {
    operand.constraint.trim_start_matches(['=', '+', '&'])
}

fn is_output(operand: &AsmOperand) -> bool {
    operand.constraint.starts_with(['=', '+'])
}

/// Is an output a flag of the processor: whether something is zero (`false`), or is not?
pub(super) fn flag_output(output: &AsmOperand) -> Option<bool> {
    match output.constraint.as_str() {
        "=@ccz" | "=@cce" => Some(false),
        "=@ccnz" | "=@ccne" => Some(true),
        _ => None,
    }
}

/// Are two expressions without effects written the same?
fn same_place(a: &Expr, b: &Expr) -> bool {
    use ExprKind as K;
    match (&a.kind, &b.kind) {
        (K::Global(a), K::Global(b)) => a == b,
        (K::Local(a), K::Local(b)) => a == b,
        (K::Int(a), K::Int(b)) => a == b,
        (K::Member(a, field), K::Member(b, other)) => field == other && same_place(a, b),
        (K::Deref(a), K::Deref(b))
        | (K::Load(a), K::Load(b))
        | (K::AddrOf(a), K::AddrOf(b))
        | (K::Decay(a), K::Decay(b)) => same_place(a, b),
        (K::Cast(inner), K::Cast(other)) => a.ty == b.ty && same_place(inner, other),
        (
            K::PointerAdd {
                pointer,
                index,
                negative,
                scale,
            },
            K::PointerAdd {
                pointer: other,
                index: at,
                negative: sign,
                scale: each,
            },
        ) => {
            (negative, scale) == (sign, each) && same_place(pointer, other) && same_place(index, at)
        }
        _ => false,
    }
}

/// May an expression be evaluated twice?
fn is_plain(expr: &Expr) -> bool {
    struct Plain(bool);
    impl Visitor for Plain {
        fn expr(&mut self, expr: &Expr) -> bool {
            use ExprKind as K;
            self.0 &= matches!(
                expr.kind,
                K::Global(_)
                    | K::Local(_)
                    | K::Deref(_)
                    | K::Member(..)
                    | K::Int(_)
                    | K::Load(_)
                    | K::AddrOf(_)
                    | K::Decay(_)
                    | K::FunctionAddr(_)
                    | K::Unary(..)
                    | K::Binary(..)
                    | K::PointerAdd { .. }
                    | K::Conditional(..)
                    | K::Cast(_)
            );
            self.0
        }
    }
    let mut plain = Plain(true);
    walk_expr(expr, &mut plain);
    plain.0
}
