//! What kind of programs to generate.

/// Which inputs a program may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inputs {
    /// None: the schedule alone decides.
    None,
    /// `_Bool` only, of which all values can be tried.
    Bool,
    /// Integers too, so that a proof by trying values is impossible.
    Any,
}

/// What most programs do without. A program that may use one of these uses it often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// Sums, differences and products that may overflow.
    SignedArithmetic,
    /// Division, remainder and shifts by what is always allowed.
    Division,
    /// Division, remainder and shifts that may be undefined.
    UndefinedDivision,
    /// `long long`.
    WideIntegers,
    /// Semaphores.
    Semaphores,
    /// A barrier.
    Barrier,
    /// A reader-writer lock.
    RwLock,
    /// A spin lock.
    SpinLock,
    /// A recursive mutex.
    RecursiveMutex,
    /// `pthread_once`.
    Once,
    /// Thread-specific values.
    Keys,
    /// Threads that a loop starts and another joins.
    Crew,
    /// Start routines from a table.
    StartTable,
    /// A function pointer that threads set and call.
    FunctionPointer,
    /// Threads that end early, wherever they are.
    Endings,
    /// `goto`, `break` and `continue`.
    Jumps,
    /// Atomic operations of every form and memory order.
    Atomics,
    /// Inputs of every type.
    Inputs,
    /// A list of nodes that are allocated and freed.
    List,
    /// Threads that stop before their end: they go round for ever, or are cut off.
    Standstill,
    /// Memory of a computed size.
    Sizes,
    /// A variable of `main` that threads are given the address of.
    Frame,
    /// No thread is joined: `main` looks whether all of them have said that they are done.
    Watcher,
    /// The first thread starts the others.
    Nested,
}

impl Extra {
    /// All of them.
    pub const ALL: [Extra; 24] = [
        Extra::SignedArithmetic,
        Extra::Division,
        Extra::UndefinedDivision,
        Extra::WideIntegers,
        Extra::Semaphores,
        Extra::Barrier,
        Extra::RwLock,
        Extra::SpinLock,
        Extra::RecursiveMutex,
        Extra::Once,
        Extra::Keys,
        Extra::Crew,
        Extra::StartTable,
        Extra::FunctionPointer,
        Extra::Endings,
        Extra::Jumps,
        Extra::Atomics,
        Extra::Inputs,
        Extra::List,
        Extra::Standstill,
        Extra::Sizes,
        Extra::Frame,
        Extra::Watcher,
        Extra::Nested,
    ];
}

/// Which features a random program may use. A feature that is allowed need not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// At least this many threads beside `main`.
    pub min_threads: usize,
    /// At most this many threads beside `main`, three at most.
    pub max_threads: usize,
    /// At most this many statements at the top level of a thread.
    pub statements: usize,
    /// Mutexes, well nested.
    pub locks: bool,
    /// Nested locks in any order, and so deadlocks.
    pub deadlock_prone: bool,
    /// Condition variables.
    pub condition_variables: bool,
    /// C11 atomics and GCC's atomic built-ins.
    pub atomics: bool,
    /// `__VERIFIER_atomic_begin` and its end.
    pub sections: bool,
    /// Bounded loops.
    pub loops: bool,
    /// Loops that wait until another thread changes something, and may do so for ever.
    pub spins: bool,
    /// Arrays with masked indices.
    pub arrays: bool,
    /// Pointers to globals, array elements and members, which may alias.
    pub pointers: bool,
    /// Structures with narrow members and bit-fields, copied whole.
    pub records: bool,
    /// Helper functions, called directly and through a table.
    pub functions: bool,
    /// Memory from `malloc`.
    pub heap: bool,
    /// Thread-local variables.
    pub thread_locals: bool,
    /// Inputs, and assumptions about them.
    pub inputs: Inputs,
    /// What else it may use.
    pub extras: Vec<Extra>,
}

impl Profile {
    /// May programs use this?
    pub fn has(&self, extra: Extra) -> bool {
        self.extras.contains(&extra)
    }

    /// Everything but inputs, endless waiting and deadlocks.
    pub fn standard() -> Profile {
        Profile {
            min_threads: 1,
            max_threads: 3,
            statements: 3,
            locks: true,
            deadlock_prone: false,
            condition_variables: false,
            atomics: true,
            sections: true,
            loops: true,
            spins: false,
            arrays: true,
            pointers: true,
            records: true,
            functions: true,
            heap: true,
            thread_locals: true,
            inputs: Inputs::None,
            extras: Vec::new(),
        }
    }

    /// Locks in any order and condition variables: programs that get stuck.
    pub fn blocking() -> Profile {
        Profile {
            deadlock_prone: true,
            condition_variables: true,
            spins: true,
            records: false,
            functions: false,
            heap: false,
            thread_locals: false,
            ..Profile::standard()
        }
    }

    /// With inputs of type `_Bool` and assumptions about them.
    pub fn with_inputs() -> Profile {
        Profile {
            inputs: Inputs::Bool,
            ..Profile::standard()
        }
    }

    /// No threads and no inputs: a program with exactly one execution.
    pub fn sequential() -> Profile {
        Profile {
            min_threads: 0,
            max_threads: 0,
            statements: 10,
            ..Profile::standard()
        }
    }
}
