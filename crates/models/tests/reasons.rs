//! Reasons why a graph is forbidden: every graph in which the same facts hold is forbidden as well.

use models::{Access, Action, EventId, Fact, Graph, Location, MemoryOrder, Model};

/// Numbers from a seed (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    fn order(&mut self, from: &[MemoryOrder]) -> MemoryOrder {
        from[self.below(from.len())]
    }
}

/// A graph of a few threads; every value is 0, so that any read may find any write.
fn graph(random: &mut Random) -> Graph {
    use MemoryOrder::{AcqRel, Acquire, Relaxed, Release, SeqCst};
    let mut graph = Graph::default();
    let places = [graph.add_location("x", 0), graph.add_location("y", 0)];
    for thread in 0..3 {
        for _ in 0..1 + random.below(3) {
            let place = places[random.below(2)];
            let kind = random.below(9);
            let is_plain = kind != 7 && random.below(4) == 0;
            let access = |location: Location, order| Access {
                location,
                value: 0,
                order: (!is_plain).then_some(order),
            };
            if kind == 8 {
                let order = random.order(&[Acquire, Release, AcqRel, SeqCst, SeqCst]);
                graph.add(Some(thread), Action::Fence(order));
                continue;
            }
            let mut read = None;
            if kind < 4 || kind == 7 {
                let order = random.order(&[Relaxed, Acquire, SeqCst]);
                read = Some(graph.add(Some(thread), Action::Read(access(place, order))));
            }
            if kind >= 4 {
                let order = random.order(&[Relaxed, Release, SeqCst]);
                let write = graph.add(Some(thread), Action::Write(access(place, order)));
                graph.coherence[place.0 as usize].push(write);
                graph.exchanges.extend(read);
            }
        }
    }
    shuffle(&mut graph, random);
    graph
}

/// The same events with other sources and orders.
fn shuffle(graph: &mut Graph, random: &mut Random) {
    for at in 0..graph.coherence.len() {
        for place in 1..graph.coherence[at].len() {
            let other = 1 + random.below(place);
            graph.coherence[at].swap(place, other);
        }
    }
    for id in graph.ids() {
        if let Action::Read(access) = graph.event(id).action {
            let writes = &graph.coherence[access.location.0 as usize];
            graph.reads_from[id.index()] = Some(writes[random.below(writes.len())]);
        }
    }
}

fn holds(graph: &Graph, fact: Fact) -> bool {
    let place = |id: EventId| {
        let at = graph.event(id).action.access().expect("an access").location;
        let order = &graph.coherence[at.0 as usize];
        order.iter().position(|&it| it == id).expect("a write")
    };
    match fact {
        // All graphs here have the same events and operations.
        Fact::Event(_) | Fact::Exchange(..) => true,
        Fact::ReadsFrom(write, read) => graph.reads_from[read.index()] == Some(write),
        Fact::Coherence(a, b) => place(a) < place(b),
        Fact::FromReads(read, write) => {
            place(graph.reads_from[read.index()].expect("a source")) < place(write)
        }
        Fact::Everything => false,
    }
}

#[test]
fn what_has_the_facts_is_forbidden() {
    for name in Model::names() {
        let model = Model::shipped(name).expect("a model");
        assert!(model.grows(), "{name}");
        let (mut reasons, mut others) = (0, 0);
        for seed in 0..300 {
            let mut random = Random(seed);
            let first = graph(&mut random);
            let found = model.reasons(&first);
            assert_eq!(found.is_empty(), model.allows(&first).expect("a graph"));
            reasons += found.len();
            let mut other = first.clone();
            for _ in 0..40 {
                shuffle(&mut other, &mut random);
                for facts in &found {
                    assert!(facts.iter().all(|&fact| holds(&first, fact)), "{facts:?}");
                    if facts.iter().all(|&fact| holds(&other, fact)) {
                        others += 1;
                        let allowed = model.allows(&other).expect("a graph");
                        assert!(!allowed, "{name}: {facts:?}\n{first}\n{other}");
                    }
                }
            }
        }
        assert!(reasons > 200 && others > 500, "{name}: {reasons}, {others}");
    }
}

#[test]
fn what_has_the_facts_does_not_race() {
    for name in Model::names() {
        let model = Model::shipped(name).expect("a model");
        assert!(model.explains("race"), "{name}");
        let (mut racing, mut others) = (0, 0);
        for seed in 1_000..1_200 {
            let mut random = Random(seed);
            let first = graph(&mut random);
            let ids: Vec<EventId> = first.ids().collect();
            let pairs = ids.iter().flat_map(|&a| ids.iter().map(move |&b| (a, b)));
            let pairs: Vec<(EventId, EventId)> = pairs.collect();
            let why = |graph: &Graph, (a, b)| model.why_unflagged(graph, "race", a, b);
            let flags = model.judge(&first).expect("a graph").flags;
            let found = pairs.iter().filter(|&&pair| why(&first, pair).is_none());
            let found = found.count();
            assert_eq!(found > 0, flags.iter().any(|flag| flag.name == "race"));
            racing += found;
            let mut other = first.clone();
            for _ in 0..10 {
                shuffle(&mut other, &mut random);
                for &pair in &pairs {
                    let Some(facts) = why(&first, pair) else {
                        continue;
                    };
                    if facts.iter().all(|&fact| holds(&other, fact)) {
                        others += 1;
                        let races = why(&other, pair).is_none();
                        assert!(!races, "{name}: {facts:?}\n{first}\n{other}");
                    }
                }
            }
        }
        assert!(racing > 100 && others > 500, "{name}: {racing}, {others}");
    }
}
