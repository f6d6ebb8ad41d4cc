//! Globals as variables and static objects, with their initial values.
//!
//! Contents of external globals are arbitrary; the entry procedure makes them so.

use super::library::HEAP_ALIGN;
use super::program::{Lowering, Storage, ThreadObject};
use super::record::MOST_ARBITRARY;
use super::types::{Cell, Lowered, is_pointer, is_record, is_signed};
use crate::Unsupported;
use crate::functions::is_written_by_library;
use crate::hir::{ExprKind, Global, GlobalId, Init, InitItem};
use expr::{Op, Term};
use std::collections::BTreeMap;
use xcfa::{Object, ObjectKind, Scope, Var};

/// The streams of `stdio.h`; what they point to is never read.
const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

impl Lowering<'_> {
    /// Makes variables and objects of all globals in use, then sets their initial values (which
    /// may mention the address of any other).
    pub fn declare_globals(&mut self) -> Lowered<()> {
        let ids: Vec<GlobalId> = self.reach.globals.iter().copied().collect();
        for &id in &ids {
            let storage = self.declare_global(id)?;
            self.globals.insert(id, storage);
        }
        for &id in &ids {
            self.initialise_global(id)?;
        }
        Ok(())
    }

    fn declare_global(&mut self, id: GlobalId) -> Lowered<Storage> {
        let global = &self.program.globals[id.0 as usize];
        if self.is_arbitrary(global) && is_written_by_library(&global.name) {
            let what = format!("`{}`: a variable that the library writes", global.name);
            return Err(Unsupported::at(global.span, what));
        }
        let types = self.types();
        if self.fits_variable(&global.ty, global.address_taken) {
            let scope = if global.thread_local {
                Scope::ThreadLocal
            } else {
                Scope::Global
            };
            let sort = types.sort(&global.ty, global.span)?;
            let signed = is_signed(&global.ty);
            let name = global.name.clone();
            let var = Var {
                name,
                sort,
                signed,
                pointer: is_pointer(&global.ty),
                scope,
                init: None,
                temp: false,
                alias: None,
            };
            return Ok(Storage::Var(self.xcfa.add_var(var)));
        }
        let is_large = !global.thread_local && self.is_large_external(global);
        // One that is too large to set is not on the stack: no thread takes it along when it ends.
        let kind = match (global.thread_local, is_large) {
            (true, _) => ObjectKind::Stack,
            (false, true) => ObjectKind::Heap,
            (false, false) => ObjectKind::Static { init: Vec::new() },
        };
        if is_large {
            self.refuse_large_external(global)?;
        }
        let object = self.xcfa.add_object(Object {
            name: global.name.clone(),
            kind,
            size: Some(self.static_size(global)?),
            align: global.align.unwrap_or_else(|| types.align(&global.ty)),
            shape: types.shape(&global.ty),
            ty: None,
            span: global.span,
            constant: global.constant && !self.is_arbitrary(global),
            literal: global.literal,
            reuses: false,
            resized: false,
            hidden: false,
            external: is_large,
        });
        if !global.thread_local && !is_large {
            return Ok(Storage::Static(self.base(object)));
        }
        let scope = match is_large {
            true => Scope::Global,
            false => Scope::ThreadLocal,
        };
        let pointer = self.xcfa.add_var(Var {
            pointer: true,
            ..Var::temp(format!("&{}", global.name), self.word_sort(), scope)
        });
        let objects = match is_large {
            true => &mut self.large_externals,
            false => &mut self.thread_objects,
        };
        objects.push(ThreadObject {
            global: id,
            object,
            pointer,
        });
        Ok(Storage::ThreadLocal(pointer))
    }

    /// Is it defined nowhere and too large to set each of its values? The first thread makes it then as memory
    /// that nothing ends, and what is not set is arbitrary.
    pub fn is_large_external(&self, global: &Global) -> bool {
        self.is_arbitrary(global) && self.types().cells(&global.ty, MOST_ARBITRARY).is_none()
    }

    /// Refuses what memory with arbitrary contents would not be like.
    fn refuse_large_external(&self, global: &Global) -> Lowered<()> {
        let types = self.types();
        let align = global.align.unwrap_or_else(|| types.align(&global.ty));
        let what = match align > HEAP_ALIGN {
            true => "a large object that is not defined, with an alignment of its own",
            false if types.has_truth(&global.ty) => {
                "a large object that is not defined, with members of type `_Bool`"
            }
            false => return Ok(()),
        };
        Err(Unsupported::at(global.span, what))
    }

    fn initialise_global(&mut self, id: GlobalId) -> Lowered<()> {
        let global = &self.program.globals[id.0 as usize];
        match self.globals[&id] {
            Storage::Var(var) => {
                let value = self.initial_scalar(global)?;
                self.xcfa[var].init = Some(value);
            }
            Storage::Static(address) => {
                let cells = self.static_cells(global)?;
                let objects = self.xcfa.terms.bases(address);
                if let ObjectKind::Static { init } = &mut self.xcfa[objects[0]].kind {
                    *init = cells;
                }
            }
            // Each thread stores the values itself.
            Storage::Stack(_) | Storage::ThreadLocal(_) => {}
        }
        Ok(())
    }

    fn initial_scalar(&mut self, global: &Global) -> Lowered<Term> {
        if is_stream(global) {
            let name = format!("FILE of {}", global.name);
            let kind = ObjectKind::Static { init: Vec::new() };
            let span = global.span;
            let object = Object::new(name, kind, Some(1), span);
            let object = self.xcfa.add_object(object);
            return Ok(self.base(object));
        }
        let last = global.init.as_ref().and_then(|init| init.items.last());
        match last {
            Some(item) => self.constant(&item.value),
            None => {
                let sort = self.types().sort(&global.ty, global.span)?;
                Ok(self.xcfa.terms.constant(sort, 0))
            }
        }
    }

    /// The size of a global object: that of its type, or more if the initialiser of a flexible array
    /// at its end says so.
    pub fn static_size(&self, global: &Global) -> Lowered<u64> {
        let types = self.types();
        let mut size = types.size(&global.ty, global.span)?;
        for item in global.init.iter().flat_map(|init| &init.items) {
            if item.bits.is_none() {
                let value = &item.value;
                size = size.max(item.offset + types.size(&value.ty, value.span)?);
            }
        }
        Ok(size)
    }

    /// The initial scalars of a global object by offset.
    pub fn static_cells(&mut self, global: &Global) -> Lowered<Vec<(u64, Term)>> {
        let mut image = Image {
            end: self.static_size(global)?,
            ..Image::default()
        };
        if is_stream(global) {
            let value = self.initial_scalar(global)?;
            return Ok(vec![(0, value)]);
        }
        if let Some(init) = &global.init {
            self.fill(&mut image, init, 0)?;
        }
        Ok(image.finish(self))
    }

    fn fill(&mut self, image: &mut Image, init: &Init, at: u64) -> Lowered<()> {
        for item in &init.items {
            let offset = at + item.offset;
            if is_record(&item.value.ty) {
                self.fill_record(image, item, offset)?;
                continue;
            }
            let value = self.constant(&item.value)?;
            match item.bits {
                None => image.set(offset, value, self),
                Some(bits) => {
                    let Some(constant) = self.xcfa.terms.as_const(value) else {
                        let what = "a bit-field initialised with an address";
                        return Err(Unsupported::at(item.value.span, what));
                    };
                    let size = u64::from(self.xcfa.terms.width(value) / 8);
                    image.set_bits(offset, size, bits, constant);
                }
            }
        }
        Ok(())
    }

    /// A whole record, given as a compound literal of static storage.
    fn fill_record(&mut self, image: &mut Image, item: &InitItem, at: u64) -> Lowered<()> {
        if let ExprKind::Load(place) = &item.value.kind
            && let ExprKind::Global(id) = place.kind
        {
            let global = &self.program.globals[id.0 as usize];
            return match &global.init {
                Some(init) => self.fill(image, init, at),
                None => Ok(()),
            };
        }
        Err(Unsupported::at(
            item.value.span,
            "a record that is not a constant initialiser",
        ))
    }

    /// Does the program use this global without defining it, so that its value is arbitrary?
    pub fn is_arbitrary(&self, global: &Global) -> bool {
        global.external && !is_stream(global)
    }
}

