//! The values of conditions, as C computes them. What is undefined (a division by zero, a shift too far,
//! signed overflow) has none, and a condition without a value does not hold.

use super::{Condition, VariablePath};

/// An integer of a C type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its bits, zero-extended.
    pub bits: u64,
    /// The width of its type.
    pub width: u32,
    /// The signedness of its type.
    pub signed: bool,
}

/// Where names have values.
pub trait Env {
    /// What a place holds; `None` if there is no such place, or if it holds nothing defined.
    fn place(&self, place: &VariablePath) -> Option<Value>;

    /// What the function has returned.
    fn result(&self) -> Option<Value>;
}

impl Value {
    /// An integer, cut to its width.
    pub fn int(bits: u64, width: u32, signed: bool) -> Value {
        let mask = u64::MAX >> (64 - width.clamp(1, 64));
        let bits = bits & mask;
        Value {
            bits,
            width,
            signed,
        }
    }

    /// The number that it stands for.
    pub fn number(self) -> i128 {
        let sign = self.signed && self.bits >> (self.width - 1) & 1 == 1;
        let wide = i128::from(self.bits);
        if sign { wide - (1 << self.width) } else { wide }
    }

    fn truth(holds: bool) -> Value {
        Value::int(u64::from(holds), 32, true)
    }

    fn promoted(self) -> Value {
        match self.width < 32 {
            true => Value::int(self.number() as u64, 32, true),
            false => self,
        }
    }
}

impl Condition {
    /// Is it true? `None` if it is not known.
    pub fn holds(&self, env: &dyn Env) -> Option<bool> {
        self.value(env).map(|value| value.bits != 0)
    }

    fn value(&self, env: &dyn Env) -> Option<Value> {
        match self {
            Condition::Constant(value) => Some(*value),
            Condition::VariablePath(place) => env.place(place),
            Condition::Result => env.result(),
            Condition::Unary(sign, of) => {
                let of = of.value(env)?.promoted();
                let lowest = of.signed && of.bits == 1 << (of.width - 1);
                if *sign == '-' && lowest {
                    return None;
                }
                Some(match sign {
                    '-' => Value::int(of.bits.wrapping_neg(), of.width, of.signed),
                    '~' => Value::int(!of.bits, of.width, of.signed),
                    _ => Value::truth(of.bits == 0),
                })
            }
            Condition::Binary("&&", a, b) => match a.holds(env)? {
                true => b.holds(env).map(Value::truth),
                false => Some(Value::truth(false)),
            },
            Condition::Binary("||", a, b) => match a.holds(env)? {
                true => Some(Value::truth(true)),
                false => b.holds(env).map(Value::truth),
            },
            Condition::Binary(operator, a, b) => binary(operator, a.value(env)?, b.value(env)?),
            Condition::Choice(parts) => {
                let [cond, then, other] = &**parts;
                if cond.holds(env)? { then } else { other }.value(env)
            }
            Condition::Cast { width, signed, of } => {
                let of = of.value(env)?;
                let width = if *width == 0 {
                    of.width.max(32)
                } else {
                    *width
                };
                Some(match width {
                    1 => Value::int(u64::from(of.bits != 0), 8, false),
                    width => Value::int(of.number() as u64, width, *signed),
                })
            }
        }
    }
}

fn binary(operator: &str, a: Value, b: Value) -> Option<Value> {
    let (a, b) = (a.promoted(), b.promoted());
    if let "<<" | ">>" = operator {
        return shift(operator, a, b);
    }
    let width = a.width.max(b.width);
    // The wider type decides; of two equally wide ones the unsigned one does.
    let unsigned = [a, b].iter().any(|v| v.width == width && !v.signed);
    let convert = |v: Value| Value::int(v.number() as u64, width, !unsigned).number();
    let (x, y) = (convert(a), convert(b));
    let number = |result: i128| {
        let value = Value::int(result as u64, width, !unsigned);
        (unsigned || value.number() == result).then_some(value)
    };
    let truth = |holds| Some(Value::truth(holds));
    match operator {
        "==" => truth(x == y),
        "!=" => truth(x != y),
        "<" => truth(x < y),
        "<=" => truth(x <= y),
        ">" => truth(x > y),
        ">=" => truth(x >= y),
        "+" => number(x + y),
        "-" => number(x - y),
        "*" => number(x.wrapping_mul(y)),
        "/" => number(x.checked_div(y)?),
        "%" => number(x.checked_rem(y)?),
        "&" => number(x & y),
        "|" => number(x | y),
        "^" => number(x ^ y),
        _ => None,
    }
}

fn shift(operator: &str, a: Value, b: Value) -> Option<Value> {
    let by = u32::try_from(b.number()).ok().filter(|by| *by < a.width)?;
    let result = match operator {
        "<<" => a.number() << by,
        _ => a.number() >> by,
    };
    Some(Value::int(result as u64, a.width, a.signed))
}
