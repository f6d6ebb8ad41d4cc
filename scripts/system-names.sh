#!/bin/sh
# Makes crates/cfront/src/functions/system_names.txt: every name that the headers of glibc declare as a function,
# with all extensions. Run it in the root of the repository, on a system with glibc and gcc.
set -eu

headers=$(cd /usr/include && for header in *.h arpa/*.h net/*.h netinet/*.h sys/*.h; do
    printf '#include <%s>\n' "$header" | gcc -E -D_GNU_SOURCE -x c - >/dev/null 2>&1 && printf '%s\n' "$header" || :
done)
{
    for header in $headers; do
        # Only what the C library itself brings: other packages install headers here as well.
        dpkg -S "/usr/include/$header" 2>/dev/null | grep -q '^libc6-dev' || continue
        printf '#include <%s>\n' "$header" | gcc -E -P -D_GNU_SOURCE -x c - 2>/dev/null | gcc -x c -aux-info /dev/stdout -fsyntax-only -w - 2>/dev/null || :
    done
    # Where the library of another architecture keeps its headers.
    triple=$(gcc -print-multiarch)
    for header in $(cd "/usr/include/$triple/sys" && ls *.h); do
        printf '#include <sys/%s>\n' "$header" | gcc -E -P -D_GNU_SOURCE -x c - 2>/dev/null | gcc -x c -aux-info /dev/stdout -fsyntax-only -w - 2>/dev/null || :
    done
} | sed -n 's/^[^(]*[ *]\([A-Za-z_][A-Za-z0-9_]*\) (.*/\1/p' | LC_ALL=C sort -u > crates/cfront/src/functions/system_names.txt
wc -l < crates/cfront/src/functions/system_names.txt
