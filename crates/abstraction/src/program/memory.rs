//! Memory that could not become variables, remembered in part.
//!
//! An object of unknown size is given up: what is read from it is arbitrary. Here each thread
//! remembers, for each class of such objects, the last address that it accessed and the value that it
//! saw there. A read returns an arbitrary value that agrees with everything remembered; a write
//! changes what is remembered of its address. The result has more runs than the program, and none
//! less: whatever is remembered is true of the memory.
//!
//! What an edge does to memory is also written down ([`MemoryAccess`]), with the variables that hold
//! the address and the value after it: these and the condition that reads agree
//! ([`Memory::agrees`]) are no part of a state, and are there for engines that reason about the
//! memory itself. Objects are in one class if some access may touch either. A class is
//! remembered only if all accesses have one sort and are aligned, so that two of them touch the same
//! bytes or none in common.

use dataflow::pointsto::Offset;
use dataflow::{Alignment, BitSet, PointsTo};
use expr::{ObjId, Sort, Term, VarId};
use rustc_hash::FxHashMap;
use xcfa::{EdgeId, HavocOrigin, Label, ProcId, Scope, Var, Xcfa};

/// More pairs than this are not remembered: conditions would become too large.
const MOST_SLOTS: usize = 24;

/// Each access in the text has a pair of its own if a class has at most so many.
const MOST_SITES: usize = 12;

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessKind {
    /// Reads the value at the address.
    Read,
    /// Writes the value to the address.
    Write,
    /// Makes a new object: all contents of the class are arbitrary from then on.
    Anew,
}

/// What an edge does to memory.
#[derive(Clone, Copy, Debug)]
pub struct MemoryAccess {
    /// The class of objects.
    pub class: usize,
    /// What is done.
    pub kind: AccessKind,
    /// Holds the address after the edge.
    pub addr: VarId,
    /// Holds the value after the edge.
    pub value: VarId,
}

/// What is known about memory that did not become variables.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// By edge: its accesses, in order.
    pub accesses: FxHashMap<EdgeId, Vec<MemoryAccess>>,
    /// Holds after an edge whether what it read agrees with what was remembered.
    pub agrees: Option<VarId>,
    /// The variables that remember: they follow from what was done and are not part of the program.
    pub remembered: BitSet,
    /// Addresses, values and agreement of one edge: not even part of a state.
    pub scratch: BitSet,
}

/// A pair of an address and the value that was there.
#[derive(Clone, Copy)]
struct Slot {
    valid: VarId,
    addr: VarId,
    value: VarId,
}

/// Objects that accesses may confuse.
struct Class {
    sort: Sort,
    /// All pairs of all threads.
    slots: Vec<Slot>,
    /// By thread: its own pairs, one for each access that an edge can do.
    own: FxHashMap<ProcId, Vec<Slot>>,
    /// By edge and the number of the access in it: the pair of that access.
    sites: FxHashMap<(EdgeId, usize), Slot>,
}

/// Rewrites what is done to the given objects where it can be remembered.
pub(super) fn remember(xcfa: &mut Xcfa, points_to: &PointsTo, given_up: &[ObjId]) -> Memory {
    let classes = classes(xcfa, points_to, given_up);
    let mut memory = Memory::default();
    if classes.iter().all(|class| class.is_none()) {
        return memory;
    }
    let agrees = new_var(xcfa, "reads agree".into(), Sort::Bool);
    memory.scratch.insert(agrees.0 as usize);
    memory.agrees = Some(agrees);
    let mut rewriter = Rewriter {
        classes: Vec::new(),
        numbers: FxHashMap::default(),
        places: FxHashMap::default(),
        agrees,
        memory,
    };
    for (object, root) in given_up.iter().zip(&classes) {
        if let Some((root, sort)) = root {
            let number = rewriter.class(*root, *sort);
            rewriter.numbers.insert(*object, number);
        }
    }
    rewriter.slots(xcfa, points_to);
    for edge in xcfa.edge_ids() {
        rewriter.edge(xcfa, points_to, edge);
    }
    rewriter.memory
}

