//! What an engine brings to follow labels with terms.

use expr::{ObjId, Sort, Term, Terms, VarId};
use xcfa::ProcId;

/// A value, unless the label is not followed.
pub type Value<S> = Result<Term, <S as Store>::Stop>;

/// The symbolic state of one thread in the middle of an edge.
///
/// Terms come in two kinds. Arguments that say so are *terms of the program*, as they are in the
/// label; all other terms are *values*, over whatever the store takes as its symbols.
///
/// Law: every operation covers what the machine does in all states that the store stands for and
/// that satisfy the conditions so far. It may add a condition that not all of them satisfy only if
/// it accounts for the others elsewhere (a run that ends there, a goal that counts as unclear); if
/// it can do neither, it returns a `Stop`.
pub trait Store {
    /// Why a label is not followed to its end: it is impossible, or it has no form in this store.
    type Stop;
    /// Where an access goes.
    type Address;
    /// A word of a lock, or the word that says what a thread waits on.
    type Word;
    /// A thread that has ended.
    type Ended;

    /// Where values are built.
    fn terms(&mut self) -> &mut Terms;

    /// The value of a term of the program.
    fn eval(&mut self, term: Term) -> Value<Self>;

    /// Puts a value into a variable.
    fn set(&mut self, var: VarId, value: Term) -> Result<(), Self::Stop>;

    /// The value that the environment chooses for a variable.
    fn choose(&mut self, var: VarId) -> Value<Self>;

    /// The step happens only if this holds; otherwise its run ends.
    fn assume(&mut self, cond: Term) -> Result<(), Self::Stop>;

    /// The step happens only if this holds; until then the thread is blocked.
    fn wait_until(&mut self, cond: Term) -> Result<(), Self::Stop> {
        self.assume(cond)
    }

    /// Enters an atomic section, or leaves one.
    fn atomic(&mut self, _enters: bool) {}

    // Memory.

    /// Where an address, a term of the program, leads; the run ends if that is nowhere.
    fn place(&mut self, addr: Term) -> Result<Self::Address, Self::Stop>;

    /// What a variable gets that is loaded; what is undefined the environment chooses.
    fn load(&mut self, place: &Self::Address, var: VarId) -> Value<Self>;

    /// Writes the bytes of a value.
    fn store(&mut self, place: &Self::Address, value: Term) -> Result<(), Self::Stop>;

    /// A new object; its address. The size is a term of the program.
    fn alloc(&mut self, _: VarId, _: ObjId, _size: Term, _zeroed: bool) -> Value<Self> {
        Err(self.unfollowed("an allocation"))
    }

    /// Ends a heap object; the address is a term of the program.
    fn free(&mut self, _addr: Term) -> Result<(), Self::Stop> {
        Err(self.unfollowed("memory that is freed"))
    }

    /// Ends a stack object; stores that do not look at the ends of objects ignore it.
    fn dealloc(&mut self, _: ObjId) -> Result<(), Self::Stop> {
        Ok(())
    }

    // Words of 32 bits, and of the width of a pointer for what a thread waits on.

    /// The word so many bytes behind a place; one that was never initialised counts as zero.
    fn lock_word(&mut self, place: &Self::Address, at: u64) -> Result<Self::Word, Self::Stop>;

    /// The word that says what this thread waits on, 0 if on nothing; none if the store does not
    /// follow waiting, because a wake-up may be spurious.
    fn waiting(&mut self) -> Result<Option<Self::Word>, Self::Stop> {
        Ok(None)
    }

    /// The words of all threads that may wait on a condition variable, by its term of the program.
    fn waiters(&mut self, _cond: Term) -> Result<Vec<Self::Word>, Self::Stop> {
        Ok(Vec::new())
    }

    /// What a word holds.
    fn read(&mut self, word: &Self::Word) -> Value<Self>;

    /// Sets a word if a condition holds.
    fn write(&mut self, word: &Self::Word, cond: Term, value: Term) -> Result<(), Self::Stop>;

    /// May a thread that has waited go on? Stores with spurious wake-ups say when there is one.
    fn goes_on(&mut self, word: &Self::Word, timed: bool) -> Value<Self> {
        match timed {
            true => Ok(self.terms().bool(true)),
            false => self.is_woken(word),
        }
    }

    /// Does a thread wait on nothing any more?
    fn is_woken(&mut self, word: &Self::Word) -> Value<Self> {
        let on = self.read(word)?;
        let terms = self.terms();
        let nothing = terms.constant(terms.sort(on), 0);
        Ok(terms.eq(on, nothing))
    }

    /// A truth value that the environment chooses, to say which of several threads is woken.
    fn choose_waiter(&mut self) -> Value<Self> {
        unreachable!("a store without waiting threads wakes none")
    }

    /// A signal wakes the first thread whose condition holds.
    fn wakes(&mut self, _waiters: &[(Self::Word, Term)]) {}

    // Threads.

    /// Starts a thread; the value of its handle, of the sort of the variable that gets it.
    fn start(&mut self, handle: VarId, proc: ProcId, arg: Term) -> Value<Self>;

    /// Blocked until a thread has ended; its handle is a term of the program.
    fn join(&mut self, thread: Term) -> Result<Self::Ended, Self::Stop>;

    /// What a thread has returned, for a variable of this sort.
    fn result(&mut self, ended: &Self::Ended, var: VarId, sort: Sort) -> Value<Self>;

    /// This thread ends.
    fn end_thread(&mut self, value: Term) -> Result<(), Self::Stop>;

    /// The process ends.
    fn end_process(&mut self) -> Result<(), Self::Stop> {
        Ok(())
    }

    /// This has no form in the store.
    fn unfollowed(&self, what: &str) -> Self::Stop;
}
