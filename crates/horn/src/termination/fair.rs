//! Components in which no fair execution stays.

use super::ranking::cyclic;
use super::rounds::{Round, Rounds};
use super::stuck::Waiting;
use expr::Terms;
use smt::horn::PredId;

/// Does some thread not move in any of these rounds although nothing can ever block it? Then no
/// execution that stays there is fair.
pub fn is_unfair(
    terms: &mut Terms,
    waiting: &mut Waiting<'_, '_>,
    rounds: &Rounds,
    members: &[&Round],
) -> bool {
    let Some(places) = members
        .first()
        .and_then(|round| rounds.places[round.from.index()].as_ref())
    else {
        return false;
    };
    let is_busy = |node: PredId| {
        let places = rounds.places[node.index()].iter().flatten().flatten();
        places.copied().any(|loc| waiting.blocks.is_inside(loc))
    };
    // A thread that loops inside an atomic section keeps all others from moving.
    let inside: Vec<usize> = (0..rounds.rounds.len())
        .filter(|&at| {
            members
                .iter()
                .any(|&round| std::ptr::eq(round, &rounds.rounds[at]))
        })
        .filter(|&at| is_busy(rounds.rounds[at].from) && is_busy(rounds.rounds[at].to))
        .collect();
    if !cyclic(rounds, &inside).is_empty() {
        return false;
    }
    places.iter().enumerate().any(|(thread, place)| {
        let moves = members.iter().any(|round| round.thread == thread);
        let Some(loc) = place.filter(|_| !moves) else {
            return false;
        };
        waiting.is_never_blocked(terms, thread, loc)
    })
}
