use super::*;

struct Fixed;

impl Env for Fixed {
    fn place(&self, place: &VariablePath) -> Option<Value> {
        match (place.name.as_str(), &place.path[..]) {
            ("x", []) => Some(Value::int(5, 32, true)),
            ("minus", []) => Some(Value::int(u64::MAX, 32, true)),
            ("u", []) => Some(Value::int(u64::MAX, 32, false)),
            ("c", []) => Some(Value::int(200, 8, false)),
            ("s", [Part::Member(a), Part::Index(1)]) if a == "b" => Some(Value::int(7, 32, true)),
            _ => None,
        }
    }

    fn result(&self) -> Option<Value> {
        Some(Value::int(3, 32, true))
    }
}

fn holds(text: &str) -> Option<bool> {
    Condition::parse(text).unwrap().holds(&Fixed)
}

#[test]
fn values_are_those_of_c() {
    for text in [
        "x == 5",
        "x == 5 && s.b[1] == 7",
        "minus < 0",
        "u > 0",
        "minus == u",
        "-1 > 0u",
        "c + 100 == 300",
        "(unsigned char) 300 == 44",
        "x << 2 == 20",
        "-7 / 2 == -3 && -7 % 2 == -1",
        "!(x - 5)",
        "x ? 1 : 0",
        "\\result == 3",
        "0x10 == 16 && 010 == 8 && 0 == 0U",
        "2147483648 > 0",
        "x & 4 | 1",
        "(void *) 0 == 0",
        "((x) >= (5))",
    ] {
        assert_eq!(holds(text), Some(true), "{text}");
    }
}

#[test]
fn what_is_not_known_is_not_true() {
    for text in [
        "y == 1",
        "x / 0 == 1",
        "s.a == 1",
        "x << 40 == 0",
        "x + 2147483647 > 0",
        "x * 2000000000 == 1",
        "-(-2147483647 - 1) == 0",
        "x % 0 || 1",
    ] {
        assert_eq!(holds(text), None, "{text}");
    }
    assert_eq!(holds("x == 4 && y == 1"), Some(false));
}

#[test]
fn what_cannot_be_read_is_refused() {
    for text in [
        "", "x ==", "*p == 1", "p->x", "f(x)", "x[i]", "1.5 > x", "x = 1", "x == 1)", "\"a\"",
    ] {
        assert!(Condition::parse(text).is_err(), "{text}");
    }
    assert!(Condition::parse(&"(".repeat(100_000)).is_err());
    assert!(Condition::parse(&"!".repeat(100_000)).is_err());
}

#[test]
fn constants_are_found() {
    let condition = Condition::parse("\\result == -3").unwrap();
    assert!(condition.mentions_result());
    assert!(condition.constants().contains(&3u64.wrapping_neg()));
}
