//! What programs use, by what is searched for in their text.

/// Names of constructs, each with signs of which one is enough.
const CONSTRUCTS: &[(&str, &[&str])] = &[
    ("mutexes", &["pthread_mutex_lock("]),
    ("trylock", &["pthread_mutex_trylock("]),
    ("recursive mutexes", &["pthread_mutexattr_settype("]),
    ("condition variables", &["pthread_cond_wait("]),
    ("broadcasts", &["pthread_cond_broadcast("]),
    ("barriers", &["pthread_barrier_wait("]),
    ("semaphores", &["sem_wait(", "sem_post(", "sem_trywait("]),
    ("reader-writer locks", &["pthread_rwlock_"]),
    (
        "spin locks",
        &["pthread_spin_lock(", "pthread_spin_trylock("],
    ),
    ("once", &["pthread_once("]),
    ("keys", &["pthread_setspecific(", "pthread_getspecific("]),
    ("atomic sections", &["__VERIFIER_atomic_begin"]),
    ("_Atomic", &["_Atomic "]),
    ("__atomic loads", &["__atomic_load"]),
    ("__atomic stores", &["__atomic_store"]),
    ("__atomic exchange", &["__atomic_exchange"]),
    ("__atomic compare_exchange", &["__atomic_compare_exchange"]),
    ("__atomic fetch_op", &["__atomic_fetch_"]),
    (
        "__atomic op_fetch",
        &[
            "add_fetch(",
            "sub_fetch(",
            "or_fetch(",
            "and_fetch(",
            "nand_fetch(",
        ],
    ),
    (
        "test_and_set",
        &["__atomic_test_and_set(", "__atomic_clear("],
    ),
    ("__sync fetch_and_op", &["__sync_fetch_and_"]),
    ("__sync op_and_fetch", &["_and_fetch("]),
    ("__sync compare_and_swap", &["_compare_and_swap("]),
    (
        "__sync locks",
        &["__sync_lock_test_and_set(", "__sync_lock_release("],
    ),
    ("fences", &["__sync_synchronize(", "_fence("]),
    ("heap", &["malloc("]),
    ("lists", &["struct node *n"]),
    ("threads that go round for ever", &[") while (1) ;"]),
    ("locals of main that others use", &["*q = &v0"]),
    ("threads that are watched, not joined", &["if (done0 != 1)"]),
    ("threads that start threads", &["\npthread_t t1;"]),
    ("memory of a computed size", &["malloc((n + 1)"]),
    ("free", &["free("]),
    ("free of any pointer", &["free(p"]),
    ("records", &["r0.", "r1."]),
    ("record copies", &["r0 = r1", "r1 = r0"]),
    ("arrays", &["a0[", "a1["]),
    ("arrays of variable length", &["crew[size]"]),
    ("pointers", &["*p0", "*p1", "*q"]),
    ("bytes", &["(unsigned char *)&g"]),
    ("narrow integers", &["char g", "short g"]),
    (
        "unsigned integers",
        &[
            "unsigned int g",
            "unsigned char g",
            "unsigned short g",
            "0u + ",
        ],
    ),
    ("long long", &["long long g", "long long a"]),
    ("thread-local variables", &["_Thread_local", "__thread"]),
    ("calls", &[" h0(", " h1("]),
    ("tables of functions", &["table["]),
    ("function pointers", &["fp("]),
    ("start routines from a table", &["starts["]),
    ("threads in a loop", &["crew[i0]"]),
    ("thread arguments", &["= raw", "(long)raw"]),
    ("threads not joined", &["pthread_create("]),
    ("loops", &["for ("]),
    ("waiting loops", &["while ("]),
    ("switch", &["switch ("]),
    ("goto", &["goto "]),
    ("break and continue", &[") break;", ") continue;"]),
    ("division", &[" / "]),
    ("remainder", &[" % "]),
    ("shifts", &[" << ", " >> "]),
    ("signed arithmetic", &["++;", " = --"]),
    ("inputs", &["__VERIFIER_nondet"]),
    ("assumptions", &["__VERIFIER_assume"]),
    ("pthread_exit", &["pthread_exit("]),
    ("exit or abort", &[" exit(", "abort("]),
];

/// The names of what a program uses.
pub fn constructs(text: &str) -> impl Iterator<Item = (&'static str, bool)> {
    // Declarations use nothing.
    let body = text.lines().filter(|line| !line.starts_with("extern"));
    let body = body.collect::<Vec<_>>().join("\n");
    CONSTRUCTS.iter().map(move |(name, signs)| {
        let found = match *name {
            // Fewer joins than starts.
            "threads not joined" => {
                body.matches("pthread_create(").count() > body.matches("pthread_join(").count()
            }
            _ => signs.iter().any(|sign| body.contains(sign)),
        };
        (*name, found)
    })
}
