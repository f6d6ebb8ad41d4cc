//! The callbacks of the solver during its search.

use super::{Node, Order};
use crate::Lit;
use cadical_sys::ExternalPropagator;

impl Order {
    /// Brings the graph up to date with what is assigned, unless there is a conflict.
    fn advance(&mut self) {
        while self.conflict.is_none() && self.known < self.assigned.len() {
            let lit = self.assigned[self.known];
            self.edges_before.push(self.graph.edges());
            self.known += 1;
            if let Err(cycle) = self.bring(lit) {
                self.figures.conflicts += 1;
                self.conflict = Some(cycle.into_iter().map(|lit| !lit).collect());
            }
        }
    }

    fn bring(&mut self, lit: Lit) -> Result<(), Vec<Lit>> {
        let edges = self.brings.get(&lit).cloned().unwrap_or_default();
        for (from, to) in edges {
            let is_new = !self.is_implied(lit, from, to);
            self.graph.add(from, to, Some(lit))?;
            if is_new {
                self.force(from, to);
            }
        }
        Ok(())
    }

    /// Does a path lead from one node to the other already, because the opposite edge was excluded?
    fn is_implied(&self, lit: Lit, from: Node, to: Node) -> bool {
        let opposite = || self.brings.get(&!lit).map(Vec::as_slice);
        self.forced_at.contains_key(&lit) && opposite() == Some(&[(to, from)])
    }

    fn is_assigned(&self, lit: Lit) -> bool {
        self.is_assigned[lit.var()]
    }

    /// Finds the edges that would close a cycle through a new edge: they lead from somewhere
    /// behind its end to somewhere before its start.
    fn force(&mut self, from: Node, to: Node) {
        let after = self.graph.collect(to, true, |_| true);
        // The search marks what it finds, and the marks of the second one are needed below.
        self.graph.collect(from, false, |_| true);
        let edges = self.graph.edges() as u32;
        for node in after {
            for &(target, lit) in &self.possible[node as usize] {
                if self.graph.was_found(target)
                    && !self.is_assigned(lit)
                    && !self.forced_at.contains_key(&!lit)
                {
                    self.forced.push(!lit);
                    self.forced_at.insert(!lit, edges);
                }
            }
        }
    }

    /// A clause that says why a forced literal holds.
    fn explain(&self, forced: Lit) -> Vec<Lit> {
        let edges = self.forced_at.get(&forced).copied();
        let edges = edges.unwrap_or(self.graph.edges() as u32);
        let mut best: Option<Vec<Lit>> = None;
        for &(from, to) in self.brings.get(&!forced).into_iter().flatten() {
            let path = self.graph.path(to, from, edges);
            if let Some(path) = path
                && best.as_ref().is_none_or(|best| path.len() < best.len())
            {
                best = Some(path);
            }
        }
        let best = best.expect("a literal is forced by a path");
        let mut clause = vec![forced];
        clause.extend(best.into_iter().map(|lit| !lit));
        clause
    }
}

impl ExternalPropagator for Order {
    fn are_reasons_forgettable(&mut self) -> bool {
        true
    }

    fn notify_assignment(&mut self, lits: &[i32]) {
        for &number in lits {
            let lit = Lit::from_number(number);
            if !self.is_assigned(lit) {
                self.is_assigned[lit.var()] = true;
                self.assigned.push(lit);
            }
        }
    }

    fn notify_new_decision_level(&mut self) {
        self.levels.push(self.assigned.len());
    }

    fn notify_backtrack(&mut self, new_level: usize) {
        let Some(&kept) = self.levels.get(new_level) else {
            return;
        };
        self.levels.truncate(new_level);
        let undone = self.assigned.split_off(kept);
        for lit in &undone {
            self.is_assigned[lit.var()] = false;
        }
        if self.known > kept {
            self.graph.truncate(self.edges_before[kept]);
            self.edges_before.truncate(kept);
            self.known = kept;
        }
        let edges = self.graph.edges() as u32;
        self.forced_at.retain(|_, &mut at| at <= edges);
        // What was forced by edges that are still there is forced again.
        self.forced.extend(undone);
        self.forced.retain(|lit| self.forced_at.contains_key(lit));
        self.conflict = None;
    }

    fn cb_check_found_model(&mut self, model: &[i32]) -> bool {
        // Every literal was assigned before; a second check costs little.
        let mut graph = self.graph.clone();
        graph.truncate(self.edges_always());
        let mut holds = vec![false; 2 * model.len() + 4];
        for &number in model {
            let at = Lit::from_number(number).index();
            if at >= holds.len() {
                holds.resize(at + 1, false);
            }
            holds[at] = true;
        }
        let holds = |lit: Lit| holds.get(lit.index()) == Some(&true);
        let mut edges = self.literal_edges().filter(|&(lit, ..)| holds(lit));
        let cycle = edges.find_map(|(lit, from, to)| graph.add(from, to, Some(lit)).err());
        drop(edges);
        if let Some(cycle) = cycle {
            self.figures.conflicts += 1;
            self.conflict = Some(cycle.into_iter().map(|lit| !lit).collect());
            return false;
        }
        true
    }

    fn cb_propagate(&mut self) -> i32 {
        self.advance();
        if self.conflict.is_some() {
            return 0;
        }
        while let Some(lit) = self.forced.pop() {
            if !self.is_assigned(lit) {
                self.figures.propagations += 1;
                return lit.number();
            }
        }
        0
    }

    fn cb_add_reason_clause_lit(&mut self, propagated_lit: i32) -> i32 {
        let lit = Lit::from_number(propagated_lit);
        if self.explained != Some(lit) {
            self.explained = Some(lit);
            self.handing_over = self.explain(lit);
        }
        match self.handing_over.pop() {
            Some(lit) => lit.number(),
            None => {
                self.explained = None;
                0
            }
        }
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        *is_forgettable = true;
        self.advance();
        match self.conflict.take() {
            Some(clause) => {
                self.handing_over = clause;
                true
            }
            None => false,
        }
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        self.handing_over.pop().map_or(0, Lit::number)
    }
}