fn is_stream(global: &Global) -> bool {
    global.external && STREAMS.contains(&global.name.as_str())
}

/// The initial contents of a static object while they are put together.
#[derive(Default)]
struct Image {
    /// How large the object is: the storage unit of its last bit-field may be larger.
    end: u64,
    cells: BTreeMap<u64, (u64, Term)>,
    /// Bits of bit-fields by byte.
    bytes: BTreeMap<u64, u8>,
    /// Storage units of bit-fields.
    units: BTreeMap<u64, u64>,
}

impl Image {
    /// Sets a scalar; what was there before gives way.
    fn set(&mut self, offset: u64, value: Term, lowering: &Lowering) {
        let sort = lowering.xcfa.terms.sort(value);
        let new = Cell { offset, sort };
        for at in self.overlapping(offset, new.size()) {
            self.cells.remove(&at);
        }
        self.cells.insert(offset, (new.size(), value));
    }

    /// Where cells are that overlap with these bytes. No two cells overlap with each other, so the
    /// search ends at the first one that does not.
    fn overlapping(&self, offset: u64, size: u64) -> Vec<u64> {
        let before_end = self.cells.range(..offset + size).rev();
        let hits = before_end.take_while(|&(&at, &(size, _))| at + size > offset);
        hits.map(|(&at, _)| at).collect()
    }

    fn set_bits(&mut self, offset: u64, size: u64, (first, width): (u32, u32), bits: u64) {
        self.units.insert(offset, size);
        for bit in 0..width {
            let at = first + bit;
            let byte = self.bytes.entry(offset + u64::from(at / 8)).or_default();
            let mask = 1u8 << (at % 8);
            *byte = if bits >> bit & 1 == 1 {
                *byte | mask
            } else {
                *byte & !mask
            };
        }
    }

    /// Everything that is not zero, by offset.
    fn finish(mut self, lowering: &mut Lowering) -> Vec<(u64, Term)> {
        for (offset, size) in std::mem::take(&mut self.units) {
            self.close_unit(offset, size, lowering);
        }
        let is_zero = |term: Term| lowering.xcfa.terms.as_const(term) == Some(0);
        let cells = self.cells.iter().filter(|(_, (_, term))| !is_zero(*term));
        cells.map(|(&offset, &(_, term))| (offset, term)).collect()
    }

    /// Turns the bytes of a storage unit into one scalar, or into bytes if others lie between.
    fn close_unit(&mut self, offset: u64, size: u64, lowering: &mut Lowering) {
        let crowded = offset + size > self.end || !self.overlapping(offset, size).is_empty();
        let terms = &mut lowering.xcfa.terms;
        let mut whole = terms.bv(8, 0);
        for at in (0..size).rev() {
            let byte = self.bytes.remove(&(offset + at)).unwrap_or(0);
            let byte = terms.bv(8, u64::from(byte));
            if crowded && terms.as_const(byte) != Some(0) {
                self.cells.insert(offset + at, (1, byte));
            }
            whole = if at + 1 == size {
                byte
            } else {
                terms.binary(Op::Concat, whole, byte)
            };
        }
        if !crowded {
            self.cells.insert(offset, (size, whole));
        }
    }
}
