//! The places of names in a state.

use super::names::{Names, Word};
use dataflow::Analysed;
use expr::{ObjId, VarId};
use semantics::{Instance, Machine, State, Status, Thread};
use xcfa::{ObjectKind, Scope};

/// Places as the machine keeps them.
pub struct Places {
    globals: Vec<u32>,
    thread_locals: Vec<u32>,
    /// By location: slots of live locals in the frame.
    live: Vec<Box<[u32]>>,
    /// Words of static memory: where they start, and how many bytes they have.
    statics: Vec<(usize, usize)>,
    /// By object: words of its instances.
    words: Vec<Vec<Word>>,
    results: bool,
}

impl Places {
    /// Those of a machine's states.
    pub fn new(xcfa: &Analysed, machine: &Machine<'_>, names: &Names) -> Places {
        let holds = |var: &VarId| names.vars[var.0 as usize];
        let slot = |var: VarId| machine.layout.slot(var);
        let of_scope = |scope| {
            let vars = xcfa.var_ids().filter(holds);
            let vars = vars.filter(move |&var| xcfa[var].scope == scope);
            vars.map(slot).collect()
        };
        let liveness = xcfa.liveness();
        let live = |loc| {
            let vars = liveness.live(loc).iter().copied().filter(holds);
            vars.map(slot).collect()
        };
        let mut statics = Vec::new();
        let mut at = 0;
        for object in xcfa.obj_ids() {
            if let ObjectKind::Static { .. } = xcfa[object].kind {
                let size = xcfa[object].size.unwrap_or(0);
                let words = positions(&names.words[object.0 as usize], size);
                statics.extend(words.map(|(from, bytes)| (at + from, bytes)));
                at += size as usize;
            }
        }
        Places {
            globals: of_scope(Scope::Global),
            thread_locals: of_scope(Scope::ThreadLocal),
            live: xcfa.loc_ids().map(live).collect(),
            statics,
            words: names.words.clone(),
            results: names.results,
        }
    }

    /// Visits the names in variables of a state, and lets them be changed.
    pub fn variables(&self, state: &mut State, visit: &mut impl FnMut(&mut u64)) {
        for &slot in &self.globals {
            visit(&mut state.globals[slot as usize]);
        }
        for thread in &mut state.threads {
            if self.results {
                visit(&mut thread.result);
            }
            for slot in self.slots(thread) {
                visit(&mut thread.slots[slot]);
            }
        }
    }

    /// The slots of a thread that hold names.
    pub fn slots(&self, thread: &Thread) -> Vec<usize> {
        if thread.status != Status::Running {
            return Vec::new();
        }
        let own = self.thread_locals.iter().map(|&slot| slot as usize);
        let live = self.live[thread.loc.0 as usize].iter();
        let live = live.map(|&slot| thread.base as usize + slot as usize);
        own.chain(live).collect()
    }

    /// Visits the names in static memory.
    pub fn statics(&self, statics: &mut [u8], visit: &mut impl FnMut(&mut u64)) {
        for &(from, bytes) in &self.statics {
            word(&mut statics[from..from + bytes], visit);
        }
    }

    /// Visits the names in the contents of an instance.
    pub fn instance(
        &self,
        instance: &Instance,
        contents: &mut [u8],
        visit: &mut impl FnMut(&mut u64),
    ) {
        let ObjId(object) = instance.obj;
        for (from, bytes) in positions(&self.words[object as usize], instance.size) {
            word(&mut contents[from..from + bytes], visit);
        }
    }
}

/// The words that are inside an object of this size.
fn positions(words: &[Word], size: u64) -> impl Iterator<Item = (usize, usize)> + '_ {
    let of_word = move |word: &Word| {
        let (first, last) = match word.at {
            Some(at) => (at, at),
            None => (0, size),
        };
        let starts = (first..=last).step_by(word.bytes as usize);
        let bytes = word.bytes;
        let inside = starts.filter(move |at| at.checked_add(bytes).is_some_and(|end| end <= size));
        inside.map(move |at| (at as usize, bytes as usize))
    };
    words.iter().flat_map(of_word)
}

fn word(bytes: &mut [u8], visit: &mut impl FnMut(&mut u64)) {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    let mut value = u64::from_le_bytes(word);
    visit(&mut value);
    let len = bytes.len();
    bytes.copy_from_slice(&value.to_le_bytes()[..len]);
}
