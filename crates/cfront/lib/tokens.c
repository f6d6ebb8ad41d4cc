/* Strings as sets of characters, and strings that are cut at them. */

static _Bool contains(const char *set, char c) {
    for (; *set; set++) {
        if (*set == c) {
            return 1;
        }
    }
    return 0;
}

unsigned long strspn(const char *text, const char *accepted) {
    unsigned long at = 0;
    while (text[at] && contains(accepted, text[at])) {
        at++;
    }
    return at;
}

unsigned long strcspn(const char *text, const char *rejected) {
    unsigned long at = 0;
    while (text[at] && !contains(rejected, text[at])) {
        at++;
    }
    return at;
}

char *strpbrk(const char *text, const char *wanted) {
    text += strcspn(text, wanted);
    return *text ? (char *)text : (char *)0;
}

/* Cuts the string at the next delimiter; `rest` is null after the last part. */
char *strsep(char **rest, const char *delimiters) {
    char *start = *rest;
    if (!start) {
        return start;
    }
    char *end = start + strcspn(start, delimiters);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = (char *)0;
    }
    return start;
}

char *strtok_r(char *text, const char *delimiters, char **rest) {
    if (!text) {
        text = *rest;
    }
    text += strspn(text, delimiters);
    if (!*text) {
        *rest = text;
        return (char *)0;
    }
    char *end = text + strcspn(text, delimiters);
    if (*end) {
        *end = 0;
        end++;
    }
    *rest = end;
    return text;
}

char *__strtok_r(char *text, const char *delimiters, char **rest) {
    return strtok_r(text, delimiters, rest);
}

char *strtok(char *text, const char *delimiters) {
    static char *rest;
    return strtok_r(text, delimiters, &rest);
}
