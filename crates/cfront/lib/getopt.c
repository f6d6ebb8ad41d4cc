/* Options of the command line, one letter each. Arguments that are no options are moved behind those that
   are, unless the letters start with `+` or `-`. The variable POSIXLY_CORRECT is taken not to be set. */

char *optarg = (char *)0;
int optind = 1;
int opterr = 1;
int optopt = '?';

/* Where the next letter is, and which arguments are no options and were passed over. */
static char *next_letter = (char *)0;
static int first_other = 1;
static int last_other = 1;
static _Bool started = 0;

static void reverse(char **list, int from, int to) {
    for (to--; from < to; from++, to--) {
        char *kept = list[from];
        list[from] = list[to];
        list[to] = kept;
    }
}

/* Puts what was passed over behind the options after it. */
static void move_others(char **list) {
    reverse(list, first_other, last_other);
    reverse(list, last_other, optind);
    reverse(list, first_other, optind);
    first_other += optind - last_other;
    last_other = optind;
}

static _Bool is_option(const char *text) {
    return text[0] == '-' && text[1] != 0;
}

static const char *find(const char *letters, char c) {
    if (c == ':' || c == ';') {
        return (const char *)0;
    }
    for (; *letters; letters++) {
        if (*letters == c) {
            return letters;
        }
    }
    return (const char *)0;
}

int getopt(int count, char *const *given, const char *letters) {
    char **list = (char **)given;
    if (count < 1) {
        return -1;
    }
    optarg = (char *)0;
    if (optind == 0 || !started) {
        if (optind == 0) {
            optind = 1;
        }
        first_other = last_other = optind;
        next_letter = (char *)0;
        started = 1;
    }
    char mode = *letters == '+' || *letters == '-' ? *letters : 0;
    if (mode) {
        letters++;
    }
    _Bool silent = *letters == ':';
    if (!next_letter || !*next_letter) {
        if (last_other > optind) {
            last_other = optind;
        }
        if (first_other > optind) {
            first_other = optind;
        }
        if (!mode) {
            if (first_other != last_other && last_other != optind) {
                move_others(list);
            } else if (last_other != optind) {
                first_other = optind;
            }
            while (optind < count && !is_option(list[optind])) {
                optind++;
            }
            last_other = optind;
        }
        if (optind != count && list[optind][0] == '-' && list[optind][1] == '-' && list[optind][2] == 0) {
            optind++;
            if (first_other != last_other && last_other != optind) {
                move_others(list);
            } else if (first_other == last_other) {
                first_other = optind;
            }
            last_other = count;
            optind = count;
        }
        if (optind == count) {
            if (first_other != last_other) {
                optind = first_other;
            }
            return -1;
        }
        if (!is_option(list[optind])) {
            if (mode == '+') {
                return -1;
            }
            optarg = list[optind++];
            return 1;
        }
        next_letter = list[optind] + 1;
    }
    char c = *next_letter++;
    const char *known = find(letters, c);
    if (!*next_letter) {
        optind++;
    }
    if (!known) {
        optopt = c;
        return '?';
    }
    if (known[1] == ':') {
        if (known[2] == ':') {
            if (*next_letter) {
                optarg = next_letter;
                optind++;
            }
        } else if (*next_letter) {
            optarg = next_letter;
            optind++;
        } else if (optind == count) {
            optopt = c;
            next_letter = (char *)0;
            return silent ? ':' : '?';
        } else {
            optarg = list[optind++];
        }
        next_letter = (char *)0;
    }
    return c;
}
