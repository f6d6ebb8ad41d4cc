//! What cells hold before the first step, and which objects they belong to.

use super::build::Builder;
use dataflow::{Storage, pointsto::Offset};
use expr::{Env, ObjId, Sort, Term, Terms, VarId};
use semantics::Cell;
use xcfa::ObjectKind;

struct Addresses<'a>(&'a semantics::Layout);

impl Env for Addresses<'_> {
    fn var(&self, _: VarId) -> u64 {
        0
    }

    fn base(&self, obj: ObjId) -> u64 {
        self.0.base(obj)
    }
}

impl Builder<'_, '_> {
    /// What a cell holds before the first step; open where it is not plain to see.
    pub fn initial(&mut self, cell: Cell, sort: Sort) -> Term {
        let bits = match cell {
            Cell::Var(var) => match self.machine.xcfa[var].init {
                Some(term) => Some(self.constant(term)),
                None => Some(0),
            },
            Cell::Bytes { start, len } => self.initial_bytes(start, len),
        };
        match bits {
            Some(bits) => self.program.terms.constant(sort, bits & sort.mask()),
            None => self.fresh(sort),
        }
    }

    fn constant(&self, term: Term) -> u64 {
        let terms: &Terms = &self.machine.xcfa.terms;
        terms.eval(term, &Addresses(&self.machine.layout))
    }

    fn initial_bytes(&self, start: u64, len: u64) -> Option<u64> {
        let xcfa = self.machine.xcfa;
        let mut made = self.objects.iter();
        if made.any(|it| it.zeroed && (it.base..it.base + it.size).contains(&start)) {
            return Some(0);
        }
        let (obj, offset) = self.static_object(start)?;
        let ObjectKind::Static { init } = &xcfa[obj].kind else {
            return None;
        };
        let mut around = init
            .iter()
            .filter(|(at, term)| *at < offset + len && offset < at + xcfa.terms.bytes(*term));
        match around.next() {
            None => Some(0),
            Some((at, term)) if *at == offset && xcfa.terms.bytes(*term) == len => {
                Some(self.constant(*term))
            }
            Some(_) => None,
        }
    }

    fn static_object(&self, addr: u64) -> Option<(ObjId, u64)> {
        let xcfa = self.machine.xcfa;
        xcfa.obj_ids().find_map(|obj| {
            matches!(xcfa[obj].kind, ObjectKind::Static { .. }).then_some(())?;
            let offset = addr.checked_sub(self.machine.layout.base(obj))?;
            (offset < xcfa[obj].size?).then_some((obj, offset))
        })
    }

    /// The object at an address, and where in it that is.
    fn object(&self, addr: u64) -> Option<(ObjId, u64)> {
        let mut made = self.objects.iter();
        let made = made.find(|it| (it.base..it.base + it.size).contains(&addr));
        let made = made.map(|it| (it.obj, addr - it.base));
        made.or_else(|| self.static_object(addr))
    }

    /// Tells which of the cells that are read each phantom edge may write.
    pub fn name_cells(&mut self) {
        let mut cells: Vec<Cell> = Vec::new();
        for read in self.program.ops.iter().flat_map(|op| &op.reads) {
            if !cells.contains(&read.cell) {
                cells.push(read.cell);
            }
        }
        for (index, region) in self.places.iter().enumerate() {
            let mut written = cells.clone();
            written.retain(|&cell| region.places.iter().any(|place| self.covers(place, cell)));
            self.program.phantoms[index].cells = written;
        }
    }

    /// May a place have bytes of a cell?
    fn covers(&self, place: &Storage, cell: Cell) -> bool {
        match (place, cell) {
            (Storage::Var(var), Cell::Var(other)) => *var == other,
            (Storage::Memory(target, size), Cell::Bytes { start, len }) => {
                match (self.object(start), target.offset) {
                    (None, _) => true,
                    (Some((obj, _)), Offset::Any) => obj == target.object,
                    (Some((obj, at)), Offset::At(offset)) => {
                        let at = at as i64;
                        obj == target.object
                            && at < offset + *size as i64
                            && offset < at + len as i64
                    }
                }
            }
            _ => false,
        }
    }
}
