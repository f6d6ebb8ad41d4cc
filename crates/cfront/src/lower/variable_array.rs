//! Arrays of variable length.
//!
//! They live on after their block: to use one then is undefined, and a correct program does not.
//! Where it matters, for memory safety, their end is marked; the machine follows it once a pass knows the
//! size, and refuses the array otherwise. The same holds for `alloca`, until the function returns.

use super::function::FunctionLowering;
use super::program::Storage;
use super::types::Lowered;
use crate::Unsupported;
use crate::hir::{Expr, LocalId, Type};
use expr::{Op, Term};
use xcfa::{Label, Object, ObjectKind, Span};

impl FunctionLowering<'_, '_> {
    /// `alloca`: memory that lives until the function returns.
    pub fn alloca(&mut self, size: &Expr, span: Span) -> Lowered<Term> {
        let size = self.value(size)?;
        let is_once = self.loops.is_empty() && !self.jumps.has_labels();
        let most = 1 << (self.ctx.xcfa.pointer_bits() - 1);
        let constant = self.terms().as_const(size);
        let constant = constant.filter(|&size| is_once && size < most);
        let name = "alloca".to_owned();
        let object = Object::new(name, ObjectKind::Stack, constant, span);
        let object = self.ctx.xcfa.add_object(object);
        let pointer = self.pointer_var("&alloca");
        match constant {
            Some(size) => {
                let label = self.alloc_label(pointer, object, size, false);
                self.prologue.push((label, span));
                self.epilogue.push(object);
            }
            None => {
                let size = self.size_of(size, 1, span);
                self.emit(Label::alloc(pointer, object, size, false), span);
                if is_once && self.ctx.options.bounds_checks {
                    self.epilogue.push(object);
                }
            }
        }
        Ok(self.read_var(pointer))
    }

    /// The size of so many elements. A negative number, or one beyond half of memory, is undefined: the
    /// run ends, but for memory safety, which reports accesses, there is nothing to access.
    fn size_of(&mut self, count: Term, each: u64, span: Span) -> Term {
        let width = self.ctx.xcfa.pointer_bits();
        let most = (1 << (width - 1)) / each.max(1);
        let most = self.terms().bv(width, most);
        let fits = self.terms().binary(Op::Ult, count, most);
        let each = self.ctx.word(each);
        let size = self.terms().binary(Op::Mul, count, each);
        if self.ctx.options.bounds_checks {
            let nothing = self.ctx.word(0);
            return self.terms().ite(fits, size, nothing);
        }
        self.assume(fits, span);
        size
    }

    /// Makes an array with as many elements as another local says.
    pub fn declare_variable_array(
        &mut self,
        id: LocalId,
        length: LocalId,
        span: Span,
    ) -> Lowered<()> {
        let local = self.local(id);
        let (Type::Array(element, _), Some(Storage::Var(length))) =
            (&local.ty, self.locals[length.0 as usize])
        else {
            return Err(Unsupported::at(span, "an array of this kind"));
        };
        let each = self.types().size(element, span)?;
        let count = self.read_var(length);
        let size = self.size_of(count, each, span);
        let object = self.ctx.xcfa.add_object(Object::new(
            local.name.clone(),
            ObjectKind::Stack,
            None,
            local.span,
        ));
        let var = self.pointer_var(&format!("&{}", local.name));
        let zeroed = false;
        self.emit(Label::alloc(var, object, size, zeroed), span);
        self.locals[id.0 as usize] = Some(Storage::Stack(var));
        if self.ctx.options.bounds_checks && !self.jumps.is_early(id) {
            self.local_objects[id.0 as usize] = Some((var, object));
            self.is_alive(id);
        }
        Ok(())
    }
}
