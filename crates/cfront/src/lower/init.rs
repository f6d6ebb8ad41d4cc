//! Declarations of locals and their initialisers.

use super::function::FunctionLowering;
use super::program::Storage;
use super::types::{BitUnit, Cell, Lowered, is_pointer, is_record, is_signed, narrow};
use crate::Unsupported;
use crate::hir::{Init, InitItem, LocalId, Type};
use expr::{ObjId, Term, VarId};
use xcfa::{HavocOrigin, Label, ObjectKind, Span};

impl FunctionLowering<'_, '_> {
    /// A local is declared.
    pub fn declare(&mut self, id: LocalId, init: Option<&Init>, span: Span) -> Lowered<()> {
        let local = self.local(id);
        if let Some(length) = local.length {
            return self.declare_variable_array(id, length, span);
        }
        if !self.ctx.fits_variable(&local.ty, local.address_taken) {
            return self.declare_object(id, init, span);
        }
        self.declare_variable(id, init, span)?;
        if !self.jumps.is_early(id) {
            self.is_alive(id);
        }
        Ok(())
    }

    /// A local comes to life without being declared: its value is arbitrary.
    pub fn bring_to_life(&mut self, id: LocalId, span: Span) -> Lowered<()> {
        let local = self.local(id);
        // No jump leads past the declaration of an array of variable length.
        if local.length.is_some() {
            return Ok(());
        }
        match self.ctx.fits_variable(&local.ty, local.address_taken) {
            true => self.declare_variable(id, None, span),
            false => self.make_object(id, false, span),
        }
    }

    fn declare_variable(&mut self, id: LocalId, init: Option<&Init>, span: Span) -> Lowered<()> {
        let local = self.local(id);
        let var = self.local_variable(id)?;
        // What the initialiser itself says about the variable is about its old value.
        self.locals[id.0 as usize] = Some(Storage::Var(var));
        let Some(init) = init else {
            let sort = self.ctx.xcfa[var].sort;
            if super::types::is_bool(&local.ty) {
                let value = self.havoc(&local.ty, HavocOrigin::Uninitialised, span)?;
                self.assign(var, value, span);
            } else {
                debug_assert!(
                    sort.width() >= 8,
                    "only our own temporaries are truth values"
                );
                self.emit(
                    Label::Havoc {
                        var,
                        origin: HavocOrigin::Uninitialised,
                    },
                    span,
                );
            }
            return Ok(());
        };
        let sort = self.ctx.xcfa[var].sort;
        let mut value = self.terms().constant(sort, 0);
        for item in &init.items {
            value = self.value(&item.value)?;
        }
        self.assign(var, value, span);
        Ok(())
    }

    fn local_variable(&mut self, id: LocalId) -> Lowered<VarId> {
        if let Some(Storage::Var(var)) = self.locals[id.0 as usize] {
            return Ok(var);
        }
        let local = self.local(id);
        let sort = self.types().sort(&local.ty, local.span)?;
        let unnamed = local.name.is_empty();
        let name = if unnamed { "literal" } else { &local.name };
        let var = self
            .ctx
            .local_var(self.proc, name, sort, is_signed(&local.ty));
        self.ctx.xcfa[var].pointer = is_pointer(&local.ty);
        Ok(var)
    }

    /// The object of a local, and the variable that its allocation sets. A constant object has its
    /// address in another variable as well, through which the program knows it, so that other writes
    /// can be told from its initialisation.
    fn local_object(&mut self, id: LocalId) -> Lowered<(VarId, ObjId)> {
        let at = id.0 as usize;
        if let Some(known) = self.local_objects[at] {
            return Ok(known);
        }
        let local = self.local(id);
        let name = match local.name.is_empty() {
            true => "literal",
            false => &local.name,
        };
        let object = self.new_object(name, &local.ty, ObjectKind::Stack, local.span)?;
        if let Some(align) = local.align {
            self.ctx.xcfa[object].align = align;
        }
        let name = format!("&{name}");
        let pointer = self.pointer_var(&name);
        let constant = local.constant && self.ctx.options.bounds_checks;
        self.ctx.xcfa[object].constant = constant;
        let known_as = match constant {
            true => self.pointer_var(&name),
            false => pointer,
        };
        self.locals[at] = Some(Storage::Stack(known_as));
        self.local_objects[at] = Some((pointer, object));
        Ok((pointer, object))
    }

    /// Makes the object of a local.
    fn make_object(&mut self, id: LocalId, zeroed: bool, span: Span) -> Lowered<()> {
        let local = self.local(id);
        let size = self.types().size(&local.ty, local.span)?;
        let (pointer, object) = self.local_object(id)?;
        let label = self.alloc_label(pointer, object, size, zeroed);
        self.emit(label, span);
        if let Some(Storage::Stack(known_as)) = self.locals[id.0 as usize]
            && known_as != pointer
        {
            let address = self.read_var(pointer);
            self.assign(known_as, address, span);
        }
        Ok(())
    }

