//! Random data: globals, arrays, structures, pointers.

use super::{Discipline, Generator};
use crate::Extra;
use crate::program::{Array, Global, Int, Pointer, Record, Target};

pub(super) const TYPES: [Int; 9] = [
    Int::Bool,
    Int::I8,
    Int::U8,
    Int::I16,
    Int::U16,
    Int::I32,
    Int::U32,
    Int::U64,
    Int::I64,
];

impl Generator<'_> {
    pub(super) fn data(&mut self) {
        self.program.globals.push(Global {
            ty: Int::I32,
            atomic: false,
            init: 0,
        });
        for _ in 0..self.rng.between(1, 3) {
            // A profile that asks for wide integers gets them.
            let usual = if self.profile.has(Extra::WideIntegers) {
                20
            } else {
                50
            };
            let ty = if self.rng.chance(usual) {
                Int::I32
            } else {
                self.any_type()
            };
            let often = if self.discipline == Discipline::Atomics {
                60
            } else {
                15
            };
            let atomic = self.profile.atomics && ty != Int::Bool && self.rng.chance(often);
            let init = self.initial(ty);
            self.program.globals.push(Global { ty, atomic, init });
        }
        if self.profile.arrays {
            for _ in 0..self.rng.below(3) {
                let element = if self.rng.chance(60) {
                    Int::I32
                } else {
                    self.any_type()
                };
                let len = self.rng.pick(&[2, 2, 4]);
                let init = (0..len).map(|_| self.initial(element)).collect();
                self.program.arrays.push(Array { element, init });
            }
        }
        if self.profile.records {
            for _ in 0..self.rng.below(3) {
                let init = [self.initial(Int::I8), self.initial(Int::I32), 2, 17];
                self.program.records.push(Record { init });
            }
        }
        if self.profile.pointers {
            for _ in 0..self.rng.below(3) {
                let init = self.target();
                self.program.pointers.push(Pointer { init });
            }
        }
        if self.profile.thread_locals && self.rng.chance(30) {
            let init = self.rng.below(4) as i64;
            self.program.thread_locals.push(init);
        }
    }

    fn any_type(&mut self) -> Int {
        if self.profile.has(Extra::WideIntegers) {
            let wide = [Int::I64, Int::I64, Int::U64];
            return match self.rng.chance(50) {
                true => self.rng.pick(&wide),
                false => self.rng.pick(&TYPES),
            };
        }
        self.rng.pick(&TYPES[..8])
    }

    /// A value of the type, mostly small, sometimes the greatest.
    fn initial(&mut self, ty: Int) -> i64 {
        let limit = match ty {
            Int::Bool => 1,
            Int::I8 => 127,
            Int::U8 => 255,
            Int::I16 => 32_767,
            Int::U16 => 65_535,
            Int::I32 => 2_147_483_647,
            Int::U32 => 4_294_967_295,
            Int::U64 => 4_294_967_296,
            Int::I64 => i64::MAX,
        };
        // For overflows, the values have to be close to the limits.
        if self.profile.has(Extra::SignedArithmetic) && self.rng.chance(25) {
            return limit;
        }
        match self.rng.below(10) {
            0 => limit,
            1 if matches!(ty, Int::I8 | Int::I16 | Int::I32 | Int::I64) => -1,
            2 | 3 => 1,
            _ => 0,
        }
    }

    /// Some `int` in memory.
    pub(super) fn target(&mut self) -> Target {
        let mut targets = Vec::new();
        for (at, global) in self.program.globals.iter().enumerate() {
            if global.ty == Int::I32 && !global.atomic {
                targets.push(Target::Global(at));
            }
        }
        for (at, array) in self.program.arrays.iter().enumerate() {
            if array.element == Int::I32 {
                targets.push(Target::Element(at, self.rng.below(array.init.len())));
            }
        }
        targets.extend((0..self.program.records.len()).map(Target::Member));
        self.rng.pick(&targets)
    }
}
