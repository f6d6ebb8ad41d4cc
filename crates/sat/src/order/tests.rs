use super::{Graph, Node, Order};
use crate::blast::{Gates, Word};
use crate::{Lit, Satisfiability};
use generator::Rng;
use verdict::Budget;

/// A plain search for a cycle: repeatedly takes away what nothing leads to.
fn is_cyclic(nodes: usize, edges: &[(Node, Node)]) -> bool {
    let mut left: Vec<Node> = (0..nodes as Node).collect();
    loop {
        let before = left.len();
        let free = |node: &Node| {
            !edges
                .iter()
                .any(|(from, to)| to == node && left.contains(from))
        };
        let rest: Vec<Node> = left.iter().copied().filter(|node| !free(node)).collect();
        left = rest;
        if left.len() == before {
            return before > 0;
        }
    }
}

#[test]
fn a_graph_that_comes_and_goes_stays_acyclic() {
    let mut rng = Rng::new(5);
    for _ in 0..300 {
        let nodes = rng.between(2, 9);
        let mut graph = Graph::new(nodes);
        let mut edges: Vec<(Node, Node)> = Vec::new();
        for step in 0..60 {
            if rng.chance(20) {
                let kept = rng.below(edges.len() + 1);
                graph.truncate(kept);
                edges.truncate(kept);
            }
            let edge = (rng.below(nodes) as Node, rng.below(nodes) as Node);
            let lit = Lit::from_number(step + 2);
            edges.push(edge);
            match graph.add(edge.0, edge.1, Some(lit)) {
                Ok(()) => assert!(!is_cyclic(nodes, &edges)),
                Err(cycle) => {
                    assert!(is_cyclic(nodes, &edges));
                    assert!(cycle.contains(&lit));
                    edges.pop();
                }
            }
            assert!(
                edges
                    .iter()
                    .all(|&(from, to)| graph.rank(from) < graph.rank(to))
            );
        }
    }
}

/// A random problem: clauses over literals that order events.
struct Problem {
    nodes: usize,
    fixed: Vec<(Node, Node)>,
    /// By variable: the edge when it holds, and perhaps one when it does not.
    pairs: Vec<(Node, Node, bool)>,
    clauses: Vec<Vec<(usize, bool)>>,
}

fn problem(rng: &mut Rng) -> Problem {
    let nodes = rng.between(3, 9);
    let mut fixed = Vec::new();
    let mut pairs = Vec::new();
    for _ in 0..rng.below(6) {
        let (a, b) = (rng.below(nodes) as Node, rng.below(nodes) as Node);
        if a < b {
            fixed.push((a, b));
        }
    }
    for _ in 0..rng.between(3, 22) {
        let (a, b) = (rng.below(nodes) as Node, rng.below(nodes) as Node);
        if a != b {
            pairs.push((a, b, rng.chance(70)));
        }
    }
    let clauses = match pairs.len() {
        0 => Vec::new(),
        vars => (0..rng.below(3 * vars))
            .map(|_| {
                (0..rng.between(1, 3))
                    .map(|_| (rng.below(vars), rng.chance(50)))
                    .collect()
            })
            .collect(),
    };
    Problem {
        nodes,
        fixed,
        pairs,
        clauses,
    }
}

impl Problem {
    fn start(&self, gates: &mut Gates) -> Vec<Lit> {
        let lits: Vec<Lit> = self.pairs.iter().map(|_| gates.input()).collect();
        for clause in &self.clauses {
            let sign = |&(var, holds): &(usize, bool)| if holds { lits[var] } else { !lits[var] };
            gates
                .sat
                .clause(&clause.iter().map(sign).collect::<Vec<_>>());
        }
        lits
    }

    fn by_theory(&self) -> bool {
        let mut gates = Gates::new();
        let lits = self.start(&mut gates);
        let mut order = Order::new(self.nodes);
        for &(from, to) in &self.fixed {
            order.always(from, to).expect("fixed edges lead upwards");
        }
        for (&(a, b, both), &lit) in self.pairs.iter().zip(&lits) {
            order.when(lit, a, b);
            if both {
                order.when(!lit, b, a);
            }
        }
        let theory = order.attach(&mut gates.sat);
        let found = gates.sat.solve(&[], &Budget::unlimited()) == Satisfiability::Satisfiable;
        if found {
            let ranks = theory
                .borrow()
                .ranks(|lit| gates.sat.is_true(lit))
                .expect("no cycle");
            for (&(a, b, both), &lit) in self.pairs.iter().zip(&lits) {
                if gates.sat.is_true(lit) {
                    assert!(ranks[a as usize] < ranks[b as usize]);
                } else if both {
                    assert!(ranks[b as usize] < ranks[a as usize]);
                }
            }
        }
        found
    }

    /// The same with a clock for every event.
    fn by_clocks(&self) -> bool {
        let mut gates = Gates::new();
        let lits = self.start(&mut gates);
        let clocks: Vec<Word> = (0..self.nodes).map(|_| gates.input_word(4)).collect();
        let mut before = |condition: Lit, from: Node, to: Node| {
            let less = gates.less(&clocks[from as usize], &clocks[to as usize]);
            gates.sat.imply(condition, less);
        };
        for &(from, to) in &self.fixed {
            before(Lit::TRUE, from, to);
        }
        for (&(a, b, both), &lit) in self.pairs.iter().zip(&lits) {
            before(lit, a, b);
            if both {
                before(!lit, b, a);
            }
        }
        gates.sat.solve(&[], &Budget::unlimited()) == Satisfiability::Satisfiable
    }
}

#[test]
fn the_theory_agrees_with_clocks() {
    let mut rng = Rng::new(11);
    let mut satisfiable = 0;
    for round in 0..2000 {
        let problem = problem(&mut rng);
        let answer = problem.by_theory();
        assert_eq!(answer, problem.by_clocks(), "round {round}");
        satisfiable += usize::from(answer);
    }
    assert!(
        (200..1800).contains(&satisfiable),
        "{satisfiable} of 2000 have a model"
    );
}
