//! Constructors. Each simplifies locally and keeps the value under every environment.

use crate::{FloatKind, Node, ObjId, Op, Sort, Term, Terms, VarId, apply};

impl Terms {
    /// A constant, cut to its sort.
    pub fn constant(&mut self, sort: Sort, bits: u64) -> Term {
        self.intern(Node::Const(sort, bits & sort.mask()))
    }

    /// A bit vector constant.
    pub fn bv(&mut self, width: u32, bits: u64) -> Term {
        self.constant(Sort::Bv(width), bits)
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> Term {
        self.constant(Sort::Bool, value as u64)
    }

    /// A variable.
    pub fn var(&mut self, var: VarId, sort: Sort) -> Term {
        self.intern(Node::Var(var, sort))
    }

    /// The address of an object.
    pub fn base(&mut self, obj: ObjId, width: u32) -> Term {
        self.intern(Node::Base(obj, width))
    }

    /// `if c then a else b`.
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b), "both branches have one sort");
        match self.as_const(c) {
            Some(0) => return b,
            Some(_) => return a,
            None if a == b => return a,
            None => {}
        }
        if let Node::Unary(Op::Not, inner) = self.node(c) {
            return self.ite(inner, b, a);
        }
        if self.sort(a) == Sort::Bool {
            match (self.as_const(a), self.as_const(b)) {
                (Some(1), Some(0)) => return c,
                (Some(0), Some(1)) => return self.not(c),
                (Some(1), None) => return self.or(c, b),
                (None, Some(0)) => return self.and(c, a),
                _ => {}
            }
        }
        self.intern(Node::Ite(c, a, b))
    }

    /// Applies an operator of one argument.
    pub fn unary(&mut self, op: Op, a: Term) -> Term {
        let sort = self.sort(a);
        if let Some(bits) = self.as_const(a) {
            let result = op.result(&[sort]);
            return self.constant(result, apply(op, sort, bits, 0));
        }
        match (op, self.node(a)) {
            (Op::ZeroExt(to) | Op::SignExt(to), _) if sort.width() == to => a,
            (Op::Extract { hi, lo: 0 }, _) if hi + 1 == sort.width() => a,
            (Op::AddressToInt, Node::Unary(Op::AddressToInt, _)) => a,
            (Op::FloatToFloat(kind), _) if sort == Sort::Float(kind) => a,
            (Op::Not | Op::Neg | Op::BitNot, Node::Unary(inner, b)) if inner == op => b,
            (Op::ZeroExt(_), Node::Unary(Op::ZeroExt(_), b)) => self.unary(op, b),
            (Op::SignExt(_), Node::Unary(Op::SignExt(_), b)) => self.unary(op, b),
            (Op::SignExt(to), Node::Unary(Op::ZeroExt(_), b)) => self.unary(Op::ZeroExt(to), b),
            (
                Op::Extract { hi, lo: 0 },
                Node::Unary(ext @ (Op::ZeroExt(_) | Op::SignExt(_)), b),
            ) => self.low_bits_of_extension(hi, ext, b),
            (Op::Extract { hi, lo }, Node::Unary(Op::Extract { lo: below, .. }, b)) => self.unary(
                Op::Extract {
                    hi: hi + below,
                    lo: lo + below,
                },
                b,
            ),
            // The outcome of a comparison as an integer stays one `ite` through conversions.
            (Op::ZeroExt(_) | Op::SignExt(_) | Op::Extract { .. }, Node::Ite(c, x, y))
                if self.as_const(x).is_some() && self.as_const(y).is_some() =>
            {
                let (x, y) = (self.unary(op, x), self.unary(op, y));
                self.ite(c, x, y)
            }
            _ => self.intern(Node::Unary(op, a)),
        }
    }

    fn low_bits_of_extension(&mut self, hi: u32, ext: Op, b: Term) -> Term {
        let width = self.width(b);
        if hi < width {
            return self.unary(Op::Extract { hi, lo: 0 }, b);
        }
        match ext {
            Op::ZeroExt(_) => self.unary(Op::ZeroExt(hi + 1), b),
            _ => self.unary(Op::SignExt(hi + 1), b),
        }
    }

    /// Applies an operator of two arguments.
    pub fn binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        debug_assert!(
            op == Op::Concat || self.sort(a) == self.sort(b),
            "{op:?} takes one sort, got {} and {}",
            self.sort(a),
            self.sort(b)
        );
        let sort = self.sort(a);
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            let result = op.result(&[sort, self.sort(b)]);
            let bits = match op {
                Op::Concat => x << self.width(b) | y,
                _ => apply(op, sort, x, y),
            };
            return self.constant(result, bits);
        }
        // Constants go to the right of commutative operators, so that rules need one side only.
        let (a, b) = match op.is_commutative() && (self.as_const(a).is_some() || a > b) {
            true if self.as_const(b).is_none() => (b, a),
            _ => (a, b),
        };
        match self.simplify_binary(op, sort, a, b) {
            Some(term) => term,
            None => self.intern(Node::Binary(op, a, b)),
        }
    }

    fn simplify_binary(&mut self, op: Op, sort: Sort, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return self.simplify_equal_args(op, sort, a);
        }
        if op == Op::Eq
            && let (Node::Unary(Op::AddressToInt, x), Node::Unary(Op::AddressToInt, y)) =
                (self.node(a), self.node(b))
        {
            return Some(self.eq(x, y));
        }
        let bits = self.as_const(b)?;
        let all = sort.mask();
        match (op, bits) {
            (Op::And, 0) | (Op::BitAnd, 0) | (Op::Mul, 0) => Some(b),
            (Op::Or, 1) => Some(b),
            (Op::BitOr, bits) if bits == all => Some(b),
            (Op::And, _) | (Op::Or, _) => Some(a),
            (Op::BitAnd, bits) if bits == all => Some(a),
            (Op::Add | Op::Sub | Op::BitOr | Op::BitXor | Op::Shl | Op::Lshr | Op::Ashr, 0) => {
                Some(a)
            }
            (Op::Mul | Op::Udiv | Op::Sdiv, 1) if sort.width() > 1 => Some(a),
            // x - k is x + (-k): sums of constants then meet below.
            (Op::Sub, bits) => {
                let negated = self.constant(sort, bits.wrapping_neg());
                Some(self.binary(Op::Add, a, negated))
            }
            (Op::Add, bits) => match self.node(a) {
                Node::Binary(Op::Add, x, k) if self.as_const(k).is_some() => {
                    let sum = self.as_const(k)?.wrapping_add(bits);
                    let sum = self.constant(sort, sum);
                    Some(self.binary(Op::Add, x, sum))
                }
                _ => None,
            },
            (Op::Ult, 0) => Some(self.bool(false)),
            (Op::Eq, bits) => self.simplify_eq_const(sort, a, bits),
            _ => None,
        }
    }

    fn simplify_equal_args(&mut self, op: Op, sort: Sort, a: Term) -> Option<Term> {
        match op {
            Op::And | Op::Or | Op::BitAnd | Op::BitOr => Some(a),
            Op::Eq | Op::Ule | Op::Sle => Some(self.bool(true)),
            Op::Ult | Op::Slt => Some(self.bool(false)),
            Op::Sub | Op::BitXor => Some(self.constant(sort, 0)),
            _ => None,
        }
    }

    /// `a == bits`, where `a` is not a constant.
    fn simplify_eq_const(&mut self, sort: Sort, a: Term, bits: u64) -> Option<Term> {
        if sort == Sort::Bool {
            return Some(if bits == 1 { a } else { self.not(a) });
        }
        match self.node(a) {
            // `(c ? 1 : 0) == 1` is how C tests a comparison.
            Node::Ite(c, x, y) => match (self.as_const(x), self.as_const(y)) {
                (Some(x), Some(y)) => Some(match (x == bits, y == bits) {
                    (true, true) => self.bool(true),
                    (true, false) => c,
                    (false, true) => self.not(c),
                    (false, false) => self.bool(false),
                }),
                _ => None,
            },
            Node::Binary(Op::Add, x, k) => {
                let k = self.as_const(k)?;
                let rest = self.constant(sort, bits.wrapping_sub(k));
                Some(self.eq(x, rest))
            }
            Node::Unary(Op::AddressToInt, x) => {
                let k = self.constant(sort, bits);
                Some(self.eq(x, k))
            }
            Node::Unary(Op::ZeroExt(_), x) => {
                let inner = self.sort(x);
                Some(match bits & !inner.mask() {
                    0 => {
                        let k = self.constant(inner, bits);
                        self.eq(x, k)
                    }
                    _ => self.bool(false),
                })
            }
            _ => None,
        }
    }

    /// Negation.
    pub fn not(&mut self, a: Term) -> Term {
        debug_assert_eq!(self.sort(a), Sort::Bool);
        self.unary(Op::Not, a)
    }

    /// Conjunction.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.binary(Op::And, a, b)
    }

    /// Disjunction.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.binary(Op::Or, a, b)
    }

    /// Conjunction of all, true for none.
    pub fn and_all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let truth = self.bool(true);
        terms
            .into_iter()
            .fold(truth, |all, term| self.and(all, term))
    }

    /// Disjunction of all, false for none.
    pub fn or_all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let falsity = self.bool(false);
        terms
            .into_iter()
            .fold(falsity, |any, term| self.or(any, term))
    }

    /// Equality of bits; floats compare by [`Op::FloatEq`].
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.binary(Op::Eq, a, b)
    }

    /// Inequality of bits.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Sum of two bit vectors.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.binary(Op::Add, a, b)
    }

    /// Bits `hi` to `lo`.
    pub fn extract(&mut self, a: Term, hi: u32, lo: u32) -> Term {
        self.unary(Op::Extract { hi, lo }, a)
    }

    /// Brings a bit vector to `width` bits: cuts it, or extends it as signed or unsigned.
    pub fn resize(&mut self, a: Term, width: u32, signed: bool) -> Term {
        let now = self.width(a);
        if width < now {
            self.extract(a, width - 1, 0)
        } else if signed {
            self.unary(Op::SignExt(width), a)
        } else {
            self.unary(Op::ZeroExt(width), a)
        }
    }

    /// 1 or 0 as a bit vector.
    pub fn bool_to_bv(&mut self, a: Term, width: u32) -> Term {
        let (one, zero) = (self.bv(width, 1), self.bv(width, 0));
        self.ite(a, one, zero)
    }

    /// Is a value of any sort different from C's zero?
    pub fn is_nonzero(&mut self, a: Term) -> Term {
        match self.sort(a) {
            Sort::Bool => a,
            sort @ Sort::Bv(_) => {
                let zero = self.constant(sort, 0);
                self.ne(a, zero)
            }
            sort @ Sort::Float(_) => {
                let zero = self.constant(sort, 0);
                let equal = self.binary(Op::FloatEq, a, zero);
                self.not(equal)
            }
        }
    }

    /// A float constant.
    pub fn float(&mut self, kind: FloatKind, value: f64) -> Term {
        let bits = match kind {
            FloatKind::F32 => (value as f32).to_bits() as u64,
            FloatKind::F64 => value.to_bits(),
        };
        self.constant(Sort::Float(kind), bits)
    }
}