/// By given-up object: the class that it is in and the sort of its accesses, if it is remembered.
fn classes(xcfa: &Xcfa, points_to: &PointsTo, given_up: &[ObjId]) -> Vec<Option<(usize, Sort)>> {
    let alignment = Alignment::of(xcfa, points_to);
    let at = |object: &ObjId| given_up.iter().position(|other| other == object);
    let mut root: Vec<usize> = (0..given_up.len()).collect();
    let mut sorts: Vec<Vec<Sort>> = vec![Vec::new(); given_up.len()];
    let mut spoilt = vec![false; given_up.len()];
    for edge in &xcfa.edges {
        for label in &edge.labels {
            let Some(addr) = label.address() else {
                continue;
            };
            let objects = points_to.objects(xcfa, addr);
            let mine: Vec<usize> = objects.iter().filter_map(at).collect();
            let Some(&first) = mine.first() else { continue };
            for &other in &mine[1..] {
                let (from, to) = (root[other], root[first]);
                root.iter_mut()
                    .filter(|it| **it == from)
                    .for_each(|it| *it = to);
            }
            let sort = accessed(xcfa, label);
            sorts[first].extend(sort);
            let plain = sort.is_none_or(|sort| is_aligned(xcfa, points_to, &alignment, addr, sort));
            let odd = !matches!(
                label,
                Label::Load { .. } | Label::Store { .. } | Label::Free(_)
            );
            spoilt[first] |= mine.len() < objects.len() || !plain || odd;
        }
    }
    let class_of = |number: usize| {
        let members = (0..given_up.len()).filter(|&other| root[other] == root[number]);
        let members: Vec<usize> = members.collect();
        let mut all = members.iter().flat_map(|&member| sorts[member].iter());
        let sort = *all.next()?;
        let one = all.all(|&other| other == sort) && !members.iter().any(|&member| spoilt[member]);
        (one && matches!(sort, Sort::Bv(_))).then_some((root[number], sort))
    };
    (0..given_up.len()).map(class_of).collect()
}

fn accessed(xcfa: &Xcfa, label: &Label) -> Option<Sort> {
    match label {
        Label::Load { var, .. } => Some(xcfa[*var].sort),
        Label::Store { value, .. } => Some(xcfa.terms.sort(*value)),
        _ => None,
    }
}

/// Is the access at a multiple of its size from the start of whatever object it touches?
fn is_aligned(
    xcfa: &Xcfa,
    points_to: &PointsTo,
    alignment: &Alignment<'_>,
    addr: Term,
    sort: Sort,
) -> bool {
    let bytes = u64::from(sort.width()) / 8;
    if !bytes.is_power_of_two() || u64::from(sort.width()) != 8 * bytes || bytes > 8 {
        return false;
    }
    let targets = points_to.targets(xcfa, addr);
    targets.iter().all(|target| match target.offset {
        Offset::At(at) => at.rem_euclid(bytes as i64) == 0,
        Offset::Any => alignment.residue(addr).is_aligned(bytes.trailing_zeros()),
    })
}

fn new_var(xcfa: &mut Xcfa, name: String, sort: Sort) -> VarId {
    xcfa.add_var(Var::temp(name, sort, Scope::Global))
}

struct Rewriter {
    classes: Vec<(usize, Class)>,
    /// By object: its class.
    numbers: FxHashMap<ObjId, usize>,
    /// By the number of an access in its edge, and its sort: where its address and value go.
    places: FxHashMap<(usize, Sort), (VarId, VarId)>,
    agrees: VarId,
    memory: Memory,
}

impl Rewriter {
    fn class(&mut self, root: usize, sort: Sort) -> usize {
        let known = self.classes.iter().position(|(other, _)| *other == root);
        known.unwrap_or_else(|| {
            let class = Class {
                sort,
                slots: Vec::new(),
                own: FxHashMap::default(),
                sites: FxHashMap::default(),
            };
            self.classes.push((root, class));
            self.classes.len() - 1
        })
    }

    /// The class that a label is about.
    fn class_of(&self, xcfa: &Xcfa, points_to: &PointsTo, label: &Label) -> Option<usize> {
        let object = match label {
            Label::Alloc { object, .. } | Label::Dealloc(object) => *object,
            _ => *points_to.objects(xcfa, label.address()?).first()?,
        };
        self.numbers.get(&object).copied()
    }

