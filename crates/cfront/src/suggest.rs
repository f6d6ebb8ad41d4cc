//! What may be meant by a name that is not declared.

use crate::functions;

/// Types and objects that are often used without their header.
const NAMES: [(&str, &str); 20] = [
    ("bool", "stdbool.h"),
    ("true", "stdbool.h"),
    ("false", "stdbool.h"),
    ("size_t", "stddef.h"),
    ("ptrdiff_t", "stddef.h"),
    ("NULL", "stddef.h"),
    ("ssize_t", "sys/types.h"),
    ("pid_t", "sys/types.h"),
    ("sem_t", "semaphore.h"),
    ("FILE", "stdio.h"),
    ("stdin", "stdio.h"),
    ("stdout", "stdio.h"),
    ("stderr", "stdio.h"),
    ("errno", "errno.h"),
    ("va_list", "stdarg.h"),
    ("jmp_buf", "setjmp.h"),
    ("time_t", "time.h"),
    ("INT_MAX", "limits.h"),
    ("INT_MIN", "limits.h"),
    ("UINT_MAX", "limits.h"),
];

/// Beginnings of names that belong to one header.
const PREFIXES: [(&str, &str); 8] = [
    ("pthread_", "pthread.h"),
    ("PTHREAD_", "pthread.h"),
    ("atomic_", "stdatomic.h"),
    ("memory_order", "stdatomic.h"),
    ("thrd_", "threads.h"),
    ("mtx_", "threads.h"),
    ("cnd_", "threads.h"),
    ("sem_", "semaphore.h"),
];

/// The header that declares a name of the C library.
pub fn header_of(name: &str) -> Option<&'static str> {
    let exact = NAMES.iter().find(|(known, _)| *known == name);
    let prefix = || PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix));
    let known = exact.or_else(prefix).map(|(_, header)| *header);
    known
        .or_else(|| is_sized(name).then_some("stdint.h"))
        .or_else(|| functions::header_of(name))
}

/// `int32_t`, `uint8_t` and the like.
fn is_sized(name: &str) -> bool {
    let bits = name
        .strip_suffix("_t")
        .and_then(|name| name.strip_prefix('u').unwrap_or(name).strip_prefix("int"));
    bits.is_some_and(|bits| ["8", "16", "32", "64", "ptr", "max"].contains(&bits))
}

/// The advice to include a header.
pub fn include(header: &str) -> String {
    format!("; is `#include <{header}>` missing?")
}

/// The name that is most like this one, if one is like it.
pub fn like<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let most = name.len() / 3;
    let near = known.filter(|it| it.len().abs_diff(name.len()) <= most && !it.starts_with("__"));
    let near = near.map(|it| (distance(name, it), it));
    let (distance, nearest) = near.min()?;
    (distance <= most).then_some(nearest)
}

/// How many letters have to be changed, added or removed.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_header_and_by_likeness() {
        assert_eq!(header_of("pthread_t"), Some("pthread.h"));
        assert_eq!(header_of("uint32_t"), Some("stdint.h"));
        assert_eq!(header_of("printf"), Some("stdio.h"));
        assert_eq!(header_of("balance"), None);
        let known = ["balance", "lock", "main", "__balance"];
        assert_eq!(like("balanse", known.into_iter()), Some("balance"));
        assert_eq!(like("lok", known.into_iter()), Some("lock"));
        assert_eq!(like("rent", known.into_iter()), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
