/* Where a program runs, and files that the system names. */

_Bool __mazurka_any_bool(void);
char __mazurka_any_char(void);
long __mazurka_any_long(void);
int __mazurka_any_int(void);
void __mazurka_assume(int condition);
int __mazurka_typical(const char *assumption);
void __mazurka_any_errno(void);
int *__errno_location(void);
void *malloc(unsigned long size);

enum { ERANGE = 34, EINVAL = 22, ENAMETOOLONG = 36, MARKS = 6, LONGEST = 4096, SHORT = 7 };

static unsigned long length_of(const char *text) {
    unsigned long length = 0;
    while (text[length]) {
        length++;
    }
    return length;
}

static void copy(char *to, const char *from, unsigned long size) {
    for (unsigned long at = 0; at < size; at++) {
        to[at] = from[at];
    }
}

/* Some text that fits. */
static void any_text(char *to, unsigned long size) {
    unsigned long length = (unsigned long)__mazurka_any_long();
    __mazurka_assume(length > 0 && length < size);
    for (unsigned long at = 0; at < length; at++) {
        char c = __mazurka_any_char();
        __mazurka_assume(c != 0);
        to[at] = c;
    }
    to[length] = 0;
}

static char any_of_path(void) {
    char c = __mazurka_any_char();
    __mazurka_assume(c != 0);
    return c;
}

static const char home[] = "/tmp";
static const char machine[] = "localhost";

static _Bool is_home(void) {
    return __mazurka_typical("the working directory is `/tmp`");
}

char *getcwd(char *to, unsigned long size) {
    if (to && size == 0) {
        *__errno_location() = EINVAL;
        return (char *)0;
    }
    if (!is_home() && __mazurka_any_bool()) {
        __mazurka_any_errno();
        return (char *)0;
    }
    if (is_home() && size > 0 && size < sizeof home) {
        *__errno_location() = ERANGE;
        return (char *)0;
    }
    unsigned long room = size > 0 ? size : LONGEST;
    char *place = to ? to : malloc(room);
    if (!place) {
        return place;
    }
    if (is_home()) {
        copy(place, home, sizeof home);
    } else {
        __mazurka_assume(room > 1);
        any_text(place, room);
    }
    return place;
}

int gethostname(char *to, unsigned long size) {
    if (!__mazurka_typical("the machine is called `localhost`")) {
        if (size < 2 || __mazurka_any_bool()) {
            __mazurka_any_errno();
            return -1;
        }
        any_text(to, size);
        return 0;
    }
    copy(to, machine, size < sizeof machine ? size : sizeof machine);
    if (size < sizeof machine) {
        *__errno_location() = ENAMETOOLONG;
        return -1;
    }
    return 0;
}

/* Six texts of this length: the system, the machine's name, its version and so on. */
enum { NAMES = 6, NAME = 65 };

int uname(char *to) {
    if (!__mazurka_typical("`uname` says `x` for everything but the system, which is `Linux`")) {
        for (int at = 0; at < NAMES; at++) {
            any_text(to + at * NAME, NAME);
        }
        return 0;
    }
    for (int at = 0; at < NAMES; at++) {
        to[at * NAME] = 'x';
        to[at * NAME + 1] = 0;
    }
    copy(to, "Linux", sizeof "Linux");
    return 0;
}

/* Where a path leads. */
char *realpath(const char *path, char *to) {
    for (unsigned long at = 0; path && path[at]; at++) {
    }
    if (!path) {
        *__errno_location() = EINVAL;
        return (char *)0;
    }
    if (__mazurka_any_bool()) {
        __mazurka_any_errno();
        return (char *)0;
    }
    char *place = to ? to : malloc(LONGEST);
    if (!place) {
        return place;
    }
    if (__mazurka_typical("`realpath` finds a path of at most 7 characters, or of 4095")) {
        unsigned long length = 1;
        while (length < SHORT && __mazurka_any_bool()) {
            length++;
        }
        place[0] = '/';
        for (unsigned long at = 1; at < length; at++) {
            place[at] = any_of_path();
        }
        if (length == SHORT && __mazurka_any_bool()) {
            for (; length < LONGEST - 1; length++) {
                place[length] = 'x';
            }
        }
        place[length] = 0;
    } else {
        any_text(place, LONGEST);
        place[0] = '/';
    }
    return place;
}

static char any_mark(void) {
    char c = __mazurka_any_char();
    __mazurka_assume((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
    return c;
}

/* Puts letters and digits for the last six letters, which are all `X`. */
static _Bool set_marks(char *name, unsigned long behind) {
    unsigned long length = length_of(name);
    if (length < behind + MARKS) {
        return 0;
    }
    char *marks = name + length - behind - MARKS;
    for (int at = 0; at < MARKS; at++) {
        if (marks[at] != 'X') {
            return 0;
        }
    }
    for (int at = 0; at < MARKS; at++) {
        marks[at] = any_mark();
    }
    return 1;
}

static int any_file(void) {
    int file = __mazurka_any_int();
    __mazurka_assume(file >= -1);
    if (file < 0) {
        __mazurka_any_errno();
    }
    return file;
}

int mkstemps(char *name, int behind) {
    if (behind < 0 || !set_marks(name, (unsigned long)behind)) {
        *__errno_location() = EINVAL;
        return -1;
    }
    return any_file();
}

int mkstemp(char *name) {
    return mkstemps(name, 0);
}

int mkostemp(char *name, int flags) {
    (void)flags;
    return mkstemps(name, 0);
}

char *mkdtemp(char *name) {
    if (!set_marks(name, 0)) {
        *__errno_location() = EINVAL;
        return (char *)0;
    }
    return any_file() < 0 ? (char *)0 : name;
}
