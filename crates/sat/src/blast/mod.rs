//! Bit-blasting: terms as circuits.
//!
//! Every operator on truth values and bit vectors is here; of floats only what moves their bits
//! about, the rest is refused. Law: under every assignment of the variables' bits, the bits of a
//! term's word are those that [`Terms::eval`] gives.

mod gates;
mod words;

pub use gates::Gates;
pub use words::Word;

use crate::Lit;
use expr::{Node, ObjId, Op, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;

/// A term that cannot be blasted, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub String);

impl From<Refused> for verdict::Reason {
    fn from(refused: Refused) -> verdict::Reason {
        verdict::Reason::unsupported(refused.0)
    }
}

/// Turns terms of one pool into words, each once.
#[derive(Default)]
pub struct Blaster {
    /// The gates.
    pub gates: Gates,
    words: FxHashMap<Term, Word>,
    vars: FxHashMap<VarId, Word>,
    bases: FxHashMap<ObjId, u64>,
}

impl Blaster {
    /// Nothing blasted yet; addresses of objects are what `bases` says.
    pub fn new(bases: FxHashMap<ObjId, u64>) -> Blaster {
        Blaster {
            bases,
            ..Blaster::default()
        }
    }

    /// Gives variables other words from now on, and forgets what was blasted before.
    pub fn rebind(&mut self, vars: FxHashMap<VarId, Word>) {
        self.vars = vars;
        self.words.clear();
    }

    /// The bits of a variable; free inputs when it is seen for the first time.
    pub fn var(&mut self, var: VarId, sort: Sort) -> &Word {
        let gates = &mut self.gates;
        self.vars
            .entry(var)
            .or_insert_with(|| gates.input_word(sort.width()))
    }

    /// The bits of a variable, if any term has mentioned it.
    pub fn known_var(&self, var: VarId) -> Option<&Word> {
        self.vars.get(&var)
    }

    /// A truth value.
    pub fn lit(&mut self, terms: &Terms, term: Term) -> Result<Lit, Refused> {
        debug_assert_eq!(terms.sort(term), Sort::Bool);
        Ok(self.word(terms, term)?[0])
    }

    /// The word of a term. Not recursive, because terms can be very deep.
    pub fn word(&mut self, terms: &Terms, term: Term) -> Result<Word, Refused> {
        let mut work = vec![term];
        while let Some(&top) = work.last() {
            if self.words.contains_key(&top) {
                work.pop();
                continue;
            }
            let before = work.len();
            work.extend(terms.args(top).filter(|arg| !self.words.contains_key(arg)));
            if work.len() == before {
                let word = self.node(terms, top)?;
                self.words.insert(top, word);
                work.pop();
            }
        }
        Ok(self.words[&term].clone())
    }

    fn node(&mut self, terms: &Terms, term: Term) -> Result<Word, Refused> {
        Ok(match terms.node(term) {
            Node::Const(sort, bits) => Gates::constant_word(sort.width(), bits),
            Node::Var(var, sort) => self.var(var, sort).clone(),
            Node::Base(obj, width) => match self.bases.get(&obj) {
                Some(&address) => Gates::constant_word(width, address),
                None => return Err(Refused("the address of an object that has none".into())),
            },
            Node::Unary(op, a) => {
                let a = self.words[&a].clone();
                self.unary(op, a)?
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.words[&a].clone(), self.words[&b].clone());
                self.binary(op, &a, &b)?
            }
            Node::Ite(c, a, b) => {
                let c = self.words[&c][0];
                let (a, b) = (self.words[&a].clone(), self.words[&b].clone());
                self.gates.ite_word(c, &a, &b)
            }
        })
    }

    fn unary(&mut self, op: Op, mut a: Word) -> Result<Word, Refused> {
        Ok(match op {
            Op::Not | Op::BitNot => a.iter().map(|&bit| !bit).collect(),
            Op::Neg => self.gates.negate(&a),
            Op::Extract { hi, lo } => a[lo as usize..=hi as usize].to_vec(),
            Op::ZeroExt(to) => {
                a.resize(to as usize, Lit::FALSE);
                a
            }
            Op::SignExt(to) => {
                let sign = a[a.len() - 1];
                a.resize(to as usize, sign);
                a
            }
            Op::FloatToBits | Op::FloatFromBits(_) | Op::AddressToInt => a,
            Op::FloatNeg => {
                let sign = a.len() - 1;
                a[sign] = !a[sign];
                a
            }
            other => return Err(floating(other)),
        })
    }

    fn binary(&mut self, op: Op, a: &Word, b: &Word) -> Result<Word, Refused> {
        let gates = &mut self.gates;
        Ok(match op {
            Op::And | Op::BitAnd => gates.zip(a, b, Gates::and),
            Op::Or | Op::BitOr => gates.zip(a, b, Gates::or),
            Op::BitXor => gates.zip(a, b, Gates::xor),
            Op::Eq => vec![gates.equal(a, b)],
            Op::Add => gates.add(a, b),
            Op::Sub => gates.subtract(a, b).0,
            Op::Mul => gates.multiply(a, b),
            Op::Udiv => gates.divide(a, b).0,
            Op::Urem => gates.divide(a, b).1,
            Op::Sdiv => gates.divide_signed(a, b).0,
            Op::Srem => gates.divide_signed(a, b).1,
            Op::Shl => gates.shift(a, b, true, Lit::FALSE),
            Op::Lshr => gates.shift(a, b, false, Lit::FALSE),
            Op::Ashr => gates.shift(a, b, false, a[a.len() - 1]),
            Op::Ult => vec![gates.less(a, b)],
            Op::Ule => vec![!gates.less(b, a)],
            Op::Slt => vec![gates.less_signed(a, b)],
            Op::Sle => vec![!gates.less_signed(b, a)],
            Op::Concat => b.iter().chain(a).copied().collect(),
            _ => vec![overflow(gates, op, a, b)?],
        })
    }
}

/// Does the operation leave the range of its width? One computed with enough bits tells.
fn overflow(gates: &mut Gates, op: Op, a: &Word, b: &Word) -> Result<Lit, Refused> {
    let width = a.len();
    let extend = |word: &Word, to: usize, signed: bool| {
        let mut word = word.clone();
        word.resize(to, if signed { word[width - 1] } else { Lit::FALSE });
        word
    };
    let wider = |to, signed| (extend(a, to, signed), extend(b, to, signed));
    Ok(match op {
        Op::UaddOverflow => gates.add_carry(a, b, Lit::FALSE).1,
        Op::UsubOverflow => gates.less(a, b),
        Op::SaddOverflow | Op::SsubOverflow => {
            let (a, b) = wider(width + 1, true);
            let sum = match op {
                Op::SaddOverflow => gates.add(&a, &b),
                _ => gates.subtract(&a, &b).0,
            };
            gates.xor(sum[width], sum[width - 1])
        }
        Op::UmulOverflow => {
            let (a, b) = wider(2 * width, false);
            let product = gates.multiply(&a, &b);
            gates.nonzero(&product[width..])
        }
        Op::SmulOverflow => {
            let (a, b) = wider(2 * width, true);
            let product = gates.multiply(&a, &b);
            let sign = product[width - 1];
            let differ: Word = product[width..]
                .iter()
                .map(|&bit| gates.xor(bit, sign))
                .collect();
            gates.nonzero(&differ)
        }
        other => return Err(floating(other)),
    })
}

fn floating(op: Op) -> Refused {
    Refused(format!("floating-point arithmetic ({op:?}) is not encoded"))
}

#[cfg(test)]
mod tests;
