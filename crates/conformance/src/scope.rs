//! What an expression may name.

use generator::Rng;

/// A struct or union with its members.
#[derive(Clone, Debug)]
pub struct Record {
    /// `struct s0`, `union u1`.
    pub name: String,
    pub members: Vec<Member>,
    pub is_union: bool,
}

/// A member: an integer, a bit-field, or an array of integers.
#[derive(Clone, Debug)]
pub struct Member {
    pub name: String,
    pub ty: &'static str,
    pub bits: Option<usize>,
    /// How many elements, if it is an array.
    pub length: Option<usize>,
}

impl Member {
    /// Itself as a part of `record`, an lvalue of integer type.
    pub fn of(&self, record: &str, index: &str) -> String {
        match self.length {
            Some(length) => format!("{record}.{}[(unsigned)({index}) % {length}u]", self.name),
            None => format!("{record}.{}", self.name),
        }
    }
}

/// A function that can be called.
#[derive(Clone, Debug)]
pub struct Callable {
    pub name: String,
    pub params: usize,
}

/// Names in scope.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub records: Vec<Record>,
    /// Integer variables.
    pub scalars: Vec<String>,
    /// Arrays and their lengths.
    pub arrays: Vec<(String, usize)>,
    /// Variables of record type: name, and index into `records`.
    pub objects: Vec<(String, usize)>,
    /// Pointers to integers: name, and how many integers lie there.
    pub pointers: Vec<(String, usize)>,
    pub functions: Vec<Callable>,
    pub enumerators: Vec<String>,
    /// Variables that must not change: loop counters.
    pub fixed: Vec<String>,
    pub fresh: usize,
    /// Where the names of the function begin among scalars, arrays, objects and pointers.
    pub own: [usize; 4],
    /// Functions that remember something: each is called alone, so that the order is clear.
    pub remembering: Vec<Callable>,
}

impl Scope {
    /// From here on, names belong to a function.
    pub fn begin_function(&mut self) {
        self.own = [
            self.scalars.len(),
            self.arrays.len(),
            self.objects.len(),
            self.pointers.len(),
        ];
    }

    /// A name that is not taken.
    pub fn name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}{}", self.fresh)
    }
}

/// One of a list, if it is not empty.
pub fn pick<'a, T>(rng: &mut Rng, list: &'a [T]) -> Option<&'a T> {
    match list.is_empty() {
        true => None,
        false => Some(&list[rng.below(list.len())]),
    }
}
