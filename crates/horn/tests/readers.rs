//! Reader-writer locks: who moves where.

use abstraction::Program;
use horn::locks::Locks;
use horn::movers::movers;
use std::fmt::Write;
use testkit::{preprocess, translate};
use verdict::{Budget, Property};

/// The movers of each thread but the first, in the order of their actions.
fn moves(body_of_reader: &str) -> String {
    let text = format!(
        "#include <assert.h>\n#include <pthread.h>\n\
         int x, y, z; pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\n\
         void *writer(void *arg) {{ pthread_rwlock_wrlock(&l); x = 1; y = 1;\n\
         pthread_rwlock_unlock(&l); return 0; }}\n\
         void *reader(void *arg) {{ {body_of_reader} return 0; }}\n\
         int main(void) {{ pthread_t t, u; pthread_create(&t, 0, writer, 0);\n\
         pthread_create(&u, 0, reader, 0); pthread_join(t, 0); pthread_join(u, 0);\n\
         assert(x + y + z != 7); return 0; }}\n"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.c");
    std::fs::write(&path, text).expect("a program");
    let xcfa = translate(preprocess(&path).expect("readable C"), Property::Reach);
    let options = passes::Options {
        large_blocks: false,
        ..passes::Options::default()
    };
    let xcfa = passes::prepare(xcfa.expect("a program"), &options).map_err(|error| error.what);
    let (program, mut terms) = Program::of(&xcfa.expect("prepared").into(), 1).expect("a program");
    let locks = Locks::of(&program, &mut terms);
    let kinds = movers(&program, &mut terms, &locks, &Budget::unlimited());
    let mut shown = String::new();
    for (number, thread) in program.threads.iter().enumerate().skip(1) {
        let own = program
            .action_ids()
            .filter(|&id| program[id].thread == number);
        let own: Vec<_> = own.map(|id| kinds[id.0 as usize]).collect();
        let _ = writeln!(shown, "{}: {own:?}", thread.name);
    }
    shown
}

/// Under the lock no other thread conflicts, neither with a writer nor with a reader.
#[test]
fn readers_and_writers() {
    let reader = "pthread_rwlock_rdlock(&l); z = x; z = z + y; pthread_rwlock_unlock(&l);";
    let expected = expect_test::expect![[r#"
        writer: [Right, Both, Both, Left, Left]
        reader: [Right, Both, Both, Both, Both, Both, Left, Left]
    "#]];
    expected.assert_eq(&moves(reader));
}

/// A read, without the lock, of what is written under it.
#[test]
fn looking_without_the_lock() {
    let reader = "z = x; pthread_rwlock_rdlock(&l); z = y; pthread_rwlock_unlock(&l);";
    let expected = expect_test::expect![[r#"
        writer: [Right, Non, Both, Left, Left]
        reader: [Non, Both, Right, Both, Both, Left, Left]
    "#]];
    expected.assert_eq(&moves(reader));
}

/// A thread that takes it twice for reading may lose count, so it is no lock then.
#[test]
fn taken_twice() {
    let reader = "pthread_rwlock_rdlock(&l); pthread_rwlock_rdlock(&l); z = x;\n\
        pthread_rwlock_unlock(&l); pthread_rwlock_unlock(&l);";
    let expected = expect_test::expect![[r#"
        writer: [Non, Non, Both, Non, Left]
        reader: [Non, Non, Non, Both, Non, Non, Left]
    "#]];
    expected.assert_eq(&moves(reader));
}