    /// Makes the object of a local, unless it is there already, and its initial contents.
    fn declare_object(&mut self, id: LocalId, init: Option<&Init>, span: Span) -> Lowered<()> {
        let early = self.jumps.is_early(id);
        let zeroed = init.is_some_and(|init| init.zero_rest);
        // Padding is not zero because the members are.
        let at_once = zeroed && !early && !self.types().has_padding(&self.local(id).ty);
        if !early {
            self.make_object(id, at_once, span)?;
            self.is_alive(id);
        }
        self.initialise_object(id, init, zeroed && !at_once, span)
    }

    /// The initial contents of the object of a local.
    fn initialise_object(
        &mut self,
        id: LocalId,
        init: Option<&Init>,
        zero: bool,
        span: Span,
    ) -> Lowered<()> {
        let local = self.local(id);
        let (pointer, _) = self.local_object(id)?;
        let address = self.read_var(pointer);
        match init {
            Some(init) => {
                if zero {
                    self.zero_rest(address, &local.ty, init, span)?;
                }
                let size = self.types().size(&local.ty, local.span)?;
                self.store_items(address, size, init)
            }
            None if self.jumps.is_early(id) => {
                let origin = HavocOrigin::Uninitialised;
                self.havoc_record(address, &local.ty, &origin, span)
            }
            None => Ok(()),
        }
    }

    /// Evaluates and stores the items of an initialiser of an object of `size` bytes in order.
    fn store_items(&mut self, address: Term, size: u64, init: &Init) -> Lowered<()> {
        for item in &init.items {
            self.store_item(address, size, item)?;
        }
        Ok(())
    }

    fn store_item(&mut self, address: Term, size: u64, item: &InitItem) -> Lowered<()> {
        let value = &item.value;
        let room = self.types().size(&value.ty, value.span)?;
        if item.bits.is_none() && item.offset + room > size {
            return Err(Unsupported::at(
                value.span,
                "a flexible array with values here",
            ));
        }
        let at = self.offset(address, item.offset);
        if is_record(&value.ty) {
            let source = self.record_value(value)?;
            return self.copy_record(at, source, &value.ty, value.span);
        }
        let term = self.value(value)?;
        if let Some((first, width)) = item.bits {
            let sort = self.terms().sort(term);
            let cell = Cell {
                offset: item.offset,
                sort,
            };
            // The storage unit may reach beyond the end of the object, where nothing is.
            let unit = narrow(BitUnit { cell, first, width });
            if unit.cell.offset + unit.cell.size() > size {
                return Err(Unsupported::at(value.span, "a bit-field this wide"));
            }
            let at = self.offset(address, unit.cell.offset);
            return self
                .write_bits(at, unit, term, is_signed(&value.ty), value.span)
                .map(drop);
        }
        let atomic = matches!(value.ty, Type::Atomic(_));
        self.emit_as(
            Label::Store {
                addr: at,
                value: term,
            },
            atomic,
            value.span,
        );
        Ok(())
    }

    /// Makes and initialises the object of a compound literal, which dies with the innermost block.
    pub fn compound_literal(&mut self, id: LocalId, init: &Init, span: Span) -> Lowered<()> {
        let local = self.local(id);
        if self.ctx.fits_variable(&local.ty, local.address_taken) {
            return self.declare_variable(id, Some(init), span);
        }
        let known = self.local_objects[id.0 as usize].is_some();
        let (pointer, object) = self.local_object(id)?;
        if !known {
            let size = self.types().size(&local.ty, span)?;
            let label = self.alloc_label(pointer, object, size, false);
            self.prologue.push((label, span));
            self.epilogue.push(object);
        }
        self.emit(Label::Dealloc(object), span);
        let at_once = init.zero_rest && !self.types().has_padding(&local.ty);
        self.make_object(id, at_once, span)?;
        self.initialise_object(id, Some(init), init.zero_rest && !at_once, span)?;
        let scope = self.scopes.last_mut().expect("an expression is in a block");
        scope.objects.push(object);
        Ok(())
    }

    /// Parameters that live in memory are copied there.
    pub fn declare_params(&mut self) -> Lowered<()> {
        let Some(function) = self.function else {
            return Ok(());
        };
        let hidden = usize::from(is_record(&function.ty.result));
        for at in 0..function.params {
            let id = LocalId(at as u32);
            let local = self.local(id);
            let var = self.ctx.xcfa[self.proc].params[at + hidden];
            if self.ctx.fits_variable(&local.ty, local.address_taken) {
                self.locals[at] = Some(Storage::Var(var));
                continue;
            }
            let given = self.read_var(var);
            self.declare_object(id, None, local.span)?;
            let Some(Storage::Stack(pointer)) = self.locals[at] else {
                return Err(Unsupported::at(local.span, "a parameter of this type"));
            };
            let address = self.read_var(pointer);
            if is_record(&local.ty) {
                self.copy_record(address, given, &local.ty, local.span)?;
            } else {
                self.emit(
                    Label::Store {
                        addr: address,
                        value: given,
                    },
                    local.span,
                );
            }
        }
        Ok(())
    }
}
