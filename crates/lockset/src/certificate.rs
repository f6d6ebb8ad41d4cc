//! What keeps every pair of conflicting steps apart, written down.
//!
//! By reason, the pairs of edges of the program that was asked about, one number after the other. A lock
//! with a name is part of the reason: the number of its object and its offset.

use crate::lock::{Identity, Lock};
use crate::reason::Reason;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use xcfa::EdgeId;

/// Pairs and their reasons.
#[derive(Default)]
pub struct Certificate {
    pairs: BTreeMap<String, Vec<u32>>,
}

impl Certificate {
    pub fn add(&mut self, (a, b): (EdgeId, EdgeId), reason: Reason, lock: Option<Lock>) {
        let name = match lock.map(|lock| lock.identity) {
            Some(Identity::Name(object, offset)) => format!("lock {} {offset}", object.0),
            _ => reason.name().to_owned(),
        };
        self.pairs.entry(name).or_default().extend([a.0, b.0]);
    }

    pub fn to_json(&self) -> Value {
        json!(self.pairs)
    }
}