    /// Gives every access a pair, or every thread as many as one of its edges needs if there are many
    /// accesses. A thread that only writes, and is the first, needs none.
    fn slots(&mut self, xcfa: &mut Xcfa, points_to: &PointsTo) {
        let mut sites: Vec<(usize, ProcId, EdgeId, usize)> = Vec::new();
        let mut needed: FxHashMap<(usize, ProcId), (usize, bool)> = FxHashMap::default();
        for edge_id in xcfa.edge_ids() {
            let edge = &xcfa[edge_id];
            let mut here: FxHashMap<usize, usize> = FxHashMap::default();
            let proc = xcfa[edge.source].proc;
            for label in &edge.labels {
                if accessed(xcfa, label).is_none() {
                    continue;
                }
                let Some(class) = self.class_of(xcfa, points_to, label) else {
                    continue;
                };
                let count = here.entry(class).or_default();
                sites.push((class, proc, edge_id, *count));
                *count += 1;
                let (most, reads) = needed.entry((class, proc)).or_default();
                *most = (*most).max(*count);
                *reads |= matches!(label, Label::Load { .. });
            }
        }
        let mut needed: Vec<_> = needed.into_iter().collect();
        needed.sort_unstable();
        let useful = |class: usize, proc: ProcId| {
            let reads = |it: &((usize, ProcId), (usize, bool))| it.0 == (class, proc) && it.1.1;
            proc != xcfa.main || needed.iter().any(reads)
        };
        sites.retain(|&(class, proc, ..)| useful(class, proc));
        let count = |class: usize| sites.iter().filter(|site| site.0 == class).count();
        let counts: Vec<usize> = (0..self.classes.len()).map(count).collect();
        sites.retain(|&(class, ..)| counts[class] <= MOST_SITES);
        for (number, &(class, proc, edge, nth)) in sites.iter().enumerate() {
            let slot = self.slot(xcfa, class, proc, number);
            self.classes[class].1.sites.insert((edge, nth), slot);
        }
        needed.retain(|&((class, _), _)| counts[class] > MOST_SITES);
        for ((class, proc), (most, reads)) in needed {
            let few = self.classes[class].1.slots.len() + most <= MOST_SLOTS;
            if few && (reads || proc != xcfa.main) {
                for number in 0..most {
                    let slot = self.slot(xcfa, class, proc, number);
                    let own = &mut self.classes[class].1.own;
                    own.entry(proc).or_default().push(slot);
                }
            }
        }
    }

    fn slot(&mut self, xcfa: &mut Xcfa, class: usize, proc: ProcId, number: usize) -> Slot {
        let name = format!(
            "memory {class} as {} saw it ({number})",
            xcfa[proc].function()
        );
        let pointer = Sort::Bv(xcfa.pointer_bits());
        let sort = self.classes[class].1.sort;
        let slot = Slot {
            valid: new_var(xcfa, format!("{name}: seen"), Sort::Bool),
            addr: new_var(xcfa, format!("{name}: address"), pointer),
            value: new_var(xcfa, format!("{name}: value"), sort),
        };
        for var in [slot.valid, slot.addr, slot.value] {
            self.memory.remembered.insert(var.0 as usize);
        }
        self.classes[class].1.slots.push(slot);
        slot
    }

    fn place(&mut self, xcfa: &mut Xcfa, number: usize, sort: Sort) -> (VarId, VarId) {
        if let Some(&place) = self.places.get(&(number, sort)) {
            return place;
        }
        let pointer = Sort::Bv(xcfa.pointer_bits());
        let addr = new_var(xcfa, format!("address {number}"), pointer);
        let value = new_var(xcfa, format!("value {number}"), sort);
        self.memory.scratch.insert(addr.0 as usize);
        self.memory.scratch.insert(value.0 as usize);
        self.places.insert((number, sort), (addr, value));
        (addr, value)
    }

