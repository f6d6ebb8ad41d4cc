//! A random text with its items.

use crate::declare::{enumeration, record, variable};
use crate::expression::expression;
use crate::function::function;
use crate::scope::Scope;
use generator::Rng;

/// Something whose value is compared.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its text, of integer type.
    pub text: String,
    /// Is it a call of a function made of statements?
    pub is_call: bool,
}

/// Declarations, and items that are evaluated in order.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Types, globals, functions.
    pub declarations: String,
    /// What is compared.
    pub items: Vec<Item>,
}

impl Unit {
    /// The unit of this seed, with this many items.
    pub fn new(seed: u64, items: usize) -> Unit {
        let mut rng = Rng::new(seed);
        let rng = &mut rng;
        let mut scope = Scope::default();
        let mut declarations = String::new();
        for _ in 0..rng.between(1, 4) {
            declarations += &record(rng, &mut scope);
        }
        declarations += &enumeration(rng, &mut scope);
        for _ in 0..rng.between(4, 10) {
            declarations += &variable(rng, &mut scope, true);
        }
        for _ in 0..items / 8 {
            declarations += &function(rng, &mut scope);
        }
        let mut list = Vec::new();
        let calls = scope.functions.iter().chain(&scope.remembering);
        for callable in calls {
            let args: Vec<String> = (0..callable.params)
                .map(|_| expression(rng, &scope, 1))
                .collect();
            list.push(Item {
                text: format!("{}({})", callable.name, args.join(", ")),
                is_call: true,
            });
        }
        while list.len() < items {
            let depth = rng.between(1, 5);
            list.push(Item {
                text: expression(rng, &scope, depth),
                is_call: false,
            });
        }
        Unit {
            declarations,
            items: list,
        }
    }
}
