//! One label, taken apart.

use crate::Store;
use expr::{Op, Term, Terms};
use xcfa::{Label, LockMode, Xcfa};

type Done<S> = Result<(), <S as Store>::Stop>;

/// Does what a label of the program does.
pub fn step<S: Store>(xcfa: &Xcfa, store: &mut S, label: &Label) -> Done<S> {
    match label {
        Label::Assign { var, value } => {
            let value = store.eval(*value)?;
            store.set(*var, value)
        }
        Label::Havoc { var, .. } => {
            let value = store.choose(*var)?;
            store.set(*var, value)
        }
        Label::Load { var, addr } => {
            let place = store.place(*addr)?;
            let value = store.load(&place, *var)?;
            store.set(*var, value)
        }
        Label::Store { addr, value } => {
            let value = store.eval(*value)?;
            let place = store.place(*addr)?;
            store.store(&place, value)
        }
        Label::Assume(cond) => {
            let cond = store.eval(*cond)?;
            store.assume(cond)
        }
        Label::Await(cond) => {
            let cond = store.eval(*cond)?;
            store.wait_until(cond)
        }
        Label::AtomicBegin | Label::AtomicEnd => {
            store.atomic(*label == Label::AtomicBegin);
            Ok(())
        }
        Label::Lock { addr, mode } => lock(xcfa, store, *addr, *mode),
        Label::Unlock { addr, mode } => unlock(store, *addr, *mode),
        Label::Wait { cond } => wait(store, *cond),
        Label::AwaitSignal { timed } => await_signal(xcfa, store, *timed),
        Label::Signal { cond, all } => signal(xcfa, store, *cond, *all),
        Label::Start { handle, proc, arg } => {
            let arg = store.eval(*arg)?;
            let value = store.start(*handle, *proc, arg)?;
            store.set(*handle, value)
        }
        Label::Join { thread, result } => {
            let ended = store.join(*thread)?;
            let Some(var) = *result else { return Ok(()) };
            let value = store.result(&ended, var, xcfa[var].sort)?;
            store.set(var, value)
        }
        Label::ThreadExit(value) => {
            let value = store.eval(*value)?;
            store.end_thread(value)
        }
        Label::Exit(_) => store.end_process(),
        Label::Alloc {
            var,
            object,
            size,
            zeroed,
        } => {
            let base = store.alloc(*var, *object, *size, *zeroed)?;
            store.set(*var, base)
        }
        Label::Free(addr) => store.free(*addr),
        Label::Dealloc(object) => store.dealloc(*object),
        Label::Call { .. } => Err(store.unfollowed("a call that was not inlined")),
    }
}

// Locks: the owner's handle in the first word, the number of readers in the second.

fn lock<S: Store>(xcfa: &Xcfa, store: &mut S, addr: Term, mode: LockMode) -> Done<S> {
    let place = store.place(addr)?;
    let owner = store.lock_word(&place, 0)?;
    wait_for_zero(store, &owner)?;
    if mode == LockMode::Exclusive {
        return take(xcfa, store, &owner);
    }
    let readers = store.lock_word(&place, 4)?;
    if mode == LockMode::Write {
        wait_for_zero(store, &readers)?;
        return take(xcfa, store, &owner);
    }
    let count = store.read(&readers)?;
    let one = store.terms().bv(32, 1);
    let more = store.terms().add(count, one);
    write(store, &readers, more)
}

fn wait_for_zero<S: Store>(store: &mut S, word: &S::Word) -> Done<S> {
    let value = store.read(word)?;
    let free = is_zero(store.terms(), value);
    store.wait_until(free)
}

fn take<S: Store>(xcfa: &Xcfa, store: &mut S, owner: &S::Word) -> Done<S> {
    let sort = xcfa[xcfa.self_var].sort;
    let handle = store.terms().var(xcfa.self_var, sort);
    let handle = store.eval(handle)?;
    let handle = store.terms().resize(handle, 32, false);
    write(store, owner, handle)
}

fn unlock<S: Store>(store: &mut S, addr: Term, mode: LockMode) -> Done<S> {
    let place = store.place(addr)?;
    let owner = store.lock_word(&place, 0)?;
    if mode != LockMode::Exclusive {
        let readers = store.lock_word(&place, 4)?;
        let (held, count) = (store.read(&owner)?, store.read(&readers)?);
        let terms = store.terms();
        let (unowned, none) = (is_zero(terms, held), is_zero(terms, count));
        let (owned, one) = (terms.not(unowned), terms.bv(32, 1));
        let fewer = terms.binary(Op::Sub, count, one);
        let unchanged = terms.or(owned, none);
        let left = terms.ite(unchanged, count, fewer);
        write(store, &readers, left)?;
    }
    let zero = store.terms().bv(32, 0);
    write(store, &owner, zero)
}

// Condition variables: what a thread waits on is in a word of its own.

fn wait<S: Store>(store: &mut S, cond: Term) -> Done<S> {
    store.place(cond)?;
    let Some(word) = store.waiting()? else {
        return Ok(());
    };
    let address = store.eval(cond)?;
    write(store, &word, address)
}

fn await_signal<S: Store>(xcfa: &Xcfa, store: &mut S, timed: bool) -> Done<S> {
    let Some(word) = store.waiting()? else {
        return Ok(());
    };
    let goes_on = store.goes_on(&word, timed)?;
    store.wait_until(goes_on)?;
    let nothing = store.terms().bv(xcfa.pointer_bits(), 0);
    write(store, &word, nothing)
}

/// Wakes all waiting threads, or one of them. The waiting threads are fixed before any is woken.
fn signal<S: Store>(xcfa: &Xcfa, store: &mut S, cond: Term, all: bool) -> Done<S> {
    store.place(cond)?;
    let address = store.eval(cond)?;
    let mut woken = Vec::new();
    for word in store.waiters(cond)? {
        let on = store.read(&word)?;
        let waits = store.terms().eq(on, address);
        woken.push((word, waits));
    }
    if !all {
        leave_one(store, &mut woken)?;
        store.wakes(&woken);
    }
    let nothing = store.terms().bv(xcfa.pointer_bits(), 0);
    for (word, wakes) in woken {
        store.write(&word, wakes, nothing)?;
    }
    Ok(())
}

/// The environment says of each waiting thread whether it is the one; if it chooses none, it is the
/// last.
fn leave_one<S: Store>(store: &mut S, waiters: &mut [(S::Word, Term)]) -> Done<S> {
    let mut later = Vec::new();
    let mut somebody_later = store.terms().bool(false);
    for (_, waits) in waiters.iter().rev() {
        later.push(somebody_later);
        somebody_later = store.terms().or(somebody_later, *waits);
    }
    let mut nobody_yet = store.terms().bool(true);
    for (_, waits) in waiters {
        let somebody_later = later.pop().expect("one for each who waits");
        let mut is_it = store.terms().and(*waits, nobody_yet);
        if store.terms().as_const(somebody_later) != Some(0) {
            let chosen = store.choose_waiter()?;
            let is_last = store.terms().not(somebody_later);
            let picked = store.terms().or(chosen, is_last);
            is_it = store.terms().and(picked, is_it);
        }
        let not = store.terms().not(is_it);
        nobody_yet = store.terms().and(nobody_yet, not);
        *waits = is_it;
    }
    Ok(())
}

fn write<S: Store>(store: &mut S, word: &S::Word, value: Term) -> Done<S> {
    let always = store.terms().bool(true);
    store.write(word, always, value)
}

fn is_zero(terms: &mut Terms, value: Term) -> Term {
    let zero = terms.constant(terms.sort(value), 0);
    terms.eq(value, zero)
}
