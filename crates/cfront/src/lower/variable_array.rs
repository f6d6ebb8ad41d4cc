//! Arrays of variable length.
//!
//! They live on after their block: to use one then is undefined, and a correct program does not.
//! Where it matters, for memory safety, the machine refuses them.

use super::function::FunctionLowering;
use super::program::Storage;
use super::types::Lowered;
use crate::Unsupported;
use crate::hir::{LocalId, Type};
use expr::Op;
use xcfa::{Label, Object, ObjectKind, Span};

impl FunctionLowering<'_, '_> {
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
        let each = self.ctx.word(each);
        let count = self.read_var(length);
        let size = self.terms().binary(Op::Mul, count, each);
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
        Ok(())
    }
}
