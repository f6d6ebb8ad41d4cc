//! Calls of functions on strings and memory.

use super::calls::{Call, exact, open};

pub(super) const CALLS: &[Call] = &[
    exact(
        "memcpy",
        "char b[9] = \"########\"; void *r = memcpy(b + 1, \"abcd\", $n); unsigned long n = $m; memcpy(b + 5, \"xyz\", n % 3);",
        &["(char *)r - b", "digest(b, 9)"],
    ),
    exact(
        "memmove",
        "char b[9] = \"abcdefgh\"; void *r = memmove(b + $n, b + $m, 4); unsigned long n = $m; memmove(b, b + 1, n); memmove(b + 2, b, n);",
        &["(char *)r - b", "digest(b, 9)"],
    ),
    exact(
        "mempcpy __mempcpy",
        "char b[9] = \"########\"; char *r = mempcpy(b + 1, \"abcd\", $n); unsigned long n = $m; char *q = mempcpy(b, \"xyz\", n % 3);",
        &["r - b", "q - b", "digest(b, 9)"],
    ),
    exact(
        "memset",
        "char b[9] = \"########\"; void *r = memset(b, $c, $n); unsigned long n = $m; memset(b + 4, 'x', n);",
        &["(char *)r - b", "digest(b, 9)"],
    ),
    exact(
        "bzero explicit_bzero bcopy",
        "char b[9] = \"abcdefgh\"; unsigned long n = $m; bzero(b + 5, $n % 3); explicit_bzero(b, n % 2); bcopy(b + 1, b + 2, n);",
        &["digest(b, 9)"],
    ),
    exact(
        "strxfrm",
        "char b[9] = \"########\"; unsigned long r = strxfrm(b, $s, 9), q = strxfrm(0, $t, 0);",
        &["r", "q", "digest(b, 9)"],
    ),
    open(
        "strxfrm",
        "char b[9] = \"########\"; unsigned long r = strxfrm(b, $s, $n);",
        &["r", "b[0]", "b[4]"],
    ),
    exact(
        "memccpy",
        "char b[9] = \"########\"; char *r = memccpy(b, $s, $c, sizeof $s);",
        &["r ? r - b : -1", "digest(b, 9)"],
    ),
    exact(
        "memchr memrchr",
        "const char *s = $s; char *r = memchr(s, $c, sizeof $s), *q = memrchr(s, $c, sizeof $s);",
        &["r ? r - s : -1", "q ? q - s : -1"],
    ),
    exact(
        "rawmemchr",
        "const char *s = $s; char *r = rawmemchr(s, 0);",
        &["r - s"],
    ),
    exact(
        "memmem",
        "const char *s = $s, *t = $t; char *r = memmem(s, sizeof $s, t, sizeof $t - 1);",
        &["r ? r - s : -1"],
    ),
    exact(
        "memfrob",
        "char b[4] = \"abc\"; memfrob(b, $n % 4);",
        &["digest(b, 4)"],
    ),
    exact(
        "swab",
        "char b[6] = \"#####\"; swab(\"abcde\", b, $n);",
        &["digest(b, 6)"],
    ),
    exact(
        "memcmp bcmp",
        "char a[8] = $s, b[8] = $t; int r = memcmp(a, b, $n); int sign = (r > 0) - (r < 0);",
        &["sign", "!bcmp(a, b, $n)"],
    ),
    open(
        "memcmp bcmp __memcmpeq",
        "char a[8] = $s, b[8] = $t; int r = memcmp(a, b, $n);",
        &["r"],
    ),
    exact(
        "strcmp strncmp strcoll",
        "const char *s = $s, *t = $t;",
        &[
            "strcmp(s, t) < 0",
            "strcmp(s, t) > 0",
            "!strncmp(s, t, $n)",
            "strncmp(s, t, $n) < 0",
            "strcoll(s, t) < 0",
        ],
    ),
    exact(
        "strcasecmp strncasecmp",
        "const char *s = $s, *t = $t;",
        &[
            "strcasecmp(s, t) < 0",
            "!strcasecmp(s, t)",
            "strncasecmp(s, t, $n) > 0",
        ],
    ),
    open("strcmp strncmp", "int r = strcmp($s, $t);", &["r"]),
    open(
        "strcasecmp strncasecmp strcoll",
        "int r = strncasecmp($s, $t, $n);",
        &["r"],
    ),
    exact("strlen strnlen", "", &["strlen($s)", "strnlen($s, $n)"]),
    exact(
        "strcpy strncpy",
        "char b[9] = \"########\", d[9] = \"########\"; char *r = strcpy(b, $s); char *q = strncpy(d, $t, $n);",
        &["r - b", "q - d", "digest(b, 9)", "digest(d, 9)"],
    ),
    exact(
        "stpcpy stpncpy __stpcpy __stpncpy",
        "char b[9] = \"########\", d[9] = \"########\"; char *r = stpcpy(b, $s); char *q = stpncpy(d, $t, $n);",
        &["r - b", "q - d", "digest(b, 9)", "digest(d, 9)"],
    ),
    exact(
        "strcat strncat",
        "char b[12] = $s, d[12] = $t; strcat(b, $t); strncat(d, $s, $n);",
        &["digest(b, 12)", "digest(d, 12)"],
    ),
    exact(
        "strchr strrchr strchrnul",
        "const char *s = $s; char *r = strchr(s, $c), *q = strrchr(s, $c), *n = strchrnul(s, $c);",
        &["r ? r - s : -1", "q ? q - s : -1", "n - s"],
    ),
    exact(
        "index rindex",
        "const char *s = $s; char *r = index(s, $c), *q = rindex(s, $c);",
        &["r ? r - s : -1", "q ? q - s : -1"],
    ),
    exact(
        "strstr strcasestr",
        "const char *s = $s; char *r = strstr(s, $t), *q = strcasestr(s, $t);",
        &["r ? r - s : -1", "q ? q - s : -1"],
    ),
    exact(
        "basename",
        "const char *s = $s; char *r = basename(s);",
        &["r - s"],
    ),
    exact(
        "strdup strndup",
        "char *r = strdup($s), *q = strndup($t, $n);",
        &["digest(r, strlen(r) + 1)", "digest(q, strlen(q) + 1)"],
    ),
    exact(
        "strspn strcspn strpbrk",
        "const char *s = $s; char *r = strpbrk(s, $t);",
        &["strspn(s, $t)", "strcspn(s, $t)", "r ? r - s : -1"],
    ),
    exact(
        "strsep",
        "char b[8] = $s; char *p = b; char *r = strsep(&p, \",/\"), *q = strsep(&p, \",/\");",
        &["r - b", "q ? q - b : -1", "p ? p - b : -1", "digest(b, 8)"],
    ),
    exact(
        "strtok_r __strtok_r",
        "char b[8] = $s; char *p = 0; char *r = strtok_r(b, \",/\", &p), *q = strtok_r(0, \",/\", &p);",
        &["r ? r - b : -1", "q ? q - b : -1", "digest(b, 8)"],
    ),
    exact(
        "strtok",
        "char b[8] = $s; char *r = strtok(b, \",\"), *q = r ? strtok(0, \",\") : 0;",
        &["r ? r - b : -1", "q ? q - b : -1", "digest(b, 8)"],
    ),
];