    fn edge(&mut self, xcfa: &mut Xcfa, points_to: &PointsTo, edge: EdgeId) {
        let labels = std::mem::take(&mut xcfa[edge].labels);
        let proc = xcfa[xcfa[edge].source].proc;
        let mut done = Vec::new();
        let mut accesses: Vec<MemoryAccess> = Vec::new();
        for label in labels {
            let Some(class) = self.class_of(xcfa, points_to, &label) else {
                done.push(label);
                continue;
            };
            if accesses.is_empty() {
                let value = xcfa.terms.bool(true);
                done.push(Label::Assign {
                    var: self.agrees,
                    value,
                });
            }
            let before = accesses.iter().filter(|it| it.class == class).count();
            let about = &self.classes[class].1;
            let own = about.own.get(&proc);
            let own = own.and_then(|own| own.get(before).or(own.last()).copied());
            let slot = about.sites.get(&(edge, before)).copied().or(own);
            let sort = about.sort;
            let (addr, value) = self.place(xcfa, accesses.len(), sort);
            let Some(kind) = self.label(xcfa, label, class, slot, (addr, value), &mut done) else {
                continue;
            };
            accesses.push(MemoryAccess {
                class,
                kind,
                addr,
                value,
            });
        }
        if !accesses.is_empty() {
            self.memory.accesses.insert(edge, accesses);
        }
        xcfa[edge].labels = done;
    }

    /// What a label becomes.
    fn label(
        &self,
        xcfa: &mut Xcfa,
        label: Label,
        class: usize,
        own: Option<Slot>,
        (place, what): (VarId, VarId),
        done: &mut Vec<Label>,
    ) -> Option<AccessKind> {
        let slots = &self.classes[class].1.slots;
        let origin = HavocOrigin::Uninitialised;
        let kind = match label {
            Label::Alloc { var, .. } => {
                done.push(Label::Havoc { var, origin });
                // Constants, so that nothing has to be said about what was not seen.
                for var in slots.iter().flat_map(|it| [it.valid, it.addr, it.value]) {
                    let value = xcfa.terms.constant(xcfa[var].sort, 0);
                    done.push(Label::Assign { var, value });
                }
                return Some(AccessKind::Anew);
            }
            Label::Load { var, addr } => {
                done.push(Label::Assign {
                    var: place,
                    value: addr,
                });
                done.push(Label::Havoc { var, origin });
                let value = read(xcfa, var);
                done.push(Label::Assign { var: what, value });
                let agree = self.agreement(xcfa, slots, place, what);
                done.push(Label::Assign {
                    var: self.agrees,
                    value: agree,
                });
                AccessKind::Read
            }
            Label::Store { addr, value } => {
                done.push(Label::Assign {
                    var: place,
                    value: addr,
                });
                done.push(Label::Assign { var: what, value });
                for slot in slots {
                    let [valid, old, seen, at, new] =
                        [slot.valid, slot.value, slot.addr, place, what].map(|var| read(xcfa, var));
                    let here = xcfa.terms.eq(seen, at);
                    let here = xcfa.terms.and(valid, here);
                    let value = xcfa.terms.ite(here, new, old);
                    done.push(Label::Assign {
                        var: slot.value,
                        value,
                    });
                }
                AccessKind::Write
            }
            _ => return None,
        };
        if let Some(slot) = own {
            let seen = xcfa.terms.bool(true);
            let (addr, value) = (read(xcfa, place), read(xcfa, what));
            done.push(Label::Assign {
                var: slot.valid,
                value: seen,
            });
            done.push(Label::Assign {
                var: slot.addr,
                value: addr,
            });
            done.push(Label::Assign {
                var: slot.value,
                value,
            });
        }
        Some(kind)
    }

    /// Does a value fit everything that is remembered of its address?
    fn agreement(&self, xcfa: &mut Xcfa, slots: &[Slot], place: VarId, what: VarId) -> Term {
        let mut agree = read(xcfa, self.agrees);
        for slot in slots {
            let [valid, seen, at, known, new] =
                [slot.valid, slot.addr, place, slot.value, what].map(|var| read(xcfa, var));
            let terms = &mut xcfa.terms;
            let here = terms.eq(seen, at);
            let here = terms.and(valid, here);
            let elsewhere = terms.not(here);
            let same = terms.eq(known, new);
            let fits = terms.or(elsewhere, same);
            agree = terms.and(agree, fits);
        }
        agree
    }
}

fn read(xcfa: &mut Xcfa, var: VarId) -> Term {
    let sort = xcfa[var].sort;
    xcfa.terms.var(var, sort)
}
