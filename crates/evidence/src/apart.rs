//! Pairs of steps that are kept apart, each for the reason that its maker gives.
//!
//! The pairs are found here anew, with the analyses in `passes` of what is shared and of what a label
//! touches. Some reasons are checked here: two atomic steps, steps of one thread, a step before there
//! are threads, and a lock that only its holders unlock ([`crate::mutex`]). The others rely on what
//! `lockset` knows about values, handles and loops; for these it has to come to the same proof again,
//! which finds damaged evidence but not an error in its reasoning.

use crate::mutex::Mutex;
use dataflow::pointsto::Offset;
use dataflow::{Analysed, Storage, Touch, touches};
use expr::ObjId;
use rustc_hash::FxHashMap;
use serde_json::Value;
use verdict::Task;
use xcfa::{Edge, EdgeId, Xcfa};

/// How many pairs are not checked here, but only by their maker; why the evidence is wrong, if so.
pub fn again(task: &Task, pairs: u64, certificate: &Value) -> Result<u64, String> {
    let listed = listed(&task.xcfa, certificate)?;
    if listed.len() as u64 != pairs {
        return Err(format!("{} pairs are listed, not {pairs}", listed.len()));
    }
    let mut checker = Checker {
        xcfa: &task.xcfa,
        mutexes: FxHashMap::default(),
    };
    let mut open = 0;
    let found = checker.pairs();
    for pair in &found {
        let reason = listed.get(pair);
        if !reason.is_some_and(|reason| checker.accepts(*pair, reason)) {
            open += 1;
        }
    }
    // A pair that is listed and no pair here may be one there; its maker knows.
    let unknown = listed.keys().filter(|pair| !found.contains(pair)).count();
    Ok(open + unknown as u64)
}

/// The pairs of a certificate with their reasons.
fn listed(xcfa: &Xcfa, certificate: &Value) -> Result<FxHashMap<(EdgeId, EdgeId), String>, String> {
    let groups = certificate.as_object().ok_or("there are no reasons")?;
    let mut found = FxHashMap::default();
    for (reason, edges) in groups {
        let edges = edges.as_array().ok_or("a reason has no pairs")?;
        let edge = |value: &Value| {
            let number = value.as_u64().filter(|&it| it < xcfa.edges.len() as u64);
            number
                .map(|it| EdgeId(it as u32))
                .ok_or("there is no such step")
        };
        if edges.is_empty() || edges.len() % 2 != 0 {
            return Err("steps do not come in pairs".into());
        }
        for pair in edges.chunks(2) {
            let pair = (edge(&pair[0])?, edge(&pair[1])?);
            let pair = (pair.0.min(pair.1), pair.0.max(pair.1));
            if found.insert(pair, reason.clone()).is_some() {
                return Err("a pair has two reasons".into());
            }
        }
    }
    Ok(found)
}

struct Checker<'a> {
    xcfa: &'a Analysed,
    /// Locks already examined; `None` where one could not be followed.
    mutexes: FxHashMap<(ObjId, i64), Option<Mutex<'a>>>,
}

impl<'a> Checker<'a> {
    /// All pairs of steps with conflicting accesses, by different threads, that are not both atomic.
    fn pairs(&self) -> Vec<(EdgeId, EdgeId)> {
        let sharing = self.xcfa.sharing();
        let shared = |edge: &Edge| -> Vec<Touch> {
            let all = edge
                .labels
                .iter()
                .flat_map(|it| touches(self.xcfa, self.xcfa.points_to(), it));
            all.filter(|touch| sharing.is_shared(touch.place)).collect()
        };
        let edges: Vec<_> = self
            .xcfa
            .edge_ids()
            .zip(self.xcfa.edges.iter().map(shared))
            .collect();
        let mut found = Vec::new();
        for (at, (a, first)) in edges.iter().enumerate() {
            for (b, second) in &edges[at..] {
                let both_atomic = self.xcfa[*a].atomic && self.xcfa[*b].atomic;
                let mut touches = first
                    .iter()
                    .flat_map(|x| second.iter().map(move |y| (x, y)));
                let conflict = touches.any(|(x, y)| conflict(x, y));
                if conflict && !both_atomic && !self.are_of_one_thread(*a, *b) {
                    found.push((*a, *b));
                }
            }
        }
        found
    }

    fn are_of_one_thread(&self, a: EdgeId, b: EdgeId) -> bool {
        let roots = |edge: EdgeId| {
            let proc = self.xcfa[self.xcfa[edge].source].proc;
            self.xcfa.threads().running(proc).collect::<Vec<_>>()
        };
        roots(a).iter().all(|x| {
            let same = |y: &xcfa::ProcId| x == y && self.xcfa.threads().starts_at_most_once(*x);
            roots(b).iter().all(same)
        })
    }

    /// Does the reason hold, as far as can be seen here?
    fn accepts(&mut self, (a, b): (EdgeId, EdgeId), reason: &str) -> bool {
        let xcfa = self.xcfa;
        let alone = |edge: EdgeId| xcfa.before_threads()[xcfa[edge].source.0 as usize];
        if reason == "before threads" {
            return alone(a) || alone(b);
        }
        let mut words = reason.split(' ');
        let lock = (words.next(), words.next(), words.next());
        let (Some("lock"), Some(object), Some(offset)) = lock else {
            return false;
        };
        let (Ok(object), Ok(offset)) = (object.parse(), offset.parse()) else {
            return false;
        };
        let key = (ObjId(object), offset);
        let mutex = self
            .mutexes
            .entry(key)
            .or_insert_with(|| Mutex::of(xcfa, key).ok());
        mutex.as_ref().is_some_and(|mutex| mutex.excludes(a, b))
    }
}

fn conflict(a: &Touch, b: &Touch) -> bool {
    let meet = match (a.place, b.place) {
        (Storage::Var(x), Storage::Var(y)) => x == y,
        (Storage::Memory(x, x_size), Storage::Memory(y, y_size)) => {
            let bytes = match (x.offset, y.offset) {
                (Offset::At(from), Offset::At(to)) => {
                    from < to.saturating_add_unsigned(y_size)
                        && to < from.saturating_add_unsigned(x_size)
                }
                _ => true,
            };
            x.object == y.object && bytes
        }
        _ => false,
    };
    meet && (a.write || b.write) && !(a.sync && b.sync)
}
