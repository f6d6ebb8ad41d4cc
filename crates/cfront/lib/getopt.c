/* Options of the command line. Arguments that are no options are moved behind those that are, unless the
   letters start with `+` or `-`. The variable POSIXLY_CORRECT is taken not to be set. */

char *optarg = (char *)0;
int optind = 1;
int opterr = 1;
int optopt = '?';

/* As <getopt.h> lays it out. */
struct long_option {
    const char *name;
    int has_argument;
    int *flag;
    int value;
};

/* Where the next letter is, and which arguments are no options and were passed over. */
static char *next_letter = (char *)0;
static int first_other = 1;
static int last_other = 1;
static _Bool started = 0;

/* What `optopt` is after each call. */
static int odd_option = 0;

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
    for (; *letters; letters++) {
        if (*letters == c) {
            return letters;
        }
    }
    return (const char *)0;
}

/* Goes to the next option. What there is no option any more is in `*result`; otherwise the answer is no. */
static _Bool is_over(int count, char **list, char mode, int *result) {
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
    *result = -1;
    if (optind == count) {
        if (first_other != last_other) {
            optind = first_other;
        }
        return 1;
    }
    if (!is_option(list[optind])) {
        if (mode != '+') {
            optarg = list[optind++];
            *result = 1;
        }
        return 1;
    }
    return 0;
}

/* Is `text`, up to its end or a `=`, the name, or the start of it? 2 if it is all of it. */
static int fits(const char *name, const char *text) {
    while (*text && *text != '=') {
        if (*name++ != *text++) {
            return 0;
        }
    }
    return *name ? 1 : 2;
}

/* The option with this name, or the only one that starts with it; null if there is none or several. */
static const struct long_option *named(const struct long_option *options, const char *text, _Bool strict,
                                       _Bool *ambiguous) {
    const struct long_option *found = (const struct long_option *)0;
    *ambiguous = 0;
    for (const struct long_option *at = options; at->name; at++) {
        if (fits(at->name, text) == 2) {
            *ambiguous = 0;
            return at;
        }
    }
    for (const struct long_option *at = options; at->name; at++) {
        if (!fits(at->name, text)) {
            continue;
        }
        if (!found) {
            found = at;
        } else if (strict || found->has_argument != at->has_argument || found->flag != at->flag ||
                   found->value != at->value) {
            *ambiguous = 1;
        }
    }
    return found;
}

/* The option whose name is next; -1 if it may be a letter. */
static int long_option(int count, char **list, const char *letters, const struct long_option *options, int *index,
                       _Bool strict) {
    _Bool ambiguous;
    const struct long_option *found = named(options, next_letter, strict, &ambiguous);
    if (!found && strict && list[optind][1] != '-' && find(letters, *next_letter)) {
        return -1;
    }
    char *after = next_letter;
    while (*after && *after != '=') {
        after++;
    }
    next_letter = (char *)0;
    optind++;
    if (!found || ambiguous) {
        odd_option = 0;
        return '?';
    }
    if (*after) {
        if (!found->has_argument) {
            odd_option = found->value;
            return '?';
        }
        optarg = after + 1;
    } else if (found->has_argument == 1) {
        if (optind >= count) {
            odd_option = found->value;
            return *letters == ':' ? ':' : '?';
        }
        optarg = list[optind++];
    }
    if (index) {
        *index = (int)(found - options);
    }
    if (found->flag) {
        *found->flag = found->value;
        return 0;
    }
    return found->value;
}

/* The letter that is next. */
static int letter(int count, char **list, const char *letters, const struct long_option *options, int *index) {
    char c = *next_letter++;
    const char *known = find(letters, c);
    if (!*next_letter) {
        optind++;
    }
    if (!known || c == ':' || c == ';') {
        odd_option = c;
        return '?';
    }
    _Bool is_name = known[0] == 'W' && known[1] == ';' && options;
    if (!is_name && known[1] != ':') {
        return c;
    }
    if (!is_name && known[2] == ':') {
        if (*next_letter) {
            optarg = next_letter;
            optind++;
        }
    } else if (*next_letter) {
        optarg = next_letter;
        optind += !is_name;
    } else if (optind == count) {
        odd_option = c;
        next_letter = (char *)0;
        return *letters == ':' ? ':' : '?';
    } else {
        optarg = list[optind];
        optind += !is_name;
    }
    next_letter = (char *)0;
    if (is_name) {
        next_letter = optarg;
        optarg = (char *)0;
        return long_option(count, list, letters, options, index, 0);
    }
    return c;
}

static int next_option(int count, char **list, const char *letters, const struct long_option *options, int *index,
                       _Bool strict) {
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
    if (!next_letter || !*next_letter) {
        int result;
        if (is_over(count, list, mode, &result)) {
            return result;
        }
        char *text = list[optind];
        next_letter = text + 1;
        if (options && text[1] == '-') {
            next_letter++;
            return long_option(count, list, letters, options, index, strict);
        }
        if (options && strict && (text[2] || !find(letters, text[1]))) {
            int code = long_option(count, list, letters, options, index, strict);
            if (code != -1) {
                return code;
            }
        }
    }
    return letter(count, list, letters, options, index);
}

static int told(int result) {
    optopt = odd_option;
    return result;
}

int getopt(int count, char *const *list, const char *letters) {
    return told(next_option(count, (char **)list, letters, (const struct long_option *)0, (int *)0, 0));
}

int getopt_long(int count, char *const *list, const char *letters, const void *options, int *index) {
    return told(next_option(count, (char **)list, letters, options, index, 0));
}

int getopt_long_only(int count, char *const *list, const char *letters, const void *options, int *index) {
    return told(next_option(count, (char **)list, letters, options, index, 1));
}
